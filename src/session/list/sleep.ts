import type { Clock } from '../../lib/clock.ts';
import type { Message } from '../message.ts';
import type { State } from '../state.ts';
import type { View } from '../view.ts';

/** Longer than this without a sign of life, and the machine slept or the program was stopped. */
const longest = 60_000;

/**
 * Notices a sleep: timers stand still while the wall clock goes on. `slept` is to be called at every key and at every
 * tick of a timer that is much shorter than a minute; it gives the milliseconds slept since the last call, else 0.
 */
export function createSlumber(clock: Clock): { slept(): number } {
  const held = { at: clock.now() };
  return {
    slept() {
      const before = held.at;
      held.at = clock.now();
      return held.at - before > longest ? held.at - before : 0;
    },
  };
}

const edits: readonly Message['do'][] = ['action', 'again', 'perform', 'undo', 'undoNow', 'retry'];
const ends: readonly Message['do'][] = ['submit', 'choose', 'barKey', 'quickPick'];

/** Whether this would edit rows that have not been read again since the machine slept (design: polling). */
export function isFromBeforeSleep(state: State, message: Message, view: View): boolean {
  if (state.wokeAt === undefined || (view.known.at ?? 0) >= state.wokeAt) return false;
  if (edits.includes(message.do)) return true;
  const top = state.layers.at(-1);
  const asks = top?.kind === 'bar' || top?.kind === 'pick' || (top?.kind === 'form' && top.for.kind === 'action');
  return asks && ends.includes(message.do);
}
