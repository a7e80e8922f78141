import { pop, swap, withOwn } from '../change.ts';
import { leave, on } from '../keys/binding.ts';
import type { LayerKind } from './kind.ts';
import type { LayerOf } from './layer.ts';
import { typedLine } from './stepping.ts';

/** The filter line after `/`: narrows the list while a person types. */
export const filter: LayerKind<LayerOf<'filter'>> = {
  keys: () => [
    on(['return'], 'keep', { do: 'choose' }, 1),
    on(['down', 'ctrl+n'], 'down', { do: 'step', by: 1 }),
    on(['up', 'ctrl+p'], 'up', { do: 'step', by: -1 }),
    leave(['esc'], 'drop the filter'),
  ],
  takesText: () => true,
  typed(state, layer, typed, world) {
    const line = typedLine(layer.line, typed);
    const next = swap(state, { ...layer, line });
    return { state: withOwn(next, world.view.list, { filter: line.text, cursorAt: 0 }) };
  },
  update: {
    choose: (state) => ({ state: pop(state) }),
    step(state, _, { by }, { view }) {
      const at = Math.max(0, Math.min(view.ids.length - 1, view.at + by));
      return { state: withOwn(state, view.list, { cursor: view.ids[at], cursorAt: at }) };
    },
    pop(state, layer) {
      const own = state.lists[layer.list];
      return {
        state: pop(own ? { ...state, lists: { ...state.lists, [layer.list]: { ...own, filter: '' } } } : state),
      };
    },
  },
};
