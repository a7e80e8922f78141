import { expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { takenOf } from '../support/queries.ts';

const known = {
  metrics: ['system.load', 'app.latency'],
  tags: ['env:prod', 'service:api'],
  keys: ['host', 'env'],
  checks: ['tcp.can_connect'],
  objectives: ['slo-a1'],
  monitors: [
    { id: '101', name: 'disk full' },
    { id: '102', name: 'api slow' },
  ],
  variables: ['query1', 'query2'],
};

const taken = (type: string, marked: string): string[] => takenOf(type, marked, known);

const metric = 'avg(last_5m):avg:system.load{env:prod} by {host}.as_count() > 5';
const logs = 'logs("service:api status:error").index("main").rollup("avg","@duration").by("host").last("5m") > 5';

test.each([
  ['query alert', metric.replace('last_5m', 'la|st_5m'), metric.replace('last_5m):', 'last_1h):|')],
  ['query alert', metric.replace('avg:', 'a|vg:'), metric.replace('avg:', 'max:|')],
  ['query alert', metric.replace('system', 'sys|tem'), metric.replace('system.load', 'system.load|')],
  ['query alert', metric.replace('env:prod', 'e|nv:prod'), metric.replace('env:prod', 'service:api|')],
  ['query alert', metric.replace('{host', '{ho|st'), metric.replace('{host', '{host|')],
  ['query alert', metric.replace('.as_count', '.as_|count'), metric.replace('.as_count()', '.as_rate|()')],
  ['query alert', metric.replace('by', 'b|y'), metric.replace('by', 'by|')],
  [
    'query alert',
    "avg(last_4h):anomalies(avg:app.latency{*}, 'ba|sic', 2) >= 1",
    "avg(last_4h):anomalies(avg:app.latency{*}, 'basic'|, 2) >= 1",
  ],
  [
    'query alert',
    'avg(last_5m):default_zero(avg:app.latency{*}|) > 5',
    'avg(last_5m):default_zero(avg:app.latency{*}.as_count()|) > 5',
  ],
  ['log alert', logs.replace('api status', 'a|pi status'), logs.replace('api status', 'api| status')],
  ['log alert', logs.replace('.rollup', '.rol|lup'), logs.replace('.rollup', '.rollup|')],
  ['log alert', logs.replace('"@dur', '|"@dur'), logs.replace('"@duration"', '"@usr.id"|')],
  ['log alert', logs.replace('"5m', '"|5m'), logs.replace('"5m")', '"1h")|')],
  ['slo alert', 'error_budget("slo|-a1").over("7d") > 5', 'error_budget("slo-a1")|.over("7d") > 5'],
  ['composite', '1|01 && 102', '102| && 102'],
  ['cost alert', 'formula("que|ry1").last("7d") > 5', 'formula("query2|").last("7d") > 5'],
])('%s %s: a word is replaced as a whole', (type, marked, wanted) => {
  expect(check(type, marked.replace('|', '')).verdict).toBe('fine');
  expect(taken(type, marked)).toContain(wanted);
  expect(check(type, wanted.replace('|', '')).verdict).not.toBe('wrong');
});

test('text already after the cursor is not suggested', () => {
  expect(taken('log alert', logs.replace('.index', '|.index'))).toEqual([]);
  expect(taken('log alert', logs.replace('.by("host")', '|'))).toEqual([logs.replace('.by("host")', '.by("|")')]);
  expect(taken('log alert', logs.replace(' > 5', '| > 5'))).toEqual([]);
  expect(taken('query alert', metric.replace(' > 5', '| > 5')).join(' ')).not.toMatch(/[<>=] *\| *>/);
  expect(taken('query alert', metric.replace('{env', '|{env'))).toEqual([]);
  expect(taken('composite', '101 |&& 102')).toEqual([]);
});

test('quotes, commas and brackets are suggested where they are valid', () => {
  expect(taken('log alert', 'logs("a").rollup("avg"|')).toEqual(['logs("a").rollup("avg",|']);
  expect(taken('log alert', 'logs("a").rollup("count"|')).toEqual(['logs("a").rollup("count")|']);
  expect(taken('log alert', 'logs("a").last(|').join(' ')).not.toContain('last()');
  expect(taken('error-tracking alert', 'error-tracking("a").new(|')).toEqual(['error-tracking("a").new()|']);
  expect(taken('process alert', 'processes("a").over("b"|')).toEqual([
    'processes("a").over("b",|',
    'processes("a").over("b")|',
  ]);
  expect(taken('query alert', 'avg(last_5m):avg:a{*}.as_count(|')).toEqual(['avg(last_5m):avg:a{*}.as_count()|']);
  for (const text of taken('query alert', 'avg(last_5m):avg:a{*} by {b}.as_count()|'))
    expect(text).not.toMatch(/by.*by|as_.*as_/);
});
