import type { Tone } from '../../describe/column.ts';
import type { Context } from '../../describe/context.ts';
import type { AnyList, RowState } from '../../describe/screen.ts';
import { areAlike } from '../../lib/alike.ts';
import { present } from '../../lib/present.ts';
import type { Row } from './list-state.ts';
import { RowTable, type RowTables } from './row-table.ts';
import { type SeenRows, seenAgain, unseenOf } from './seen-rows.ts';

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
  readonly labels: Labels;
}

/** What a filter leaves, counted. */
export interface Listed extends Pick<Counts, 'states'> {
  /** Those of them that are new, in the order of the list. */
  readonly fresh: readonly string[];
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

/** Whether rows of a list may need a person: until it is read, those of its screen are at least as many as are counted. */
export const mayNeedPerson = ({ states = [] }: AnyList): boolean =>
  states.some(({ needsPerson }) => needsPerson !== undefined);

/** Counts rows by state, and what is new against what was seen; nothing is new before a first look. */
export function countRows(list: AnyList, rows: readonly Row[], seen: SeenRows | undefined, context: Context): Counts {
  const counting = new Counting(list, RowTable.of(rows, list.idOf), seen);
  counting.add(rows, context);
  return counting.counts();
}

/** What a slot's code tells besides the number of its row's state, from 2 on: 0 is not counted, 1 is in no state. */
const isAside = 1 << 6;
const isUnknown = 1 << 7;
const inNoState = 1;
const firstState = 2;

/** The place of a code's state in its list; below 0 for none. */
const stateAt = (code: number): number => (code & ~(isAside | isUnknown)) - firstState;

/** Codes of the rows of a table, outside the heap: a copy of 100,000 takes no time. */
interface Codes {
  bySlot: Uint8Array;
  counted: number;
}

/** The label of each row's state; empty where no state counts it. */
class Labels {
  readonly #list: AnyList;
  readonly #table: RowTable;
  readonly #codes: Codes;

  constructor(list: AnyList, table: RowTable, codes: Codes) {
    this.#list = list;
    this.#table = table;
    this.#codes = codes;
  }

  get size(): number {
    return this.#codes.counted;
  }

  get(id: string): string | undefined {
    const code = this.#codes.bySlot[this.#table.slotOf(id) ?? -1] ?? 0;
    return code === 0 ? undefined : (this.#list.states?.[stateAt(code)]?.label ?? '');
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  /** Of these rows, as many as have each state. */
  tally(ids: readonly string[]): readonly Tally[] {
    const tallies = (this.#list.states ?? []).map(() => ({ count: 0, aside: 0, unknown: 0 }));
    for (const id of ids) {
      const code = this.#codes.bySlot[this.#table.slotOf(id) ?? -1] ?? 0;
      const tally = tallies[stateAt(code)];
      if (tally) addTo(tally, code, 1);
    }
    return tallies;
  }

  keys(): readonly string[] {
    return this.#table.inOrder().flatMap((row) => (this.has(this.#list.idOf(row)) ? [this.#list.idOf(row)] : []));
  }
}

/** Rows in a state so far. */
interface Tally {
  count: number;
  aside: number;
  unknown: number;
}

function addTo(tally: Tally, code: number, by: 1 | -1): void {
  tally.count += by;
  if ((code & isAside) !== 0) tally.aside += by;
  if ((code & isUnknown) !== 0) tally.unknown += by;
}

/** Rows of a filter that are counted for each letter: a few milliseconds. */
const mostListed = 10_000;

/** Counts the rows of a table. Those of one share their sets: they grow with the list. */
class Counting {
  readonly #list: AnyList;
  readonly #states: readonly RowState<Row>[];
  readonly #table: RowTable;
  readonly #seen: SeenRows | undefined;
  readonly #codes: Codes;
  readonly #labels: Labels;
  readonly #tally: readonly Tally[];
  readonly #needPerson: Set<string>;
  readonly #fresh: Set<string>;

  constructor(list: AnyList, table: RowTable, seen: SeenRows | undefined, from?: Counting) {
    this.#list = list;
    this.#states = list.states ?? [];
    this.#table = table;
    this.#seen = seen;
    this.#codes = from
      ? { ...from.#codes, bySlot: from.#codes.bySlot.slice() }
      : { bySlot: new Uint8Array(table.room), counted: 0 };
    this.#labels = new Labels(list, table, this.#codes);
    this.#tally = from
      ? from.#tally.map((tally) => ({ ...tally }))
      : this.#states.map(() => ({ count: 0, aside: 0, unknown: 0 }));
    this.#needPerson = new Set(from ? from.#needPerson : []);
    this.#fresh = new Set(from ? from.#fresh : []);
  }

  /** Counts these rows of its table, of rows with one id the last. */
  add(rows: readonly Row[], context: Context): void {
    if (this.#codes.bySlot.length < this.#table.room) {
      const more = new Uint8Array(2 * this.#table.room);
      more.set(this.#codes.bySlot);
      this.#codes.bySlot = more;
    }
    for (const row of rows) this.#count(this.#list.idOf(row), context);
  }

  /** What was counted, of a later table: only the rows of these slots are counted again. */
  changed(table: RowTable, slots: readonly number[], context: Context): Counting {
    const next = new Counting(this.#list, table, this.#seen, this);
    const rows = slots.flatMap((slot) => {
      const [before, now] = [this.#table.at(slot), table.at(slot)];
      if (before !== undefined) next.#uncount(slot, this.#list.idOf(before));
      return now === undefined ? [] : [now];
    });
    next.add(rows, context);
    return next;
  }

  /** The same rows against what was seen now; undefined where each must be asked whether it is new. */
  seeing(seen: SeenRows): Counting | undefined {
    const unseen = unseenOf(seen, this.#labels);
    const again = unseen ? this.#fresh.union(unseen) : seenAgain(seen, this.#seen);
    if (!again) return undefined;
    const next = new Counting(this.#list, this.#table, seen, this);
    for (const id of again) next.#tellNew(id);
    return next;
  }

  /** Keeps whether a row that was counted is new. */
  #tellNew(id: string): void {
    const code = this.#codes.bySlot[this.#table.slotOf(id) ?? -1] ?? 0;
    if (code !== 0 && this.#isNew(id, this.#states[stateAt(code)])) this.#fresh.add(id);
    else this.#fresh.delete(id);
  }

  #isNew(id: string, state: RowState<Row> | undefined): boolean {
    if (!this.#seen) return false;
    const before = this.#seen.get(id);
    return before === undefined || (state?.needsPerson !== undefined && before !== state.label);
  }

  #count(id: string, context: Context): void {
    const slot = this.#table.slotOf(id) as number;
    if (this.#codes.bySlot[slot] !== 0) return;
    const row = this.#table.at(slot) as Row;
    const at = this.#states.findIndex((state) => state.isIn(row, context));
    const state = this.#states[at];
    const tally = this.#tally[at];
    let code = at < 0 ? inNoState : at + firstState;
    if (tally) {
      const isSo = state?.aside?.isSo(row, context);
      if (isSo) code |= isAside;
      else if (isSo === undefined) code |= isUnknown;
      addTo(tally, code, 1);
    }
    this.#codes.bySlot[slot] = code;
    this.#codes.counted += 1;
    if (state?.needsPerson !== undefined) this.#needPerson.add(id);
    if (this.#isNew(id, state)) this.#fresh.add(id);
  }

  #uncount(slot: number, id: string): void {
    const code = this.#codes.bySlot[slot] ?? 0;
    if (code === 0) return;
    const tally = this.#tally[stateAt(code)];
    if (tally) addTo(tally, code, -1);
    this.#codes.bySlot[slot] = 0;
    this.#codes.counted -= 1;
    this.#needPerson.delete(id);
    this.#fresh.delete(id);
  }

  counts(): Counts {
    const freshNeeds: Record<string, number> = {};
    for (const id of this.#fresh.intersection(this.#needPerson)) {
      const label = this.#labels.get(id);
      const needs = this.#states.find((state) => state.label === label)?.needsPerson ?? '';
      freshNeeds[needs] = (freshNeeds[needs] ?? 0) + 1;
    }
    const shared = { needPerson: this.#needPerson, fresh: this.#fresh, labels: this.#labels };
    return {
      ...shared,
      freshNeeds,
      total: this.#codes.counted,
      states: statesOf(this.#states, this.#tally),
    };
  }
}

const lists = new WeakMap<Counts, { readonly ids: readonly string[]; readonly listed: Listed }>();

/** Some of the counted rows alone; undefined where they are so many that a letter of a filter would wait for it. */
export function countListed({ states = [] }: AnyList, counts: Counts, ids: readonly string[]): Listed | undefined {
  if (ids.length > mostListed) return undefined;
  const known = lists.get(counts);
  if (known?.ids === ids) return known.listed;
  const { labels, fresh } = counts;
  const listed = { states: statesOf(states, labels.tally(ids)), fresh: ids.filter((id) => fresh.has(id)) };
  lists.set(counts, { ids, listed });
  return listed;
}

const statesOf = (states: readonly RowState<Row>[], tally: readonly Tally[]): readonly StateCount[] =>
  states.flatMap((state, at) => stateCount(state, tally[at] as Tally));

function stateCount(
  { label, tone, needsPerson, aside: of }: RowState<Row>,
  { count, aside, unknown }: Tally,
): StateCount[] {
  if (count === 0) return [];
  const isLeast = unknown > 0;
  const isShown = of !== undefined && (aside > 0 || isLeast);
  return [
    {
      label,
      count,
      ...present({ tone, needsPerson }),
      ...(isShown ? { aside: { label: of.label, count: aside, isLeast } } : {}),
    },
  ];
}

/** The state of a row in a word: its label in the title, else what its first column says. */
export function stateWord(list: AnyList, row: Row, context: Context): string {
  const label = list.states?.find((state) => state.isIn(row, context))?.label;
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

/** Rows that are counted again at a time when only the minute has changed; until all are, what was counted before stands. */
const rowsAgain = 5000;

/**
 * `countRows`, kept for each list until what was seen or the minute changes. When a read changes some rows of a list, only
 * those are counted again.
 */
export function createCounter(tables: RowTables): typeof countRows {
  interface Kept {
    readonly on: readonly unknown[];
    readonly rows: readonly Row[];
    readonly table: RowTable;
    readonly counting: Counting;
    readonly counts: Counts;
    /** They are counted again because the minute has changed: how many have been. */
    readonly again?: { readonly counting: Counting; readonly done: number };
  }
  const memo = new Map<string, Kept>();
  /** What is kept, against what was seen now; undefined where all rows must be counted for that. */
  const against = (kept: Kept, seen: SeenRows | undefined): Kept | undefined => {
    if (kept.on[0] === seen) return kept;
    const counting = seen && kept.counting.seeing(seen);
    const { rows, table } = kept;
    return counting && { on: [seen, kept.on[1]], rows, table, counting, counts: counting.counts() };
  };
  return (list, rows, seen, context) => {
    // Mutes end with the time, and nothing else of a row does.
    const on = [seen, Math.floor(context.now / 60_000)];
    const last = memo.get(list.id);
    const before = last && against(last, seen);
    const isSameMinute = before !== undefined && areAlike(before.on, on);
    const table = tables(list, rows);
    const keep = (now: Kept): Counts => {
      memo.set(list.id, now);
      return now.counts;
    };
    const isMany = rows.length > rowsAgain;
    // Where many were looked at, what the minute changes is counted from the next call on.
    if (before?.rows === rows && (isSameMinute || (isMany && before !== last))) return keep(before);
    if (before?.rows === rows && isMany) {
      const { counting, done } = before.again ?? { counting: new Counting(list, table, seen), done: 0 };
      const next = done + rowsAgain;
      counting.add(rows.slice(done, next), context);
      if (next < rows.length) return keep({ ...before, again: { counting, done: next } });
      return keep({ on, rows, table, counting, counts: counting.counts() });
    }
    const others = before && (isSameMinute || isMany) ? table.since(before.table) : undefined;
    if (!before || !others) {
      const counting = new Counting(list, table, seen);
      counting.add(rows, context);
      return keep({ on, rows, table, counting, counts: counting.counts() });
    }
    const changed = (of: Counting) => (table === before.table ? of : of.changed(table, others, context));
    const counting = changed(before.counting);
    if (table === before.table) counting.add(rows.slice(before.rows.length), context);
    const { again } = before;
    // Rows may have moved by as many places as are others.
    const goesOn = again && { counting: changed(again.counting), done: Math.max(0, again.done - others.length) };
    // What is counted in a later minute than the rest is counted again with it.
    return keep({ on: before.on, rows, table, counting, counts: counting.counts(), ...present({ again: goesOn }) });
  };
}

/** `sumCounts`, kept for each screen until the counts of one of its lists change. */
export function createSums(): (screen: string, each: readonly Counts[]) => ScreenCounts {
  const memo = new Map<string, { readonly each: readonly Counts[]; readonly sum: ScreenCounts }>();
  return (screen, each) => {
    const before = memo.get(screen);
    if (before && areAlike(before.each, each)) return before.sum;
    const sum = sumCounts(each);
    memo.set(screen, { each, sum });
    return sum;
  };
}
