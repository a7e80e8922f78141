import { paint } from '../../lib/paint.ts';
import { plain } from '../../lib/painted.ts';
import { unfiltered } from '../list/cursor.ts';
import { recalledFilter, withFilter } from '../list/recall-search.ts';
import type { LayerKind } from '../stack/kind.ts';
import { promptLine, typedLine } from '../stack/stepping.ts';
import { leave, on } from '../state/binding.ts';
import type { LayerOf } from '../state/layer.ts';
import { pop, swap, withOwn } from '../state/state-changes.ts';

/** The filter line after `/`: narrows the list while a person types. */
export const filter: LayerKind<LayerOf<'filter'>> = {
  keys: ({ line, recalled }) => [
    on(['return'], 'keep', { type: 'choose' }, 1),
    // With an empty line Up brings back what was typed before; with text the arrows move the cursor.
    ...(line.text === '' || recalled !== undefined
      ? [on(['up'], 'previous filter', { type: 'recall', by: 1 }, 2)]
      : []),
    ...((recalled ?? 0) > 0 ? [on(['down'], 'next filter', { type: 'recall', by: -1 })] : []),
    on(['down', 'ctrl+n'], 'down', { type: 'moveInLayer', by: 1 }),
    on(['up', 'ctrl+p'], 'up', { type: 'moveInLayer', by: -1 }),
    leave(['esc'], 'clear filter'),
  ],
  place: 'foot',
  lines: ({ line }, _, { width, theme }) => ({
    title: [],
    lines: [promptLine(line, width, theme)],
    speech: () => ({
      title: plain`Filter rows. Type words, Enter keeps it, Esc drops it`,
      prompt: plain`Filter: ${paint(line.text)}`,
    }),
  }),
  takesText: () => true,
  typed(state, layer, typed, world) {
    const line = typedLine(layer.line, typed);
    const { recalled: _, ...rest } = layer;
    const next = swap(state, { ...rest, line });
    return { state: withOwn(next, world.view.list, { filter: line.text, cursorAt: 0 }) };
  },
  update: {
    choose: (state, layer) => ({ state: pop(withFilter(state, layer.list, layer.line.text)) }),
    recall: (state, layer, { by }) => ({ state: recalledFilter(state, layer, by) }),
    moveInLayer(state, _, { by }, { view }) {
      const at = Math.max(0, Math.min(view.ids.length - 1, view.cursorAt + by));
      return { state: withOwn(state, view.list, { cursor: view.ids[at], cursorAt: at }) };
    },
    closeLayer: (state, _, __, { view }) => ({ state: unfiltered(pop(state), view) }),
  },
};
