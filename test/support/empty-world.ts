import type { Screen } from '../../src/describe/screen.ts';
import type { Moment } from '../../src/session/state/moment.ts';
import { initial, type State } from '../../src/session/state/state.ts';
import { createViewer, type Reads } from '../../src/session/state/view.ts';
import { contextOf } from './plans.ts';

const unread = { asking: false, partial: false };

/** The members of a moment beside state, view, context and screens: nothing is bound, picked, found or counted. */
export const nothingBound: Omit<Moment, 'state' | 'view' | 'context' | 'screens'> = {
  edition: {},
  counts: () => undefined,
  bindings: [],
  below: [],
  picks: () => [],
  pickRead: () => unread,
  subjects: () => [],
  code: () => 'qxmt',
  messages: [],
  find: () => undefined,
};

const reads: Reads = {
  rows: () => ({ key: '', known: unread, rows: [], removed: new Set<string>() }),
  whole: () => unread,
};

/** The first state of these screens at 100x30. */
export const emptyState = (screens: readonly Screen[]): State => initial(screens, { columns: 100, rows: 30 });

/** The moment of a state in which no list has been read. */
export function emptyWorld(screens: readonly Screen[], state: State, more: Partial<Moment> = {}): Moment {
  const context = contextOf();
  return {
    state,
    view: createViewer()(state, screens, reads, () => context),
    context,
    screens,
    ...nothingBound,
    ...more,
  };
}
