import { choiceField, type Field } from '../../../src/describe/field.ts';
import { readDuration } from '../../../src/lib/duration.ts';
import { put } from '../../../src/lib/paths.ts';
import { textOf } from '../row.ts';
import { type Definition, optionsOf } from './definition.ts';
import type { Kind } from './kinds.ts';
import {
  inFamilies,
  type MonitorSetting,
  members,
  optionalCount,
  optionalNumber,
  optionalText,
  options,
  placed,
  toggle,
} from './setting.ts';

/** What happens without data: one of two older options, or one newer; never both (contract/monitors.md section 6). */
const older = 'notify_no_data';

function missingNow(now: Definition): string {
  const { on_missing_data, notify_no_data } = optionsOf(now);
  return textOf(on_missing_data) ?? (notify_no_data === true ? older : 'default');
}

const missing = placed(undefined, {
  label: 'without data',
  called: 'behaviour without data',
  takes: inFamilies('metric', 'event', 'check', 'unknown'),
  isThere: (now) => missingNow(now) !== 'default',
  field(label, _, { kind }, now) {
    const current = missingNow(now);
    const newer = kind.family === 'check' ? [] : ['show_no_data', 'show_and_notify_no_data', 'resolve'];
    // A monitor that has what its kind no longer takes may keep it.
    const has = [older].filter((it) => kind.family !== 'event' || it === current);
    const hint =
      kind.family === 'check' ? 'whether somebody is told' : 'which state it gets, and whether somebody is told';
    return choiceField<string>(label, current, ['default', ...newer, ...has], hint);
  },
});

/** The definition with what was chosen for the time without data: the older options and the newer never stand together. */
export function withMissing(into: Definition, chosen: unknown): Definition {
  const gone = ['on_missing_data', 'notify_no_data', ...(chosen === older ? [] : ['no_data_timeframe'])];
  const rest = gone.reduce((it, name) => put(it, `options.${name}`, undefined), into);
  if (chosen === 'default') return rest;
  return chosen === older ? put(rest, `options.${older}`, true) : put(rest, 'options.on_missing_data', chosen);
}

/** A word such as 60m, 1h or 2d. */
const retention = (label: string, value: unknown): Field<unknown> =>
  optionalText(label, value, {
    hint: '1h to 72h, such as 60m, 1h or 2d',
    check(text) {
      const ms = readDuration(text) ?? 0;
      const isWithin = ms >= 3_600_000 && ms <= 72 * 3_600_000 && /^\d+[mhd]$/.test(text);
      return isWithin || `${label} must be 1h to 72h, such as 60m, 1h or 2d`;
    },
  });

const window = (label: string) => ({
  label,
  takes: (kind: Kind) => kind.id === 'anomaly',
  field: (title: string, value: unknown) =>
    optionalText(title, value, {
      hint: 'such as last_15m, the alert_window of the query',
      check: (text) => /^last_\d+[mhdw]$/.test(text) || `${title} must be such as last_15m or last_1h`,
    }),
});

/** Where it is well again: further on the healthy side than where it began (contract/monitors.md section 6). */
const recovery = (label: string, shown: NonNullable<MonitorSetting['shown']>) => ({
  label,
  takes: (kind: Kind) => kind.family === 'metric' && kind.id !== 'outlier',
  rare: true,
  shown,
  field: (title: string, value: unknown) =>
    optionalNumber(title, value, { hint: 'well again beyond this number, on the healthy side' }),
});

const mayBeLate = (kind: Kind): boolean => ['metric', 'check'].includes(kind.family) || kind.type === 'log alert';

/** How it is evaluated, each with the kinds that take it (contract/monitors.md section 6). */
export const evaluationSettings = {
  on_missing_data: missing,
  ...options({
    no_data_timeframe: {
      label: 'no data for',
      called: 'time without data',
      takes: inFamilies('metric', 'check'),
      shown: (texts) => texts.on_missing_data === older,
      field: (label, value) => optionalCount(label, value, 'minutes until it is told; twice the window or more', 1),
    },
  }),
  ...members(
    { trigger_window: window('trigger window'), recovery_window: window('recovery window') },
    'options.threshold_windows.',
  ),
  ...members(
    {
      critical_recovery: recovery('critical recovery', () => true),
      warning_recovery: recovery('warning recovery', (texts) => texts.warning !== ''),
    },
    'options.thresholds.',
  ),
  ...options({
    timeout_h: {
      label: 'resolves after',
      called: 'time to resolve',
      takes: (kind) => kind.family !== 'slo',
      rare: true,
      field: (label, value) => optionalCount(label, value, '0 to 24 hours without data; empty = never', 0, 24),
    },
    require_full_window: {
      label: 'full window',
      takes: inFamilies('metric'),
      rare: true,
      usual: false,
      field: (label, value) => toggle(label, value, 'yes: not evaluated until data covers the whole window'),
    },
    evaluation_delay: {
      label: 'evaluation delay',
      takes: mayBeLate,
      rare: true,
      field: (label, value) => optionalCount(label, value, 'seconds, 0 or more: for data that comes late'),
    },
    new_group_delay: {
      label: 'new group delay',
      takes: mayBeLate,
      rare: true,
      field: (label, value) => optionalCount(label, value, 'seconds, 0 or more, until a new group may alert'),
    },
    group_retention_duration: {
      label: 'keep groups for',
      called: 'group retention',
      takes: (kind) => kind.family === 'event' && !/^(database|network)/.test(kind.type),
      rare: true,
      field: retention,
    },
    min_failure_duration: {
      label: 'failing for',
      called: 'failure duration',
      takes: inFamilies('synthetic'),
      field: (label, value) => optionalCount(label, value, 'seconds, 0 to 7200', 0, 7200),
    },
    min_location_failed: {
      label: 'failing locations',
      takes: inFamilies('synthetic'),
      field: (label, value) => optionalCount(label, value, 'at least 1', 1),
    },
  }),
};
