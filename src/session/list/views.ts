import { textField } from '../../describe/field.ts';
import type { Screen } from '../../describe/screen.ts';
import { present } from '../../lib/present-members.ts';
import type { SavedView } from '../outside/saved-session.ts';
import type { Layer, MenuItem } from '../state/layer.ts';
import { front, type State } from '../state/state.ts';
import { flash, formLayer, pop, push } from '../state/state-changes.ts';
import { resumedList, toSavedList } from './resume-session.ts';

const longestName = 40;

/** The views with the digits that choose them. */
const viewItems = ({ views }: State, command: 'openView' | 'deleteView'): MenuItem[] =>
  views.map(({ name, screen }, at) => ({
    id: name,
    key: at < 9 ? String(at + 1) : undefined,
    label: name,
    hint: screen,
    run: { type: command, name },
  }));

/** The menu of named views: save, open, delete. */
export function viewMenu(state: State): Layer {
  const none = state.views.length === 0 ? 'no saved views' : undefined;
  return {
    kind: 'menu',
    title: 'Views',
    items: [
      ...viewItems(state, 'openView'),
      {
        id: 's',
        key: 's',
        label: 'save this view…',
        hint: 'screen, filter, search, range, sort',
        run: { type: 'openViewForm' },
      },
      { id: 'd', key: 'd', label: 'delete a view…', refused: none, run: { type: 'openViewDeletion' } },
    ],
    cursor: 0,
  };
}

/** The menu that deletes: choosing a view deletes it. */
export function deleteMenu(state: State): Layer {
  return { kind: 'menu', title: 'Delete a view', items: viewItems(state, 'deleteView'), cursor: 0 };
}

/** Asks for the name of the view in front. A name that exists is replaced. */
export function nameForm(state: State): State {
  const name = textField('Name', '', {
    required: true,
    hint: 'replaces a view of this name',
    check: (text) => [...text].length <= longestName || `at most ${longestName} characters`,
  });
  return push(state, formLayer('Save view', { name }, { kind: 'view' }));
}

/** Saves the view in front under this name. */
export function saveView(state: State, name: string, screens: readonly Screen[], now: number): State {
  const { screen, list } = front(state, screens);
  const own = state.lists[list.id];
  if (!own) return state;
  const { cursor: _, cursorAt: __, watched: ___, ...kept } = toSavedList(list, own);
  const view: SavedView = { name, at: now, screen: screen.id, tab: state.tab[screen.id] ?? 0, list: kept };
  const views = [...state.views.filter((other) => other.name !== name), view];
  return flash({ ...pop(state), views }, `Saved view ${name}`, 'good', now, 'b views');
}

export function deleteView(state: State, name: string, now: number): State {
  const views = state.views.filter((view) => view.name !== name);
  return flash({ ...state, views }, `Deleted view ${name}`, 'good', now);
}

/** Opens a view: its screen, tab, filter, search, range, sort and columns. Marks and an open detail go. */
export function openView(state: State, name: string, screens: readonly Screen[], now: number): State {
  const view = state.views.find((one) => one.name === name);
  const screen = screens.find((one) => one.id === view?.screen);
  const list = screen?.lists[view?.tab ?? 0];
  if (!view || !screen || !list) {
    const names = state.views.map((one) => one.name).join(', ');
    const why = names === '' ? 'b saves the first one' : `there are ${names}`;
    return flash(state, `No view is called ${name}: ${why}`, 'warn', now);
  }
  return {
    ...state,
    screen: screen.id,
    tab: { ...state.tab, [screen.id]: view.tab },
    lists: {
      ...state.lists,
      [list.id]: { ...resumedList(list, view.list), ...present({ watched: state.lists[list.id]?.watched }) },
    },
    flash: undefined,
  };
}
