import { areAlike } from '../../lib/alike.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Burst } from '../keys/burst.ts';
import type { Message } from '../message.ts';
import type { Now } from '../now.ts';
import type { State } from '../state.ts';
import { arrangement, resting } from './cursor.ts';

/**
 * Goes on with an order that is being made and with a filter that has not looked at all rows, a slice at a time: keys and frames come in
 * between. What a filter has found is drawn while there is room for it, and at the end. While its line is open, texts are made ahead of
 * its first letter.
 */
export function createSifting(with_: {
  readonly now: () => Now;
  readonly state: () => State;
  readonly clock: Clock;
  /** Something was found, or all rows have been looked at. */
  readonly found: () => void;
  readonly send: (message: Message) => void;
  readonly burst: Pick<Burst, 'reordered'>;
}): { follow(): void; close(): void } {
  const { now, clock, found } = with_;
  const held: { cancel: (() => void) | undefined } = { cancel: undefined };
  const isWanted = () => {
    if (with_.state().layers.at(-1)?.kind === 'filter') return true;
    const { isSifting, isSorting } = now().view;
    return isSifting || isSorting;
  };
  /** Keeps the order that was made; where it shows other rows, they are drawn before a key acts. */
  const arrange = (before: readonly string[]) => {
    const { state, view } = now();
    if (state.layers.length === 0 && !areAlike(view.ids, before)) with_.burst.reordered();
    const message = arrangement(view) ?? resting(state, view);
    if (message) with_.send(message);
  };
  const step = () => {
    held.cancel = undefined;
    if (!isWanted()) return;
    const { view, sift } = now();
    const isMore = sift();
    const shown = now().view;
    const isSeen = shown.ids.length > view.ids.length && view.ids.length < shown.room.listRows;
    if (view.isSorting && !shown.isSorting) arrange(view.ids);
    if (isSeen || view.isSorting !== shown.isSorting || view.isSifting !== shown.isSifting) found();
    if (isMore) follow();
  };
  const follow = () => {
    if (!held.cancel && isWanted()) held.cancel = clock.after(0, step);
  };
  return { follow, close: () => held.cancel?.() };
}
