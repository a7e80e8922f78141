import type { ListQuery } from '../../describe/context.ts';
import type { AnyList } from '../../describe/screen.ts';
import { paint } from '../../lib/paint.ts';
import { plain } from '../../lib/painted.ts';
import { withText } from '../form/typing.ts';
import { editedLine } from '../keyboard/editor.ts';
import { moveTo, unfiltered } from '../list/cursor.ts';
import { search, toMatch } from '../list/detail.ts';
import { type LayerKind, promptLine, typedLine } from '../stack/kind.ts';
import type { OpenForm } from '../state/form-layer.ts';
import { leave, on } from '../state/moment.ts';
import type { LayerOf, State } from '../state/state.ts';
import { pop, swap, withOwn } from '../state/state-changes.ts';

/** Searches and filters kept for each list. */
const mostRecalled = 20;

/** Earlier ones with this one as the newest; one that only repeats an earlier one takes its place. */
const newest = <One>(one: One, earlier: readonly One[] = []): readonly One[] =>
  [one, ...earlier.filter((other) => JSON.stringify(other) !== JSON.stringify(one))].slice(0, mostRecalled);

/** The state with this search as the newest of the list. */
export const withSearch = (state: State, list: AnyList, search: ListQuery['search']): State => ({
  ...state,
  searches: { ...state.searches, [list.id]: newest(search, state.searches[list.id]) },
});

/** The state with this filter as the newest of the list. */
export const withFilter = (state: State, list: string, filter: string): State =>
  filter.trim() === ''
    ? state
    : { ...state, filters: { ...state.filters, [list]: newest(filter, state.filters[list]) } };

/** The search form with an earlier search in its fields. */
export function recalledSearch(state: State, form: OpenForm, by: 1 | -1): OpenForm {
  const earlier = form.for.kind === 'search' ? (state.searches[form.for.list] ?? []) : [];
  const index = Math.max(1, Math.min(earlier.length, (form.recalled ?? 0) + by));
  const search = earlier[index - 1];
  if (!search) return form;
  const names = Object.keys(form.fields).filter((name) => search[name] !== undefined);
  const recalled = names.reduce((next, name) => withText(next, name, editedLine(search[name])), form);
  return { ...recalled, recalled: index, focus: form.focus };
}

/** The filter line like this, and the list narrowed by it at once, from its first match. */
const narrowed = (state: State, layer: LayerOf<'filter'>): State =>
  withOwn(swap(state, layer), { id: layer.list }, { filter: layer.line.text, cursorAt: 0 });

/** The filter line with an earlier filter; before the newest one it is empty. */
function recalledFilter(state: State, layer: LayerOf<'filter'>, by: 1 | -1): State {
  const earlier = state.filters[layer.list] ?? [];
  const recalled = Math.max(0, Math.min(earlier.length, (layer.recalled ?? 0) + by));
  return earlier.length === 0
    ? state
    : narrowed(state, { ...layer, line: editedLine(earlier[recalled - 1]), recalled });
}

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
  typed(state, { recalled: _, ...layer }, typed) {
    return { state: narrowed(state, { ...layer, line: typedLine(layer.line, typed) }) };
  },
  update: {
    choose: (state, layer) => ({ state: pop(withFilter(state, layer.list, layer.line.text)) }),
    recall: (state, layer, { by }) => ({ state: recalledFilter(state, layer, by) }),
    moveInLayer: (state, _, { by }, { view }) => ({ state: moveTo(state, view, view.cursorAt + by) }),
    closeLayer: (state, _, __, { view }) => ({ state: unfiltered(pop(state), view) }),
  },
};

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
