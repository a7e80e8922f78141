import { isDeepStrictEqual } from 'node:util';
import { findEndpoint } from '../../api/all-endpoints.ts';
import type { Call } from '../../api/endpoint.ts';
import type { Problem, Remaining } from '../../api/problem.ts';
import type { Overlay } from '../../cache/entries.ts';
import type { Client } from '../../client/client.ts';
import type { AnyAction, AnySendingAction, MadeThing } from '../../describe/action.ts';
import type { Context } from '../../describe/context.ts';
import type { Receipt, Uncreated } from '../../describe/receipt.ts';
import { type AnyList, formatRowCount, outputItems, type Screen } from '../../describe/screen.ts';
import { type Consequences, type Entry, undoGroup } from '../../journal/journal-entry.ts';
import { attemptOr } from '../../lib/function-results.ts';
import { continued, pastTense } from '../../lib/text.ts';
import { isObject, present } from '../../lib/values.ts';
import type { Outside } from '../outside/outside.ts';
import type { ListState, Row } from '../rows/list-state.ts';

/** An edit that is not sent yet: its action, rows and values. */
export interface Pending {
  readonly action: AnyAction;
  readonly list: AnyList;
  readonly rows: readonly Row[];
  readonly subRowId?: string | undefined;
  /** The list in front when it was sent, and its marks: those of a board are of its lines. None of a redo. */
  readonly marked?: { readonly list: string; readonly marks: ListState['marks'] } | undefined;
  readonly values?: unknown;
  /** What the first question begins with. */
  readonly typed?: string;
  /** Its values were typed into a form, whose draft is kept until it has been applied. Not of a redo, or of rows that are sent again. */
  readonly isOfForm?: true | undefined;
  /** The value of the action's first pick. */
  readonly picked?: unknown;
  /** What was picked, by its name: for titles and questions. */
  readonly pickedAs?: string;
  /** The result of the action's `needs`. */
  readonly known?: unknown;
  /** What the journal knows the edit by that was undone, and that this one makes again. */
  readonly redoes?: string;
  /** It is of the row of a notice, whatever list is in front. */
  readonly isOfNotice?: true | undefined;
  /** How many of the selected rows it cannot be done to, and why: `1 left out: already OPEN`. */
  readonly leftOut?: string | undefined;
}

/** What an edit did to this row, or to so many: `added user Ada to 2 roles`. */
export const didText = ({ action, pickedAs }: Pending, subject: string): string =>
  [pastTense(action.title), action.preposition && pickedAs, action.preposition, subject].filter(Boolean).join(' ');

/** The outcome of an edit for one row. */
export interface RowResult {
  readonly id: string;
  readonly name: string;
  readonly row: Row;
  readonly ok: boolean;
  readonly text: string;
  /** A person stopped the edit before this row was sent. */
  readonly isUnsent?: true;
  /** Of an edit that succeeded: the text in its parts. */
  readonly receipt?: Receipt;
  /** Of an edit that has made something. */
  readonly made?: MadeThing;
  /** Of an edit that failed. */
  readonly problem?: Problem;
}

/** What this run knows of an edit that was applied, besides the journal. Without steps it has no way back. */
export interface Undoable {
  readonly text: string;
  /** What the journal knows its requests by. */
  readonly group: string;
  readonly list: string;
  /** The edit itself, with the rows that it was applied to: the way forward again after an undo. */
  readonly forward: Pending;
  readonly steps: readonly {
    readonly calls: readonly Call[];
    readonly id: string;
    readonly name: string;
    readonly before: Row;
    readonly after: Row;
    /** Id of the row that the edit created, which the undo removes. */
    readonly made?: string;
  }[];
}

/** An edit to undo: its rows as the journal has them, what is said of it, and what this run knows besides. */
export interface Undoing {
  readonly entries: readonly Entry[];
  readonly text: string;
  readonly edit?: Undoable;
  /** Whether its rows are in the list in front, which shows a person what has changed since. */
  readonly isInFront?: boolean;
  /** The edit that was sent last when the undo began, by identity. */
  readonly last?: object;
}

/** Whether an undo removes what an edit made for a row that was there: others may have removed it, and made it again, since. */
export const isRemovalForRow = ({ endpoint }: Call, rowId: string): boolean =>
  endpoint.verb === 'delete' && rowId !== '';

/** Whether an edit has a way back. */
export const canUndo = (edit: Undoable | undefined): boolean => edit !== undefined && edit.steps.length > 0;

/** Why `u` undoes nothing while an edit of this run has no outcome yet. */
export const lastIsSent = 'the last edit is still being sent: u undoes it when it has been applied';

/** What was done, without what else was true then. */
export const firstClause = ({ text }: Pick<Undoable, 'text'>): string => continued(text.split('; ')[0] ?? '');

/** Rows of one edit that are shown by its answers alone: of more, all rows are read again. */
export const mostTold = 100;

/** Whether an edit of rows is about more than they are: what it changes elsewhere, its answers do not tell. */
export const isWider = ({ action, values }: Pick<Pending, 'action' | 'values'>): boolean =>
  'nameOfSubject' in action && action.nameOfSubject?.(values) !== undefined;

/** The context of an action, with its first pick and the result of its read. */
export function withContext(context: Context, { subRowId, known, picked }: Pending): Context {
  const { subRowId: _, ...others } = context;
  return { ...others, ...present({ subRowId }), known, picked };
}

/** What the sentence about its failure calls it: its title, or the thing that it would have created. */
export function namedBy({ action, values }: Pending): string | Uncreated {
  const noun = action.title === 'new' ? action.noun : /^new (.+)$/.exec(action.title)?.[1];
  return noun === undefined ? action.title : { noun, name: typedName(values) };
}

/** The name in a form's values; undefined where none was typed. */
export function typedName(values: unknown): string | undefined {
  const { name } = (values ?? {}) as { readonly name?: unknown };
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined;
}

/** Watches an edit of several rows while it is sent, and may stop it. */
export interface Sending {
  /** The service has answered for one more row, or will not. */
  rowEnded(): void;
  /** One more request of a row's edit of several is sent; the titles of all of them. */
  requestsBegan?(requests: readonly string[]): void;
  /** A person does not want the rest to be sent. */
  isStopped(): boolean;
}

/** What is being sent: an edit, its undo, or a job. */
export interface UnderWay {
  /** Stands for it. */
  readonly of: object;
  readonly title: string;
  /** When it began, epoch milliseconds. */
  readonly since: number;
  /** How many rows it is of, and how many of them have ended. */
  readonly rows: number;
  readonly ended: number;
  /** An edit, not an undo or a job. */
  readonly isUndoable?: true;
  /** Its answer may have a secret, which is shown once. */
  readonly hasSecret?: boolean;
  /** A person does not want the rest to be sent. */
  readonly isStopping?: true;
  /** The requests of an edit of several, the last one under way. */
  readonly requests?: readonly string[];
}

/** Requests in flight at once: enough to hide latency, few enough to stop soon. */
const atOnce = 4;

/** What is said of a row that was not sent because a person stopped the edit. */
export const stoppedText = 'not sent: stopped';

/** Does `work` for each of the items, four at a time; undefined for an item that was not begun when the edit was stopped. */
export async function inTurns<Item, Done>(
  items: readonly Item[],
  work: (item: Item, at: number) => Promise<Done>,
  sending?: Sending,
): Promise<readonly (Done | undefined)[]> {
  const done = new Array<Done | undefined>(items.length).fill(undefined);
  const queue = items.entries();
  const worker = async () => {
    for (const [at, item] of queue) {
      if (sending?.isStopped()) return;
      done[at] = await work(item, at);
      sending?.rowEnded();
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return done;
}

/** What became of an undo. */
export interface Undone {
  /** How many rows it took back. */
  readonly done: number;
  /** The rows that it did not take back, each with the reason. */
  readonly left: readonly { readonly id: string; readonly name: string; readonly text: string }[];
  /** The first problem. */
  readonly problem?: Problem;
}

type Step = Undoable['steps'][number];

/**
 * Undoes an edit: the last row first, four at a time, for each row its calls in order, up to the first that fails. A row that
 * fails stays as it is and the others go on; the journal is told of each. Rows that this run does not know are undone as the
 * journal has them.
 */
export function createUndoer(with_: {
  readonly client: Pick<Client, 'send'>;
  readonly overlays?: Overlay;
  /** Called with the kinds whose reads the undo made stale, and the list of whose rows it knows all that has changed. */
  readonly changed?: (kinds: readonly string[], told?: string) => void;
  readonly journal: Pick<Outside, 'takeBack' | 'undoEnded'>;
}): (undoing: Undoing, sending?: Sending) => Promise<Undone> {
  const { client, overlays, journal } = with_;

  const takeBack = async (edit: Undoable, step: Step, group: string) => {
    const back = (now: Row) => setBack(now, step.before, step.after);
    const changed = step.before === undefined ? undefined : overlays?.lay(edit.list, step.id, back);
    const overlay = step.made === undefined ? undefined : overlays?.lay(edit.list, step.made, () => undefined);
    const problem = await sendAll(step, group);
    for (const token of [changed, overlay]) {
      if (token === undefined) continue;
      if (problem) overlays?.lift(token);
      else overlays?.settle(token, token === overlay ? undefined : back);
    }
    return problem;
  };

  const sendAll = async ({ calls, id, name, after }: Step, group: string) => {
    const purpose = { action: 'undo', target: { id, name }, before: after, group };
    for (const call of calls) {
      const result = await client.send(call, { purpose });
      if (!result.ok) return result.problem;
    }
    return undefined;
  };

  return async ({ entries, edit, isInFront = false }, sending) => {
    const steps = new Map(edit?.steps.map((step) => [step.id, step]));
    const problems: Problem[] = [];
    const count = { unshown: 0 };
    const each = async (entry: Entry) => {
      const ownStep = steps.get(entry.target.id);
      // The journal knows the ids of what was created again, and reads what no row in front shows: nobody sees that it has changed.
      const isShown = isInFront && (ownStep?.made !== undefined || ownStep?.after !== undefined);
      const isUnsure =
        entry.hasNewIds ||
        ownStep?.calls.length !== entry.undo.length ||
        ownStep.calls.some((call) => isRemovalForRow(call, ownStep.id));
      const step = isShown && !edit?.forward.action.restore && !isUnsure ? ownStep : undefined;
      const problem =
        edit && step
          ? await takeBack(edit, step, undoGroup(entry.id))
          : await journal.takeBack(entry, sending?.requestsBegan);
      if (step) await journal.undoEnded(entry.id, problem);
      else count.unshown += 1;
      if (problem) problems.push(problem);
      return { text: problem?.text };
    };
    const ended = await inTurns(entries, each, sending);
    const endpoints = entries.flatMap(({ undo }) => undo.flatMap((saved) => findEndpoint(saved.endpoint) ?? []));
    const kinds = [...new Set(endpoints.flatMap(({ of, touches = [] }) => [of, ...touches]))];
    const isTold = problems.length === 0 && count.unshown === 0 && entries.length <= mostTold;
    with_.changed?.(kinds, edit && isTold && !isWider(edit.forward) ? edit.list : undefined);
    const left = entries.flatMap(({ target: { id, name } }, at) => {
      const { text } = ended[at] ?? { text: stoppedText };
      return text === undefined ? [] : [{ id, name, text }];
    });
    return { done: entries.length - left.length, left: left.toReversed(), ...present({ problem: problems[0] }) };
  };
}

/** What is left of an edit when only these of its steps have not been undone. */
export function withSteps(edit: Undoable, steps: Undoable['steps']): Undoable {
  if (steps.length === edit.steps.length) return edit;
  const ids = new Set(steps.map(({ id }) => id));
  const { forward } = edit;
  const rows = forward.rows.filter((row) => row === undefined || ids.has(forward.list.idOf(row)));
  const what = steps.length === 1 ? (steps[0]?.name ?? '') : formatRowCount(forward.list, steps.length);
  return { ...edit, text: didText(forward, what), forward: { ...forward, rows }, steps };
}

/** Whether a member that our edit changed has changed again since. */
export function movedOn(before: unknown, after: unknown, now: unknown): boolean {
  if (!isObject(before) || !isObject(after) || !isObject(now)) return false;
  return Object.keys(after).some(
    (name) => asText(before[name]) !== asText(after[name]) && asText(now[name]) !== asText(after[name]),
  );
}

const asText = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part));

/** The row with the members that an edit changed set back; all others keep their present value. */
export function setBack(now: unknown, before: unknown, after: unknown): unknown {
  if (!isObject(now) || !isObject(before) || !isObject(after)) return before;
  const changed = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
  return { ...now, ...Object.fromEntries(changed.map((name) => [name, before[name]])) };
}

/** The screen that an edit was made on. */
export const findScreen = (edit: Undoable, screens: readonly Screen[]): Screen | undefined =>
  screens.find((screen) => screen.lists.some((list) => list.id === edit.list));

/**
 * Why an edit that was undone cannot be made again as it was; undefined where it can. A redo is the edit itself, sent
 * anew: it meets later changes like any other edit.
 */
export function whyNoRedo({ forward: { action }, steps }: Undoable): string | undefined {
  if (action.removes) return 'no redo: what was deleted came back with a new id. d deletes it again';
  if (steps.some(({ calls: [first, ...others] }) => first?.endpoint.verb === 'create' && others.length > 0))
    return 'no redo: what was replaced came back with a new id. Edit it again';
  if (action.secret) return 'no redo: it would have another secret. Create it again from its form';
  return undefined;
}

/** An edit of one row that has succeeded. */
interface Succeeded {
  /** None of a create. */
  readonly row: Row | undefined;
  /** What its plan has read just before. */
  readonly before?: Row;
  /** The row as the edit left it, or the one that it made; undefined where nobody knows, or it is gone. */
  readonly after: Row | undefined;
  readonly answer: unknown;
  /** Whether a request that edits was sent. */
  readonly isSent: boolean;
  readonly leaves: readonly Remaining[] | undefined;
}

/** What the receipt of an edit tells programs besides its sentence, in the journal as in JSON. */
export function consequencesOf(
  action: AnySendingAction,
  { list, values }: Pending,
  edit: Succeeded,
  context: Context,
): Consequences {
  const { after, answer, isSent, leaves = [] } = edit;
  // What others have changed since the list was read is not of this edit.
  const row = asListed(list, edit.before, edit.row);
  const itemOf = (one: Row | undefined): Readonly<Record<string, unknown>> =>
    attemptOr({}, () => (one === undefined ? {} : (outputItems(list, [one], context)[0] ?? {})));
  const settings = Object.values(action.settings ?? {});
  return {
    changes: isSent && after !== undefined ? changesIn('', itemOf(row), itemOf(after), settings) : [],
    facts: attemptOr({}, () => action.facts?.(after ?? row, values, answer, context) ?? {}),
    leaves,
  };
}

/**
 * The row as it was just before the edit, where the plan has read it as its list has it: a monitor is read as a definition, and of a
 * person that person's key.
 */
function asListed(list: AnyList, before: Row | undefined, row: Row | undefined): Row | undefined {
  const isAlike = isObject(before) && isObject(row) && 'attributes' in before === 'attributes' in row;
  return isAlike && list.idOf(before) === list.idOf(row) ? before : row;
}

/** A setting of a form, as far as a change is named by it. */
interface Named {
  readonly path?: string | undefined;
  readonly label: string;
}

/** The fields that differ; of an object whose members are settings, these. */
function changesIn(path: string, from: unknown, to: unknown, settings: readonly Named[]): Consequences['changes'] {
  if (isDeepStrictEqual(from ?? null, to ?? null)) return [];
  const start = path === '' ? '' : `${path}.`;
  const isGroup = path === '' || settings.some((one) => one.path?.startsWith(start));
  if (isGroup && isObject(to)) {
    const was = isObject(from) ? from : {};
    const names = [...new Set([...Object.keys(to), ...Object.keys(was)])];
    return names.flatMap((name) => changesIn(`${start}${name}`, was[name], to[name], settings));
  }
  const label = settings.find((one) => one.path === path)?.label;
  return [{ field: path, label: label ?? null, from: from ?? null, to: to ?? null }];
}
