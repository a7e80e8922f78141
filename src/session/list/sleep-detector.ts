import type { Clock } from '../../lib/clock.ts';
import type { Message } from '../state/message.ts';
import type { State } from '../state/state.ts';
import type { View } from '../state/view.ts';

/** A gap between two calls longer than this, in milliseconds, counts as a sleep. */
const longest = 60_000;
/** A clock that goes back by more than this, in milliseconds, was set: before it, moments are not comparable. */
const leastBack = 2_000;

/**
 * Detects that the machine slept: its timers stop while the wall clock goes on. Call `slept` at every key and at every
 * tick of a timer much shorter than a minute; it returns the milliseconds slept since the last call, negative ones where the
 * clock was set back, else 0.
 */
export function createSleepDetector(clock: Clock): { slept(): number } {
  const held = { at: clock.now() };
  return {
    slept() {
      const before = held.at;
      held.at = clock.now();
      const gone = held.at - before;
      return gone > longest || gone < -leastBack ? gone : 0;
    },
  };
}

const edits: readonly Message['type'][] = [
  'startAction',
  'handleNotice',
  'repeatAction',
  'saveOrder',
  'valuesChosen',
  'editConfirmed',
  'askUndo',
  'askRedo',
  'retryFailed',
];
const ends: readonly Message['type'][] = ['submitForm', 'choose', 'pressBarKey'];

/**
 * Why this message may not edit the rows in front: they were not read since the machine slept
 * (docs/design/reliability.md#polling), or not at
 * all in this run. Undefined = it may, or it edits nothing.
 */
export function tooOldToEdit(state: State, message: Message, view: View): string | undefined {
  const slept = state.wokeAt !== undefined && (view.read.at ?? 0) < state.wokeAt;
  if (!slept && !view.read.isFromSnapshot) return undefined;
  if (!isEdit(state, message)) return undefined;
  return `The rows are from before ${slept ? 'the sleep' : 'this start'}: wait until they are read again`;
}

function isEdit(state: State, message: Message): boolean {
  if (edits.includes(message.type)) return true;
  const top = state.layers.at(-1);
  const asks = top?.kind === 'bar' || top?.kind === 'pick' || (top?.kind === 'form' && top.for.kind === 'action');
  return asks && ends.includes(message.type);
}
