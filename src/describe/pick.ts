import type { Source } from './source.ts';

/** One thing to pick from a list that may be searched on the service. */
export interface Pick {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
}

/** Picking one of many: people, roles. */
export interface Picker<V> {
  readonly title: string;
  /** Offered first, before anything is typed. */
  readonly first: readonly Pick[];
  /**
   * A key that takes a pick at once while nothing is typed: `a` for me. Without a pick it is still being asked what the
   * key takes: the wish is kept, and done when the answer comes.
   */
  readonly quick?: { readonly key: string; readonly pick?: Pick | undefined; readonly title: string } | undefined;
  /** The service's answer to what is typed; asked 250 ms after the last letter. */
  load(typed: string): Source<Pick>;
  /** What is picked is no person, so it is not among the people chosen lately. */
  readonly things?: boolean;
  /** The values that a pick stands for. */
  values(pick: Pick): V;
}
