import { cells, graphemes } from '../../lib/text.ts';
import { linkableUrl } from '../hyperlinks.ts';
import { blank, covered, createGlyphs, type GlyphTable, isCertain } from './glyph.ts';
import { createStyles, plainStyle, type Styles } from './style.ts';

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
