import { age } from '../lib/moment.ts';
import { flash, pop } from './change.ts';
import { editUpdates } from './edit/update.ts';
import { layerUpdates, updateTop } from './layers/update.ts';
import { tooOldToEdit } from './list/sleep.ts';
import { listUpdates } from './list/update.ts';
import type { Message, SessionMessage, TopMessage } from './message.ts';
import type { State } from './state.ts';
import type { Next, Updates, World } from './world.ts';

const sessionUpdates: Updates<SessionMessage> = {
  copy: (state, { what, text }) => ({
    state: state.layers.at(-1)?.kind === 'menu' ? pop(state) : state,
    effects: [{ ask: 'copy', what, text }],
  }),
  pause(state, _, { context }) {
    const text = state.paused ? 'polling again' : 'polling paused · Z polls again';
    const next = { ...state, paused: !state.paused };
    return { state: flash(next, text, 'info', context.now), effects: [{ ask: 'pause', on: next.paused }] };
  },
  journal: (state) => ({ state, effects: [{ ask: 'journal' }] }),
  profiles: (state) => ({ state, effects: [{ ask: 'profiles' }] }),
  size: (state, { columns, rows }) => ({ state: { ...state, size: { columns, rows } } }),
  woke(state, { sleptMs }, { context }) {
    const text = `slept for ${age(context.now - sleptMs, context.now)}: reading again`;
    return {
      state: flash({ ...state, wokeAt: context.now }, text, 'info', context.now),
      effects: [{ ask: 'refresh' }],
    };
  },
  flash: (state, { flash: said }) => ({ state: { ...state, flash: said } }),
  unflash: (state) => ({ state: { ...state, flash: undefined } }),
  redraw: (state) => ({ state, effects: [{ ask: 'redraw' }] }),
  suspend: (state) => ({ state, effects: [{ ask: 'suspend' }] }),
  quit: (state, _, world) => leaving(state, 0, 'press it again to quit all the same', world),
  interrupt: (state, _, world) => leaving(state, 130, 'Ctrl-C again quits all the same', world),
  quitNow: (state, { code }) => ({ state, effects: [{ ask: 'quit', code }] }),
};

/** Ends the program with this exit code; while an edit is under way only when asked twice. */
function leaving(state: State, code: number, how: string, { context }: World): Next {
  if (state.editsUnderWay === 0 || state.warnedQuit) return { state, effects: [{ ask: 'quit', code }] };
  return { state: flash({ ...state, warnedQuit: true }, `an edit is under way: ${how}`, 'warn', context.now) };
}

/** The handlers of all messages but those for the layer on top. */
const updates: Updates<Exclude<Message, TopMessage>> = {
  ...listUpdates,
  ...editUpdates,
  ...layerUpdates,
  ...sessionUpdates,
};

type AnyUpdate = (state: State, message: Message, world: World) => Next;

const isForTop = (message: Message): message is TopMessage => !Object.hasOwn(updates, message.do);

/** The session's only way to change. Pure: the same state, message and world give the same next state. */
export function update(state: State, message: Message, world: World): Next {
  const { view, context } = world;
  const tooOld = tooOldToEdit(state, message, view);
  if (tooOld !== undefined) return { state: flash(state, tooOld, 'warn', context.now) };
  if (isForTop(message)) return updateTop(state, message, world);
  // Each entry takes the message of its own name; the compiler cannot follow that through a union.
  const handle = updates[message.do] as AnyUpdate;
  return handle(state, message, world);
}
