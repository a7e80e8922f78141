/** One residue class of the keys; more than one only for files with millions of rows. */
interface KeyShare {
  readonly number: number;
  readonly of: number;
}

/**
 * Finds texts that came before among millions, in the memory of a fixed table: it holds 32 bits of each, so what it
 * finds are suspicions that a second look must confirm. When the table is nearly full, half of the texts are left to a
 * later pass over the file: `pass` as long as it says that one is needed.
 */
export interface DuplicateFinder {
  /** Whether a text may have come before in this pass. */
  note(text: string): void;
  /** Whether this text's suspicion is to be looked at. */
  isSuspect(text: string): boolean;
  /** Begins the next pass; false when there is none. The first pass needs no call. */
  pass(): boolean;
  suspects(): number;
}

/** 2^21 slots of four bytes: 8 MB for 1.6 million keys a pass, touched only as far as there are keys. */
const usualBits = 21;
const fullest = 0.8;

/** Creates an empty finder; the table has 2^bits slots. */
export function createDuplicateFinder(bits = usualBits): DuplicateFinder {
  const slots = new Uint32Array(2 ** bits);
  const mask = slots.length - 1;
  const most = Math.floor(slots.length * fullest);
  const suspects = new Set<number>();
  const waiting: KeyShare[] = [];
  const whole: KeyShare = { number: 0, of: 1 };
  const state = { share: whole, used: 0 };

  /** True when it was there already. */
  const insert = (mark: number): boolean => {
    for (let at = Math.imul(mark, 0x9e3779b1) >>> (32 - bits); ; at = (at + 1) & mask) {
      const there = slots[at];
      if (there === mark) return true;
      if (there !== 0) continue;
      slots[at] = mark;
      state.used += 1;
      return false;
    }
  };
  const mine = (mark: number): boolean => mark % state.share.of === state.share.number;
  const halve = (): void => {
    const { number, of: total } = state.share;
    waiting.push({ number: number + total, of: total * 2 });
    state.share = { number, of: total * 2 };
    // `slots.filter` would collect millions of numbers in a list of its own first.
    const ownMarks = new Uint32Array(state.used);
    let count = 0;
    for (const mark of slots) {
      if (mark === 0 || !mine(mark)) continue;
      ownMarks[count] = mark;
      count += 1;
    }
    slots.fill(0);
    state.used = 0;
    for (const mark of ownMarks.subarray(0, count)) insert(mark);
  };

  return {
    note(text) {
      const mark = markOf(text);
      if (!mine(mark)) return;
      if (insert(mark)) suspects.add(mark);
      else if (state.used >= most) halve();
    },
    isSuspect: (text) => suspects.has(markOf(text)),
    pass() {
      const next = waiting.shift();
      if (!next) return false;
      state.share = next;
      slots.fill(0);
      state.used = 0;
      return true;
    },
    suspects: () => suspects.size,
  };
}

/** 32 bits of a text, never 0, which means an empty slot. */
function markOf(text: string): number {
  let mixed = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0 || 1;
}
