import type { Cache, Known, Question } from '../cache/cache.ts';
import type { Context } from '../describe/context.ts';
import type { Feed } from '../describe/derived.ts';
import type { Alarm, AnyList } from '../describe/screen.ts';
import type { Rows, Single, Source } from '../describe/source.ts';
import { areAlike } from '../lib/alike.ts';
import type { Clock } from '../lib/clock.ts';
import { present } from '../lib/present.ts';
import type { Feeding } from './derived/feeding.ts';
import { picksOf } from './guarded.ts';
import { arrangement } from './list/cursor.ts';
import type { ListState, Row } from './list/list-state.ts';
import type { Message } from './message.ts';
import { createNotices } from './notices.ts';
import type { Outside, Profile } from './outside.ts';
import type { State } from './state.ts';
import type { Reads, View } from './view.ts';

/** Keeps what is on screen polled, and slowly what a person is to be notified of. */
export interface Watching {
  /** After a change of state: watches what is on screen now, and stops watching the rest. */
  watch(): void;
  /** Samples of the list's trend for a row, oldest first. */
  trend(list: AnyList, rowId: string): readonly number[];
  question<T>(of: Source<T> | Single<T>): Question<unknown>;
  /** The reads of the list in front; of a derived one, those that come first. */
  front(): readonly Question<unknown>[];
  close(): void;
}

/** Milliseconds after its moment in which an alarm is still announced. */
const late = 30_000;
/** Samples kept for each row; one is drawn as one cell. */
const longest = 24;
/**
 * Milliseconds until rows are kept: of a list's first read, and of later ones, which are many: nearly every poll changes some. At the end
 * all are kept, so that only a kill loses them.
 */
const keptMs = { first: 10_000, later: 600_000 } as const;
const nothing: ReadonlyMap<string, string> = new Map();
/** Milliseconds that the read of a board's first block has for itself. */
const headStartMs = 100;
/** Least milliseconds between reads of a list that is not in front and has something to notify of. */
const awayMs = 60_000;

/** Whether the lists ask for the same: a cursor that moves asks for nothing. */
export const asksAlike = (before: State['lists'], lists: State['lists']): boolean =>
  before === lists ||
  Object.entries(lists).every(([id, own]) => {
    const was = before[id];
    return was === own || (was?.asked === own.asked && was?.detail === own.detail && was?.watched === own.watched);
  });

export function createWatching(with_: {
  readonly cache: Cache;
  readonly clock: Clock;
  readonly outside: Pick<Outside, 'ring'>;
  readonly profile: Profile;
  readonly reads: Reads;
  readonly feeding: Feeding;
  readonly listById: (id: string) => AnyList | undefined;
  readonly now: () => { readonly state: State; readonly view: View };
  readonly lists: readonly AnyList[];
  readonly front: (state: State) => AnyList;
  readonly context: (state: State) => Context;
  readonly state: () => State;
  readonly send: (message: Message) => void;
  readonly beat: () => void;
  /** A list was read whole: its rows must be kept within so many milliseconds; undefined: they are as they were. */
  readonly keepRows: (withinMs: number | undefined) => void;
  /** A read has shown nothing new but that it is fresh. */
  readonly again: () => void;
  /** What is in front was read. */
  readonly rowsAreThere: () => void;
}): Watching {
  const { cache, clock, outside, profile, reads, feeding, now, send, beat, again } = with_;
  const trends = new Map<string, Map<string, number[]>>();
  const sampled = new Map<string, unknown>();
  const announced = new Set<string>();
  const watches = new Map<string, { readonly stop: () => void; readonly everyMs: number }>();
  const notices = createNotices({
    clock,
    context: () => with_.context(with_.state()),
    notify: (text) => outside.ring(`${profile.name}: ${text}`),
  });
  /** The next alarm of each list, and the rows that it was set from. It rings whichever screen is in front. */
  const alarmed = new Map<string, { readonly rows: readonly Row[]; readonly cancel: () => void }>();
  /** Cancels of the timers that end notices. */
  const ends: (() => void)[] = [];

  const question: Watching['question'] = (of) => ({
    key: of.key,
    of: of.of,
    plan: () => of.plan(with_.context(with_.state())) as ReturnType<Question<unknown>['plan']>,
  });

  const watch = () => {
    const state = with_.state();
    const { pollMs = profile.pollMs } = state;
    const list = with_.front(state);
    const own = state.lists[list.id] as ListState;
    const context = with_.context(state);
    const wanted = new Map<
      string,
      { question: Question<unknown>; everyMs: number; freshMs?: number; changed: () => void }
    >();
    const poll = (id: string, source: Source<Row>, every: number, freshMs: number | undefined, changed: () => void) => {
      const everyMs = Math.max(pollMs, every * 1000);
      wanted.set(id, { question: question(source), everyMs, ...present({ freshMs }), changed });
    };
    if (list.derived) {
      for (const [name, feed] of firstOrAll(feeding.due(list.derived, context), context)) {
        const fresh = feed.spare ? (feed.every ?? 0) * 1000 : undefined;
        poll(`${list.id} ${name}`, feed.source(context), feed.every ?? 0, fresh, () => fed(list, name, feed));
      }
    } else {
      const source = list.load(own.asked, context);
      poll(source.key, source, list.every ?? 0, undefined, () => arrived(list, source.key));
    }
    if (own.detail && list.detail?.load) {
      const row = rowById(list, own, own.detail.id);
      const single = row === undefined ? undefined : list.detail.load(row, context);
      if (single)
        wanted.set(single.key, {
          question: question(single),
          everyMs: Math.max(pollMs, 15_000),
          changed: beat,
        });
    }
    const top = state.layers.at(-1);
    const picks = top && picksOf(top);
    if (picks) {
      wanted.set(picks.key, { question: question(picks), everyMs: 300_000, changed: beat });
    }
    const isRead = isFrontRead();
    if (isRead) with_.rowsAreThere();
    for (const other of profile.isNotified && isRead ? with_.lists : []) {
      const elsewhere = state.lists[other.id];
      if (!elsewhere || other.derived || (!other.notifies && !elsewhere.watched?.size)) continue;
      const away = other.load(elsewhere.asked, { ...context, rows: () => [] });
      if (wanted.has(away.key)) continue;
      const everyMs = Math.max(awayMs, pollMs * 4, (other.every ?? 0) * 1000);
      const changed = () => arrived(other, away.key);
      wanted.set(away.key, { question: question(away), everyMs, freshMs: everyMs, changed });
    }
    for (const [key, { stop, everyMs }] of watches) {
      if (wanted.get(key)?.everyMs === everyMs) continue;
      stop();
      watches.delete(key);
    }
    for (const [key, { question, everyMs, freshMs, changed }] of wanted)
      if (!watches.has(key))
        watches.set(key, { stop: cache.watch(question, { everyMs, ...present({ freshMs }) }, changed), everyMs });
  };

  const front = () => {
    const state = with_.state();
    const list = with_.front(state);
    const context = with_.context(state);
    const feeds = Object.values(list.derived?.feeds ?? {}).filter(({ spare }) => !spare);
    if (list.derived) return feeds.map((feed) => question(feed.source(context)));
    return [question(list.load((state.lists[list.id] as ListState).asked, context))];
  };

  const headStart: { isOver: boolean; cancel: () => void } = { isOver: false, cancel: () => {} };
  /** At the start the first read alone, so that the first block is drawn first; on a slow link the others hardly wait. */
  const firstOrAll = (due: ReturnType<Feeding['due']>, context: Context): ReturnType<Feeding['due']> => {
    const [first] = due;
    const { value, problem } = cache.known(first?.[1].source(context).key ?? '');
    if (!first || headStart.isOver || value !== undefined || problem) return due;
    headStart.cancel();
    headStart.cancel = clock.after(headStartMs, () => {
      headStart.isOver = true;
      watch();
    });
    return [first];
  };

  const begun = { isFrontRead: false };
  /** What is in front comes first: whatever else is read waits until it is there. */
  const isFrontRead = () => {
    begun.isFrontRead ||= front().every(({ key }) => {
      const { value, problem, asking, partial, isFromSnapshot } = cache.known(key);
      return !asking && !partial && !isFromSnapshot && (value !== undefined || problem !== undefined);
    });
    return begun.isFrontRead;
  };

  const rowById = (list: AnyList, own: ListState, id: string): Row | undefined =>
    reads.rows(list, own).rows.find((row) => list.idOf(row) === id);

  /** What each list, or feed of one, was last seen to have. */
  const told = new Map<string, readonly unknown[]>();
  /** Whether anything but the time of its read is other than when it was last asked; `rows` have our edits laid over them. */
  const isNews = (id: string, known: Known<Rows<Row>>, rows: readonly Row[]): boolean => {
    const { at: _, value, ...facts } = known;
    const seen = [rows, value, ...Object.entries(facts).flat()];
    const before = told.get(id);
    told.set(id, seen);
    return !before || !areAlike(before, seen);
  };

  /** After a read of rows: keeps their order, takes samples, sets alarms. */
  const arrived = (list: AnyList, key: string) => {
    const { state, view } = now();
    const known = cache.known<Rows<Row>>(key);
    const isNew = isNews(list.id, known, reads.rows(list, state.lists[list.id] as ListState).rows);
    const isInFront = view.list.id === list.id;
    const message = isInFront && view.key === key ? arrangement(view) : undefined;
    if (message) send(message);
    const isRead = known.value !== undefined && !known.partial && !known.isFromSnapshot;
    const isFirst = !sampled.has(list.id);
    if (isRead && known.value && sampled.get(list.id) !== known.at) {
      sampled.set(list.id, known.at);
      sample(list, known.value.rows);
    }
    const own = state.lists[list.id];
    if (isRead && own && !known.asking) {
      const { rows } = reads.rows(list, own);
      alarms(list, rows);
      const changes = notices.arrived(list, key, rows, own.watched ?? nothing);
      if (changes.length > 0) send({ do: 'stateChanged', list: list.id, changes });
    }
    if (state.lists[list.id]?.detail || !begun.isFrontRead) watch();
    if (isRead) with_.keepRows(isFirst ? keptMs.first : isNew ? keptMs.later : undefined);
    // A row's trend has one more sample after each read.
    if (isNew || (list.trend && isInFront)) beat();
    else again();
  };

  /** After a read of a feed: follows what has changed, keeps order and samples, and reads what comes next. */
  const fed = (list: AnyList, name: string, feed: Feed) => {
    const { state } = now();
    const context = with_.context(state);
    const feedKey = feed.source(context).key;
    const known = cache.known<Rows<Row>>(feedKey);
    const isRead = known.value !== undefined && !known.partial;
    const id = `${list.id} ${name}`;
    const ofFeed = feed.of === undefined ? undefined : with_.listById(feed.of);
    const rows = known.value?.rows ?? [];
    const isNew = isNews(id, known, ofFeed ? cache.overlays.over(feedKey, [ofFeed.id], rows, ofFeed.idOf) : rows);
    if (isRead && sampled.get(id) !== known.at) {
      sampled.set(id, known.at);
      feeding.follow(list, name, feed, context);
      add(list.id, feed.samples?.(rows, context) ?? {});
    }
    const shown = ofFeed && state.lists[ofFeed.id];
    if (isRead && ofFeed && shown) alarms(ofFeed, reads.rows(ofFeed, shown).rows);
    if (!known.asking) arrange(list);
    if (!known.asking) watch();
    if (isNew || feed.samples) beat();
    else again();
  };

  const arrange = (list: AnyList) => {
    const { view } = now();
    const { own, key, order } = view;
    const isOther = list.board ? own.cursor === undefined || own.order?.key !== key : own.order !== order;
    if (view.list.id === list.id && !view.known.partial && isOther)
      send({ do: 'arranged', list: list.id, order: view.order });
  };

  const add = (listId: string, values: Readonly<Record<string, number>>) => {
    const course = trends.get(listId) ?? new Map<string, number[]>();
    for (const [name, value] of Object.entries(values))
      course.set(name, [...(course.get(name) ?? []).slice(1 - longest), value]);
    trends.set(listId, course);
  };

  const sample = (list: AnyList, rows: readonly Row[]) => {
    if (!list.trend) return;
    const course = trends.get(list.id) ?? new Map<string, number[]>();
    const next = new Map<string, number[]>();
    for (const row of rows) {
      const id = list.idOf(row);
      next.set(id, [...(course.get(id) ?? []).slice(1 - longest), list.trend(row)]);
    }
    trends.set(list.id, next);
  };

  const alarms = (list: AnyList, rows: readonly Row[]) => {
    if (!list.alarms || alarmed.get(list.id)?.rows === rows) return;
    alarmed.get(list.id)?.cancel();
    setAlarm(list, rows, list.alarms(rows, with_.context(with_.state())));
  };

  const setAlarm = (list: AnyList, rows: readonly Row[], all: readonly Alarm[]) => {
    const standing = new Set(all.map(({ key }) => key));
    const over = with_.state().notices.filter((notice) => notice.list === list.id && !standing.has(notice.key));
    if (over.length > 0) send({ do: 'noticesOver', keys: over.map(({ key }) => key) });
    const isTold = with_.state().notices.some((notice) => notice.list === list.id);
    const urgent = all.filter(({ isUrgent }) => isUrgent).map(({ key }) => key);
    if (isTold) send({ do: 'noticesUrgent', list: list.id, keys: new Set(urgent) });
    // What was about to happen when it was first read is not announced.
    const coming = all
      .filter(({ key, at }) => !announced.has(key) && at >= clock.now() - late)
      .toSorted((one, other) => one.at - other.at);
    const [first] = coming;
    if (!first) return void alarmed.set(list.id, { rows, cancel: () => {} });
    const cancel = clock.after(Math.max(0, first.at - clock.now()), () => {
      alarmed.delete(list.id);
      const due = coming.filter((alarm) => alarm === first || alarm.at <= clock.now());
      announce(list, due);
      alarms(list, rows);
    });
    alarmed.set(list.id, { rows, cancel });
  };

  /** Those of one moment at once, and their end too: of 400 mutes each would be a step of the session, and a frame. */
  const announce = (list: AnyList, alarms: readonly Alarm[]) => {
    for (const { key } of alarms) announced.add(key);
    // Whose a mute is may be known from the journal alone.
    void feeding.knownEdits().then((edits) => {
      for (const { isOwn, one } of alarms) if (isOwn?.(edits) ?? true) notices.add(one);
    });
    const told = alarms.map(({ key, subject, ends: over, end, isUrgent, rowId, subRowId, action }) => ({
      ...{ key, subject, ends: over, end, at: clock.now(), isUrgent, list: list.id, rowId, subRowId, action },
    }));
    send({ do: 'notices', notices: told });
    for (const [over, those] of Map.groupBy(told, (notice) => notice.ends)) {
      const keys = those.map(({ key }) => key);
      ends.push(clock.after(Math.max(0, over - clock.now()), () => send({ do: 'noticesOver', keys })));
    }
  };

  return {
    watch,
    question,
    front,
    trend: (list, rowId) => trends.get(list.id)?.get(rowId) ?? [],
    close() {
      notices.close();
      headStart.cancel();
      for (const { cancel } of alarmed.values()) cancel();
      for (const cancel of ends) cancel();
      for (const { stop } of watches.values()) stop();
    },
  };
}
