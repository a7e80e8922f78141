import fc from 'fast-check';
import { expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { said } from '../support/queries.ts';

const metric = 'avg(last_5m):avg:cpu{*} by {host} > 90';
const low = 'avg(last_5m):avg:free{*} < 10';

test('a threshold may be an integer of any size', () =>
  expect(said('query alert', metric, { thresholds: { critical: 90n } })).toBe(''));

test('options of any shape do not throw', () => {
  const some = fc.constantFrom(
    metric,
    low,
    "avg(last_1h):anomalies(avg:cpu{*}, 'basic', 2) >= 1",
    'formula("a").last("5m") > 1',
  );
  const value = fc.oneof(fc.anything(), fc.dictionary(fc.string(), fc.anything()), fc.array(fc.anything()));
  const options = fc.record(
    {
      thresholds: fc.oneof(
        value,
        fc.dictionary(fc.constantFrom('critical', 'warning', 'critical_recovery', 'ok'), value),
      ),
      notify_by: value,
      on_missing_data: value,
      threshold_windows: value,
      scheduling_options: fc.oneof(value, fc.record({ evaluation_window: value })),
      variables: fc.oneof(
        value,
        fc.array(fc.record({ name: fc.constantFrom('a', 5, null), data_source: value, compute: value })),
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(some, options, (query, value) => {
      for (const { start, end } of check('query alert', query, value).diagnostics) {
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(query.length);
      }
    }),
  );
});
