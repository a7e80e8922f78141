import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Cache } from '../cache/cache.ts';
import type { CachedRead } from '../cache/entries.ts';
import type { Client } from '../client/client.ts';
import type { Column } from '../describe/column.ts';
import {
  type Context,
  type LoggedEdit,
  lacking,
  type Person,
  type Rows,
  readRights,
  type SeenStates,
  type Single,
} from '../describe/context.ts';
import { type AnyList, type RowState, type Screen, withLabels } from '../describe/screen.ts';
import { attemptOr } from '../lib/function-results.ts';
import type { Clock } from '../lib/time.ts';
import { present } from '../lib/values.ts';
import type { Customized } from './custom/customized.ts';
import { createLooks, resumed } from './list/resume-session.ts';
import { createMoments, createReads } from './moments.ts';
import { didWords, type Outside, type SessionProfile } from './outside/outside.ts';
import type { SavedSession, Snapshot } from './outside/saved-session.ts';
import { isPart } from './rows/counts.ts';
import { createDerivedRows } from './rows/derived-rows.ts';
import { type ListState, type Row, sourceOf, untouched } from './rows/list-state.ts';
import type { ListedChange, Message } from './state/message.ts';
import { front, initial, type State } from './state/state.ts';
import { createFeeding } from './watch/watchers.ts';

/** Picks of a picker of people, as people. */
const peopleOf = (picks: State['recent']): readonly Person[] =>
  picks.map(({ id, label, hint }) => ({ id, name: label, ...present({ handle: hint }) }));

/** Makes what descriptions may know besides their row: values of the moment at which it is called. */
function createContexts(
  with_: Pick<SessionParts, 'client' | 'clock' | 'outside' | 'profile' | 'zone' | 'ascii'> & {
    readonly owner: Pick<ReturnType<typeof createOwner>, 'me' | 'asksMe' | 'missing'>;
    readonly lastLook: (state: State) => number | undefined;
    /** Rows of a list, as last read. */
    readonly loaded: (state: State, listId: string) => readonly Row[];
    readonly edits: () => readonly LoggedEdit[];
    /** Ids of the same rows in an order that is not saved yet. */
    readonly unsavedOrder: (state: State) => readonly string[] | undefined;
    /** Samples of that list's trend for one row, oldest first. */
    readonly trend: (state: State, rowId: string) => readonly number[];
    readonly seen: NonNullable<Context['seen']>;
  },
): (state: State, subRowId?: string) => Context {
  const { client, clock, outside, profile, owner } = with_;
  const { name, production, readOnly, isKiosk, showsFleet, notifyPriority, notifyIssues, web } = profile;
  return (state, subRowId) => ({
    now: clock.now(),
    zone: with_.zone,
    ...present({ ends: client.ends(), web, me: owner.me(), subRowId }),
    ...present({ lastLook: with_.lastLook(state), unsavedOrder: with_.unsavedOrder(state) }),
    profile: { name, production, readOnly, isKiosk, showsFleet },
    notify: { priority: notifyPriority, issues: notifyIssues },
    origin: client.origin,
    vocabulary: client.vocabulary,
    offered: (id) => client.offered(id),
    unfinished: outside.unfinished?.() ?? [],
    asksMe: owner.asksMe(),
    recent: peopleOf(state.recent),
    lacks: (endpoint) => lacking(endpoint, owner.missing(), client),
    trend: (id) => with_.trend(state, id),
    seen: with_.seen,
    loaded: (listId) => with_.loaded(state, listId),
    edits: with_.edits,
    ascii: with_.ascii,
    browses: outside.browse !== undefined,
  });
}

/**
 * The screens, with what is asked of each row guarded: where it throws for one row, a cell says so, and the other rows stay.
 * Anything else that throws ends the frame, the read or the edit that it was called for.
 */
export const guarded = (screens: readonly Screen[]): readonly Screen[] =>
  screens.map((screen) => ({ ...screen, lists: screen.lists.map(guardedList) }));

const guardedList = (list: AnyList): AnyList => ({
  ...list,
  columns: list.columns.map(guardedColumn),
  ...present({
    shown: list.shown?.map(guardedColumn),
    columnsOf:
      list.columnsOf && orElse((rows: readonly Row[]) => list.columnsOf?.(rows)?.map(guardedColumn), undefined),
    states: list.states?.map(guardedState),
  }),
});

const guardedColumn = <Row>(column: Column<Row>): Column<Row> => ({
  ...column,
  text: orElse(column.text, '(unreadable)'),
  ...present({
    says: column.says && orElse(column.says, '(unreadable)'),
    tone: column.tone && orElse(column.tone, 'dim'),
    sort: column.sort && orElse(column.sort, ''),
  }),
});

const guardedState = (state: RowState<unknown>): RowState<unknown> => ({
  ...state,
  isIn: orElse(state.isIn, false),
  ...present({
    rank: state.rank && orElse(state.rank, ''),
    aside: state.aside && { ...state.aside, isSo: orElse(state.aside.isSo, undefined) },
  }),
});

/** The function, which gives this where it throws. */
const orElse =
  <A extends readonly unknown[], R>(work: (...args: A) => R, fallback: NoInfer<R>) =>
  (...args: A): R =>
    attemptOr(fallback, () => work(...args));

/** Milliseconds until another try: the service may answer then, and the rate limits leave room. */
const retryMs = 60_000;
const noneMissing: ReadonlySet<string> = new Set();

/** Who owns the keys, and which permissions they lack. */
function createOwner(with_: {
  readonly cache: Pick<Cache, 'ask'>;
  readonly clock: Clock;
  readonly question: <T>(of: Single<T>) => CachedRead<T>;
  readonly hasRoom: () => boolean;
  /** Ends when what is on screen has been read. */
  readonly front: () => Promise<unknown>;
  readonly changed: () => void;
  readonly whoAmI: Single<Person> | undefined;
  /** The read of the owner has ended; `trouble`: why it failed. */
  readonly ended: (me: Person | undefined, trouble: string | undefined) => void;
}) {
  const { cache, clock, whoAmI, question } = with_;
  const owner = {
    me: undefined as Person | undefined,
    asksMe: false,
    missing: noneMissing,
    cancel() {},
  };
  const readRightsOf = async (person: Person): Promise<void> => {
    owner.cancel();
    await with_.front();
    if (!with_.hasRoom()) {
      owner.cancel = clock.after(retryMs, () => void readRightsOf(person));
      return;
    }
    const { value, problem } = await cache.ask(question(readRights(person.id)), 0);
    owner.missing = value && !problem ? new Set(value.missing) : noneMissing;
    with_.changed();
  };

  /** Reads who it is, again a minute after no answer, and what they lack: after what is on screen, while the rate limits leave room. */
  const read = () => {
    if (!whoAmI) return;
    owner.asksMe = true;
    void cache.ask(question(whoAmI)).then(({ value, problem }) => {
      owner.me = value;
      owner.asksMe = false;
      if (value) void readRightsOf(value);
      if (problem && ['unreachable', 'tooMany'].includes(problem.kind)) owner.cancel = clock.after(retryMs, read);
      with_.ended(value, problem?.text);
    });
  };

  return {
    /** Undefined until it is known. */
    me: () => owner.me,
    /** Whether the service is still being asked. */
    asksMe: () => owner.asksMe,
    /** Names of permissions, as the service writes them; none while they are unknown. */
    missing: () => owner.missing,
    read,
    /** Reads again what they lack, where they lacked something: roles may have changed. */
    refresh() {
      if (owner.me && owner.missing.size > 0) void readRightsOf(owner.me);
    },
    close: () => owner.cancel(),
  };
}

/** Share of every rate limit that must be left for reads that can wait. */
const roomy = 0.6;
/** And how much polls may be slowed down for them. */
const mostSlowdown = 2;

/** Whether the rate limits leave room for reads that can wait. */
export const hasRoom = (client: Client, now: number): boolean =>
  client.holdBack() === 0 &&
  client.slowdown() <= mostSlowdown &&
  client.budgets().every(({ limit, remaining, resetAt }) => limit <= 0 || resetAt <= now || remaining / limit >= roomy);

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
    front: () => Promise.all(frontReads().map((question) => cache.ask(question, Number.POSITIVE_INFINITY))),
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
  const derivedRows = createDerivedRows({
    ...feeding,
    cache,
    seen,
    listById: (id) => lists.find((list) => list.id === id),
  });
  const reads = createReads({ cache, state, context, derivedRows });
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
    /** The rows of a list, where they were read, and whether these are all; of one that is searched, without the search where that was read. */
    readOf(list: AnyList) {
      const all = reads.rows(list, untouched(list));
      const { rows, known } = all.known.value ? all : rowsOf(list);
      const isWhole = known === all.known && !isPart(known) && (known.value?.missing ?? []).length === 0;
      return known.value && { rows, isWhole };
    },
    /** What the cache holds for a list itself, without unconfirmed edits. */
    readList(list: AnyList, { asked }: ListState) {
      const { key } = sourceOf(list, asked, context(state()));
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
