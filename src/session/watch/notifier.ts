import type { Context, LoggedEdit } from '../../describe/context.ts';
import type { Alarm, AnyList } from '../../describe/screen.ts';
import { plural } from '../../lib/text.ts';
import type { Clock } from '../../lib/time.ts';
import { present } from '../../lib/values.ts';
import { stateWord } from '../rows/counts.ts';
import type { Row, StateChange } from '../rows/list-state.ts';
import type { Message } from '../state/message.ts';
import type { State } from '../state/state.ts';
import type { WantedTime } from './watchers.ts';

/** Milliseconds between two notifications. */
const leastGap = 60_000;

/** The read of a list for itself. */
export interface OwnRead {
  readonly key: string;
  /** With our edits over them. */
  readonly rows: readonly Row[];
  /** As the service told them. */
  readonly read: readonly Row[];
  /** None is missing. */
  readonly isWhole: boolean;
}

/** Notifies of what happens while a person looks elsewhere: at most once a minute, and with counts only. */
export function createNotifier(with_: {
  readonly clock: Clock;
  readonly context: () => Context;
  /** Sends the notification, by whatever the profile says. */
  readonly notify: (text: string) => void;
}) {
  const { clock, notify } = with_;
  const waiting = new Map<string, number>();
  const last = new Map<string, { readonly key: string; readonly so: ReadonlySet<string> }>();
  const wholeReads = new Map<string, { readonly key: string; readonly rows: readonly Row[] }>();
  const held = { at: Number.NEGATIVE_INFINITY, cancel: undefined as (() => void) | undefined, isClosed: false };

  const flush = () => {
    held.cancel = undefined;
    held.at = clock.now();
    const text = [...waiting].map(([one, count]) => plural(count, one)).join(', ');
    waiting.clear();
    notify(text);
  };

  /** Counts one more thing that happened, for the next notification; `one` names it: `alert`. */
  const add = (one: string, count = 1) => {
    waiting.set(one, (waiting.get(one) ?? 0) + count);
    if (held.cancel || held.isClosed) return;
    // A clock that was set back lengthens no wait.
    const wait = Math.min(leastGap, held.at + leastGap - clock.now());
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
    /**
     * A list was read whole. Rows that became what the list notifies of are counted; the first read of a question only
     * gives the state to compare with. Answers with the watched rows whose state has changed, or that have left a list whose rows
     * were all read.
     */
    arrived(
      list: AnyList,
      { key, rows, read, isWhole }: OwnRead,
      watched: ReadonlyMap<string, string>,
    ): readonly StateChange[] {
      const context = with_.context();
      if (list.notifies) notifyOf(list, list.notifies, key, rows, context);
      const before = wholeReads.get(list.id);
      if (isWhole) wholeReads.set(list.id, { key, rows });
      if (watched.size === 0) return [];
      const ids = new Set(rows.map(list.idOf));
      const left = isWhole && before?.key === key ? before.rows.filter((row) => !ids.has(list.idOf(row))) : [];
      const changes = [...rows, ...left].flatMap((row): StateChange[] => {
        const id = list.idOf(row);
        const from = watched.get(id);
        if (from === undefined) return [];
        const isListed = ids.has(id);
        const to = isListed ? (stateWord(list, row, context) ?? from) : undefined;
        // A row that an edit of ours has changed or removed is not as it was read.
        const isOurs = isListed ? !read.includes(row) : read.some((one) => list.idOf(one) === id);
        return to === from ? [] : [{ id, name: list.nameOf(row), from, ...present({ to }), isOurs }];
      });
      const told = changes.filter(({ isOurs }) => !isOurs).length;
      if (told > 0) add('changed watched row', told);
      return changes;
    },
    close() {
      held.cancel?.();
      held.isClosed = true;
    },
  };
}

/** Milliseconds after its moment in which an alarm is still announced: what was about to happen when it was first read is not. */
const mostLate = 30_000;

/** Announces moments of rows, whichever screen is in front: a mute ends soon. */
export function createAlarms(with_: {
  readonly now: () => number;
  readonly state: () => State;
  readonly context: () => Context;
  readonly send: (message: Message) => void;
  /** Notifies of one of this. */
  readonly notify: (one: string) => void;
  /** The journal: whose a mute is may be known from it alone. */
  readonly edits: () => Promise<readonly LoggedEdit[]>;
}) {
  const { now, state, send } = with_;
  const announced = new Set<string>();
  /** The alarms of each list that are still to come, in their order, and the rows that they are of. */
  const ofLists = new Map<AnyList, { readonly rows: readonly Row[]; readonly coming: readonly Alarm[] }>();

  const set = (list: AnyList, rows: readonly Row[]) => {
    const alarms = list.alarms?.(rows, with_.context()) ?? [];
    const isToCome = ({ key, at }: Alarm) => !announced.has(key) && at >= now() - mostLate;
    ofLists.set(list, { rows, coming: alarms.filter(isToCome).toSorted((one, other) => one.at - other.at) });
    send({ type: 'alarmsRead', list: list.id, alarms });
  };

  /** Announces those of one moment at once: of 400 mutes each would be a step of the session, and a frame. */
  const ring = (list: AnyList) => {
    const { rows, coming } = ofLists.get(list) ?? { rows: [], coming: [] };
    const due = coming.filter((alarm, place) => place === 0 || alarm.at <= now());
    for (const { key } of due) announced.add(key);
    void with_.edits().then((edits) => {
      for (const { isOwn, one } of due) if (isOwn?.(edits) ?? true) with_.notify(one);
    });
    const notices = due.map(({ one: _, isOwn: __, ...alarm }) => ({ ...alarm, at: now(), list: list.id }));
    send({ type: 'setNotices', notices });
    set(list, rows);
  };

  const endNotices = () => {
    const over = state().notices.filter(({ ends }) => ends <= now());
    send({ type: 'clearNotices', keys: over.map(({ key }) => key) });
  };

  return {
    /** Rows of a list were read: notices that no longer stand are over. */
    read(list: AnyList, rows: readonly Row[]): void {
      if (ofLists.get(list)?.rows !== rows) set(list, rows);
    },
    /** The next alarm of each list, and the end of what was announced. */
    times(): readonly WantedTime[] {
      const times = [...ofLists].flatMap(
        ([
          list,
          {
            coming: [first],
          },
        ]): WantedTime[] => (first ? [{ id: `alarm ${list.id}`, at: first.at, run: () => ring(list) }] : []),
      );
      const ends = state().notices.map((notice) => notice.ends);
      return ends.length === 0 ? times : [...times, { id: 'notices', at: Math.min(...ends), run: endNotices }];
    },
  };
}
