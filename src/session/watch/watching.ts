import type { Cache, CachedRead, CacheEntry } from '../../cache/cache.ts';
import type { Context } from '../../describe/context.ts';
import type { AnyList } from '../../describe/screen.ts';
import type { Rows } from '../../describe/source.ts';
import { areAlike } from '../../lib/alike.ts';
import { attempt } from '../../lib/attempt.ts';
import type { Clock } from '../../lib/clock.ts';
import { present } from '../../lib/present-members.ts';
import { arrangement } from '../list/cursor.ts';
import type { Outside, SessionProfile } from '../outside/outside.ts';
import type { ListState, Row } from '../rows/list-state.ts';
import type { Message } from '../state/message.ts';
import type { State } from '../state/state.ts';
import type { Reads, View } from '../state/view.ts';
import { createAlarms } from './alarms.ts';
import type { Feeding } from './feeding.ts';
import type { Ask, RowsRead, WantedRead, WantedTime } from './moment-watcher.ts';
import { createNotifier } from './notifier.ts';
import { createTrends } from './trends.ts';
import { watchers } from './watchers.ts';

/** Keeps what is wanted polled and timed: what is on screen, and what a person is to be notified of. */
export interface Watching {
  /** After a change of state or a read: polls and times what is wanted now, and nothing else. */
  follow(): void;
  /** Samples of the list's trend for a row, oldest first. */
  trend(list: AnyList, rowId: string): readonly number[];
  /** The reads of the list in front; of a derived one, those that come first. */
  front(): readonly CachedRead<unknown>[];
  close(): void;
}

/** Ages on screen are drawn again this often: the unit of one may have changed. */
const ageMs = 15_000;
/**
 * Milliseconds until rows are kept: of a list's first read, and of later ones, which are many: nearly every poll changes some. At the end
 * all are kept, so that only a kill loses them.
 */
const keptMs = { first: 10_000, later: 600_000 } as const;
/** Milliseconds from the start that the read of a board's first block has for itself. */
const headStartMs = 100;
const nothing: ReadonlyMap<string, string> = new Map();
const noRows: readonly Row[] = [];

/** Where a description throws, nothing is wanted of it: what is drawn says why, and everything else is read. */
const orNone = <T>(work: () => T) => attempt<T | readonly []>(work, () => []);

/** Whether the same is wanted: a cursor that moves asks for nothing. */
export const wantsAlike = (before: State, state: State): boolean =>
  before.pollMs === state.pollMs &&
  before.screen === state.screen &&
  before.tab === state.tab &&
  before.layers === state.layers &&
  before.notices === state.notices &&
  (before.lists === state.lists ||
    Object.entries(state.lists).every(([id, own]) => {
      const was = before.lists[id];
      return was === own || (was?.asked === own.asked && was?.detail === own.detail && was?.watched === own.watched);
    }));

export function createWatching(with_: {
  readonly cache: Cache;
  readonly clock: Clock;
  readonly outside: Pick<Outside, 'ring'>;
  readonly profile: SessionProfile;
  readonly reads: Reads;
  readonly feeding: Feeding;
  readonly now: () => { readonly state: State; readonly view: View };
  readonly lists: readonly AnyList[];
  readonly front: (state: State) => AnyList;
  readonly context: (state: State) => Context;
  readonly state: () => State;
  readonly send: (message: Message) => void;
  readonly beat: () => void;
  /** What is in front was read. */
  readonly rowsAreThere: () => void;
  /** The ages on screen may have changed. */
  readonly aged: () => void;
  /** A list was read whole: its rows must be kept within so many milliseconds; undefined: they are as they were. */
  readonly keepRows: (withinMs: number | undefined) => void;
  /** A read has shown nothing new but that it is fresh. */
  readonly again: () => void;
}): Watching {
  const { cache, clock, profile, reads, feeding, lists, now, send } = with_;
  const contextNow = () => with_.context(with_.state());
  const trends = createTrends();
  const notifier = createNotifier({
    clock,
    context: contextNow,
    notify: (text) => with_.outside.ring(`${profile.name}: ${text}`),
  });
  const alarms = createAlarms({
    ...{ now: clock.now, state: with_.state, context: contextNow, send },
    ...{ notify: notifier.add, edits: feeding.knownEdits },
  });
  const polls = new Map<string, { readonly everyMs: number; readonly stop: () => void }>();
  const timers = new Map<string, { readonly at: number; readonly cancel: () => void }>();
  /** When each read was sampled, and what it was last seen to have. */
  const sampled = new Map<string, unknown>();
  const seen = new Map<string, readonly unknown[]>();
  const startedAt = clock.now();
  const held = { isFrontRead: false, agedAt: startedAt };

  const rowsOf = (list: AnyList): readonly Row[] => reads.rows(list, with_.state().lists[list.id] as ListState).rows;

  const ask: Ask = (source) => ({
    key: source.key,
    of: source.of,
    plan: () => source.plan(contextNow()) as ReturnType<CachedRead<unknown>['plan']>,
  });

  const front = () => {
    const state = with_.state();
    const list = with_.front(state);
    const context = with_.context(state);
    const feeds = Object.values(list.derived?.feeds ?? {}).filter(({ spare }) => !spare);
    const sources = orNone(() =>
      list.derived
        ? feeds.map((feed) => feed.source(context))
        : [list.load((state.lists[list.id] as ListState).asked, context)],
    );
    return sources.map(ask);
  };

  const isFrontRead = () => {
    held.isFrontRead ||= front().every(({ key }) => {
      const { value, problem, asking, partial, isFromSnapshot } = cache.known(key);
      return !asking && !partial && !isFromSnapshot && (value !== undefined || problem !== undefined);
    });
    return held.isFrontRead;
  };

  const follow = () => {
    const state = with_.state();
    const context = with_.context(state);
    const list = with_.front(state);
    const isRead = isFrontRead();
    if (isRead) with_.rowsAreThere();
    const moment = {
      ...{ state, context, profile, lists, front: list, rows: rowsOf },
      ...{ due: ({ derived }: AnyList) => (derived ? firstOrAll(feeding.due(derived, context)) : []) },
      isFrontRead: isRead,
    };
    pollOnly(watchers.flatMap((watcher) => orNone(() => watcher(moment))));
    const atStart = clock.now() < headStart.at ? [headStart] : [];
    timeOnly([{ id: 'ages', at: held.agedAt + ageMs, run: age }, ...atStart, ...alarms.times()]);
  };

  const headStart = { id: 'head start', at: startedAt + headStartMs, run() {} };
  /** At the start the first read alone, so that the first block is drawn first; on a slow link the others hardly wait. */
  const firstOrAll = (due: ReturnType<Feeding['due']>): ReturnType<Feeding['due']> => {
    const [first] = due;
    const { value, problem } = cache.known(first?.[1].source(contextNow()).key ?? '');
    return first && clock.now() < headStart.at && value === undefined && !problem ? [first] : due;
  };

  /** Polls these, the first of each id, and stops the others. */
  const pollOnly = (wanted: readonly WantedRead[]) => {
    const byId = new Map<string, WantedRead>();
    for (const read of wanted) if (!byId.has(read.id)) byId.set(read.id, read);
    for (const [id, { everyMs, stop }] of polls) {
      if (byId.get(id)?.everyMs === everyMs) continue;
      stop();
      polls.delete(id);
    }
    for (const [id, read] of byId) {
      if (polls.has(id)) continue;
      const { source, everyMs, freshMs, brings } = read;
      const changed = brings ? () => arrived(id, source.key, brings) : with_.beat;
      polls.set(id, { everyMs, stop: cache.watch(ask(source), { everyMs, ...present({ freshMs }) }, changed) });
    }
  };

  const timeOnly = (wanted: readonly WantedTime[]) => {
    const byId = new Map(wanted.map((time) => [time.id, time]));
    for (const [id, { at: dueAt, cancel }] of timers) {
      if (byId.get(id)?.at === dueAt) continue;
      cancel();
      timers.delete(id);
    }
    for (const [id, { at: dueAt, run }] of byId) {
      if (timers.has(id)) continue;
      const cancel = clock.after(Math.max(0, dueAt - clock.now()), () => {
        timers.delete(id);
        run();
        follow();
      });
      timers.set(id, { at: dueAt, cancel });
    }
  };

  const age = () => {
    held.agedAt = clock.now();
    with_.aged();
  };

  /** A read of rows has told something: takes samples, notifies, keeps their order, and follows what is wanted now. */
  const arrived = (id: string, key: string, { list, feed: fed }: RowsRead) => {
    const [name = '', feed] = fed ?? [];
    const entry = cache.known<Rows<Row>>(key);
    const rows = entry.value?.rows ?? noRows;
    const feedList = feed ? lists.find((one) => one.id === feed.of) : list;
    const isNew = isNews(id, entry, feedList ? cache.overlays.over(key, [feedList.id], rows, feedList.idOf) : rows);
    const isRead = entry.value !== undefined && !entry.partial && (feed !== undefined || !entry.isFromSnapshot);
    const isFirst = !sampled.has(id);
    if (isRead && sampled.get(id) !== entry.at) {
      sampled.set(id, entry.at);
      orNone(() => {
        if (!feed) return trends.sampleRows(list, rows);
        feeding.follow(list, name, feed, contextNow());
        trends.sampleNumbers(list.id, feed.samples?.(rows, contextNow()) ?? {});
      });
    }
    if (!entry.asking) arrange(list, feed ? list.id : key);
    if (isRead && !entry.asking && feedList) orNone(() => notified(feedList, feed ? undefined : key));
    follow();
    if (isRead && !feed) with_.keepRows(isFirst ? keptMs.first : isNew ? keptMs.later : undefined);
    // A trend has one more sample after each read.
    const isSampled = feed ? feed.samples !== undefined : list.trend !== undefined && now().view.list.id === list.id;
    if (isNew || isSampled) with_.beat();
    else with_.again();
  };

  /** Whether anything but the time of its read is other than when it was last asked; `rows` have our edits laid over them. */
  const isNews = (id: string, known: CacheEntry<Rows<Row>>, rows: readonly Row[]): boolean => {
    const { at: _, value, ...facts } = known;
    const present = [rows, value, ...Object.entries(facts).flat()];
    const before = seen.get(id);
    seen.set(id, present);
    return !before || !areAlike(before, present);
  };

  /** Keeps the order of the list in front, where it was read under this key. */
  const arrange = ({ id }: AnyList, key: string) => {
    const { view } = now();
    const message = view.list.id === id && view.key === key ? arrangement(view) : undefined;
    if (message) send(message);
  };

  /** Sets the alarms of a list, and says which watched rows changed; `key`: it was read for itself. */
  const notified = (list: AnyList, key: string | undefined) => {
    const own = with_.state().lists[list.id];
    if (!own) return;
    const rows = rowsOf(list);
    alarms.read(list, rows);
    const changes = key === undefined ? [] : notifier.arrived(list, key, rows, own.watched ?? nothing);
    if (changes.length > 0) send({ type: 'stateChanged', list: list.id, changes });
  };

  return {
    follow,
    front,
    trend: (list, rowId) => trends.of(list.id, rowId),
    close() {
      notifier.close();
      for (const { cancel } of timers.values()) cancel();
      for (const { stop } of polls.values()) stop();
    },
  };
}
