import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { said } from '../support/queries.ts';

const metric = 'avg(last_5m):avg:cpu{*} by {host} > 90';
const low = 'avg(last_5m):avg:free{*} < 10';
const over = (options: unknown, query = metric, type = 'query alert') => said(type, query, options);
const limits = (thresholds: unknown, query?: string, type?: string) => over({ thresholds }, query, type);

describe('thresholds', () => {
  test('the critical threshold equals that of the query in any number format', () => {
    for (const critical of [90, 90.0, '90', '90.0', '9e1', 90n, null, undefined, ''])
      expect(limits({ critical })).toBe('');
    expect(limits({ critical: 200 })).toMatchInlineSnapshot(
      `"wrong 90: the query says 90, thresholds.critical says 200 (make them the same number)"`,
    );
    expect(limits({ critical: '200.0' })).toContain('thresholds.critical says 200.0');
    expect(limits({ critical: 0.3 }, 'avg(last_5m):avg:a{*} > .30')).toBe('');
    expect(limits({ critical: -3 }, 'avg(last_5m):avg:a{*} < -3')).toBe('');
  });

  test.each([
    ['events("a").rollup("count").last("5m") > 3', 'event-v2 alert'],
    ['logs("a").rollup("count").last("5m") > 3', 'log alert'],
    ['error-tracking("a").new().rollup("count").by("issue.id").last("5m") > 3', 'error-tracking alert'],
    ['processes("a").rollup("count").last("5m") > 3', 'process alert'],
    ['error_budget("a").over("7d") > 3', 'slo alert'],
  ])('of every kind: %s', (query, type) => {
    expect(limits({ critical: 3 }, query, type)).toBe('');
    expect(limits({ critical: 4 }, query, type)).toMatch(/^wrong 3: the query says 3, thresholds.critical says 4/);
  });

  test('a threshold that the service computes is not compared', () => {
    expect(limits({ critical: 0, critical_query: 'a' })).toMatch(/^doubtful 90/);
  });

  test('warning and recovery are on the healthy side', () => {
    expect(limits({ critical: 90, warning: 80, critical_recovery: 85, warning_recovery: 70 })).toBe('');
    expect(limits({ critical: 10, warning: 20, critical_recovery: 15, warning_recovery: 30 }, low)).toBe('');
    expect(
      [
        limits({ critical: 90, warning: 95 }),
        limits({ critical: 90, warning: 80, critical_recovery: 95, warning_recovery: 85 }),
        limits({ critical: 10, warning: '5' }, low),
        limits({ critical: 90, warning: 90 }),
      ].join('\n'),
    ).toMatchInlineSnapshot(`
      "wrong > 90: warning 95 is not below critical 90 (write one below 90)
      wrong > 90: critical_recovery 95 is not below critical 90 (write one below 90)
      wrong > 90: warning_recovery 85 is not below warning 80 (write one below 80)
      wrong < 10: warning 5 is not above critical 10 (write one above 10)
      doubtful > 90: warning 90 is not below critical 90 (write one below 90)"
    `);
    expect(limits({ critical: 3, warning: 9 }, 'avg(last_5m):avg:a{*} == 3')).toBe('');
    const anomalies = "avg(last_1h):anomalies(avg:cpu{*}, 'basic', 2, alert_window='last_15m') >= 0.9";
    expect(limits({ critical: 0.9, critical_recovery: 0.95 }, anomalies)).toMatch(
      /^wrong >= 0.9: critical_recovery 0.95/,
    );
  });

  test('reports values that are not numbers, and a missing critical threshold', () => {
    expect(
      [
        limits({ critical: 'many' }),
        limits({ critical: true }),
        limits({ critical: [90] }),
        limits({ warning: 80 }),
      ].join('\n'),
    ).toMatchInlineSnapshot(`
      "wrong > 90: thresholds.critical is many, which is not a number (write a number, such as 90)
      wrong > 90: thresholds.critical is true, which is not a number (write a number, such as 90)
      wrong > 90: thresholds.critical is an object, which is not a number (write a number, such as 90)
      doubtful > 90: the options have thresholds, but no thresholds.critical (add thresholds.critical, the value that alerts)"
    `);
    for (const thresholds of [null, undefined, [], 'x', {}, { critical: null }]) expect(limits(thresholds)).toBe('');
  });

  test('an event monitor may not have a recovery threshold', () => {
    const events = 'events("a").rollup("count").last("5m") > 3';
    expect(limits({ critical: 3, critical_recovery: 2 }, events, 'event-v2 alert')).toMatch(
      /^doubtful > 3: an event monitor/,
    );
    expect(limits({ critical: 3, critical_recovery: null }, events, 'event-v2 alert')).toBe('');
  });

  test('a composite has no threshold checks', () => {
    expect(limits({ critical: null, warning: 5 }, '1 && 2', 'composite')).toBe('');
  });
});

describe('a service check', () => {
  const query = '"http.can_connect".over("*").by("host").last(3).count_by_status()';
  const counts = (thresholds: unknown, text = query) => limits(thresholds, text, 'service check');

  test('counts at least as many results as its thresholds', () => {
    expect(counts({ ok: 1, warning: 2, critical: 3, unknown: null })).toBe('');
    expect(counts({ ok: '3' })).toMatch(/^doubtful 3: the options have thresholds, but no thresholds.critical/);
    expect(counts({ warning: 2, critical: 4 })).toMatchInlineSnapshot(
      `"wrong 3: last(3) is less than thresholds.critical, 4 (write last(4) or more)"`,
    );
    expect(counts({ ok: 3.5, critical: 1 })).toContain('write last(4) or more');
    expect(counts({ critical: 'x' })).toMatch(/^wrong 3: thresholds.critical is x, which is not a number/);
  });

  test('does not compare counts with cluster percentages', () => {
    const results = '"a.up".over("*").by("host").last(3).pct_by_status()';
    expect(counts({ warning: 25, critical: 50 }, results)).toBe('');
  });
});

describe('windows', () => {
  const anomalies = "avg(last_1h):anomalies(avg:cpu{*}, 'basic', 2, alert_window='last_15m') >= 1";

  test('the window of an anomaly query is the trigger window', () => {
    const trigger = (trigger_window: unknown) => over({ threshold_windows: { trigger_window } }, anomalies);
    expect(trigger('last_15m')).toBe('');
    expect(trigger('last_30m')).toMatchInlineSnapshot(
      `"wrong 'last_15m': alert_window is last_15m, but trigger_window is last_30m (make it the same as threshold_windows.trigger_window)"`,
    );
    expect(trigger(null)).toMatch(/^doubtful last_15m|^doubtful 'last_15m'/);
    expect(over({}, anomalies)).toMatch(/^doubtful/);
    expect(over({ threshold_windows: { trigger_window: 'last_30m' } })).toBe('');
  });

  test('a calendar window has a start and no other option', () => {
    const calendar = (window: string, evaluation_window: unknown) =>
      over({ scheduling_options: { evaluation_window } }, `avg(${window}):avg:quota{*} > 0.5`);
    expect(calendar('current_1mo', { day_starts: '04:00', month_starts: 1 })).toBe('');
    expect(calendar('current_1d', { day_starts: '04:00' })).toBe('');
    expect(calendar('current_1h', { hour_starts: 0 })).toBe('');
    expect(calendar('last_1h', { hour_starts: null })).toBe('');
    expect(calendar('current_1d', { day_starts: '04:00', month_starts: 1 })).toBe('');
    expect(
      [
        calendar('last_1h', { hour_starts: 0 }),
        calendar('current_1h', { day_starts: '04:00' }),
        calendar('current_1mo', {}),
        over({}, 'avg(current_1mo):avg:quota{*} > 0.5'),
      ].join('\n'),
    ).toMatchInlineSnapshot(`
      "wrong last_1h: evaluation_window does not go with last_1h (such as current_1h, current_1d or current_1mo)
      wrong current_1h: current_1h goes with hour_starts, not with day_starts (give evaluation_window.hour_starts)
      doubtful current_1mo: current_1mo needs scheduling_options.evaluation_window (say when it starts: month_starts)
      doubtful current_1mo: current_1mo needs scheduling_options.evaluation_window (say when it starts: month_starts)"
    `);
  });

  test('outside of metric queries an invalid window is a warning', () => {
    const logs = (step: string, evaluation_window: unknown, start = 'logs("a").rollup("count")') =>
      said('log alert', `${start}.${step} > 3`, {
        scheduling_options: { evaluation_window },
        variables: [{ name: 'a' }],
      });
    expect(logs('current("1h")', { hour_starts: 0 })).toBe('');
    expect(logs('last("5m")', undefined)).toBe('');
    expect(
      [
        logs('last("5m")', { hour_starts: 0 }),
        logs('current("1mo")', { day_starts: '04:00' }),
        logs('current("1d")', {}),
        logs('last("5m")', { hour_starts: 0 }, 'formula("a")'),
      ].join('\n'),
    ).toMatchInlineSnapshot(`
      "doubtful "5m": evaluation_window does not go with .last("5m") (such as .current("1h"))
      doubtful "1mo": .current("1mo") goes with month_starts, not with day_starts (give evaluation_window.month_starts)
      doubtful "1d": .current("1d") needs scheduling_options.evaluation_window (say when it starts: day_starts)
      doubtful "5m": evaluation_window does not go with .last("5m") (such as .current("1h"))"
    `);
    const costs = { scheduling_options: {}, variables: [{ name: 'a', data_source: 'cloud_cost', query: 'sum:a{*}' }] };
    expect(said('cost alert', 'formula("a").current("30d").forecast() > 3', costs)).toBe('');
  });
});

describe('notify_by', () => {
  test('is a subset of the grouping', () => {
    for (const notify_by of [['host'], ['*'], [], null, 'host']) expect(over({ notify_by })).toBe('');
    expect(over({ notify_by: ['host', 'env'] })).toMatchInlineSnapshot(
      `"doubtful host: notify_by has env, which the query does not group by (the query groups by host)"`,
    );
    expect(over({ notify_by: ['host'] }, low)).toMatchInlineSnapshot(
      `"doubtful avg(last_5m):avg:free{*} < 10: notify_by has host, which the query does not group by (the query has no groups)"`,
    );
    expect(over({ notify_by: ['host'] }, '1 && 2', 'composite')).toMatch(/the query has no groups/);
    const logs = 'logs("a").rollup("count").by("service,@http.url").last("5m") > 3';
    expect(over({ notify_by: ['service'] }, logs, 'log alert')).toBe('');
    expect(over({ notify_by: ['host'] }, logs, 'log alert')).toMatch(/^doubtful service,@http.url: notify_by has host/);
    expect(over({ notify_by: ['host'] }, '"a.up".over("*").by("*").last(2).count_by_status()', 'service check')).toBe(
      '',
    );
  });

  test('is not checked for formulas, whose variables group as well', () => {
    const variables = [{ name: 'a', data_source: 'rum', compute: { aggregation: 'count' }, search: { query: '' } }];
    expect(over({ notify_by: ['host'], variables }, 'formula("a").last("5m") > 3', 'rum alert')).toBe('');
  });
});

describe('on_missing_data', () => {
  test.each([
    ['"http.can_connect".over("*").by("host").last(3).count_by_status()', 'service check'],
    ['1 && 2', 'composite'],
    ['error_budget("a").over("7d") > 3', 'slo alert'],
  ])('is refused by %s', (query, type) => {
    expect(over({ on_missing_data: 'resolve' }, query, type)).toMatch(
      /^wrong .* takes no on_missing_data \(remove it\)$/,
    );
    for (const on_missing_data of ['default', null, undefined, ''])
      expect(over({ on_missing_data }, query, type)).toBe('');
  });

  test('excludes notify_no_data', () => {
    expect(over({ on_missing_data: 'resolve', notify_no_data: true })).toMatch(/^doubtful .*exclude each other/);
    expect(over({ on_missing_data: 'resolve', notify_no_data: false })).toBe('');
  });
});

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
