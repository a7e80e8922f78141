import { describe, expect, test } from 'vitest';
import { defined, definitionForm, type Opened } from '../../screens/monitors/definition/form.ts';
import { changedBody, unappliedText } from '../../screens/monitors/definition/send.ts';
import { type Definition, storedKind } from '../../screens/monitors/definition/setting.ts';
import { shownNames } from '../../src/describe/field.ts';
import { contextOf } from '../support/plans.ts';

const queries: Readonly<Record<string, string>> = {
  'query alert': 'avg(last_5m):avg:a{*} by {host} > 90',
  'service check': '"host.up".over("*").by("host").last(4).count_by_status()',
};

const openedOf = (type: string, options: Definition): Opened => {
  const query = queries[type] ?? 'logs("*").index("*").rollup("count").last("5m") > 5';
  return { kind: storedKind(type, query), base: { id: 1, type, query, options }, rows: [] };
};

/** The options sent for a text of one field, or the message that refuses it. */
function sends(type: string, field: string, text: string, options: Definition = {}): unknown {
  const opened = openedOf(type, options);
  const read = definitionForm(opened, contextOf())[field]?.read(text);
  if (!read) return `a ${type} has no ${field}`;
  if (!read.ok) return read.text;
  return changedBody(opened.base, defined(opened, { [field]: read.value })).options ?? 'nothing';
}

describe('parsing the text of an option', () => {
  test.each<[string, string, string, unknown, Definition?]>([
    ['query alert', 'warning', '80', { thresholds: { warning: 80, critical: 90 } }],
    ['query alert', 'warning', '', { thresholds: { critical: 90 } }, { thresholds: { critical: 90, warning: 80 } }],
    ['query alert', 'warning', 'much', 'Warning must be a number'],
    [
      'query alert',
      'critical_recovery',
      '70',
      { thresholds: { critical: 90, critical_recovery: 70 } },
      { thresholds: { critical: 90 } },
    ],
    ['query alert', 'timeout_h', '24', { timeout_h: 24 }],
    ['query alert', 'timeout_h', '', {}, { timeout_h: 3 }],
    ['query alert', 'evaluation_delay', '900', { evaluation_delay: 900 }, { evaluation_delay: null }],
    ['query alert', 'require_full_window', 'yes', { require_full_window: true }],
    ['log alert', 'require_full_window', 'yes', 'a log alert has no require_full_window'],
    ['log alert', 'group_retention_duration', '60m', { group_retention_duration: '60m' }],
    ['log alert', 'group_retention_duration', '3d', { group_retention_duration: '3d' }],
    ['log alert', 'group_retention_duration', '59m', 'Keep groups for must be 1h to 72h, such as 60m, 1h or 2d'],
    ['query alert', 'group_retention_duration', '2h', 'a query alert has no group_retention_duration'],
    ['network-path alert', 'group_retention_duration', '2h', 'a network-path alert has no group_retention_duration'],
    ['log alert', 'enable_logs_sample', 'yes', { enable_logs_sample: true }],
    ['ci-tests alert', 'enable_samples', 'yes', { enable_samples: true }],
    ['rum alert', 'enable_samples', 'yes', 'a rum alert has no enable_samples'],
    ['query alert', 'notify_by', 'host, site', { notify_by: ['host', 'site'] }],
    ['query alert', 'notify_by', '*', { notify_by: ['*'] }],
    ['query alert', 'notify_by', '', {}, { notify_by: ['host'] }],
    ['composite', 'notify_by', '*', 'a composite has no notify_by'],
    ['query alert', 'renotify_statuses', 'alert,no data', { renotify_statuses: ['alert', 'no data'] }],
    ['query alert', 'renotify_statuses', '', {}, { renotify_statuses: ['warn'] }],
    ['query alert', 'renotify_occurrences', '0', { renotify_occurrences: 0 }],
    ['query alert', 'include_tags', 'no', { include_tags: false }],
    ['query alert', 'notification_preset_name', 'hide_all', { notification_preset_name: 'hide_all' }],
    ['service check', 'critical_count', '3', { thresholds: { critical: 3 } }],
    ['service check', 'ok_count', '0', { thresholds: { ok: 0 } }],
    ['service check', 'unknown_count', '101', { thresholds: { unknown: 101 } }],
    ['query alert', 'min_failure_duration', '60', 'a query alert has no min_failure_duration'],
    ['query alert', 'min_failure_duration', '60', { min_failure_duration: 60 }, { min_failure_duration: 30 }],
    ['query alert', 'day_starts', '', {}, { scheduling_options: { evaluation_window: { day_starts: '04:00' } } }],
    ['query alert', 'month_starts', '1', { scheduling_options: { evaluation_window: { month_starts: 1 } } }],
    [
      'query alert',
      'schedule_rrule',
      'FREQ=DAILY',
      { scheduling_options: { custom_schedule: { recurrences: [{ rrule: 'FREQ=DAILY' }] } } },
    ],
    ['query alert', 'new_host_delay', '60', { new_host_delay: 60 }, { new_host_delay: 120 }],
    [
      'query alert',
      'silenced',
      'x',
      'Old: mutes stays as it is: deprecated, m and M mute and unmute',
      { silenced: { '*': null } },
    ],
  ])('%s %s: %j', (type, field, text, wanted, options) => {
    expect(sends(type, field, text, options)).toEqual(wanted);
  });
});

test('a form begins with what is often needed of its type, and has the rest behind more options, unless it is set', () => {
  const shown = (type: string, options: Definition = {}, typed: Readonly<Record<string, string>> = {}) => {
    const fields = definitionForm(openedOf(type, options), contextOf());
    const texts = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.initial]));
    const before = shownNames(fields, texts);
    const names = shownNames(fields, { ...texts, ...typed });
    return names.filter((name) => Object.keys(typed).length === 0 || !before.includes(name)).join(' ');
  };
  const types = [
    'query alert',
    'log alert',
    'service check',
    'composite',
    'process alert',
    'cost alert',
    'event alert',
  ];
  const each = ['slo alert', 'ci-tests alert', 'synthetics alert', 'x alert'].concat(types);
  expect(Object.fromEntries(each.map((type) => [type, shown(type)]))).toMatchInlineSnapshot(`
    {
      "ci-tests alert": "name query warning message tags priority on_missing_data renotify_interval more",
      "composite": "name query message tags priority renotify_interval more",
      "cost alert": "name query variables warning message tags priority renotify_interval more",
      "event alert": "name query warning message tags priority on_missing_data renotify_interval more",
      "log alert": "name query warning message tags priority on_missing_data renotify_interval more",
      "process alert": "name query warning message tags priority renotify_interval more",
      "query alert": "name query warning message tags priority on_missing_data renotify_interval more",
      "service check": "name query ok_count warning_count critical_count unknown_count message tags priority on_missing_data renotify_interval more",
      "slo alert": "name query warning message tags priority renotify_interval more",
      "synthetics alert": "name message tags priority min_failure_duration min_location_failed renotify_interval more",
      "x alert": "name query warning message tags priority on_missing_data renotify_interval more",
    }
  `);
  expect(Object.fromEntries(each.map((type) => [type, shown(type, {}, { more: 'yes' })]))).toMatchInlineSnapshot(`
    {
      "ci-tests alert": "timeout_h group_retention_duration notify_by enable_samples include_tags notify_audit notification_preset_name restricted_roles draft_status assets",
      "composite": "timeout_h include_tags notify_audit notification_preset_name restricted_roles draft_status assets",
      "cost alert": "timeout_h notify_by include_tags notify_audit notification_preset_name restricted_roles draft_status assets",
      "event alert": "timeout_h group_retention_duration notify_by include_tags notify_audit notification_preset_name restricted_roles draft_status assets",
      "log alert": "timeout_h evaluation_delay new_group_delay group_retention_duration notify_by enable_logs_sample include_tags notify_audit notification_preset_name restricted_roles draft_status assets",
      "process alert": "timeout_h notify_by include_tags notify_audit notification_preset_name restricted_roles draft_status assets",
      "query alert": "critical_recovery timeout_h require_full_window evaluation_delay new_group_delay schedule_rrule schedule_start schedule_timezone notify_by include_tags notify_audit notification_preset_name restricted_roles draft_status assets",
      "service check": "timeout_h evaluation_delay new_group_delay notify_by include_tags notify_audit notification_preset_name restricted_roles draft_status assets",
      "slo alert": "include_tags notify_audit notification_preset_name restricted_roles draft_status assets",
      "synthetics alert": "timeout_h include_tags notify_audit notification_preset_name restricted_roles draft_status assets",
      "x alert": "timeout_h notify_by include_tags notify_audit notification_preset_name restricted_roles draft_status assets",
    }
  `);
  expect(shown('query alert', {}, { renotify_interval: '5' })).toBe(
    'renotify_occurrences renotify_statuses escalation_message',
  );
  expect(shown('query alert', {}, { on_missing_data: 'notify_no_data' })).toBe('no_data_timeframe');
  expect(shown('query alert', {}, { more: 'yes', warning: '80' })).toContain('critical_recovery warning_recovery');
  // What a monitor has is shown, whatever its type, but for the value that it has anyway.
  expect(shown('slo alert', { timeout_h: 2, locked: true })).toMatch(/ timeout_h .* locked more$/);
  expect(shown('query alert', { renotify_interval: 0, locked: false, device_ids: [] })).toBe(shown('query alert'));
});

describe('no-data options', () => {
  const words = (type: string) =>
    definitionForm(openedOf(type, {}), contextOf()).on_missing_data?.options?.map((option) => option.value);

  test('each type has its own options', () => {
    expect(words('query alert')).toEqual([
      'default',
      'show_no_data',
      'show_and_notify_no_data',
      'resolve',
      'notify_no_data',
    ]);
    const labels = definitionForm(openedOf('query alert', {}), contextOf()).on_missing_data?.options?.map(
      ({ label }) => label,
    );
    expect(labels).toEqual(['default', 'show NO DATA', 'show NO DATA and notify', 'show OK', 'notify']);
    expect(words('log alert')).toEqual(['default', 'show_no_data', 'show_and_notify_no_data', 'resolve']);
    expect(words('service check')).toEqual(['default', 'notify_no_data']);
    expect(words('slo alert')).toBeUndefined();
    expect(words('composite')).toBeUndefined();
  });

  test('the older and the newer option are never sent together', () => {
    const old = { notify_no_data: true, no_data_timeframe: 10 };
    expect(sends('query alert', 'on_missing_data', 'resolve', old)).toEqual({ on_missing_data: 'resolve' });
    expect(sends('query alert', 'on_missing_data', 'notify_no_data', { on_missing_data: 'resolve' })).toEqual({
      notify_no_data: true,
    });
    expect(sends('query alert', 'on_missing_data', 'default', old)).toEqual({});
    const form = definitionForm(openedOf('query alert', old), contextOf());
    expect(form.on_missing_data?.initial).toBe('notify_no_data');
    expect(form.no_data_timeframe?.initial).toBe('10');
    expect(form.no_data_timeframe?.shown?.({ on_missing_data: 'notify_no_data' })).toBe(true);
    expect(form.no_data_timeframe?.shown?.({ on_missing_data: 'resolve' })).toBe(false);
  });
});

test('a receipt reports values that differ in the response, not those that it omits', () => {
  const sent = {
    name: 'A',
    priority: 2,
    options: { timeout_h: 4, notify_audit: true, renotify_interval: 5, locked: true },
  };
  expect(unappliedText(sent, { id: 1, name: 'A' })).toBe('');
  expect(unappliedText(sent, { id: 1, name: 'A', priority: 3 })).toBe('; not as sent: priority');
  expect(unappliedText(sent, { id: 1, name: 'B', options: {} })).toBe(
    '; not as sent: name, timeout h, notify audit and 2 more',
  );
  expect(unappliedText(sent, {})).toBe('; the response does not show the result');
});

test('a receipt distinguishes our changes from those of others', () => {
  const base = { options: { evaluation_delay: 10, new_group_delay: 60 } };
  const sent = { options: { evaluation_delay: 20, new_group_delay: 60 } };
  const answer = (options: object) => ({ id: 1, options });
  expect(unappliedText(sent, answer({ evaluation_delay: 20, new_group_delay: 60, timeout_h: 5 }), base)).toBe(
    '; not as it was: timeout h',
  );
  expect(unappliedText(sent, answer({ evaluation_delay: 10, new_group_delay: 90 }), base)).toBe(
    '; not as sent: evaluation delay; not as it was: new group delay',
  );
  // A member that should be removed and is still there is reported.
  expect(unappliedText({ options: {} }, answer({ evaluation_delay: 10 }), base)).toContain(
    'not as sent: evaluation delay',
  );
});
