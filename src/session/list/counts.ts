import type { Tone } from '../../describe/column.ts';
import type { Context } from '../../describe/context.ts';
import type { AnyList, RowState } from '../../describe/screen.ts';
import { present } from '../../lib/present.ts';
import type { Row, SeenRows } from './list-state.ts';
import { isContinued } from './row-order.ts';

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
export const countRows = (list: AnyList, rows: readonly Row[], seen: SeenRows | undefined, context: Context): Counts =>
  counting(list, seen)(rows, context);

/** Counts all rows that it has been given so far. */
type Counting = (more: readonly Row[], context: Context) => Counts;

/** The counts of one share their sets: they grow with the list. */
function counting(list: AnyList, seen: SeenRows | undefined): Counting {
  const states: readonly RowState<Row>[] = list.states ?? [];
  const tally = states.map(() => ({ count: 0, aside: 0, isLeast: false }));
  const labels = new Map<string, string>();
  const fresh = new Set<string>();
  const freshNeeds: Record<string, number> = {};
  const needPerson = new Set<string>();
  const add = (row: Row, context: Context) => {
    const id = list.idOf(row);
    if (labels.has(id)) return;
    const at = states.findIndex((state) => state.isIn(row, context));
    const state = states[at];
    const counted = tally[at];
    labels.set(id, state?.label ?? '');
    if (counted) {
      counted.count += 1;
      const isSo = state?.aside?.isSo(row, context);
      if (isSo) counted.aside += 1;
      else if (isSo === undefined) counted.isLeast = true;
    }
    const needs = state?.needsPerson;
    if (needs !== undefined) needPerson.add(id);
    if (!seen) return;
    if (seen.has(id) && (needs === undefined || seen.get(id) === state?.label)) return;
    fresh.add(id);
    if (needs !== undefined) freshNeeds[needs] = (freshNeeds[needs] ?? 0) + 1;
  };
  const countOf = (state: RowState<Row>, at: number): StateCount[] => {
    const { count, aside, isLeast } = tally[at] as (typeof tally)[number];
    if (count === 0) return [];
    const { label, tone, needsPerson } = state;
    const isAside = state.aside && (aside > 0 || isLeast);
    return [
      {
        label,
        count,
        ...present({ tone, needsPerson }),
        ...(isAside ? { aside: { label: state.aside.label, count: aside, isLeast } } : {}),
      },
    ];
  };
  return (more, context) => {
    for (const row of more) add(row, context);
    const shared = { needPerson, fresh, freshNeeds: { ...freshNeeds }, labels };
    return { ...shared, total: labels.size, states: states.flatMap(countOf) };
  };
}

/** The state of a row in a word: its label in the title, else what its first column says. */
export function stateWord(list: AnyList, row: Row, context: Context): string {
  const label = countRows(list, [row], undefined, context).labels.get(list.idOf(row));
  return label || list.columns[0]?.text(row, context) || '–';
}

/** The lists of a screen together. */
function sumCounts(each: readonly Counts[]): ScreenCounts {
  const [only] = each;
  if (only && each.length === 1) {
    const fresh = only.fresh.intersection(only.needPerson).size;
    return { total: only.total, needPerson: only.needPerson.size, fresh: only.fresh.size, freshNeeds: fresh };
  }
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

const none: ReadonlySet<string> = new Set();

/** Rows that are counted again at a time when only the minute has changed; until all are, what was counted before stands. */
const rowsAgain = 5000;

/** `countRows`, kept for each list until what was seen or the minute change; of a list that grows only the new rows are counted. */
export function createCounter(): typeof countRows {
  interface Kept {
    readonly on: readonly unknown[];
    readonly rows: readonly Row[];
    readonly count: Counting | undefined;
    readonly counts: Counts;
    /** They are counted again because the minute has changed: how many have been. */
    readonly again?: { readonly count: Counting; readonly done: number };
  }
  const memo = new Map<string, Kept>();
  return (list, rows, seen, context) => {
    // Mutes end with the time, and nothing else of a row does.
    const on = [seen, Math.floor(context.now / 60_000)];
    const before = memo.get(list.id);
    const kept = before?.on.every((value, at) => value === on[at]) ? before : undefined;
    if (before && before.rows === rows && before.on[0] === seen && rows.length > rowsAgain && (before.again || !kept)) {
      const { count, done } = before.again ?? { count: counting(list, seen), done: 0 };
      const next = done + rowsAgain;
      const counts = count(rows.slice(done, next), context);
      const isWhole = next >= rows.length;
      const now = { on, rows, count: isWhole ? count : before.count, counts: isWhole ? counts : before.counts };
      memo.set(list.id, isWhole ? now : { ...now, again: { count, done: next } });
      return now.counts;
    }
    if (kept?.rows === rows) return kept.counts;
    // All of it has been seen just now: 100,000 rows are not counted again for that.
    if (before?.rows === rows && seen === before.counts.labels && before.on[1] === on[1]) {
      const counts = { ...before.counts, fresh: none, freshNeeds: {} };
      memo.set(list.id, { on, rows, count: undefined, counts });
      return counts;
    }
    const isSame = kept !== undefined || (before?.on[0] === seen && rows.length > rowsAgain);
    const known = isSame && before?.count && isContinued(before.rows, rows) ? before : undefined;
    const count = known?.count ?? counting(list, seen);
    const counts = count(known ? rows.slice(known.rows.length) : rows, context);
    memo.set(list.id, { on: known?.on ?? on, rows, count, counts });
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
