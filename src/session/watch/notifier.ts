import type { Context } from '../../describe/context.ts';
import type { AnyList } from '../../describe/screen.ts';
import type { Clock } from '../../lib/clock.ts';
import { plural } from '../../lib/text.ts';
import { stateWord } from '../rows/counts.ts';
import type { Row, StateChange } from '../rows/list-state.ts';

/** Milliseconds between two notifications. */
const leastGap = 60_000;

/** Notifies of what happens while a person looks elsewhere: at most once a minute, and with counts only. */
export interface Notifier {
  /** Counts one more thing that happened, for the next notification; `one` names it: `alert`. */
  add(one: string, count?: number): void;
  /**
   * A list was read whole. Rows that became what the list notifies of are counted; the first read of a question only
   * gives the state to compare with. Answers with the watched rows whose state has changed.
   */
  arrived(
    list: AnyList,
    key: string,
    rows: readonly Row[],
    watched: ReadonlyMap<string, string>,
  ): readonly StateChange[];
  close(): void;
}

export function createNotifier(with_: {
  readonly clock: Clock;
  readonly context: () => Context;
  /** Sends the notification, by whatever the profile says. */
  readonly notify: (text: string) => void;
}): Notifier {
  const { clock, notify } = with_;
  const waiting = new Map<string, number>();
  const last = new Map<string, { readonly key: string; readonly so: ReadonlySet<string> }>();
  const held = { at: Number.NEGATIVE_INFINITY, cancel: undefined as (() => void) | undefined, isClosed: false };

  const flush = () => {
    held.cancel = undefined;
    held.at = clock.now();
    const text = [...waiting].map(([one, count]) => plural(count, one)).join(', ');
    waiting.clear();
    notify(text);
  };

  const add = (one: string, count = 1) => {
    waiting.set(one, (waiting.get(one) ?? 0) + count);
    if (held.cancel || held.isClosed) return;
    const wait = held.at + leastGap - clock.now();
    if (wait <= 0) flush();
    else held.cancel = clock.after(wait, flush);
  };

  return {
    add,
    arrived(list, key, rows, watched) {
      const context = with_.context();
      const { notifies } = list;
      const so = new Set<string>();
      const changes: StateChange[] = [];
      for (const row of rows) {
        const isSo = notifies?.isSo(row, context);
        if (!isSo && watched.size === 0) continue;
        const id = list.idOf(row);
        if (isSo) so.add(id);
        const from = watched.get(id);
        if (from === undefined) continue;
        const to = stateWord(list, row, context);
        if (from !== to) changes.push({ id, name: list.nameOf(row), from, to });
      }
      if (notifies) {
        const before = last.get(list.id);
        const fresh = before?.key === key ? so.difference(before.so).size : 0;
        if (notifies.isOnce) for (const id of before?.key === key ? before.so : []) so.add(id);
        last.set(list.id, { key, so });
        if (fresh > 0) add(notifies.one, fresh);
      }
      if (changes.length > 0) add('changed watched row', changes.length);
      return changes;
    },
    close() {
      held.cancel?.();
      held.isClosed = true;
    },
  };
}
