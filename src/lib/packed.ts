import { hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { parseExact, stringifyExact } from './json.ts';
import type { Sliced } from './slices.ts';

/** JSON of a bundle at most, in UTF-16 units, unless one value alone is longer: one that is asked for unpacks all of its bundle. */
const mostText = 64 * 1024;
/** Values of a bundle at most: one that has changed is another bundle. */
const mostValues = 32;

/** Of what has been packed before it a bundle may repeat so many bytes: the window of deflate. */
const window = 32 * 1024;

/** Bytes of bundles that were packed together, outside the heap, where no collection traces or copies them. */
interface Slab {
  bytes: Buffer;
  /** The first of them, which the others repeat. */
  readonly first: Bundle;
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
  #digest = '';
  #values: WeakRef<readonly unknown[]> | undefined;
  #json: WeakRef<Buffer> | undefined;

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
    const json = Buffer.from(`[${this.#texts.join()}]`);
    this.#slab = slab;
    if (slab.first === this) this.#json = new WeakRef(json);
    const bytes = deflateRawSync(json, { level: 3, ...this.#repeated() });
    this.#digest = hash('sha1', json, 'base64');
    this.#texts = [];
    this.#from = from;
    this.#to = from + bytes.length;
    return bytes;
  }

  #repeated(): { dictionary?: Buffer } {
    const first = this.#slab?.first;
    return first === undefined || first === this ? {} : { dictionary: first.#text().subarray(-window) };
  }

  #text(): Buffer {
    const known = this.#json?.deref();
    if (known) return known;
    const text = inflateRawSync((this.#slab as Slab).bytes.subarray(this.#from, this.#to), this.#repeated());
    if (this.#slab?.first === this) this.#json = new WeakRef(text);
    return text;
  }

  /** Its values; they stay for as long as somebody holds them. */
  values(): readonly unknown[] {
    if (this.#loose.length > 0) return this.#loose;
    const known = this.#values?.deref();
    if (known) return known;
    if (!this.#slab) return parseExact(`[${this.#texts.join()}]`) as readonly unknown[];
    const values = parseExact(this.#text().toString()) as readonly unknown[];
    this.#values = new WeakRef(values);
    return values;
  }

  #packLoose(): void {
    this.#texts = this.#loose.map((value) => stringifyExact(value));
    this.#loose = [];
    const slab: Slab = { bytes: Buffer.alloc(0), first: this };
    slab.bytes = this.pack(slab, 0);
  }

  isSame(other: Bundle): boolean {
    if (this === other) return true;
    for (const one of [this, other]) if (one.#loose.length > 0) one.#packLoose();
    return this.#digest !== '' && this.#digest === other.#digest;
  }
}

/** A JSON value that is kept for long and seldom looked at. In JSON it is written as that value. */
export class Packed {
  readonly #bundle: Bundle;
  readonly #at: number;
  readonly #left: string | undefined;

  constructor(bundle: Bundle, at: number, left?: string) {
    this.#bundle = bundle;
    this.#at = at;
    this.#left = left;
  }

  /** The value; each call may give another object that is equal. */
  get value(): unknown {
    const whole = this.#bundle.values()[this.#at];
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
    return this.#at === other.#at && this.#left === other.#left && this.#bundle.isSame(other.#bundle);
  }

  toJSON(): unknown {
    return this.value;
  }
}

/** The value, where it may be packed. */
export const unpacked = (value: unknown): unknown => (value instanceof Packed ? value.value : value);

/** Rows unpacked between two pauses: a few milliseconds, of 500 groups each. */
const sliceRows = 3;

/** Rows with their packed members unpacked; in slices, because each may unpack a bundle. */
export function* unpackRows(rows: readonly unknown[]): Sliced<readonly unknown[]> {
  const all: unknown[] = [];
  for (const row of rows) {
    if (all.length % sliceRows === sliceRows - 1) yield;
    const members = Object.entries(Object(row)).filter(([, part]) => part instanceof Packed);
    const plain = Object.fromEntries(members.map(([name, part]) => [name, unpacked(part)]));
    all.push(members.length > 0 ? { ...(row as object), ...plain } : row);
  }
  return all;
}

/** Packs JSON values one after the other. `close` after the last one. */
export interface Packer {
  pack(value: unknown): Packed;
  /** For a few values that are looked at now: they stay as they are until they are compared with others. */
  leave(value: unknown): Packed;
  close(): void;
}

/** Bytes of a slab at first. */
const slabBytes = 64 * 1024;

export function createPacker(): Packer {
  const first = new Bundle();
  const slab: Slab = { bytes: Buffer.alloc(0), first };
  const open = { bundle: first, loose: new Bundle(), used: 0 };
  const end = () => {
    const packed = open.bundle.pack(slab, open.used);
    const used = open.used + packed.length;
    if (used > slab.bytes.length) {
      const bytes = Buffer.allocUnsafeSlow(Math.max(slabBytes, 2 * used));
      slab.bytes.copy(bytes, 0, 0, open.used);
      slab.bytes = bytes;
    }
    packed.copy(slab.bytes, open.used);
    open.used = used;
    open.bundle = new Bundle();
  };
  return {
    pack(value) {
      const { bundle } = open;
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
      const { bytes } = slab;
      slab.bytes = Buffer.allocUnsafeSlow(open.used);
      bytes.copy(slab.bytes, 0, 0, open.used);
    },
  };
}
