import { spawn } from 'node:child_process';
import { BEL, ESC } from './sequences.ts';

/** What became of a copy. `ok: false` means: show the text plainly, so that it can be selected by hand. */
export type CopyResult =
  | { readonly ok: true; readonly way: 'tmux' | 'terminal' }
  | { readonly ok: false; readonly why: string };

interface Ways {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes a sequence to the terminal; false when it could not be. */
  send(sequence: string): boolean;
}

/** tmux accepts more; this is ample for a paste. Bytes. */
const TMUX_LIMIT = 1_000_000;
/** Limit of xterm and similar terminals: 100,000 bytes of base64. */
const TERMINAL_LIMIT = 74_994;
const TMUX_MS = 2000;

/**
 * Copies to the clipboard of the person's own machine: through tmux where we are inside it, else by OSC 52 to the
 * terminal, else not at all (docs/design/screens.md#clipboard). OSC 52 has no reply, so `terminal` means sent.
 * Controls are taken out and the end is trimmed, so that a paste cannot press keys or run a line.
 */
export async function copy(text: string, { env, send }: Ways): Promise<CopyResult> {
  const clean = pasteable(text);
  const bytes = Buffer.byteLength(clean);
  if (bytes === 0) return { ok: false, why: 'there is nothing to copy' };
  if (env.TMUX && bytes <= TMUX_LIMIT && (await giveToTmux(clean, env))) return { ok: true, way: 'tmux' };
  if (bytes > TERMINAL_LIMIT) return { ok: false, why: `too long for the clipboard of a terminal: ${bytes} bytes` };
  if (clipboardRefusal(env) !== undefined) return { ok: false, why: 'this terminal has no clipboard for programs' };
  const sent = send(`${ESC}]52;c;${Buffer.from(clean).toString('base64')}${BEL}`);
  return sent ? { ok: true, way: 'terminal' } : { ok: false, why: 'the terminal accepts no input now' };
}

/** Text without controls (line feeds and tabs stay) and without blank space at its end. */
export function pasteable(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, '')
    .trimEnd();
}

/** What tells that a terminal ignores OSC 52; undefined where nothing does. A plain view of the text is shown there instead. */
export function clipboardRefusal({ TERM, STY, VTE_VERSION, TERM_PROGRAM }: Ways['env']): string | undefined {
  if (TERM === 'dumb' || TERM === 'linux') return `TERM=${TERM}`;
  if (STY) return 'screen';
  if (VTE_VERSION) return `VTE_VERSION=${VTE_VERSION}`;
  return TERM_PROGRAM === 'Apple_Terminal' ? `TERM_PROGRAM=${TERM_PROGRAM}` : undefined;
}

/** `-w` also hands it on to the outer terminal. No shell, and only the variables that tmux needs. */
function giveToTmux(text: string, env: Ways['env']): Promise<boolean> {
  return new Promise((settle) => {
    const { PATH, HOME, TMUX, TMUX_TMPDIR, TERM, LANG, LC_ALL } = env;
    const child = spawn('tmux', ['load-buffer', '-w', '-'], {
      env: { PATH, HOME, TMUX, TMUX_TMPDIR, TERM, LANG, LC_ALL },
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: TMUX_MS,
      killSignal: 'SIGKILL',
    });
    child.once('error', () => settle(false));
    child.once('close', (code) => settle(code === 0));
    child.stdin.on('error', () => undefined);
    child.stdin.end(text);
  });
}
