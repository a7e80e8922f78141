import type { Context } from '../../src/describe/context.ts';
import type { AnyList, Screen } from '../../src/describe/screen.ts';
import { arrangement, resting } from '../../src/session/list/cursor.ts';
import { update } from '../../src/session/session.ts';
import type { Message } from '../../src/session/state/message.ts';
import { initial, type State } from '../../src/session/state/state.ts';
import { createViewer, type Reads } from '../../src/session/state/view.ts';
import { nothingBound } from './empty-world.ts';
import { contextOf } from './plans.ts';

/** State and view of one list, stepped by hand; an order that is missing is kept as the engine does. */
export function stepper<Row>(
  list: AnyList,
  context: Context = contextOf(),
  size: State['size'] = { columns: 100, rows: 30 },
) {
  const screens: readonly Screen[] = [{ id: list.id, title: list.title, key: '1', lists: [list] }];
  const read = { rows: undefined as readonly Row[] | undefined, removed: new Set<string>() };
  const reads: Reads = {
    rows: () => ({
      key: list.id,
      known: read.rows
        ? { value: { rows: read.rows }, at: 1, asking: false, partial: false }
        : { asking: true, partial: false },
      rows: read.rows ?? [],
      removed: read.removed,
    }),
    whole: () => ({ asking: false, partial: false }),
  };
  const viewer = createViewer();
  let state = initial(screens, size);
  const view = () => viewer(state, screens, reads, () => context);
  const step = (message: Message) => {
    state = update(state, message, { state, view: view(), context, screens, ...nothingBound }).state;
  };
  const keepOrder = () => {
    const message = resting(state, view());
    if (message) step(message);
  };
  return {
    view,
    state: () => state,
    become(next: State) {
      state = next;
    },
    send(...messages: Message[]) {
      for (const message of messages) {
        step(message);
        keepOrder();
      }
    },
    /** Replaces the rows, but for those that an edit of ours deleted. */
    poll(rows: readonly Row[], removed: readonly string[] = []) {
      read.rows = rows.filter((row) => !removed.includes(list.idOf(row)));
      for (const id of removed) read.removed.add(id);
      const message = arrangement(view());
      if (message) step(message);
      keepOrder();
    },
  };
}
