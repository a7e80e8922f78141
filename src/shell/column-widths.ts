import type { Column } from '../describe/column.ts';
import type { Context } from '../describe/context.ts';
import { shownColumns } from '../describe/screen.ts';
import { paint } from '../lib/paint.ts';
import { cells, isSimple } from '../lib/text.ts';
import type { TableColumn } from '../scene/list-lines.ts';
import type { Order, Row } from '../session/rows/list-state.ts';
import type { View } from '../session/state/view.ts';

/** Rows of a list, from its top, that decide how wide its columns are. */
export const measuredRows = 300;

interface Measured {
  readonly columns: readonly Column<unknown>[];
  readonly rows: View['rows'];
  readonly widths: readonly number[];
}

const ofOrders = new WeakMap<Order, Measured>();
const ofRows = new WeakMap<
  object,
  { readonly columns: readonly Column<unknown>[]; readonly widths: readonly (number | string)[] }
>();

/**
 * Cells of the widest text of each column over the first 300 rows of the list as loaded, in its order, filtered or not:
 * scrolling, filtering and moving the cursor change no width. While the order is kept, which polls do not change, a
 * column only gets wider; sorting, `g` and Ctrl-R measure again. A row is measured once for each version of it.
 */
export function contentWidths(view: View, context: Context): readonly number[] {
  const { list, order, rows } = view;
  const columns = shownColumns(list);
  const known = ofOrders.get(order);
  if (known?.rows === rows && known.columns === columns) return known.widths;
  const widths = columns.map(({ widest = '' }, at) =>
    known?.columns === columns ? (known.widths[at] ?? 0) : cells(paint(widest)),
  );
  const widen = (at: number, wide: number) => {
    if (wide > (widths[at] ?? 0)) widths[at] = wide;
  };
  const unmeasured: [at: number, text: string][] = [];
  for (const id of order.ids.slice(0, measuredRows)) {
    const row = rows.get(id);
    if (row === undefined) continue;
    rowWidths(row, columns, context).forEach((wide, at) => {
      if (typeof wide === 'number') widen(at, wide);
      else unmeasured.push([at, wide]);
    });
  }
  for (const [at, text] of unmeasured) if (mostCells(text) > (widths[at] ?? 0)) widen(at, cells(paint(text)));
  ofOrders.set(order, { columns, rows, widths });
  return widths;
}

/** The columns of the list with their painted titles, as wide as their content. */
export function tableColumns(view: View, context: Context): readonly TableColumn[] {
  const { list, listState } = view;
  const shown = shownColumns(list);
  const widths = contentWidths(view, context);
  const { by, down } = listState.sort ?? list.sorted ?? {};
  return shown.map((column, index) => {
    const title = paint(column.title);
    const isSorted = column.id === by;
    return {
      ...column,
      title,
      ...(column.short && { shortTitle: paint(column.short.title) }),
      content: Math.max(widths[index] ?? 0, cells(title) + (isSorted ? 1 : 0)),
      ...(isSorted ? { sorted: down ? ('down' as const) : ('up' as const) } : {}),
    };
  });
}

/** Cells that a text takes at most once it is painted. Letters of two cells begin at U+0E33, which is drawn as two; half of a pair takes one. */
export function mostCells(text: string): number {
  let most = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    most += unit < 0xe00 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return most;
}

/**
 * Cells of each text of a row; a text that is not simple stays a text, because the first one measured takes 50 ms and few are wide
 * enough to matter.
 */
function rowWidths(row: Row, columns: readonly Column<unknown>[], context: Context): readonly (number | string)[] {
  const known = typeof row === 'object' && row !== null ? ofRows.get(row) : undefined;
  if (known?.columns === columns) return known.widths;
  const widths = columns.map((column) => {
    const text = column.text(row, context);
    return isSimple(text) ? cells(paint(text)) : text;
  });
  if (typeof row === 'object' && row !== null) ofRows.set(row, { columns, widths });
  return widths;
}
