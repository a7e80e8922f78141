import type { AnyAction } from '../../describe/action.ts';
import type { Context } from '../../describe/context.ts';
import { rowNoun, type Screen } from '../../describe/screen.ts';
import { present } from '../../lib/values.ts';
import { layerKindOf } from '../layers/index.ts';
import { itemBeside } from '../list/detail.ts';
import { isTooSmall, previewNeeds, previewRoom } from '../rows/geometry.ts';
import { leads, type Message } from '../state/message.ts';
import {
  type Binding,
  doubt,
  inGroup,
  isOffInKiosk,
  offInKiosk,
  whyNever,
  whyNotOf,
  whyRefused,
} from '../state/moment.ts';
import type { Layer, State } from '../state/state.ts';
import { noticeText } from '../state/state-changes.ts';
import type { View } from '../state/view.ts';
import { commonKeys, matchKeys, searching, turnKeys } from './common.ts';

/**
 * Keys of every list that a person may move: what they do, and the id by which the configuration file names that. Those that receipts
 * and notices name (`u`, Ctrl-Y, `!`, `H`, Ctrl-R), that move, and that open screens stay.
 */
const idsByMessage: ReadonlyMap<Message['type'], string> = new Map<Message['type'], string>([
  ['openFilter', 'filter'],
  ['openFind', 'filter'],
  ['openSearch', 'search'],
  ['openTimeMenu', 'time-range'],
  ['openSortMenu', 'sort'],
  ['toggleMark', 'mark'],
  ['toggleRange', 'range'],
  ['markAll', 'mark-all'],
  ['openSubject', 'service'],
  ['togglePreview', 'preview'],
  ['toggleWatch', 'watch'],
  ['openViewMenu', 'views'],
  ['copyId', 'copy-id'],
  ['openCopyMenu', 'copy'],
  ['showLink', 'link'],
  ['repeatAction', 'repeat'],
  ['openActionMenu', 'actions'],
  ['openPalette', 'palette'],
  ['togglePause', 'pause'],
  ['openProfiles', 'profiles'],
  ['openHelp', 'help'],
  ['askQuit', 'quit'],
]);

export const generalIds: ReadonlySet<string> = new Set(idsByMessage.values());

/** The id of what a binding of a list does; undefined where its key stays. */
export const generalId = ({ run }: Pick<Binding, 'run'>): string | undefined => idsByMessage.get(run.type);

/** Keys that a person has moved, by the id of what they do. */
export type MovedKeys = ReadonlyMap<string, string>;

/** The keys of a binding: of several (`:` and Ctrl-P) the first one moves. */
const movedKeys = (binding: Pick<Binding, 'run' | 'keys'>, moved: MovedKeys): readonly string[] => {
  const key = moved.get(generalId(binding) ?? '');
  return key === undefined ? binding.keys : [key, ...binding.keys.slice(1)];
};

const choose = inGroup('choose');
const move = (keys: string[], title: string, run: Message, hint?: number): Binding =>
  inGroup('move')(keys, title, run, undefined, { hint });

const markAll = choose(
  ['*'],
  'mark all',
  { type: 'markAll' },
  'Mark all rows that match the filter; in a block those that are not muted',
);

const mark = ({ list, row, acting }: View): Binding =>
  choose(['space'], 'mark', { type: 'toggleMark' }, 'Mark and move down', {
    hint: list.board ? undefined : 34,
    refused: row === undefined || (list.board && acting.rows.length === 0) ? 'no row to mark' : undefined,
  });

/** Bindings that move through the list or detail in front, and mark rows. */
function movingKeys(state: State, view: View): Binding[] {
  const { listState, detail } = view;
  const rows = detail ? detail.tab.kind === 'rows' : true;
  const digits =
    listState.rowRange === undefined
      ? []
      : [
          inGroup('here')(
            [...'0123456789'],
            'count',
            { type: 'addDigit', digit: '' },
            'Rows of the next move of the range',
          ),
        ];
  const steps = [
    move(['j', 'down'], rows ? 'down' : 'scroll down', { type: 'moveCursor', by: 1 }),
    move(['k', 'up'], rows ? 'up' : 'scroll up', { type: 'moveCursor', by: -1 }),
    move(['ctrl+d', 'pagedown'], 'half page down', { type: 'movePage', by: 1 }),
    move(['ctrl+u', 'pageup'], 'half page up', { type: 'movePage', by: -1 }),
    {
      ...move(['g', 'home'], 'top', { type: 'moveToEnd', last: false }),
      ...(view.list.board ? { help: 'Top line; marks what is new as seen' } : {}),
    },
    move(['G', 'end'], 'bottom', { type: 'moveToEnd', last: true }),
  ];
  const open = (refusal: string): Binding => ({
    ...move(['return'], 'open', { type: 'openCurrent' }, 1),
    refused: view.row === undefined ? refusal : undefined,
  });
  // On a board the cursor goes over the lines of all blocks, and from block to block.
  if (view.list.board)
    return [
      ...steps,
      move(['tab', ']'], 'next block', { type: 'moveBlock', by: 1 }, 2),
      move(['shift+tab', '['], 'previous block', { type: 'moveBlock', by: -1 }),
      open('nothing to open'),
      mark(view),
      { ...markAll, hint: listState.asked.search.subject === undefined ? undefined : 28 },
    ];
  return [
    ...digits,
    ...steps,
    ...(detail
      ? turnKeys(detail, (by) => itemBeside(view, by) !== undefined)
      : [
          open('no row to open'),
          move(['h', 'left'], 'scroll left', { type: 'scrollColumns', by: -1 }),
          move(['l', 'right'], 'scroll right', { type: 'scrollColumns', by: 1 }),
          {
            ...move(['p'], 'preview', { type: 'togglePreview' }),
            help: 'Move the preview: below the list, on its right, or off',
            ...(previewRoom(state.size, view.preview).length > 0 ? {} : { refused: `needs ${previewNeeds}` }),
          },
          ...(view.screen.lists.length > 1
            ? [
                move(['[', 'shift+tab'], 'previous tab', { type: 'moveTab', by: -1 }),
                move([']', 'tab'], 'next tab', { type: 'moveTab', by: 1 }),
              ]
            : []),
          mark(view),
          choose(['v'], 'range', { type: 'toggleRange' }, 'Mark from here to where you move; v4j marks five rows'),
          markAll,
        ]),
  ];
}

const anywhere = inGroup('anywhere');
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
    isOffInKiosk(context.profile, binding.run) || binding.refused === offInKiosk
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
  if (isTooSmall(state.size)) return [anywhere(['q', 'Q'], 'quit', { type: 'askQuit' }), ...always(state)];
  if (top) {
    const own = layerKindOf(top).keys(top, state, screens, context);
    return [...own, ...leadingAway(top, own, commonKeys(state, view, context, screens)), ...always(state)];
  }
  const onList = [
    ...movingKeys(state, view),
    ...verbs(state, view, context),
    ...commonKeys(state, view, context, screens),
  ];
  const placed = moved.size === 0 ? onList : onList.map((binding) => ({ ...binding, keys: movedKeys(binding, moved) }));
  return [...noticeKeys(state, view, screens, context.now), ...placed, ...always(state)];
}

/** What works everywhere and leaves a layer that shows where it is. */
const stays: ReadonlySet<Message['type']> = new Set(['askQuit', 'openJobs', 'refresh', 'stopSending']);

/** Over a layer that shows, keys that it does not have lead to a screen, or to what opens everywhere. They are in no hint. */
function leadingAway(top: Layer, own: readonly Binding[], everywhere: readonly Binding[]): readonly Binding[] {
  const kind = layerKindOf(top);
  if (!kind.isShowing || kind.takesText(top)) return [];
  const taken = own.flatMap(({ keys }) => keys);
  return everywhere
    .filter(({ run }) => leads.has(run.type) || stays.has(run.type))
    .map((binding) => ({ ...binding, keys: binding.keys.filter((key) => !taken.includes(key)), hint: undefined }));
}

/** The bindings when making them failed (a bug): back, and quit. */
export function rescue(state: State, fault: string): readonly Binding[] {
  const back: Message = state.layers.length > 0 ? { type: 'closeLayer' } : { type: 'goBack' };
  return [inGroup('back')(['esc', 'q'], 'back', back, fault, { hint: 91 }), ...always(state)];
}

/** Bindings that apply whatever layer is on top. */
function always(state: State): Binding[] {
  const quit = state.underWay.length > 0 ? 'quit (an edit is still being sent)' : 'quit';
  return [
    anywhere(['ctrl+c'], quit, { type: 'interrupt' }),
    anywhere(['ctrl+l'], 'redraw', { type: 'redraw' }, 'Draw the whole screen again'),
    anywhere(['ctrl+z'], 'suspend', { type: 'suspend' }, 'Go to the shell; fg comes back'),
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
  if (action?.key === undefined || (own && own.title !== action.title)) return [];
  const help = noticeText(notice, now);
  return [inGroup('here')([action.key], `${action.title} it`, { type: 'handleNotice' }, help)];
}

function verbs(state: State, view: View, context: Context): readonly Binding[] {
  const { list, rows, subRowId, single } = view.acting;
  const fullContext = { ...context, ...present({ subRowId }) };
  /** The reason of the first row, where no row is without one; so of many rows few are asked. */
  const refusedBy = (action: AnyAction) => {
    if (rows.length === 0) return whyRefused(action, undefined, fullContext);
    let first: string | undefined;
    for (const row of rows) {
      const reason = whyRefused(action, row, fullContext);
      if (reason === undefined) return undefined;
      first ??= reason;
    }
    return first;
  };
  // The action that saves an order has a key of its own, and only while there is an order to save.
  const actions = list.actions.filter((action) => action.id !== view.list.order?.save);
  const bound = actions.map((action, index): BoundAction => {
    const isMany = rows.length > 1 && action.bulk === false;
    const many = isMany ? `one ${rowNoun(list)} at a time: clear the marks first` : single;
    const binding = {
      keys: keysOf(action, view),
      title: action.title,
      help: action.help,
      group: 'write' as const,
      run: { type: 'startAction', id: action.id } as const,
      refused: many ?? refusedBy(action),
      isOfRow:
        rows.length > 0 &&
        (whyNever(action, fullContext) === undefined ||
          rows.every((row) => whyNotOf(action, row, fullContext) !== undefined)),
      doubt: doubt(action, state.refused),
      ...(action.key !== undefined && { hint: (action.main ? 10 : 40) + index }),
    };
    return { action, binding };
  });
  return sharedKeys(bound, fullContext);
}

interface BoundAction {
  readonly action: AnyAction;
  readonly binding: Binding;
}

/** Gives each key to one action: of several to the one that is possible now, or to a menu of those. The others have none. */
function sharedKeys(all: readonly BoundAction[], context: Context): readonly Binding[] {
  const holders = new Map<string, BoundAction>();
  const menus: Binding[] = [];
  for (const [key, sharing] of Map.groupBy(all, ({ binding: { keys } }) => keys[0])) {
    const [first] = sharing;
    if (key === undefined || !first) continue;
    const onLine = sharing.filter(({ action }) => action.onLine?.(context) !== undefined);
    const others = sharing.filter(({ action }) => !action.onLine);
    const pool = onLine.length > 0 ? onLine : others.length > 0 ? others : sharing;
    const open = pool.filter(({ binding }) => binding.refused === undefined);
    const isMenu = open.length > 1 && open.every(({ action }) => action.on === 'list');
    if (isMenu) menus.push(menuBinding(key, open));
    else holders.set(key, open[0] ?? pool[0] ?? first);
  }
  const keyed = all.map(({ action, binding }): Binding => {
    const [key] = binding.keys;
    const isHolder = key === undefined || holders.get(key)?.action === action;
    return isHolder ? binding : { ...binding, keys: [], hint: undefined };
  });
  return [...keyed, ...menus];
}

/** One key for several actions that need no row: it asks which. */
function menuBinding(key: string, choices: readonly BoundAction[]): Binding {
  const titles = choices.map(({ action }) => action.title).join(', ');
  const hints = choices.flatMap(({ binding }) => binding.hint ?? []);
  return {
    ...{ keys: [key], title: 'new…', help: `Choose: ${titles}`, group: 'write' },
    run: { type: 'openChoice', title: 'New', ids: choices.map(({ action }) => action.id) },
    ...(hints.length > 0 && { hint: Math.min(...hints) }),
  };
}

/** While a text is searched for, n and N go to its matches. */
const keysOf = ({ key }: AnyAction, view: View): readonly string[] =>
  key === undefined || (searching(view) && matchKeys.includes(key)) ? [] : [key];
