import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';
import { expect, test } from 'vitest';
import { askLine, askMasked } from '../../src/cli/ask-line.ts';

const unread = 'What was typed before the question does not count\n';

/** Types `early` before the question is there, and each of `keys` after it; gives the answer, and what is seen. */
async function ask(how: typeof askMasked, early: string, keys: readonly string[]) {
  const stdin = Object.assign(new PassThrough(), {
    isRaw: false,
    setRawMode(on: boolean) {
      stdin.isRaw = on;
    },
  });
  const stderr = new PassThrough({ encoding: 'utf8' });
  const heard: string[] = [];
  const watch = () => ({
    ready: Promise.resolve(),
    guards: (isOn: boolean) => void heard.push(`guards ${isOn}`),
    dismiss: () => void heard.push('dismissed'),
  });
  const asking = how(stdin as unknown as ReadStream, stderr as unknown as WriteStream, 'Key', watch, () =>
    heard.push('interrupted'),
  );
  if (early === 'end') stdin.end();
  else if (early !== '') stdin.write(early);
  let seen = '';
  stderr.on('data', (text: string) => {
    const wasAsked = seen.includes('Key: ');
    seen += text;
    if (wasAsked || !seen.includes('Key: ')) return;
    expect([stdin.isRaw, heard]).toEqual([true, ['guards true']]);
    void (async () => {
      for (const key of keys) {
        if (key === 'end') stdin.end();
        else stdin.write(key);
        await new Promise((go) => setImmediate(go));
      }
    })();
  });
  const answer = await asking;
  expect([stdin.isRaw, stdin.isPaused()]).toEqual([false, true]);
  stderr.end();
  await once(stderr, 'end');
  const isInterrupted = [early, ...keys].join('').includes('\x03');
  expect(heard).toEqual(['guards true', ...(isInterrupted ? ['interrupted'] : []), 'dismissed']);
  return [answer, seen] as const;
}

test.concurrent.each<readonly [string, string, readonly string[], string | undefined, string]>([
  ['is what is typed', '', ['ab', 'c', '\r'], 'abc', 'Key: ***\n'],
  ['ends at a line feed, and leaves out what is behind it', '', ['ab\ncd'], 'ab', 'Key: **\n'],
  ['has nothing of what was typed before', 'ab\r', ['cd\r'], 'cd', `${unread}Key: **\n`],
  [
    'is corrected by letter and as a whole',
    '',
    ['abc\x7f\bd\x15\x7fe\r'],
    'e',
    `Key: ***${'\b \b'.repeat(2)}*${'\b \b'.repeat(2)}*\n`,
  ],
  [
    'has no arrow, paste mark or reply',
    '',
    ['\x1b[A', '\x1b[200~a\x1b[201~', '\x1b]11;rgb:0/0/0\x07', '\x1bOP', '\x1bx', 'é\tb\r'],
    'ab',
    'Key: **\n',
  ],
  ['has the first and the last letter of ASCII', '', [' ~\r'], ' ~', 'Key: **\n'],
  ['has 1024 letters at most', '', ['a'.repeat(1025), '\r'], 'a'.repeat(1024), `Key: ${'*'.repeat(1024)}\n`],
  ['is none after Esc', '', ['a', '\x1b'], undefined, 'Key: *\n'],
  ['is none after Ctrl-C', '', ['a\x03'], undefined, 'Key: *\n'],
  ['is none after Ctrl-D', '', ['a\x04b'], undefined, 'Key: *\n'],
  ['is none after Ctrl-C before it', 'a\x03', [], undefined, `${unread}Key: \n`],
  ['is none after Ctrl-D before it', '\x04', [], undefined, `${unread}Key: \n`],
  ['is none where the terminal has gone before it', 'end', [], undefined, `${unread}Key: \n`],
  ['is none where nothing is typed any more', '', ['a', 'end'], undefined, 'Key: *\n'],
])('a masked answer %s', async (_, early, keys, answer, seen) => {
  expect(await ask(askMasked, early, keys)).toEqual([answer, seen]);
});

test.concurrent.each<readonly [string, string, readonly string[], string | undefined, RegExp]>([
  ['is what is typed', '', ['y', '\r'], 'y', /^[^W]*Key: /],
  [
    'has nothing of what was typed before',
    'y\r',
    ['n\r'],
    'n',
    /^What was typed before the question does not count\n.*Key: /,
  ],
  ['is none after Ctrl-C', '', ['\x03'], undefined, /\n$/],
  ['is none after Ctrl-D', '', ['\x04'], undefined, /\n$/],
  ['is none after Ctrl-C before it', '\x03', [], undefined, /\n$/],
  ['is none after Ctrl-D before it', '\x04', [], undefined, /\n$/],
])('an answer in plain sight %s', async (_, early, keys, answer, seen) => {
  expect(await ask(askLine, early, keys)).toEqual([answer, expect.stringMatching(seen)]);
});
