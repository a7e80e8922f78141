import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { definitionForm } from '../../screens/monitors/definition/form.ts';
import { wholeSetting } from '../../screens/monitors/definition/language.ts';
import { storedKind } from '../../screens/monitors/definition/setting.ts';
import { entriesOf, schemaParts } from '../../src/api/endpoint.ts';
import { readNotes } from '../../src/api/envelope.ts';
import { monitor } from '../../src/api/monitor-schema.ts';
import { put } from '../../src/lib/values.ts';
import { check } from '../../src/query/check-query.ts';
import { optionRules } from '../../src/query/option-rules.ts';
import { contextOf } from '../support/plans.ts';
import { servedCommands } from '../support/served-commands.ts';

/** One table of rules for options: the form, the command, `query check` and a definition in JSON say the same. */

const metric = ['query alert', 'avg(last_5m):avg:a{*} by {host} > 90'] as const;
const month = ['query alert', 'avg(current_1mo):avg:a{*} > 90'] as const;
const hours = ['query alert', 'avg(current_1h):avg:a{*} > 90'] as const;
const logs = ['log alert', 'logs("*").index("*").rollup("count").last("5m") > 90'] as const;
const anomaly = ['query alert', "avg(last_4h):anomalies(avg:a{*}, 'basic', 2, alert_window='last_15m') >= 1"] as const;
const service = ['service check', '"a.can_connect".over("*").by("host").last(100).count_by_status()'] as const;
const synthetic = ['synthetics alert', 'no_query'] as const;
const window = 'scheduling_options.evaluation_window.';
const recurrences = 'scheduling_options.custom_schedule.recurrences';

/** Kind and query, options that break one rule, and what is said of them. */
type Case = readonly [asked: readonly [string, string], options: object, verdict: 'wrong' | 'doubtful', says: string];

const options = (...all: readonly (readonly [string, unknown])[]) =>
  all.reduce<object>((into, [path, value]) => put(into as never, path, value), {});
const recurrence = (more: object) =>
  options(['on_missing_data', 'resolve'], [recurrences, [{ rrule: 'FREQ=DAILY', ...more }]]);

const cases: Readonly<Record<string, Case>> = {
  timeout_h: [metric, { timeout_h: 25 }, 'wrong', 'must be 0 to 24'],
  min_failure_duration: [synthetic, { min_failure_duration: 7201 }, 'wrong', 'must be 0 to 7200'],
  min_location_failed: [synthetic, { min_location_failed: 0 }, 'wrong', 'must be at least 1'],
  evaluation_delay: [metric, { evaluation_delay: -1 }, 'wrong', 'must be at least 0'],
  new_group_delay: [metric, { new_group_delay: 1.5 }, 'wrong', 'must be a whole number'],
  new_host_delay: [metric, { new_host_delay: -1 }, 'wrong', 'must be at least 0'],
  no_data_timeframe: [
    metric,
    { notify_no_data: true, no_data_timeframe: 0 },
    'doubtful',
    'no_data_timeframe must be at least 1',
  ],
  renotify_interval: [metric, { renotify_interval: -5 }, 'wrong', 'must be at least 0'],
  renotify_occurrences: [
    metric,
    { renotify_interval: 5, renotify_occurrences: 0 },
    'doubtful',
    'renotify_occurrences must be at least 1',
  ],
  renotify_statuses: [
    metric,
    { renotify_interval: 5, renotify_statuses: ['ok'] },
    'doubtful',
    'renotify_statuses must be alert, warn or no data',
  ],
  group_retention_duration: [logs, { group_retention_duration: '73h' }, 'wrong', 'must be 1h to 72h'],
  notification_preset_name: [metric, { notification_preset_name: 'hide_most' }, 'wrong', 'must be '],
  on_missing_data: [metric, { on_missing_data: 'shrug' }, 'wrong', 'must be '],
  enable_samples: [logs, { enable_samples: true }, 'doubtful', 'enable_samples is for monitors of CI'],
  enable_logs_sample: [metric, { enable_logs_sample: true }, 'doubtful', 'enable_logs_sample is for monitors of logs'],
  'threshold_windows.trigger_window': [
    anomaly,
    options(['threshold_windows.trigger_window', '15m']),
    'wrong',
    'must look like last_15m',
  ],
  'threshold_windows.recovery_window': [
    anomaly,
    options(['threshold_windows', { trigger_window: 'last_15m', recovery_window: 'soon' }]),
    'wrong',
    'must look like last_15m',
  ],
  'thresholds.ok': [service, { thresholds: { critical: 2, ok: 0 } }, 'doubtful', 'ok must be 1 to 100'],
  'thresholds.warning': [service, { thresholds: { critical: 2, warning: 0 } }, 'doubtful', 'warning must be 1 to 100'],
  'thresholds.critical': [service, { thresholds: { critical: 0 } }, 'doubtful', 'critical must be 1 to 100'],
  'thresholds.unknown': [service, { thresholds: { critical: 2, unknown: 0 } }, 'doubtful', 'unknown must be 1 to 100'],
  [`${window}hour_starts`]: [hours, options([`${window}hour_starts`, 60]), 'wrong', 'must be 0 to 59'],
  [`${window}day_starts`]: [
    month,
    options([`${window}day_starts`, '24:00'], [`${window}month_starts`, 1]),
    'wrong',
    'must be a time such as 04:00',
  ],
  [`${window}month_starts`]: [
    month,
    options([`${window}day_starts`, '04:00'], [`${window}month_starts`, 32]),
    'wrong',
    'must be 1 to 31',
  ],
  [`${window}timezone`]: [
    month,
    options([window.slice(0, -1), { day_starts: '04:00', month_starts: 1, timezone: 'Mars/Base' }]),
    'wrong',
    'must be a time zone',
  ],
  [`${recurrences}.rrule`]: [metric, recurrence({ rrule: 'daily' }), 'wrong', 'must look like FREQ='],
  [`${recurrences}.start`]: [metric, recurrence({ start: 'noon' }), 'wrong', 'must look like 2026'],
  [`${recurrences}.timezone`]: [metric, recurrence({ timezone: 'Mars/Base' }), 'wrong', 'must be a time zone'],
};

/** Rules over several options. */
const crossings: Readonly<Record<string, Case>> = {
  'an hour with a zone': [
    hours,
    options([`${window}hour_starts`, 0], [`${window}timezone`, 'UTC']),
    'wrong',
    'hour_starts cannot be in evaluation_window together with timezone',
  ],
  'a month without a day': [
    month,
    options([`${window}month_starts`, 1]),
    'wrong',
    'month_starts needs day_starts besides it',
  ],
  'both ways to miss data': [
    metric,
    { on_missing_data: 'resolve', no_data_timeframe: 10 },
    'doubtful',
    'on_missing_data and no_data_timeframe exclude each other',
  ],
  'an escalation without renotifying': [
    metric,
    { escalation_message: 'again' },
    'doubtful',
    'escalation_message is never sent without renotify_interval',
  ],
  'a schedule without a word for missing data': [
    metric,
    options([recurrences, [{ rrule: 'FREQ=DAILY' }]]),
    'doubtful',
    'rrule needs on_missing_data besides a schedule',
  ],
  'missing data of a check': [service, { on_missing_data: 'resolve' }, 'wrong', 'on_missing_data is for every monitor'],
};

const { machine, simulator, orgdeck } = servedCommands({ monitors: 3, issues: 0 });
const place = { id: '' };

/** What the form of a new monitor with these options says, as it opens: at its fields, or of its query. */
async function formSays([type, query]: Case[0], given: object): Promise<readonly string[]> {
  const opened = { kind: storedKind(type, query), base: { type, query, options: given }, rows: [] };
  const fields = definitionForm(opened, contextOf());
  const texts = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.initial]));
  // What is typed, not what is stored, is refused.
  const typed = definitionForm({ ...opened, base: { ...opened.base, options: {} } }, contextOf());
  const refused = Object.entries(fields).flatMap(([name, field]) => {
    const read = typed[name]?.read(field.initial) ?? { ok: true };
    return read.ok ? [] : [`wrong ${read.text}`];
  });
  const language = await fields.query?.language?.();
  const said = language?.check(query, texts) ?? [];
  return [...refused, ...said.map(({ verdict, message }) => `${verdict} ${message}`)];
}

const saying = (verdict: string, says: string) => expect.stringMatching(new RegExp(`^${verdict} .*${quoted(says)}`));
const quoted = (text: string) => text.replaceAll(/[.()]/g, '\\$&');

describe('a rule is said by the form, the command, query check and a definition in JSON alike', () => {
  beforeEach(() => {
    place.id = simulator.has('monitor', { name: 'Disk', type: metric[0], query: metric[1] });
  });

  test('every rule of the table has a case', () => expect(Object.keys(cases)).toEqual(Object.keys(optionRules)));

  test.each(Object.entries({ ...cases, ...crossings }))('%s', async (name, [[type, query], given, verdict, says]) => {
    const found = check(type, query, given).diagnostics.map((one) => `${one.verdict} ${one.message}`);
    expect(found).toContainEqual(saying(verdict, says));
    // The form has one choice for what it means to miss data.
    if (name !== 'both ways to miss data')
      expect(await formSays([type, query], given)).toContainEqual(saying(verdict, says));

    const text = JSON.stringify({ type, query, options: given });
    const raw = await wholeSetting
      .field(
        {},
        { id: '', place: 0, attributes: {}, unread: [], about: { kind: storedKind(type, query) } } as never,
        contextOf(),
      )
      .language?.();
    expect(raw?.check(text, {}).map((one) => `${one.verdict} ${one.message}`)).toContainEqual(saying(verdict, says));

    const file = join(machine.directory, 'one.json');
    writeFileSync(file, text);
    const checked = await orgdeck(['query', 'check', file]);
    expect([checked.exit, checked.out]).toEqual([verdict === 'wrong' ? 1 : 0, expect.stringContaining(says)]);

    const made = await orgdeck(['monitors', 'create', '--kind', 'other', '--definition', text]);
    if (verdict === 'wrong') expect([name, made.exit, made.err]).toEqual([name, 2, expect.stringContaining(says)]);
  });
});

test.each([
  [
    'a day where a month begins',
    month,
    { day_starts: '04:00' },
    'wrong current_1mo goes with month_starts, not with day_starts',
  ],
  [
    'an hour with a zone where none begins',
    metric,
    { hour_starts: 0, timezone: 'UTC' },
    'wrong evaluation_window does not go with last_5m',
  ],
  [
    'an hour with a zone, of logs',
    logs,
    { hour_starts: 0, timezone: 'UTC' },
    'wrong hour_starts cannot be in evaluation_window together with timezone',
  ],
] as const)('of one fault of evaluation_window one finding is said: %s', (_, [type, query], members, says) => {
  const given = { scheduling_options: { evaluation_window: members } };
  expect(check(type, query, given).diagnostics.map((one) => `${one.verdict} ${one.message}`)).toEqual([says]);
});

test('a role that the organization does not have is refused before anything is sent', async () => {
  const id = simulator.has('monitor', { name: 'Disk', type: metric[0], query: metric[1] });
  const role = '00000000-0000-4000-8000-00000000dead';
  const [known = ''] = simulator.org.roles.keys();
  const says = `no role has the ID ${role}`;
  const text = (roles: readonly string[]) =>
    JSON.stringify({ type: metric[0], query: metric[1], name: 'raw', restricted_roles: roles });
  for (const command of [
    ['monitors', 'edit', id, '--restricted-roles', role],
    ['monitors', 'create', '--kind', 'other', '--definition', text([known, role])],
  ]) {
    const ran = await orgdeck(command);
    expect([ran.exit === 0, ran.out + ran.err]).toEqual([false, expect.stringContaining(says)]);
  }
  expect((await orgdeck(['monitors', 'list', '--query', 'raw', '--json'])).out).not.toContain('"raw"');
  expect(await orgdeck(['monitors', 'create', '--kind', 'other', '--definition', text([known])])).toMatchObject({
    exit: 0,
  });
});

test('the words of an option are those that its answers are read with', () => {
  const { options: answered } = entriesOf(monitor);
  const members = entriesOf(answered && (schemaParts(answered).wrapped ?? answered));
  const read = (option: string) => {
    const member = members[option];
    return member && readNotes(schemaParts(member).wrapped ?? member).words;
  };
  for (const option of ['on_missing_data', 'notification_preset_name'] as const)
    expect(read(option), option).toEqual(optionRules[option].words);
});
