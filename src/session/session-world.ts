import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Cache } from '../cache/cache.ts';
import type { CachedRead } from '../cache/entries.ts';
import type { Client } from '../client/client.ts';
import type { Person } from '../describe/context.ts';
import type { AnyList, Screen } from '../describe/screen.ts';
import type { SeenStates } from '../describe/seen-states.ts';
import type { Rows, Single } from '../describe/source.ts';
import { withLabels } from '../describe/with-labels.ts';
import type { Clock } from '../lib/clock.ts';
import { present } from '../lib/present-members.ts';
import { createContexts } from './context.ts';
import type { Customized } from './custom/customized.ts';
import { guarded } from './guarded-screens.ts';
import { createOwner } from './key-owner.ts';
import { resumed } from './list/resume-session.ts';
import { createMoments } from './moments.ts';
import { hasRoom } from './outside/has-room.ts';
import { createLooks } from './outside/last-look.ts';
import type { Outside, SessionProfile } from './outside/outside.ts';
import type { SavedSession, Snapshot } from './outside/saved-session.ts';
import { createReads } from './reads.ts';
import { createMaterials } from './rows/derived-rows.ts';
import type { ListState, Row } from './rows/list-state.ts';
import { didWords } from './state/handover.ts';
import type { ListedChange, Message } from './state/message.ts';
import { front, initial, type State } from './state/state.ts';
import { createFeeding } from './watch/feeding.ts';

/** What a session is given. */
export interface SessionParts {
  readonly screens: readonly Screen[];
  readonly client: Client;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly random: () => number;
  readonly zone: string;
  readonly ascii: boolean;
  readonly profile: SessionProfile;
  readonly outside: Outside;
  /** Rows of an earlier run, shown until they are read again. */
  readonly snapshot?: Snapshot | undefined;
  /** Where the person was at the end of the last run, with views and drafts. */
  readonly saved?: SavedSession | undefined;
  /** Wheel and clicks act from the start. */
  readonly mouse?: boolean | undefined;
  /** Gives the screens keys, columns and commands of the person's own. */
  readonly customize?: ((screens: readonly Screen[]) => Customized) | undefined;
  readonly size: State['size'];
  readonly whoAmI?: Single<Person>;
  readonly knowMe?: (me: Person) => void;
  /** Id of the screen to begin with; the first one when absent. */
  readonly screen?: string | undefined;
}

/** What is made later than the world, and called when all is there. */
interface Later {
  readonly send: (message: Message) => void;
  /** The reads of the list in front. */
  readonly frontReads: () => readonly CachedRead<unknown>[];
  /** Samples of a list's trend for a row, oldest first. */
  readonly trend: (list: AnyList, rowId: string) => readonly number[];
  /** What was seen of the states of a list's rows. */
  readonly seen: (listId: string) => SeenStates;
}

export type World = ReturnType<typeof createWorld>;

/** What a session sees: its state, what was read, who looks, and the moment that is made of these. */
export function createWorld(given: SessionParts, { send, frontReads, trend, seen }: Later) {
  const { client, cache, outside, clock } = given;
  const described = withLabels(given.screens, client.vocabulary);
  const changed = given.customize?.(described);
  const screens = guarded(changed?.screens ?? described);
  const lists = screens.flatMap((screen) => screen.lists);
  const stored = createStored(given, screens);
  const { store, state, beat } = stored;
  const frontList = (of: State): AnyList => front(of, screens).list;
  const looks = createLooks(clock, given.saved?.place);
  const startedAt = clock.now();
  const hasRoomNow = () => hasRoom(client, clock.now());
  const owner = createOwner({
    cache,
    clock,
    whoAmI: given.whoAmI,
    question: (of) => ({ ...of, plan: () => of.plan(context(state())) }),
    hasRoom: hasRoomNow,
    front: () => Promise.all(frontReads().map((question) => cache.ask(question))),
    changed: beat,
    ended(me, trouble) {
      if (me) given.knowMe?.(me);
      beat();
      send({ type: 'ownerRead', ...present({ trouble }) });
    },
  });
  const context = createContexts({
    ...given,
    owner,
    lastLook: ({ lookedAt = 0 }) => Math.max(lookedAt, looks.last() ?? startedAt),
    rows: (of) => rowsOf(frontList(of)).rows,
    loaded(of, listId) {
      const list = lists.find(({ id }) => id === listId);
      return list ? reads.rows(list, of.lists[listId] as ListState).rows : [];
    },
    edits: () => feeding.edits(),
    unsavedOrder: (of) => of.lists[frontList(of).id]?.moving,
    trend: (of, rowId) => trend(frontList(of), rowId),
    seen: (listId, rowId) => {
      const all = seen(listId);
      return { ...all, changes: all.changes.filter(({ id }) => id === rowId) };
    },
  });
  const feeding = createFeeding({
    cache,
    hasRoom: hasRoomNow,
    journal: async () =>
      (await outside.journal()).entries.map((entry) => ({ ...entry, did: didWords(entry, screens) })),
    changed: beat,
  });
  const materials = createMaterials({
    ...feeding,
    cache,
    seen,
    listById: (id) => lists.find((list) => list.id === id),
  });
  const reads = createReads({ cache, state, context, materials });
  const rowsOf = (list: AnyList) => reads.rows(list, state().lists[list.id] as ListState);
  const now = createMoments({
    screens,
    ...present({ moved: changed?.moved }),
    ...{ reads, context, state, random: given.random },
    moment: () => [state(), store.getState().beat, cache.version(), looks.last()],
  });
  return {
    ...{ ...stored, screens, lists, looks, startedAt, owner, context, feeding, reads, now },
    front: frontList,
    /** The changes of states that the reads have shown, the newest first. */
    changes: (): readonly ListedChange[] =>
      lists
        .flatMap((list) => (list.tracks ? seen(list.id).changes.map((change) => ({ ...change, list: list.id })) : []))
        .filter(({ from, to }) => from.word !== to.word)
        .toSorted((one, other) => other.at - one.at),
    /** The rows of a list, where it was read. */
    readOf: (list: AnyList): readonly Row[] | undefined => (rowsOf(list).known.value ? rowsOf(list).rows : undefined),
    /** What the cache holds for a list itself, without unconfirmed edits. */
    readList(list: AnyList, { asked }: ListState) {
      const { key } = list.load(asked, { ...context(state()), rows: () => [] });
      return { key, known: cache.known<Rows<Row>>(key) };
    },
  };
}

/** `reads` counts reads that have shown nothing new: of all that is drawn, only what tells how fresh it is may change. */
type Stored = { readonly state: State; readonly beat: number; readonly reads: number };

/** The state, and what else a frame is drawn for; nothing changes once the session has ended. */
function createStored({ saved, size, screen, mouse, profile }: SessionParts, screens: readonly Screen[]) {
  const fresh = initial(screens, size, screen);
  const state = {
    ...(saved ? resumed(fresh, screens, saved) : fresh),
    ...present({ screen }),
    mouse: mouse ?? false,
    paused: profile.isPaused ?? false,
  };
  const store: StoreApi<Stored> = createStore(() => ({ state, beat: 0, reads: 0 }));
  const held = { hasEnded: false };
  const change = (next: (before: Stored) => Partial<Stored>) => {
    if (!held.hasEnded) store.setState(next);
  };
  return {
    store,
    state: () => store.getState().state,
    /** What was read, or is read from elsewhere, has changed. */
    beat: () => change(({ beat }) => ({ beat: beat + 1 })),
    /** A read has shown nothing new but that it is fresh. */
    again: () => change(({ reads }) => ({ reads: reads + 1 })),
    hasEnded: () => held.hasEnded,
    end() {
      held.hasEnded = true;
    },
  };
}
