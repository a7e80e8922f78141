import { ESC } from '../sequences.ts';
import { blank, covered } from './glyph.ts';
import { across, acrossBytes, clearPair, digits, move, type Pen, type Stroke, write } from './pen.ts';
import type { FrameRow, StylePalette } from './row.ts';
import { plainStyle } from './style.ts';

const skipping = 0;
const writing = 1;
const erasing = 2;

const unreached = 2 ** 30;

/** Unchanged cells before the next change that are written over rather than skipped: a skip is never longer. */
const mostBridged = 8;

/** Finds the bytes that turn a row into another one. */
export type RowDiff = (pen: Pen, at: number, before: FrameRow, after: FrameRow) => Stroke;

/**
 * The bytes that turn the row `before` into `after` on the terminal, and the pen after them: the shortest of all orders of
 * writing cells, skipping unchanged ones and erasing blanks. No cell is changed that ends as it was.
 *
 * The tables of a row are arrays of numbers that are kept for the next one: every changed row of every frame has as many ways as columns.
 */
export function createRowDiff(palette: StylePalette, columns: number): RowDiff {
  const { glyphs, styles } = palette;
  const table = () => new Int32Array(columns + 1);
  /** For each column the next one from there on that must be drawn; as many as there are columns for none. */
  const next = table();
  /** For each column where the plain blanks that begin there end; the column itself for none. */
  const blanks = table();
  /** The cheapest way found to each column, everything before it as it should be: its bytes, `unreached` where no way leads. */
  const bytes = table();
  const pens = table();
  /** Whether the terminal's cursor is surely there. */
  const areSure = table();
  /** The column where the last step of the way began, and what it was. */
  const origins = table();
  const steps = table();
  /** The steps of the whole way from the last one to the first: what each is, where it begins and where it ends. */
  const plan = { steps: table(), from: table(), to: table() };

  const reach = (to: number, cost: number, style: number, isSure: number, from: number, step: number) => {
    if ((bytes[to] as number) <= cost) return;
    bytes[to] = cost;
    pens[to] = style;
    areSure[to] = isSure;
    origins[to] = from;
    steps[to] = step;
  };

  /** Finds the cheapest way to each column from the pen's on; the last one, behind the row, is the whole row's. */
  const findWays = (after: FrameRow, { column: start = 0, style: first }: Pen) => {
    bytes.fill(unreached);
    reach(start, 0, first, 1, start, skipping);
    for (let cell = start; cell < columns; cell += 1) {
      const cost = bytes[cell] as number;
      if (cost === unreached) continue;
      const style = pens[cell] as number;
      const isSure = areSure[cell] as number;
      const due = next[cell] as number;
      const column = isSure === 1 ? cell : undefined;
      if (due === columns) {
        reach(columns, cost, style, isSure, cell, skipping);
        continue;
      }
      if (due > cell) reach(due, cost + acrossBytes(column, due), style, 1, cell, skipping);
      if (due - cell <= mostBridged) {
        const glyph = after.glyphs[cell] as number;
        const wanted = after.styles[cell] as number;
        const writeStyle = glyph === blank && styles.ofBlank(style) === wanted ? style : wanted;
        const isWide = cell + 1 < columns && after.glyphs[cell + 1] === covered;
        const isSureAfter = glyphs.isSure(glyph);
        const cleared = isSureAfter || !isWide ? 0 : clearPair.length;
        const written = styles.bytesBetween(style, writeStyle) + cleared + glyphs.bytes(glyph);
        const to = isWide ? cell + 2 : cell + 1;
        reach(to, cost + acrossBytes(column, cell) + written, writeStyle, isSureAfter ? 1 : 0, cell, writing);
      }
      const end = blanks[cell] as number;
      if (due === cell && end > cell) {
        const eraseStyle = styles.hasBackground(style) ? plainStyle : style;
        const to = next[end] as number;
        const onward = to === columns ? 0 : acrossBytes(cell, to);
        const count = end === columns || end - cell === 1 ? 0 : digits(end - cell);
        const erased = acrossBytes(column, cell) + styles.bytesBetween(style, eraseStyle) + 3 + count;
        reach(to, cost + erased + onward, eraseStyle, 1, cell, erasing);
      }
    }
  };

  /** Erases the blanks from `from` to before `to`. Erasing takes the background of the pen. */
  const erase = (pen: Pen, from: number, to: number): Stroke => {
    const style = styles.hasBackground(pen.style) ? plainStyle : pen.style;
    const back = pen.column === undefined ? across(undefined, from) : '';
    const erased = to === columns ? `${ESC}[K` : `${ESC}[${to - from === 1 ? '' : to - from}X`;
    return { bytes: back + styles.between(pen.style, style) + erased, pen: { ...pen, column: from, style } };
  };

  /** Plans the steps of the cheapest way; cells that are written one after the other are one step. Returns how many there are. */
  const planSteps = (start: number): number => {
    let count = 0;
    let to = columns;
    while (to > start) {
      const from = origins[to] as number;
      const step = steps[to] as number;
      if (count > 0 && step === writing && plan.steps[count - 1] === writing) plan.from[count - 1] = from;
      else if (to < columns || step !== skipping) {
        plan.steps[count] = step;
        plan.from[count] = from;
        plan.to[count] = to;
        count += 1;
      }
      to = from;
    }
    return count;
  };

  const findChanges = (before: FrameRow, after: FrameRow) => {
    const differ = (at: number) => before.glyphs[at] !== after.glyphs[at] || before.styles[at] !== after.styles[at];
    /** Whether a cell goes with the one before: the second half of a wide character, or what a disputed one may cover. */
    const isJoined = ({ glyphs: row, text }: FrameRow, at: number) =>
      text === undefined && (row[at] === covered || !glyphs.isSure(row[at - 1] as number));
    next[columns] = columns;
    let end = columns;
    // No cell of either goes with its neighbor.
    if (before.text !== undefined && after.text !== undefined)
      for (; end > 0; end -= 1) next[end - 1] = differ(end - 1) ? end - 1 : (next[end] as number);
    while (end > 0) {
      let start = end - 1;
      let isChanged = differ(start);
      while (start > 0 && (isJoined(before, start) || isJoined(after, start))) {
        start -= 1;
        isChanged ||= differ(start);
      }
      for (let at = start; at < end; at += 1) next[at] = isChanged ? at : (next[end] as number);
      end = start;
    }
  };

  const findBlanks = (after: FrameRow) => {
    let end = columns;
    blanks[columns] = columns;
    for (let at = columns - 1; at >= 0; at -= 1) {
      if (after.glyphs[at] !== blank || after.styles[at] !== plainStyle) end = at;
      blanks[at] = end;
    }
  };

  return (pen, rowIndex, before, after) => {
    findChanges(before, after);
    const first = next[0] as number;
    if (first === columns) return { bytes: '', pen };
    findBlanks(after);
    // Where the pen stands a little before the first change, the cells between may be written over.
    const isHere = pen.row === rowIndex && pen.column !== undefined && pen.column <= first;
    const start = isHere ? (pen.column as number) : first;
    let output = isHere ? '' : move(pen, rowIndex, first);
    let now: Pen = { row: rowIndex, column: start, style: pen.style };
    findWays(after, now);
    for (let place = planSteps(start) - 1; place >= 0; place -= 1) {
      const step = plan.steps[place] as number;
      const from = plan.from[place] as number;
      const to = plan.to[place] as number;
      if (step !== skipping) {
        const stroke =
          step === writing ? write(now, palette, after, from, to) : erase(now, from, blanks[from] as number);
        output += stroke.bytes;
        now = stroke.pen;
      }
      if (step === skipping || (step === erasing && to < columns)) {
        output += across(now.column, to);
        now = { ...now, column: to };
      }
    }
    return { bytes: output, pen: now };
  };
}
