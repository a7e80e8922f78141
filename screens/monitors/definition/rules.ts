import { type Result, refusal } from '../../../src/api/problem.ts';
import { listOf, numberOf, objectOf, textOf } from '../row.ts';
import { at, type Definition, optionsOf } from './definition.ts';
import { endingOf, groupingOf, isHealthier, lastOf } from './ending.ts';
import type { Values } from './form.ts';
import type { Kind } from './kinds.ts';

/** A sentence about one field of the form. */
interface Fault {
  readonly field: string;
  readonly text: string;
}

/** What several fields say together and the service is sure to refuse. */
interface Rule {
  /** It is asked only where one of these was changed: what was stored before is the service's own business. */
  readonly about: readonly string[];
  fault(it: Definition, kind: Kind): Fault | undefined;
}

const threshold = (it: Definition, name: string): number | undefined =>
  numberOf(at(it, ['options', 'thresholds', name]));
const queryOf = (it: Definition): string => textOf(it.query) ?? '';

/** A limit that must be on the healthy side of another one (contract/monitors.md 5.2). */
const healthier = (field: string, than: string, word: string): Rule => ({
  about: [field, than, 'query'],
  fault(it, kind) {
    const ending = endingOf(queryOf(it));
    const limit = than === 'query' ? ending?.threshold : threshold(it, than);
    const value = threshold(it, field);
    if (kind.family === 'check' || !ending || limit === undefined || value === undefined) return undefined;
    if (!/^[<>]/.test(ending.operator) || isHealthier(value, limit, ending.operator)) return undefined;
    const side = ending.operator.startsWith('<') ? 'above' : 'below';
    return { field, text: `${field.replace('_', ' ')} must be ${side} ${limit}, ${word}` };
  },
});

const counts = ['ok', 'warning', 'critical', 'unknown'] as const;

const rules: readonly Rule[] = [
  healthier('warning', 'query', 'the threshold of the query'),
  healthier('critical_recovery', 'query', 'the threshold of the query'),
  healthier('warning_recovery', 'warning', 'the warning threshold'),
  {
    about: ['query', ...counts.map((it) => `${it}_count`)],
    fault(it, kind) {
      const last = lastOf(queryOf(it));
      if (kind.family !== 'check' || last === undefined) return undefined;
      const over = counts.find((name) => (threshold(it, name) ?? 0) > last);
      if (over === undefined) return undefined;
      const value = threshold(it, over);
      return { field: `${over}_count`, text: `${over} after ${value}: the query looks at the last ${last} only` };
    },
  },
  {
    about: ['notify_by', 'query'],
    fault(it) {
      const by = listOf(optionsOf(it).notify_by).map(String);
      const grouping = groupingOf(queryOf(it));
      const strange = by.find((key) => !grouping.includes(key));
      if (strange === undefined || by.includes('*')) return undefined;
      const known = grouping.length === 0 ? 'the query has no groups' : `the query groups by ${grouping.join(', ')}`;
      return { field: 'notify_by', text: `notify by ${strange}: ${known}` };
    },
  },
  {
    about: ['trigger_window', 'query'],
    fault(it, kind) {
      if (kind.id !== 'anomaly') return undefined;
      const trigger = textOf(at(it, ['options', 'threshold_windows', 'trigger_window']));
      const asked = /alert_window\s*=\s*'([^']*)'/.exec(queryOf(it))?.[1];
      if (trigger === undefined || asked === undefined || trigger === asked) return undefined;
      return { field: 'trigger_window', text: `trigger window must be ${asked}, the alert_window of the query` };
    },
  },
  {
    about: ['query', 'hour_starts', 'day_starts', 'month_starts', 'timezone'],
    fault(it, kind) {
      const window = /\bcurrent_(\w+)/.exec(queryOf(it))?.[1];
      const starts = objectOf(at(it, ['options', 'scheduling_options', 'evaluation_window']));
      if (kind.family !== 'metric') return undefined;
      if (window === undefined)
        return Object.keys(starts).length === 0
          ? undefined
          : { field: 'query', text: 'a start of hour, day or month needs a window such as current_1d in the query' };
      const wanted = { '1h': ['hour_starts'], '1d': ['day_starts'], '1mo': ['day_starts', 'month_starts'] }[window];
      const missing = wanted?.find((name) => starts[name] === undefined);
      if (missing !== undefined)
        return { field: missing, text: `current_${window} needs ${wanted?.join(' and ').replaceAll('_', ' ')}` };
      const more = Object.keys(starts).find((name) => name !== 'hour_starts');
      return starts.hour_starts !== undefined && more !== undefined
        ? { field: more, text: `with hour starts, ${more.replace('_', ' ')} must be empty` }
        : undefined;
    },
  },
  {
    about: ['schedule_rrule', 'schedule_start', 'schedule_timezone', 'on_missing_data'],
    fault: (it) =>
      at(it, ['options', 'scheduling_options', 'custom_schedule']) !== undefined &&
      textOf(optionsOf(it).on_missing_data) === undefined
        ? { field: 'on_missing_data', text: 'with a schedule of its own, say what happens without data' }
        : undefined,
  },
];

/** What the fields say together and cannot be; undefined when nothing is known against it. */
export function faultIn(it: Definition, kind: Kind, values: Values): Result<never> | undefined {
  for (const rule of rules) {
    if (!rule.about.some((name) => values[name] !== undefined)) continue;
    const fault = rule.fault(it, kind);
    if (fault) return refusal('invalid', fault.text, { fields: [fault.field] });
  }
  return undefined;
}
