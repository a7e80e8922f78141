import type { Clock } from '../../lib/clock.ts';
import type { Key } from '../keyboard/keyboard.ts';
import type { Message } from '../state/message.ts';

/** Milliseconds after the frame of a sort by itself in which a move and an action in one read are refused. */
export const guardMs = 600;

const moves: ReadonlySet<Message['type']> = new Set<Message['type']>([
  'moveCursor',
  'movePage',
  'moveToEnd',
  'moveBlock',
]);

/**
 * After a list was sorted by itself: an action is still for the row under the cursor, which is the same one, but what is one row
 * further may be another than its person has seen.
 */
export interface SortGuard {
  /** The list was sorted; `isLost`: another row is under the cursor, for its own has gone. */
  sorted(isLost: boolean): void;
  undrawn(): object | undefined;
  /** The terminal has taken the frame of the sort. */
  shown(undrawn: object): void;
  isOn(): boolean;
  /** Why this key does not count; undefined where it does. `acts`: it is for the rows in front. */
  refusal(key: Key, run: Message['type'], acts: boolean): string | undefined;
}

export function createSortGuard(clock: Clock): SortGuard {
  const held = {
    undrawn: undefined as object | undefined,
    drawnAt: Number.NEGATIVE_INFINITY,
    isLost: false,
    hasMoved: false,
  };
  const isOn = () => held.undrawn !== undefined || Math.abs(clock.now() - held.drawnAt) < guardMs;
  return {
    sorted(isLost) {
      Object.assign(held, { undrawn: {}, isLost, hasMoved: false });
    },
    undrawn: () => held.undrawn,
    shown(undrawn) {
      if (undrawn === held.undrawn) Object.assign(held, { undrawn: undefined, drawnAt: clock.now() });
    },
    isOn,
    refusal(key, run, acts) {
      if (moves.has(run) || key.alone) held.hasMoved = !key.alone;
      return acts && isOn() && (held.hasMoved || held.isLost) ? 'Rows were just sorted, press again' : undefined;
    },
  };
}
