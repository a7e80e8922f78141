import type { Column } from '../describe/column.ts';
import type { Context } from '../describe/context.ts';
import { shownColumns } from '../describe/screen.ts';
import { paint } from '../lib/paint.ts';
import { cells } from '../lib/text.ts';
import type { Order, Row } from '../session/list/list-state.ts';
import type { View } from '../session/view.ts';

/** Rows of a list, from its top, that decide how wide its columns are. */
export const measuredRows = 300;

interface Measured {
  readonly columns: readonly Column<unknown>[];
  readonly rows: ReadonlyMap<string, Row>;
  readonly widths: readonly number[];
}

const ofOrders = new WeakMap<Order, Measured>();
const ofRows = new WeakMap<
  object,
  { readonly columns: readonly Column<unknown>[]; readonly widths: readonly number[] }
>();

/**
 * Cells of the widest text of each column over the first 300 rows of the list as loaded, in its order, filtered or not:
 * scrolling, filtering and moving the cursor change no width. While the order is kept, which polls do not change, a
 * column only gets wider; sorting, `g` and Ctrl-R measure again. A row is measured once for each version of it, and the
 * same array is returned while no width changes.
 */
export function contentWidths(view: View, context: Context): readonly number[] {
  const { list, order, rows } = view;
  const columns = shownColumns(list);
  const known = ofOrders.get(order);
  if (known?.rows === rows && known.columns === columns) return known.widths;
  const widths = columns.map((_, at) => (known?.columns === columns ? (known.widths[at] ?? 0) : 0));
  for (const id of order.ids.slice(0, measuredRows)) {
    const row = rows.get(id);
    if (row === undefined) continue;
    rowWidths(row, columns, context).forEach((wide, at) => {
      if (wide > (widths[at] ?? 0)) widths[at] = wide;
    });
  }
  const isSame = known?.widths.length === widths.length && widths.every((wide, at) => wide === known.widths[at]);
  const measured = { columns, rows, widths: isSame ? known.widths : widths };
  ofOrders.set(order, measured);
  return measured.widths;
}

function rowWidths(row: Row, columns: readonly Column<unknown>[], context: Context): readonly number[] {
  const known = typeof row === 'object' && row !== null ? ofRows.get(row) : undefined;
  if (known?.columns === columns) return known.widths;
  const widths = columns.map((column) => cells(paint(column.text(row, context))));
  if (typeof row === 'object' && row !== null) ofRows.set(row, { columns, widths });
  return widths;
}
