import { ESC } from '../sequences.ts';
import { blank, covered } from './glyph.ts';
import type { FrameRow, StylePalette } from './row.ts';
import { plainStyle } from './style.ts';

/**
 * Where the terminal's cursor is and how it draws, and the bytes that lead from there. `column` is undefined where
 * terminals may disagree: after the last cell of a row, and after a character of disputed width.
 */
export interface Pen {
  readonly row: number;
  readonly column: number | undefined;
  readonly style: number;
}

/** The pen after an erased screen. */
export const penAtHome: Pen = { row: 0, column: 0, style: plainStyle };

/** The shortest bytes that move the cursor. */
export function move({ row, column }: Pen, toRow: number, toColumn: number): string {
  const absolute = `${ESC}[${toRow === 0 ? '' : toRow + 1}${toColumn === 0 ? '' : `;${toColumn + 1}`}H`;
  const down = toRow - row;
  const relative = vertically(down) + across(column, toColumn);
  const best = relative.length < absolute.length ? relative : absolute;
  if (down <= 0) return best;
  // The carriage return makes the line feed mean the same with and without ONLCR, which makes two bytes of it.
  const onward = across(0, toColumn);
  return 1 + 2 * down + onward.length <= best.length ? `\r${'\n'.repeat(down)}${onward}` : best;
}

/** By one row: index (IND) and reverse index (RI), a byte shorter than CUD and CUU; within the screen they scroll nothing. */
function vertically(down: number): string {
  if (Math.abs(down) <= 1) return ['', `${ESC}D`, `${ESC}M`].at(down) as string;
  return `${ESC}[${Math.abs(down)}${down > 0 ? 'B' : 'A'}`;
}

/** Bytes of a text on the wire. A line feed becomes two bytes in the terminal driver. */
export const bytesOnWire = (text: string): number => Buffer.byteLength(text) + text.split('\n').length - 1;

/** The shortest bytes that move the cursor within its row. */
export function across(column: number | undefined, to: number): string {
  if (column === to) return '';
  const absolute = to === 0 ? '\r' : `${ESC}[${to + 1}G`;
  if (column === undefined) return absolute;
  const by = to - column;
  const relative = by > 0 ? `${ESC}[${by === 1 ? '' : by}C` : by >= -3 ? '\b'.repeat(-by) : `${ESC}[${-by}D`;
  return relative.length < absolute.length ? relative : absolute;
}

/** Bytes of `across`, which is asked for every cell of a row. */
export function acrossBytes(column: number | undefined, to: number): number {
  if (column === to) return 0;
  const absolute = to === 0 ? 1 : 3 + digits(to + 1);
  if (column === undefined) return absolute;
  const by = Math.abs(to - column);
  const relative = to > column ? (by === 1 ? 3 : 3 + digits(by)) : by <= 3 ? by : 3 + digits(by);
  return Math.min(relative, absolute);
}

/** Digits of a positive number. */
export const digits = (value: number): number =>
  value < 10 ? 1 : value < 100 ? 2 : value < 1000 ? 3 : String(value).length;

/** Erases two cells, whatever width the terminal gives to the character that follows. */
export const clearPair = `${ESC}[2X`;

/** Bytes, and the pen after them. */
export interface Stroke {
  readonly bytes: string;
  readonly pen: Pen;
}

/** Writes the cells of a row from `from` to before `to`; the pen stands on `from`. */
export function write(pen: Pen, { glyphs, styles }: StylePalette, row: FrameRow, from: number, to: number): Stroke {
  const { text } = row;
  let { style } = pen;
  let bytes = '';
  let isSure = true;
  /** Where the cells begin that are written in this style. */
  let begun = from;
  for (let column = from; column < to; column += 1) {
    const glyph = row.glyphs[column] as number;
    const wanted = row.styles[column] as number;
    const isTurn = wanted !== style && glyph !== covered && (glyph !== blank || styles.ofBlank(style) !== wanted);
    if (text !== undefined) {
      if (!isTurn) continue;
      bytes += text.slice(begun, column) + styles.between(style, wanted);
      begun = column;
      style = wanted;
      continue;
    }
    if (glyph === covered) continue;
    if (!isSure) bytes += across(undefined, column);
    if (isTurn) {
      bytes += styles.between(style, wanted);
      style = wanted;
    }
    isSure = glyphs.isSure(glyph);
    // A terminal that takes the character for a narrow one would leave what stood in its second cell.
    if (!isSure && row.glyphs[column + 1] === covered) bytes += clearPair;
    bytes += glyphs.text(glyph);
  }
  if (text !== undefined) bytes += text.slice(begun, to);
  const isAtEnd = to >= row.glyphs.length;
  return { bytes, pen: { row: pen.row, column: isAtEnd || !isSure ? undefined : to, style } };
}
