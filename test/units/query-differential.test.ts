import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { checkDefinition } from '../../src/simulator/kinds/monitor-check.ts';
import { readQuery as readShipped } from '../../src/simulator/query/monitor-query.ts';
import { createOrg, type Org } from '../../src/simulator/server/store.ts';
import { type Example, invalid, valid } from '../support/examples.ts';
import { generators } from '../support/generators.ts';
import { runs } from '../support/runs.ts';
import { readQuery } from '../support/second-reader/monitor-query.ts';

/** An organization with every monitor and objective that a query can name. */
function richOrg(): Org {
  const org = createOrg(1, '00000000-0000-4000-8000-000000000001', 0);
  Object.assign(org.monitors, { get: () => ({ type: 'query alert' }) });
  Object.assign(org.objectives, { get: () => ({ id: 'slo', name: 'slo', target: 0.9999999, monitors: [] }) });
  return org;
}

const org = richOrg();

/**
 * Why a second reading, which shares nothing with the grammars, refuses it; empty when it takes it. Without
 * options it is asked about the query alone. What a search says is a language of its own, which the grammars leave be.
 */
function refusal({ type, query, options }: Example): string {
  const read = options ? checkDefinition({ type, query, options }, org, readQuery) : readQuery(type, query, options);
  return read.ok || read.text.includes('Check for invalid tags or facets') ? '' : read.text;
}

describe('the second reader gives each example its verdict of the contract', () => {
  test.each(valid)('$type accepts $query', (example) => {
    expect(refusal(example)).toBe('');
  });

  test.each(invalid)('$type refuses $query', (example) => {
    expect(refusal(example)).not.toBe('');
  });
});

/** Replaces one character of a query; most results are refused. */
const change = fc.record({
  at: fc.nat({ max: 999_999 }),
  piece: fc.constantFrom('', '"', ')', '(', '.', 'x', '5', '&', '>', ' ', ','),
});

describe.each(generators)('%s', (_, sentences) => {
  test('the second reader accepts what is fine', () => {
    fc.assert(
      fc.property(sentences, (example) => {
        expect(check(example.type, example.query, example.options).verdict).toBe('fine');
        expect(refusal(example), example.query).toBe('');
      }),
      { numRuns: runs(500) },
    );
  });

  test('the simulator reads the same parts as the second reader', () => {
    fc.assert(
      fc.property(sentences, ({ type, query, options }) => {
        expect(readShipped(type, query, options), query).toEqual(readQuery(type, query, options));
      }),
      { numRuns: runs(300) },
    );
  });

  test('the second reader refuses what is wrong, and accepts mutations that stay fine', () => {
    fc.assert(
      fc.property(sentences, change, (sentence, { at, piece }) => {
        const place = at % (sentence.query.length + 1);
        const query = sentence.query.slice(0, place) + piece + sentence.query.slice(place + 1);
        const example = { ...sentence, query };
        const { verdict, findings } = check(example.type, query, example.options);
        if (verdict === 'fine') expect(refusal(example), query).toBe('');
        if (verdict === 'wrong')
          expect(refusal(example), `${example.type} ${query}: ${findings[0]?.message}`).not.toBe('');
      }),
      { numRuns: runs(1_000) },
    );
  });
});

/** Options that may fit a query and may not. */
const number = fc.constantFrom<unknown>(0, 1, 2, 3, 4, '3', '3.0', 'many', null);
const settings = fc.record(
  {
    thresholds: fc.record(
      { critical: number, warning: number, critical_recovery: number, warning_recovery: number },
      { requiredKeys: [] },
    ),
    threshold_windows: fc.record({ trigger_window: fc.constantFrom('last_15m', 'last_30m') }),
    scheduling_options: fc.record({
      evaluation_window: fc.constantFrom(
        { hour_starts: 0 },
        { day_starts: '04:00' },
        { day_starts: '04:00', month_starts: 1 },
      ),
    }),
    notify_by: fc.subarray(['host', 'env', '*']),
    on_missing_data: fc.constantFrom('default', 'resolve', 'show_no_data'),
    notify_no_data: fc.boolean(),
  },
  { requiredKeys: [] },
);
const asked = fc.constantFrom(
  ['query alert', 'avg(last_5m):avg:a{*} by {host} > 3'],
  ['query alert', 'avg(last_5m):avg:a{*} by {host,env} <= 3'],
  ['query alert', 'avg(current_1h):avg:a{*} == 3'],
  ['query alert', 'avg(current_1mo):avg:a{*} >= 3'],
  ['rum alert', 'rum("*").rollup("count").current("1d") == 3'],
  ['error-tracking alert', 'error-tracking("*").new().by("issue.id").current("1h") < 3'],
  ['query alert', "avg(last_4h):anomalies(avg:a{*}, 'basic', 2, alert_window='last_15m') >= 1"],
  ['log alert', 'logs("*").rollup("count").by("host").last("5m") < 3'],
  ['event-v2 alert', 'events("*").rollup("count").last("5m") > 3'],
  ['service check', '"a.can_connect".over("*").by("host").last(3).count_by_status()'],
  ['slo alert', 'error_budget("a").over("7d") > 3'],
  ['composite', '1001 && 1002'],
);

test('valid options are accepted and invalid ones refused', () => {
  fc.assert(
    fc.property(asked, settings, ([type = '', query = ''], options) => {
      const { verdict, findings } = check(type, query, options);
      const text = `${type} ${query} ${JSON.stringify(options)} ${findings[0]?.message}`;
      if (verdict === 'fine') expect(refusal({ type, query, options }), text).toBe('');
      if (verdict === 'wrong') expect(refusal({ type, query, options }), text).not.toBe('');
    }),
    { numRuns: runs(5_000) },
  );
});
