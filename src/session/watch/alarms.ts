import type { Context } from '../../describe/context.ts';
import type { LoggedEdit } from '../../describe/logged-edit.ts';
import type { Alarm, AnyList } from '../../describe/screen.ts';
import type { Row } from '../rows/list-state.ts';
import type { Message } from '../state/message.ts';
import type { State } from '../state/state.ts';
import type { WantedTime } from './moment-watcher.ts';

/** Milliseconds after its moment in which an alarm is still announced: what was about to happen when it was first read is not. */
const mostLate = 30_000;

/** Announces moments of rows, whichever screen is in front: a mute ends soon. */
export interface Alarms {
  /** Rows of a list were read: notices that no longer stand are over. */
  read(list: AnyList, rows: readonly Row[]): void;
  /** The next alarm of each list, and the end of what was announced. */
  times(): readonly WantedTime[];
}

export function createAlarms(with_: {
  readonly now: () => number;
  readonly state: () => State;
  readonly context: () => Context;
  readonly send: (message: Message) => void;
  /** Notifies of one of this. */
  readonly notify: (one: string) => void;
  /** The journal: whose a mute is may be known from it alone. */
  readonly edits: () => Promise<readonly LoggedEdit[]>;
}): Alarms {
  const { now, state, send } = with_;
  const announced = new Set<string>();
  /** The alarms of each list that are still to come, in their order, and the rows that they are of. */
  const ofLists = new Map<AnyList, { readonly rows: readonly Row[]; readonly coming: readonly Alarm[] }>();

  const set = (list: AnyList, rows: readonly Row[]) => {
    const alarms = list.alarms?.(rows, with_.context()) ?? [];
    const isToCome = ({ key, at }: Alarm) => !announced.has(key) && at >= now() - mostLate;
    ofLists.set(list, { rows, coming: alarms.filter(isToCome).toSorted((one, other) => one.at - other.at) });
    const standing = new Set(alarms.map(({ key }) => key));
    const told = state().notices.filter((notice) => notice.list === list.id);
    const over = told.filter(({ key }) => !standing.has(key)).map(({ key }) => key);
    if (over.length > 0) send({ type: 'clearNotices', keys: over });
    const urgent = alarms.filter(({ isUrgent }) => isUrgent).map(({ key }) => key);
    if (told.length > over.length) send({ type: 'markNoticesUrgent', list: list.id, keys: new Set(urgent) });
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
    read(list, rows) {
      if (list.alarms && ofLists.get(list)?.rows !== rows) set(list, rows);
    },
    times() {
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
