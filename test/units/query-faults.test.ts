import { expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { findLanguage } from '../../src/query/language-of-type.ts';
import { types } from '../../src/simulator/query/monitor-query.ts';
import { said, table } from '../support/queries.ts';

test.each(types)('an empty query and a lone word show the form of a %s query, and that form is valid', (type) => {
  const {
    languageNoun: of = '',
    beginning: begin,
    example: such = '',
  } = findLanguage(type, '')?.outline({ type }) ?? {};
  expect(said(type, such)).toBe('');
  expect(said(type, ' \n')).toBe(`wrong  \n: the query is empty (such as ${such})`);
  expect(`such as ${such}`.length).toBeLessThan(79);
  // A bare word is the name of a service check.
  if (type === 'service check') return;
  expect(said(type, ' query ')).toBe(`wrong query: ${of} begins with ${begin} (such as ${such})`);
});

const unreadable = [
  [
    'query alert',
    [
      '',
      'avg',
      'max last_5m',
      'avg(',
      'avg(last_5m',
      'avg(last 5m):avg:cpu{*} > 1',
      'avg():avg:cpu{*} > 1',
      'avg(last_5m)',
      'avg(last_5m):',
      'avg(last_5m):avg:',
      'avg(last_5m):avg:cpu{',
      'avg(last_5m):avg:cpu{*} by',
      'avg(last_5m):avg:cpu{*} by {host',
      'avg(last_5m):avg:cpu{*}.rollup(',
      "avg(last_5m):anomalies(avg:cpu{*}, 'bas",
      "avg(last_5m):anomalies(avg:cpu{*}, 'basic', 2",
      'change(avg(last_5m)',
      'change(avg(last_5m),):avg:cpu{*} > 1',
      '"avg(last_5m):avg:cpu{*} > 1"',
      'avg(last_5m):avg:cpu{*}) > 1',
      'avg(last_5m):avg:cpu{*} 5',
      'avg(last_5m):avg:cpu{*} > 1 2',
      'avg(last_5m):avg:cpu{*} and avg:load{*} > 1',
      'avg(last_5m):(avg:cpu{*} / ) > 1',
    ],
  ],
  [
    'log alert',
    [
      'logs',
      'logs "a"',
      'logs(',
      'logs("a',
      'logs("a"',
      'logs("a").',
      'logs("a").rollup',
      'logs("a").rollup(',
      'logs("a"rollup("count").last("5m") > 1',
      'logs("a".rollup("count").last("5m") > 1',
      'logs("a")rollup("count").last("5m") > 1',
      'logs("a").rollup("count").last("5m")',
      'logs("a").rollup("count").last("5m") >',
      'logs("a").rollup("count").last("5m" > 1',
      'logs("a").rollup("count").last("5m")) > 1',
      'service:api status:error',
    ],
  ],
  ['composite', ['a && b', '1 &&', '1 && b', '1 2', '(1', '1)', '( )']],
  [
    'cost alert',
    [
      'query1',
      'formula(',
      'formula("query1',
      'formula("query1 + ")',
      'formula("a" + "b").last("7d") > 1',
      'formula("a").',
    ],
  ],
] as const;

test('the diagnostics of queries that cannot be parsed', () => {
  for (const [type, queries] of unreadable)
    for (const query of queries) expect([query, check(type, query).verdict]).toEqual([query, 'wrong']);
  expect(unreadable.map(([type, queries]) => `\n${type}${table(type, queries)}`).join('')).toMatchInlineSnapshot(`
    "
    query alert

      wrong : the query is empty (such as avg(last_5m):avg:system.load{*} > 5)
    avg
      wrong avg: a metric monitor begins with a time aggregator over a window (such as avg(last_5m):avg:system.load{*} > 5)
    max last_5m
      wrong max: a metric monitor begins with a time aggregator over a window (such as avg(last_5m):avg:system.load{*} > 5)
    avg(
      wrong (: a window is missing at the end (such as avg(last_5m):avg:system.load{*} > 5)
    avg(last_5m
      wrong m: ")" is missing at the end (such as avg(last_5m):avg:system.load{*} > 5)
    avg(last 5m):avg:cpu{*} > 1
      wrong last 5m: last 5m is not a window (write last_ and a length, such as last_5m, last_4h, last_1d)
    avg():avg:cpu{*} > 1
      wrong ): a window is missing before ) (expected a time aggregator or a window)
    avg(last_5m)
      wrong ): ":" is missing at the end (such as avg(last_5m):avg:system.load{*} > 5)
    avg(last_5m):
      wrong :: a metric is missing at the end (such as avg(last_5m):avg:system.load{*} > 5)
    avg(last_5m):avg:
      wrong :: the name of a metric is missing at the end (such as avg(last_5m):avg:system.load{*} > 5)
    avg(last_5m):avg:cpu{
      wrong {: "}" is missing at the end (such as avg(last_5m):avg:system.load{*} > 5)
    avg(last_5m):avg:cpu{*} by
      wrong y: "{" is missing at the end (such as avg(last_5m):avg:system.load{*} > 5)
    avg(last_5m):avg:cpu{*} by {host
      wrong t: "}" is missing at the end (such as avg(last_5m):avg:system.load{*} > 5)
    avg(last_5m):avg:cpu{*}.rollup(
      wrong (: the query ends too early (such as avg(last_5m):avg:system.load{*} > 5)
    avg(last_5m):anomalies(avg:cpu{*}, 'bas
      wrong ': this quote is not closed (write ' where the text ends)
    avg(last_5m):anomalies(avg:cpu{*}, 'basic', 2
      wrong 2: ")" is missing at the end (such as avg(last_5m):avg:system.load{*} > 5)
    change(avg(last_5m)
      wrong ): ")" is missing at the end (such as avg(last_5m):avg:system.load{*} > 5)
    change(avg(last_5m),):avg:cpu{*} > 1
      wrong ): a timeshift is missing before ) (expected a timeshift)
    "avg(last_5m):avg:cpu{*} > 1"
      wrong ": a metric monitor begins with a time aggregator over a window (such as avg(last_5m):avg:system.load{*} > 5)
    avg(last_5m):avg:cpu{*}) > 1
      wrong ): ) was never opened (remove it, or open it before)
    avg(last_5m):avg:cpu{*} 5
      wrong 5: an operator is missing before 5 (such as > 5)
    avg(last_5m):avg:cpu{*} > 1 2
      wrong 2: 2 cannot stand here (end the query before it)
    avg(last_5m):avg:cpu{*} and avg:load{*} > 1
      wrong and: and cannot stand here (expected by, ".", arithmetic, an operator or the end)
    avg(last_5m):(avg:cpu{*} / ) > 1
      wrong ): a metric is missing before ) (expected a metric, a number or "(")

    log alert
    logs
      wrong logs: a log monitor begins with logs("…") (such as logs("*").rollup("count").last("5m") > 5)
    logs "a"
      wrong ": " cannot stand here (write "(" before it)
    logs(
      wrong (: the query ends too early (such as logs("*").rollup("count").last("5m") > 5)
    logs("a
      wrong a: a closing quote is missing at the end (such as logs("*").rollup("count").last("5m") > 5)
    logs("a"
      wrong ": ")" is missing at the end (such as logs("*").rollup("count").last("5m") > 5)
    logs("a").
      wrong .: no step follows the dot (write its name and parentheses)
    logs("a").rollup
      wrong p: "(" is missing at the end (such as logs("*").rollup("count").last("5m") > 5)
    logs("a").rollup(
      wrong (: the query ends too early (such as logs("*").rollup("count").last("5m") > 5)
    logs("a"rollup("count").last("5m") > 1
      wrong rollup: rollup cannot stand here (write ")" or "," before it)
    logs("a".rollup("count").last("5m") > 1
      wrong .rollup: .rollup cannot stand here (write ")" or "," before it)
    logs("a")rollup("count").last("5m") > 1
      wrong rollup: rollup cannot stand here (expected a step or an operator)
    logs("a").rollup("count").last("5m")
      wrong ): the query has no operator and no threshold (such as logs("*").rollup("count").last("5m") > 5)
    logs("a").rollup("count").last("5m") >
      wrong >: the threshold is missing (write a number at the end, such as > 90)
    logs("a").rollup("count").last("5m" > 1
      wrong >: > cannot stand here (write ")" or "," before it)
    logs("a").rollup("count").last("5m")) > 1
      wrong ): ) was never opened (remove it, or open it before)
    service:api status:error
      wrong service: a log monitor begins with logs("…") (such as logs("*").rollup("count").last("5m") > 5)

    composite
    a && b
      wrong a: a composite begins with the id of a monitor (such as 101 && !102)
    1 &&
      wrong &: the id of a monitor is missing at the end (such as 101 && !102)
    1 && b
      wrong b: b cannot stand here (expected the id of a monitor, "!" or "(")
    1 2
      wrong 2: 2 cannot stand here (expected &&, || or the end)
    (1
      wrong 1: ")" is missing at the end (such as 101 && !102)
    1)
      wrong ): ) was never opened (remove it, or open it before)
    ( )
      wrong ): the id of a monitor is missing before ) (expected the id of a monitor, "!" or "(")

    cost alert
    query1
      wrong query1: a cost monitor begins with formula("…") (such as formula("query1").last("7d") > 100)
    formula(
      wrong (: a variable is missing at the end (such as formula("query1").last("7d") > 100)
    formula("query1
      wrong 1: a double quote is missing at the end (such as formula("query1").last("7d") > 100)
    formula("query1 + ")
      wrong ": a variable is missing before " (expected a number, a variable or "(")
    formula("a" + "b").last("7d") > 1
      wrong +: + cannot stand here (write ")" before it)
    formula("a").
      wrong .: the name of a step is missing at the end (such as formula("query1").last("7d") > 100)
    "
  `);
});
