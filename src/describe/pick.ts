import { findTotal } from '../api/paging.ts';
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
  /** The picks are no people: they are not stored among the recent people. */
  readonly things?: boolean;
  /** The values of a pick. */
  values(pick: Pick): V;
}

/** What a picker says of an answer with as many picks as one page holds: there may be more, found by typing. */
export function cappedNotes(answer: unknown, found: number, pageSize: number): readonly string[] {
  const total = findTotal(answer);
  if (total === undefined ? found < pageSize : total <= found) return [];
  return [total === undefined ? `first ${found}: type to search the rest` : `${total - found} more: type to search`];
}
