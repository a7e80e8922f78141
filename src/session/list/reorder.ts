import type { Context } from '../../describe/context.ts';
import type { NewOrder } from '../../describe/order-moves.ts';
import type { Next } from '../state/moment.ts';
import type { State } from '../state/state.ts';
import { flash, withOwn } from '../state/state-changes.ts';
import type { View } from '../state/view.ts';

/** The order to save: ids before and after, and the rows' names. */
export function newOrder(view: View, after: readonly string[]): NewOrder {
  const { list, rows, order } = view;
  const names = after.map((id): [string, string] => [id, rows.has(id) ? list.nameOf(rows.get(id)) : id]);
  return { before: order.ids, after, names: Object.fromEntries(names) };
}

/** Moves the row under the cursor, in an order that is local until it is saved. */
export function shifted(state: State, view: View, by: number, context: Context): Next {
  const { list, listState, cursor, row } = view;
  if (!list.order || cursor === undefined || row === undefined) return { state };
  const may = list.order.may?.(row) ?? true;
  if (may !== true) return { state: flash(state, may, 'warn', context.now) };
  const sort = listState.sort ?? list.sorted;
  if (listState.filter !== '' || sort?.by !== list.order.column || sort.down) {
    const sorted = withOwn(state, list, {
      filter: '',
      sort: { by: list.order.column, down: false },
      order: undefined,
      cursor,
    });
    return { state: flash(sorted, 'Now sorted by position: press again to move', 'info', context.now) };
  }
  const ids = [...(listState.moving ?? view.order.ids)];
  const at = ids.indexOf(cursor);
  const to = at + by;
  if (at < 0 || to < 0 || to >= ids.length) return { state };
  [ids[at], ids[to]] = [ids[to] as string, ids[at] as string];
  return { state: withOwn(state, list, { moving: ids, cursor, cursorAt: to }) };
}
