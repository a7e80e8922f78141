import fc from 'fast-check';
import { expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { checkDefinition } from '../../src/simulator/kinds/monitor-check.ts';
import { createOrg, type Org } from '../../src/simulator/server/store.ts';
import { runs } from '../support/runs.ts';

/** An organization with every monitor and objective that a query can name. */
function richOrg(): Org {
  const org = createOrg(1, '00000000-0000-4000-8000-000000000001', 0);
  Object.assign(org.monitors, { get: () => ({ type: 'query alert' }) });
  Object.assign(org.objectives, { get: () => ({ id: 'slo', name: 'slo', target: 0.9999999, monitors: [] }) });
  return org;
}

const org = richOrg();

/** Why the simulator refuses a definition, by rules for options of its own; empty when it takes it. */
function refusal(definition: object): string {
  const read = checkDefinition(definition, org);
  return read.ok || read.text.includes('Check for invalid tags or facets') ? '' : read.text;
}

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
      const { verdict, diagnostics } = check(type, query, options);
      const text = `${type} ${query} ${JSON.stringify(options)} ${diagnostics[0]?.message}`;
      if (verdict === 'fine') expect(refusal({ type, query, options }), text).toBe('');
      if (verdict === 'wrong') expect(refusal({ type, query, options }), text).not.toBe('');
    }),
    { numRuns: runs(5_000) },
  );
});
