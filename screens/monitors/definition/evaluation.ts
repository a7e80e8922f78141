import { choiceField, type Field } from '../../../src/describe/field.ts';
import { readDuration } from '../../../src/lib/duration.ts';
import { textOf } from '../row.ts';
import { type Definition, optionsOf, put } from './definition.ts';
import type { Kind } from './kinds.ts';
import { inFamilies, option, optionalCount, optionalNumber, optionalText, type Part, placed, toggle } from './part.ts';

/** What happens without data: one of two older options, or one newer; never both (contract/monitors.md section 6). */
const older = 'notify_no_data';

function missingNow(now: Definition): string {
  const { on_missing_data, notify_no_data } = optionsOf(now);
  return textOf(on_missing_data) ?? (notify_no_data === true ? older : 'default');
}

const missing: Part = {
  name: 'on_missing_data',
  takes: inFamilies('metric', 'event', 'check', 'unknown'),
  isSet: (now) => missingNow(now) !== 'default',
  field(now, { kind }) {
    const current = missingNow(now);
    const newer = kind.family === 'check' ? [] : ['show_no_data', 'show_and_notify_no_data', 'resolve'];
    // A monitor that has what its kind no longer takes may keep it.
    const has = [older].filter((it) => kind.family !== 'event' || it === current);
    const hint =
      kind.family === 'check' ? 'whether somebody is told' : 'which state it gets, and whether somebody is told';
    return choiceField<string>('without data', current, ['default', ...newer, ...has], hint);
  },
  put(value, into) {
    const without = ['on_missing_data', 'notify_no_data', 'no_data_timeframe'].reduce(
      (it, name) => (value === older && name === 'no_data_timeframe' ? it : put(it, ['options', name], undefined)),
      into,
    );
    if (value === 'default') return without;
    return value === older
      ? put(without, ['options', older], true)
      : put(without, ['options', 'on_missing_data'], value);
  },
};

/** A word such as 60m, 1h or 2d. */
const retention = (value: unknown): Field<unknown> =>
  optionalText('keep groups for', value, {
    hint: '1h to 72h, such as 60m, 1h or 2d',
    check(text) {
      const ms = readDuration(text) ?? 0;
      const isWithin = ms >= 3_600_000 && ms <= 72 * 3_600_000 && /^\d+[mhd]$/.test(text);
      return isWithin || 'keep groups for must be 1h to 72h, such as 60m, 1h or 2d';
    },
  });

const window = (label: string) => (value: unknown) =>
  optionalText(label, value, {
    hint: 'such as last_15m, the alert_window of the query',
    check: (text) => /^last_\d+[mhdw]$/.test(text) || `${label} must be such as last_15m or last_1h`,
  });

/** Where it is well again: further on the healthy side than where it began (contract/monitors.md section 6). */
const recovery = (name: string, label: string, shown: NonNullable<Part['shown']>): Part =>
  placed(name, ['options', 'thresholds', name], {
    takes: (kind) => kind.family === 'metric' && kind.id !== 'outlier',
    rare: true,
    shown,
    field: (value) => optionalNumber(label, value, { hint: 'well again beyond this number, on the healthy side' }),
  });

const mayBeLate = (kind: Kind): boolean => ['metric', 'check'].includes(kind.family) || kind.type === 'log alert';

/** How it is evaluated, each with the kinds that take it (contract/monitors.md section 6). */
export const evaluationParts: readonly Part[] = [
  missing,
  option('no_data_timeframe', {
    takes: inFamilies('metric', 'check'),
    shown: (texts) => texts.on_missing_data === older,
    field: (value) => optionalCount('no data for', value, 'minutes until it is told; twice the window or more', 1),
  }),
  placed('trigger_window', ['options', 'threshold_windows', 'trigger_window'], {
    takes: (kind) => kind.id === 'anomaly',
    field: window('trigger window'),
  }),
  placed('recovery_window', ['options', 'threshold_windows', 'recovery_window'], {
    takes: (kind) => kind.id === 'anomaly',
    field: window('recovery window'),
  }),
  recovery('critical_recovery', 'critical recovery', () => true),
  recovery('warning_recovery', 'warning recovery', (texts) => texts.warning !== ''),
  option('timeout_h', {
    takes: (kind) => kind.family !== 'slo',
    rare: true,
    field: (value) => optionalCount('resolves after', value, '0 to 24 hours without data; empty = never', 0, 24),
  }),
  option('require_full_window', {
    takes: inFamilies('metric'),
    rare: true,
    usual: false,
    field: (value) => toggle('full window', value, 'yes: not evaluated until data covers the whole window'),
  }),
  option('evaluation_delay', {
    takes: mayBeLate,
    rare: true,
    field: (value) => optionalCount('evaluation delay', value, 'seconds, 0 or more: for data that comes late'),
  }),
  option('new_group_delay', {
    takes: mayBeLate,
    rare: true,
    field: (value) => optionalCount('new group delay', value, 'seconds, 0 or more, until a new group may alert'),
  }),
  option('group_retention_duration', {
    takes: (kind) => kind.family === 'event' && !/^(database|network)/.test(kind.type),
    rare: true,
    field: retention,
  }),
  option('min_failure_duration', {
    takes: inFamilies('synthetic'),
    field: (value) => optionalCount('failing for', value, 'seconds, 0 to 7200', 0, 7200),
  }),
  option('min_location_failed', {
    takes: inFamilies('synthetic'),
    field: (value) => optionalCount('failing locations', value, 'at least 1', 1),
  }),
];
