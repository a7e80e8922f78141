import { areAlike } from '../lib/alike.ts';
import type { Clock } from '../lib/clock.ts';
import { isTooSmall } from '../session/rows/geometry.ts';
import type { Message } from '../session/state/message.ts';
import type { Moment } from '../session/state/moment.ts';

/** Milliseconds that new rows must have been on the terminal before a key shows that somebody has seen them. */
export const seenMs = 1_000;

/** Follows which new rows of the list in front are on the terminal, and since when. */
export interface RowsInSight {
  /** New rows that must be drawn before they can be seen, by identity. */
  undrawn(now: Pick<Moment, 'state' | 'view'>): object | undefined;
  /** The terminal has taken the frame that shows them. */
  shown(undrawn: object): void;
  /** A key was pressed: the rows that it shows to be seen. */
  pressed(): Message | undefined;
}

export function createRowsInSight(clock: Clock): RowsInSight {
  const held = { rows: { list: '', ids: [] as readonly string[] }, drawnAt: Number.POSITIVE_INFINITY };
  return {
    undrawn(now) {
      const ids = newInSight(now);
      const { list } = now.view;
      if (list.id !== held.rows.list || !areAlike(ids, held.rows.ids))
        Object.assign(held, { rows: { list: list.id, ids }, drawnAt: Number.POSITIVE_INFINITY });
      return ids.length > 0 ? held.rows : undefined;
    },
    shown(undrawn) {
      if (undrawn === held.rows) held.drawnAt = clock.now();
    },
    pressed: () =>
      held.rows.ids.length > 0 && clock.now() - held.drawnAt >= seenMs ? { type: 'rowsSeen', ...held.rows } : undefined,
  };
}

/** The new rows in the window of the list, where nothing lies over it. */
function newInSight({ state: { layers, size }, view }: Pick<Moment, 'state' | 'view'>): readonly string[] {
  const { fresh } = view.counts;
  if (fresh.size === 0 || view.list.board || view.detail || layers.length > 0 || isTooSmall(size)) return [];
  return view.ids.slice(view.top, view.top + view.room.listRows).filter((id) => fresh.has(id));
}
