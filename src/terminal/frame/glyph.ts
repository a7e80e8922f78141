import { isSimple } from '../../lib/text.ts';

/** The second cell of a wide character. */
export const covered = 0;
export const blank = 0x20;

/** Texts of cells as numbers, so that two cells compare as numbers: a single character is its code point. */
export interface GlyphTable {
  of(text: string): number;
  text(glyph: number): string;
  /** Whether every terminal moves its cursor by the same number of cells for it. */
  isSure(glyph: number): boolean;
  /** Whether it is one character of one cell, in every terminal, that joins no neighbor. */
  isCertain(glyph: number): boolean;
  /** How many bytes the glyph takes in UTF-8. */
  bytes(glyph: number): number;
  /** So many texts of several characters are known that it is time to forget those that are not shown. */
  isFull(): boolean;
  /** Forgets all of them; numbers given before have no meaning then. */
  clear(): void;
}

const firstOfSeveral = 0x110000;
const mostOfSeveral = 4096;

export function createGlyphs(): GlyphTable {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  const text = (glyph: number): string => {
    if (glyph === covered) return '';
    return glyph < firstOfSeveral ? String.fromCodePoint(glyph) : (texts[glyph - firstOfSeveral] ?? '');
  };
  return {
    of(given) {
      const point = given.codePointAt(0) ?? covered;
      if (given.length === (point > 0xffff ? 2 : 1)) return point;
      const known = numbers.get(given);
      if (known !== undefined) return known;
      const number = firstOfSeveral + texts.push(given) - 1;
      numbers.set(given, number);
      return number;
    },
    text,
    isSure: (glyph) => (glyph <= 0xffff ? (kindOf(glyph) & sure) !== 0 : !disputed.test(text(glyph))),
    isCertain: (glyph) => glyph <= 0xffff && isCertain(glyph),
    bytes(glyph) {
      if (glyph >= firstOfSeveral) return Buffer.byteLength(text(glyph));
      return glyph < 0x80 ? 1 : glyph < 0x800 ? 2 : glyph < 0x10000 ? 3 : 4;
    },
    isFull: () => texts.length > mostOfSeveral,
    clear() {
      numbers.clear();
      texts.length = 0;
    },
  };
}

/** Characters whose width terminals disagree about: emoji, flags, marks, and what is newer than most of them. */
const disputed = /[\p{Extended_Pictographic}\p{Regional_Indicator}\p{M}\u{10000}-\u{10FFFF}]/u;

const known = 1;
/** Every terminal moves its cursor by the same number of cells. */
const sure = 2;
/** The flag of a glyph that takes one cell and joins no neighbor. */
const simple = 4;

/** What is known of each UTF-16 unit, found out when it is first asked for. */
const kinds = new Uint8Array(0x10000);

function kindOf(unit: number): number {
  const kind = kinds[unit] as number;
  if (kind !== 0) return kind;
  const text = String.fromCharCode(unit);
  const found = known | (disputed.test(text) ? 0 : sure) | (isSimple(text) ? simple : 0);
  kinds[unit] = found;
  return found;
}

/** Whether a UTF-16 unit is a character of one cell, in every terminal, that joins no neighbor: most of every screen. */
export const isCertain = (unit: number): boolean => (kindOf(unit) & (sure | simple)) === (sure | simple);
