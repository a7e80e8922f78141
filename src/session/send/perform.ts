import { type Call, isRead, type Plan } from '../../api/endpoint.ts';
import { type Problem, problemResult, type Result } from '../../api/problem.ts';
import type { Overlay } from '../../cache/entries.ts';
import type { Client, Purpose } from '../../client/client.ts';
import type { AnySendingAction, Secret } from '../../describe/action.ts';
import type { Context } from '../../describe/context.ts';
import { type Receipt, receiptText, toReceipt } from '../../describe/receipt.ts';
import { formatRowCount } from '../../describe/screen.ts';
import type { Consequences, KeptReceipt } from '../../journal/journal-entry.ts';
import { attempt, attemptOr, thrownText } from '../../lib/function-results.ts';
import { present } from '../../lib/values.ts';
import type { Row } from '../rows/list-state.ts';
import {
  consequencesOf,
  didText,
  inTurns,
  isWider,
  mostTold,
  type Pending,
  type RowResult,
  type Sending,
  stoppedText,
  typedName,
  type Undoable,
  withContext,
} from './pending-edit.ts';

/** The outcome of an edit, row by row. */
export interface Performed {
  readonly results: readonly RowResult[];
  /** The same with what programs are told of it; in the order of the rows. */
  readonly outcomes: readonly RowOutcome[];
  readonly problem?: Problem;
  readonly undo?: Undoable;
  /** The receipt of several rows, all of which were applied. */
  readonly receipt?: Receipt;
  /** The secret to show once; only for a single row. */
  readonly secret?: Secret;
  /** Id of the row that was created; only for a single one. */
  readonly made?: string;
}

/** Sends an edit for each of its rows, four at a time. No answer of the service makes it throw. */
export type Perform = (pending: Pending, context: Context, sending?: Sending) => Promise<Performed>;

/** The outcome for one row, with its undo. */
export interface RowOutcome extends Partial<Watched> {
  readonly result: RowResult;
  /** What the journal knows all rows of the edit by. */
  readonly group?: string;
  /** The row as the edit left it, or the one that it made. */
  readonly after?: Row;
  readonly problem?: Problem;
  readonly step?: Undoable['steps'][number];
  readonly secret?: Secret;
  readonly made?: string;
  readonly answer?: unknown;
  /** Of an edit that succeeded. */
  readonly consequences?: Consequences;
}

/** One request of an edit of several: the id of its operation, and what became of it. */
export interface Step {
  readonly operation: string;
  readonly outcome: 'done' | 'failed' | 'unknown' | 'planned';
}

/** What was seen of the edits of one row while they were sent. */
interface Watched {
  /** One went out: a plan may find that there is nothing to do. */
  isSent: boolean;
  isApplied: boolean;
  /** What became of each edit of a plan, in order. */
  readonly steps: Step[];
  /** The row as a plan has read it just before. */
  before?: Row;
  /** Id of the last one in the journal. */
  entry?: string;
}

/**
 * Performs edits for the dashboard and the command line: lays the overlay, sends the request through the client (which
 * writes the journal), and settles the overlay with the answer.
 */
export function createPerformer(with_: {
  readonly client: Pick<Client, 'send' | 'run'>;
  readonly random: () => number;
  readonly overlays?: Overlay;
  /** Called with the kinds whose reads the edit made stale, and the list of whose rows its answers tell all that has changed. */
  readonly changed?: (kinds: readonly string[], told?: string) => void;
  /** Writes the undo and the receipt to the journal, so that they outlive this process. */
  readonly remember?: (group: string, targetId: string, calls: readonly Call[], receipt?: KeptReceipt) => void;
}): Perform {
  const { client, overlays } = with_;

  const sendOne = async (
    action: AnySendingAction,
    pending: Pending,
    row: Row,
    token: number | undefined,
    group: string,
    context: Context,
    sending?: Sending,
  ): Promise<RowOutcome> => {
    const target = targetOf(pending, row);
    const watched: Watched = { isSent: false, isApplied: false, steps: [] };
    const purpose = {
      action: action.id,
      target,
      before: row,
      group,
      ...present({ redoes: pending.redoes }),
      recorded(entry: string) {
        watched.entry = entry;
      },
    };
    const { values } = pending;
    const work = () => action.send(row, values, context);
    const answer = await send(client, work, purpose, watched, sending?.requestsBegan).catch((error) =>
      thrownProblem(error, watched.isSent),
    );
    const sent = { group, ...watched };
    if (!answer.ok) {
      if (token !== undefined) overlays?.lift(token);
      const { problem } = answer;
      return { ...sent, problem, result: { ...target, row, ok: false, text: problem.text, problem } };
    }
    const { value } = answer;
    const overlay = (now: Row) => rowAfter(action, pending, now, value, context);
    const edited = action.removes || row === undefined ? undefined : overlay(row);
    if (token !== undefined) overlays?.settle(token, action.removes ? undefined : overlay);
    const applied = { ...sent, answer: value };
    const result = { ...target, row, ok: true };
    return attempt<RowOutcome>(
      () => {
        const calls = action.undo?.(row, values, value, context) ?? [];
        const thing = action.made?.(value);
        const creation = present({ made: action.makesKind === undefined ? thing?.id : undefined });
        const done = () => toReceipt(action.done(row, values, value, context));
        const shown = attemptOr(undefined, done);
        const after = row === undefined ? thing?.row : edited;
        const seen = { ...watched, row, after, answer: value, leaves: shown?.leaves };
        const consequences = consequencesOf(action, pending, seen, context);
        const kept = { ...present({ said: shown && receiptText(shown) }), consequences };
        if (watched.isSent) with_.remember?.(group, target.id, calls, kept);
        const receipt = shown ?? done();
        return {
          ...applied,
          consequences,
          result: { ...result, text: receiptText(receipt), receipt, ...present({ made: thing }) },
          ...creation,
          ...present({
            after,
            step: calls.length > 0 ? { calls, ...target, before: row, after: edited, ...creation } : undefined,
            secret: action.secret?.(value, row),
          }),
        };
      },
      // The edit is applied, whether or not its result can be shown.
      (fault) => {
        const text = `${action.title}: applied, but its result cannot be shown: ${fault}`;
        return { ...applied, result: { ...result, text, receipt: toReceipt(text) } };
      },
    );
  };

  /** Of a row that was not sent: nothing of it is shown any more. */
  const unsent = (pending: Pending, row: Row, token: number | undefined): RowOutcome => {
    if (token !== undefined) overlays?.lift(token);
    return { result: { ...targetOf(pending, row), row, ok: false, text: stoppedText, isUnsent: true } };
  };

  return async (pending, given, sending) => {
    const { action, rows } = pending;
    if (!action.send) return { results: [], outcomes: [] };
    const context = withContext(given, pending);
    const group = `${context.now.toString(36)}-${Math.floor(with_.random() * 36 ** 6).toString(36)}`;
    const tokens = rows.map((row) => lay(overlays, pending, row, context));
    const problems: Problem[] = [];
    const each = async (row: Row, at: number) => {
      const outcome = await sendOne(action, pending, row, tokens[at], group, context, sending);
      if (outcome.problem) problems.push(outcome.problem);
      return outcome;
    };
    const ended = await inTurns(rows, each, sending);
    const outcomes = ended.map((outcome, at) => outcome ?? unsent(pending, rows[at], tokens[at]));

    with_.changed?.(changedBy(action), toldBy(pending, outcomes));
    return summary(pending, outcomes, problems[0], group, context);
  };
}

/** The kinds whose reads an action makes stale. */
const changedBy = ({ uses }: AnySendingAction): readonly string[] =>
  uses.filter((endpoint) => !isRead(endpoint)).flatMap(({ of, touches = [] }) => [of, ...touches]);

/** The list of an edit whose answers tell all that has changed in its rows; undefined where something was made, or has failed. */
function toldBy(pending: Pending, outcomes: readonly RowOutcome[]): string | undefined {
  const { action, list, rows } = pending;
  const isTold = action.removes === true || action.truth !== undefined;
  const isKnown = ({ result }: RowOutcome) => result.ok && result.row !== undefined;
  return isTold && !isWider(pending) && rows.length <= mostTold && outcomes.every(isKnown) ? list.id : undefined;
}

/** Lays the expected row over the list until the service answers; undefined where nothing can be shown. */
function lay(
  overlays: Overlay | undefined,
  { action, list, values }: Pending,
  row: Row,
  context: Context,
): number | undefined {
  if (row === undefined || !(action.show || action.removes)) return undefined;
  return overlays?.lay(list.id, list.idOf(row), (now) =>
    attemptOr(now, () => (action.removes ? undefined : action.show?.(now, values, context))),
  );
}

/** A row as the answer has it, else as it was expected. */
const rowAfter = (
  { truth, show }: AnySendingAction,
  { list, values }: Pending,
  now: Row,
  answer: unknown,
  context: Context,
): Row =>
  attemptOr(now, () => {
    const told = truth?.(now, answer, values);
    // An answer about another row is not used for this one.
    const isOfThis = told !== undefined && list.idOf(told) === list.idOf(now);
    return isOfThis ? told : (show?.(now, values, context) ?? now);
  });

/** The row that is edited; of none what is made. */
function targetOf({ action, list, values }: Pending, row: Row): { readonly id: string; readonly name: string } {
  const name = attemptOr(undefined, () => action.nameOfSubject?.(values));
  if (row !== undefined) return { id: list.idOf(row), name: name ?? list.nameOf(row) };
  return { id: '', name: name || (typedName(values) ?? list.title) };
}

async function send(
  client: Pick<Client, 'send' | 'run'>,
  workOf: () => Call | Plan<Result<unknown>>,
  purpose: Purpose,
  watched: Watched,
  began: Sending['requestsBegan'],
): Promise<Result<unknown>> {
  const work = workOf();
  if (!('endpoint' in work)) return client.run(noticingEdits(work, watched, began), { purpose });
  watched.isSent = true;
  return client.send(work, { purpose });
}

/** An action that throws has sent nothing, or is in doubt. */
const thrownProblem = (error: unknown, isSent: boolean): Result<never> =>
  isSent
    ? problemResult(
        'unknown',
        `sent, but its outcome cannot be shown: ${thrownText(error)}; check before you repeat it`,
      )
    : problemResult('invalid', `nothing was sent: ${thrownText(error)}`);

/** The plan, with note of the calls that edit. */
function* noticingEdits<T>(plan: Plan<T>, watched: Watched, began: Sending['requestsBegan']): Plan<T> {
  const titles: string[] = [];
  let step = plan.next();
  while (!step.done) {
    const edit = 'endpoint' in step.value && !isRead(step.value.endpoint) ? step.value : undefined;
    const isEdit = edit !== undefined;
    if (isEdit) titles.push(edit.endpoint.title);
    if (isEdit && titles.length > 1) began?.([...titles]);
    watched.isSent ||= isEdit;
    watched.before ??= edit?.before;
    const answer: Result<unknown> = yield step.value;
    watched.isApplied ||= isEdit && answer.ok;
    if (isEdit) watched.steps.push({ operation: edit.endpoint.id, outcome: stepOutcome(answer) });
    step = plan.next(answer);
  }
  return step.value;
}

function stepOutcome(answer: Result<unknown>): Step['outcome'] {
  if (answer.ok) return 'done';
  if (answer.problem.kind === 'dryRun') return 'planned';
  return answer.problem.kind === 'unknown' ? 'unknown' : 'failed';
}

/** The outcome of all rows. Secret and created id: only for a single row. The undo covers the rows that were applied. */
function summary(
  pending: Pending,
  outcomes: readonly RowOutcome[],
  problem: Problem | undefined,
  group: string,
  context: Context,
): Performed {
  const { action, list, values } = pending;
  const results = outcomes.map((outcome) => outcome.result);
  const steps = outcomes.flatMap(({ step }) => (step ? [step] : []));
  const forward = {
    ...pending,
    leftOut: undefined,
    rows: outcomes.flatMap((outcome) => (outcome.step ? [outcome.result.row] : [])),
  };
  const secrets = outcomes.flatMap(({ secret }) => (secret ? [secret] : []));
  const applied = outcomes.filter(({ result }) => result.ok);
  const [only] = applied.length === 1 ? applied : [];
  // A warning tells what else is true, not what was done.
  const isTold = only !== undefined && only.result.receipt?.isWarning !== true;
  const isSeveral = applied.length > 1 && applied.length === outcomes.length;
  const answers = applied.map((outcome) => outcome.answer);
  const receipts = isSeveral
    ? attempt(
        () => action.doneAll?.(answers, values, context),
        (fault) => `done, but its receipt cannot be shown: ${fault}`,
      )
    : undefined;
  const what = didText(pending, only?.result.name ?? formatRowCount(list, applied.length));
  const text = isTold ? only.result.text : receipts === undefined ? what : receiptText(receipts);
  return {
    results,
    outcomes,
    ...present({
      problem,
      receipt: receipts === undefined ? undefined : toReceipt(receipts),
      secret: secrets.length === 1 ? secrets[0] : undefined,
      made: only?.made,
      undo: applied.some(({ isSent }) => isSent) ? { group, text, list: list.id, forward, steps } : undefined,
    }),
  };
}
