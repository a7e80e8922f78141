import type { Events } from './events.ts';
import { alertWindowOf, groupsOf, type Metric, wrappingOf } from './metrictree.ts';
import type { Processes } from './processes.ts';
import type { ServiceCheck } from './servicecheck.ts';
import type { Numeral, Tree, Word } from './tree.ts';

/** What of a query options speak of, as far as its language has them. */
export interface Aspects {
  /** Keys that it groups by; undefined where the query alone does not say. */
  readonly groups?: readonly Word[];
  /** How many results in a row a service check looks at. */
  readonly count?: Numeral;
  /** `last_5m`, `current_1mo` of a metric query. */
  readonly window?: Word;
  readonly isAnomaly?: boolean;
  readonly alertWindow?: Word | undefined;
}

/** What options may speak of in a tree. Nothing of a formula and an SLO: what they name groups, too. */
export function aspectsOf(tree: Tree): Aspects {
  switch (tree.kind) {
    case 'metric':
      return metricAspects(tree as Metric);
    case 'events':
    case 'error tracking':
    case 'processes':
      return { groups: (tree as Events | Processes).groups };
    case 'service check':
      return checkAspects(tree as ServiceCheck);
    case 'composite':
      return { groups: [] };
    default:
      return {};
  }
}

const metricAspects = (tree: Metric): Aspects => ({
  groups: groupsOf(tree),
  window: tree.window,
  isAnomaly: wrappingOf(tree)?.kind === 'anomalies',
  alertWindow: alertWindowOf(tree),
});

/** Shares of a cluster are not counted in results. */
const checkAspects = ({ groups, count, isShare }: ServiceCheck): Aspects => ({
  groups,
  ...(count && !isShare && { count }),
});
