import type { CacheEntry } from '../../cache/cache.ts';
import {
  isSameState,
  type Rows,
  type SeenChange,
  type SeenState,
  type SeenStates,
  seenForMs,
} from '../../describe/context.ts';
import type { AnyList } from '../../describe/screen.ts';
import { areAlike, attemptOr } from '../../lib/function-results.ts';
import { arrangement, keepsPlaces, resorted } from '../list/cursor.ts';
import type { Snapshot } from '../outside/saved-session.ts';
import { type Row, rowsById } from '../rows/list-state.ts';
import { createAlarms, createNotifier, type OwnRead } from './notifier.ts';
import type { RowsRead, WatchPorts } from './watchers.ts';

/** Between two reads that are further apart, what happened is not known: milliseconds. */
const mostGap = 300_000;
/** Changes kept of a list. */
const mostChanges = 2_000;

const nothingSeen: SeenStates = { spans: [], changes: [] };

/** What the reads have shown of the states of rows in the last day; begins with what an earlier run has kept. */
export function createStateHistory(kept: Snapshot) {
  const lists = new Map(kept.flatMap(({ list, seen }) => (seen ? [[list, seen] as const] : [])));
  const last = new Map<string, { readonly rows: readonly Row[]; readonly at: number }>();
  const seenOf = (listId: string): SeenStates => lists.get(listId) ?? nothingSeen;

  return {
    of: seenOf,
    /** A list was read whole. Two reads are compared where they asked the same. */
    read(list: AnyList, key: string, rows: readonly Row[], readAt: number): void {
      const { id, tracks } = list;
      const before = last.get(key);
      if (!tracks || (before && readAt <= before.at)) return;
      last.set(key, { rows, at: readAt });
      for (const [other, { at }] of last) if (readAt - at > mostGap) last.delete(other);
      const seen = seenOf(id);
      const isGap = !before || readAt - before.at > mostGap;
      const came = isGap ? [] : changesOf(list, tracks, before.rows, rows, readAt).filter((one) => isNews(one, seen));
      const changes = [...seen.changes, ...came].filter(({ at }) => readAt - at < seenForMs).slice(-mostChanges);
      lists.set(id, { spans: spansWith(seen.spans, readAt), changes });
    },
  };
}

/** The rows that are in another state than before. Rows that have not changed are the same objects, and are not looked at. */
function changesOf(
  list: AnyList,
  tracks: (row: Row) => SeenState,
  before: readonly Row[],
  rows: readonly Row[],
  readAt: number,
): readonly SeenChange[] {
  const known = new Set(before);
  return rows.flatMap((row): SeenChange[] => {
    if (known.has(row)) return [];
    const id = list.idOf(row);
    const was = rowsById(list, before).get(id);
    if (was === undefined) return [];
    const [from, to] = [tracks(was), tracks(row)];
    return isSame(from, to) ? [] : [{ at: readAt, id, name: list.nameOf(row), from, to }];
  });
}

/** Whether a change is not what another read of the list has shown already. */
function isNews({ id, to }: SeenChange, { changes }: SeenStates): boolean {
  const last = changes.findLast((change) => change.id === id);
  return !last || !isSame(last.to, to);
}

const isSame = (one: SeenState, other: SeenState): boolean =>
  isSameState(one, other) && areAlike(one.ends ?? [], other.ends ?? []);

/** The spans with one more read. */
function spansWith(spans: SeenStates['spans'], at: number): SeenStates['spans'] {
  const kept = spans.filter(([, to]) => at - to < seenForMs);
  const last = kept.at(-1);
  if (!last || at - last[1] > mostGap) return [...kept, [at, at]];
  return [...kept.slice(0, -1), [Math.max(last[0], at - seenForMs), Math.max(last[1], at)]];
}

/** Time that one sample stands for; it is drawn as one cell. */
const slotMs = 150_000;
/** Samples kept of each number: an hour. */
const mostSamples = 24;

/** The last sample of each slot of time, oldest first, with NaN where nothing was read for long, and when the last one was read; by name. */
type Courses = NonNullable<Snapshot[number]['courses']>;

/**
 * The course of numbers over the last hour, however often they are read: one for each row of a list with a trend, and what a feed names.
 * Begins with what an earlier run has kept.
 */
export function createTrends(snapshot: Snapshot) {
  const lists = new Map(snapshot.flatMap(({ list, courses }) => (courses ? [[list, courses] as const] : [])));
  const longer = (before: Courses[string] | undefined, value: number, readAt: number): Courses[string] => {
    if (!before) return { at: readAt, samples: [value] };
    if (readAt <= before.at) return before;
    const slots = Math.floor(readAt / slotMs) - Math.floor(before.at / slotMs);
    if (slots === 0) return { at: readAt, samples: [...before.samples.slice(0, -1), value] };
    const between = readAt - before.at > mostGap ? Number.NaN : (before.samples.at(-1) ?? Number.NaN);
    const unread = Array.from({ length: Math.min(mostSamples, slots - 1) }, () => between);
    return { at: readAt, samples: [...before.samples, ...unread, value].slice(-mostSamples) };
  };
  const longerBy = (before: Courses | undefined, values: Readonly<Record<string, number>>, readAt: number): Courses =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, longer(before?.[name], value, readAt)]));
  return {
    /** Rows were read: the numbers of those that are gone are dropped. */
    sampleRows(list: AnyList, rows: readonly Row[], readAt: number): void {
      const { trend } = list;
      if (!trend) return;
      const values = Object.fromEntries(rows.map((row) => [list.idOf(row), trend(row)]));
      lists.set(list.id, longerBy(lists.get(list.id), values, readAt));
    },
    sampleNumbers(listId: string, values: Readonly<Record<string, number>>, readAt: number): void {
      const before = lists.get(listId) ?? {};
      const young = Object.entries(before).filter(([, { at }]) => readAt - at < seenForMs);
      lists.set(listId, { ...Object.fromEntries(young), ...longerBy(before, values, readAt) });
    },
    /** Samples, oldest first. */
    of: (listId: string, name: string): readonly number[] => lists.get(listId)?.[name]?.samples ?? [],
    /** The courses of a list, to be kept. */
    all: (listId: string): Courses | undefined => lists.get(listId),
  };
}

/**
 * Milliseconds until rows are kept: of a list's first read, and of later ones, which are many: nearly every poll changes some. At the end
 * all are kept, so that only a kill loses them.
 */
const keptMs = { first: 10_000, later: 600_000 } as const;
const nothing: ReadonlyMap<string, string> = new Map();
const noRows: readonly Row[] = [];

/** A read that has told something. */
interface Arrival {
  readonly key: string;
  /** All that is known of it but when it was read, with our edits laid over its rows. */
  readonly has: readonly unknown[];
  /** When it was last read whole. */
  readonly wholeAt: number | undefined;
}

/** Tells what a read of rows has brought: samples, notifications, alarms, and whether there is anything new to draw. */
export function createArrivals(ports: WatchPorts, follow: () => void) {
  const { cache, clock, profile, feeding, lists, now, state, send } = ports;
  const context = () => ports.context(state());
  const trends = createTrends(ports.snapshot ?? []);
  const history = createStateHistory(ports.snapshot ?? []);
  const notifier = createNotifier({
    clock,
    context,
    notify: (text) => ports.outside.ring(`${profile.name}: ${text}`),
  });
  const alarms = createAlarms({
    ...{ now: clock.now, state, context, send },
    ...{ notify: notifier.add, edits: feeding.knownEdits },
  });
  /** The order and the rows for which the list in front was sorted last. */
  const sortedLast = { of: [] as readonly unknown[] };
  /** What arrived last of each list and each feed, and not of each search: its rows would stay for ever. */
  const last = new Map<string, Arrival>();

  /** Notes what has arrived; answers with what arrived before it, where that was asked the same. */
  const noted = ({ list, feed }: RowsRead, now: Arrival): Arrival | undefined => {
    const place = `${list.id} ${feed?.name ?? ''}`;
    const before = last.get(place);
    const same = before?.key === now.key ? before : undefined;
    last.set(place, { ...now, wholeAt: now.wholeAt ?? same?.wholeAt });
    return same;
  };

  /** Takes what a read adds to those before it: a sample of its numbers, and the changes of its states. */
  const record = (key: string, readAt: number, rows: readonly Row[], brings: RowsRead) => {
    const { list, feed: fed } = brings;
    attemptOr(undefined, () => {
      if (!fed) return trends.sampleRows(list, rows, readAt);
      trends.sampleNumbers(list.id, fed.feed.samples?.(rows, context()) ?? {}, readAt);
    });
    const source = sourceOf(brings);
    if (source) attemptOr(undefined, () => history.read(source, key, rows, readAt));
  };

  /** The list whose rows are read. */
  const sourceOf = ({ list, feed }: RowsRead) => (feed ? lists.find((one) => one.id === feed.feed.of) : list);

  /** A trend on screen has one more sample after each read. */
  const isSampled = ({ list, feed }: RowsRead) =>
    feed ? feed.feed.samples !== undefined : list.trend !== undefined && now().view.list.id === list.id;

  const withEdits = (key: string, rows: readonly Row[], list: AnyList | undefined) =>
    list ? cache.overlays.over(key, [list.id], rows, list.idOf) : rows;

  /** Sorts the list in front, where its rows need not keep their places. */
  const sort = () => {
    const { view } = now();
    if (areAlike(sortedLast.of, [view.listState.order, view.rows])) return;
    if (keepsPlaces(state(), view.listState, clock.now() - ports.keyAt())) return;
    const message = view.read.value && !view.read.partial ? resorted(view, context()) : undefined;
    if (message) send(message);
    sortedLast.of = [now().view.listState.order, view.rows];
  };

  /** Keeps the order of the list in front, where it was read under this key, and sorts it. */
  const arrange = ({ id }: AnyList, key: string) => {
    const { view } = now();
    if (view.list.id !== id || view.key !== key) return;
    const message = arrangement(view);
    if (message) send(message);
    else sort();
  };

  /**
   * Sets the alarms of a list, and says which watched rows changed; `ownRead`: it was read for itself. What an edit of ours shows before its
   * outcome is known may never be so: until then nothing is told.
   */
  const notify = (list: AnyList | undefined, ownRead?: OwnRead) => {
    const listState = state().lists[list?.id ?? ''];
    if (!list || !listState || cache.overlays.pending(list.id).size > 0) return;
    // A search does not end the notice of a row that it leaves out.
    if (list.alarms) alarms.read(list, ports.readOf(list)?.rows ?? noRows);
    const changes = ownRead ? notifier.arrived(list, ownRead, listState.watched ?? nothing) : [];
    if (changes.length > 0) send({ type: 'stateChanged', list: list.id, changes });
  };

  return {
    sort,
    seen: history.of,
    courses: trends.all,
    trend: (list: AnyList, rowId: string) => trends.of(list.id, rowId),
    times: alarms.times,
    close: notifier.close,
    /** The read of this key has told something. */
    arrived(key: string, brings: RowsRead): void {
      const { list, feed } = brings;
      const entry = cache.known<Rows<Row>>(key);
      const { at: _, value, ...facts } = entry;
      const rows = value?.rows ?? noRows;
      const source = sourceOf(brings);
      const wholeAt = wholeAtOf(entry, feed !== undefined);
      const isRead = wholeAt !== undefined;
      const edited = withEdits(key, rows, source);
      const has = [edited, value, ...Object.entries(facts).flat()];
      const before = noted(brings, { key, has, wholeAt });
      const isNew = !before || !areAlike(before.has, has);
      if (isRead && wholeAt !== before?.wholeAt) record(key, wholeAt, rows, brings);
      if (!entry.asking) arrange(list, feed ? list.id : key);
      if (!entry.asking && isRead)
        attemptOr(undefined, () =>
          notify(source, feed ? undefined : { key, rows: edited, read: rows, isWhole: hasAll(value) }),
        );
      follow();
      if (isRead && isKept(brings)) ports.keepRows(keptWithin(before?.wholeAt === undefined, isNew));
      const tell = isNew || isSampled(brings) ? ports.beat : ports.again;
      tell();
    },
  };
}

const hasAll = (read?: Rows<Row>): boolean => !read?.missing?.length && !read?.unread?.length;

/** Whether what was read stands in the snapshot: rows, or the course of a feed's numbers. */
const isKept = ({ feed }: RowsRead): boolean => !feed || feed.feed.samples !== undefined;

const keptWithin = (isFirst: boolean, isNew: boolean): number | undefined => {
  if (isFirst) return keptMs.first;
  return isNew ? keptMs.later : undefined;
};

/** When it was read, if all rows are there: a feed may be of an earlier run. */
const wholeAtOf = ({ at, partial, isFromSnapshot }: CacheEntry<unknown>, isFeed: boolean): number | undefined =>
  partial || (isFromSnapshot && !isFeed) ? undefined : at;
