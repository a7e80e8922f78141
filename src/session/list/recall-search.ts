import type { AnyList } from '../../describe/screen.ts';
import type { ListQuery } from '../../describe/source.ts';
import { withText } from '../form/typing.ts';
import { editedLine } from '../keyboard/line.ts';
import type { OpenForm } from '../state/form-layer.ts';
import type { LayerOf } from '../state/layer.ts';
import type { State } from '../state/state.ts';
import { swap } from '../state/state-changes.ts';

/** Searches and filters kept for each list. */
const most = 20;

/** The state with this search as the newest of the list; one that only repeats an earlier one takes its place. */
export function withSearch(state: State, list: AnyList, search: ListQuery['search']): State {
  const same = JSON.stringify(search);
  const others = (state.searches[list.id] ?? []).filter((other) => JSON.stringify(other) !== same);
  return { ...state, searches: { ...state.searches, [list.id]: [search, ...others].slice(0, most) } };
}

/** The state with this filter as the newest of the list. */
export function withFilter(state: State, list: string, filter: string): State {
  if (filter.trim() === '') return state;
  const others = (state.filters[list] ?? []).filter((other) => other !== filter);
  return { ...state, filters: { ...state.filters, [list]: [filter, ...others].slice(0, most) } };
}

/** The search form with an earlier search in its fields. */
export function recalledSearch(state: State, form: OpenForm, by: 1 | -1): OpenForm {
  const earlier = form.for.kind === 'search' ? (state.searches[form.for.list] ?? []) : [];
  const index = Math.max(1, Math.min(earlier.length, (form.recalled ?? 0) + by));
  const search = earlier[index - 1];
  if (!search) return form;
  const names = Object.keys(form.fields).filter((name) => search[name] !== undefined);
  return names.reduce<OpenForm>((next, name) => withText(next, name, editedLine(search[name])), {
    ...form,
    recalled: index,
  });
}

/** The filter line with an earlier filter, which narrows the list at once; before the newest one it is empty. */
export function recalledFilter(state: State, layer: LayerOf<'filter'>, by: 1 | -1): State {
  const earlier = state.filters[layer.list] ?? [];
  const at = Math.max(0, Math.min(earlier.length, (layer.recalled ?? 0) + by));
  const own = state.lists[layer.list];
  if (!own || earlier.length === 0) return state;
  const text = earlier[at - 1] ?? '';
  const next = swap(state, { ...layer, line: editedLine(text), recalled: at });
  return { ...next, lists: { ...next.lists, [layer.list]: { ...own, filter: text } } };
}
