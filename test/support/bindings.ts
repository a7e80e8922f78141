import type { Context } from '../../src/describe/context.ts';
import type { Screen } from '../../src/describe/screen.ts';
import { listedBindings } from '../../src/session/custom/customized.ts';

/** A context for descriptions that are only inspected. */
export const plainFacts: Context = {
  now: Date.UTC(2026, 10, 21, 3),
  zone: 'UTC',
  recent: [],
  profile: { name: 'demo', production: false, readOnly: false },
  origin: 'http://127.0.0.1',
  offered: () => true,
  trend: () => [],
  ascii: false,
};

/** The bindings of each list of each screen before anything is read. */
export const bindingsOfLists = (screens: readonly Screen[]): ReturnType<typeof listedBindings> =>
  listedBindings(screens, plainFacts);
