import { expect, test } from 'vitest';
import { said, table } from '../support/queries.ts';

test('queries that real services accept are fine', () => {
  for (const query of [
    `processes('').over('command:web,env:prod').by('host').rollup('count').last('5m') < 1`,
    `processes('').over('*').by().rollup('count').last('5m') <= 0`,
  ])
    expect(said('process alert', query)).toBe('');
});

test('other queries have these diagnostics', () => {
  expect(
    table('process alert', [
      'process("java").rollup("count").last("10m") > 1',
      'processes().rollup("count").last("10m") > 1',
      'processes("java").last("10m") > 1',
      'processes("java").rollup().last("10m") > 1',
      'processes("java").rollup("count", "a").last("10m") > 1',
      'processes("java").rollup("count") > 1',
      'processes("java").rollup("count").last("") > 1',
      'processes("java").rollup("count").last("ten") > 1',
      'processes("java").rollup("count").last("0m") > 1',
      'processes("java").rollup("count").over("*").last("10m") > 1',
      'processes("java").index("main").rollup("count").last("10m") > 1',
    ]),
  ).toMatchInlineSnapshot(`
    "
    process("java").rollup("count").last("10m") > 1
      wrong process: process is not a source (write processes)
    processes().rollup("count").last("10m") > 1
      doubtful processes: there is no search (write processes("") for every process)
    processes("java").last("10m") > 1
      doubtful processes: a process monitor needs a rollup (write .rollup("count"))
    processes("java").rollup().last("10m") > 1
      wrong .rollup(): the rollup has no method (write .rollup("count"))
    processes("java").rollup("count", "a").last("10m") > 1
      doubtful "a": count takes no measure (write .rollup("count"))
    processes("java").rollup("count") > 1
      wrong .rollup("count"): a process monitor needs a window (add .last("5m") after it)
    processes("java").rollup("count").last("") > 1
      wrong "": the window is empty (write .last("5m"))
    processes("java").rollup("count").last("ten") > 1
      wrong "ten": ten is not a window (write a number and s, m, h or d: 30s, 10m, 4h, 1d)
    processes("java").rollup("count").last("0m") > 1
      doubtful "0m": the window is empty (write .last("10m"))
    processes("java").rollup("count").over("*").last("10m") > 1
      doubtful over: over usually comes before rollup (the order is over, by, rollup, last)
    processes("java").index("main").rollup("count").last("10m") > 1
      doubtful index: index is not a known step of a process monitor (write over, by, rollup or last)
    "
  `);
});
