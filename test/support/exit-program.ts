import { Box, render, Text, useWindowSize } from 'ink';
import { createElement, useEffect, useState } from 'react';
import { systemClock } from '../../src/lib/clock.ts';
import { MARK_PASTES } from '../../src/terminal/sequences.ts';
import { createTerminal, watchTerminal } from '../../src/terminal/terminal.ts';
import { terminalCapabilities } from '../../src/terminal/terminal-capabilities.ts';

/**
 * A minimal terminal program that shows its input and ends in every way on request. The tests of
 * `src/terminal` run it, so that they need no dashboard.
 *
 * Keys: + counts up, c crashes while drawing, s never ends drawing, x throws in an effect, t in a timer, d for a key, r rejects
 * an error, n a text, p exits, a aborts, o uses all memory, b blocks the loop, f floods, q quits, e edits, Ctrl-C and Ctrl-Z as in
 * the dashboard.
 */
const able = terminalCapabilities(process.env, process);
if (!able.interactive) {
  process.stderr.write(`${able.reason}\n`);
  process.exit(2);
}
const watcher = watchTerminal(process.env);
await watcher.ready;
const terminal = createTerminal({
  process,
  clock: systemClock,
  watcher,
  patienceMs: Number(process.env.SMALL_PATIENCE ?? 10_000),
});

function releaseKeys() {
  process.stdin.setRawMode(false);
  process.stdin.pause();
  return () => {
    process.stdin.setRawMode(true);
    process.stdin.resume();
  };
}

function Small() {
  const { columns, rows } = useWindowSize();
  const [count, setCount] = useState(0);
  const [said, setSaid] = useState('');
  const [broken, setBroken] = useState('');
  const act = (input: string) => {
    const pasted = /^\u001B\[200~(.*)\u001B\[201~$/s.exec(input)?.[1];
    if (pasted !== undefined) setSaid(`pasted ${pasted.length}`);
    else if (input === '\u0003') terminal.leave(130);
    else if (input === '\u001A') void terminal.suspend(releaseKeys);
    else if (input === '\u000C') terminal.redraw();
    else if (input === 'q') terminal.leave(0, 'good bye');
    else if (input === 'c') setBroken(input);
    else if (input === 't') setTimeout(() => explode('thrown \u001B[31moutside'));
    else if (input === 'r') void Promise.reject(new Error('rejected'));
    else if (input === 'n') void Promise.reject('only a \u001B]52;c;QQ==\u0007text');
    else if (input === 'd') explode('broken by a key');
    else if (input === 'x' || input === 's') setBroken(input);
    else if (input === 'p') process.exit(7);
    else if (input === 'a') process.abort();
    else if (input === 'o') for (const kept: string[][] = []; ; ) kept.push(Array(100_000).fill(String(kept.length)));
    else if (input === 'b') for (;;);
    else if (input === 'f') flood(setCount);
    else if (input === 'e')
      void terminal
        .edit('before', '.txt', releaseKeys, process.env)
        .then((edited) => setSaid(edited.ok ? `edited: ${edited.text}` : edited.why));
    else if (/^\++$/.test(input)) setCount((value) => value + input.length);
    else if (input === 'h') setSaid('hostile \u001B]52;c;ZXZpbA==\u0007\u001B[2J\u001B[?1000h end');
  };
  useEffect(() => {
    const take = (chunk: Buffer) => act(chunk.toString());
    process.stdin.on('data', take);
    return () => void process.stdin.off('data', take);
  });
  useEffect(() => {
    if (broken === 'x') throw new Error('broken in an effect');
  }, [broken]);
  if (broken === 'c') throw new Error('broken while drawing');
  if (broken === 's') deeper(0);
  const filling = Array.from({ length: Math.max(0, rows - 3) }, (_, row) =>
    createElement(Text, { key: row }, `row ${row} ${'x'.repeat(Math.max(0, columns - 30))} ${count}`),
  );
  return createElement(
    Box,
    { flexDirection: 'column', width: columns, height: rows },
    createElement(Text, { bold: true, color: 'red' }, `small ${columns}x${rows}`),
    createElement(Text, null, `count ${count} 型 ${said}`),
    ...filling,
  );
}

function explode(text: string) {
  throw new Error(text);
}

const deeper = (level: number): number => deeper(level + 1) + 1;

/** More frames than a stalled terminal can take. */
function flood(setCount: (change: (count: number) => number) => void) {
  let left = 200;
  const timer = setInterval(() => {
    setCount((value) => value + 1);
    if (--left === 0) clearInterval(timer);
  }, 5);
}

process.stdin.setRawMode(true);
terminal.control(MARK_PASTES);
const instance = render(createElement(Small), {
  stdout: terminal.stream as unknown as NodeJS.WriteStream,
  interactive: true,
  debug: true,
  exitOnCtrlC: false,
  patchConsole: false,
});
terminal.drawnBy(() => {}, releaseKeys);
instance.waitUntilExit().catch(terminal.crash);
