import type { Marks, Row } from './list-state.ts';
import type { RowsById } from './row-table.ts';

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

/** Slots of ids by their places: asked of one order of 100,000 rows again and again, where each id takes a look into a large map. */
const slotsKnown = new WeakMap<readonly string[], { readonly of: Map<string, number>; readonly at: Uint32Array }>();

/** An id that no table has now gets a slot too: slots are never given to another id. */
function slotsOf(ids: readonly string[], slots: Map<string, number>): Uint32Array {
  const known = slotsKnown.get(ids);
  if (known?.of === slots) return known.at;
  const at = new Uint32Array(ids.length);
  for (let place = 0; place < ids.length; place += 1) {
    const id = ids[place] as string;
    const slot = slots.get(id) ?? slots.size;
    if (slot === slots.size) slots.set(id, slot);
    at[place] = slot;
  }
  slotsKnown.set(ids, { of: slots, at });
  return at;
}

/** The marks with the ids from one place to before another, or without them. Rows that come later are not among them. */
export function marking(
  marks: Marks,
  ids: readonly string[],
  rows: RowsById,
  { isOn = true, from = 0, to = ids.length } = {},
): Marks {
  if (!(marks instanceof SlotMarks) && marks.size > 0)
    return marking(marking(none, [...marks], rows), ids, rows, { isOn, from, to });
  const before = marks instanceof SlotMarks ? marks : new SlotMarks(rows.slots, new Uint8Array(0), 0);
  const { slots } = before;
  const of = slotsOf(ids, slots).subarray(from, to);
  const isIn = new Uint8Array(slots.size);
  isIn.set(before.isIn);
  let { size } = before;
  for (const slot of of) {
    size += Number(isOn) - (isIn[slot] as number);
    isIn[slot] = Number(isOn);
  }
  return new SlotMarks(slots, isIn, size);
}

/** The rows of these ids that are marked, in their order. */
export function markedRows(marks: Marks, ids: readonly string[], rows: RowsById): readonly Row[] {
  // A small set is asked sooner than the slots of all rows are found.
  if (!(marks instanceof SlotMarks) || marks.slots !== rows.slots || 4 * marks.size < ids.length) {
    const few = new Set(marks);
    return ids.filter((id) => few.has(id)).map((id) => rows.get(id));
  }
  const marked: Row[] = [];
  for (const slot of slotsOf(ids, marks.slots)) if (marks.isIn[slot] === 1) marked.push(rows.at(slot));
  return marked;
}
