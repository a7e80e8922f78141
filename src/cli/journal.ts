import { screens } from '../../screens/index.ts';
import type { Problem, Result } from '../api/problem.ts';
import type { Rows } from '../describe/context.ts';
import { initialQuery, withLabels } from '../describe/screen.ts';
import { editsOf, handoverMarkdown } from '../journal/handover-report.ts';
import { type Entry, isUndoable, undoGroup } from '../journal/journal-entry.ts';
import { paintLines } from '../lib/paint.ts';
import { plural } from '../lib/text.ts';
import { calendarDay, clockTime, offsetName } from '../lib/time.ts';
import { readSince } from '../lib/typed-time.ts';
import { present } from '../lib/values.ts';
import type { Flags } from '../profiles/resolve-settings.ts';
import { listOfAction } from '../session/outside/outside.ts';
import { editWords, handoverFacts, madeBy, restoringOf } from '../session/state/journal-words.ts';
import { type OutcomeWord, type ReceiptValue, tellReceipts } from './actions/receipts.ts';
import type { Ports } from './command-ports.ts';
import { askQuestion, type CommandQuestion, productionQuestion } from './edit-question.ts';
import { factsFor } from './find-rows.ts';
import {
  complain,
  type Exit,
  emptyId,
  endWith,
  exitCode,
  exits,
  failed,
  type Io,
  refuseReadOnly,
  safeJson,
  tell,
  usage,
} from './io.ts';
import { becameOf, handoverOf, sendBack, takeBack } from './journal-access.ts';
import { envelope } from './output/formats.ts';
import { untilSignal } from './output/progress.ts';
import { sessionFile } from './session-files.ts';
import type { OpenConnection } from './start.ts';

/** Flags of `orgdeck journal`. */
export interface JournalFlags extends Flags {
  readonly since: string;
  readonly json?: boolean;
  readonly markdown?: boolean;
}

/** `orgdeck journal [--since 8h] [--json | --markdown]`: the edits to this organization, or the handover report of them. */
export async function printJournal(ports: Ports, { since, json, markdown, ...flags }: JournalFlags): Promise<Exit> {
  const { io } = ports;
  const start = readSince(since, io.clock.now(), io.zone);
  if (!start.ok) return usage(io, `--since: ${start.text}`);
  if (json && markdown) return usage(io, 'give --json or --markdown, not both');
  return ports.with(flags, async (connection) => {
    const read = await connection.journal.entries();
    if (!read.ok) return failed(io, read.problem);
    const entries = read.value.filter(({ at }) => at >= start.at);
    // The end of every command that opens the journal tells them.
    const skipped = connection.journal.skipped();
    const exit = skipped === undefined ? exits.done : exits.partial;
    if (markdown) {
      const { report, missing } = await makeReport(io, connection, read.value, start.at);
      io.out(`${paintLines(report).join('\n')}\n`);
      return exitCode(io, missing) || exit;
    }
    if (json)
      io.out(`${safeJson(envelope(entries.map(entryJson), { partial: skipped === undefined ? null : [skipped] }))}\n`);
    else if (entries.length === 0) complain(io, `no edits of this organization since ${timeText(start.at, io)}`);
    else
      tell(
        io,
        editsOf(entries).map((edit) => editLine(edit, io)),
      );
    return exit;
  });
}

/** An edit as JSON: times in RFC 3339, ids as text. */
const entryJson = (entry: Entry) => ({
  id: entry.id,
  at: new Date(entry.at).toISOString(),
  action: entry.action,
  operation: entry.call.endpoint,
  // The target of a create has no id before the response.
  target: { ...entry.target, id: entry.target.id || (entry.outcome?.made ?? null) },
  outcome: entry.outcome?.state ?? 'open',
  text: becameOf(entry),
  undone: entry.undone,
  undoable: isUndoable(entry),
  actor: entry.actor,
  group: entry.group ?? null,
  redoes: entry.redoes ?? null,
  said: entry.said ?? null,
  ...(entry.consequences ?? { changes: [], facts: {}, leaves: [] }),
});

/**
 * `2f3a9c1d  2026-05-06 22:10 UTC  muted web-1: applied`, with as much of the id as `undo` takes. Of an edit of several
 * requests, newest first, the line is about one that was not applied, else about the last.
 */
function editLine(edit: readonly Entry[], { zone }: Pick<Io, 'zone'>): string {
  const entry = edit.find(({ outcome }) => outcome?.state !== 'applied') ?? edit[0];
  if (!entry) return '';
  const undo = edit.some(isUndoable) ? '' : ' (no undo)';
  return `${shortId(entry)}  ${timeText(entry.at, { zone })}  ${editWords([entry], screens)}: ${becameOf(entry)}${undo}`;
}

/** `2026-05-06 22:10 UTC`. */
const timeText = (at: number, { zone }: Pick<Io, 'zone'>): string =>
  `${calendarDay(at, zone)} ${clockTime(at, zone)} ${offsetName(at, zone)}`;

/** The handover report of the edits since then as Markdown, with what is true of their rows now, and what could not be read, told on stderr. */
async function makeReport(io: Io, connection: OpenConnection, entries: readonly Entry[], since: number) {
  const { client } = connection;
  const { vocabulary } = client;
  const context = factsFor(io, connection);
  const described = withLabels(screens, vocabulary);
  const edited = entries.flatMap(({ at, action }) => (at >= since ? (listOfAction(action, described) ?? []) : []));
  const lists = described.flatMap((screen) => screen.lists).filter((list) => list.openEnds && !list.derived);
  const rows = new Map<string, { readonly rows: readonly unknown[]; readonly isWhole: boolean }>();
  const missing: string[] = [];
  for (const list of new Set([...edited, ...lists])) {
    const read: Result<Rows<unknown>> = await client.run(list.load(initialQuery(list), context).plan(context));
    const lacks = read.ok ? (read.value.missing ?? []) : [read.problem.text];
    missing.push(...lacks.map((text) => `${list.title}: ${text}; the report lacks what was not read`));
    if (read.ok) rows.set(list.id, { rows: read.value.rows, isWhole: lacks.length === 0 });
  }
  for (const text of missing) complain(io, text);
  const saved = await sessionFile(connection).read();
  const note = saved.ok ? saved.value?.note : undefined;
  const facts = handoverFacts({ since }, described, context, (list) => rows.get(list.id), note);
  return { report: handoverMarkdown(handoverOf(entries, facts)), missing };
}

/**
 * `orgdeck undo [entry]`: after a question undoes the last edit, all of its rows, or the one row of the entry whose id begins with
 * `id`. What has changed since is left alone.
 */
export async function undoEdit(
  ports: Ports,
  id: string | undefined,
  flags: Flags & { readonly json?: boolean },
): Promise<Exit> {
  const { io } = ports;
  return ports.with(flags, async (connection) => {
    const { settings } = connection;
    if (settings.readOnly && !settings.dryRun) return refuseReadOnly(io);
    const found = await (id === undefined ? findOffered(io, connection) : findNamed(io, connection, id));
    if (typeof found === 'number') return found;
    const stopped = await askQuestion(io, settings, found.question);
    if (stopped !== undefined) return stopped;
    const isJson = flags.json === true;
    const requests = isJson && settings.dryRun ? ports.keepPreviews() : undefined;
    return untilSignal(io, async (stop) => {
      const receipts: ReceiptValue[] = [];
      for (const entry of found.edit) if (!stop.aborted) receipts.push(await undoOne(io, connection, entry));
      const left = found.edit.length - receipts.length;
      if (left > 0) complain(io, `${plural(left, 'row')} left as before`);
      return tellReceipts(io, receipts, { isJson, connection, requests });
    });
  });
}

/** The part of an id that is shown: it tells apart all edits of a journal. */
const shortId = ({ id }: Pick<Entry, 'id'>): string => id.slice(0, 8);

/** The rows to undo, the newest first, and what is asked before. */
interface Found {
  readonly edit: readonly Entry[];
  readonly question: CommandQuestion | undefined;
}

const refused = (io: Io, text: string): Exit => endWith(io, exits.failed, text);

/** How the question before an undo begins. */
const undoIn = ({ production, name }: OpenConnection['settings']): string =>
  production ? `Undo in production (${name})` : 'Undo';

/** The edit whose id begins with `id`; an exit code where there is none, or where it has no undo. */
async function findNamed(io: Io, { journal, settings }: OpenConnection, id: string): Promise<Found | Exit> {
  if (id.trim() === '') return usage(io, emptyId);
  const read = await journal.entries();
  if (!read.ok) return failed(io, read.problem);
  const [named, ...others] = read.value.filter((entry) => entry.id.startsWith(id));
  if (!named) return refused(io, `no edit with ID ${id}: orgdeck journal lists them`);
  // Of an edit of several requests, only one has the undo.
  const isOfNamed = ({ group, target }: Entry) =>
    group !== undefined && group === named.group && target.id === named.target.id;
  const entry = isUndoable(named) ? named : (read.value.find((one) => isOfNamed(one) && isUndoable(one)) ?? named);
  if (others.length > 0) return refused(io, `${others.length + 1} edits begin with ${id}: type more of the ID`);
  if (entry.undone) return { edit: [entry], question: undefined };
  const edited = editWords([entry], screens);
  if (['unknown', undefined].includes(entry.outcome?.state)) return refused(io, uncheckedText(edited));
  if (!isUndoable(entry)) return refused(io, `it has no undo: ${edited} (${becameOf(entry)})`);
  const details = restoringOf([entry], screens);
  const production = productionQuestion(settings, `Undo ${edited}`);
  return { edit: [entry], question: details ? { question: `${undoIn(settings)}: ${edited}?`, details } : production };
}

const uncheckedText = (edit: string): string =>
  `the outcome of an edit is unknown: ${edit}; nothing is undone before the dashboard has checked it`;

/** The edit that is undone next; an exit code where there is none, or where the person has to name another. */
async function findOffered(io: Io, { journal, settings }: OpenConnection): Promise<Found | Exit> {
  const read = await journal.undoOffer();
  if (!read.ok) return failed(io, read.problem);
  const offer = read.value;
  const words = (edit: readonly Entry[]) => editWords(edit, screens);
  switch (offer.kind) {
    case 'undo': {
      const { edit, passed } = offer;
      const [last] = passed;
      if (last) {
        const earlier = `orgdeck undo ${edit[0] && shortId(edit[0])} undoes the one before it (${words(edit)})`;
        return refused(io, `the last edit cannot be undone: ${withReason(last)}; ${earlier}`);
      }
      const question = `${undoIn(settings)} what ${madeBy(edit, screens, io.zone)}: ${words(edit)}?`;
      return { edit, question: { question, ...present({ details: restoringOf(edit, screens) }) } };
    }
    case 'noWayBack':
      return refused(io, `the last edit cannot be undone: ${withReason(offer.passed[0] ?? [])}`);
    case 'check':
      return refused(io, uncheckedText(words([offer.entry])));
    default:
      return refused(
        io,
        'nothing to undo in the last 24 hours; orgdeck undo ENTRY undoes an older edit, or one of a running dashboard',
      );
  }
}

/** What an edit did, and why its undo was refused. */
function withReason(edit: readonly Entry[]): string {
  const why = edit.find(({ notUndone }) => notUndone !== undefined)?.notUndone;
  return `${editWords(edit, screens)}${why === undefined ? '' : ` (${why})`}`;
}

/** Undoes one edit; the receipt says what became of it. */
async function undoOne(io: Io, connection: OpenConnection, entry: Entry): Promise<ReceiptValue> {
  const { target } = entry;
  const undoRequests = async () => {
    const read = await connection.journal.entries();
    return read.ok ? read.value.filter(({ group }) => group === undoGroup(entry.id)) : [];
  };
  // A dry run marks nothing in the journal.
  const undo = connection.settings.dryRun ? sendBack : takeBack;
  // Those of an undo that was begun earlier and stopped.
  const earlier = new Set((await undoRequests()).map(({ id }) => id));
  const problem = entry.undone ? undoneBefore : await undo(connection, entry);
  const sent = (await undoRequests()).find(({ id }) => !earlier.has(id));
  const restoring = restoringOf([entry], screens);
  return {
    ...{ entry: sent?.id ?? null, group: sent?.group ?? null, at: io.clock.now(), action: 'undo', undoes: entry.id },
    target: { kind: listOfAction(entry.action, screens)?.id ?? '', id: target.id || null, name: target.name },
    outcome: outcomeOf(problem, sent !== undefined),
    ...{ changes: [], facts: {}, leaves: problem?.leaves ?? [] },
    undo: { kind: 'none', why: 'an undo cannot be undone: repeat the edit' },
    text: `${problem?.isSo ? 'Already undone' : restoring ? 'Created again' : 'Undone'}: ${restoring ? target.name : editWords([entry], screens)}`,
    isWarning: false,
    problem:
      problem === undefined || problem.isSo ? null : { ...problem, text: problemText(problem, sent !== undefined) },
  };
}

/** The problem of an edit that was undone before. */
const undoneBefore: Problem = { kind: 'conflict', text: 'undone before', messages: [], isSo: true };

function outcomeOf(problem: Problem | undefined, isSent: boolean): OutcomeWord {
  if (problem === undefined) return 'done';
  if (problem.isSo) return 'already';
  if (problem.kind === 'dryRun') return 'planned';
  if (problem.leaves && isSent) return 'partly';
  return problem.kind === 'unknown' ? 'unknown' : 'failed';
}

function problemText({ leaves, text }: Problem, isSent: boolean): string {
  return leaves && isSent ? `${text}; orgdeck undo resumes where it can` : `not undone, ${text}`;
}
