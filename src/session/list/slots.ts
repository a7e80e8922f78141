/** Slots of ids by their places, which the tables of a list give to ids. */
interface Known {
  readonly of: Map<string, number>;
  readonly at: Uint32Array;
}

/** Asked of one order of 100,000 rows again and again, where each id takes a look into a large map. */
const known = new WeakMap<readonly string[], Known>();

/** The slots of these ids. An id that no table has now gets a slot too: slots are never given to another id. */
export function slotsOf(ids: readonly string[], slots: Map<string, number>): Uint32Array {
  const before = known.get(ids);
  if (before?.of === slots) return before.at;
  const at = new Uint32Array(ids.length);
  for (let place = 0; place < ids.length; place += 1) {
    const id = ids[place] as string;
    const slot = slots.get(id) ?? slots.size;
    if (slot === slots.size) slots.set(id, slot);
    at[place] = slot;
  }
  return keepSlots(ids, slots, at);
}

/** Keeps the slots of ids for who asks for them. */
export function keepSlots(ids: readonly string[], slots: Map<string, number>, at: Uint32Array): Uint32Array {
  known.set(ids, { of: slots, at });
  return at;
}
