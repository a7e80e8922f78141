import type { Numeral, Tree, Word } from './tree.ts';

/** What of a query options speak of, as far as its language has them. */
export interface Aspects {
  /** Keys that it groups by; undefined where the query alone does not say. */
  readonly groups?: readonly Word[];
  /** How many results a service check looks at. */
  readonly count?: Numeral;
  /** `last_5m`, `current_1mo` of a metric query. */
  readonly window?: Word;
  readonly isAnomaly?: boolean;
  readonly alertWindow?: Word;
}

/** What options may speak of in a tree. Formulas have none: their variables group, too. */
export function aspectsOf(_tree: Tree): Aspects {
  return {};
}
