import { expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { completeQuery } from '../../src/query/complete.ts';
import { describeQuery } from '../../src/query/describe-query.ts';
import { queryEndMark } from '../../src/query/language.ts';
import { findLanguage } from '../../src/query/language-of-type.ts';

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
    'query alert',
    'sum(last_1h):sum:a{b,c,d}+sum:e{f,g,h,i}+sum:j{*}+sum:k{*}+sum:l{*}+sum:m{*} > 1',
    'Alerts when the sum over the last 1 hour of a calculation with a and e and j and k and l and m (b, c, d, f, g and 2 more) is above 1',
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
  expect(describeQuery(type, query)).toBe(meaning);
});

test('a text is parsed once for what is wrong with it, what it means and whether it can be read', () => {
  const query = 'avg(last_5m):avg:system.load.1{env:prod} > 4';
  const { tree } = check('query alert', query);
  describeQuery('query alert', query);
  expect(check('query alert', query).tree).toBe(tree);
  // What may follow is asked of the text in front of the cursor, and the whole text once more.
  completeQuery('query alert', query, 8);
  const again = check('query alert', query).tree;
  expect(check('query alert', query).tree).toBe(again);
  expect(again).toEqual(tree);
});

test('a beginning in front of a word is parsed once while the letters of the word are typed', () => {
  const language = findLanguage('query alert', '');
  const faultOf = (before: string) => {
    try {
      return language?.parse(before + queryEndMark);
    } catch (error) {
      return error;
    }
  };
  const before = 'avg(last_5m):avg:system.load.1{';
  const fault = faultOf(before);
  for (const at of [1, 2, 3, 4]) completeQuery('query alert', `${before}${'env:'.slice(0, at)}`, before.length + at);
  expect(faultOf(before)).toBe(fault);
});

test('for a begun word nothing is offered behind it, and nothing is parsed for that', () => {
  const query = 'avg(last_5m):avg:system.load.1{env:prod';
  expect(completeQuery('query alert', query, query.length)?.start).toBe(query.length);
  expect(completeQuery('query alert', query, query.length, {}, true)).toBeUndefined();
  expect(completeQuery('query alert', query, query.length, { tags: ['env:production'] }, true)?.items).toEqual([
    { text: 'env:production' },
  ]);
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
