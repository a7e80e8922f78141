import { giveBack } from '../../src/lib/give-back.ts';
import { inOwnPages } from '../../src/lib/own-pages.ts';
import { unzip, zip } from '../../src/lib/zstd.ts';

/** Bytes of texts at which a bundle ends. */
const together = 32 * 1024;
/** So many bundles of all lists stay unpacked in any case. */
const mostUnpacked = 8;

/** Texts that are packed as one: where they lie among all of the list. */
interface Bundle {
  /** Place of its first text. */
  readonly first: number;
  /** Bytes of its texts, unpacked. */
  readonly size: number;
  readonly from: number;
  readonly to: number;
  /** Its texts, until all garbage is collected: a filter asks for those of all rows in another order than that of the bundles. */
  unpacked?: WeakRef<Buffer>;
}

/** The texts that were unpacked last, the oldest first. */
const last: Buffer[] = [];

/** Texts outside the heap that are seldom looked at: in a quarter to a tenth of their bytes. */
export class PackedTexts {
  readonly #bytes: Buffer;
  /** Where each text ends in its bundle. */
  readonly #ends: Uint32Array;
  readonly #bundles: readonly Bundle[];
  readonly #encoding: 'utf8' | 'utf16le';

  constructor(texts: readonly string[]) {
    // UTF-8 has no halves of surrogate pairs.
    this.#encoding = texts.every((text) => text.isWellFormed()) ? 'utf8' : 'utf16le';
    const [bundles, packed]: [Bundle[], Buffer[]] = [[], []];
    this.#ends = new Uint32Array(texts.length);
    let [first, from, length] = [0, 0, 0];
    for (const [at, text] of texts.entries()) {
      length += Buffer.byteLength(text, this.#encoding);
      this.#ends[at] = length;
      if (length < together && at < texts.length - 1) continue;
      const all = Buffer.from(texts.slice(first, at + 1).join(''), this.#encoding);
      const bytes = zip(all);
      giveBack(all);
      packed.push(bytes);
      bundles.push({ first, size: length, from, to: from + bytes.length });
      from += bytes.length;
      first = at + 1;
      length = 0;
    }
    this.#bytes = inOwnPages(Buffer.concat(packed));
    this.#bundles = bundles;
  }

  /** Bytes of all bundles. */
  get bytes(): number {
    return this.#bytes.length;
  }

  at(place: number): string {
    const bundle = this.#bundles.findLast(({ first }) => first <= place) as Bundle;
    const start = place === bundle.first ? 0 : this.#ends[place - 1];
    return this.#textOf(bundle).toString(this.#encoding, start, this.#ends[place]);
  }

  #textOf(bundle: Bundle): Buffer {
    const known = bundle.unpacked?.deref();
    if (known) return known;
    const text = unzip(this.#bytes.subarray(bundle.from, bundle.to), bundle.size);
    bundle.unpacked = new WeakRef(text);
    if (last.push(text) > mostUnpacked) last.shift();
    return text;
  }
}
