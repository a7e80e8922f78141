import type { Context } from '../../describe/context.ts';
import type { NewOrder } from '../../describe/order-action.ts';
import { failureText, type Receipt, receipt, toReceipt, warning } from '../../describe/receipt.ts';
import { formatRowCount, rowNoun } from '../../describe/screen.ts';
import { capitalized, firstThree } from '../../lib/text.ts';
import { present } from '../../lib/values.ts';
import { withoutDraft } from '../form/drafts.ts';
import { newOrder } from '../list/cursor.ts';
import { actionMenu, choiceMenu } from '../list/menus.ts';
import type { ListState } from '../rows/list-state.ts';
import {
  canUndo,
  didText,
  namedBy,
  type Pending,
  type RowResult,
  stoppedText,
  type Undoable,
  whyNoRedo,
  withSteps,
} from '../send/pending-edit.ts';
import { confirmLayer } from '../stack/confirm.ts';
import { fieldNames, type OpenForm } from '../state/form-layer.ts';
import type { EditMessage, MessageOf } from '../state/message.ts';
import type { Moment, Updates } from '../state/moment.ts';
import { type Layer, type State, withTouched } from '../state/state.ts';
import {
  flash,
  flashProblem,
  flashReceipt,
  keyHints,
  noticeText,
  onForm,
  pop,
  popConfirm,
  push,
  swap,
  withOwn,
  withoutNotices,
  withSecret,
} from '../state/state-changes.ts';
import { askOrSend, begin, confirmed, isHere, needed, screenName } from './begin-edit.ts';

type PerformDone = MessageOf<'performDone'>;
type UndoDone = MessageOf<'undoDone'>;

/** The state after an edit has ended: receipt, undo, and marks on the rows that failed. */
export function performed(state: State, message: PerformDone, context: Context): State {
  // Who left it meanwhile may have opened one of another row.
  const form = state.layers.find(
    (layer) => layer.kind === 'form' && layer.for.kind === 'action' && layer.for.pending.rows === message.pending.rows,
  );
  const next =
    form?.kind === 'form'
      ? onForm(state, form.for, (own, top) => ({ state: answered(own, message, context, top) })).state
      : answered(state, message, context);
  return withSecret(next);
}

function answered(state: State, message: PerformDone, context: Context, form?: OpenForm): State {
  const { pending, results, problem } = message;
  const failed = results.filter((result) => !result.ok);
  const isNone = failed.length > 0 && failed.length === results.length;
  const known: State = { ...state, refused: refusedNow(state.refused, message), warnedQuit: false };
  if (form && isNone) return swap(known, refusedForm(form, message));
  const left = form ? pop(known) : known;
  const isLeft = pending.isOfForm === true && !form;
  // What was typed into a form that was left is kept where nothing came of it.
  const closed = pending.isOfForm && !isNone ? withoutDraft(left, { for: { kind: 'action', pending } }) : left;
  const next = afterEdit(withoutNotices(closed, handledBy(state, message)), message, failed.length === 0, isLeft);
  if (failed.length === 0) return receiptShown(next, message, context);
  if (results.length === 1)
    return flashProblem(next, namedBy(pending), problem ?? { text: failed[0]?.text ?? '' }, context.now);
  return failuresShown(next, message, failed, context);
}

/**
 * The state with what an edit leaves besides its receipt: its undo, the rows that it touched and made, and its secret. `isLeft`: its form
 * was left, so that the cursor is a person's own.
 */
function afterEdit(before: State, message: PerformDone, isWhole: boolean, isLeft: boolean): State {
  const { pending, results, undo, made: madeId, secret } = message;
  const { list, action } = pending;
  const applied = results.filter((result) => result.ok && result.id !== '' && !action.removes);
  const touched = applied.map((result) => ({ id: result.id, name: result.name }));
  const edited = results.flatMap((result) => (result.ok ? [result.made?.id ?? result.id] : []));
  let next = withOrigins(withTouched(before, list, touched), list.id, edited);
  // A redo after another edit might overwrite it.
  if (results.some((result) => result.ok)) next = { ...next, redo: undefined };
  next = { ...next, lastReceipt: undo?.group };
  if (undo) next = { ...next, undo: [...next.undo, undo].slice(-maxUndo) };
  if (isWhole && list.order?.save === action.id) {
    const { moving } = next.lists[list.id] ?? {};
    const isSaved = moving === (pending.values as NewOrder).after;
    next = withOwn(next, list, { moving: isSaved ? undefined : moving, order: { key: '', ids: [] } });
  }
  if (madeId !== undefined) next = withOwn(next, list, { made: [madeId], ...(isLeft ? {} : { cursor: madeId }) });
  if (!secret) return next;
  const layer = { kind: 'secret', secret, shown: false, copied: false, leaving: false } as const;
  // The session of another profile, which is being opened, would not have it.
  const layers = next.layers.filter((one) => !opensProfile(one));
  return { ...next, layers, secrets: [...(next.secrets ?? []), layer] };
}

/** Whether a layer waits for another profile, or for its keys. */
const opensProfile = (layer: Layer): boolean =>
  layer.kind === 'wait' ? !layer.pending : layer.kind === 'form' && layer.for.kind === 'keys';

/** Edits of this run that `u` knows by their rows; of older ones it has the journal. */
const maxUndo = 50;

/** The state in which rows of other lists that come from these rows, which we made or edited, are not marked as new. */
function withOrigins(state: State, editedList: string, ids: readonly string[]): State {
  const lists = Object.entries(state.lists).map(([id, own]): [string, ListState] => {
    const made = [...new Set([...(own.made ?? []), ...ids])].slice(-maxOrigins);
    return [id, id === editedList || own.order === undefined ? own : { ...own, made }];
  });
  return { ...state, lists: Object.fromEntries(lists) };
}

/** Of more edited rows, what comes from the oldest may be marked as new. */
const maxOrigins = 1000;

function receiptShown(state: State, { pending, results, undo, receipt: ofAll }: PerformDone, { now }: Context): State {
  const { leftOut } = pending;
  const [single] = results;
  const isOne = results.length === 1;
  const next = isOne && leftOut === undefined ? state : withMarksLeft(state, pending, results);
  const done = isOne ? (single?.receipt ?? toReceipt(single?.text ?? '')) : (ofAll ?? receiptOfRows(pending, results));
  const whole = leftOut === undefined ? done : receipt`${done}; ${leftOut}`;
  return flashReceipt(next, whole, now, canUndo(undo) ? keyHints.undo : undefined);
}

/** What stays marked once rows were sent: those that failed; what a person has marked meanwhile, but for what was done. */
function withMarksLeft(state: State, { list, marked }: Pending, results: readonly RowResult[]): State {
  if (!marked) return state;
  const { marks } = state.lists[marked.list] as ListState;
  const idsOf = (isOk: boolean) => new Set(results.flatMap(({ ok, id }) => (ok === isOk ? [id] : [])));
  const change =
    marks === marked.marks
      ? { marks: marked.list === list.id ? idsOf(false) : new Set<string>(), rowRange: undefined }
      : { marks: marks.difference(idsOf(true)) };
  return withOwn(state, { id: marked.list }, change);
}

/** Says how many of several rows failed, with a list of all. Failed rows stay marked, so that the same action tries just those again. */
function failuresShown(
  state: State,
  { pending, results, problem, undo }: PerformDone,
  failed: readonly RowResult[],
  { now }: Context,
): State {
  const title = capitalized(pending.action.title);
  const ends = Map.groupBy(failed, ({ isUnsent, problem: own }) =>
    isUnsent ? 'not sent' : own?.kind === 'unknown' ? 'unknown' : 'failed',
  );
  const counts = (of: string) =>
    [...ends].map(([end, { length }], at) => `${length}${at === 0 ? of : ''} ${end}`).join(', ');
  const marked = withMarksLeft(state, pending, results);
  const leftOut = pending.leftOut === undefined ? '' : `; ${pending.leftOut}`;
  const text = `${title}: ${results.length - failed.length} done, ${counts('')}${leftOut}`;
  const next = flash(marked, text, 'bad', now, canUndo(undo) ? keyHints.undoRest : undefined, problem);
  // No layer opens over one that a person is in by now.
  if (next.layers.length > 0) return withDetails(next, failed);
  return push(next, {
    kind: 'results',
    title: `${title}: ${counts(` of ${results.length}`)}`,
    results: [...failed, ...results.filter((result) => result.ok)],
    cursor: 0,
    pending,
  });
}

/** The receipt of several rows: how many there are; how many have a warning as theirs, and the first of these. */
function receiptOfRows(pending: Pending, results: readonly RowResult[]): Receipt {
  const done = capitalized(didText(pending, formatRowCount(pending.list, results.length)));
  const warnings = results.flatMap((result) => (result.receipt?.isWarning ? [result.receipt] : []));
  const [first] = warnings;
  if (!first) return toReceipt(done);
  return warning(receipt`${done}; ${warnings.length} not as asked: ${first}`);
}

/** Keys of the notices that the edit has settled: their action was done to their row. */
function handledBy({ notices }: State, { pending, results }: PerformDone): string[] {
  const isDone = (rowId: string) => results.some(({ ok, id }) => ok && id === rowId);
  return notices
    .filter(({ list, action, rowId }) => list === pending.list.id && action === pending.action.id && isDone(rowId))
    .map(({ key }) => key);
}

/** The operations known to be refused, after an edit: with its own where a permission was missing, without them once one was applied. */
function refusedNow(before: State['refused'], { pending, results, problem }: PerformDone): State['refused'] {
  const { kind, operation, permission = [] } = problem ?? {};
  if (kind === 'forbidden' && operation !== undefined && permission.length > 0)
    return { ...before, [operation]: permission.join(' and ') };
  if (!results.some((result) => result.ok)) return before;
  const ids = new Set(pending.action.uses.map((endpoint) => endpoint.id));
  return Object.fromEntries(Object.entries(before).filter(([id]) => !ids.has(id)));
}

/** The form after a refusal, with the message at the field that caused it, else below all fields. */
function refusedForm(form: OpenForm, { pending, results, problem }: PerformDone): OpenForm {
  const failed = results.find((result) => !result.ok);
  const text = failed && failureText(namedBy(pending), failed.problem ?? failed);
  const name = problem && pending.action.blames?.(problem, pending.values);
  const place = fieldNames(form).indexOf(name ?? '');
  if (!problem || name === undefined || place < 0) return { ...form, busy: false, problem: text };
  return {
    ...form,
    busy: false,
    review: undefined,
    problem: undefined,
    focus: place,
    errors: { [name]: problem.text },
  };
}

/** The state after an undo has ended. */
export function undone(state: State, message: UndoDone, { context, screens }: Moment): State {
  const { undoing, problem, done, left } = message;
  const { edit, text } = undoing;
  const undo = state.undo.flatMap((one) => withoutUndone(one, message));
  // Rows that are left were told with this undo, so the next undo of the edit asks nothing.
  const isPartlyLeft = undo.some(({ group }) => group === state.lastReceipt);
  const ids = undoing.entries.map(({ target }) => target.id);
  const lastReceipt = isPartlyLeft ? state.lastReceipt : undefined;
  const base: State = { ...withOrigins(state, edit?.list ?? '', ids), undo, lastReceipt };
  if (done + left.length > 1 && left.length > 0) return undonePartly(base, message, context);
  if (problem) return flashProblem(base, 'undo', problem, context.now);
  if (!edit) return flash(base, `Undone: ${text}`, 'good', context.now);
  const list = screens.flatMap((screen) => screen.lists).find((one) => one.id === edit.list);
  // In a list that can be reordered, the service's order applies again.
  const redo = state.last === undoing.last ? edit : undefined;
  const withRedo = { ...base, redo };
  const next = list
    ? withOwn(withRedo, list, list.order ? { order: { key: '', ids: [] } } : withBack(edit, withRedo))
    : withRedo;
  const keys = redo && whyNoRedo(redo) === undefined ? keyHints.redo : undefined;
  return flash(next, `Undone: ${text}`, 'good', context.now, keys);
}

/** The edit without the rows that this undo took back; none where it took back all. Other edits stay. */
function withoutUndone(edit: Undoable, { undoing, left }: UndoDone): readonly Undoable[] {
  if (edit.group !== undoing.edit?.group) return [edit];
  const open = new Set(left.map(({ id }) => id));
  const undone = new Set(undoing.entries.map(({ target }) => target.id).filter((id) => !open.has(id)));
  const steps = edit.steps.filter(({ id }) => !undone.has(id));
  return steps.length === 0 ? [] : [withSteps(edit, steps)];
}

/** How many rows an undo has left as they are, the first by name; the log has all of them with their reasons. */
function undonePartly(state: State, { done, left, problem }: UndoDone, { now }: Context): State {
  const names = firstThree(left.map(({ name }) => name));
  const why = problem?.text ?? stoppedText;
  const text = `Undo: ${done} done, ${left.length} left: ${names} (${why})`;
  return withDetails(flash(state, text, 'bad', now, keyHints.undoRest, problem), left);
}

/** The state whose message has each of these rows with its reason. */
const withDetails = (state: State, rows: readonly { readonly name: string; readonly text: string }[]): State => ({
  ...state,
  flash: state.flash && { ...state.flash, details: rows.map(({ name, text }) => `${name}: ${text}`) },
});

/** Marks rows that an undo brings back and that the order of the list no longer has as ours: shown as soon as they are read. */
function withBack(edit: Undoable, { lists }: State): Pick<ListState, 'made'> {
  const { order, made = [] } = lists[edit.list] ?? {};
  const ids = edit.steps.map(({ id }) => id);
  const back = ids.filter((id) => id !== '' && order?.ids.includes(id) === false && !made.includes(id));
  return { made: [...made, ...back] };
}

/** The steps of an edit, from its key to its outcome. */
export const editUpdates: Updates<EditMessage> = {
  startAction: (state, { id, values, typed }, world) => begin(state, id, values, world, { typed }),
  repeatAction(state, _, world) {
    const { last } = state;
    return last ? begin(state, last.action, last.values, world, last) : { state };
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
  openActionMenu: (state, _, world) => ({ state: push(state, actionMenu(world)) }),
  openChoice: (state, { title, ids }, world) => ({ state: push(state, choiceMenu(world, title, ids)) }),
  valuesChosen: (state, { pending }, world) => askOrSend(state, pending, world),
  editConfirmed: (state, { pending }, world) => confirmed(state, pending, world),
  sendingChanged({ underWay, ...state }, { of, change }, { context: { now } }) {
    const isNew = underWay.every((edit) => edit.of !== of);
    const all = isNew ? [...underWay, { of, title: '', since: now, rows: 1, ended: 0 }] : underWay;
    const after = all.flatMap((edit) => (edit.of !== of ? [edit] : change ? [{ ...edit, ...change }] : []));
    return { state: { ...state, underWay: after } };
  },
  stopSending: (state) => ({
    state: { ...state, underWay: state.underWay.map((edit) => ({ ...edit, isStopping: true })) },
  }),
  performDone: (state, message, { context }) => ({ state: performed(state, message, context) }),
  needDone: needed,
  askUndo: (state, { confirmed }) => ({
    state: confirmed === undefined ? state : popConfirm(state),
    effects: [{ ask: 'offerUndo', ...present({ confirmed }) }],
  }),
  undoAsked(state, { confirm, yes }, world) {
    const top = state.layers.at(-1)?.kind;
    // A person has opened something else meanwhile.
    if (top !== undefined && top !== 'results')
      return { state: flash(state, 'Undo: it asks first, press u again', 'warn', world.context.now) };
    return { state: push(state, confirmLayer(confirm, yes, world)) };
  },
  undoBegun(state, { undoing }) {
    // The results of the edit are not true any more once it is undone.
    const cleared = state.layers.at(-1)?.kind === 'results' ? pop(state) : state;
    const effects = [{ ask: 'undo', undoing: { ...undoing, ...present({ last: state.last }) } } as const];
    return { state: { ...cleared, redo: undefined, flash: undefined }, effects };
  },
  checkConfirmed: (state, { entry, name }) => ({ state, effects: [{ ask: 'entry', id: entry, what: 'check', name }] }),
  askRedo(state, _, world) {
    const edit = state.redo;
    if (!edit) return { state };
    const none = whyNoRedo(edit);
    if (none !== undefined) return { state: flash(state, none, 'warn', world.context.now) };
    const pending = { ...edit.forward, isOfForm: undefined, redoes: edit.group };
    const begun = askOrSend(state, pending, world);
    // A question that opened has named the screen.
    if (isHere(edit, world) || begun.state.layers.length > state.layers.length) return begun;
    const question = `Redo the last edit on ${screenName(edit, world)}?`;
    const confirm = { question, details: [capitalized(edit.text)] };
    return { state: push(state, confirmLayer(confirm, { type: 'editConfirmed', pending }, world)) };
  },
  undoDone: (state, message, world) => ({ state: undone(state, message, world) }),
};
