import { spawn } from 'node:child_process';
import type { NotifyWay } from '../lib/setting-values.ts';

/**
 * The control sequences that this program writes itself, in one place (docs/design/reliability.md#painting).
 * Everything else that reaches the terminal is text.
 */
export const ESC = '\u001B';
const BEL = '\u0007';

/** Private modes that this program may set and that must be off again when it leaves, in the order of undoing. */
export const MODES = [2004, 1006, 1000, 1049, 25] as const;

/** Pasted text comes between marks, so that it presses no keys. */
export const MARK_PASTES = `${ESC}[?2004h`;
export const LEAVE_PASTES = `${ESC}[?2004l`;

export const SYNC_ON = `${ESC}[?2026h`;
export const SYNC_OFF = `${ESC}[?2026l`;

/** The whole screen scrolls; the cursor goes home. A frame that was cut may have left margins. */
export const NO_MARGINS = `${ESC}[r`;

/** The alternate screen with a hidden cursor, and back. */
export const ENTER_SCREEN = `${ESC}[?1049h${ESC}[?25l`;
export const LEAVE_SCREEN = `${ESC}[0m${ESC}[?1049l${ESC}[?25h`;

/**
 * Gives the terminal back without knowing what was set: plain attributes, no margins, no pasting or mouse or focus
 * marks, plain keys, the primary screen, a visible cursor. For the watcher, which cannot know.
 */
export const GIVE_BACK =
  `${SYNC_OFF}${ESC}[0m${NO_MARGINS}${ESC}[?2004l${ESC}[?1004l${ESC}[?1000l${ESC}[?1002l${ESC}[?1003l${ESC}[?1006l` +
  `${ESC}[<u${ESC}[?1049l${ESC}[?25h`;

/**
 * The kitty keyboard protocol: whether the terminal has it, its flags 1 and 4 (Esc, Ctrl and Alt keys as codes, so that a lone Esc
 * needs no wait, and what they are with Shift and on a Latin keyboard) and back, and the flags again where they may have been lost.
 * Each screen of a terminal has a stack of its own.
 */
export const ASK_KEY_CODES = `${ESC}[?u`;
export const SEND_KEY_CODES = `${ESC}[>5u`;
export const LEAVE_KEY_CODES = `${ESC}[<u`;
export const KEEP_KEY_CODES = `${ESC}[=5u`;

/** Reports presses and the wheel in numbers (mode 1006), or not. */
export const REPORT_MOUSE = `${ESC}[?1000h${ESC}[?1006h`;
export const LEAVE_MOUSE = `${ESC}[?1006l${ESC}[?1000l`;

/** Longest address that terminals are known to take in a link. */
const LONGEST_LINK = 2048;
const PRINTABLE = /^[!-~]+$/;

/**
 * The address as a link may carry it: http or https, printable ASCII, no user or password in it, at most 2048
 * characters. Undefined for anything else.
 */
export function linkableUrl(address: string): string | undefined {
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  return url.href.length <= LONGEST_LINK && PRINTABLE.test(url.href) ? url.href : undefined;
}

/** Text without any sequence, for lines that are appended and for the primary screen: only line feeds and tabs besides text. */
export function stripSequences(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '?');
}

const LONGEST_NOTICE = 200;

/**
 * The sequence that announces `text`; empty for `off`. Any control character of the text is gone. Inside tmux
 * and screen the notification is wrapped for passing through, and a bell goes with it, which both always pass.
 */
export function notification(way: NotifyWay, text: string, inside?: 'tmux' | 'screen'): string {
  if (way === 'off') return '';
  if (way === 'bell') return BEL;
  const words = stripSequences(text)
    .replace(/[\s;]+/g, ' ')
    .trim();
  const short = [...words].slice(0, LONGEST_NOTICE).join('');
  // A number directly after `9;` means something else to some terminals: progress bars.
  const sequence =
    way === 'osc9'
      ? `${ESC}]9;${/^\d/.test(short) ? ' ' : ''}${short}${BEL}`
      : `${ESC}]777;notify;orgdeck;${short}${BEL}`;
  if (inside === 'tmux') return `${ESC}Ptmux;${sequence.replaceAll(ESC, ESC + ESC)}${ESC}\\${BEL}`;
  return inside === 'screen' ? `${ESC}P${sequence}${ESC}\\${BEL}` : sequence;
}

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
