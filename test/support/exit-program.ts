import { Box, render, Text, useApp, useInput, usePaste, useWindowSize } from 'ink';
import { createElement, useState } from 'react';
import { systemClock } from '../../src/lib/clock.ts';
import { createTerminal } from '../../src/terminal/terminal.ts';
import { terminalCapabilities } from '../../src/terminal/terminal-capabilities.ts';

/**
 * A minimal terminal program that shows its input and ends in every way on request. The tests of
 * `src/terminal` run it, so that they need no dashboard.
 *
 * Keys: + counts up, c crashes while drawing, t throws outside, r rejects, b blocks the loop, f floods, q quits,
 * e edits, Ctrl-C and Ctrl-Z as in the dashboard.
 */
const able = terminalCapabilities(process.env, process);
if (!able.interactive) {
  process.stderr.write(`${able.reason}\n`);
  process.exit(2);
}
const terminal = createTerminal({
  process,
  clock: systemClock,
  patienceMs: Number(process.env.SMALL_PATIENCE ?? 10_000),
});

function Small() {
  const { suspendTerminal } = useApp();
  const { columns, rows } = useWindowSize();
  const [count, setCount] = useState(0);
  const [said, setSaid] = useState('');
  const [isBroken, setBroken] = useState(false);
  const suspend = async () => {
    const terminalSuspension = await suspendTerminal();
    return { resume: () => terminalSuspension.resume() };
  };
  usePaste((text) => setSaid(`pasted ${text.length}`));
  useInput((input, key) => {
    if (key.ctrl && input === 'c') terminal.leave(130);
    else if (key.ctrl && input === 'z') void terminal.suspend(suspend);
    else if (key.ctrl && input === 'l') terminal.redraw();
    else if (input === 'q') terminal.leave(0, 'good bye');
    else if (input === 'c') setBroken(true);
    else if (input === 't') setTimeout(() => explode('thrown \u001B[31moutside'));
    else if (input === 'r') void Promise.reject(new Error('rejected'));
    else if (input === 'b') for (;;);
    else if (input === 'f') flood(setCount);
    else if (input === 'e')
      void terminal
        .edit('before', '.txt', suspend)
        .then((edited) => setSaid(edited.ok ? `edited: ${edited.text}` : edited.why));
    else if (/^\++$/.test(input)) setCount((value) => value + input.length);
    else if (input === 'h') setSaid('hostile \u001B]52;c;ZXZpbA==\u0007\u001B[2J\u001B[?1000h end');
  });
  if (isBroken) throw new Error('broken while drawing');
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

/** More frames than a stalled terminal can take. */
function flood(setCount: (change: (count: number) => number) => void) {
  let left = 200;
  const timer = setInterval(() => {
    setCount((value) => value + 1);
    if (--left === 0) clearInterval(timer);
  }, 5);
}

const app = createElement(Small);
const instance = render(app, {
  stdout: terminal.stream,
  interactive: true,
  alternateScreen: true,
  incrementalRendering: true,
  exitOnCtrlC: false,
  patchConsole: false,
});
terminal.drawnBy({ forget: instance.clear, draw: () => instance.rerender(createElement(Small)) });
instance.waitUntilExit().catch(terminal.crash);
