import type { CacheEntry } from '../../cache/cache.ts';
import type { Context, Rows } from '../../describe/context.ts';
import type { AnyList, RowState } from '../../describe/screen.ts';
import { keptPer } from '../../lib/function-results.ts';
import { present } from '../../lib/values.ts';
import { type Row, type RowsById, rowsById, type SeenRows } from './list-state.ts';

/** Rows in one state. */
export interface StateCount extends Pick<RowState<Row>, 'label' | 'tone' | 'needsPerson'> {
  readonly count: number;
  /** How many of these rows are also in a second state; `isLeast` where not every row tells. */
  readonly aside?: { readonly label: string; readonly count: number; readonly isLeast: boolean };
}

/** ` (5 muted)`, ` (5+ muted)` where not every row tells, ` (? muted)` where none does. */
export const asideText = ({ aside }: StateCount): string =>
  aside ? ` (${aside.isLeast ? (aside.count > 0 ? `${aside.count}+` : '?') : aside.count} ${aside.label})` : '';

/** The rows of one list as last read, counted. */
export interface ListCounts {
  readonly total: number;
  /** States with at least one row, in the list's order. */
  readonly states: readonly StateCount[];
  /** Rows that need a person. */
  readonly needPerson: ReadonlySet<string>;
  /** Those of them that are not muted, with the word for their state and what matters most of them: `P1`, or nothing. */
  readonly unmuted: ReadonlyMap<string, { readonly label: string; readonly rank: string }>;
  /** Rows that came, or that came to need a person, since the last look. */
  readonly fresh: ReadonlySet<string>;
  /** New rows that need a person, by what one is called: `alert`. */
  readonly freshNeeds: Readonly<Record<string, number>>;
  /** The label of each row's state; empty where no state counts it. */
  readonly labels: ReadonlyMap<string, string>;
}

/** What a filter leaves, counted. */
export interface Listed extends Pick<ListCounts, 'states'> {
  /** The shown rows that are new, in the order of the list. */
  readonly fresh: readonly string[];
}

/** The rows of all lists of a screen that have been read; one that is in two of its lists counts once. */
export interface ScreenCounts {
  readonly total: number;
  readonly needPerson: number;
  /** New since the last look. */
  readonly fresh: number;
  /** How many of the new rows need a person. */
  readonly freshNeeds: number;
}

/** Whether rows of a list may need a person: until it is read, those of its screen are at least as many as are counted. */
export const mayNeedPerson = ({ states = [] }: AnyList): boolean =>
  states.some(({ needsPerson }) => needsPerson !== undefined);

/** Whether these are not all rows: a read has not ended, or a snapshot did not keep them. */
export const isPart = ({ partial, isFromSnapshot = false, value }: CacheEntry<Rows<Row>>): boolean =>
  partial || (isFromSnapshot && value?.total !== undefined);

type ByState = Omit<ListCounts, 'fresh' | 'freshNeeds'>;

function countStates(list: AnyList, rows: RowsById, context: Context): ByState {
  const { states = [] } = list;
  const tallies = states.map(() => ({ count: 0, aside: 0, unknown: 0 }));
  const labels = new Map<string, string>();
  const needPerson = new Set<string>();
  const unmuted = new Map<string, { label: string; rank: string }>();
  for (const [id, row] of rows) {
    const at = states.findIndex((state) => state.isIn(row, context));
    const [state, tally] = [states[at], tallies[at]];
    labels.set(id, state?.label ?? '');
    if (!state || !tally) continue;
    const isAside = addTo(tally, state, row, context);
    if (state.needsPerson === undefined) continue;
    needPerson.add(id);
    if (!isAside) unmuted.set(id, { label: state.label, rank: state.rank?.(row) ?? '' });
  }
  return { total: rows.size, states: statesOf(states, tallies), needPerson, unmuted, labels };
}

function countFresh({ states = [] }: AnyList, { labels, needPerson }: ByState, seen: SeenRows | undefined) {
  const fresh = new Set<string>();
  const freshNeeds: Record<string, number> = {};
  for (const [id, label] of seen ? labels : []) {
    const before = seen?.get(id);
    if (before !== undefined && (before === label || !needPerson.has(id))) continue;
    fresh.add(id);
    const needs = needPerson.has(id) && states.find((state) => state.label === label)?.needsPerson;
    if (needs) freshNeeds[needs] = (freshNeeds[needs] ?? 0) + 1;
  }
  return { fresh, freshNeeds };
}

/** Rows in a state so far. */
interface Tally {
  count: number;
  aside: number;
  unknown: number;
}

/** Counts a row in its state; says whether it is set aside there. */
function addTo(tally: Tally, { aside }: RowState<Row>, row: Row, context: Context): boolean {
  tally.count += 1;
  const isSo = aside?.isSo(row, context);
  if (isSo) tally.aside += 1;
  else if (isSo === undefined) tally.unknown += 1;
  return isSo === true;
}

/** Some of the counted rows alone. */
export function countListed(
  { states = [] }: AnyList,
  { labels, fresh }: ListCounts,
  ids: readonly string[],
  rows: RowsById,
  context: Context,
): Listed {
  const tallies = states.map(() => ({ count: 0, aside: 0, unknown: 0 }));
  for (const id of ids) {
    const at = states.findIndex(({ label }) => label === labels.get(id));
    const [state, tally] = [states[at], tallies[at]];
    if (state && tally) addTo(tally, state, rows.get(id), context);
  }
  return { states: statesOf(states, tallies), fresh: ids.filter((id) => fresh.has(id)) };
}

const statesOf = (states: readonly RowState<Row>[], tally: readonly Tally[]): readonly StateCount[] =>
  states.flatMap((state, at) => stateCount(state, tally[at] as Tally));

function stateCount(
  { label, tone, needsPerson, aside: asideOf }: RowState<Row>,
  { count, aside, unknown }: Tally,
): StateCount[] {
  if (count === 0) return [];
  const isLeast = unknown > 0;
  const isShown = asideOf !== undefined && (aside > 0 || isLeast);
  return [
    {
      label,
      count,
      ...present({ tone, needsPerson }),
      ...(isShown ? { aside: { label: asideOf.label, count: aside, isLeast } } : {}),
    },
  ];
}

/** The state of a row in a word: its label in the title, else what its first column says. */
export function stateWord(list: AnyList, row: Row, context: Context): string {
  const label = list.states?.find((state) => state.isIn(row, context))?.label;
  return label || list.columns[0]?.text(row, context) || '–';
}

/** The lists of a screen together. */
export function sumCounts(each: readonly ListCounts[]): ScreenCounts {
  const all = (ids: (counts: ListCounts) => Iterable<string>) => new Set(each.flatMap((counts) => [...ids(counts)]));
  const needPerson = all((counts) => counts.needPerson);
  const fresh = all((counts) => counts.fresh);
  return {
    total: all(({ labels }) => labels.keys()).size,
    needPerson: needPerson.size,
    fresh: fresh.size,
    freshNeeds: fresh.intersection(needPerson).size,
  };
}

/** Counts rows by state, and what is new against what was seen. */
export type Counter = (
  list: AnyList,
  rows: readonly Row[],
  /** Undefined before a first look: nothing is new. */
  seen: SeenRows | undefined,
  context: Context,
) => ListCounts;

/** The counts of a list are kept until its rows, what was seen or the minute change. */
export function createCounter(): Counter {
  const byStates = keptPer<AnyList, ByState>();
  const counts = keptPer<AnyList, ListCounts>();
  return (list, rows, seen, context) => {
    // Mutes end with the time, and nothing else of a row does.
    const minute = Math.floor(context.now / 60_000);
    const byState = byStates(list, [rows, minute], () => countStates(list, rowsById(list, rows), context));
    return counts(list, [byState, seen], () => ({ ...byState, ...countFresh(list, byState, seen) }));
  };
}
