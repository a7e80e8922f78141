import type { IBufferCell } from '@xterm/headless';

/** How a cell is drawn. Colors are the parameters of the shortest SGR sequence for them, empty for the terminal's own. */
export interface Look {
  readonly foreground: string;
  readonly background: string;
  /** The SGR parameters of the attributes that are set. */
  readonly attributes: readonly number[];
}

/** One cell. The second cell of a wide character has an empty text. Equal looks are the same object. */
export interface ScreenCell {
  readonly text: string;
  readonly look: Look;
}

/** What a terminal shows, where its cursor is and how it would draw the next character. */
export interface Screen {
  readonly cells: readonly (readonly ScreenCell[])[];
  /** The column is undefined after the last cell of a row. */
  readonly cursor: Cursor;
  readonly pen: Look;
}

export interface Cursor {
  readonly row: number;
  readonly column: number | undefined;
}

/** Attributes that are seen on a blank: underlined, inverse, struck, overlined. */
const seenOnBlanks = [4, 7, 9, 53];

/** The look of a cell, from those that are known. */
export function lookOf(cell: IBufferCell, known: Map<string, Look>): Look {
  const attributes = [
    ...(cell.isBold() ? [1] : []),
    ...(cell.isDim() ? [2] : []),
    ...(cell.isItalic() ? [3] : []),
    ...(cell.isUnderline() ? [4] : []),
    ...(cell.isInverse() ? [7] : []),
    ...(cell.isStrikethrough() ? [9] : []),
    ...(cell.isOverline() ? [53] : []),
  ];
  const foreground = cell.isFgDefault() ? '' : color(cell.isFgRGB(), cell.getFgColor(), 30);
  const background = cell.isBgDefault() ? '' : color(cell.isBgRGB(), cell.getBgColor(), 40);
  return theOne({ foreground, background, attributes }, known);
}

/** A cell of the terminal. What cannot be seen on a blank is left out of its look. */
export function cellOf(cell: IBufferCell, known: Map<string, Look>): ScreenCell {
  const text = cell.getWidth() === 0 ? '' : cell.getChars() || ' ';
  const look = lookOf(cell, known);
  return { text, look: text === ' ' ? onBlank(look, known) : look };
}

/** The look of a blank that is drawn with this look. */
export function onBlank({ foreground, background, attributes }: Look, known: Map<string, Look>): Look {
  const seen = attributes.filter((attribute) => seenOnBlanks.includes(attribute));
  return theOne({ foreground: seen.length > 0 ? foreground : '', background, attributes: seen }, known);
}

function theOne(look: Look, known: Map<string, Look>): Look {
  const name = `${look.foreground}|${look.background}|${look.attributes.join()}`;
  const same = known.get(name) ?? look;
  known.set(name, same);
  return same;
}

function color(isRgb: boolean, value: number, base: number): string {
  if (isRgb) return `${base + 8};2;${value >> 16};${(value >> 8) & 255};${value & 255}`;
  if (value < 8) return String(base + value);
  return value < 16 ? String(base + 52 + value) : `${base + 8};5;${value}`;
}
