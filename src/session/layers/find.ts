import { paint } from '../../lib/paint.ts';
import { plain } from '../../lib/painted.ts';
import { search, toMatch } from '../list/detail.ts';
import type { LayerKind } from '../stack/kind.ts';
import { promptLine, typedLine } from '../stack/stepping.ts';
import { leave, on } from '../state/binding.ts';
import type { LayerOf } from '../state/layer.ts';
import { pop, swap, withOwn } from '../state/state-changes.ts';

/** The search line after `/` in a detail: goes to the first match while a person types. */
export const find: LayerKind<LayerOf<'find'>> = {
  keys: () => [
    on(['return'], 'keep', { type: 'choose' }, 1),
    on(['down', 'ctrl+n'], 'next match', { type: 'moveInLayer', by: 1 }, 2),
    on(['up', 'ctrl+p'], 'previous match', { type: 'moveInLayer', by: -1 }, 3),
    leave(['esc'], 'clear search'),
  ],
  place: 'foot',
  lines: ({ line }, { view: { detail } }, { width, theme }) => ({
    title: [],
    lines: [promptLine(line, width, theme)],
    speech: () => ({
      title: plain`Search. Type text, Down is the next match, Enter keeps it, Esc drops it`,
      remarks: [{ about: 'found', text: detail && line.text !== '' ? plain`${detail.found.length} found` : plain`` }],
      prompt: plain`Search: ${paint(line.text)}`,
    }),
  }),
  takesText: () => true,
  typed(state, layer, typed, { view }) {
    const line = typedLine(layer.line, typed);
    return { state: search(swap(state, { ...layer, line }), view, layer.from, line.text) };
  },
  update: {
    choose: (state) => ({ state: pop(state) }),
    moveInLayer: (state, _, { by }, { view }) => ({ state: toMatch(state, view, by > 0 ? 1 : -1) }),
    closeLayer: (state, { from }, _, { view }) => ({ state: withOwn(pop(state), view.list, { detail: from }) }),
  },
};
