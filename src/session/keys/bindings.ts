import type { AnyAction } from '../../describe/action.ts';
import type { Context } from '../../describe/context.ts';
import { contextFor } from '../../describe/organisation.ts';
import { rowNoun, type Screen } from '../../describe/screen.ts';
import { whyNoLinks } from '../../describe/web-link.ts';
import { present } from '../../lib/present.ts';
import { actingParts } from '../derived/acting.ts';
import { cameFrom } from '../derived/place.ts';
import { editsOf } from '../edit/parts.ts';
import { screenOf, whyNoRedo } from '../edit/redo.ts';
import { doubt, refusal } from '../edit/refusal.ts';
import { isOffInKiosk, offInKiosk } from '../kiosk.ts';
import { kindOf } from '../layers/index.ts';
import { isTooSmall } from '../list/geometry.ts';
import { noticeText } from '../log.ts';
import type { Message } from '../message.ts';
import { lastOn, type State } from '../state.ts';
import { messagesNow } from '../trouble.ts';
import type { View } from '../view.ts';
import type { Binding, Group } from './binding.ts';
import { findKeys, matchKeys, searching } from './detail.ts';
import { type MovedKeys, movedKeys } from './general.ts';
import { movingKeys } from './moving.ts';

const noneMoved: MovedKeys = new Map();

/** All bindings that apply now. What a kiosk never does says so where it is listed, and has no place in the footer. */
export function bindings(
  state: State,
  view: View,
  context: Context,
  screens: readonly Screen[],
  moved = noneMoved,
): readonly Binding[] {
  const all = applying(state, view, context, screens, moved);
  if (!context.profile.isKiosk) return all;
  return all.map((binding) =>
    isOffInKiosk(binding.run) || binding.refused === offInKiosk
      ? { ...binding, refused: offInKiosk, hint: undefined }
      : binding,
  );
}

function applying(
  state: State,
  view: View,
  context: Context,
  screens: readonly Screen[],
  moved: MovedKeys,
): readonly Binding[] {
  const top = state.layers.at(-1);
  // Only a notice is drawn: a layer that is not seen must not act on keys.
  if (isTooSmall(state.size))
    return [{ keys: ['q', 'Q'], title: 'quit', group: 'anywhere', run: { do: 'quit' } }, ...always(state)];
  if (top) return [...kindOf(top).keys(top, state), ...always(state)];
  const onList = [...movingKeys(state, view), ...verbs(state, view, context), ...common(state, view, context, screens)];
  const placed = moved.size === 0 ? onList : onList.map((binding) => ({ ...binding, keys: movedKeys(binding, moved) }));
  return [...noticeKeys(state, view, screens, context.now), ...placed, ...always(state)];
}

/** The bindings when making them failed (a bug): back, and quit. */
export function rescue(state: State, fault: string): readonly Binding[] {
  const back: Message = state.layers.length > 0 ? { do: 'pop' } : { do: 'back' };
  return [{ keys: ['esc', 'q'], title: 'back', help: fault, group: 'back', run: back, hint: 91 }, ...always(state)];
}

/** Bindings that apply whatever layer is on top. */
function always(state: State): Binding[] {
  return [
    {
      keys: ['ctrl+c'],
      title: state.editsUnderWay > 0 ? 'quit (a change is still being sent)' : 'quit',
      group: 'anywhere',
      run: { do: 'interrupt' },
    },
    {
      keys: ['ctrl+l'],
      title: 'redraw',
      help: 'Draw the whole screen again',
      group: 'anywhere',
      run: { do: 'redraw' },
    },
    {
      keys: ['ctrl+z'],
      title: 'suspend',
      help: 'Go to the shell; fg comes back',
      group: 'anywhere',
      run: { do: 'suspend' },
    },
  ];
}

/**
 * The key of the notice that is shown: it acts on the row that the notice names, not on the one under the cursor. None where
 * the key does something else to the list in front.
 */
function noticeKeys({ notices: [notice] }: State, view: View, screens: readonly Screen[], now: number): Binding[] {
  if (!notice) return [];
  const list = screens.flatMap((screen) => screen.lists).find(({ id }) => id === notice.list);
  const action = list?.actions.find(({ id }) => id === notice.action);
  const own = view.acting.list.actions.find(({ key }) => key === action?.key);
  if (!action || (own && own.title !== action.title)) return [];
  return [
    {
      keys: [action.key],
      title: `${action.title} it`,
      help: noticeText(notice, now),
      group: 'here',
      run: { do: 'handleNotice' },
    },
  ];
}

function verbs(state: State, view: View, context: Context): Binding[] {
  const { list, subRowId, single } = view.acting;
  const contextOf = (of: typeof list) => ({ ...contextFor(of, context), ...present({ subRowId }) });
  const parts = actingParts(view.acting).map((part) => ({ ...part, known: contextOf(part.list) }));
  const count = parts.reduce((sum, { rows }) => sum + rows.length, 0);
  /** The reason of the first row, where no row is without one; so of many rows few are asked. */
  const refusedBy = (action: AnyAction) => {
    if (count === 0) return refusal(action, undefined, contextOf(list));
    let first: string | undefined;
    for (const part of parts) {
      const own = part.list === list ? action : (part.list.actions.find(({ id }) => id === action.id) ?? action);
      for (const row of part.rows) {
        const reason = refusal(own, row, part.known);
        if (reason === undefined) return undefined;
        first ??= reason;
      }
    }
    return first;
  };
  // The action that saves an order has a key of its own, and only while there is an order to save.
  const verbs = list.actions.filter((action) => action.id !== view.list.order?.save);
  return verbs.map((action, at) => {
    const isMany = count > 1 && action.bulk === false;
    const many = isMany ? `one ${rowNoun(list)} at a time: clear the marks first` : single;
    return {
      // While a text is searched for, n and N go to its matches.
      keys: searching(view) && matchKeys.includes(action.key) ? [] : [action.key],
      title: action.title,
      help: action.help,
      group: 'write' as const,
      run: { do: 'action', id: action.id } as const,
      refused: many ?? refusedBy(action),
      doubt: doubt(action, state.refused),
      hint: (action.main ? 10 : 40) + at,
    };
  });
}

function common(state: State, view: View, context: Context, screens: readonly Screen[]): Binding[] {
  const { list, own, detail } = view;
  const noRow = view.acting.rows.length === 0 ? 'no row selected' : undefined;
  const all: Binding[] = [];
  const add = (group: Group, keys: string[], title: string, run: Message, more: Partial<Binding> = {}) =>
    all.push({ keys, title, group, run, ...more });
  if (detail) all.push(...findKeys(detail));
  // A board has no rows to narrow or to sort: its lines are places.
  else if (!list.board)
    add(
      'find',
      ['/'],
      'filter',
      { do: 'filter' },
      {
        hint: view.known.value !== undefined && view.total === 0 ? undefined : 30,
        help: 'Filter loaded rows as you type: words, !not, ~fuzzy',
      },
    );
  if (list.search)
    add(
      'find',
      ['s'],
      'search',
      { do: 'search' },
      { hint: detail ? undefined : 31, help: 'Search at the service, in its query language' },
    );
  if (list.ranges)
    add('find', ['t'], 'time range', { do: 'ranges' }, { help: `Change the time range; it is ${own.asked.range} now` });
  if (!list.board)
    add('find', ['S'], 'sort', { do: 'sorts' }, { help: 'Sort by a column; the same column again reverses the order' });
  if (list.states && !list.derived)
    add(
      'find',
      ['w'],
      isWatched(view) ? 'stop watching' : 'watch',
      { do: 'watchRow' },
      { help: 'Report every change of its state, on every screen', refused: noRow },
    );
  add('find', ['b'], 'views', { do: 'views' }, { help: 'Save, open and delete named views of lists' });
  for (const { name } of state.views) add('find', [], `view ${name}`, { do: 'openView', name });
  for (const { list, row, name } of state.touched) {
    const of = screens.find(({ lists }) => lists.some(({ id }) => id === list));
    add('recent', [], name, { do: 'openRow', list, row }, { help: `open it in ${of?.title ?? list}` });
  }
  add('copy', ['y'], 'copy the id', { do: 'copyId' }, { refused: noRow, help: 'Copy the id of the row' });
  add(
    'copy',
    ['Y'],
    'copy…',
    { do: 'copies' },
    { refused: noRow, help: 'Copy as link, Markdown, JSON, command or curl; secrets are left out' },
  );
  const { list: acting } = view.acting;
  const linkless = noRow ?? whyNoLinks(acting, contextFor(acting, context));
  add('copy', ['o'], 'link', { do: 'link' }, { refused: linkless, help: 'Show the address of its web page' });
  const last = lastOn(state, view.acting.list);
  add(
    'write',
    ['.'],
    last ? `repeat ${last.title}` : 'repeat',
    { do: 'again' },
    {
      help: 'Repeat the last action on this row',
      refused:
        last === undefined
          ? Object.keys(state.last).length > 0
            ? 'nothing to repeat in this profile: the last action was in another one'
            : 'nothing to repeat'
          : last.list !== view.acting.list.id
            ? 'the last action was on another screen'
            : noRow,
    },
  );
  add(
    'write',
    ['x'],
    'more',
    { do: 'verbs' },
    // It names the keys for which a narrow line of hints has no room.
    { hint: noRow === undefined ? 29 : undefined, help: 'All actions on the row, with their keys', refused: noRow },
  );
  add(
    'anywhere',
    ['u'],
    'undo',
    { do: 'undo' },
    {
      hint: state.undo.length > 0 ? 32 : undefined,
      help: undoHelp(state, screens),
      refused: whyNoUndo(state, context),
    },
  );
  add(
    'anywhere',
    ['ctrl+y'],
    'redo',
    { do: 'redo' },
    {
      hint: state.redo && whyNoRedo(state.redo) === undefined ? 33 : undefined,
      help: state.redo ? `Redo: ${state.redo.text}` : 'Redo what was undone last',
      refused: state.redo && state.undoableUnderWay === 0 ? undefined : 'nothing to redo',
    },
  );
  const { all: rowsSent, isStopping } = state.rowsUnderWay;
  if (rowsSent > 0 && !isStopping)
    add(
      'anywhere',
      ['ctrl+x'],
      'stop sending',
      { do: 'stopSending' },
      { hint: 0, help: 'Send no more rows; what was sent stays, and the rest is named' },
    );
  for (const screen of screens) {
    const busy = own.anchor !== undefined;
    if (!busy)
      add(
        'anywhere',
        screen.key === undefined ? [] : [screen.key],
        screen.title.toLowerCase(),
        { do: 'screen', id: screen.id },
        { help: `Screen ${screen.title}` },
      );
  }
  add(
    'anywhere',
    [':', 'ctrl+p'],
    'palette',
    { do: 'palette' },
    { hint: 80, help: 'Find any command by its name, and run it' },
  );
  add(
    'anywhere',
    ['ctrl+r'],
    'refresh',
    { do: 'refresh' },
    { help: 'Read again now; new rows come in, and the list is sorted' },
  );
  add(
    'anywhere',
    ['Z'],
    state.paused ? 'poll again' : 'pause polling',
    { do: 'pause' },
    { help: state.paused ? 'Read again by itself' : 'Read nothing by itself; Ctrl-R still reads' },
  );
  add(
    'anywhere',
    [':mouse'],
    'mouse',
    { do: 'mouse' },
    { help: 'Turn wheel and clicks on or off; while on, hold Shift to select text' },
  );
  add('anywhere', ['P'], 'profiles', { do: 'profiles' }, { help: 'Switch, add, edit, test or remove profiles' });
  add('anywhere', ['H'], 'hand-over', { do: 'journal' }, { help: 'Hand-over report of the shift, and all edits' });
  add(
    'anywhere',
    ['!'],
    'messages',
    { do: 'messages' },
    {
      help: 'All messages of this run, with their errors in full',
      refused: messagesNow(state, view, context.now).length > 0 ? undefined : 'No messages',
    },
  );
  if ((state.behind ?? []).length > 0)
    add('anywhere', ['W'], 'jobs', { do: 'jobs' }, { hint: 12, help: 'Show the running jobs; c cancels one' });
  add('anywhere', ['Q'], 'quit', { do: 'quit' });
  add('anywhere', ['?'], 'help', { do: 'help' }, { hint: 90, help: 'Every key that works now; / searches in it' });
  if (list.order && !detail) {
    const order = context.profile.readOnly ? `profile ${context.profile.name} is read-only` : noRow;
    add(
      'write',
      ['J'],
      'move down',
      { do: 'shift', by: 1 },
      { refused: order, hint: 35, help: 'Move the row down in the order; Ctrl-S saves the new order' },
    );
    add(
      'write',
      ['K'],
      'move up',
      { do: 'shift', by: -1 },
      { refused: order, help: 'Move the row up in the order; Ctrl-S saves the new order' },
    );
    if (own.moving) add('write', ['ctrl+s'], 'save order', { do: 'saveOrder' }, { hint: 0 });
  }
  const back = backTitle(state, view);
  if (back === 'quit') {
    add('back', ['q'], back, { do: 'back' }, { hint: 91 });
    add('back', ['esc', 'backspace'], 'back', { do: 'back' }, { refused: 'nothing to close, q quits' });
  } else add('back', ['q', 'esc', 'backspace'], back, { do: 'back' }, { hint: 91 });
  return all;
}

/** Why `u` undoes nothing now; undefined where it does. */
function whyNoUndo({ undo, undoableUnderWay, rowsUnderWay }: State, context: Context): string | undefined {
  // The edit before it would be undone in place of the one that a person means.
  if (undoableUnderWay > 0) return 'the last edit is still being sent: u undoes it when it has been applied';
  // A second key while many rows are undone was not meant for the edit before them.
  if (rowsUnderWay.all > 0) return 'the last undo is still being sent';
  if (undo.length === 0) return 'nothing to undo';
  const isReadOnly = undo
    .slice(-1)
    .flatMap(editsOf)
    .some(({ forward }) => contextFor(forward.list, context).profile.readOnly);
  return isReadOnly ? 'this profile is read-only' : undefined;
}

/** What `u` undoes, and on which screen. */
function undoHelp(state: State, screens: readonly Screen[]): string {
  const last = state.undo.at(-1);
  return last ? `Undo on ${screenOf(last, screens)?.title ?? last.list}: ${last.text}` : 'Undo the last edit';
}

/** What `q` does now, as a title. */
export function backTitle(state: State, view: View): string {
  if (searching(view)) return 'end search';
  if (cameFrom(state, view)) return 'back';
  if (view.own.moving !== undefined && !view.detail) return 'discard order';
  if (view.own.anchor !== undefined) return 'end range';
  if (view.detail) return 'back';
  if (view.own.marks.size > 0) return 'clear marks';
  if (view.own.filter !== '') return 'clear filter';
  return 'quit';
}

const isWatched = ({ targets, list, own }: View): boolean =>
  targets.length > 0 && targets.every((row) => own.watched?.has(list.idOf(row)));
