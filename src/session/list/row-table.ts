import type { AnyList } from '../../describe/screen.ts';
import type { Row } from './list-state.ts';

/** Rows by id. */
export type RowsById = Pick<ReadonlyMap<string, Row>, 'get' | 'has' | 'size'> & {
  /** Of ids, those of other reads too. */
  readonly slots: Map<string, number>;
  at(slot: number): Row | undefined;
};

/** The rows, and one that they no longer have. */
export const withRow = (rows: RowsById, id: string, row: Row): RowsById => ({
  get: (other) => (other === id ? row : rows.get(other)),
  has: (other) => other === id || rows.has(other),
  size: rows.size + 1,
  slots: rows.slots,
  at: (slot) => (slot === rows.slots.get(id) ? row : rows.at(slot)),
});

/**
 * The rows of one read by id. Each id has a slot, and the tables of later reads use the same ones: what differs between two reads is
 * found without asking a row, and a read that changes few of 100,000 rows makes no new map.
 */
export class RowTable implements RowsById {
  /** Those of all tables that share them. */
  readonly slots: Map<string, number>;
  readonly #bySlot: Row[];
  #rows: readonly Row[];
  #size: number;
  #isAscending = true;
  /** No row behind which one was put has a slot above this one. */
  #lastSlot = -1;

  constructor(slots: Map<string, number>, bySlot: Row[], rows: readonly Row[], size: number) {
    this.slots = slots;
    this.#bySlot = bySlot;
    this.#rows = rows;
    this.#size = size;
  }

  static of(rows: readonly Row[], idOf: (row: Row) => string): RowTable {
    const table = new RowTable(new Map(), [], [], 0);
    table.#append(rows, rows, idOf);
    return table;
  }

  get size(): number {
    return this.#size;
  }

  /** As they were read; of rows with one id it has the last. */
  get rows(): readonly Row[] {
    return this.#rows;
  }

  /** Slots below this one may have a row. */
  get room(): number {
    return this.#bySlot.length;
  }

  get(id: string): Row | undefined {
    const slot = this.slots.get(id);
    return slot === undefined ? undefined : this.#bySlot[slot];
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  slotOf(id: string): number | undefined {
    return this.slots.get(id);
  }

  at(slot: number): Row | undefined {
    return this.#bySlot[slot];
  }

  /** Whether its rows, as the service has them, have ascending slots. */
  get isAscending(): boolean {
    return this.#isAscending;
  }

  /** Its rows, as the service has them. */
  inOrder(): readonly Row[] {
    // Where two rows have one id, nothing has been changed since the slots were given.
    return this.#size === this.#rows.length ? this.#rows : this.#bySlot.filter((row) => row !== undefined);
  }

  /** Slots whose row is another one than in an earlier table; undefined where the two share none. */
  since(earlier: RowTable): readonly number[] | undefined {
    if (earlier === this) return [];
    if (earlier.slots !== this.slots) return undefined;
    const others: number[] = [];
    const [now, before] = [this.#bySlot, earlier.#bySlot];
    const room = Math.max(now.length, before.length);
    for (let slot = 0; slot < room; slot += 1) if (now[slot] !== before[slot]) others.push(slot);
    return others;
  }

  /** The table of the next read: itself where that has only brought more rows, a table of its own where little is the same. */
  next(rows: readonly Row[], idOf: (row: Row) => string): RowTable {
    if (rows === this.#rows) return this;
    const { length } = this.#rows;
    if (length > 0 && isContinued(this.#rows, rows)) {
      const more = rows.slice(length);
      if (!more.some((row) => this.has(idOf(row)))) {
        this.#append(more, rows, idOf);
        return this;
      }
    }
    const isOld = this.slots.size > 2 * rows.length + fewSlots;
    return (isOld ? undefined : this.#changed(rows, idOf)) ?? RowTable.of(rows, idOf);
  }

  #append(more: readonly Row[], rows: readonly Row[], idOf: (row: Row) => string): void {
    for (const row of more) this.#follow(idOf(row), row);
    this.#rows = rows;
  }

  /** Puts a row behind all others. */
  #follow(id: string, row: Row): void {
    this.#put(id, row);
    const slot = this.slots.get(id) as number;
    if (slot <= this.#lastSlot) this.#isAscending = false;
    this.#lastSlot = Math.max(slot, this.#lastSlot);
  }

  #put(id: string, row: Row): void {
    const slot = this.slots.get(id) ?? this.slots.size;
    if (this.#bySlot[slot] === undefined) this.#size += 1;
    // Slots of ids that only earlier tables have.
    while (this.#bySlot.length < slot) this.#bySlot.push(undefined);
    this.slots.set(id, slot);
    this.#bySlot[slot] = row;
  }

  #changed(rows: readonly Row[], idOf: (row: Row) => string): RowTable | undefined {
    // Of two rows with one id, which is meant cannot be told from what has changed.
    if (this.#size !== this.#rows.length) return undefined;
    const change = difference(this.#rows, rows, idOf);
    if (!change) return undefined;
    const next = new RowTable(this.slots, this.#bySlot.slice(), rows, this.#size);
    const isBehind = rows[rows.length - change.added.length] === change.added[0];
    next.#isAscending = this.#isAscending && (isBehind || change.added.length === 0);
    next.#lastSlot = this.#lastSlot;
    for (const row of change.gone) {
      next.#bySlot[this.slots.get(idOf(row)) as number] = undefined;
      next.#size -= 1;
    }
    for (const row of change.other) next.#put(idOf(row), row);
    for (const row of change.added) {
      const id = idOf(row);
      if (next.has(id)) return undefined;
      next.#follow(id, row);
    }
    return next;
  }
}

/** Slots of ids that are gone may be so many more, however few rows there are. */
const fewSlots = 1000;
/** Rows that came or went together are looked for so far. */
const nearby = 1000;

interface Difference {
  readonly other: Row[];
  readonly gone: Row[];
  readonly added: Row[];
}

/** What is other in rows than before; undefined where they have another order. Rows that are the same are not asked for their id. */
function difference(before: readonly Row[], rows: readonly Row[], idOf: (row: Row) => string): Difference | undefined {
  const found: Difference = { other: [], gone: [], added: [] };
  const stepsTo = (all: readonly Row[], from: number, id: string) =>
    all.slice(from, from + nearby).findIndex((row) => idOf(row) === id);
  let [old, now] = [0, 0];
  while (old < before.length && now < rows.length) {
    if (before[old] === rows[now]) {
      old += 1;
      now += 1;
      continue;
    }
    const [was, is] = [idOf(before[old]), idOf(rows[now])];
    if (was === is) {
      found.other.push(rows[now]);
      old += 1;
      now += 1;
      continue;
    }
    const gone = stepsTo(before, old, is);
    const added = gone < 0 ? stepsTo(rows, now, was) : 0;
    if (gone < 0 && added < 0) return undefined;
    for (const end = old + Math.max(0, gone); old < end; old += 1) found.gone.push(before[old]);
    for (const end = now + added; now < end; now += 1) found.added.push(rows[now]);
  }
  found.gone.push(...before.slice(old));
  found.added.push(...rows.slice(now));
  return found;
}

/** Whether these are the earlier rows, the very same ones, and perhaps more behind them. */
function isContinued(earlier: readonly Row[], rows: readonly Row[]): boolean {
  if (earlier.length > rows.length) return false;
  // Asked of 100,000 rows for each page: a function for each row would take ten times as long.
  for (let at = 0; at < earlier.length; at += 1) if (earlier[at] !== rows[at]) return false;
  return true;
}

/** Gives the rows of each list as a table. */
export type RowTables = (list: AnyList, rows: readonly Row[]) => RowTable;

/** The last table of each list is kept for the next read. */
export function createRowTables(): RowTables {
  const kept = new Map<string, RowTable>();
  return (list, rows) => {
    const before = kept.get(list.id);
    const table = before?.next(rows, list.idOf) ?? RowTable.of(rows, list.idOf);
    kept.set(list.id, table);
    return table;
  };
}
