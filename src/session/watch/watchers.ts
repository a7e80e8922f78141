import type { AnyList } from '../../describe/screen.ts';
import { attemptOrNone } from '../../lib/attempt.ts';
import { layerKindOf } from '../layers/index.ts';
import type { ListState } from '../rows/list-state.ts';
import type { MomentWatcher, WantedRead, WatchedMoment } from './moment-watcher.ts';

/** Least milliseconds between reads of a detail, of the values of a picker, and of a list that is not in front. */
const least = { detail: 15_000, picks: 300_000, elsewhere: 60_000 } as const;

/** Everything that reads are wanted for. */
export const watchers: readonly MomentWatcher[] = [listInFront, openDetail, openPicker, listsToNotifyOf];

const ownOf = ({ state }: WatchedMoment, { id }: AnyList): ListState => state.lists[id] as ListState;

/** Milliseconds between two polls of what is in front, and of what says so much itself. */
const pollOf = ({ state, profile }: WatchedMoment, seconds = 0): number =>
  Math.max(state.pollMs ?? profile.pollMs, seconds * 1000);

/** The list in front; of a derived one the feeds that are due. */
function listInFront(moment: WatchedMoment): readonly WantedRead[] {
  const { front: list, context } = moment;
  if (!list.derived) {
    const source = list.load(ownOf(moment, list).asked, context);
    return [{ id: source.key, source, everyMs: pollOf(moment, list.every), brings: { list } }];
  }
  return moment.due(list).map((fed) => {
    const { feed, source } = fed;
    return {
      id: `${list.id} ${fed.name} ${source.key}`,
      source,
      everyMs: pollOf(moment, feed.every),
      freshMs: feed.spare ? (feed.every ?? 0) * 1000 : undefined,
      brings: { list, feed: fed },
    };
  });
}

/** The whole object of the detail that is open. */
function openDetail(moment: WatchedMoment): readonly WantedRead[] {
  const { front: list, context } = moment;
  const { detail } = ownOf(moment, list);
  const row = detail && list.detail?.load ? moment.rows(list).find((row) => list.idOf(row) === detail.id) : undefined;
  const source = row === undefined ? undefined : list.detail?.load?.(row, context);
  return source ? [{ id: source.key, source, everyMs: Math.max(pollOf(moment), least.detail) }] : [];
}

/** The values that the layer on top picks from. */
function openPicker({ state: { layers } }: WatchedMoment): readonly WantedRead[] {
  const top = layers.at(-1);
  const source = top && layerKindOf(top).reads?.(top);
  return source ? [{ id: source.key, source, everyMs: least.picks }] : [];
}

/** Lists that are not in front and have something to notify of. */
function listsToNotifyOf(moment: WatchedMoment): readonly WantedRead[] {
  const { state, profile, context, lists, isFrontRead } = moment;
  if (!profile.isNotified || !isFrontRead) return [];
  return lists.flatMap((list): WantedRead[] => {
    const own = state.lists[list.id];
    if (!own || list.derived || (!list.notifies && !own.watched?.size)) return [];
    const [source] = attemptOrNone(() => [list.load(own.asked, { ...context, rows: () => [] })]);
    if (!source) return [];
    const everyMs = Math.max(least.elsewhere, pollOf(moment) * 4, (list.every ?? 0) * 1000);
    return [{ id: source.key, source, everyMs, freshMs: everyMs, brings: { list } }];
  });
}
