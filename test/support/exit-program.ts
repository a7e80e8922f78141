import { Box, render, Text, useWindowSize } from 'ink';
import { createElement, useEffect, useState } from 'react';
import { systemClock } from '../../src/lib/time.ts';
import { MARK_PASTES } from '../../src/terminal/sequences.ts';
import { createTerminal, watchTerminal } from '../../src/terminal/terminal.ts';

/**
 * A minimal terminal program that shows its input. The tests of `src/terminal` run it, so that they need no dashboard.
 *
 * Keys: + counts up, f floods, q quits, e edits, Ctrl-C and Ctrl-Z as in the dashboard.
 */
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
  const act = (input: string) => {
    if (input === '\u0003') terminal.leave(130);
    else if (input === '\u001A') void terminal.suspend(releaseKeys);
    else if (input === '\u000C') terminal.redraw();
    else if (input === 'q') terminal.leave(0, 'good bye');
    else if (input === 'f') flood(setCount);
    else if (input === 'e')
      void terminal
        .edit('before', '.txt', releaseKeys, process.env)
        .then((edited) => setSaid(edited.ok ? `edited: ${edited.value}` : edited.text));
    else if (/^\++$/.test(input)) setCount((value) => value + input.length);
  };
  useEffect(() => {
    const take = (chunk: Buffer) => act(chunk.toString());
    process.stdin.on('data', take);
    return () => void process.stdin.off('data', take);
  });
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
