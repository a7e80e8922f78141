import type { Context } from '../../describe/context.ts';
import type { Order, Row } from '../rows/list-state.ts';
import { comparison, sortValue } from '../rows/row-order.ts';
import type { View } from '../state/view.ts';

/** Rows from the top that are looked at; those below are hardly ever on screen. */
const lookedAt = 300;

interface Look {
  readonly rows: View['rows'];
  readonly isHeld: boolean;
  /** What the rows were sorted by when they were last asked. */
  readonly values: ReadonlyMap<Row, string | number>;
}

const looks = new WeakMap<Order, Look>();

/**
 * Whether rows have changed since their order was made, so that they would stand elsewhere now: `g` sorts them again. Looks at the
 * first rows, and asks each version of a row once.
 */
export function isOrderHeld({ list, listState, order, rows }: View, context: Context): boolean {
  const sort = listState.sort ?? list.sorted;
  const value = sortValue(list, sort);
  if (!sort || !value || listState.moving || listState.order !== order) return false;
  const before = looks.get(order);
  if (before?.rows === rows) return before.isHeld;
  const values = new Map<Row, string | number>();
  const look = { rows, isHeld: before !== undefined && isOutOfOrder(), values };
  looks.set(order, look);
  return look.isHeld;

  function isOutOfOrder(): boolean {
    const compare = comparison(sort?.down ?? false);
    let last: string | number | undefined;
    let isOut = false;
    for (const id of order.ids.slice(0, lookedAt)) {
      const row = rows.get(id);
      if (row === undefined || !value) continue;
      const by = before?.values.get(row) ?? value(row, context);
      values.set(row, by);
      isOut ||= last !== undefined && compare(last, by) > 0;
      last = by;
    }
    return isOut;
  }
}
