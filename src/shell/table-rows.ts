import type { Column, Tone } from '../describe/column.ts';
import type { Context } from '../describe/context.ts';
import { paint } from '../lib/paint.ts';
import { joined, plain } from '../lib/painted.ts';
import type { TableRow } from '../scene/list-lines.ts';

/** A row as it is drawn in a list. */
export function tableRow<R>(
  row: R,
  id: string,
  columns: readonly Column<R>[],
  context: Context,
  marks: Omit<TableRow, 'id' | 'cells' | 'tones'> & { readonly gone?: boolean; readonly watched?: boolean },
): TableRow {
  const { gone = false, watched = false, ...shown } = marks;
  return { id, ...rowSaid(row, columns, context, gone, watched), ...shown };
}

function rowSaid<R>(row: R, columns: readonly Column<R>[], context: Context, isGone: boolean, isWatched: boolean) {
  // In words: no theme draws the row under the cursor dim.
  const signs = [...(isGone ? [plain`[gone] `] : []), ...(isWatched ? [plain`[w] `] : [])];
  const widest =
    signs.length === 0 ? undefined : columns.reduce((best, column) => (column.min > best.min ? column : best));
  const cells = columns.map((column) => {
    const cell = paint(column.text(row, context));
    return column === widest ? joined([...signs, cell]) : cell;
  });
  const tones = columns.map((column): Tone => (isGone ? 'dim' : (column.tone?.(row, context) ?? 'plain')));
  return { cells, tones };
}
