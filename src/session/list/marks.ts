import type { RowsById } from './row-table.ts';

/** Ids of marked rows. */
export type Marks = Iterable<string> & Pick<ReadonlySet<string>, 'has' | 'size'>;

export const none: Marks = new Set();

/** Ids of which each is a byte in the slot that the tables of its list keep for it: to make a set of 100,000 takes 70 ms. */
class SlotMarks implements Marks {
  readonly slots: Map<string, number>;
  readonly isIn: Uint8Array;
  readonly size: number;

  constructor(slots: Map<string, number>, isIn: Uint8Array, size: number) {
    this.slots = slots;
    this.isIn = isIn;
    this.size = size;
  }

  has(id: string): boolean {
    const slot = this.slots.get(id);
    return slot !== undefined && this.isIn[slot] === 1;
  }

  *[Symbol.iterator]() {
    for (const [id, slot] of this.slots) if (this.isIn[slot] === 1) yield id;
  }
}

/** The marks with these ids, or without them. Rows that come later are not among them, whatever slots they get. */
export function marking(marks: Marks, ids: readonly string[], rows: RowsById, isOn = true): Marks {
  if (!(marks instanceof SlotMarks) && marks.size > 0) return marking(marking(none, [...marks], rows), ids, rows, isOn);
  const { slots, isIn: before, size: sizeBefore } = marks instanceof SlotMarks ? marks : noneOf(rows.slots);
  // An id that no table has now gets a slot too: slots are never given to another id.
  const isIn = new Uint8Array(Math.max(before.length, slots.size + ids.length));
  isIn.set(before);
  let size = sizeBefore;
  for (const id of ids) {
    const known = slots.get(id);
    const slot = known ?? slots.size;
    if (known === undefined) slots.set(id, slot);
    size += Number(isOn) - (isIn[slot] as number);
    isIn[slot] = Number(isOn);
  }
  return new SlotMarks(slots, isIn, size);
}

const noneOf = (slots: Map<string, number>) => new SlotMarks(slots, new Uint8Array(0), 0);
