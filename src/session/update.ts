import { capitalized } from '../lib/text.ts';
import { span } from '../lib/time-text.ts';
import { editUpdates } from './edit/update.ts';
import { drafted } from './form/drafts.ts';
import { leaving, pressAgain } from './form/unsaved-work.ts';
import { layerKindOf } from './layers/index.ts';
import { layerUpdates, updateTop } from './layers/update.ts';
import { tooOldToEdit } from './list/sleep-detector.ts';
import { listUpdates } from './list/update.ts';
import { isOffInKiosk, offInKiosk } from './state/kiosk.ts';
import { withNotices, withoutNotices, withUrgent } from './state/log.ts';
import { leads, type Message, opensOver, type SessionMessage, type TopMessage } from './state/message.ts';
import type { Moment, Next, Updates } from './state/moment.ts';
import type { State } from './state/state.ts';
import { flash, openTimeline, pop, withLayers } from './state/state-changes.ts';

const sessionUpdates: Updates<SessionMessage> = {
  copyText: (state, { what, text }) => ({
    state: state.layers.at(-1)?.kind === 'menu' ? pop(state) : state,
    effects: [{ ask: 'copy', what, text }],
  }),
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
  markNoticesUrgent: (state, { list, keys }) => ({ state: withUrgent(state, list, keys) }),
  clearNotices: (state, { keys }) => ({ state: withoutNotices(state, keys) }),
  redraw: (state) => ({ state, effects: [{ ask: 'redraw' }] }),
  saveDone(state, { problem }, { context }) {
    // Nobody is told that the place alone is not kept.
    const isTyped = Object.keys(state.drafts).length > 0 || state.views.length > 0;
    const keepTrouble = isTyped ? problem : undefined;
    if (keepTrouble === state.keepTrouble) return { state };
    const next = { ...state, keepTrouble };
    if (keepTrouble === undefined) return { state: next };
    return { state: flash(next, `Drafts and views: ${keepTrouble}`, 'bad', context.now) };
  },
  suspend: (state) => ({ state, effects: [{ ask: 'suspend' }] }),
  askQuit: (state, _, world) => leaving(state, 0, pressAgain, world),
  interrupt: (state, _, world) => leaving(state, 130, 'Ctrl-C again to quit anyway', world),
  quitNow: (state, { code }) => ({ state, effects: [{ ask: 'quit', code }] }),
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
  const { view, context } = world;
  const tooOld = tooOldToEdit(state, message, view);
  if (tooOld !== undefined) return { state: flash(state, tooOld, 'warn', context.now) };
  if (isOffInKiosk(context.profile, message))
    return { state: flash(state, capitalized(offInKiosk), 'warn', context.now) };
  const next = handled(state, message, world);
  return { ...next, state: drafted(state, next.state, context.now) };
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
