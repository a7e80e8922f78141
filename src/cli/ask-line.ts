import { createInterface } from 'node:readline/promises';
import type { ReadStream, WriteStream } from 'node:tty';
import { systemClock } from '../lib/time.ts';
import type { Watcher } from '../terminal/watcher.ts';

/** Begins to guard the terminal: after a hang-up or a kill the line settings of now are restored. */
export type Watch = () => Pick<Watcher, 'ready' | 'guards' | 'dismiss'>;

/** Asks a person for one line. Ctrl-C and Ctrl-D give undefined, Ctrl-C after `interrupted`. */
type LinePrompt = (
  stdin: ReadStream,
  stderr: WriteStream,
  title: string,
  watch: Watch,
  interrupted: () => void,
) => Promise<string | undefined>;

/** Most letters of a masked line, more than any key has; further ones are not taken. */
const longest = 1024;

/**
 * Asks for one line with dots in place of letters. Return ends it; Esc gives undefined too. The terminal is in line mode again
 * before this settles. Pasted text is taken; escape sequences and what was typed before the question are not.
 */
export const askMasked: LinePrompt = async (stdin, stderr, title, watch, interrupted) => {
  const show = (text: string) => stderr.write(text);
  const watcher = watch();
  await watcher.ready;
  watcher.guards(true);
  const wasRaw = stdin.isRaw;
  const early = await typedBefore(stdin, stderr);
  return new Promise((settle) => {
    let typed = '';
    const end = (answer: string | undefined) => {
      stdin.off('data', take);
      stdin.off('end', close);
      stdin.setRawMode(wasRaw);
      watcher.dismiss();
      stdin.pause();
      show('\n');
      settle(answer);
    };
    const close = () => end(undefined);
    const take = (chunk: Buffer | string) => {
      const raw = String(chunk);
      if (raw === '\x1b') return end(undefined);
      // An arrow, the marks around a paste or a terminal's reply is no letter of a key.
      const text = raw.replace(/\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)?|O.|.)?/g, '');
      for (const letter of text) {
        if (letter === '\r' || letter === '\n') return end(typed);
        if (letter === '\x03') interrupted();
        if (letter === '\x03' || letter === '\x04') return end(undefined);
        typed = typeLetter(typed, letter, show);
      }
    };
    stdin.on('data', take);
    stdin.on('end', close);
    stdin.resume();
    show(`${title}: `);
    take(early.replace(/[^\x03\x04]/g, ''));
  });
};

/** The line after one more letter or editing key; its dots on the screen are changed to match. */
function typeLetter(typed: string, letter: string, show: (text: string) => void): string {
  if (letter === '\x7f' || letter === '\b') {
    if (typed !== '') show('\b \b');
    return typed.slice(0, -1);
  }
  if (letter === '\x15') {
    show('\b \b'.repeat(typed.length));
    return '';
  }
  if (letter < ' ' || letter > '~' || typed.length >= longest) return typed;
  show('*');
  return typed + letter;
}

/** Milliseconds in which nobody reads a question. */
const readingMs = 300;

/** What is typed until a question can be read; that it does not count is said. From then on the terminal echoes nothing. */
async function typedBefore(stdin: ReadStream, stderr: WriteStream): Promise<string> {
  const typed: unknown[] = [];
  const take = (chunk: unknown) => typed.push(chunk);
  stdin.on('data', take);
  stdin.once('end', () => take('\x04'));
  // The prompt before has paused it, and nothing else keeps the program alive meanwhile.
  stdin.resume();
  stdin.setRawMode(true);
  await new Promise<void>((go) => systemClock.after(readingMs, go));
  stdin.off('data', take);
  const early = typed.join('');
  if (early !== '') stderr.write('What was typed before the question does not count\n');
  return early;
}

/** Asks for one line in plain sight, below what has been written about it. What was typed before that could be read does not count. */
export const askLine: LinePrompt = async (stdin, stderr, title, watch, interrupted) => {
  const watcher = watch();
  await watcher.ready;
  watcher.guards(true);
  const early = await typedBefore(stdin, stderr);
  const lines = createInterface({ input: stdin, output: stderr, terminal: true });
  const closed = new AbortController();
  lines.once('close', () => closed.abort());
  lines.once('SIGINT', () => {
    interrupted();
    lines.close();
  });
  try {
    if (early.includes('\x03')) lines.emit('SIGINT');
    if (early.includes('\x04')) lines.close();
    return await lines.question(`${title}: `, { signal: closed.signal });
  } catch {
    stderr.write('\n');
    return undefined;
  } finally {
    lines.close();
    watcher.dismiss();
  }
};
