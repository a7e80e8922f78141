import type { Context } from '../../describe/context.ts';
import { areAlike } from '../../lib/alike.ts';
import type { ListState } from '../rows/list-state.ts';
import { sorted } from '../rows/row-order.ts';
import type { ListMessage } from '../state/message.ts';
import type { State } from '../state/state.ts';
import type { View } from '../state/view.ts';

/** A list may be sorted by itself this many milliseconds after the last key. */
export const quietMs = 20_000;

/** Whether a person is in the middle of something that other places of the rows would spoil. */
export const isAtWork = ({ detail, moving, anchor, marks }: ListState): boolean =>
  detail !== undefined || moving !== undefined || anchor !== undefined || marks.size > 0;

/** Whether rows keep their places though a poll would sort them otherwise; a key that is ahead is from before the clock was set back. */
export function keepsPlaces({ layers }: Pick<State, 'layers'>, own: ListState, sinceKeyMs: number): boolean {
  const isQuiet = sinceKeyMs < 0 || sinceKeyMs >= quietMs;
  return !isQuiet || layers.length > 0 || isAtWork(own);
}

/** The list sorted as it would be now; undefined where its rows stand so already. */
export function resorted(view: View, context: Context): ListMessage | undefined {
  const { list, listState, order, rows, key, counts } = view;
  const sort = listState.sort ?? list.sorted;
  // One that the last read no longer has may still stand under the cursor.
  const read = [...rows].flatMap(([id, row]) => (counts.labels.has(id) ? [row] : []));
  const ids = sorted(list, read, sort, context);
  return areAlike(ids, order.ids)
    ? undefined
    : { type: 'sortDone', list: list.id, order: { key, ids }, byItself: true };
}

/** The first row to draw after a sort: the one before, unless the cursor would leave the window; then as little further as shows it. */
export function topAfterSort(top: number, cursorAt: number, height: number, count: number): number {
  const last = Math.max(0, count - height);
  return Math.min(last, Math.max(cursorAt - height + 1, Math.min(top, cursorAt)));
}
