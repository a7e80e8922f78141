import type { Cache } from '../../cache/cache.ts';
import type { CachedRead } from '../../cache/entries.ts';
import type { Context, LoggedEdit, Single, Source } from '../../describe/context.ts';
import type { FedRead } from '../../describe/derived.ts';
import type { AnyList } from '../../describe/screen.ts';
import { attemptOr } from '../../lib/function-results.ts';
import type { Clock } from '../../lib/time.ts';
import { layerKindOf } from '../layers/index.ts';
import type { Outside, SessionProfile } from '../outside/outside.ts';
import type { Snapshot } from '../outside/saved-session.ts';
import { type ListState, type Row, sourceOf } from '../rows/list-state.ts';
import type { Message } from '../state/message.ts';
import { pollMsOf, type State } from '../state/state.ts';
import type { Reads, View } from '../state/view.ts';

/** What derived lists are made of: which of their reads are due, and the edits of the journal. */
export function createFeeding(with_: {
  readonly cache: Cache;
  /** Whether the rate limits leave room for reads that can wait. */
  readonly hasRoom: () => boolean;
  readonly journal: () => Promise<readonly LoggedEdit[]>;
  /** What is kept has changed. */
  readonly changed: () => void;
}) {
  const { cache } = with_;
  const first = Promise.withResolvers<void>();
  const log = { edits: [] as readonly LoggedEdit[], reads: 0, read: first.promise };

  const isAnswered = ({ source }: FedRead) => {
    const { value, problem, partial } = cache.known(source.key);
    return (value !== undefined && !partial) || problem !== undefined;
  };

  return {
    /** The feeds to poll now: all main ones, and when those have answered the spare ones, one after the other. */
    due(all: readonly FedRead[]): readonly FedRead[] {
      const main = all.filter(({ feed }) => !feed.spare);
      if (!main.every(isAnswered) || !with_.hasRoom()) return main;
      const spare = all.filter(({ feed }) => feed.spare);
      const next = spare.findIndex((one) => !isAnswered(one));
      return [...main, ...(next < 0 ? spare : spare.slice(0, next + 1))];
    },
    edits: () => log.edits,
    /** The edits once the journal has been read, each one that has ended included. */
    async knownEdits() {
      let read: Promise<void> | undefined;
      while (read !== log.read) {
        read = log.read;
        await read;
      }
      return log.edits;
    },
    /** Reads the edits: at the start, and when one has ended, because a bell may need it on any screen. */
    readEdits() {
      log.reads += 1;
      const read = log.reads;
      log.read = with_.journal().then((edits) => {
        if (read !== log.reads || (edits.length === 0 && log.edits.length === 0)) return;
        log.edits = edits;
        with_.changed();
      });
      first.resolve(log.read);
    },
  };
}

/** What brings rows of a list: its own read, or a feed of a derived list. */
export interface RowsRead {
  readonly list: AnyList;
  readonly feed?: FedRead;
}

/** A read that is polled while it is wanted. */
export interface WantedRead {
  /** Reads of one id are one poll. */
  readonly id: string;
  readonly source: Source<Row> | Single<unknown>;
  readonly everyMs: number;
  /** Not read again at first where what is known is younger. */
  readonly freshMs?: number | undefined;
  /** Absent where what it brings is only drawn. */
  readonly brings?: RowsRead;
}

/** Something to do at a moment, epoch milliseconds, while it is wanted. */
export interface WantedTime {
  readonly id: string;
  readonly at: number;
  readonly run: () => void;
}

/** What the watchers look at. */
interface WatchedMoment {
  readonly state: State;
  readonly context: Context;
  readonly profile: SessionProfile;
  /** All lists, and the one in front. */
  readonly lists: readonly AnyList[];
  readonly front: AnyList;
  /** The rows of a list as last read, with unconfirmed edits laid over them. */
  rows(list: AnyList): readonly Row[];
  /** The feeds of a derived list that are to be polled now. */
  due(list: AnyList): readonly FedRead[];
  /** Whether what was in front first has been read: whatever else is read waits for it. */
  readonly isFrontRead: boolean;
}

/** Says which reads are wanted at a moment. */
type MomentWatcher = (moment: WatchedMoment) => readonly WantedRead[];

/** A read as the cache asks it. */
export type Ask = (source: Source<Row> | Single<unknown>) => CachedRead<unknown>;

/** What the watchers work with. */
export interface WatchPorts {
  readonly cache: Cache;
  readonly clock: Clock;
  readonly outside: Pick<Outside, 'ring'>;
  readonly profile: SessionProfile;
  readonly reads: Reads;
  /** The rows of a list, of one that is searched without the search where that was read. */
  readonly readOf: (list: AnyList) => { readonly rows: readonly Row[] } | undefined;
  /** What an earlier run has kept. */
  readonly snapshot?: Snapshot | undefined;
  readonly feeding: ReturnType<typeof createFeeding>;
  readonly now: () => { readonly state: State; readonly view: View };
  readonly lists: readonly AnyList[];
  readonly front: (state: State) => AnyList;
  readonly context: (state: State) => Context;
  readonly state: () => State;
  readonly send: (message: Message) => void;
  readonly beat: () => void;
  /** When the last key was pressed. */
  readonly keyAt: () => number;
  /** What is in front was read. */
  readonly rowsAreThere: () => void;
  /** The ages on screen may have changed. */
  readonly aged: () => void;
  /** A list was read whole: its rows must be kept within so many milliseconds; undefined: they are as they were. */
  readonly keepRows: (withinMs: number | undefined) => void;
  /** A read has shown nothing new but that it is fresh. */
  readonly again: () => void;
}

/** Least milliseconds between reads of a detail, of the values of a picker, and of a list that is not in front. */
const leastMs = { detail: 15_000, picks: 300_000, elsewhere: 60_000 } as const;

/** Everything that reads are wanted for. */
export const watchers: readonly MomentWatcher[] = [listInFront, openDetail, openPicker, listsToNotifyOf];

const ownOf = ({ state }: WatchedMoment, { id }: AnyList): ListState => state.lists[id] as ListState;

/** The list in front; of a derived one the feeds that are due. */
function listInFront(moment: WatchedMoment): readonly WantedRead[] {
  const { front: list, context } = moment;
  if (!list.derived) {
    const source = sourceOf(list, ownOf(moment, list).asked, context);
    return [{ id: source.key, source, everyMs: pollMsOf(moment, list.every), brings: { list } }];
  }
  return moment.due(list).map((fed) => {
    const { feed, source } = fed;
    return {
      id: `${list.id} ${fed.name} ${source.key}`,
      source,
      everyMs: pollMsOf(moment, feed.every),
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
  return source ? [{ id: source.key, source, everyMs: Math.max(pollMsOf(moment), leastMs.detail) }] : [];
}

/** The values that the layer on top picks from. */
function openPicker({ state: { layers } }: WatchedMoment): readonly WantedRead[] {
  const top = layers.at(-1);
  const source = top && layerKindOf(top).reads?.(top);
  return source ? [{ id: source.key, source, everyMs: leastMs.picks }] : [];
}

/** Lists that are not in front and have something to notify of. */
function listsToNotifyOf(moment: WatchedMoment): readonly WantedRead[] {
  const { state, profile, context, lists, isFrontRead } = moment;
  if (!profile.isNotified || !isFrontRead) return [];
  return lists.flatMap((list): WantedRead[] => {
    const own = state.lists[list.id];
    if (!own || list.derived || (!list.notifies && !own.watched?.size)) return [];
    const source = attemptOr(undefined, () => sourceOf(list, own.asked, context));
    if (!source) return [];
    const everyMs = Math.max(leastMs.elsewhere, pollMsOf(moment) * 4, (list.every ?? 0) * 1000);
    return [{ id: source.key, source, everyMs, freshMs: everyMs, brings: { list } }];
  });
}
