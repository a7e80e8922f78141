import { formatRowCount, rowNoun } from '../../describe/screen.ts';
import { capitalized } from '../../lib/text.ts';
import { editedLine } from '../keyboard/line.ts';
import { verbMenu } from '../list/menus.ts';
import { newOrder } from '../list/reorder.ts';
import { canUndo, firstClause, noWayBack, type Undoable } from '../send/pending-edit.ts';
import { findScreen, whyNoRedo } from '../send/redo.ts';
import { movedOn } from '../send/undo.ts';
import { noticeText, withoutNotices } from '../state/log.ts';
import type { EditMessage } from '../state/message.ts';
import type { Moment, Next, Updates } from '../state/moment.ts';
import type { State } from '../state/state.ts';
import { flash, pop, popConfirm, push } from '../state/state-changes.ts';
import { askOrSend, begin, confirmed, needed } from './begin-edit.ts';
import { performed, undone } from './edit-result.ts';

/** The steps of an edit, from its key to its outcome. */
export const editUpdates: Updates<EditMessage> = {
  startAction: (state, { id, values, typed }, world) => begin(state, id, values, world, { typed }),
  repeatAction(state, _, world) {
    const { last } = state;
    return last ? begin(state, last.action, last.values, world, { picked: last.picked }) : { state };
  },
  saveOrder(state, _, world) {
    const { list, listState } = world.view;
    return list.order && listState.moving
      ? begin(state, list.order.save, newOrder(world.view, listState.moving), world)
      : { state };
  },
  handleNotice(state, _, world) {
    const [notice] = state.notices;
    if (!notice) return { state };
    const found = world.find(notice.list, notice.rowId);
    if (!found) {
      const list = world.screens.flatMap((screen) => screen.lists).find((list) => list.id === notice.list);
      const text = `${noticeText(notice, world.context.now)}: the ${rowNoun(list ?? {})} is no longer in the list`;
      return { state: flash(withoutNotices(state, [notice.key]), text, 'warn', world.context.now) };
    }
    const on = { list: found.list, rows: [found.row], subRowId: notice.subRowId };
    return begin(state, notice.action, undefined, world, { on });
  },
  openActionMenu: (state, _, world) => ({ state: push(state, verbMenu(world)) }),
  valuesChosen: (state, { pending }, world) => askOrSend(state, pending, world),
  editConfirmed: (state, { pending }, world) => confirmed(state, pending, world),
  sendingChanged(state, { by, isUndoable, rows = 0 }) {
    const editsUnderWay = Math.max(0, state.editsUnderWay + by);
    const { all, ended, ...more } = state.rowsUnderWay;
    return {
      state: {
        ...state,
        editsUnderWay,
        undoableUnderWay: Math.max(0, state.undoableUnderWay + (isUndoable ? by : 0)),
        rowsUnderWay: editsUnderWay === 0 ? { all: 0, ended: 0 } : { ...more, all: all + rows, ended },
      },
    };
  },
  rowDone: (state) => ({
    state: { ...state, rowsUnderWay: { ...state.rowsUnderWay, ended: state.rowsUnderWay.ended + 1 } },
  }),
  stopSending: (state) => ({
    state: { ...state, rowsUnderWay: { ...state.rowsUnderWay, isStopping: true } },
    effects: [{ ask: 'stopSending' }],
  }),
  performDone: (state, message, { context }) => ({ state: performed(state, message, context) }),
  needDone: needed,
  askUndo(state, _, world) {
    const last = state.undo.findLast(canUndo);
    if (!last) return { state };
    const changed = changedSince(last, world);
    const { production, name } = world.context.profile;
    const here = isHere(last, world);
    const newest = state.undo.at(-1);
    if (newest === last && changed.length === 0 && !production && here) return undoNow(state, last);
    const subject = changed.length === 1 ? (changed[0]?.name ?? '') : formatRowCount(last.forward.list, changed.length);
    const on = here ? '' : ` on ${screenName(last, world)}`;
    const where = production ? ` in production (${name})` : '';
    const question =
      changed.length > 0 ? `${subject} changed since. Undo${on}${where} anyway?` : `Undo the last edit${on}${where}?`;
    const confirm =
      newest === undefined || newest === last
        ? { question, details: [capitalized(last.text)] }
        : {
            question: `${capitalized(noWayBack(newest))}.`,
            details: changed.length > 0 ? [`${subject} changed since`] : [],
            enter: `undo the one before it${where} (${firstClause(last)})`,
          };
    return {
      state: push(state, { kind: 'confirm', confirm, typed: editedLine(), yes: { type: 'undoConfirmed', edit: last } }),
    };
  },
  askRedo(state, _, world) {
    const edit = state.redo;
    if (!edit) return { state };
    const none = whyNoRedo(edit);
    if (none !== undefined) return { state: flash(state, none, 'warn', world.context.now) };
    const begun = askOrSend({ ...state, redo: undefined }, edit.forward, world);
    // What asks has named what it is about.
    if (isHere(edit, world) || begun.state.layers.length > state.layers.length) return begun;
    return {
      state: push(
        { ...state, redo: undefined },
        {
          kind: 'confirm',
          confirm: { question: `Redo the last edit on ${screenName(edit, world)}?`, details: [capitalized(edit.text)] },
          typed: editedLine(),
          yes: { type: 'editConfirmed', pending: edit.forward },
        },
      ),
    };
  },
  undoConfirmed: (state, { edit }) => undoNow(state, edit),
  undoDone: (state, message, world) => ({ state: undone(state, message, world) }),
};

/** Whether an edit was made on the screen in front; a line of Home stands for a row of the list that it was made on. */
const isHere = (edit: Undoable, { screens, view }: Moment): boolean =>
  findScreen(edit, screens)?.id === view.screen.id || view.acting.list.id === edit.list;

const screenName = (edit: Undoable, { screens }: Moment): string => findScreen(edit, screens)?.title ?? edit.list;

/** Rows of an edit that changed again since. Known for the list in front only. */
function changedSince(edit: Undoable, { view: { list: front, rows }, context }: Moment): Undoable['steps'] {
  if (edit.list !== front.id) return [];
  const { list } = edit.forward;
  const comparable = (row: unknown) => (row === undefined ? row : (list.comparable?.(row, context) ?? row));
  return edit.steps.filter(({ id, before, after }) =>
    movedOn(comparable(before), comparable(after), comparable(rows.get(id))),
  );
}

/** What was done to each row is not true any more once it is undone. */
const withoutResults = (state: State): State => (state.layers.at(-1)?.kind === 'results' ? pop(state) : state);

const undoNow = (state: State, edit: Undoable): Next => ({
  state: {
    ...withoutResults(popConfirm(state)),
    undo: state.undo.filter((other) => other !== edit),
    redo: undefined,
    flash: undefined,
  },
  effects: [{ ask: 'undo', edit }],
});
