import { isRead } from '../../api/endpoint.ts';
import type { AnyAction } from '../../describe/action.ts';
import type { Context } from '../../describe/context.ts';
import { whoAmIBy } from '../../describe/picks.ts';
import { type AnyList, type Screen, withLabels } from '../../describe/screen.ts';
import { present } from '../../lib/values.ts';
import type { Flags } from '../../profiles/resolve-settings.ts';
import { questionBefore } from '../../session/edit/begin-edit.ts';
import { type Pending, withContext } from '../../session/send/pending-edit.ts';
import { createPerformer, type Performed, type RowOutcome } from '../../session/send/perform.ts';
import { randomCode, typeable } from '../../session/stack/confirm.ts';
import { whyRefused } from '../../session/state/moment.ts';
import type { Ports } from '../command-ports.ts';
import { askQuestion } from '../edit-question.ts';
import { type FoundRows, factsFor, findSome, type WordFault } from '../find-rows.ts';
import { complain, type Exit, exits, type Io, refuseReadOnly } from '../io.ts';
import { followJob } from '../jobs.ts';
import { untilSignal } from '../output/progress.ts';
import { createLeft } from '../session-files.ts';
import type { OpenConnection } from '../start.ts';
import { keeperFor } from './keep-secret.ts';
import { faultIn, flagValues, type Pendings, pendingEdits } from './pending-edits.ts';
import { receiptValue, type SecretPlace, tellReceipts } from './receipts.ts';
import { type ActionCommand, type CommandShape, commandShape, type Given, misused, type Work } from './shape.ts';

/** Does an action of a screen to the rows that a line names, as the dashboard does it, and tells a receipt for each. */
export async function act(
  ports: Ports,
  screen: Screen,
  verb: ActionCommand,
  given: Given,
  flags: Flags,
): Promise<Exit> {
  const { io } = ports;
  return ports.with(flags, async (connection) => {
    const verbHere = inWords(screen, verb, connection);
    // Fields read times from now on, and the deployment's words.
    const facts = factsFor(io, connection);
    const shape = commandShape(verbHere, facts);
    const fault = faultBefore(verbHere, shape, given, facts);
    if (fault !== undefined) return misused(io, fault).exit;
    const context = await contextOf(io, connection, verbHere, given);
    const { action, list } = verbHere;
    const edits = action.uses.some((endpoint) => !isRead(endpoint));
    if (context.profile.readOnly && edits) return refuseReadOnly(io);
    const rows = await rowsOf({ io, connection, context, verb: verbHere, shape, given });
    if (!rows.ok) return rows.exit;
    const fullContext = {
      ...context,
      loaded: (listId: string) => (listId === list.id ? rows.rows.filter((row) => row !== undefined) : []),
    };
    const requests = given.isJson && connection.settings.dryRun ? ports.keepPreviews() : undefined;
    const work: Work = { io, connection, context: fullContext, verb: verbHere, shape, given, requests };
    const lost = rows.faults.map((fault) => outcomeOf(fault, given));
    if (lost.some(({ result }) => !result.ok) && !given.keepGoing)
      return tellOutcomes(work, [...lost, ...rows.rows.map((row) => unreached(list, row))]);
    const { able, apart } = sorted(work, rows.rows);
    if (able.length === 0) return tellOutcomes(work, [...lost, ...apart]);
    const edited = await pendingEdits(work, able);
    if (!edited.ok) return edited.exit;
    const { pending, already } = withoutAlready(edited, work);
    return sendAll(work, pending, [...lost, ...apart, ...already]);
  });
}

/** Asks, sends the edits and tells a receipt for each row, after those of the rows that are not edited. */
async function sendAll(work: Work, pending: readonly Pending[], apart: readonly RowOutcome[]): Promise<Exit> {
  const { io, connection, context, verb } = work;
  if (pending.length === 0) return tellOutcomes(work, apart);
  const keeper = await keeperFor(work);
  if (!keeper.ok) return keeper.exit;
  const exit = await askBefore(io, connection, pending, context);
  if (exit !== undefined) {
    await keeper.keep([]);
    return exit;
  }
  if (verb.action.job) return runJobs(work, pending);
  return untilSignal(io, async (stop) => {
    const done = await performAll(io, connection, pending, context, () => stop.aborted);
    const outcomes = done.flatMap((performed) => performed.outcomes.map((outcome) => asMissing(outcome, work.given)));
    const kept = await keeper.keep(done);
    const told = tellOutcomes(work, [...apart, ...outcomes], kept.place);
    const keeping = kept.tell();
    return told === exits.done ? keeping : told;
  });
}

/** A row that went between the read and its delete is none to delete either. */
function asMissing(outcome: RowOutcome, { ifExists }: Given): RowOutcome {
  const { problem, ...result } = outcome.result;
  return ifExists && problem?.kind === 'notFound'
    ? { result: { ...result, ok: true, text: `${result.name}: ${problem.text}` } }
    : outcome;
}

function tellOutcomes(work: Work, outcomes: readonly RowOutcome[], secret?: SecretPlace): Exit {
  const { io, connection, context, verb, given, requests } = work;
  const receipts = outcomes.map((outcome) => ({ ...receiptValue(verb, outcome, context), ...present({ secret }) }));
  return tellReceipts(io, receipts, { isJson: given.isJson, connection, requests });
}

/** What became of a word that names no row. */
function outcomeOf({ id, name, text, isMissing, problem }: WordFault, { ifExists }: Given): RowOutcome {
  const ok = ifExists && isMissing === true;
  return { result: { id, name, row: undefined, ok, text, ...present({ problem }) } };
}

/** A row that is not edited, because another one is not found. */
const unreached = (list: AnyList, row: unknown): RowOutcome => ({
  result: { id: list.idOf(row), name: list.nameOf(row), row, ok: false, text: 'not sent', isUnsent: true },
});

/** The rows that can be edited, and what became of the others. */
function sorted(work: Work, rows: readonly unknown[]) {
  const { context, given } = work;
  const { action, list } = work.verb;
  const here = { ...context, ...present({ subRowId: subRowIn(work) }) };
  const able: unknown[] = [];
  const apart: RowOutcome[] = [];
  for (const row of rows) {
    const already = row === undefined ? undefined : action.already?.(row, here);
    const why = already ?? whyRefused(asMeant(action, given), row, here);
    if (why === undefined) able.push(row);
    else apart.push(rowApart(list, row, already === undefined ? 'failed' : 'already', why));
  }
  return { able, apart };
}

/** The edits of rows that they change. */
function withoutAlready({ pending: all, unchanged }: Pendings, { context, verb: { action, list } }: Work) {
  const already = unchanged.map((row) => rowApart(list, row, 'already', 'nothing would change, nothing was sent'));
  const pending = all.flatMap((edit): readonly Pending[] => {
    const rows = edit.rows.filter((row) => {
      const why = row === undefined ? undefined : action.already?.(row, withContext(context, edit), edit.values);
      if (why !== undefined) already.push(rowApart(list, row, 'already', why));
      return why === undefined;
    });
    return rows.length > 0 ? [{ ...edit, rows }] : [];
  });
  return { pending, already };
}

/** What is wrong with a line, as far as that shows before anything is asked of the service. */
function faultBefore(
  { action: { line } }: ActionCommand,
  { fields }: CommandShape,
  { typed }: Given,
  facts: Context,
): string | undefined {
  if (line?.asks === 'form') return undefined;
  const read = line?.asks === 'flags' ? flagValues(line, fields, typed, facts) : undefined;
  return read?.ok === false ? read.text : faultIn(fields, typed);
}

/** The action without its judgment of the whole row, where a flag says what of the row is meant. */
function asMeant(action: AnyAction, { typed }: Given): AnyAction {
  const { line } = action;
  const isMeant = line?.asks === 'flags' && line.meant?.some((name) => typed[name] !== undefined);
  return isMeant ? { ...action, enabled: () => true } : action;
}

const subRowIn = ({ verb, given }: Work): string | undefined =>
  verb.action.line?.asks === 'subRow' ? given.behind[0] : undefined;

function rowApart(list: AnyList, row: unknown, word: 'already' | 'failed', why: string): RowOutcome {
  const id = row === undefined ? '' : list.idOf(row);
  const name = row === undefined ? list.title : list.nameOf(row);
  const ok = word === 'already';
  return { result: { id, name, row, ok, text: ok ? `${name}: ${why}` : why } };
}

/** The list and the action with the deployment's words in their fixed texts. */
function inWords(screen: Screen, verb: ActionCommand, { client: { vocabulary } }: OpenConnection): ActionCommand {
  const lists = withLabels([screen], vocabulary).flatMap((labeled) => labeled.lists);
  const list = lists.find(({ id }) => id === verb.list.id) ?? verb.list;
  return { list, action: list.actions.find(({ id }) => id === verb.action.id) ?? verb.action };
}

/** What the description may know, besides the rows: who the person is where people are picked, what an upload left. */
async function contextOf(
  io: Io,
  connection: OpenConnection,
  { action }: ActionCommand,
  given: Given,
): Promise<Context> {
  const base = factsFor(io, connection);
  // Nothing is sent that a read-only profile would refuse.
  const readOnly = base.profile.readOnly && !connection.settings.dryRun;
  const facts = { ...base, profile: { ...base.profile, readOnly }, ...present({ picked: given.kind }) };
  if (action.id === 'tables.resume') {
    const left = createLeft(connection, io.clock);
    const unread = await left.look();
    if (unread !== undefined) complain(io, unread);
    return { ...facts, unfinished: left.now() };
  }
  const { line } = action;
  if (line?.asks !== 'pick' || line.noun !== 'user') return facts;
  const me = await connection.client.run(whoAmIBy(connection.settings.handle).plan(facts));
  return me.ok ? { ...facts, me: me.value } : facts;
}

async function rowsOf({ io, connection, context, verb: { list }, shape, given }: Work): Promise<FoundRows> {
  if (shape.rows === 'none' || shape.isOrder)
    return { ok: true, rows: [undefined], alone: new Set(), lacks: [], faults: [] };
  const search = {
    ...list.search?.initial,
    ...(given.whole !== undefined && list.search?.subject !== undefined ? { [list.search.subject]: given.whole } : {}),
  };
  const asking = { search, range: list.ranges?.initial ?? '' };
  return findSome(io, connection, context, { list, words: given.rows, asked: asking });
}

/** Asks what production asks of every edit, and elsewhere what cannot be undone as it was. Every question once, before anything is sent. */
async function askBefore(
  io: Io,
  { settings }: OpenConnection,
  all: readonly Pending[],
  context: Context,
): Promise<Exit | undefined> {
  const isAsked = ({ action }: Pending) => settings.production || !action.undo || action.restore !== undefined;
  // Several picks are named below one question.
  const questions = all.flatMap(({ pickedAs, ...pending }) => {
    const one = all.length > 1 || pickedAs === undefined ? pending : { ...pending, pickedAs };
    const confirm = isAsked(pending) ? questionBefore(one, context) : undefined;
    return confirm ? [{ confirm, picked: all.length > 1 ? pickedAs : undefined }] : [];
  });
  for (const same of Map.groupBy(questions, ({ confirm }) => confirm.question).values()) {
    const [first] = same;
    if (!first) continue;
    const details = [...(first.confirm.details ?? []), ...same.flatMap(({ picked }) => picked ?? [])];
    const exit = await askQuestion(
      io,
      settings,
      typeable({ ...first.confirm, details }, () => randomCode(io.random)),
    );
    if (exit !== undefined) return exit;
  }
  return undefined;
}

/** Sends every edit that is begun before it is stopped, one group of rows after the other; the way back of each is in the journal before this ends. */
export async function performAll(
  io: Io,
  { client, journal }: OpenConnection,
  all: readonly Pending[],
  context: Context,
  isStopped = () => false,
): Promise<readonly Performed[]> {
  const remembered: Promise<void>[] = [];
  const perform = createPerformer({
    client,
    random: io.random,
    remember: (...edit) => remembered.push(journal.remember(...edit)),
  });
  const done: Performed[] = [];
  // Edits of one row follow each other: each begins with what the one before it left.
  const after = new Map<unknown, unknown>();
  for (const pending of all) {
    const rows = pending.rows.map((row) => after.get(row) ?? row);
    const performed = await perform({ ...pending, rows }, context, { rowEnded() {}, isStopped });
    for (const step of performed.undo?.steps ?? [])
      if (step.after !== undefined) after.set(pending.rows[rows.indexOf(step.before)], step.after);
    done.push(performed);
  }
  await Promise.all(remembered);
  return done;
}

async function runJobs({ io, connection, context, verb }: Work, all: readonly Pending[]): Promise<Exit> {
  for (const pending of all) {
    const job = verb.action.job?.(pending.rows[0], pending.values, withContext(context, pending));
    const exit = job ? await followJob(io, connection, job) : exits.failed;
    if (exit !== exits.done) return exit;
  }
  return exits.done;
}
