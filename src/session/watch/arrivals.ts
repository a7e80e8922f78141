import type { CacheEntry } from '../../cache/cache.ts';
import type { AnyList } from '../../describe/screen.ts';
import type { Rows } from '../../describe/source.ts';
import { areAlike } from '../../lib/alike.ts';
import { attemptOrNone } from '../../lib/attempt.ts';
import { arrangement } from '../list/cursor.ts';
import { keepsPlaces, resorted } from '../list/row-places.ts';
import type { Row } from '../rows/list-state.ts';
import { createAlarms } from './alarms.ts';
import type { RowsRead, WatchPorts } from './moment-watcher.ts';
import { createNotifier } from './notifier.ts';
import { createStateHistory } from './state-history.ts';
import { createTrends } from './trends.ts';

/**
 * Milliseconds until rows are kept: of a list's first read, and of later ones, which are many: nearly every poll changes some. At the end
 * all are kept, so that only a kill loses them.
 */
const keptMs = { first: 10_000, later: 600_000 } as const;
const nothing: ReadonlyMap<string, string> = new Map();
const noRows: readonly Row[] = [];

/** Tells what a read of rows has brought: samples, notifications, alarms, and whether there is anything new to draw. */
export function createArrivals(ports: WatchPorts, follow: () => void) {
  const { cache, clock, profile, reads, feeding, lists, now, state, send } = ports;
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
  /** When each read was sampled, and what it was last seen to have. */
  const sampled = new Map<string, unknown>();
  const seen = new Map<string, readonly unknown[]>();

  /** Takes the samples of a read, once. */
  const sample = (id: string, readAt: number | undefined, rows: readonly Row[], { list, feed: fed }: RowsRead) => {
    if (readAt === undefined || sampled.get(id) === readAt) return;
    sampled.set(id, readAt);
    attemptOrNone(() => {
      if (!fed) return trends.sampleRows(list, rows, readAt);
      trends.sampleNumbers(list.id, fed.feed.samples?.(rows, context()) ?? {}, readAt);
    });
  };

  /** The list whose rows are read. */
  const sourceOf = ({ list, feed }: RowsRead) => (feed ? lists.find((one) => one.id === feed.feed.of) : list);

  /** A trend on screen has one more sample after each read. */
  const isSampled = ({ list, feed }: RowsRead) =>
    feed ? feed.feed.samples !== undefined : list.trend !== undefined && now().view.list.id === list.id;

  const withEdits = (key: string, rows: readonly Row[], list: AnyList | undefined) =>
    list ? cache.overlays.over(key, [list.id], rows, list.idOf) : rows;

  /** Whether anything but the time of its read is other than when it was last asked; `rows` have our edits laid over them. */
  const isNews = (id: string, known: CacheEntry<Rows<Row>>, rows: readonly Row[]): boolean => {
    const { at: _, value, ...facts } = known;
    const present = [rows, value, ...Object.entries(facts).flat()];
    const before = seen.get(id);
    seen.set(id, present);
    return !before || !areAlike(before, present);
  };

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

  /** Sets the alarms of a list, and says which watched rows changed; `key`: it was read for itself. */
  const notify = (list: AnyList | undefined, key: string | undefined) => {
    const listState = state().lists[list?.id ?? ''];
    if (!list || !listState) return;
    const { rows } = reads.rows(list, listState);
    alarms.read(list, rows);
    const changes = key === undefined ? [] : notifier.arrived(list, key, rows, listState.watched ?? nothing);
    if (changes.length > 0) send({ type: 'stateChanged', list: list.id, changes });
  };

  return {
    sort,
    seen: history.of,
    courses: trends.all,
    trend: (list: AnyList, rowId: string) => trends.of(list.id, rowId),
    times: alarms.times,
    close: notifier.close,
    /** The read of this id and key has told something. */
    arrived(id: string, key: string, brings: RowsRead): void {
      const { list, feed } = brings;
      const entry = cache.known<Rows<Row>>(key);
      const rows = entry.value?.rows ?? noRows;
      const ownKey = feed ? undefined : key;
      const isNew = isNews(id, entry, withEdits(key, rows, sourceOf(brings)));
      const isRead = isWhole(entry, feed !== undefined);
      const isFirst = !sampled.has(id);
      if (isRead) sample(id, entry.at, rows, brings);
      const [tracked, readAt] = [sourceOf(brings), entry.at];
      if (isRead && tracked && readAt !== undefined) attemptOrNone(() => history.read(tracked, key, rows, readAt));
      if (!entry.asking) arrange(list, ownKey ?? list.id);
      if (!entry.asking && isRead) attemptOrNone(() => notify(sourceOf(brings), ownKey));
      follow();
      if (isRead && isKept(brings)) ports.keepRows(keptWithin(isFirst, isNew));
      const tell = isNew || isSampled(brings) ? ports.beat : ports.again;
      tell();
    },
  };
}

/** Whether what was read stands in the snapshot: rows, or the course of a feed's numbers. */
const isKept = ({ feed }: RowsRead): boolean => !feed || feed.feed.samples !== undefined;

const keptWithin = (isFirst: boolean, isNew: boolean): number | undefined => {
  if (isFirst) return keptMs.first;
  return isNew ? keptMs.later : undefined;
};

/** Whether all rows are there: a feed may be of an earlier run. */
const isWhole = ({ value, partial, isFromSnapshot }: CacheEntry<unknown>, isFeed: boolean): boolean =>
  value !== undefined && !partial && (isFeed || !isFromSnapshot);
