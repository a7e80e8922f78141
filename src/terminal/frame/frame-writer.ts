import { ESC } from '../sequences.ts';
import { type Pen, penAtHome } from './pen.ts';
import { blankRow, type Row, readRow } from './row.ts';
import { drawRow } from './row-diff.ts';
import { createStyles } from './style.ts';

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

interface Shown {
  readonly lines: readonly string[];
  readonly rows: readonly Row[];
  readonly pen: Pen;
}

/** Whatever stood there: plain attributes, no link, everything erased, cursor at home. */
const wipe = `${ESC}]8;;${ESC}\\${ESC}[0m${ESC}[H${ESC}[J`;

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
      let bytes = shown ? '' : wipe;
      let { pen } = from;
      const drawn = lines.map((line, at) => {
        const before = from.rows[at] as Row;
        if (line === from.lines[at]) return before;
        const after = readRow(line, columns, styles);
        const stroke = drawRow(pen, styles, at, before, after);
        bytes += stroke.bytes;
        pen = stroke.pen;
        return after;
      });
      shown = { lines, rows: drawn, pen };
      return bytes;
    },
  };
}

const erased = (columns: number, rows: number): Shown => {
  const row = blankRow(columns);
  return { lines: Array<string>(rows).fill(''), rows: Array<Row>(rows).fill(row), pen: penAtHome };
};
