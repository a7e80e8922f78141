import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Cache } from '../cache/cache.ts';
import type { Client } from '../client/client.ts';
import type { Person } from '../describe/context.ts';
import type { AnyList, Screen } from '../describe/screen.ts';
import type { Rows, Single } from '../describe/source.ts';
import { withLabels } from '../describe/with-labels.ts';
import { areAlike } from '../lib/alike.ts';
import { attempt } from '../lib/attempt.ts';
import type { Clock } from '../lib/clock.ts';
import { present } from '../lib/present-members.ts';
import { plural } from '../lib/text.ts';
import { createContexts } from './context.ts';
import type { Custom } from './custom/custom.ts';
import { customized } from './custom/customized.ts';
import { createEffects } from './effects/effects.ts';
import { createLanguages } from './form/languages.ts';
import { createPaths } from './form/paths.ts';
import { guarded } from './guarded-screens.ts';
import { createJournalStart } from './journal-start.ts';
import { createOwner } from './key-owner.ts';
import type { Key } from './keyboard/keyboard.ts';
import { createBurst } from './keys/burst.ts';
import { createInput } from './keys/key-input.ts';
import { createReading, questionOn } from './keys/question.ts';
import { resting } from './list/cursor.ts';
import { hasGoneBack } from './list/go-to-place.ts';
import { resumed, savedSession } from './list/resume-session.ts';
import { createSleepDetector } from './list/sleep-detector.ts';
import { seedFrom, toSnapshot } from './list/snapshot.ts';
import { createMoments } from './moments.ts';
import { hasRoom } from './outside/has-room.ts';
import { createLooks } from './outside/last-look.ts';
import type { Outside, SessionProfile } from './outside/outside.ts';
import type { SavedSession, Snapshot } from './outside/saved-session.ts';
import { createReads } from './reads.ts';
import { createMaterials } from './rows/derived-rows.ts';
import type { ListState, Row } from './rows/list-state.ts';
import { didWords, handoverFacts } from './state/handover.ts';
import { logged } from './state/log.ts';
import type { Flash, Message } from './state/message.ts';
import type { Moment, Next } from './state/moment.ts';
import { front, initial, type State } from './state/state.ts';
import { flash } from './state/state-changes.ts';
import { update } from './update.ts';
import { createFeeding } from './watch/feeding.ts';
import { createWatching, wantsAlike } from './watch/watching.ts';

export interface Session {
  /** `reads` counts reads that have shown nothing new: of all that is drawn, only what tells how fresh it is may change. */
  readonly store: StoreApi<{ readonly state: State; readonly beat: number; readonly reads: number }>;
  /** The present moment, for a frame or a step. */
  now(): Moment;
  press(key: Key): void;
  paste(text: string): void;
  /** How many times longer polls are apart because nobody presses a key. */
  idle(): number;
  /** What must be on the terminal before keys count, by identity: a question, a list that a layer has left. */
  undrawn(): readonly object[];
  /** The terminal has taken the frame that shows it: a person can read it from now on. */
  shown(undrawn: object): void;
  /**
   * Whether the next key would be no key of its own: dropped, because its person cannot have seen what it acts on, or read
   * together with the digit before it.
   */
  isUnread(): boolean;
  send(message: Message): void;
  /** Freshness and budget for the header. */
  readonly client: Client;
  readonly profile: SessionProfile;
  /** Ids of rows with an unconfirmed edit. */
  pending(): ReadonlySet<string>;
  readonly screens: readonly Screen[];
  start(): void;
  close(): void;
}

/**
 * The engine between keys, state, cache and client. Held outside React, so a key pressed before the next paint
 * meets the current state.
 */
export function createSession(with_: {
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
  /** Keys, columns and commands of the person's own. */
  readonly custom?: Custom | undefined;
  readonly size: State['size'];
  readonly whoAmI?: Single<Person>;
  readonly knowMe?: (me: Person) => void;
  /** Id of the screen to begin with; the first one when absent. */
  readonly screen?: string | undefined;
}): Session {
  const { client, cache, profile, outside, clock, saved, custom } = with_;
  const described = withLabels(with_.screens, client.vocabulary);
  const screens: readonly Screen[] = guarded(custom ? customized(described, custom).screens : described);
  const hasRoomNow = () => hasRoom(client, clock.now());
  const owner = createOwner({
    cache,
    clock,
    whoAmI: with_.whoAmI,
    question: (of) => ({ ...of, plan: () => of.plan(contextOf(stateNow())) }),
    hasRoom: hasRoomNow,
    front: () => Promise.all(watching.front().map((question) => cache.ask(question))),
    changed: () => beat(),
    ended(me, trouble) {
      if (me) with_.knowMe?.(me);
      beat();
      send({ type: 'ownerRead', ...present({ trouble }) });
    },
  });
  const fresh = initial(screens, with_.size, with_.screen);
  const store = createStore<ReturnType<Session['store']['getState']>>(() => ({
    state: {
      ...(saved ? resumed(fresh, screens, saved) : fresh),
      ...present({ screen: with_.screen }),
      mouse: with_.mouse ?? false,
      paused: profile.isPaused ?? false,
    },
    beat: 0,
    reads: 0,
  }));
  const looks = createLooks(clock, saved?.place);
  const keep = () =>
    outside.keep?.(
      () => savedSession(stateNow(), screens, looks.saved()),
      (problem) => send({ type: 'saveDone', problem }),
    );
  const held = { closed: false };
  const stateNow = (): State => store.getState().state;

  const screenList = (state: State): AnyList => front(state, screens).list;
  const lists = new Map(screens.flatMap((screen) => screen.lists.map((list) => [list.id, list] as const)));
  const listById = (id: string) => lists.get(id);
  const startedAt = clock.now();

  const contextOf = createContexts({
    client,
    clock,
    outside,
    profile,
    zone: with_.zone,
    ascii: with_.ascii,
    owner,
    lastLook: ({ lookedAt = 0 }) => Math.max(lookedAt, looks.last() ?? startedAt),
    rows: (state) => rowsOf(screenList(state)).rows,
    unsavedOrder: (state) => state.lists[screenList(state).id]?.moving,
    trend: (state, rowId) => watching.trend(screenList(state), rowId),
  });

  const feeding = createFeeding({
    cache,
    hasRoom: hasRoomNow,
    journal: async () =>
      (await outside.journal()).entries.map((entry) => ({ ...entry, did: didWords(entry, screens) })),
    now: clock.now,
    changed: () => beat(),
  });
  const materials = createMaterials({ ...feeding, cache, listById });
  const reads = createReads({ cache, state: stateNow, context: contextOf, materials });
  const rowsOf = (list: AnyList) => reads.rows(list, stateNow().lists[list.id] as ListState);
  const readOf = (list: AnyList) => (rowsOf(list).known.value ? rowsOf(list).rows : undefined);
  const readList = (list: AnyList, own: ListState) => {
    const { key } = list.load(own.asked, { ...contextOf(stateNow()), rows: () => [] });
    return { key, known: cache.known<Rows<Row>>(key) };
  };
  const leftRows = seedFrom(with_.snapshot ?? [], screens, cache.seed);

  const now = createMoments({
    screens,
    ...present({ moved: custom && customized(with_.screens, custom).moved }),
    reads,
    context: contextOf,
    state: stateNow,
    random: with_.random,
    moment: () => [stateNow(), store.getState().beat, cache.version(), looks.last()],
  });

  /** One step of the state. A step that throws (a bug) ends with a flash and sends nothing. */
  const stepped = (before: State, message: Message): Next =>
    attempt(
      () => update(before, message, now()),
      (fault) => {
        const isOver = message.type === 'performDone' || message.type === 'undoDone';
        const what = isOver ? 'The edit ended (H: outcome), but this failed' : 'Nothing was done';
        return { state: flash(before, `${what}: ${fault}`, 'bad', clock.now()) };
      },
    );

  const send = (message: Message): void => {
    if (held.closed) return;
    const before = stateNow();
    const shown = message.type === 'moveToEnd' ? now().view.ids : [];
    const step = stepped(before, message);
    const next = { ...step, state: logged(before, step.state) };
    if (next.state !== before) {
      burst.follow(before, next.state);
      store.setState({ state: next.state });
      after(before, next.state);
    }
    if (message.type === 'performDone' || message.type === 'undoDone') feeding.readEdits();
    if (message.type !== 'sortDone' && message.type !== 'cursorPlaced') rest();
    if (message.type === 'moveToEnd' && !areAlike(now().view.ids, shown)) {
      burst.reordered();
      // Listeners read undrawn() on a change: the change was told before this.
      store.setState({ state: stateNow() });
    }
    for (const effect of next.effects ?? [])
      attempt(
        () => act(effect),
        (fault) => say(`This failed: ${fault}`, 'bad'),
      );
    // Roles may have changed since.
    if (message.type === 'refresh') owner.refresh();
  };

  /** Makes a dropped order (after another sort, or `g`) again at once, and keeps the cursor on its row. */
  const rest = () => {
    const { state, view } = now();
    const message = resting(state, view);
    if (message) send(message);
  };

  /** Follows a change of state: keeps drafts and views, loads languages of new forms, watches what is on screen. */
  const after = (before: State, state: State) => {
    reading.follow(state);
    if (before.drafts !== state.drafts || before.views !== state.views) keep();
    if (before.layers !== state.layers) {
      languages(state);
      paths(state);
    }
    if (!wantsAlike(before, state)) watching.follow();
    if (screenList(before) !== screenList(state) && !hasGoneBack(before, state)) send({ type: 'listEntered' });
  };

  const beat = () => {
    if (held.closed) return;
    store.setState((before) => ({ beat: before.beat + 1 }));
  };

  const watching = createWatching({
    cache,
    clock,
    outside,
    profile,
    reads,
    feeding,
    now,
    lists: screens.flatMap((screen) => screen.lists),
    front: screenList,
    context: contextOf,
    state: stateNow,
    send,
    beat,
    aged() {
      wake();
      beat();
    },
    again() {
      if (!held.closed) store.setState(({ reads }) => ({ reads: reads + 1 }));
    },
    rowsAreThere: () => journalStart.rowsAreThere(),
    keepRows: (withinMs) => outside.keepRows?.(() => toSnapshot(stateNow(), screens, readList), withinMs),
  });

  const languages = createLanguages(send);
  const paths = createPaths(outside.files, send);
  const reading = createReading(clock);
  const burst = createBurst(clock);

  const act = createEffects({
    client,
    cache,
    clock,
    outside,
    random: with_.random,
    state: stateNow,
    context: contextOf,
    send,
    handover: (shift) => handoverFacts(shift, screens, contextOf(stateNow()), readOf),
  });

  const say = (text: string, tone: Flash['tone']) =>
    send({ type: 'showFlash', flash: { text, tone, at: clock.now() } });

  const journalStart = createJournalStart({
    clock,
    unsettled: outside.unsettled,
    isBusy: () => stateNow().layers.length > 0 || looks.saved().lastKey > startedAt,
    opened: burst.reordered,
    read: feeding.readEdits,
    send,
  });
  const sleepDetector = createSleepDetector(clock);
  const wake = () => {
    const sleptMs = sleepDetector.slept();
    if (sleptMs !== 0) send({ type: 'woke', sleptMs });
  };

  const input = createInput({ now, state: stateNow, reading, burst, send, say, clock });

  return {
    store,
    client,
    profile,
    screens,
    pending: () => cache.overlays.pending(),
    now,
    send,
    press(key) {
      wake();
      looks.press();
      keep();
      const wasIdle = cache.pace.idle() > 1;
      cache.pace.touch();
      // What is in front may be two minutes old: whoever comes back reads it as of now.
      if (wasIdle && !cache.pace.paused() && cache.pace.holding() <= 0) cache.refresh();
      input.press(key);
    },
    paste: input.paste,
    idle: () => cache.pace.idle(),
    undrawn: () => [questionOn(stateNow()), burst.undrawn()].filter((one) => one !== undefined),
    shown(undrawn) {
      reading.shown(undrawn);
      burst.shown(undrawn);
    },
    isUnread: () => reading.isUnread() || burst.isOn() || input.isHolding(),
    start() {
      // Rows of the last run count as seen, so that what came since is marked.
      rest();
      if (profile.isPaused) cache.pause(true);
      watching.follow();
      owner.read();
      journalStart.start();
      if (leftRows > 0)
        say(
          `${plural(leftRows, 'row')} of the last run cannot be read and ${leftRows === 1 ? 'is' : 'are'} left out`,
          'warn',
        );
    },
    close() {
      held.closed = true;
      journalStart.close();
      reading.close();
      owner.close();
      watching.close();
      cache.close();
    },
  };
}
