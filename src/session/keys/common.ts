import type { Context } from '../../describe/context.ts';
import { type AnyList, type Screen, whyNoLinks } from '../../describe/screen.ts';
import { attempt } from '../../lib/function-results.ts';
import { present } from '../../lib/values.ts';
import { cameFrom, rowLinks } from '../list/cursor.ts';
import type { DetailView } from '../rows/detail-view.ts';
import { canUndo, findScreen, lastIsSent, whyNoRedo } from '../send/pending-edit.ts';
import { type Binding, doubt, inGroup, whyNever } from '../state/moment.ts';
import { isBulk, isUndoableEdit, type State } from '../state/state.ts';
import type { View } from '../state/view.ts';

/** Whether the open detail has a search, which takes `matchKeys` from the actions. */
export const searching = ({ detail }: View): boolean => detail !== undefined && detail.wanted !== '';

export const matchKeys: readonly string[] = ['n', 'N'];

/** Bindings that find a text in the open detail. */
export function findKeys({ wanted, found }: Pick<DetailView, 'wanted' | 'found'>): Binding[] {
  const refused = found.length === 0 ? 'no match' : undefined;
  const help = 'Find a text in this tab; n and N go to its matches, Esc ends the search';
  const find: Binding = { keys: ['/'], title: 'find', group: 'find', run: { type: 'openFind' }, hint: 30, help };
  if (wanted === '') return [find];
  return [
    find,
    { keys: ['n'], title: 'next match', group: 'find', run: { type: 'moveMatch', by: 1 }, hint: 4, refused },
    { keys: ['N'], title: 'previous match', group: 'find', run: { type: 'moveMatch', by: -1 }, hint: 6, refused },
  ];
}

const move = inGroup('move');

/** Bindings that turn to other tabs and to the details of the rows beside. */
export function turnKeys({ tabs }: Pick<DetailView, 'tabs'>, hasItem: (by: 1 | -1) => boolean): Binding[] {
  const item = (key: string, title: string, by: 1 | -1, hint?: number) =>
    move([key], title, { type: 'moveItem', by }, `Go to the ${title} of the list, without leaving the detail`, {
      hint,
      refused: hasItem(by) ? undefined : `this is the ${by === 1 ? 'last' : 'first'} one`,
    });
  const turn = (keys: string[], title: string, by: number, hint?: number) =>
    move(keys, title, { type: 'moveTab', by }, undefined, { hint });
  return [
    turn(['[', 'shift+tab', 'h', 'left'], 'previous tab', -1),
    turn([']', 'tab', 'l', 'right'], 'next tab', 1, tabs.length > 1 ? 2 : undefined),
    item('J', 'next item', 1, 5),
    item('K', 'previous item', -1),
  ];
}

/** Most rows whose copies are made for a menu of them: a terminal takes 75 kB, and each row has six. */
const mostCopied = 500;

/** Bindings that every list has, whatever its actions. */
export function commonKeys(state: State, view: View, context: Context, screens: readonly Screen[]): Binding[] {
  const noRow = view.acting.rows.length === 0 ? 'no row selected' : undefined;
  return [
    ...narrowing(view, noRow),
    ...remembered(state, screens),
    focusing(view, context),
    ...copying(view, context, noRow),
    ...repeating(state, view, context, noRow),
    ...undoing(state, context, screens),
    ...turning(view, screens),
    ...general(state),
    ...ordering(state, view, context, noRow),
    ...backing(state, view),
  ];
}

const find = inGroup('find');
const copy = inGroup('copy');
const write = inGroup('write');
const anywhere = inGroup('anywhere');
const back = inGroup('back');

/** What narrows, sorts and watches the rows. */
function narrowing(view: View, noRow: string | undefined): Binding[] {
  const { list, listState, detail } = view;
  const all: Binding[] = detail ? findKeys(detail) : [];
  const isEmpty = view.read.value !== undefined && view.total === 0;
  // A board has no rows to narrow or to sort: its lines are places.
  if (!detail && !list.board)
    all.push(
      find(['/'], 'filter', { type: 'openFilter' }, 'Filter loaded rows as you type: words, !not, ~fuzzy', {
        hint: isEmpty ? undefined : 29,
      }),
    );
  if (list.search)
    all.push(
      find(['s'], 'search', { type: 'openSearch' }, 'Search at the service, in its query language', {
        hint: detail ? undefined : 31,
      }),
    );
  if (list.ranges)
    all.push(
      find(['T'], 'time range', { type: 'openTimeMenu' }, `Change the time range; it is ${listState.asked.range} now`),
    );
  if (!list.board)
    all.push(
      find(['S'], 'sort', { type: 'openSortMenu' }, 'Sort by a column; the same column again reverses the order'),
    );
  if (list.states && !list.derived)
    all.push(
      find(
        ['w'],
        isWatched(view) ? 'stop watching' : 'watch',
        { type: 'toggleWatch' },
        'Notify of each change of its state, on every screen',
        { refused: noRow },
      ),
    );
  return all;
}

/** Saved views, and the rows that were acted on last. */
const remembered = ({ views, touched }: State, screens: readonly Screen[]): Binding[] => [
  find(['b'], 'views', { type: 'openViewMenu' }, 'Save, open and delete named views of lists'),
  ...views.map(({ name }) => find([], `view ${name}`, { type: 'openView', name })),
  ...touched.map(({ list, row, name }) => {
    const of = screens.find(({ lists }) => lists.some(({ id }) => id === list));
    return inGroup('recent')([], name, { type: 'openPlace', place: { list, row } }, `open it in ${of?.title ?? list}`);
  }),
];

/** Rows whose services are asked for: of more, the first. */
const mostAsked = 50;

/** Leads to the page of the service that the rows are about. */
function focusing({ acting, list, targets, listState }: View, context: Context): Binding {
  const [source, rows] = acting.rows.length > 0 ? [acting.list, acting.rows] : [list, targets];
  const all = rows
    .slice(0, mostAsked)
    .flatMap((row) => source.services?.(row, { ...context, ...present({ subRowId: acting.subRowId }) }) ?? []);
  const subjects = [...new Set(all.map((name) => `service:${name}`))].filter(
    (one) => one !== listState.asked.search.subject,
  );
  const none = all.length > 0 ? 'this is the page of its service' : 'this row has no service';
  return find(
    ['f'],
    'service',
    { type: 'openSubject', subjects },
    'Everything about its service: alerts, issues, mutes, edits',
    {
      hint: source.services && (all.length === 0 || subjects.length > 0) ? 28 : undefined,
      refused: rows.length === 0 ? 'no row selected' : subjects.length === 0 ? none : undefined,
    },
  );
}

function copying(view: View, context: Context, noRow: string | undefined): Binding[] {
  const linkless = attempt(
    () => (rowLinks(view, context).length > 0 ? undefined : (noRow ?? whyNoLinks(view.acting.list, context))),
    (fault) => fault,
  );
  const tooMany = view.acting.rows.length > mostCopied ? `more than ${mostCopied} rows: y copies their ids` : undefined;
  const forms = 'Copy as link, Markdown, JSON, command or curl; secrets are left out';
  return [
    copy(['y'], 'copy the id', { type: 'copyId' }, 'Copy the id of the row', { refused: noRow }),
    copy(['Y'], 'copy…', { type: 'openCopyMenu' }, forms, { refused: noRow ?? tooMany }),
    copy(['o'], 'link', { type: 'showLink' }, 'Show the addresses of its runbooks and its web page', {
      refused: linkless,
    }),
  ];
}

/** Why keys that do this action can never do it here: the same rule as for the key of the action itself. */
function whyNeverBy(id: string, { actions }: AnyList, context: Context): string | undefined {
  const action = actions.find((one) => one.id === id);
  return action && whyNever(action, context);
}

function repeating({ last }: State, { acting }: View, context: Context, noRow: string | undefined): Binding[] {
  const whyNot = () => {
    if (!last) return 'nothing to repeat';
    if (last.list !== acting.list.id) return 'the last action was on another screen';
    return whyNeverBy(last.action, acting.list, context) ?? noRow;
  };
  return [
    write(
      ['.'],
      last ? `repeat ${last.title}` : 'repeat',
      { type: 'repeatAction' },
      'Repeat the last action on this row',
      {
        refused: whyNot(),
      },
    ),
    write(['x'], 'more', { type: 'openActionMenu' }, 'All actions on the row, with their keys', {
      // The menu names the keys for which a narrow line of hints has no room.
      hint: noRow === undefined ? 30 : undefined,
      refused: noRow,
    }),
  ];
}

function undoing(state: State, context: Context, screens: readonly Screen[]): Binding[] {
  const { undo, redo } = state;
  const all = [
    anywhere(['u'], 'undo', { type: 'askUndo' }, undoHelp(state, screens), {
      hint: undo.some(canUndo) ? 32 : undefined,
      refused: whyNoUndo(state, context),
    }),
    anywhere(['ctrl+y'], 'redo', { type: 'askRedo' }, redo ? `Redo: ${redo.text}` : 'Redo the last undone edit', {
      hint: redo && whyNoRedo(redo) === undefined ? 33 : undefined,
      refused: redo && !state.underWay.some(isUndoableEdit) ? undefined : 'nothing to redo',
    }),
  ];
  if (state.underWay.some((edit) => isBulk(edit) && !edit.isStopping)) {
    const help = 'Stop sending; rows already sent stay, the others are listed';
    all.push(anywhere(['ctrl+x'], 'stop sending', { type: 'stopSending' }, help, { hint: 0 }));
  }
  return all;
}

/** The screens, unless digits count the rows of a range. */
const turning = ({ listState }: View, screens: readonly Screen[]): Binding[] =>
  listState.rowRange
    ? []
    : screens.map(({ id, key, title }) =>
        anywhere(key === undefined ? [] : [key], title.toLowerCase(), { type: 'openScreen', id }, `Screen ${title}`),
      );

function general(state: State): Binding[] {
  const { paused, behind = [] } = state;
  const polling = paused ? 'Resume polling' : 'Stop polling, or start again; Ctrl-R still refreshes';
  const mouse = 'Turn wheel and clicks on or off; while on, hold Shift to select text';
  return [
    anywhere([':', 'ctrl+p'], 'palette', { type: 'openPalette' }, 'Find a command by name and run it', {
      hint: 80,
    }),
    anywhere(['ctrl+r'], 'refresh', { type: 'refresh' }, 'Read the list again: shows new rows, and sorts it'),
    anywhere([':pause'], 'pause', { type: 'togglePause' }, polling),
    anywhere([':mouse'], 'mouse', { type: 'toggleMouse' }, mouse),
    anywhere(['P'], 'profiles', { type: 'openProfiles' }, 'Switch, add, edit, test or remove profiles'),
    anywhere(
      ['H'],
      'handover',
      { type: 'openTimeline', view: 'handover' },
      'Handover of the shift; Tab: the timeline of edits, changes and messages',
    ),
    anywhere(
      ['!'],
      'messages',
      { type: 'openTimeline', view: 'messages' },
      'The last 200 messages of this run, with their errors in full',
    ),
    ...(behind.length > 0
      ? [anywhere(['W'], 'jobs', { type: 'openJobs' }, 'Show the running jobs; c cancels one', { hint: 12 })]
      : []),
    anywhere(['Q'], 'quit', { type: 'askQuit' }),
    anywhere(['?'], 'help', { type: 'openHelp' }, 'Every key that works now; / searches in it', { hint: 90 }),
  ];
}

function ordering(
  { refused: wasRefused }: State,
  { list, detail, listState }: View,
  context: Context,
  noRow: string | undefined,
): Binding[] {
  if (!list.order || detail) return [];
  const { save } = list.order;
  const saving = list.actions.find(({ id }) => id === save);
  const refused = whyNeverBy(save, list, context) ?? noRow;
  const why = { refused, doubt: saving && doubt(saving, wasRefused) };
  const saved = 'in the order; Ctrl-S saves the new order';
  return [
    write(['J'], 'move down', { type: 'moveRow', by: 1 }, `Move the row down ${saved}`, { ...why, hint: 35 }),
    write(['K'], 'move up', { type: 'moveRow', by: -1 }, `Move the row up ${saved}`, why),
    ...(listState.moving ? [write(['ctrl+s'], 'save order', { type: 'saveOrder' }, undefined, { hint: 0 })] : []),
  ];
}

function backing(state: State, view: View): Binding[] {
  const title = backTitle(state, view);
  const hint = { hint: 91 };
  if (title !== 'quit') return [back(['q', 'esc', 'backspace'], title, { type: 'goBack' }, undefined, hint)];
  const refused = 'nothing to close, q quits';
  return [
    back(['q'], title, { type: 'goBack' }, undefined, hint),
    back(['esc', 'backspace'], 'back', { type: 'goBack' }, undefined, { refused }),
  ];
}

/** Why `u` undoes nothing now; undefined where the journal is to say it. */
function whyNoUndo({ underWay }: State, context: Context): string | undefined {
  // The edit before it would be undone in place of the one that a person means.
  if (underWay.some(isUndoableEdit)) return lastIsSent;
  // A second key while many rows are undone was not meant for the edit before them.
  if (underWay.some(isBulk)) return 'the last undo is still being sent';
  return context.profile.readOnly ? 'this profile is read-only' : undefined;
}

/** What `u` undoes, and on which screen. */
function undoHelp(state: State, screens: readonly Screen[]): string {
  const last = state.undo.findLast(canUndo);
  return last ? `Undo on ${findScreen(last, screens)?.title ?? last.list}: ${last.text}` : 'Undo the last edit';
}

/** What `q` does now, as a title. */
export function backTitle(state: State, view: View): string {
  if (searching(view)) return 'end search';
  if (cameFrom(state, view)) return 'back';
  if (view.listState.moving !== undefined && !view.detail) return 'discard order';
  if (view.listState.rowRange) return 'end range';
  if (view.detail) return 'back';
  if (view.listState.marks.size > 0) return 'clear marks';
  if (view.listState.filter !== '') return 'clear filter';
  return 'quit';
}

const isWatched = ({ targets, list, listState }: View): boolean =>
  targets.length > 0 && targets.every((row) => listState.watched?.has(list.idOf(row)));
