import type { TableRow } from '../../components/Table.tsx';
import type { Column, Tone } from '../describe/column.ts';
import type { Context } from '../describe/context.ts';
import { areAlike } from '../lib/alike.ts';
import { paint } from '../lib/paint.ts';
import { joined, type Painted, plain } from '../lib/painted.ts';

/**
 * Makes rows to draw. While nothing of a row changes the same object is returned, so that the table draws only changed
 * rows again. A row is asked for its texts once in each edition (`Now`).
 */
export function createRowPainter() {
  const kept = new Map<string, Kept>();
  return function drawn<R>(
    row: R,
    id: string,
    columns: readonly Column<R>[],
    { context, edition }: { readonly context: Context; readonly edition: object },
    marks: Pick<TableRow, 'cursor' | 'marked' | 'fresh' | 'pending'> & {
      readonly gone?: boolean;
      readonly watched?: boolean;
    },
  ): TableRow {
    const { cursor, marked, fresh, pending, gone = false, watched = false } = marks;
    const before = kept.get(id);
    const on = [row, columns, edition, gone, watched];
    const isSaid = before !== undefined && areAlike(before.on, on);
    const { cells, tones } = isSaid ? before.drawn : rowSaid(row, columns, context, gone, watched);
    const isSame =
      before &&
      before.drawn.cursor === cursor &&
      before.drawn.marked === marked &&
      before.drawn.fresh === fresh &&
      before.drawn.pending === pending &&
      areAlike(before.drawn.cells, cells) &&
      areAlike(before.drawn.tones, tones);
    if (isSaid && isSame) return before.drawn;
    const now: TableRow = isSame ? before.drawn : { id, cells, tones, cursor, marked, fresh, pending };
    if (kept.size > 2000) kept.clear();
    kept.set(id, { on, drawn: now });
    return now;
  };
}

interface Kept {
  /** What the texts of the row were made from. */
  readonly on: readonly unknown[];
  readonly drawn: TableRow;
}

function rowSaid<R>(row: R, columns: readonly Column<R>[], context: Context, isGone: boolean, isWatched: boolean) {
  // In words: no theme draws the row under the cursor dim.
  const signs = [...(isGone ? [plain`[gone] `] : []), ...(isWatched ? [plain`[w] `] : [])];
  const widest =
    signs.length === 0 ? undefined : columns.reduce((best, column) => (column.min > best.min ? column : best));
  const cells = columns.map((column) => {
    const cell = said(() => column.text(row, context));
    return column === widest ? joined([...signs, cell]) : cell;
  });
  const tones = columns.map((column): Tone => (isGone ? 'dim' : toned(() => column.tone?.(row, context))));
  return { cells, tones };
}

/** A cell's text; a column that throws shows a placeholder and does not end the frame. */
function said(text: () => string): Painted {
  try {
    return paint(text());
  } catch {
    return plain`(unreadable)`;
  }
}

function toned(tone: () => Tone | undefined): Tone {
  try {
    return tone() ?? 'plain';
  } catch {
    return 'dim';
  }
}
