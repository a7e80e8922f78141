import { whileAlike } from './function-results.ts';
import { paint } from './paint.ts';
import { cells, graphemes } from './text.ts';

/** From this width on, the right part of a form says what would happen (docs/design/screens.md#forms). */
const paneFrom = 120;
const leastForm = 72;
const formShare = 0.45;

/** Cells of a form with its borders, and of the pane beside it; 0 where there is none. */
export function formParts(columns: number, hasPane: boolean): { readonly form: number; readonly pane: number } {
  const form = hasPane && columns >= paneFrom ? Math.max(leastForm, Math.floor(columns * formShare)) : columns;
  return { form, pane: columns - form };
}

/** Cells left of an input: the mark of the focus, the label and a gap. */
const aroundLabel = 4;
/** Cells of a box besides its text: brackets, a sign or space behind the first, and the cell behind the last letter. */
const aroundText = 4;
/** The most cells of a label on a form of any width. */
const widestLabel = 26;

/** The cells inside the borders of a form: of its labels, and of an input with its brackets. */
export function inputParts(
  labels: readonly string[],
  inner: number,
): { readonly label: number; readonly input: number } {
  const longest = labels.reduce((most, label) => Math.max(most, cells(label)), 0);
  const label = Math.min(longest, Math.max(Math.floor(inner / 3), Math.min(widestLabel, Math.floor(inner * 0.42))));
  return { label, input: Math.max(aroundText + 1, inner - label - aroundLabel - 1) };
}

/** Cells of a row of a text on several lines. */
export const textCells = (labels: readonly string[], inner: number): number =>
  inputParts(labels, inner).input - aroundText;

/** The most lines of each remark below the fields of a form. */
export const remarkLines = { doubt: 2, problem: 4, busy: 1 } as const;

/** A wrapped row of a text: start and end in UTF-16 units. Line breaks belong to no row. */
export interface TextRow {
  readonly start: number;
  readonly end: number;
}

const plain = /^[\x20-\x7e]*$/;

/** Width of a typed character in cells as drawn; its replacement may be wider. */
const wide = (letter: string): number => (plain.test(letter) ? letter.length : cells(paint(letter)));

/**
 * A text of several lines as rows of at most `width` cells with room for a cursor behind the last character, broken
 * after a space, a comma or an opening bracket where that is possible. Nothing is left out but the line breaks.
 */
export const textRows = (text: string, width: number): readonly TextRow[] => keptRows({ text, width });

/** A form asks for the rows of a text several times in a frame, and again with the next key. */
const keptRows = whileAlike(rowsOf, (one, other) => one.width === other.width && one.text === other.text, 8);

function rowsOf({ text, width }: { readonly text: string; readonly width: number }): readonly TextRow[] {
  const rows: TextRow[] = [];
  const room = Math.max(1, width - 1);
  for (let from = 0; from <= text.length; ) {
    const found = text.indexOf('\n', from);
    const until = found < 0 ? text.length : found;
    const end = found > from && text[found - 1] === '\r' ? found - 1 : until;
    const line = text.slice(from, end);
    const starts = breaks(line, room);
    for (const [at, start] of starts.entries())
      rows.push({ start: from + start, end: from + (starts[at + 1] ?? line.length) });
    from = until + 1;
  }
  return rows;
}

/** Where the rows of one line begin. */
function breaks(line: string, room: number): number[] {
  if (plain.test(line)) return plainBreaks(line, room);
  const starts = [0];
  let index = 0;
  let used = 0;
  // The last place in this row where it may be broken, and the cells before it.
  let good = { at: 0, used: 0 };
  let last = '';
  for (const letter of graphemes(line)) {
    const step = wide(letter);
    const start = starts[starts.length - 1] as number;
    // One space may hang over the edge: there is room for it where the cursor would stand.
    const hangs = letter === ' ' && used === room;
    if (used + step > room && index > start && !hangs) {
      if (good.at > start && good.used * 3 >= room) {
        starts.push(good.at);
        used -= good.used;
      }
      // What is left of the row may still be too long for a very wide letter.
      if (used + step > room) {
        if (starts.at(-1) !== index) starts.push(index);
        used = 0;
      }
    }
    index += letter.length;
    used += step;
    if (mayEnd(letter, last)) good = { at: index, used };
    last = letter;
  }
  return starts;
}

/** Row breaks of a line whose letters take one cell each: only the letters at the end of each row are looked at. */
function plainBreaks(line: string, room: number): number[] {
  const starts = [0];
  for (let start = 0; start + room < line.length; ) {
    const edge = start + room;
    let index = edge;
    if (line[edge] === ' ') index = edge + 1;
    else {
      while (index > start && !mayEnd(line[index - 1] as string, line[index - 2] ?? '')) index -= 1;
      if ((index - start) * 3 < room || index === start) index = edge;
    }
    if (index === line.length) break;
    starts.push(index);
    start = index;
  }
  return starts;
}

/** Whether a row may break after this character. A bracket after a space belongs to what follows. */
function mayEnd(letter: string, last: string): boolean {
  if (letter === ' ' || letter === ',') return true;
  return letter === ':' ? last === ')' : (letter === '{' || letter === '(') && last !== ' ';
}

/** The row in which the cursor stands at this place: between two rows it is the later one. */
export function rowAt(rows: readonly TextRow[], index: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((rows[middle] as TextRow).start <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Cells from the start of the row to a place in it. */
export function columnAt(text: string, row: TextRow, at: number): number {
  const part = text.slice(row.start, Math.max(row.start, Math.min(at, row.end)));
  return plain.test(part) ? part.length : graphemes(part).reduce((sum, grapheme) => sum + wide(grapheme), 0);
}

/** The position in the row nearest to a column, not after it. */
export function placeAt(text: string, row: TextRow, column: number): number {
  const part = text.slice(row.start, row.end);
  if (plain.test(part)) return row.start + Math.min(part.length, column);
  let index = row.start;
  let used = 0;
  for (const letter of graphemes(part)) {
    used += wide(letter);
    if (used > column) break;
    index += letter.length;
  }
  return index;
}
