import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { parseExact, stringifyExact } from './json.ts';
import type { Sliced } from './slices.ts';

/** JSON of a bundle at most, in UTF-16 units, unless one value alone is longer: one that is asked for unpacks all of its bundle. */
const mostText = 64 * 1024;
/** Values of a bundle at most: one that has changed is another bundle. */
const mostValues = 32;

/** JSON values that are packed as one, because alone they would take ten times the bytes. */
class Bundle {
  #texts: string[] = [];
  /** Those that are left as they are until the bundle is compared. */
  #loose: unknown[] = [];
  #length = 0;
  #bytes: string | undefined;
  #values: WeakRef<readonly unknown[]> | undefined;

  /** Whether no further value belongs in it. */
  get isFull(): boolean {
    return this.#texts.length + this.#loose.length >= mostValues || this.#length >= mostText;
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

  pack(): void {
    const texts = this.#loose.length > 0 ? this.#loose.map((value) => stringifyExact(value)) : this.#texts;
    // A text of one byte a letter: it lies in the heap, where small pieces leave no holes.
    this.#bytes = deflateRawSync(`[${texts.join()}]`, { level: 1 }).toString('latin1');
    this.#texts = [];
    this.#loose = [];
  }

  /** Its values; they stay for as long as somebody holds them. */
  values(): readonly unknown[] {
    if (this.#loose.length > 0) return this.#loose;
    const known = this.#values?.deref();
    if (known) return known;
    if (!this.#bytes) return parseExact(`[${this.#texts.join()}]`) as readonly unknown[];
    const values = parseExact(inflateRawSync(Buffer.from(this.#bytes, 'latin1')).toString()) as readonly unknown[];
    this.#values = new WeakRef(values);
    return values;
  }

  isSame(other: Bundle): boolean {
    if (this === other) return true;
    for (const one of [this, other]) if (one.#loose.length > 0) one.pack();
    return this.#bytes !== undefined && this.#bytes === other.#bytes;
  }
}

/** A JSON value that is kept for long and seldom looked at. In JSON it is written as that value. */
export class Packed {
  readonly #bundle: Bundle;
  readonly #at: number;

  constructor(bundle: Bundle, at: number) {
    this.#bundle = bundle;
    this.#at = at;
  }

  /** The value; each call may give another object that is equal. */
  get value(): unknown {
    return this.#bundle.values()[this.#at];
  }

  /** Whether it was surely packed from the same values; nothing is unpacked for it. */
  isSame(other: Packed): boolean {
    return this.#at === other.#at && this.#bundle.isSame(other.#bundle);
  }

  toJSON(): unknown {
    return this.value;
  }
}

/** The value, where it may be packed. */
export const unpacked = (value: unknown): unknown => (value instanceof Packed ? value.value : value);

/** Rows unpacked between two pauses: a few milliseconds. */
const sliceRows = 10;

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

export function createPacker(): Packer {
  const open = { bundle: new Bundle(), loose: new Bundle() };
  const close = () => {
    open.bundle.pack();
    open.bundle = new Bundle();
  };
  return {
    pack(value) {
      const { bundle } = open;
      const packed = new Packed(bundle, bundle.add(stringifyExact(value)));
      if (bundle.isFull) close();
      return packed;
    },
    leave(value) {
      const { loose } = open;
      const packed = new Packed(loose, loose.leave(value));
      if (loose.isFull) open.loose = new Bundle();
      return packed;
    },
    close,
  };
}
