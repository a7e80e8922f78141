import type { Tone } from '../../describe/column.ts';
import type { Context } from '../../describe/context.ts';
import type { AnyList, RowState } from '../../describe/screen.ts';
import { present } from '../../lib/present.ts';
import type { Row, SeenRows } from './list-state.ts';

/** Rows in one state. */
export interface StateCount {
  readonly label: string;
  readonly tone?: Tone;
  readonly count: number;
  /** One of them, where they need a person: `alert`. */
  readonly needsPerson?: string;
  /** How many of them are also that; `isLeast` where not every row tells. */
  readonly aside?: { readonly label: string; readonly count: number; readonly isLeast: boolean };
}

/** The rows of one list as last read, counted. */
export interface Counts {
  readonly total: number;
  /** States with at least one row, in the list's order. */
  readonly states: readonly StateCount[];
  /** Rows that need a person. */
  readonly needPerson: ReadonlySet<string>;
  /** Rows that came, or that came to need a person, since the last look. */
  readonly fresh: ReadonlySet<string>;
  /** Those of them that need a person, by what one is called: `alert`. */
  readonly freshNeeds: Readonly<Record<string, number>>;
  /** The state of each row, for what a person sees now. */
  readonly labels: SeenRows;
}

/** The rows of all lists of a screen that have been read; one that is in two of its lists counts once. */
export interface ScreenCounts {
  readonly total: number;
  readonly needPerson: number;
  /** New since the last look. */
  readonly fresh: number;
  /** Those of them that need a person. */
  readonly freshNeeds: number;
}

/** Counts rows by state, and what is new against what was seen; nothing is new before a first look. */
export function countRows(list: AnyList, rows: readonly Row[], seen: SeenRows | undefined, context: Context): Counts {
  const states: readonly RowState<Row>[] = list.states ?? [];
  const tally = states.map(() => ({ count: 0, aside: 0, untold: 0 }));
  const labels = new Map<string, string>();
  const fresh = new Set<string>();
  const freshNeeds: Record<string, number> = {};
  const needPerson = new Set<string>();
  for (const row of rows) {
    const id = list.idOf(row);
    if (labels.has(id)) continue;
    const at = states.findIndex((state) => state.isIn(row, context));
    const state = states[at];
    const counted = tally[at];
    labels.set(id, state?.label ?? '');
    if (counted) {
      counted.count += 1;
      const isSo = state?.aside?.isSo(row, context);
      if (isSo) counted.aside += 1;
      else if (isSo === undefined) counted.untold += 1;
    }
    const needs = state?.needsPerson;
    if (needs !== undefined) needPerson.add(id);
    if (!seen) continue;
    if (seen.has(id) && (needs === undefined || seen.get(id) === state?.label)) continue;
    fresh.add(id);
    if (needs !== undefined) freshNeeds[needs] = (freshNeeds[needs] ?? 0) + 1;
  }
  const counts = states.flatMap((state, at): StateCount[] => {
    const { count, aside, untold } = tally[at] as (typeof tally)[number];
    if (count === 0) return [];
    const { label, tone, needsPerson } = state;
    const isAside = state.aside && (aside > 0 || untold > 0);
    return [
      {
        label,
        count,
        ...present({ tone, needsPerson }),
        ...(isAside ? { aside: { label: state.aside.label, count: aside, isLeast: untold > 0 } } : {}),
      },
    ];
  });
  return {
    total: labels.size,
    states: counts,
    needPerson,
    fresh,
    freshNeeds,
    labels,
  };
}

/** The state of a row in a word: its label in the title, else what its first column says. */
export function stateWord(list: AnyList, row: Row, context: Context): string {
  const label = countRows(list, [row], undefined, context).labels.get(list.idOf(row));
  return label || list.columns[0]?.text(row, context) || '–';
}

/** The lists of a screen together. */
function sumCounts(each: readonly Counts[]): ScreenCounts {
  const all = (ids: (counts: Counts) => Iterable<string>) => new Set(each.flatMap((counts) => [...ids(counts)]));
  const needPerson = all((counts) => counts.needPerson);
  const fresh = all((counts) => counts.fresh);
  return {
    total: all(({ labels }) => labels.keys()).size,
    needPerson: needPerson.size,
    fresh: fresh.size,
    freshNeeds: fresh.intersection(needPerson).size,
  };
}

/** `countRows`, kept for each list until rows, what was seen, or the minute change. */
export function createCounter(): typeof countRows {
  const memo = new Map<string, { readonly on: readonly unknown[]; readonly counts: Counts }>();
  return (list, rows, seen, context) => {
    // Mutes end with the time, and nothing else of a row does.
    const on = [rows, seen, Math.floor(context.now / 60_000)];
    const before = memo.get(list.id);
    if (before?.on.every((value, at) => value === on[at])) return before.counts;
    const counts = countRows(list, rows, seen, context);
    memo.set(list.id, { on, counts });
    return counts;
  };
}

/** `sumCounts`, kept for each screen until the counts of one of its lists change. */
export function createSums(): (screen: string, each: readonly Counts[]) => ScreenCounts {
  const memo = new Map<string, { readonly each: readonly Counts[]; readonly sum: ScreenCounts }>();
  return (screen, each) => {
    const before = memo.get(screen);
    if (before?.each.length === each.length && before.each.every((counts, at) => counts === each[at]))
      return before.sum;
    const sum = sumCounts(each);
    memo.set(screen, { each, sum });
    return sum;
  };
}
