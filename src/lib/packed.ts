import { hash } from 'node:crypto';
import { giveBack } from './give-back.ts';
import { parseExact, stringifyExact } from './json.ts';
import { ownPages } from './own-pages.ts';
import type { Sliced } from './slices.ts';
import { unzip, zip } from './zstd.ts';

/** JSON of a bundle at most, in UTF-16 units, unless one value alone is longer: one that is asked for unpacks all of its bundle. */
const mostText = 64 * 1024;
/** Values of a bundle at most: one that has changed is another bundle. */
const mostValues = 32;

/** Bytes of a value's digest, which tells whether another one is the same; behind it stands where the value ends in its text. */
const digestBytes = 16;
const recordBytes = digestBytes + Uint32Array.BYTES_PER_ELEMENT;

/** Bytes of bundles that were packed together, outside the heap, where no collection traces or copies them. */
interface Slab {
  bytes: Buffer;
  /** The first of them, which the others repeat. */
  readonly first: Bundle;
}

/**
 * What was unpacked last: the oldest is forgotten for a new one. A weak reference would hold it until all garbage is collected, because a
 * collection of young objects takes it for a strong one.
 */
function createLast(most: number): { add(forget: () => void): void } {
  const kept: (() => void)[] = [];
  return {
    add(forget) {
      if (kept.push(forget) > most) kept.shift()?.();
    },
  };
}

/** Of the row under the cursor, and of those that a preview shows in turn. */
const lastOpen = createLast(8);
/** Texts that others repeat: of the pages that are read at the same time. */
const lastDictionaries = createLast(8);

/** The text of a bundle, and the value that was asked for last. */
interface OpenBundle {
  readonly text: Buffer;
  last?: { readonly at: number; readonly value: unknown };
}

const [bracket, comma, closing] = Buffer.from('[,]') as unknown as [number, number, number];

/** Where texts are put together that are packed one after the other: a buffer for each would be garbage of 64 KB. */
const texts = { room: Buffer.alloc(0) };

function roomFor(bytes: number): Buffer {
  if (bytes > 4 * mostText) return Buffer.allocUnsafeSlow(bytes);
  if (texts.room.length < bytes) texts.room = Buffer.allocUnsafeSlow(4 * mostText);
  return texts.room;
}

/** JSON values that are packed as one, because alone they would take ten times the bytes. */
class Bundle {
  #texts: string[] = [];
  /** Those that are left as they are until the bundle is compared. */
  #loose: unknown[] = [];
  #length = 0;
  #slab: Slab | undefined;
  #from = 0;
  #to = 0;
  /** Bytes of its text. */
  #size = 0;
  #open: OpenBundle | undefined;
  /** Its text, where others repeat it. */
  #kept: Buffer | undefined;

  /** Whether no further value belongs in it. */
  get isFull(): boolean {
    return this.#texts.length + this.#loose.length >= mostValues || this.#length >= mostText;
  }

  get isEmpty(): boolean {
    return this.#texts.length === 0;
  }

  /** Takes one more value; its place. Not after `pack`. */
  add(text: string): number {
    this.#length += text.length;
    return this.#texts.push(text) - 1;
  }

  /** The same for a bundle of values that are left as they are. */
  leave(value: unknown): number {
    return this.#loose.push(value) - 1;
  }

  /** Packs what it has into bytes that are to stand in the slab from there on. */
  pack(slab: Slab, from: number): Buffer {
    const room = roomFor(3 * this.#length + this.#texts.length + 1);
    const records = Buffer.alloc(this.#texts.length * recordBytes);
    let end = 0;
    for (const [at, text] of this.#texts.entries()) {
      room[end] = at === 0 ? bracket : comma;
      const start = end + 1;
      end = start + room.write(text, start);
      hash('sha1', room.subarray(start, end), 'buffer').copy(records, at * recordBytes, 0, digestBytes);
      records.writeUInt32LE(end, at * recordBytes + digestBytes);
    }
    room[end] = closing;
    const json = room.subarray(0, end + 1);
    this.#slab = slab;
    const bytes = zip(json, this.#repeated());
    if (slab.first === this) this.#keep(Buffer.from(json));
    this.#texts = [];
    this.#size = json.length;
    this.#from = from;
    this.#to = from + bytes.length;
    return Buffer.concat([bytes, records]);
  }

  /** Where the digest of a value stands in its slab. */
  #digestAt(at: number): { readonly bytes: Buffer; readonly from: number } {
    if (this.#loose.length > 0) this.#packLoose();
    return { bytes: (this.#slab as Slab).bytes, from: this.#to + at * recordBytes };
  }

  #repeated(): Buffer | undefined {
    const first = this.#slab?.first;
    return first === undefined || first === this ? undefined : first.#dictionary();
  }

  #dictionary(): Buffer {
    return this.#kept ?? this.#keep(this.#text());
  }

  #keep(text: Buffer): Buffer {
    lastDictionaries.add(() => {
      this.#kept = undefined;
      giveBack(text);
    });
    this.#kept = text;
    return text;
  }

  /** Its text, anew each time: who asks for it gives it back. */
  #text(): Buffer {
    const packed = (this.#slab as Slab).bytes.subarray(this.#from, this.#to);
    return unzip(packed, this.#size, this.#repeated());
  }

  /** One of its values; the others are not parsed. */
  value(at: number): unknown {
    if (this.#loose.length > 0) return this.#loose[at];
    if (!this.#slab) return parseExact(this.#texts[at] as string);
    this.#open ??= this.#unpack();
    const { text, last } = this.#open;
    if (last?.at === at) return last.value;
    const value = parseExact(text.toString('utf8', at === 0 ? 1 : this.#endOf(at - 1) + 1, this.#endOf(at)));
    this.#open.last = { at, value };
    return value;
  }

  /** Where a value ends in the text: behind it stands a comma, or the bracket that closes. */
  #endOf(at: number): number {
    return (this.#slab as Slab).bytes.readUInt32LE(this.#to + at * recordBytes + digestBytes);
  }

  #unpack(): OpenBundle {
    const text = this.#text();
    lastOpen.add(() => {
      this.#open = undefined;
      giveBack(text);
    });
    return { text };
  }

  #packLoose(): void {
    this.#texts = this.#loose.map((value) => stringifyExact(value));
    this.#loose = [];
    const slab: Slab = { bytes: Buffer.alloc(0), first: this };
    slab.bytes = this.pack(slab, 0);
  }

  /** Whether two values were packed from the same ones. */
  isSame(at: number, other: Bundle, otherAt: number): boolean {
    if (this === other) return at === otherAt;
    const [one, two] = [this.#digestAt(at), other.#digestAt(otherAt)];
    return one.bytes.compare(two.bytes, two.from, two.from + digestBytes, one.from, one.from + digestBytes) === 0;
  }
}

/** A JSON value that is kept for long and seldom looked at. In JSON it is written as that value. */
export class Packed {
  #bundle: Bundle;
  #at: number;
  readonly #left: string | undefined;

  constructor(bundle: Bundle, at: number, left?: string) {
    this.#bundle = bundle;
    this.#at = at;
    this.#left = left;
  }

  /** The value; each call may give another object that is equal. */
  get value(): unknown {
    const whole = this.#bundle.value(this.#at);
    if (this.#left === undefined || typeof whole !== 'object' || whole === null) return whole;
    const { [this.#left]: _, ...others } = whole as Record<string, unknown>;
    return others;
  }

  /** The same object but for one member; nothing is unpacked for it. */
  without(member: string): Packed {
    return new Packed(this.#bundle, this.#at, member);
  }

  /** Whether it was surely packed from the same values; nothing is unpacked for it. */
  isSame(other: Packed): boolean {
    return this.#left === other.#left && this.#bundle.isSame(this.#at, other.#bundle, other.#at);
  }

  /** From now on it is unpacked from where an equal value lies, so that what it was packed with can be given up. */
  moveTo(same: Packed): void {
    this.#bundle = same.#bundle;
    this.#at = same.#at;
  }

  toJSON(): unknown {
    return this.value;
  }
}

/** The values of one packer, in the order in which they were packed. */
export class PackedList {
  readonly #bundles: readonly Bundle[];
  /** Place of the first value of each. */
  readonly #starts: readonly number[];

  constructor(bundles: readonly Bundle[], starts: readonly number[]) {
    this.#bundles = bundles;
    this.#starts = starts;
  }

  at(place: number): Packed {
    const nth = this.#starts.findLastIndex((start) => start <= place);
    return new Packed(this.#bundles[nth] as Bundle, place - (this.#starts[nth] as number));
  }
}

/** A row whose members lie outside the heap. A spread does not copy them: `plainRow` does. */
export abstract class PackedRow {
  /** Whether it surely says the same. */
  abstract isSame(other: PackedRow): boolean;
  /** From now on its members are read where those of an equal row lie, so that what it was read from can be given up. */
  abstract moveTo(same: PackedRow): void;
  /** A copy with members of its own. */
  abstract plain(): object;

  toJSON(): unknown {
    return this.plain();
  }
}

/** The row with members of its own. */
export const plainRow = <Row>(row: Row): Row => (row instanceof PackedRow ? (row.plain() as Row) : row);

/** The value, where it may be packed. */
export const unpacked = (value: unknown): unknown => (value instanceof Packed ? value.value : value);

/** Rows unpacked between two pauses: a few milliseconds, of 500 groups each. */
const sliceRows = 3;

/** Rows with their packed members unpacked; in slices, because each may unpack a bundle. */
export function* unpackRows(rows: readonly unknown[]): Sliced<readonly unknown[]> {
  const all: unknown[] = [];
  for (const row of rows) {
    if (all.length % sliceRows === sliceRows - 1) yield;
    const own = plainRow(row);
    const members = Object.entries(Object(own)).filter(([, part]) => part instanceof Packed);
    const plain = Object.fromEntries(members.map(([name, part]) => [name, unpacked(part)]));
    all.push(members.length > 0 ? { ...(own as object), ...plain } : own);
  }
  return all;
}

/** Packs JSON values one after the other. `close` after the last one. */
export interface Packer {
  pack(value: unknown): Packed;
  /** For a few values that are looked at now: they stay as they are until they are compared with others. */
  leave(value: unknown): Packed;
  /** What was packed. */
  close(): PackedList;
}

/** Bytes that a slab may have before it is copied: so many addresses are reserved, and memory is taken as it grows. */
const slabRoom = 1024 * 1024;

export function createPacker(): Packer {
  const first = new Bundle();
  const slab: Slab = { bytes: Buffer.alloc(0), first };
  const open = { bundle: first, loose: new Bundle(), room: ownPages(0, slabRoom), packed: 0 };
  const [bundles, starts]: [Bundle[], number[]] = [[], []];
  const end = () => {
    const from = slab.bytes.length;
    const packed = open.bundle.pack(slab, from);
    const used = from + packed.length;
    if (used <= open.room.maxByteLength) open.room.resize(used);
    else open.room = ownPages(used, 4 * used);
    const bytes = Buffer.from(open.room);
    if (bytes.buffer !== slab.bytes.buffer) slab.bytes.copy(bytes);
    packed.copy(bytes, from);
    slab.bytes = bytes;
    open.bundle = new Bundle();
  };
  return {
    pack(value) {
      const { bundle } = open;
      if (bundle.isEmpty) {
        bundles.push(bundle);
        starts.push(open.packed);
      }
      open.packed += 1;
      const packed = new Packed(bundle, bundle.add(stringifyExact(value)));
      if (bundle.isFull) end();
      return packed;
    },
    leave(value) {
      const { loose } = open;
      const packed = new Packed(loose, loose.leave(value));
      if (loose.isFull) open.loose = new Bundle();
      return packed;
    },
    close() {
      if (!open.bundle.isEmpty) end();
      return new PackedList(bundles, starts);
    },
  };
}
