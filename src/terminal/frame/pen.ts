import { ESC } from '../sequences.ts';
import { hasSureWidth, type Row } from './row.ts';
import { plain, type Styles } from './style.ts';

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
export const penAtHome: Pen = { row: 0, column: 0, style: plain };

/** The shortest bytes that move the cursor. */
export function move({ row, column }: Pen, toRow: number, toColumn: number): string {
  const absolute = `${ESC}[${toRow === 0 ? '' : toRow + 1}${toColumn === 0 ? '' : `;${toColumn + 1}`}H`;
  const down = toRow - row;
  const ways = [absolute];
  if (down === 0) ways.push(across(column, toColumn));
  else {
    const vertical = `${ESC}[${Math.abs(down) === 1 ? '' : Math.abs(down)}${down > 0 ? 'B' : 'A'}`;
    ways.push(vertical + across(column, toColumn));
    // The carriage return makes the line feed mean the same with and without ONLCR.
    if (down > 0) ways.push(`\r${'\n'.repeat(down)}${across(0, toColumn)}`);
  }
  return ways.reduce((best, way) => (bytesOnWire(way) < bytesOnWire(best) ? way : best));
}

/** Bytes of a text on the wire. A line feed becomes two bytes in the terminal driver. */
export const bytesOnWire = (text: string): number => Buffer.byteLength(text) + text.split('\n').length - 1;

/** Bytes of a text on the wire. */
export function bytesOf(text: string): number {
  const code = text.charCodeAt(0);
  return text.length > 1 ? Buffer.byteLength(text) : code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
}

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

const digits = (value: number): number => (value < 10 ? 1 : value < 100 ? 2 : value < 1000 ? 3 : String(value).length);

/** Erases two cells, whatever width the terminal gives to the character that follows. */
export const clearPair = `${ESC}[2X`;

/** Bytes, and the pen after them. */
export interface Stroke {
  readonly bytes: string;
  readonly pen: Pen;
}

/** Writes the cells of a row from `from` to before `to`; the pen stands on `from`. */
export function write(pen: Pen, styles: Styles, row: Row, from: number, to: number): Stroke {
  let { style } = pen;
  let bytes = '';
  let isSure = true;
  for (let at = from; at < to; at += 1) {
    const text = row.texts[at] as string;
    if (text === '') continue;
    if (!isSure) {
      bytes += across(undefined, at);
      isSure = true;
    }
    const wanted = row.styles[at] as number;
    if (text !== ' ' || styles.ofBlank(style) !== wanted) {
      bytes += styles.between(style, wanted);
      style = wanted;
    }
    isSure = hasSureWidth(text);
    // A terminal that takes the character for a narrow one would leave what stood in its second cell.
    bytes += isSure || row.texts[at + 1] !== '' ? text : clearPair + text;
  }
  const isAtEnd = to >= row.texts.length;
  return { bytes, pen: { row: pen.row, column: isAtEnd || !isSure ? undefined : to, style } };
}
