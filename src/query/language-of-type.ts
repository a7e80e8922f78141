import { composite } from './composite.ts';
import { errorTracking } from './error-tracking.ts';
import { events } from './events.ts';
import { formula } from './formula.ts';
import type { Language } from './language.ts';
import { metric } from './metric.ts';
import { objective } from './objectives.ts';
import { processes } from './processes.ts';
import { eventShapes } from './query-shapes.ts';
import { serviceCheck } from './service-check.ts';

/**
 * The language in which a monitor of a `type` is written. Undefined: nothing is known of the type, or its query is made
 * elsewhere (`synthetics alert`).
 */
export function languageOf(type: string, text: string): Language | undefined {
  if (isMetric(type) && /^\s*events\s*\(/.test(text)) return events;
  if (!Object.hasOwn(byType, type)) return undefined;
  return /^\s*formula\s*\(/.test(text) && !withoutFormulas.has(type) ? formula : byType[type];
}

/** Metric monitors, which may also watch events in the form from before those had a type of their own. */
const isMetric = (type: string): boolean => type === 'query alert' || type === 'metric alert';

/** Kinds whose query is never a formula over variables (contract/monitors.md 5.11). */
const withoutFormulas = new Set(['composite', 'service check', 'slo alert', 'process alert']);

const byType: Readonly<Record<string, Language>> = {
  ...Object.fromEntries(Object.keys(eventShapes).map((type) => [type, events])),
  'query alert': metric,
  'metric alert': metric,
  composite,
  'error-tracking alert': errorTracking,
  'process alert': processes,
  'service check': serviceCheck,
  'slo alert': objective,
  'cost alert': formula,
  'data-quality alert': formula,
  'data-jobs alert': formula,
};
