import type { BoardLine } from '../../describe/derived.ts';
import { formatRowCount, noLink, shownColumns } from '../../describe/screen.ts';
import { copiedLines } from '../../lib/paint.ts';
import { capitalized, continued } from '../../lib/text.ts';
import { present } from '../../lib/values.ts';
import { mostSkipped } from '../../scene/list-lines.ts';
import { editedLine } from '../keyboard/editor.ts';
import { stateWord } from '../rows/counts.ts';
import { nextPlace } from '../rows/geometry.ts';
import type { ListState } from '../rows/list-state.ts';
import { madeRows } from '../rows/visible-list.ts';
import { confirmLayer } from '../stack/confirm.ts';
import type { ListMessage } from '../state/message.ts';
import type { Moment, Next, Updates } from '../state/moment.ts';
import { type State, withTouched } from '../state/state.ts';
import { asking, flash, formLayer, push, withOwn } from '../state/state-changes.ts';
import type { View } from '../state/view.ts';
import {
  actingWhole,
  back,
  fromTop,
  goTo,
  isAtWork,
  linksLayer,
  look,
  moveCount,
  moveTo,
  rowLinks,
  seenNow,
  shifted,
} from './cursor.ts';
import { moveDetail, toItem, toMatch, turnTab } from './detail.ts';
import {
  askViewName,
  commandItems,
  copyMenu,
  deleteView,
  openView,
  rangeMenu,
  sortMenu,
  subjectMenu,
  viewDeletionMenu,
  viewMenu,
} from './menus.ts';

/** Handlers for the list in front and the detail of its rows. */
export const listUpdates: Updates<ListMessage> = {
  moveCursor: (state, { by }, { view }) => ({
    state: view.detail
      ? moveDetail(state, view, by)
      : moveTo(state, view, view.cursorAt + by * moveCount(view.listState)),
  }),
  movePage(state, { by }, { view }) {
    const half = Math.max(1, Math.floor((view.detail ? view.room.detailRows : view.room.listRows) / 2));
    return {
      state: view.detail
        ? moveDetail(state, view, by * half)
        : moveTo(state, view, view.cursorAt + by * half * moveCount(view.listState)),
    };
  },
  moveToEnd(state, { last }, { view, context }) {
    if (view.detail) return { state: moveDetail(state, view, last ? 1e9 : -1e9) };
    if (last) return { state: moveTo(state, view, view.ids.length - 1) };
    // In a range the rows stay where they are: it marks what was on screen.
    if (view.listState.rowRange) return { state: moveTo(state, view, 0) };
    return { state: fromTop(look(state, view, context.now), view) };
  },
  addDigit(state, { digit }, { view: { list, listState } }) {
    const { rowRange } = listState;
    if (!rowRange) return { state };
    return { state: withOwn(state, list, { rowRange: { ...rowRange, count: (rowRange.count + digit).slice(0, 5) } }) };
  },
  scrollColumns: (state, { by }, { view: { list, listState } }) => ({
    state: withOwn(state, list, {
      hscroll: Math.max(0, Math.min(mostSkipped(shownColumns(list)), listState.hscroll + by)),
    }),
  }),
  togglePreview: (state, _, { view: { list, preview } }) => ({
    state: withOwn(state, list, { preview: nextPlace(state.size, preview) }),
  }),
  openCurrent(state, _, { view: { list, cursor, row }, screens }) {
    const place = row === undefined ? undefined : list.derived?.place?.(row);
    if (place) return goTo(state, place, screens);
    if (cursor === undefined || !list.detail) return { state };
    const opened = withOwn(state, list, { detail: { id: cursor, tab: 0, top: 0 }, cursor });
    return { state: withTouched(opened, list, [{ id: cursor, name: list.nameOf(row) }]) };
  },
  moveBlock: (state, { by }, { view }) => ({ state: moveTo(state, view, blockPlace(view, by)) }),
  moveTab: (state, { by }, world) => turned(state, by, world),
  openFind: (state, _, { view: { listState } }) => ({
    state: listState.detail
      ? push(state, { kind: 'find', line: editedLine(listState.detail.find?.text), from: listState.detail })
      : state,
  }),
  moveMatch: (state, { by }, { view }) => ({ state: toMatch(state, view, by) }),
  moveItem: (state, { by }, { view }) => ({ state: toItem(state, view, by) }),
  openScreen: (state, { id }, { view, context }) =>
    id === state.screen
      ? { state }
      : { state: { ...look(state, view, context.now), screen: id, flash: undefined, from: undefined } },
  goBack: (state, _, world) => back(state, world),
  moveRow: (state, { by }, { view, context }) => shifted(state, view, by, context),
  toggleMark(state, _, { view }) {
    if (view.cursor === undefined) return { state };
    const marks = view.listState.marks.symmetricDifference(new Set([view.cursor]));
    return { state: moveTo(withOwn(state, view.list, { marks }), view, view.cursorAt + 1) };
  },
  toggleRange(state, _, { view: { list, listState, cursor, ids } }) {
    if (listState.rowRange) return { state: withOwn(state, list, { rowRange: undefined }) };
    if (cursor === undefined) return { state };
    return {
      state: withOwn(state, list, {
        rowRange: { from: cursor, rows: ids, count: '' },
        marks: new Set([...listState.marks, cursor]),
      }),
    };
  },
  markAll(state, _, { view }) {
    const marks = new Set(view.list.board ? blockIds(view) : view.ids);
    // It is drawn, but no longer in the list, or no longer what the filter asks for.
    marks.delete(view.gone ?? '');
    return { state: withOwn(state, view.list, { marks }) };
  },
  refresh: (state, _, { view, context }) => ({
    // The order is made again only when the answer comes, so that new rows get their place too.
    state: look(withOwn(state, view.list, { order: { key: '', ids: [] } }), view, context.now),
    effects: [{ ask: 'refresh' }],
  }),
  openFilter: (state, _, { view: { list, listState } }) => ({
    state: push(state, { kind: 'filter', list: list.id, line: editedLine(listState.filter) }),
  }),
  openSearch(state, _, { view: { list, listState }, context }) {
    if (!list.search) return { state };
    const fields = list.search.form(listState.asked.search, context);
    return {
      state: push(state, formLayer(`Search ${continued(list.title)}`, fields, { kind: 'search', list: list.id })),
    };
  },
  openTimeMenu: (state, _, { view: { list, listState } }) => ({ state: push(state, rangeMenu(list, listState)) }),
  setTimeRange: (state, { range }, { view: { list, listState } }) => ({
    state: asking(state, list, { ...listState.asked, range }),
  }),
  openSortMenu: (state, _, { view: { list, listState } }) => ({ state: push(state, sortMenu(list, listState)) }),
  setSort(state, { by }, { view }) {
    const { list, listState } = view;
    const now = listState.sort ?? list.sorted;
    const column = list.columns.find((one) => one.id === by);
    const down = now?.by === by ? !now.down : (column?.downward ?? false);
    return { state: fromTop(state, view, { sort: { by, down } }) };
  },
  toggleWatch(state, _, { view: { targets, list, listState }, context }) {
    const ids = targets.map(list.idOf);
    const watched = new Map(listState.watched);
    const isOn = ids.some((id) => !watched.has(id));
    for (const row of targets) {
      if (isOn) watched.set(list.idOf(row), stateWord(list, row, context));
      else watched.delete(list.idOf(row));
    }
    const what = ids.length === 1 ? list.nameOf(targets[0]) : formatRowCount(list, ids.length);
    const text = isOn ? `Watching ${what}: you are notified of each state change` : `No longer watching ${what}`;
    return { state: flash(withOwn(state, list, { watched }), text, 'info', context.now) };
  },
  stateChanged(state, { list: id, changes }, { context }) {
    const watched = new Map(state.lists[id]?.watched);
    for (const { id: row, to } of changes)
      if (to === undefined) watched.delete(row);
      else watched.set(row, to);
    const next = withOwn(state, { id }, { watched });
    const news = changes.filter(({ isOurs }) => !isOurs);
    const gone = 'No longer listed, no longer watched';
    const text = news
      .map(({ name, from, to }) => `${to === undefined ? gone : `${from} → ${to}`}: ${name}`)
      .join(' · ');
    return { state: news.length === 0 ? next : flash(next, text, 'warn', context.now) };
  },
  openViewMenu: (state, _, { screens }) => ({ state: push(state, viewMenu(state, screens)) }),
  openViewForm: (state) => ({ state: askViewName(state) }),
  openViewDeletion: (state, _, { screens }) => ({ state: push(state, viewDeletionMenu(state, screens)) }),
  openView: (state, { name }, { screens, context }) => ({ state: openView(state, name, screens, context.now) }),
  deleteView(state, { name, sure }, moment) {
    if (sure) return { state: deleteView(state, name, moment.context.now) };
    const confirm = { question: `Delete view ${name}?`, details: ['It cannot be restored; its rows are not changed.'] };
    return { state: push(state, confirmLayer(confirm, { type: 'deleteView', name, sure: true }, moment)) };
  },
  openPlace: (state, { place }, { screens }) => goTo(state, place, screens),
  openSubject: (state, { subjects }, { screens }) =>
    subjects.length === 1
      ? goTo(state, { list: 'service', search: { subject: subjects[0] ?? '' } }, screens)
      : { state: push(state, subjectMenu(subjects)) },
  copyId(state, _, { view }) {
    const { list, rows } = view.acting;
    const ids = rows.map(list.idOf);
    if (ids.length === 0) return { state };
    const what = ids.length > 1 ? `${ids.length} ids` : 'the id';
    return { state, effects: [{ ask: 'copy', what, text: copiedLines(ids) }] };
  },
  openCopyMenu(state, _, { view, context }) {
    const { acting, read: entry } = view;
    if (acting.rows[0] === undefined) return { state };
    const rows = actingWhole(view);
    return { state: push(state, copyMenu({ ...acting, rows }, context, { last: state.last, readAt: entry.at })) };
  },
  openCommandMenu: (state, _, { view: { acting }, context }) => ({
    state: push(state, {
      kind: 'menu',
      title: 'Copy an action as a command',
      items: commandItems(acting, context, state.last),
      cursor: 0,
    }),
  }),
  showLink(state, _, { view, context }) {
    const links = rowLinks(view, context);
    const [first] = links;
    if (first && links.length === 1 && context.browses) return { state, effects: [{ ask: 'browse', ...first }] };
    if (first) return { state: push(state, linksLayer(links, context)) };
    return { state: flash(state, capitalized(noLink), 'warn', context.now) };
  },
  openLink: (state, { name, url }) => ({ state, effects: [{ ask: 'browse', name, url }] }),
  sortDone(state, { list: id, order }, { view }) {
    const before = state.lists[id] as ListState;
    const { isFromSnapshot, value } = view.read;
    // What is new on a board is told by its moment.
    const seen = before.seen ?? (view.list.board ? new Map() : seenNow(view, order.ids));
    // A row that the snapshot did not keep is not new.
    const all = before.isSeenPartly && !isFromSnapshot ? new Map([...seenNow(view, order.ids), ...seen]) : seen;
    const isSeenPartly = isFromSnapshot && value?.total !== undefined;
    // From now on the cursor is on a row, not on a place.
    const cursor = before.cursor ?? view.cursor;
    const next = withOwn(state, { id }, { order, seen: all, isSeenPartly, cursor });
    return { state: before.made === undefined ? next : withMade(next, view, before.made) };
  },
  listEntered(before, { left }, { view: { list, listState, read } }) {
    // What is derived from now on of rows that our edits were made on is new.
    const state = left.derived ? withOwn(before, left, { made: undefined }) : before;
    if (list.board || listState.order === undefined || isAtWork(listState)) return { state };
    // Where the list is being read, its order is made when the answer comes.
    return { state: withOwn(state, list, { order: read.asking ? { key: '', ids: [] } : undefined }) };
  },
  cursorPlaced: (state, { list: id, cursor, at, top }) => ({
    state: withOwn(state, { id }, { cursor, cursorAt: at, ...present({ top }) }),
  }),
  rowsSeen(state, { ids }, { view }) {
    const seen = new Map([...(view.listState.seen ?? []), ...seenNow(view, ids)]);
    return { state: withOwn(state, view.list, { seen }) };
  },
};

/** Once rows that our edits made have been read: they are not new, and no filter hides them from the cursor. */
function withMade(state: State, view: View, createdIds: readonly string[]): State {
  const { list, rows, places, listState } = view;
  const read = madeRows(list, rows, createdIds);
  if (read.length === 0) return state;
  const seen = new Map([...(listState.seen ?? []), ...seenNow(view, read)]);
  const isHidden = read.some((id) => listState.cursor === id && !places.has(id));
  const left = createdIds.filter((id) => !rows.has(id));
  const { cursor = '' } = listState;
  // The row is known by another id than the edit was told.
  const own = createdIds.includes(cursor) && !rows.has(cursor) && list.derived?.twin;
  const twin = own ? read.find((id) => own(rows.get(id)) === cursor) : undefined;
  return withOwn(state, list, { made: left, seen, ...present({ cursor: twin }), ...(isHidden ? { filter: '' } : {}) });
}

/** Turns to the next tab of the open detail, else of the screen; wraps at the ends. */
function turned(state: State, by: number, { view, context, screens }: Moment): Next {
  const { screen, list, row } = view;
  if (view.detail) return { state: turnTab(state, view, by) };
  const tab = ((state.tab[screen.id] ?? 0) + by + screen.lists.length) % screen.lists.length;
  const next = screen.lists[tab]?.id;
  // A tab that an action leads to from this row is opened on it: the rows of the table.
  const places = row === undefined ? [] : list.actions.flatMap((action) => action.goes?.(row, context) ?? []);
  const place = places.find((one) => one.list === next);
  if (place) return goTo(state, place, screens);
  return { state: { ...state, tab: { ...state.tab, [screen.id]: tab } } };
}

/** The lines of the block under the cursor that an edit is for: what is muted needs none. */
const blockIds = ({ ids, rows, row }: View): readonly string[] =>
  ids.filter((id) => {
    const line = rows.get(id) as BoardLine;
    return line.block === (row as BoardLine | undefined)?.block && line.subject !== undefined && !line.isQuiet;
  });

/** Place of the first line of the next block, or of the one before; wraps at the ends. */
function blockPlace({ blocks, ids, row, rows }: View, by: number): number {
  const blockOf = (line: unknown) => (line as BoardLine | undefined)?.block;
  const full = blocks.filter(({ lines }) => lines.length > 0).map(({ id }) => id);
  const at = full.indexOf(blockOf(row) ?? '');
  const to = full[(at + by + full.length) % full.length];
  return Math.max(
    0,
    ids.findIndex((id) => blockOf(rows.get(id)) === to),
  );
}
