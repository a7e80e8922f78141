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
  /** Who you are is still being read: the first row stands for you, and a pick of it waits for the answer. */
  readonly asksMe?: boolean | undefined;
  /** The service's answer to what is typed; asked 250 ms after the last letter. */
  load(typed: string): Source<Pick>;
  /** What is picked is no person, so it is not among the people chosen lately. */
  readonly things?: boolean;
  /** The values that a pick stands for. */
  values(pick: Pick): V;
}
