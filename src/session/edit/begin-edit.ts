import { isRead } from '../../api/endpoint.ts';
import type { AnyAction, Bar, Confirmation, Navigation } from '../../describe/action.ts';
import type { Context } from '../../describe/context.ts';
import type { Fields } from '../../describe/field.ts';
import type { Picker } from '../../describe/picks.ts';
import { formatRowCount, type Screen } from '../../describe/screen.ts';
import { capitalized } from '../../lib/text.ts';
import { present } from '../../lib/values.ts';
import { draftEntry, draftFor, withoutDraft } from '../form/drafts.ts';
import { editedLine } from '../keyboard/editor.ts';
import type { Acting, ListState, Row } from '../rows/list-state.ts';
import { findScreen, namedBy, type Pending, typedName, type Undoable, withContext } from '../send/pending-edit.ts';
import { confirmLayer } from '../stack/confirm.ts';
import type { MessageOf } from '../state/message.ts';
import { type Moment, type Next, whyRefused } from '../state/moment.ts';
import type { LayerOf, State } from '../state/state.ts';
import { asking, flash, flashProblem, formLayer, pop, push, withOwn } from '../state/state-changes.ts';

/** An edit of more rows than this asks for their number to be typed. */
const largeBulk = 10;

/** Starts an action: first pick, read, values, question, request. Steps that the action lacks are skipped. */
export function begin(
  state: State,
  id: string,
  values: unknown,
  world: Moment,
  more: {
    readonly picked?: unknown;
    readonly pickedAs?: string;
    /** What the first question begins with. */
    readonly typed?: string | undefined;
    readonly on?: Pick<Acting, 'list' | 'rows' | 'subRowId'>;
  } = {},
): Next {
  const { view, context } = world;
  const { picked, pickedAs, typed, on = view.acting } = more;
  const { subRowId } = on;
  const action = on.list.actions.find((action) => action.id === id);
  if (!action) return { state };
  const fullContext = { ...context, ...present({ subRowId }) };
  const isOfList = action.on === 'list';
  const list = isOfList && view.list.actions.includes(action) ? view.list : on.list;
  const refusals = isOfList ? [] : on.rows.map((row) => whyRefused(action, row, fullContext));
  const rows = isOfList ? [undefined] : on.rows.filter((_, at) => refusals[at] === undefined);
  if (rows.length === 0) {
    const why = whyRefused(action, on.rows[0], fullContext) ?? 'no row selected';
    return { state: flash(state, capitalized(`${action.title}: ${why}`), 'warn', context.now) };
  }
  const refused = refusals.filter((reason) => reason !== undefined);
  const leftOut = refused.length === 0 ? undefined : `${refused.length} left out: ${refused[0]}`;
  const known = present({ pickedAs, typed, leftOut, isOfNotice: more.on && true });
  const pending = { action, list, rows, subRowId, values, picked, ...known };
  const [row] = rows;
  if (action.goes) return { state: gone(closeAsking(state), view.screen, action.goes(row, fullContext)) };
  if (action.first && picked === undefined && values === undefined)
    return { state: push(state, { ...pickOf(action.first(row, fullContext), pending), isFirst: true }) };
  return read(state, pending, world);
}

/** Goes on with an action after its first pick. */
export const pickedFirst = (state: State, { typed: _, ...pending }: Pending, picked: unknown, world: Moment): Next =>
  read(closeAsking(state), { ...pending, picked }, world);

/** Reads what the action needs, then asks for its values. */
function read(state: State, pending: Pending, world: Moment): Next {
  const { action } = pending;
  if (!action.needs) return asked(state, pending, world);
  return {
    state: push(state, { kind: 'wait', title: editSentence(pending), pending }),
    effects: [{ ask: 'need', pending }],
  };
}

/** The read that an action needs has ended: asks for its values, unless a person has left the waiting layer. */
export function needed(state: State, message: MessageOf<'needDone'>, world: Moment): Next {
  const { pending, problem } = message;
  const top = state.layers.at(-1);
  if (top?.kind !== 'wait' || top.pending !== pending) return { state };
  if (problem) return { state: flashProblem(pop(state), namedBy(pending), problem, world.context.now) };
  return asked(pop(state), { ...pending, known: message.known }, world);
}

/** Asks for the values by pick, bar or form. Where they are known already, the question comes next, or the request. */
function asked(state: State, pending: Pending, world: Moment): Next {
  const { action, rows } = pending;
  const context = withContext(world.context, pending);
  const able = action.on === 'list' ? [] : rows;
  if (pending.values !== undefined) return askOrSend(state, pending, world);
  const values = action.values?.(able, context);
  if (values !== undefined)
    return askOrSend(state, { ...pending, values, ...present({ pickedAs: action.onLine?.(context) }) }, world);
  if (action.pick) return { state: push(state, pickOf(action.pick(able, context), pending)) };
  if (action.bar) {
    const bar = action.bar(able, context) as Bar<Record<string, unknown>>;
    if (!bar.inputs && !bar.cycles) return { state: push(state, choiceMenu(bar, pending)) };
    const name = bar.inputs?.find(({ ends }) => ends)?.name;
    const input =
      name !== undefined && pending.typed !== undefined ? { name, line: editedLine(pending.typed) } : undefined;
    return { state: push(state, { kind: 'bar', bar, values: bar.values, pending, ...present({ input }) }) };
  }
  if (!action.form) return askOrSend(state, { ...pending, values: {} }, world);
  const fields = begun(action.form(rows[0], context, pending.known), pending.typed);
  const form = formLayer(formTitle(pending), fields, { kind: 'action', pending });
  return { state: push(state, { ...form, ...present({ draft: draftFor(state, form) }) }) };
}

/** A bar of nothing but choices, as a menu: each has a line of its own, and those behind the keys are chosen with Enter. */
const choiceMenu = ({ title, choices, values }: Bar<Record<string, unknown>>, pending: Pending): LayerOf<'menu'> => ({
  kind: 'menu',
  title,
  items: choices.map((choice, at) => ({
    id: String(at),
    key: choice.key || undefined,
    label: choice.title,
    run: { type: 'valuesChosen', pending: { ...pending, values: { ...values, ...choice.values } } },
  })),
  cursor: 0,
});

function pickOf(picker: Picker<unknown>, pending: Pending): LayerOf<'pick'> {
  const { typed = '' } = pending;
  return { kind: 'pick', picker, query: editedLine(typed), asked: typed, typing: typed !== '', cursor: 0, pending };
}

/** The fields of a form whose first text begins with what was typed. */
function begun(fields: Fields, typed: string | undefined): Fields {
  const first = Object.entries(fields).find(([, field]) => field.kind === 'text');
  return first && typed !== undefined ? { ...fields, [first[0]]: { ...first[1], initial: typed } } : fields;
}

/**
 * The question before an edit is sent: the action's own, that of many rows, or that of production. Undefined: it is sent
 * at once.
 */
export function questionBefore(pending: Pending, now: Context): Confirmation | undefined {
  const { action, list, rows, values, pickedAs } = pending;
  const context = withContext(now, pending);
  const confirmation = action.confirm?.(rows, values, context);
  // What will be gone is told apart from another one of its name.
  const named = (row: Row) => `${list.nameOf(row)}${action.removes ? ` (${list.idOf(row)})` : ''}`;
  const names = rows.slice(0, 5).map((row) => (row === undefined ? '' : named(row)));
  const extent = action.extent?.(rows, values, context);
  const hits = extent?.hits ? ` ${extent.hits}` : '';
  const asks = (...words: readonly string[]) => `${words.filter(Boolean).join(' ')}?${hits}`;
  const { line } = action;
  const given = line?.asks === 'pick' && line.flag && pickedAs ? `${line.flag} ${pickedAs}` : '';
  const how = extent?.how ?? given;
  const { production, name } = context.profile;
  // Production asks before every edit.
  const isEdit = action.uses.some((endpoint) => !isRead(endpoint));
  const where = production && isEdit ? `in production (${name})` : '';
  const listed = rows.length > 5 ? [...names, `and ${rows.length - 5} more`] : names;
  if (rows.length > largeBulk) {
    return {
      question: confirmation?.question ?? asks(editSentence(pending), how, where),
      details: [...(confirmation?.details ?? []), ...listed],
      typed: confirmation?.typed ?? String(rows.length),
      ...present({ destructive: confirmation?.destructive }),
    };
  }
  if (confirmation)
    return rows.length > 1 ? { ...confirmation, details: [...(confirmation.details ?? []), ...listed] } : confirmation;
  if (where === '' || rows.length === 0) return undefined;
  return {
    question: asks(editSentence(pending, extent?.subject), how, where),
    details: rows.length > 1 ? listed : [],
  };
}

/** Asks for confirmation where the edit needs one; sends it at once where it does not. */
export function askOrSend(state: State, pending: Pending, world: Moment): Next {
  const confirm = questionBefore(pending, world.context);
  if (!confirm) return confirmed(state, pending, world);
  const { leftOut } = pending;
  const whole = leftOut === undefined ? confirm : { ...confirm, details: [leftOut, ...(confirm.details ?? [])] };
  return { state: push(state, confirmLayer(whole, { type: 'editConfirmed', pending }, world)) };
}

/** Sends the edit, and remembers it for `.`. */
export function confirmed(state: State, pending: Pending, world: Moment): Next {
  const top = state.layers.at(-1);
  const cleared = top?.kind === 'confirm' ? pop(state) : state;
  const form = cleared.layers.at(-1);
  // A form stays open until the service has answered, so that nothing typed is lost; other layers close.
  const keptForm =
    form?.kind === 'form'
      ? { ...cleared, layers: [...cleared.layers.slice(0, -1), { ...form, busy: true, problem: undefined }] }
      : closeAsking(cleared);
  const { action, rows, values, picked, pickedAs } = pending;
  if (action.job) {
    const row = rows[0];
    const job = action.job(row, values, withContext(world.context, pending));
    const id = `${action.id} ${world.context.now}`;
    const sent = keptForm.layers.at(-1);
    const cleared = sent?.kind === 'form' ? withoutDraft(pop(keptForm), sent) : keptForm;
    const typed = sent?.kind === 'form' ? draftEntry(keptForm, sent) : undefined;
    const layer = {
      kind: 'job',
      id,
      title: job.title,
      since: world.context.now,
      stopping: false,
      ...present({ isProgram: job.isProgram, after: job.after, typed }),
    } as const;
    const begun = { ...cleared, flash: undefined };
    return {
      state: job.isAside ? { ...begun, behind: [...(begun.behind ?? []), layer] } : push(begun, layer),
      effects: [
        { ask: 'job', id, job, of: action.uses.flatMap((endpoint) => [endpoint.of, ...(endpoint.touches ?? [])]) },
      ],
    };
  }
  const { list } = world.view;
  const { marks } = keptForm.lists[list.id] as ListState;
  const marked = pending.redoes === undefined ? { list: list.id, marks } : undefined;
  return {
    state: {
      // A move while the rows are sent marks no more of them.
      ...(rows.length > 1 ? withOwn(keptForm, list, { rowRange: undefined }) : keptForm),
      flash: undefined,
      redo: pending.redoes === undefined ? state.redo : undefined,
      last: { action: action.id, list: pending.list.id, values, picked, ...present({ pickedAs }), title: action.title },
    },
    effects: [{ ask: 'perform', pending: { ...pending, marked } }],
  };
}

/** Turns to another list of the screen, with the search that a navigation names. */
function gone(state: State, screen: Screen, { list: id, search }: Navigation): State {
  const at = screen.lists.findIndex((list) => list.id === id);
  const to = screen.lists[at];
  const own = state.lists[id];
  if (!to || !own) return state;
  const turned = { ...state, tab: { ...state.tab, [screen.id]: at }, flash: undefined };
  const asked = asking(turned, to, { ...own.asked, search: { ...own.asked.search, ...search } });
  return withOwn(asked, to, { detail: undefined, marks: new Set() });
}

function closeAsking(state: State): State {
  const top = state.layers.at(-1)?.kind;
  return top === 'bar' || top === 'pick' || top === 'menu' || top === 'results' ? pop(state) : state;
}

export function editSentence({ action, list, rows, pickedAs, values }: Pending, subject?: string): string {
  const title = capitalized(action.title);
  if (subject !== undefined) return `${title} ${subject}`;
  if (makesNew(action)) return [title, pickedAs ?? action.noun, typedName(values)].filter(Boolean).join(' ');
  if (rows.length === 0 || rows[0] === undefined) return [title, pickedAs, typedName(values)].filter(Boolean).join(' ');
  const name = rows.length === 1 ? list.nameOf(rows[0]) : formatRowCount(list, rows.length);
  return [title, action.preposition && pickedAs, action.preposition, name].filter(Boolean).join(' ');
}

/** Whether the action makes a thing: it then has not the name of the row under the cursor. */
const makesNew = ({ title }: AnyAction): boolean => title === 'new';

/** What the form is: `New metric monitor`, `Edit archive ERRORS`, `Add row to agents`. */
function formTitle(pending: Pending): string {
  const { action, list, rows, pickedAs } = pending;
  if (rows.length > 1) return editSentence(pending);
  const name = rows[0] === undefined || makesNew(action) ? undefined : list.nameOf(rows[0]);
  return [capitalized(action.title), pickedAs, action.noun, ...(name === undefined ? [] : [action.preposition, name])]
    .filter(Boolean)
    .join(' ');
}

/** Whether an edit was made on the screen in front; a line of Home stands for a row of the list that it was made on. */
export const isHere = (edit: Undoable, { screens, view }: Moment): boolean =>
  findScreen(edit, screens)?.id === view.screen.id || view.acting.list.id === edit.list;

export const screenName = (edit: Undoable, { screens }: Moment): string =>
  findScreen(edit, screens)?.title ?? edit.list;
