import { ESC } from '../sequences.ts';
import { blank, covered } from './glyph.ts';
import { across, acrossBytes, clearPair, digits, move, type Pen, type Stroke, write } from './pen.ts';
import type { Palette, Row } from './row.ts';
import { plain } from './style.ts';

const skipping = 0;
const writing = 1;
const erasing = 2;

const unreached = 2 ** 30;

/** Unchanged cells before the next change that are written over rather than skipped: a skip is never longer. */
const mostBridged = 8;

/** Finds the bytes that turn a row into another one. */
export type RowDiff = (pen: Pen, at: number, before: Row, after: Row) => Stroke;

/**
 * The bytes that turn the row `before` into `after` on the terminal, and the pen after them: the shortest of all orders of
 * writing cells, skipping unchanged ones and erasing blanks. No cell is changed that ends as it was.
 *
 * The tables of a row are arrays of numbers that are kept for the next one: every changed row of every frame has as many ways as columns.
 */
export function createRowDiff(palette: Palette, columns: number): RowDiff {
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
  const findWays = (after: Row, { column: start = 0, style: first }: Pen) => {
    bytes.fill(unreached);
    reach(start, 0, first, 1, start, skipping);
    for (let at = start; at < columns; at += 1) {
      const cost = bytes[at] as number;
      if (cost === unreached) continue;
      const style = pens[at] as number;
      const isSure = areSure[at] as number;
      const due = next[at] as number;
      const column = isSure === 1 ? at : undefined;
      if (due === columns) {
        reach(columns, cost, style, isSure, at, skipping);
        continue;
      }
      if (due > at) reach(due, cost + acrossBytes(column, due), style, 1, at, skipping);
      if (due - at <= mostBridged) {
        const glyph = after.glyphs[at] as number;
        const wanted = after.styles[at] as number;
        const own = glyph === blank && styles.ofBlank(style) === wanted ? style : wanted;
        const isWide = at + 1 < columns && after.glyphs[at + 1] === covered;
        const isSureAfter = glyphs.isSure(glyph);
        const cleared = isSureAfter || !isWide ? 0 : clearPair.length;
        const written = styles.bytesBetween(style, own) + cleared + glyphs.bytes(glyph);
        const to = isWide ? at + 2 : at + 1;
        reach(to, cost + acrossBytes(column, at) + written, own, isSureAfter ? 1 : 0, at, writing);
      }
      const end = blanks[at] as number;
      if (due === at && end > at) {
        const own = styles.hasBackground(style) ? plain : style;
        const to = next[end] as number;
        const onward = to === columns ? 0 : acrossBytes(at, to);
        const count = end === columns || end - at === 1 ? 0 : digits(end - at);
        const erased = acrossBytes(column, at) + styles.bytesBetween(style, own) + 3 + count;
        reach(to, cost + erased + onward, own, 1, at, erasing);
      }
    }
  };

  /** Erases the blanks from `from` to before `to`. Erasing takes the background of the pen. */
  const erase = (pen: Pen, from: number, to: number): Stroke => {
    const style = styles.hasBackground(pen.style) ? plain : pen.style;
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

  const findChanges = (before: Row, after: Row) => {
    const differ = (at: number) => before.glyphs[at] !== after.glyphs[at] || before.styles[at] !== after.styles[at];
    /** Whether a cell goes with the one before: the second half of a wide character, or what a disputed one may cover. */
    const isJoined = ({ glyphs: row, text }: Row, at: number) =>
      text === undefined && (row[at] === covered || !glyphs.isSure(row[at - 1] as number));
    next[columns] = columns;
    let end = columns;
    // No cell of either goes with its neighbour.
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

  const findBlanks = (after: Row) => {
    let end = columns;
    blanks[columns] = columns;
    for (let at = columns - 1; at >= 0; at -= 1) {
      if (after.glyphs[at] !== blank || after.styles[at] !== plain) end = at;
      blanks[at] = end;
    }
  };

  return (pen, at, before, after) => {
    findChanges(before, after);
    const first = next[0] as number;
    if (first === columns) return { bytes: '', pen };
    findBlanks(after);
    // Where the pen stands a little before the first change, the cells between may be written over.
    const isHere = pen.row === at && pen.column !== undefined && pen.column <= first;
    const start = isHere ? (pen.column as number) : first;
    let made = isHere ? '' : move(pen, at, first);
    let now: Pen = { row: at, column: start, style: pen.style };
    findWays(after, now);
    for (let place = planSteps(start) - 1; place >= 0; place -= 1) {
      const step = plan.steps[place] as number;
      const from = plan.from[place] as number;
      const to = plan.to[place] as number;
      if (step !== skipping) {
        const stroke =
          step === writing ? write(now, palette, after, from, to) : erase(now, from, blanks[from] as number);
        made += stroke.bytes;
        now = stroke.pen;
      }
      if (step === skipping || (step === erasing && to < columns)) {
        made += across(now.column, to);
        now = { ...now, column: to };
      }
    }
    return { bytes: made, pen: now };
  };
}
