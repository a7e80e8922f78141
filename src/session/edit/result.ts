import type { Context } from '../../describe/context.ts';
import { failureText } from '../../describe/failure.ts';
import { type Receipt, receipt, toReceipt, warning } from '../../describe/receipt.ts';
import { formatRowCount } from '../../describe/screen.ts';
import { pastTense } from '../../lib/past-tense.ts';
import { capitalized } from '../../lib/text.ts';
import { undrafted } from '../form/drafts.ts';
import type { ListState } from '../rows/list-state.ts';
import { canUndo, firstClause, namedBy, type Pending, type RowResult, type Undoable } from '../send/pending.ts';
import { whyNoRedo } from '../send/redo.ts';
import { flash, flashProblem, flashReceipt, pop, push, swap, withOwn } from '../state/change.ts';
import { fieldNames } from '../state/fields.ts';
import type { OpenForm } from '../state/form-layer.ts';
import { keyHints } from '../state/key-hints.ts';
import { withoutNotices } from '../state/log.ts';
import type { Message } from '../state/message.ts';
import type { Moment } from '../state/moment.ts';
import type { State } from '../state/state.ts';
import { withTouched } from '../state/touched.ts';

/** The state after an edit has ended: receipt, undo, and marks on the rows that failed. */
export function performed(state: State, message: Extract<Message, { type: 'performDone' }>, context: Context): State {
  const { pending, results, problem, undo } = message;
  const failed = results.filter((result) => !result.ok);
  const top = state.layers.at(-1);
  const form = top?.kind === 'form' && top.for.kind === 'action' && top.for.pending.action === pending.action;
  let next: State = { ...state, refused: refusedNow(state.refused, message), warnedQuit: false };
  if (form && failed.length > 0) return swap(next, refusedForm(top, message));
  if (form) next = undrafted(pop(next), top);
  next = withoutNotices(next, handledBy(state, message));
  const applied = results.filter((result) => result.ok && result.id !== '' && !pending.action.removes);
  const touched = applied.map((result) => ({ id: result.id, name: result.name }));
  next = withTouched(next, pending.list, touched);
  // Whatever was done since an undo may stand on it.
  if (results.some((result) => result.ok)) next = { ...next, redo: undefined };
  if (undo) next = { ...next, undo: [...next.undo, undo].slice(-50) };
  if (failed.length === 0 && pending.list.order?.save === pending.action.id)
    next = withOwn(next, pending.list, { moving: undefined, order: { key: '', ids: [] } });
  if (message.made !== undefined) {
    next = withOwn(next, pending.list, { made: [message.made], cursor: message.made });
  }
  if (message.secret)
    next = push(next, { kind: 'secret', secret: message.secret, shown: false, copied: false, leaving: false });
  if (failed.length === 0) {
    const wasOne = results.length === 1 && pending.leftOut === undefined;
    if (!wasOne) next = withOwn(next, pending.list, { marks: new Set(), anchor: undefined });
    const [single] = results;
    const receipts =
      results.length === 1
        ? (single?.receipt ?? toReceipt(single?.text ?? ''))
        : (message.receipt ?? receiptOfRows(pending, results));
    const { leftOut } = pending;
    const whole = leftOut === undefined ? receipts : receipt`${receipts}; ${leftOut}`;
    return flashReceipt(next, whole, context.now, canUndo(undo) ? keyHints.undo : undefined);
  }
  if (results.length === 1)
    return flashProblem(next, namedBy(pending), problem ?? { text: failed[0]?.text ?? '' }, context.now);
  const title = capitalized(pending.action.title);
  // Failed rows stay marked, so that the same action tries just those again.
  const marks = new Set(failed.map(({ id }) => id));
  next = withOwn(next, pending.list, { marks, anchor: undefined });
  const unsent = failed.filter(({ isUnsent }) => isUnsent).length;
  const refused = failed.length - unsent;
  const counts = [refused > 0 ? `${refused} failed` : '', unsent > 0 ? `${unsent} not sent` : ''].filter(Boolean);
  next = flash(
    next,
    `${title}: ${results.length - failed.length} done, ${counts.join(', ')}`,
    'bad',
    context.now,
    canUndo(undo) ? keyHints.undoRest : undefined,
    problem,
  );
  return push(next, {
    kind: 'results',
    title: `${title}: ${unsent === 0 ? `${failed.length} of ${results.length} failed` : `${counts.join(', ')} of ${results.length}`}`,
    results: [...failed, ...results.filter((result) => result.ok)],
    cursor: 0,
    pending,
  });
}

/** How many rows an edit was applied to; of those whose receipt is a warning, how many, and the first of them whole. */
function receiptOfRows(pending: Pending, results: readonly RowResult[]): Receipt {
  const done = `${capitalized(pastTense(pending.action.title))} ${formatRowCount(pending.list, results.length)}`;
  const warnings = results.flatMap((result) => (result.receipt?.isWarning ? [result.receipt] : []));
  const [first] = warnings;
  if (!first) return toReceipt(done);
  return warning(receipt`${done}; ${warnings.length} not as asked: ${first}`);
}

/** Keys of the notices whose action was done to the rows that they name. */
function handledBy({ notices }: State, { pending, results }: Extract<Message, { type: 'performDone' }>): string[] {
  const isDone = (rowId: string) => results.some(({ ok, id }) => ok && id === rowId);
  return notices
    .filter(({ list, action, rowId }) => list === pending.list.id && action === pending.action.id && isDone(rowId))
    .map(({ key }) => key);
}

/** What is known to be refused, after an edit: its operation where a permission was missing, nothing of it once it is applied. */
function refusedNow(
  before: State['refused'],
  { pending, results, problem }: Extract<Message, { type: 'performDone' }>,
): State['refused'] {
  const { kind, operation, permission = [] } = problem ?? {};
  if (kind === 'forbidden' && operation !== undefined && permission.length > 0)
    return { ...before, [operation]: permission.join(' and ') };
  if (!results.some((result) => result.ok)) return before;
  const ids = new Set(pending.action.uses.map((endpoint) => endpoint.id));
  return Object.fromEntries(Object.entries(before).filter(([id]) => !ids.has(id)));
}

/** The form after a refusal: the message is at the field that caused it, else below all fields. */
function refusedForm(
  form: OpenForm,
  { pending, results, problem }: Extract<Message, { type: 'performDone' }>,
): OpenForm {
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
export function undone(
  state: State,
  message: Extract<Message, { type: 'undoDone' }>,
  { context, screens }: Moment,
): State {
  const { edit, problem, done = 0, left = [] } = message;
  // Back in its order: an edit made since then is newer.
  const back = () => ({ ...state, undo: [...state.undo, edit].sort((one, other) => one.at - other.at) });
  if (done + left.length > 1 && left.length > 0) return undonePartly(back(), message, context);
  if (problem) return flashProblem(back(), 'undo', problem, context.now);
  const list = screens.flatMap((screen) => screen.lists).find((one) => one.id === edit.list);
  // In a list that can be reordered, the service's order applies again.
  const again = { ...state, redo: edit };
  const next = list
    ? withOwn(again, list, list.order ? { order: { key: '', ids: [] } } : withBack(edit, again))
    : again;
  // Later clauses of the receipt describe the state before the undo: only the first is repeated.
  const keys = whyNoRedo(edit) === undefined ? keyHints.redo : undefined;
  return flash(next, `Undid: ${firstClause(edit)}`, 'good', context.now, keys);
}

/** How many rows an undo has left as they are, the first by name; the log has all of them with their reasons. */
function undonePartly(
  state: State,
  { done = 0, left = [], problem }: Extract<Message, { type: 'undoDone' }>,
  { now }: Context,
): State {
  const named = left.slice(0, namedRows).map(({ name }) => name);
  const names =
    left.length > named.length ? `${named.join(', ')} and ${left.length - named.length} more` : named.join(', ');
  const why = problem?.text ?? left[0]?.text ?? '';
  const text = `Undo: ${done} done, ${left.length} left: ${names} (${why})`;
  const next = flash(state, text, 'bad', now, keyHints.undoRest, problem);
  const details = left.map(({ name, text }) => `${name}: ${text}`);
  return { ...next, flash: next.flash && { ...next.flash, details } };
}

/** Rows that the line about an undo names. */
const namedRows = 3;

/** Rows that an undo brings back and that the order of the list no longer has: shown as soon as they are read. */
function withBack(edit: Undoable, { lists }: State): Pick<ListState, 'made'> {
  const { order, made = [] } = lists[edit.list] ?? {};
  const ids = edit.steps.map(({ id }) => id);
  const back = ids.filter((id) => id !== '' && order?.ids.includes(id) === false && !made.includes(id));
  return { made: [...made, ...back] };
}
