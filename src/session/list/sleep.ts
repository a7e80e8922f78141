import type { Clock } from '../../lib/clock.ts';
import type { Message } from '../message.ts';
import type { State } from '../state.ts';
import type { View } from '../view.ts';

/** A gap between two calls longer than this, in milliseconds, counts as a sleep. */
const longest = 60_000;

/**
 * Detects that the machine slept: its timers stop while the wall clock goes on. Call `slept` at every key and at every
 * tick of a timer much shorter than a minute; it returns the milliseconds slept since the last call, else 0.
 */
export function createSleepDetector(clock: Clock): { slept(): number } {
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
const ends: readonly Message['do'][] = ['submit', 'choose', 'barKey'];

/** Whether this message would edit rows that were not read since the machine slept (design: polling). */
export function isFromBeforeSleep(state: State, message: Message, view: View): boolean {
  if (state.wokeAt === undefined || (view.known.at ?? 0) >= state.wokeAt) return false;
  if (edits.includes(message.do)) return true;
  const top = state.layers.at(-1);
  const asks = top?.kind === 'bar' || top?.kind === 'pick' || (top?.kind === 'form' && top.for.kind === 'action');
  return asks && ends.includes(message.do);
}
