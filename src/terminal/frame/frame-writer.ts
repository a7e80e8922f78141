import { ESC, NO_MARGINS } from '../sequences.ts';
import { bytesOnWire, type Pen, penAtHome, type Stroke } from './pen.ts';
import { blankRow, type Row, readRow } from './row.ts';
import { drawRow } from './row-diff.ts';
import { findScroll, type Lines, scroll, scrolled } from './scroll.ts';
import { createStyles, type Styles } from './style.ts';

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

interface Shown extends Lines {
  readonly pen: Pen;
}

/** Whatever stood there: plain attributes, no link, no scroll region, everything erased, cursor at home. */
const wipe = `${ESC}]8;;${ESC}\\${ESC}[0m${NO_MARGINS}${ESC}[H${ESC}[J`;

/** Unchanged lines are compared as texts; only changed ones are read as cells. */
export function createFrameWriter(size: Size): FrameWriter {
  const styles = createStyles();
  let { columns, rows } = size;
  let shown: Shown | undefined;
  return {
    forget() {
      shown = undefined;
    },
    resize(next) {
      ({ columns, rows } = next);
      shown = undefined;
    },
    draw(frame) {
      const given = frame.split('\n');
      const lines = Array.from({ length: rows }, (_, at) => given[at] ?? '');
      const from = shown ?? erased(columns, rows);
      const read = (line: string, at: number) =>
        line === from.lines[at] ? (from.rows[at] as Row) : readRow(line, columns, styles);
      const after: Lines = { lines, rows: lines.map(read) };
      const { bytes, pen } = shown ? shortest(from.pen, styles, from, after) : drawRows(from.pen, styles, from, after);
      const whole = shown ? bytes : wipe + bytes;
      shown = { ...after, pen };
      return whole;
    },
  };
}

/** Draws row by row, after scrolls as long as these take fewer bytes. */
function shortest(pen: Pen, styles: Styles, before: Lines, after: Lines): Stroke {
  let best = drawRows(pen, styles, before, after);
  let [now, from]: [Stroke, Lines] = [{ bytes: '', pen }, before];
  for (;;) {
    const found = findScroll(from, after);
    if (!found) return best;
    const moved = scroll(now.pen, styles, found);
    now = { bytes: now.bytes + moved.bytes, pen: moved.pen };
    from = scrolled(from, found);
    const rest = drawRows(now.pen, styles, from, after);
    const bytes = now.bytes + rest.bytes;
    if (bytesOnWire(bytes) >= bytesOnWire(best.bytes)) return best;
    best = { bytes, pen: rest.pen };
  }
}

/** The bytes that turn the rows `before` into those `after`, from the top. */
export function drawRows(pen: Pen, styles: Styles, before: Lines, after: Lines): Stroke {
  let stroke: Stroke = { bytes: '', pen };
  for (const [at, row] of after.rows.entries()) {
    if (after.lines[at] === before.lines[at]) continue;
    const { bytes, pen: next } = drawRow(stroke.pen, styles, at, before.rows[at] as Row, row);
    stroke = { bytes: stroke.bytes + bytes, pen: next };
  }
  return stroke;
}

const erased = (columns: number, rows: number): Shown => {
  const row = blankRow(columns);
  return { lines: Array<string>(rows).fill(''), rows: Array<Row>(rows).fill(row), pen: penAtHome };
};
