import type { Context } from '../../describe/context.ts';
import type { AnyList, Screen } from '../../describe/screen.ts';
import type { Binding } from '../state/binding.ts';
import { initial } from '../state/state.ts';
import { createViewer } from '../state/view.ts';
import { bindings } from './bindings.ts';
import type { MovedKeys } from './general-keys.ts';

/** The bindings of each list of each screen before anything is read. */
export function listedBindings(
  screens: readonly Screen[],
  context: Context,
  moved?: MovedKeys,
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
      const view = createViewer()(state, screens, reads, () => context);
      return { screen, list, bindings: bindings(state, view, context, screens, moved) };
    }),
  );
}
