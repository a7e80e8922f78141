import { rowNoun } from '../../describe/screen.ts';
import { present } from '../../lib/present-members.ts';
import { capitalized } from '../../lib/text.ts';
import { editedLine } from '../keyboard/line.ts';
import { choiceMenu, verbMenu } from '../list/menus.ts';
import { newOrder } from '../list/reorder.ts';
import { whyNoRedo } from '../send/redo.ts';
import { noticeText, withoutNotices } from '../state/log.ts';
import type { EditMessage } from '../state/message.ts';
import type { Updates } from '../state/moment.ts';
import { flash, pop, popConfirm, push, withOwn } from '../state/state-changes.ts';
import { askOrSend, begin, confirmed, needed } from './begin-edit.ts';
import { isHere, screenName } from './edit-place.ts';
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
  openChoice: (state, { title, ids }, world) => ({ state: push(state, choiceMenu(world, title, ids)) }),
  valuesChosen: (state, { pending }, world) => askOrSend(state, pending, world),
  editConfirmed: (state, { pending }, world) => confirmed(state, pending, world),
  sendingChanged(state, { by, isUndoable, rows = 0, title }, { context: { now } }) {
    const editsUnderWay = Math.max(0, state.editsUnderWay + by);
    const { all, ended, since = now, ...more } = state.rowsUnderWay;
    return {
      state: {
        ...state,
        editsUnderWay,
        undoableUnderWay: Math.max(0, state.undoableUnderWay + (isUndoable ? by : 0)),
        rowsUnderWay:
          editsUnderWay === 0
            ? { all: 0, ended: 0 }
            : { ...more, all: all + rows, ended, since, ...present({ title }) },
      },
    };
  },
  requestsBegan: (state, { title, requests }) => ({
    state: { ...state, rowsUnderWay: { ...state.rowsUnderWay, title, requests } },
  }),
  rowDone: (state) => ({
    state: { ...state, rowsUnderWay: { ...state.rowsUnderWay, ended: state.rowsUnderWay.ended + 1 } },
  }),
  stopSending: (state) => ({
    state: { ...state, rowsUnderWay: { ...state.rowsUnderWay, isStopping: true } },
    effects: [{ ask: 'stopSending' }],
  }),
  performDone: (before, message, { context, view: { list } }) => {
    // Marks of a board are those of its lines, not of the rows that they stand for.
    const state = list.board && message.results.length > 1 ? withOwn(before, list, { marks: new Set() }) : before;
    return { state: performed(state, message, context) };
  },
  needDone: needed,
  askUndo: (state, { confirmed }) => ({
    state: confirmed === undefined ? state : popConfirm(state),
    effects: [{ ask: 'offerUndo', ...present({ confirmed }) }],
  }),
  undoAsked(state, { confirm, yes }, { context }) {
    const top = state.layers.at(-1)?.kind;
    // A person has opened something else meanwhile.
    if (top !== undefined && top !== 'results')
      return { state: flash(state, 'Undo: it asks first, press u again', 'warn', context.now) };
    return { state: push(state, { kind: 'confirm', confirm, typed: editedLine(), yes }) };
  },
  undoBegun(state, { undoing }) {
    // What was done to each row is not true any more once it is undone.
    const cleared = state.layers.at(-1)?.kind === 'results' ? pop(state) : state;
    return { state: { ...cleared, redo: undefined, flash: undefined }, effects: [{ ask: 'undo', undoing }] };
  },
  checkConfirmed: (state, { entry, name }) => ({ state, effects: [{ ask: 'entry', id: entry, what: 'check', name }] }),
  askRedo(state, _, world) {
    const edit = state.redo;
    if (!edit) return { state };
    const none = whyNoRedo(edit);
    if (none !== undefined) return { state: flash(state, none, 'warn', world.context.now) };
    const pending = { ...edit.forward, redoes: edit.group };
    const begun = askOrSend({ ...state, redo: undefined }, pending, world);
    // What asks has named what it is about.
    if (isHere(edit, world) || begun.state.layers.length > state.layers.length) return begun;
    return {
      state: push(
        { ...state, redo: undefined },
        {
          kind: 'confirm',
          confirm: { question: `Redo the last edit on ${screenName(edit, world)}?`, details: [capitalized(edit.text)] },
          typed: editedLine(),
          yes: { type: 'editConfirmed', pending },
        },
      ),
    };
  },
  undoDone: (state, message, world) => ({ state: undone(state, message, world) }),
};
