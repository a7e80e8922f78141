import type { Clock } from '../../lib/clock.ts';
import type { Now } from '../now.ts';
import type { State } from '../state.ts';

/**
 * Goes on with a filter that has not looked at all rows, a slice at a time: keys and frames come in between. What it has found is
 * drawn while there is room for it, and at the end. While the line of a filter is open, texts are made ahead of its first letter.
 */
export function createSifting(with_: {
  readonly now: () => Now;
  readonly state: () => State;
  readonly clock: Clock;
  /** Something was found, or all rows have been looked at. */
  readonly found: () => void;
}): { follow(): void; close(): void } {
  const { now, clock, found } = with_;
  const held: { cancel: (() => void) | undefined } = { cancel: undefined };
  const isWanted = () => with_.state().layers.at(-1)?.kind === 'filter' || now().view.isSifting;
  const step = () => {
    held.cancel = undefined;
    if (!isWanted()) return;
    const { view, sift } = now();
    const isMore = sift();
    const shown = now().view;
    const isSeen = shown.ids.length > view.ids.length && view.ids.length < shown.room.listRows;
    if (isSeen || view.isSifting !== shown.isSifting) found();
    if (isMore) follow();
  };
  const follow = () => {
    if (!held.cancel && isWanted()) held.cancel = clock.after(0, step);
  };
  return { follow, close: () => held.cancel?.() };
}
