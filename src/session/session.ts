import type { Client } from '../client/client.ts';
import type { Screen } from '../describe/screen.ts';
import { areAlike, attempt } from '../lib/function-results.ts';
import { capitalized, plural } from '../lib/text.ts';
import { span } from '../lib/time.ts';
import { present } from '../lib/values.ts';
import { editUpdates } from './edit/update.ts';
import { createEffects, createFleet, createLanguages } from './effects/effects.ts';
import { withDrafts } from './form/drafts.ts';
import { quitOrWarn } from './form/quitting.ts';
import { createPaths } from './form/typing.ts';
import type { Key } from './keyboard/keyboard.ts';
import { createBurst, createInput } from './keys/key-input.ts';
import { createCursors, createReading, createSight, questionOn } from './keys/reading.ts';
import { layerKindOf, layerUpdates, updateTop } from './layers/index.ts';
import { createSortGuard, hasGoneBack, resting, topAfterSort } from './list/cursor.ts';
import { savedSession, seedFrom, toSnapshot } from './list/resume-session.ts';
import { listUpdates } from './list/update.ts';
import type { SessionProfile } from './outside/outside.ts';
import { createWorld, type SessionParts, type World } from './session-world.ts';
import { type Flash, leads, type Message, opensOver, type SessionMessage, type TopMessage } from './state/message.ts';
import {
  createSleepDetector,
  isOffInKiosk,
  type Moment,
  type Next,
  offInKiosk,
  tooOldToEdit,
  type Updates,
} from './state/moment.ts';
import type { State } from './state/state.ts';
import {
  flash,
  logged,
  openTimeline,
  withAlarms,
  withLayers,
  withNotices,
  withoutNotices,
  withSecret,
} from './state/state-changes.ts';
import type { View } from './state/view.ts';
import { createJournalStart, createWatching, wantsAlike } from './watch/watching.ts';

const sessionUpdates: Updates<SessionMessage> = {
  copyText: (state, { what, text }) => ({ state, effects: [{ ask: 'copy', what, text }] }),
  togglePause(state, _, { context }) {
    const text = state.paused ? 'Polling' : 'Polling paused · :pause resumes';
    const next = { ...state, paused: !state.paused };
    return { state: flash(next, text, 'info', context.now), effects: [{ ask: 'pause', on: next.paused }] };
  },
  setTheme: (state, { name, isSaved }) => ({ state, effects: [{ ask: 'theme', name, isSaved }] }),
  setPollInterval: (state, { seconds }, { context }) => ({
    state: flash({ ...state, pollMs: seconds * 1000 }, `Polling every ${seconds}s`, 'info', context.now),
  }),
  toggleMouse(state, _, { context }) {
    const text = state.mouse
      ? 'Mouse off: the terminal selects text again'
      : 'Mouse on: wheel, rows, tabs, screens, menus; no click sends an edit · :mouse turns it off';
    return { state: flash({ ...state, mouse: !state.mouse }, text, 'info', context.now) };
  },
  openTimeline(state, { view }, { messages }) {
    // On the message that is shown: its hint is about that one.
    const shown = view === 'messages' && state.flash ? messages.indexOf(state.flash) : 0;
    return openTimeline(state, view, Math.max(0, shown));
  },
  openProfiles: (state) => ({ state, effects: [{ ask: 'profiles' }] }),
  setSize: (state, { columns, rows }) => ({ state: { ...state, size: { columns, rows } } }),
  woke(state, { sleptMs }, { context }) {
    const length = span(Math.abs(sleptMs), Math.floor);
    const text =
      sleptMs < 0 ? `The clock was set back by ${length}: reading again` : `Slept for ${length}: reading again`;
    return {
      state: flash({ ...state, wokeAt: context.now }, text, 'info', context.now),
      effects: [{ ask: 'refresh' }],
    };
  },
  showFlash: (state, { flash: said }) => ({ state: { ...state, flash: said } }),
  clearFlash: (state, { flash: shown }) => ({ state: state.flash === shown ? { ...state, flash: undefined } : state }),
  setNotices: (state, { notices }) => ({ state: withNotices(state, notices) }),
  alarmsRead: (state, { list, alarms }) => ({ state: withAlarms(state, list, alarms) }),
  clearNotices: (state, { keys }) => ({ state: withoutNotices(state, keys) }),
  redraw: (state) => ({ state, effects: [{ ask: 'redraw' }] }),
  saveDone(state, { problem }, { context }) {
    // Nobody is told that the place alone is not kept.
    const isTyped = Object.keys(state.drafts).length > 0 || state.views.length > 0 || state.note !== undefined;
    const keepTrouble = isTyped ? problem : undefined;
    if (keepTrouble === state.keepTrouble) return { state };
    const next = { ...state, keepTrouble };
    if (keepTrouble === undefined) return { state: next };
    return { state: flash(next, `Drafts, views and the note: ${keepTrouble}`, 'bad', context.now) };
  },
  suspend: (state) => ({ state, effects: [{ ask: 'suspend' }] }),
  askQuit: (state, _, world) => quitOrWarn(state, 0, world),
  interrupt: (state, _, world) => quitOrWarn(state, 130, world, 'Ctrl-C again to quit anyway'),
};

/** The handlers of all messages but those for the layer on top. */
const updates: Updates<Exclude<Message, TopMessage>> = {
  ...listUpdates,
  ...editUpdates,
  ...layerUpdates,
  ...sessionUpdates,
};

type AnyUpdate = (state: State, message: Message, world: Moment) => Next;

const isForTop = (message: Message): message is TopMessage => !Object.hasOwn(updates, message.type);

/** The session's only way to change. Pure: the same state, message and world give the same next state. */
export function update(state: State, message: Message, world: Moment): Next {
  const { context } = world;
  const tooOld = tooOldToEdit(state, message, world);
  if (tooOld !== undefined) return { state: flash(state, tooOld, 'warn', context.now) };
  if (isOffInKiosk(context.profile, message))
    return { state: flash(state, capitalized(offInKiosk), 'warn', context.now) };
  const next = handled(state, message, world);
  if (next.state.layers === state.layers) return next;
  return { ...next, state: withDrafts(state, next.state, context.now) };
}

/** What leads away from layers that show closes them; what opens over them leaves them open, for the way back. */
function leftBy({ type }: Message, state: State): State {
  const top = state.layers.at(-1);
  if (!top || !leads.has(type) || !layerKindOf(top).isShowing) return state;
  return withLayers(state, opensOver.has(type) ? state.layers.filter(({ kind }) => kind !== 'job') : []);
}

function handled(before: State, message: Message, world: Moment): Next {
  const state = leftBy(message, before);
  if (isForTop(message)) return updateTop(state, message, world);
  // Each entry takes the message of its own name; the compiler cannot follow that through a union.
  const handle = updates[message.type] as AnyUpdate;
  return handle(state, message, world);
}

/** Step by step: a message changes the state, what follows from that is done, and so is what the step asks for. */
function createLoop(given: SessionParts, world: World, watch: () => void) {
  const { clock, outside } = given;
  const { screens, store, state: stateNow, now, owner } = world;
  const languages = createLanguages(send);
  const paths = createPaths(outside.files, send);
  const fleet = createFleet(outside, send);
  const reading = createReading(clock);
  const burst = createBurst(clock);
  const cursors = createCursors(now, (state) => store.setState({ state }));
  store.subscribe(({ beat }, before) => beat !== before.beat && cursors.keep());
  const sortGuard = createSortGuard(clock);
  const sight = createSight(clock, cursors.choice);
  const act = createEffects({
    ...{ ...given, ...world, send },
    async handover(shift) {
      const { handoverFacts } = await import('./state/journal-words.ts');
      return handoverFacts(shift, screens, world.context(stateNow()), world.readOf, stateNow().note);
    },
  });

  function send(message: Message): void {
    if (world.hasEnded()) return;
    const before = stateNow();
    const shown = message.type === 'moveToEnd' || message.type === 'sortDone' ? now().view : undefined;
    const step = stepped(before, message, now, clock.now);
    enter(before, logged(before, step.state));
    if (message.type === 'sendingChanged' && !message.change) world.feeding.readEdits();
    if (message.type !== 'sortDone' && message.type !== 'cursorPlaced') rest();
    if (shown) afterOrder(shown, message);
    for (const effect of step.effects ?? []) act(effect);
    // Roles may have changed since.
    if (message.type === 'refresh') owner.refresh();
    showSecret();
  }

  /** Makes the state after a step the present one, with the cursors of layers on the rows that they were on. */
  function enter(before: State, state: State): void {
    if (state === before) return;
    burst.follow(before, state);
    store.setState({ state });
    cursors.keep();
    after(before, stateNow());
  }

  /** Shows a secret that waits: no key that was typed before it is for it. */
  function showSecret(): void {
    const before = stateNow();
    const state = withSecret(before);
    if (state === before) return;
    enter(before, state);
    burst.reordered();
  }

  /** Makes a dropped order (after another sort, or `g`) again at once, and keeps the cursor on its row. */
  function rest(): void {
    const { state, view } = now();
    const message = resting(state, view);
    if (message) send(message);
  }

  /**
   * After `g` and after a sort: keys that did not know of other rows are guarded against, and a list that was sorted is scrolled
   * no further than its cursor asks.
   */
  function afterOrder(before: View, message: Message): void {
    const { state, view } = now();
    const { list, ids, cursor, cursorAt } = view;
    const isByItself = message.type === 'sortDone' && message.byItself && before.ids.length > 0;
    if ((isByItself || message.type === 'moveToEnd') && !areAlike(before.ids, ids)) {
      if (isByItself) sortGuard.sorted(before.cursor !== cursor);
      else burst.reordered();
      // Listeners read undrawn() on a change: the change was told before this.
      store.setState({ state });
    }
    if (message.type !== 'sortDone') return;
    const top = topAfterSort(before.listState.top, cursorAt, view.room.listRows, ids.length);
    const isTyped = state.layers.at(-1)?.kind === 'filter';
    if (cursor !== undefined && !list.board && !isTyped && top !== view.top)
      send({ type: 'cursorPlaced', list: list.id, cursor, at: cursorAt, top });
  }

  /** Follows a change of state: keeps drafts and views, loads languages of new forms, watches what is on screen. */
  function after(before: State, state: State): void {
    reading.follow(state);
    if (before.drafts !== state.drafts || before.views !== state.views || before.note !== state.note) keep();
    if (before.layers !== state.layers) {
      languages(state);
      paths(state);
      fleet(state);
      if (opensEdit(before, state)) given.client.expectEdit();
    }
    if (!wantsAlike(before, state)) watch();
    const left = world.front(before);
    if (left !== world.front(state) && !hasGoneBack(before, state)) send({ type: 'listEntered', left });
  }

  const say = (text: string, tone: Flash['tone'], keys?: string) =>
    send({ type: 'showFlash', flash: { text, tone, at: clock.now(), ...present({ keys }) } });

  const keep = () =>
    outside.keep?.(
      () => savedSession(stateNow(), screens, world.looks.saved()),
      (problem) => send({ type: 'saveDone', problem }),
    );

  return { send, rest, say, keep, reading, burst, sortGuard, sight };
}

/** Whether a layer was opened whose end may be an edit. */
function opensEdit({ layers: before }: State, { layers }: State): boolean {
  const top = layers.at(-1);
  if (!top || before.at(-1)?.kind === top.kind) return false;
  if (top.kind === 'menu') return top.items.some(({ run }) => run.type === 'valuesChosen');
  return top.kind === 'form' ? top.for.kind === 'action' : ['bar', 'pick', 'confirm', 'wait'].includes(top.kind);
}

/** One step of the state. A step that throws (a bug) ends with a flash and sends nothing. */
const stepped = (before: State, message: Message, now: () => Moment, time: () => number): Next =>
  attempt(
    () => update(before, message, now()),
    (fault) => {
      const isOver = message.type === 'performDone' || message.type === 'undoDone';
      const what = isOver ? 'The edit ended (H: outcome), but this failed' : 'Nothing was done';
      return { state: flash(before, `${what}: ${fault}`, 'bad', time()) };
    },
  );

export interface Session {
  readonly store: World['store'];
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
   * together with the digit before it. A click chooses no row of a picker.
   */
  isUnread(by?: 'click'): boolean;
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
export function createSession(given: SessionParts): Session {
  const { client, cache, profile, outside, clock } = given;
  const { pace } = cache;
  const world = createWorld(given, {
    send(message) {
      loop.send(message);
      if (message.type === 'ownerRead') journalStart.ownerIsRead();
    },
    frontReads: () => watching.front(),
    trend: (list, rowId) => watching.trend(list, rowId),
    seen: (listId) => watching.seen(listId),
  });
  const { screens, store, state, now, looks, owner, feeding } = world;
  const loop = createLoop(given, world, () => watching.follow());
  const { send, say, reading, burst, sortGuard, sight } = loop;
  const pressed = { at: Number.NEGATIVE_INFINITY };
  const leftRows = seedFrom(given.snapshot ?? [], screens, cache.seed);
  const journalStart = createJournalStart({
    ...{ clock, send, say },
    unsettled: outside.unsettled,
    asksOwner: owner.asksMe,
    knowsOwner: () => owner.me() !== undefined,
    isBusy: () => state().layers.length > 0 || looks.saved().lastKey > world.startedAt,
    read: feeding.readEdits,
  });
  const sleepDetector = createSleepDetector(clock);
  const wake = () => {
    const sleptMs = sleepDetector.slept();
    if (sleptMs !== 0) send({ type: 'woke', sleptMs });
  };
  const watching = createWatching({
    ...{ ...given, ...world, send },
    aged() {
      wake();
      world.beat();
    },
    keyAt: () => pressed.at,
    rowsAreThere: journalStart.rowsAreThere,
    keepRows: (withinMs) => outside.keepRows?.(() => toSnapshot(state(), screens, world.readList, watching), withinMs),
  });
  const input = createInput({ now, state, reading, burst, sortGuard, sight, send, say, clock });

  return {
    ...{ store, client, profile, screens, now, send, paste: input.paste, idle: pace.idle },
    pending: () => cache.overlays.pending(),
    press(key) {
      wake();
      looks.press();
      pressed.at = clock.now();
      loop.keep();
      const wasIdle = pace.idle() > 1;
      pace.touch();
      // What is in front may be two minutes old: whoever comes back reads it as of now.
      if (wasIdle && !pace.paused() && pace.holding() <= 0) cache.refresh();
      burst.pressed(() => input.press(key));
      sight.pressed();
    },
    undrawn: () =>
      [questionOn(state()), ...[burst, sortGuard, sight].map((part) => part.undrawn())].filter(
        (one) => one !== undefined,
      ),
    shown(undrawn) {
      for (const part of [reading, burst, sortGuard, sight]) part.shown(undrawn);
    },
    isUnread: (by) =>
      reading.isUnread() ||
      (by !== 'click' && sight.isUnread()) ||
      burst.isOn() ||
      sortGuard.isOn() ||
      input.isHolding(),
    start() {
      // Rows of the last run count as seen, so that what came since is marked.
      loop.rest();
      if (profile.isPaused) cache.pause(true);
      watching.follow();
      owner.read();
      journalStart.start();
      const rows = `${plural(leftRows, 'row')} of the last run cannot be read and ${leftRows === 1 ? 'is' : 'are'} left out`;
      if (leftRows > 0) say(rows, 'warn');
    },
    close() {
      world.end();
      for (const part of [journalStart, reading, owner, watching, cache]) part.close();
    },
  };
}
