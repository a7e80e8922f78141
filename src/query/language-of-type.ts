import { compositeLanguage } from './composite.ts';
import { errorTracking } from './error-tracking.ts';
import { events as plainEvents } from './events.ts';
import { formula as plainFormula } from './formula.ts';
import { type Language, queryEndMark } from './language.ts';
import { metricLanguage as plainMetric } from './metric.ts';
import { objective } from './objectives.ts';
import { processes } from './processes.ts';
import { eventShapes } from './query-shapes.ts';
import type { Tree } from './query-tree.ts';
import { serviceCheck } from './service-check.ts';

/**
 * The language in which a monitor of a `type` is written. Undefined: nothing is known of the type, or its query is made
 * elsewhere (`synthetics alert`).
 */
export function findLanguage(type: string, text: string): Language | undefined {
  if (isMetric(type) && /^\s*events\s*\(/.test(text)) return events;
  if (!Object.hasOwn(byType, type)) return undefined;
  return /^\s*formula\s*\(/.test(text) && !withoutFormulas.has(type) ? formula : byType[type];
}

/** The types of monitors whose queries can be checked. */
export const knownTypes = (): readonly string[] => Object.keys(byType);

/** Metric monitors, which may also watch events in the form from before those had a type of their own. */
const isMetric = (type: string): boolean => type === 'query alert' || type === 'metric alert';

/** Kinds whose query is never a formula over variables (docs/contract/monitor-queries.md#formula). */
const withoutFormulas = new Set(['composite', 'service check', 'slo alert', 'process alert']);

/** How many parsed texts are remembered: the current one, and the one before its last letter, to which a backspace returns. */
const mostTexts = 2;
/** How many beginnings that completion parses are remembered: they stay while the letters of a word are typed. */
const mostBeginnings = 12;

/**
 * The language with the last texts that were parsed: a letter in a query asks what it means, what is wrong with it and what may
 * follow, each of the same text. Beginnings that completions ask for take none of their places.
 */
function remembering(language: Language): Language {
  const texts = remembered(language.parse, mostTexts);
  const beginnings = remembered(language.parse, mostBeginnings);
  return { ...language, parse: (text) => (text.endsWith(queryEndMark) ? beginnings(text) : texts(text)) };
}

/** Remembers the last results and errors of a parser, by text. */
function remembered(parse: (text: string) => Tree, most: number): (text: string) => Tree {
  const last: { readonly text: string; readonly tree?: Tree; readonly error?: unknown }[] = [];
  const read = (text: string) => {
    try {
      return { text, tree: parse(text) };
    } catch (error) {
      return { text, error };
    }
  };
  return (text) => {
    const at = last.findIndex((one) => one.text === text);
    const [known = read(text)] = at < 0 ? [] : last.splice(at, 1);
    last.unshift(known);
    last.length = Math.min(last.length, most);
    if (known.tree) return known.tree;
    throw known.error;
  };
}

const [events, formula, metric] = [plainEvents, plainFormula, plainMetric].map(remembering) as [
  Language,
  Language,
  Language,
];

const byType: Readonly<Record<string, Language>> = {
  ...Object.fromEntries(Object.keys(eventShapes).map((type) => [type, events])),
  'query alert': metric,
  'metric alert': metric,
  composite: compositeLanguage,
  'error-tracking alert': errorTracking,
  'process alert': processes,
  'service check': serviceCheck,
  'slo alert': objective,
  'cost alert': formula,
  'data-quality alert': formula,
  'data-jobs alert': formula,
};
