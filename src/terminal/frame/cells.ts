import { cells, graphemes, isSimple } from '../../lib/text.ts';
import { ESC, linkableUrl } from '../sequences.ts';

/** How a cell is drawn. Colors are the parameters of their SGR sequence, empty for the terminal's own. */
interface Style {
  readonly foreground: string;
  readonly background: string;
  /** Bits of `attributes`. */
  readonly flags: number;
  /** Address of the link that the cell belongs to; empty for none. */
  readonly link: string;
}

/** SGR parameters of each attribute: on and off. Bold and dim are turned off together. */
const attributes = [
  { on: 1, off: 22 },
  { on: 2, off: 22 },
  { on: 3, off: 23 },
  { on: 4, off: 24 },
  { on: 7, off: 27 },
  { on: 9, off: 29 },
  { on: 53, off: 55 },
] as const;

/** Attributes that are seen on a blank: underlined, inverse, struck, overlined. */
const seenOnBlanks = 0b111_1000;

const mostRemembered = 4096;

/** The style of a cell that nobody has styled. */
export const plainStyle = 0;

/** Styles by small numbers, so that two cells compare as numbers. One table for all writers: styles are few and never change. */
export interface Styles {
  /** The style after the parameters of an SGR sequence; unknown ones change nothing. */
  styled(style: number, parameters: string): number;
  /** The style with this link; with an empty one, without. */
  linked(style: number, link: string): number;
  /** The number of the style that a blank with this style looks like. */
  ofBlank(style: number): number;
  hasBackground(style: number): boolean;
  /** Bytes that turn the style `from` into the style `to`; empty for the same. */
  between(from: number, to: number): string;
  /** How many bytes `between` has. */
  bytesBetween(from: number, to: number): number;
}

/** Styles whose turns are looked up in a table: a screen has some twenty. */
const few = 64;

function createStyles(): Styles {
  const numbers = new Map<string, number>();
  const all: Style[] = [];
  const blanks: number[] = [];
  const turns = new Map<number, string>();
  const lengths = new Int32Array(few * few).fill(-1);
  const following = new Map<string, number[]>();
  const number = (style: Style): number => {
    const name = `${style.foreground}|${style.background}|${style.flags}|${style.link}`;
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, all.length);
    return all.push(style) - 1;
  };
  number({ foreground: '', background: '', flags: 0, link: '' });
  const style = (at: number) => all[at] as Style;
  const between = (from: number, to: number): string => {
    if (from === to) return '';
    const pair = from * 65_536 + to;
    const known = turns.get(pair);
    if (known !== undefined) return known;
    const turn = turned(style(from), style(to));
    turns.set(pair, turn);
    return turn;
  };
  return {
    styled(from, parameters) {
      const next = following.get(parameters);
      const known = next?.[from];
      if (known !== undefined) return known;
      const found = number(styledBy(style(from), parameters));
      // A line may name any colors: what is remembered is bounded.
      if (next) next[from] = found;
      else if (following.size < mostRemembered) following.set(parameters, []);
      return found;
    },
    linked: (from, link) => number({ ...style(from), link }),
    hasBackground: (at) => style(at).background !== '',
    ofBlank(styleId) {
      const known = blanks[styleId];
      if (known !== undefined) return known;
      const { foreground, background, flags, link } = style(styleId);
      const seen = flags & seenOnBlanks;
      const blank = number({ foreground: seen === 0 ? '' : foreground, background, flags: seen, link });
      blanks[styleId] = blank;
      return blank;
    },
    between,
    bytesBetween(from, to) {
      if (from === to) return 0;
      if (from >= few || to >= few) return between(from, to).length;
      const pair = from * few + to;
      if (lengths[pair] === -1) lengths[pair] = between(from, to).length;
      return lengths[pair] as number;
    },
  };
}

function turned(from: Style, to: Style): string {
  const link = from.link === to.link ? '' : `${ESC}]8;;${to.link}${ESC}\\`;
  const changes = sgr(changed(from, to));
  const anew = sgr(['', ...changed({ foreground: '', background: '', flags: 0, link: '' }, to)]);
  return link + (anew.length < changes.length ? anew : changes);
}

const sgr = (parameters: readonly string[]): string =>
  parameters.length === 0 ? '' : `${ESC}[${parameters.join(';')}m`;

function changed(from: Style, to: Style): string[] {
  const gone = attributes.filter((_, bit) => from.flags & ~to.flags & (1 << bit));
  const off = [...new Set(gone.map((attribute) => attribute.off))];
  // What an off parameter turns off besides must be set again.
  const switchedOn = attributes.filter(
    (attribute, bit) =>
      (to.flags & (1 << bit)) !== 0 && ((from.flags & (1 << bit)) === 0 || off.some((code) => code === attribute.off)),
  );
  return [
    ...off.map(String),
    ...switchedOn.map((attribute) => String(attribute.on)),
    ...(from.foreground === to.foreground ? [] : [to.foreground || '39']),
    ...(from.background === to.background ? [] : [to.background || '49']),
  ];
}

/** Parameters that set a color: one of the sixteen, or with 38 and 48 any. */
const foregrounds = /^(?:3[0-8]|9[0-7])(?:;|$)/;
const backgrounds = /^(?:4[0-8]|10[0-7])(?:;|$)/;

function styledBy(style: Style, parameters: string): Style {
  const codes = parameters.split(';').map(Number);
  let styled = style;
  for (let index = 0; index < codes.length; ) {
    const isLong = codes[index] === 38 || codes[index] === 48;
    const length = isLong ? (codes[index + 1] === 5 ? 3 : 5) : 1;
    styled = styledByOne(styled, codes[index] as number, codes.slice(index, index + length).join(';'));
    index += length;
  }
  return styled;
}

/** The style after one code; `color` is the code with what follows it where it sets a color. */
function styledByOne(style: Style, code: number, color: string): Style {
  if (code === 0) return { ...style, foreground: '', background: '', flags: 0 };
  if (foregrounds.test(color)) return { ...style, foreground: color };
  if (backgrounds.test(color)) return { ...style, background: color };
  if (code === 39) return { ...style, foreground: '' };
  if (code === 49) return { ...style, background: '' };
  const bits = (side: 'on' | 'off') =>
    attributes.reduce((flags, attribute, bit) => (attribute[side] === code ? flags | (1 << bit) : flags), 0);
  return { ...style, flags: (style.flags & ~bits('off')) | bits('on') };
}

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

function createGlyphs(): GlyphTable {
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
    bytes: (glyph) => (glyph < 0x80 ? 1 : glyph < 0x800 ? 2 : glyph < 0x10000 ? 3 : Buffer.byteLength(text(glyph))),
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
const isCertain = (unit: number): boolean => (kindOf(unit) & (sure | simple)) === (sure | simple);

/** One row of the terminal. */
export interface FrameRow {
  /** Numbers of `Glyphs`. A wide character is followed by `covered`. */
  readonly glyphs: Uint32Array;
  /** Numbers of `Styles`. */
  readonly styles: Uint32Array;
  /** The texts of all cells, where each is one character that every terminal gives one cell. */
  text: string | undefined;
}

/** The glyphs and styles that the numbers in rows stand for. */
export interface StylePalette {
  readonly glyphs: GlyphTable;
  readonly styles: Styles;
}

export const createPalette = (): StylePalette => ({ glyphs: createGlyphs(), styles: createStyles() });

/** A row of blanks. */
export const blankRow = (columns: number): FrameRow => ({
  glyphs: new Uint32Array(columns).fill(blank),
  styles: new Uint32Array(columns).fill(plainStyle),
  text: ' '.repeat(columns),
});

/** The sequences that style text: SGR, and links (OSC 8). Nothing else of a line has an effect. */
const styling = /\u001B\[([\d;]*)m|\u001B\]8;[^;\u0007\u001B]*;([!-~]*)(?:\u0007|\u001B\\)/g;

/** What a terminal would act on, and marks that turn the direction of text. */
const foreign =
  /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

/**
 * A line of the renderer as cells, put into a row: cut or filled with blanks. Only styling sequences are read; each other
 * control character becomes `?`, so that no byte of a line reaches the terminal as a command.
 */
export function readRow(line: string, { glyphs, styles }: StylePalette, into: FrameRow): FrameRow {
  const columns = into.glyphs.length;
  let text: string | undefined = '';
  let style: number = plainStyle;
  let spaced = styles.ofBlank(style);
  let cell = 0;
  const add = (from: number, to: number) => {
    const begun = cell;
    const end = Math.min(to, from + columns - cell);
    let unit = from;
    for (; unit < end; unit += 1) {
      const code = line.charCodeAt(unit);
      if (!isCertain(code)) break;
      into.glyphs[cell] = code;
      into.styles[cell] = code === blank ? spaced : style;
      cell += 1;
    }
    if (unit === to || isCertain(line.charCodeAt(unit))) {
      if (text !== undefined) text += line.slice(from, unit);
      return;
    }
    // What joins its neighbors is taken apart with them.
    cell = putGraphemes(line.slice(from, to), glyphs, into.glyphs, begun);
    for (let at = begun; at < cell; at += 1) into.styles[at] = into.glyphs[at] === blank ? spaced : style;
    text = undefined;
  };
  let from = 0;
  for (let next = line.indexOf('\u001B'); next >= 0; next = line.indexOf('\u001B', from)) {
    styling.lastIndex = next;
    const match = styling.exec(line);
    if (match === null) break;
    add(from, match.index);
    from = styling.lastIndex;
    const [, parameters, link = ''] = match;
    if (parameters !== undefined) style = styles.styled(style, parameters);
    else style = styles.linked(style, link !== '' && linkableUrl(link) === link ? link : '');
    spaced = styles.ofBlank(style);
  }
  add(from, line.length);
  into.glyphs.fill(blank, cell);
  into.styles.fill(plainStyle, cell);
  into.text = text === undefined ? undefined : text.padEnd(columns);
  return into;
}

/** Puts a text of any characters into the cells of a row from `begun` on; returns the cell after it. */
function putGraphemes(text: string, glyphs: GlyphTable, row: Uint32Array, begun: number): number {
  let cell = begun;
  for (const letter of graphemes(text.toWellFormed().replace(foreign, '?'))) {
    const width = letter === ' ' ? 1 : cells(letter);
    if (width === 0) {
      // A mark without a base of its own belongs to the cell before.
      const base = row.subarray(0, cell).findLastIndex((glyph) => glyph !== covered);
      if (base >= 0) row[base] = glyphs.of(glyphs.text(row[base] as number) + letter);
      continue;
    }
    if (cell + width > row.length) return cell;
    // A terminal that takes a symbol for a wide one puts it into the next row, over what is there.
    const isOver = cell + width === row.length && width === 1 && !glyphs.isSure(letter.codePointAt(0) as number);
    row[cell] = glyphs.of(isOver ? '?' : letter);
    row.fill(covered, cell + 1, cell + width);
    cell += width;
  }
  return cell;
}
