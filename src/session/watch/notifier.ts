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

  /** Counts the rows that became what a list notifies of since it was last read under this key. */
  const notifyOf = (
    { id, idOf }: AnyList,
    { isSo, isOnce, one: noun }: NonNullable<AnyList['notifies']>,
    key: string,
    rows: readonly Row[],
    context: Context,
  ) => {
    const so = new Set(rows.filter((row) => isSo(row, context)).map(idOf));
    const known = last.get(id);
    const before = known?.key === key ? known.so : undefined;
    const fresh = before ? so.difference(before).size : 0;
    last.set(id, { key, so: isOnce && before ? so.union(before) : so });
    if (fresh > 0) add(noun, fresh);
  };

  return {
    add,
    arrived(list, key, rows, watched) {
      const context = with_.context();
      if (list.notifies) notifyOf(list, list.notifies, key, rows, context);
      if (watched.size === 0) return [];
      const changes = rows.flatMap((row): StateChange[] => {
        const id = list.idOf(row);
        const from = watched.get(id);
        const to = from === undefined ? from : stateWord(list, row, context);
        return from === undefined || to === undefined || from === to ? [] : [{ id, name: list.nameOf(row), from, to }];
      });
      if (changes.length > 0) add('changed watched row', changes.length);
      return changes;
    },
    close() {
      held.cancel?.();
      held.isClosed = true;
    },
  };
}
