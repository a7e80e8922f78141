import { expect, test } from 'vitest';
import { stopOnSignals } from '../../src/cli/output/progress.ts';

test.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s calls work off once, and is the exit code; a second one ends the program', (name, code) => {
  const before = process.listeners(name);
  const stopping = stopOnSignals();
  const [hear] = process.listeners(name).filter((listener) => !before.includes(listener));
  expect([stopping.signal.aborted, stopping.exit()]).toEqual([false, undefined]);
  hear?.(name);
  expect([stopping.signal.aborted, stopping.exit()]).toEqual([true, code]);
  expect(process.listeners(name)).toEqual(before);
});

test('after the work no signal is heard', () => {
  const before = process.listeners('SIGINT');
  stopOnSignals().end();
  expect(process.listeners('SIGINT')).toEqual(before);
});
