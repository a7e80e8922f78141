import { ESC, NO_MARGINS } from '../sequences.ts';
import { bytesOnWire, type Pen, penAtHome, type Stroke } from './pen.ts';
import type { Repeats } from './repeats.ts';
import { blankRow, createPalette, type FrameRow, readRow, type StylePalette } from './row.ts';
import { createRowDiff, type RowDiff } from './row-diff.ts';
import { type FrameLines, findScroll, scroll, scrollLines } from './scroll.ts';

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
