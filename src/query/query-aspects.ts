import { findStep, type SearchChain } from './chain.ts';
import { type Formula, unnamedArgument } from './formula-tree.ts';
import { windowStep } from './formula-window.ts';
import { findAlertWindow, findWindow, findWrapping, groupingKeys, type Metric } from './metric-tree.ts';
import type { Numeral, Quoted, Tree, Word } from './query-tree.ts';
import type { ServiceCheck } from './service-check.ts';

/** A window as the query has it: `last_5m`, `.current("1h")`. */
interface CalendarWindow extends Word {
  /** The hour, day or month of the calendar that it follows: `1h`, `1d`, `1mo`. */
  readonly period?: string;
}

/** The parts of a query that options refer to, where the language has them. */
export interface Aspects {
  /** Keys that it groups by; undefined where the query alone does not say. */
  readonly groups?: readonly Word[];
  /** How many results in a row a service check looks at. */
  readonly count?: Numeral;
  readonly window?: CalendarWindow | undefined;
  readonly isAnomaly?: boolean;
  readonly alertWindow?: Word | undefined;
}

/**
 * The parts of a tree that options refer to. Groups of formulas and SLOs are left out: their variables and objectives
 * group as well.
 */
export function findAspects(type: string, tree: Tree): Aspects {
  switch (tree.kind) {
    case 'metric':
      return metricAspects(tree as Metric);
    case 'events':
    case 'error tracking':
      return eventAspects(tree as SearchChain);
    case 'processes':
      return { groups: (tree as SearchChain).groups };
    case 'formula':
      // Cost windows are whole days.
      return type === 'cost alert' ? {} : formulaAspects(tree as Formula);
    case 'service check':
      return checkAspects(tree as ServiceCheck);
    case 'composite':
      return { groups: [] };
    default:
      return {};
  }
}

const metricAspects = (tree: Metric): Aspects => ({
  groups: groupingKeys(tree),
  window: { ...tree.window, ...(findWindow(tree).tense === 'current' && { period: findWindow(tree).length }) },
  isAnomaly: findWrapping(tree)?.kind === 'anomalies',
  alertWindow: findAlertWindow(tree),
});

function eventAspects(tree: SearchChain): Aspects {
  const step = findStep(tree, 'last', 'current');
  return { groups: tree.groups, window: step && calendarWindow(step.name.text, step.list[0]) };
}

function formulaAspects(tree: Formula): Aspects {
  const step = windowStep(tree);
  return { window: step && calendarWindow(step.name.text, unnamedArgument(step)) };
}

const calendarWindow = (step: string, window: Quoted | undefined): CalendarWindow | undefined =>
  window && {
    start: window.start,
    end: window.end,
    text: `.${step}("${window.text}")`,
    ...(step === 'current' && { period: window.text }),
  };

/** Cluster shares (`pct_by_status`) are not counted in results. */
const checkAspects = ({ groups, count, isShare }: ServiceCheck): Aspects => ({
  groups,
  ...(count && !isShare && { count }),
});
