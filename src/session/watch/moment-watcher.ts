import type { Cache } from '../../cache/cache.ts';
import type { CachedRead } from '../../cache/entries.ts';
import type { Context } from '../../describe/context.ts';
import type { FedRead } from '../../describe/derived.ts';
import type { AnyList } from '../../describe/screen.ts';
import type { Single, Source } from '../../describe/source.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Outside, SessionProfile } from '../outside/outside.ts';
import type { Snapshot } from '../outside/saved-session.ts';
import type { Row } from '../rows/list-state.ts';
import type { Message } from '../state/message.ts';
import type { State } from '../state/state.ts';
import type { Reads, View } from '../state/view.ts';
import type { Feeding } from './feeding.ts';

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
export interface WatchedMoment {
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
export type MomentWatcher = (moment: WatchedMoment) => readonly WantedRead[];

/** A read as the cache asks it. */
export type Ask = (source: Source<Row> | Single<unknown>) => CachedRead<unknown>;

/** What the watchers work with. */
export interface WatchPorts {
  readonly cache: Cache;
  readonly clock: Clock;
  readonly outside: Pick<Outside, 'ring'>;
  readonly profile: SessionProfile;
  readonly reads: Reads;
  /** What an earlier run has kept. */
  readonly snapshot?: Snapshot | undefined;
  readonly feeding: Feeding;
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
