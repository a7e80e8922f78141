import { ESC, NO_MARGINS } from '../sequences.ts';
import {
  blankRow,
  createPalette,
  type FrameRow,
  plainStyle,
  readRow,
  type StylePalette,
  type Styles,
} from './cells.ts';
import {
  bytesOnWire,
  createRowDiff,
  type Pen,
  penAtHome,
  type Repeats,
  type RowDiff,
  type Stroke,
} from './row-diff.ts';

/** The lines of a frame, and the cells of each. */
interface FrameLines {
  readonly lines: readonly string[];
  readonly rows: readonly FrameRow[];
}

/** The rows `top` to `bottom`, both included, whose content moves up by `by` rows; down where that is negative. */
interface Scroll {
  readonly top: number;
  readonly bottom: number;
  readonly by: number;
}

/** Fewer changed rows than this are written as they are. */
const fewestChanged = 3;

/**
 * The window of rows whose content has moved by some rows, where one has, and which saves the most cells. A row of which a part
 * has changed moves with the others, unless a cell of that row would be changed that ends as it was. What scrolls out leaves blank
 * rows, which are drawn after the scroll.
 */
function findScroll(before: FrameLines, after: FrameLines): Scroll | undefined {
  const by = likelyDistance(before, after);
  if (by === undefined) return undefined;
  let best = { saved: 0, from: 0, to: 0 };
  let run = { saved: 0, from: 0 };
  for (let index = 0; index < after.lines.length; index += 1) {
    const saved = savedCells(before, after, index, by);
    if (saved === undefined) {
      run = { saved: 0, from: index + 1 };
      continue;
    }
    run = run.saved > 0 ? { saved: run.saved + saved, from: run.from } : { saved, from: index };
    if (run.saved > best.saved) best = { ...run, to: index };
  }
  if (best.saved === 0) return undefined;
  return by > 0 ? { top: best.from, bottom: best.to + by, by } : { top: best.from + by, bottom: best.to, by };
}

/** The distance by which most of the changed text has moved; of most frames none has. */
function likelyDistance(before: FrameLines, after: FrameLines): number | undefined {
  const changed: number[] = [];
  for (let index = 0; index < after.lines.length; index += 1)
    if (after.lines[index] !== before.lines[index]) changed.push(index);
  if (changed.length < fewestChanged) return undefined;
  const wanted = new Set(changed.map((at) => after.lines[at]));
  const places: number[] = [];
  for (let index = 0; index < before.lines.length; index += 1) if (wanted.has(before.lines[index])) places.push(index);
  const saved = new Map<number, number>();
  for (const at of changed)
    for (const place of places)
      if (before.lines[place] === after.lines[at])
        saved.set(place - at, (saved.get(place - at) ?? 0) + changedCells(before, after, at));
  return [...saved].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}

const isSame = (one: FrameRow, other: FrameRow, column: number): boolean =>
  one.glyphs[column] === other.glyphs[column] && one.styles[column] === other.styles[column];

/** Cells that need not be written for the row when it moves; undefined where it must not. */
function savedCells(before: FrameLines, after: FrameLines, index: number, by: number): number | undefined {
  const moved = before.lines[index + by];
  if (moved === undefined) return undefined;
  if (moved === after.lines[index]) return changedCells(before, after, index);
  if (isStraying(before, after.rows[index] as FrameRow, index, by)) return undefined;
  return changedCells(before, after, index) - changedCells(before, after, index, by);
}

/** Cells of the row that differ from those that stand there now, or `by` rows below. */
function changedCells(before: FrameLines, after: FrameLines, at: number, by = 0): number {
  if (before.lines[at + by] === after.lines[at]) return 0;
  const [now, wanted] = [before.rows[at + by] as FrameRow, after.rows[at] as FrameRow];
  let count = 0;
  for (let column = 0; column < wanted.glyphs.length; column += 1) if (!isSame(now, wanted, column)) count += 1;
  return count;
}

/** Whether a cell of the row would change on the way although it ends as it is. */
function isStraying({ rows }: FrameLines, row: FrameRow, at: number, by: number): boolean {
  const [now, moved] = [rows[at] as FrameRow, rows[at + by] as FrameRow];
  for (let column = 0; column < row.glyphs.length; column += 1)
    if (isSame(now, row, column) && !isSame(moved, row, column)) return true;
  return false;
}

/** The lines of the terminal after a scroll. */
function scrollLines({ lines, rows }: FrameLines, { top, bottom, by }: Scroll): FrameLines {
  const blank = blankRow((rows[0] as FrameRow).glyphs.length);
  const place = (at: number) =>
    at < top || at > bottom ? at : at + by < top || at + by > bottom ? undefined : at + by;
  const places = lines.map((_, at) => place(at));
  return {
    lines: places.map((from) => (from === undefined ? '' : (lines[from] as string))),
    rows: places.map((from) => (from === undefined ? blank : (rows[from] as FrameRow))),
  };
}

/**
 * Scrolls by deleting or inserting rows in a scroll region, which every terminal knows. Both margins return the cursor home;
 * the rows that come in have the background of the pen.
 */
function scroll(pen: Pen, styles: Styles, { top, bottom, by }: Scroll): Stroke {
  const style = styles.hasBackground(pen.style) ? plainStyle : pen.style;
  const turn = styles.between(pen.style, style);
  const home = { row: 0, column: 0, style };
  const margins = `${ESC}[${top + 1};${bottom + 1}r`;
  const rows = `${ESC}[${Math.abs(by) === 1 ? '' : Math.abs(by)}${by > 0 ? 'M' : 'L'}`;
  const bytes = `${turn}${margins}${top === 0 ? '' : `${ESC}[${top + 1}H`}${rows}${NO_MARGINS}`;
  return { bytes, pen: home };
}

/** Turns whole frames into the bytes that change the terminal, cell by cell. Knows what the terminal shows. */
export interface FrameWriter {
  /** The bytes that make the terminal show the frame, lines joined by line feeds; empty when it shows it already. */
  draw(frame: string): string;
  /** The terminal may show anything: the next frame erases it and is drawn whole. */
  forget(): void;
  /** Lines are cut to the new size; the next frame is drawn whole. */
  resize(size: Size): void;
}

interface Size {
  readonly columns: number;
  readonly rows: number;
}

interface Shown extends FrameLines {
  readonly pen: Pen;
}

/** Brings the terminal into a known state, whatever it shows: plain attributes, no link, no scroll region, everything erased, cursor at home. */
const wipe = `${ESC}]8;;${ESC}\\${ESC}[0m${NO_MARGINS}${ESC}[H${ESC}[J`;

/** Unchanged lines are compared as texts; only changed ones are read as cells, into rows that the frame before the last one had. */
export function createFrameWriter(size: Size, repeats: Repeats = 'none'): FrameWriter {
  const palette = createPalette();
  let canvas = blankCanvas(size, palette, repeats);
  let shown: Shown | undefined;
  return {
    forget() {
      shown = undefined;
    },
    resize(next) {
      canvas = blankCanvas(next, palette, repeats);
      shown = undefined;
    },
    draw(frame) {
      const { erased, blank, spare, diff } = canvas;
      if (palette.glyphs.isFull()) {
        palette.glyphs.clear();
        for (const [index, row] of (shown?.rows ?? []).entries()) readRow(shown?.lines[index] ?? '', palette, row);
      }
      const given = frame.split('\n');
      const lines = erased.lines.map((none, at) => given[at] ?? none);
      const from = shown ?? erased;
      const rowOf = (line: string, at: number): FrameRow =>
        line === from.lines[at]
          ? (from.rows[at] as FrameRow)
          : readRow(line, palette, spare.pop() ?? blankRow(blank.glyphs.length));
      const after: FrameLines = { lines, rows: lines.map(rowOf) };
      const { bytes, pen } = shown
        ? shortest(from.pen, palette, diff, from, after)
        : drawRows(from.pen, diff, from, after);
      const whole = shown ? bytes : wipe + bytes;
      spare.push(...from.rows.filter((row, at) => row !== after.rows[at] && row !== blank));
      shown = { ...after, pen };
      return whole;
    },
  };
}

/** What an erased terminal shows, and rows to read lines into: with new ones for each frame a key would be collecting them. */
function blankCanvas({ columns, rows }: Size, palette: StylePalette, repeats: Repeats) {
  const blank = blankRow(columns);
  const erased: Shown = {
    lines: Array<string>(rows).fill(''),
    rows: Array<FrameRow>(rows).fill(blank),
    pen: penAtHome,
  };
  return {
    erased,
    blank,
    spare: [] as FrameRow[],
    diff: createRowDiff(palette, columns, repeats),
  };
}

/** Draws row by row, after scrolls as long as these take fewer bytes. */
function shortest(pen: Pen, { styles }: StylePalette, diff: RowDiff, before: FrameLines, after: FrameLines): Stroke {
  let best = drawRows(pen, diff, before, after);
  let [now, from]: [Stroke, FrameLines] = [{ bytes: '', pen }, before];
  for (;;) {
    const found = findScroll(from, after);
    if (!found) return best;
    const moved = scroll(now.pen, styles, found);
    now = { bytes: now.bytes + moved.bytes, pen: moved.pen };
    from = scrollLines(from, found);
    const rest = drawRows(now.pen, diff, from, after);
    const bytes = now.bytes + rest.bytes;
    if (bytesOnWire(bytes) >= bytesOnWire(best.bytes)) return best;
    best = { bytes, pen: rest.pen };
  }
}

/** The bytes that turn the rows `before` into those `after`, from the top. */
export function drawRows(pen: Pen, diff: RowDiff, before: FrameLines, after: FrameLines): Stroke {
  let stroke: Stroke = { bytes: '', pen };
  for (let at = 0; at < after.rows.length; at += 1) {
    if (after.lines[at] === before.lines[at]) continue;
    const { bytes, pen: next } = diff(stroke.pen, at, before.rows[at] as FrameRow, after.rows[at] as FrameRow);
    stroke = { bytes: stroke.bytes + bytes, pen: next };
  }
  return stroke;
}
