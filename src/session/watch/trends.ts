import type { AnyList } from '../../describe/screen.ts';
import type { Row } from '../rows/list-state.ts';

/** Samples kept of each number; one is drawn as one cell. */
const most = 24;

/** The course of numbers over the polls: one for each row of a list with a trend, and what a feed names. */
export interface Trends {
  /** Rows were read: the numbers of those that are gone are dropped. */
  sampleRows(list: AnyList, rows: readonly Row[]): void;
  sampleNumbers(listId: string, values: Readonly<Record<string, number>>): void;
  /** Samples, oldest first. */
  of(listId: string, name: string): readonly number[];
}

export function createTrends(): Trends {
  const courses = new Map<string, ReadonlyMap<string, readonly number[]>>();
  const none: ReadonlyMap<string, readonly number[]> = new Map();
  const courseOf = (listId: string) => courses.get(listId) ?? none;
  const longer = (before: readonly number[] = [], value: number) => [...before.slice(1 - most), value];
  return {
    sampleRows(list, rows) {
      const { trend } = list;
      if (!trend) return;
      const before = courseOf(list.id);
      courses.set(
        list.id,
        new Map(rows.map((row) => [list.idOf(row), longer(before.get(list.idOf(row)), trend(row))])),
      );
    },
    sampleNumbers(listId, values) {
      const before = courseOf(listId);
      const after = Object.entries(values).map(([name, value]) => [name, longer(before.get(name), value)] as const);
      courses.set(listId, new Map([...before, ...after]));
    },
    of: (listId, name) => courseOf(listId).get(name) ?? [],
  };
}
