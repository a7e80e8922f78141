import type { AnyList } from '../../describe/screen.ts';
import { seenForMs } from '../../describe/seen-states.ts';
import type { Snapshot } from '../outside/saved-session.ts';
import type { Row } from '../rows/list-state.ts';
import { mostGap } from './state-history.ts';

/** Time that one sample stands for; it is drawn as one cell. */
const slotMs = 150_000;
/** Samples kept of each number: an hour. */
const most = 24;

/** The last sample of each slot of time, oldest first, with NaN where nothing was read for long, and when the last one was read; by name. */
type Courses = NonNullable<Snapshot[number]['courses']>;

/** The course of numbers over the last hour, however often they are read: one for each row of a list with a trend, and what a feed names. */
export interface Trends {
  /** Rows were read: the numbers of those that are gone are dropped. */
  sampleRows(list: AnyList, rows: readonly Row[], readAt: number): void;
  sampleNumbers(listId: string, values: Readonly<Record<string, number>>, readAt: number): void;
  /** Samples, oldest first. */
  of(listId: string, name: string): readonly number[];
  /** The courses of a list, to be kept. */
  all(listId: string): Courses | undefined;
}

/** Begins with what an earlier run has kept. */
export function createTrends(kept: Snapshot): Trends {
  const lists = new Map(kept.flatMap(({ list, courses }) => (courses ? [[list, courses] as const] : [])));
  const longer = (before: Courses[string] | undefined, value: number, readAt: number): Courses[string] => {
    if (!before) return { at: readAt, samples: [value] };
    if (readAt <= before.at) return before;
    const slots = Math.floor(readAt / slotMs) - Math.floor(before.at / slotMs);
    if (slots === 0) return { at: readAt, samples: [...before.samples.slice(0, -1), value] };
    const between = readAt - before.at > mostGap ? Number.NaN : (before.samples.at(-1) ?? Number.NaN);
    const unread = Array.from({ length: Math.min(most, slots - 1) }, () => between);
    return { at: readAt, samples: [...before.samples, ...unread, value].slice(-most) };
  };
  const longerBy = (before: Courses | undefined, values: Readonly<Record<string, number>>, readAt: number): Courses =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, longer(before?.[name], value, readAt)]));
  return {
    sampleRows(list, rows, readAt) {
      const { trend } = list;
      if (!trend) return;
      const values = Object.fromEntries(rows.map((row) => [list.idOf(row), trend(row)]));
      lists.set(list.id, longerBy(lists.get(list.id), values, readAt));
    },
    sampleNumbers(listId, values, readAt) {
      const before = lists.get(listId) ?? {};
      const young = Object.entries(before).filter(([, { at }]) => readAt - at < seenForMs);
      lists.set(listId, { ...Object.fromEntries(young), ...longerBy(before, values, readAt) });
    },
    of: (listId, name) => lists.get(listId)?.[name]?.samples ?? [],
    all: (listId) => lists.get(listId),
  };
}
