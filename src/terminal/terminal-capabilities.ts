import { ASK_KEY_CODES, ESC } from './sequences.ts';

/** What the terminal and the person's environment allow. */
export interface TerminalCapabilities {
  /** Whether a full-screen dashboard can run at all; if not, `reason` says why in one sentence. */
  readonly interactive: boolean;
  readonly reason?: string;
  /** False for NO_COLOR (any value but the empty one) and for terminals without colors. */
  readonly color: boolean;
  /** Only ASCII may be drawn: the locale is not UTF-8, or the terminal's font cannot be trusted with more. */
  readonly ascii: boolean;
  readonly columns: number;
  readonly rows: number;
}

interface Streams {
  readonly stdin: { readonly isTTY?: boolean };
  readonly stdout: { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Decides before anything is rendered, because a render without a terminal on standard input throws
 * (docs/design/screens.md#terminals). Ignores `CI`: a terminal on both ends means a person.
 */
export function terminalCapabilities(env: Environment, streams: Streams): TerminalCapabilities {
  const { columns, rows } = streams.stdout;
  const reason = refusal(env, streams);
  return {
    interactive: reason === undefined,
    ...(reason === undefined ? {} : { reason }),
    color: !env.NO_COLOR && env.TERM !== 'dumb' && !/mono|^vt\d/.test(env.TERM ?? ''),
    ascii: env.TERM === 'dumb' || env.TERM === 'linux' || !isUtf8(env),
    columns: columns || 80,
    rows: rows || 24,
  };
}

function refusal(env: Environment, { stdin, stdout }: Streams): string | undefined {
  if (!stdin.isTTY) return 'standard input is not a terminal';
  if (!stdout.isTTY) return 'standard output is not a terminal';
  if (env.TERM === 'dumb') return 'TERM=dumb: this terminal cannot move its cursor';
  return undefined;
}

/** The first of LC_ALL, LC_CTYPE and LANG that is set decides. None set says nothing, and terminals speak UTF-8. */
function isUtf8(env: Environment): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return locale === undefined || locale === '' || /utf-?8/i.test(locale);
}

/** Asks a terminal for the color of its background (OSC 11). */
export const backgroundQuery = '\x1b]11;?\x1b\\';

/** Whether a terminal's reply says that its background is light; undefined for any other reply. */
export function isLightBackground(reply: string): boolean | undefined {
  const parts = /^\x1b\]11;rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i.exec(reply);
  if (!parts) return undefined;
  const shares = parts.slice(1).map((hex) => Number.parseInt(hex, 16) / (16 ** hex.length - 1));
  const [red, green, blue] = shares as [number, number, number];
  // As bright as an eye sees it (ITU-R BT.709).
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5;
}

/** Asks for the background, synchronized output, the kitty keyboard protocol, and last what every terminal replies to. */
const terminalQuery = `${backgroundQuery}${ESC}[?2026$p${ASK_KEY_CODES}${ESC}[c`;

/** Whether the reply to the last question of `terminalQuery` is there. */
const isAnswered = (replies: string): boolean => /\x1b\[\?[\d;]*c/.test(replies);

/** What a terminal says of itself; undefined = it did not say. */
export interface TerminalReplies {
  readonly isLight: boolean | undefined;
  /** Frames between `?2026h` and `?2026l` are drawn at once. */
  readonly isSynchronized: boolean | undefined;
  readonly hasKittyKeys: boolean;
  /** Whether the terminal takes OSC 52, which sets the clipboard. Terminals that do seldom say so. */
  readonly hasClipboard: true | undefined;
}

/** Whether a reply says that the terminal has the kitty keyboard protocol. */
export const isKeyCodesReply = (reply: string): boolean => /\x1b\[\?\d+u/.test(reply);

/** Reads the replies to `terminalQuery`; undefined where the terminal replied nothing at all. */
export function readTerminalReplies(replies: string): TerminalReplies | undefined {
  const attributes = /\x1b\[\?([\d;]*)c/.exec(replies)?.[1];
  const background = /\x1b\]11;[^\x07\x1b]*/.exec(replies)?.[0];
  const mode = /\x1b\[\?2026;(\d)\$y/.exec(replies)?.[1];
  if (attributes === undefined && background === undefined && mode === undefined) return undefined;
  return {
    isLight: background === undefined ? undefined : isLightBackground(background),
    isSynchronized: mode === undefined ? undefined : mode === '1' || mode === '2',
    hasKittyKeys: isKeyCodesReply(replies),
    hasClipboard: attributes?.split(';').includes('52') ? true : undefined,
  };
}

/** Milliseconds to wait for replies: a slow link needs most of them. */
const patienceMs = 1500;

/** Asks the terminal `terminalQuery` and gives all that it replies in time. Nothing is echoed. */
export function askTerminal({ stdin, stdout }: Pick<NodeJS.Process, 'stdin' | 'stdout'>): Promise<string> {
  return new Promise((settle) => {
    const held = { replies: '' };
    const wasRaw = stdin.isRaw;
    const end = () => {
      clearTimeout(timer);
      stdin.off('data', hear);
      stdin.setRawMode(wasRaw);
      stdin.pause();
      settle(held.replies);
    };
    const timer = setTimeout(end, patienceMs);
    const hear = (chunk: Buffer) => {
      held.replies += chunk.toString('latin1');
      if (isAnswered(held.replies)) end();
    };
    stdin.on('data', hear);
    stdin.setRawMode(true);
    stdin.resume();
    stdout.write(terminalQuery);
  });
}
