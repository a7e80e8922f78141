import { choiceField } from '../../../src/describe/field.ts';
import { put } from '../../../src/lib/object-paths.ts';
import { optionRules, takesOption } from '../../../src/query/option-rules.ts';
import { toText } from '../row.ts';
import { type Definition, readOptions } from './definition.ts';
import type { MonitorKind } from './kinds.ts';
import { inFamilies, members, options, settingAt } from './setting.ts';
import { amountSetting, countSetting, flagSetting, lineSetting } from './values.ts';

/** What happens without data: one of two older options, or one newer; never both (docs/contract/monitor-queries.md#options). */
const older = 'notify_no_data';

/** The words of the service as a person says them. */
const missingWords: Readonly<Record<string, string>> = {
  show_no_data: 'show NO DATA',
  show_and_notify_no_data: 'show NO DATA and notify',
  resolve: 'show OK',
  [older]: 'notify',
};
const missingOption = (value: string) => ({ value, label: missingWords[value] ?? value });

function missingNow(now: Definition): string {
  const { on_missing_data, notify_no_data } = readOptions(now);
  return toText(on_missing_data) ?? (notify_no_data === true ? older : 'default');
}

const missing = settingAt(undefined, {
  label: 'no data',
  called: 'behavior without data',
  takes: inFamilies('metric', 'event', 'check', 'unknown'),
  isThere: (now) => missingNow(now) !== 'default',
  field(label, _, { kind }, now) {
    const current = missingNow(now);
    const newer = takesOption(kind.type, 'on_missing_data') ? optionRules.on_missing_data.words.slice(1) : [];
    // A monitor that has what its kind no longer takes may keep it.
    const has = [older].filter((option) => kind.family !== 'event' || option === current);
    const hint = kind.family === 'check' ? 'Notify or not' : 'State without data, and whether it notifies';
    return choiceField<string>(label, current, ['default', ...newer, ...has].map(missingOption), hint);
  },
});

/** The definition with what was chosen for the time without data: the older options and the newer never stand together. */
export function setMissingData(into: Definition, chosen: unknown): Definition {
  const gone = ['on_missing_data', 'notify_no_data', ...(chosen === older ? [] : ['no_data_timeframe'])];
  const rest = gone.reduce((rest_, name) => put(rest_, `options.${name}`, undefined), into);
  if (chosen === 'default') return rest;
  return chosen === older ? put(rest, `options.${older}`, true) : put(rest, 'options.on_missing_data', chosen);
}

const window = (label: string) =>
  lineSetting(label, {
    takes: (kind) => kind.id === 'anomaly',
    hint: 'Such as last_15m, the alert_window of the query',
  });

/** Where it is well again: further on the healthy side than where it began (docs/contract/monitor-queries.md#options). */
const recovery = (label: string, shown: (texts: Readonly<Record<string, string>>) => boolean) =>
  amountSetting(label, 'recovers once the value is better than this; optional', {
    takes: (kind) => kind.family === 'metric' && kind.id !== 'outlier',
    rare: true,
    shown,
  });

const mayBeLate = (kind: MonitorKind): boolean =>
  ['metric', 'check'].includes(kind.family) || kind.type === 'log alert';

/** How it is evaluated, each with the kinds that take it (docs/contract/monitor-queries.md#options). */
export const evaluationSettings = {
  on_missing_data: missing,
  ...options({
    no_data_timeframe: countSetting(
      'no data for',
      'minutes without data before it notifies; at least twice the window',
      {
        called: 'time without data',
        takes: inFamilies('metric', 'check'),
        shown: (texts) => texts.on_missing_data === older,
      },
    ),
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
    timeout_h: countSetting('resolves after', '0 to 24 hours without data; empty = never', {
      called: 'time to resolve',
      rare: true,
    }),
    require_full_window: flagSetting('full window', 'yes: not evaluated until data covers the whole window', {
      takes: inFamilies('metric'),
      rare: true,
      usual: false,
    }),
    evaluation_delay: countSetting('evaluation delay', 'seconds, 0 or more: for data that comes late', {
      takes: mayBeLate,
      rare: true,
    }),
    new_group_delay: countSetting('new group delay', 'seconds, 0 or more, until a new group may alert', {
      takes: mayBeLate,
      rare: true,
    }),
    group_retention_duration: lineSetting('keep groups for', {
      called: 'group retention',
      rare: true,
      hint: '1h to 72h, such as 60m, 1h or 2d',
    }),
    min_failure_duration: countSetting('failing for', 'seconds, 0 to 7200', { called: 'failure duration' }),
    min_location_failed: countSetting('failing locations', 'at least 1'),
  }),
};
