import type { Context } from '../../src/describe/context.ts';
import type { AnyList, Screen } from '../../src/describe/screen.ts';
import type { Binding } from '../../src/session/keys/binding.ts';
import { bindings } from '../../src/session/keys/bindings.ts';
import { initial } from '../../src/session/state.ts';
import { createViewer } from '../../src/session/view.ts';

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
export function bindingsOfLists(
  screens: readonly Screen[],
): { readonly screen: Screen; readonly list: AnyList; readonly bindings: readonly Binding[] }[] {
  const size = { columns: 120, rows: 40 };
  const nothing = { asking: false, partial: false };
  const reads = {
    rows: () => ({ key: '', known: nothing, rows: [], removed: new Set<string>() }),
    whole: () => nothing,
  };
  return screens.flatMap((screen) =>
    screen.lists.map((list, tab) => {
      const state = { ...initial(screens, size), screen: screen.id, tab: { [screen.id]: tab } };
      const view = createViewer()(state, screens, reads, () => plainFacts);
      return { screen, list, bindings: bindings(state, view, plainFacts, screens) };
    }),
  );
}
