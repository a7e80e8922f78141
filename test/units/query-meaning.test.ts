import { expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { complete } from '../../src/query/complete.ts';
import { meaningOf } from '../../src/query/meaning.ts';

test.each([
  [
    'query alert',
    'avg(last_5m):avg:system.load.1{env:prod,!host:a} by {host} > 4',
    'Alerts when, for each host, the average over the last 5 minutes of system.load.1 (env:prod, !host:a) is above 4',
  ],
  [
    'query alert',
    'max(last_2d):sum:store.orders{*} <= 0.5',
    'Alerts when the maximum over the last 2 days of sum of store.orders is at or below 0.5',
  ],
  [
    'query alert',
    'sum(last_1h):sum:web.errors{*}.as_count() / sum:web.hits{*}.as_count() > 0.1',
    'Alerts when the sum over the last 1 hour of a calculation with web.errors and web.hits is above 0.1',
  ],
  [
    'log alert',
    'logs("status:error").index("main").rollup("count").by("service").last("15m") > 100',
    'Alerts when, for each service, the number of logs (status:error) over the last 15 minutes is above 100',
  ],
  [
    'rum alert',
    'rum("*").rollup("avg", "@view.loading_time").last("1d") >= 3',
    'Alerts when the average of @view.loading_time in rum over the last 1 day is at or above 3',
  ],
  // A sentence would say less than these.
  ['query alert', 'change(avg(last_5m),last_1h):avg:system.load.1{*} > 4', undefined],
  ['query alert', "avg(last_4h):anomalies(avg:system.load.1{*}, 'basic', 2) >= 1", undefined],
  ['composite', '12 && 13', undefined],
  ['query alert', 'avg(last_5m', undefined],
  ['invented alert', 'avg(last_5m):avg:a{*} > 1', undefined],
])('%s: %s', (type, query, meaning) => {
  expect(meaningOf(type, query)).toBe(meaning);
});

test('a text is parsed once for what is wrong with it, what it means and whether it can be read', () => {
  const query = 'avg(last_5m):avg:system.load.1{env:prod} > 4';
  const { tree } = check('query alert', query);
  meaningOf('query alert', query);
  expect(check('query alert', query).tree).toBe(tree);
  // What may follow is asked of the text in front of the cursor, and the whole text once more.
  complete('query alert', query, 8);
  const again = check('query alert', query).tree;
  expect(check('query alert', query).tree).toBe(again);
  expect(again).toEqual(tree);
});

test('a letter that is taken back leaves the tree of the text before it', () => {
  const query = 'avg(last_5m):avg:system.load.1{env:prod} > 4';
  const { tree } = check('query alert', query);
  check('query alert', `${query}2`);
  expect(check('query alert', query).tree).toBe(tree);
  check('query alert', `${query}2`);
  check('query alert', `${query}23`);
  expect(check('query alert', query).tree).not.toBe(tree);
});
