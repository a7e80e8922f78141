import { backgroundQuery, isLightBackground } from './background.ts';
import { ASK_KEY_CODES, ESC } from './sequences.ts';

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
