import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { inOwnPages } from './packed.ts';

/** Rows whose texts are packed as one: alone they would take five times the bytes. */
const rowsTogether = 32;
/** So many bundles of all lists stay unpacked: more than a screen has rows, each of which may be of another one. */
const mostUnpacked = 64;

/** Bundles that are unpacked, the oldest first. */
const unpacked: (() => void)[] = [];

/** Texts of rows outside the heap: a few of them are asked for at a time, or all in their order. */
export class PackedTexts {
  /** The first bundle, which the others repeat, is as it was. */
  readonly #bytes: Buffer;
  /** Of each bundle the place behind it. */
  readonly #ends: readonly number[];
  readonly #ofRow: number;
  readonly #unpacked = new Map<number, readonly string[]>();

  /** The texts of all rows, as many of each row, one behind the other. */
  constructor(texts: readonly string[], ofRow: number) {
    const bundles: Buffer[] = [];
    const ends: number[] = [];
    let end = 0;
    for (let at = 0; at < texts.length; at += rowsTogether * ofRow) {
      const json = Buffer.from(JSON.stringify(texts.slice(at, at + rowsTogether * ofRow)));
      const [dictionary] = bundles;
      const bundle = dictionary ? deflateRawSync(json, { level: 3, dictionary }) : json;
      bundles.push(bundle);
      end += bundle.length;
      ends.push(end);
    }
    this.#bytes = inOwnPages(Buffer.concat(bundles));
    this.#ends = ends;
    this.#ofRow = ofRow;
  }

  at(row: number, nth: number): string {
    const bundle = this.#bundle(Math.floor(row / rowsTogether));
    return bundle[(row % rowsTogether) * this.#ofRow + nth] as string;
  }

  #bundle(at: number): readonly string[] {
    const known = this.#unpacked.get(at);
    if (known) return known;
    const bytes = this.#bytes.subarray(this.#ends[at - 1] ?? 0, this.#ends[at]);
    const json = at === 0 ? bytes : inflateRawSync(bytes, { dictionary: this.#bytes.subarray(0, this.#ends[0]) });
    const texts = JSON.parse(json.toString()) as readonly string[];
    this.#unpacked.set(at, texts);
    unpacked.push(() => this.#unpacked.delete(at));
    if (unpacked.length > mostUnpacked) unpacked.shift()?.();
    return texts;
  }
}
