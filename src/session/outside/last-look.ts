import type { Clock } from '../../lib/clock.ts';
import type { SavedSession } from './saved-session.ts';

type Keys = Pick<NonNullable<SavedSession['place']>, 'lastKey' | 'lastLook'>;

/** Without a key for this long, in milliseconds, a person was away; the next key begins a new visit. */
const awayMs = 10 * 60_000;

/** When a person looked: visits are told apart by a time without a key. */
export interface Looks {
  /** A key was pressed. */
  press(): void;
  /** The moment of the last key before this visit, epoch milliseconds; undefined in the first visit of all. */
  last(): number | undefined;
  /** What the file keeps. */
  saved(): Keys;
}

/** A restart within the time away continues the visit; a later one begins a new one. */
export function createLooks(clock: Clock, saved?: Keys): Looks {
  const wasAway = saved !== undefined && clock.now() - saved.lastKey > awayMs;
  const held = { key: clock.now(), look: wasAway ? saved.lastKey : saved?.lastLook };
  return {
    press() {
      const now = clock.now();
      if (now - held.key > awayMs) held.look = held.key;
      held.key = now;
    },
    last: () => held.look,
    saved: () => ({ lastKey: held.key, ...(held.look === undefined ? {} : { lastLook: held.look }) }),
  };
}
