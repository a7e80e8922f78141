import { screens } from '../../screens/index.ts';
import type { Problem } from '../api/problem.ts';
import { undoGroup } from '../journal/fold-undone.ts';
import { type Entry, isUndoable } from '../journal/journal-entry.ts';
import { present } from '../lib/values.ts';
import type { Flags } from '../profiles/resolve-settings.ts';
import { listOfAction } from '../session/outside/outside.ts';
import { editWords, madeBy, restoringOf } from '../session/state/journal-words.ts';
import type { OutcomeWord, ReceiptValue } from './actions/receipt-value.ts';
import { tellReceipts } from './actions/receipts.ts';
import { complain, emptyId, failed, refuseReadOnly, usage } from './command-messages.ts';
import type { Ports } from './command-ports.ts';
import { askQuestion, type CommandQuestion, productionQuestion } from './edit-question.ts';
import { type Exit, exits, type Io } from './io.ts';
import type { OpenConnection } from './start.ts';
import { takeBack } from './take-back.ts';

/**
 * `orgdeck undo [entry]`: undoes the edit that is next, all of its rows, after a question; or the one edit whose id begins
 * so. What has changed since is left alone.
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
    const found = await (id === undefined ? offered(io, connection) : named(io, connection, id));
    if (typeof found === 'number') return found;
    const stopped = await askQuestion(io, settings, found.question);
    if (stopped !== undefined) return stopped;
    const isJson = flags.json === true;
    const requests = isJson && settings.dryRun ? ports.keepPreviews() : undefined;
    const receipts: ReceiptValue[] = [];
    for (const entry of found.edit) receipts.push(await undoOne(io, connection, entry));
    return tellReceipts(io, receipts, { isJson, connection, requests });
  });
}

/** Letters of an id that name an edit. */
const idLetters = 8;

/** The rows to undo, the newest first, and what is asked before. */
interface Found {
  readonly edit: readonly Entry[];
  readonly question: CommandQuestion | undefined;
}

function refused(io: Io, text: string): Exit {
  complain(io, text);
  return exits.failed;
}

/** The edit whose id begins so; an exit code where there is none, or where it has no way back. */
async function named(io: Io, { journal, settings }: OpenConnection, id: string): Promise<Found | Exit> {
  if (id.trim() === '') return usage(io, emptyId);
  const read = await journal.entries();
  if (!read.ok) return failed(io, read.problem);
  const [named, ...others] = read.value.filter((one) => one.id.startsWith(id));
  // Of an edit of several requests, one has the way back.
  const isOfNamed = ({ group, target }: Entry) =>
    group !== undefined && group === named?.group && target.id === named.target.id;
  const entry =
    named && !isUndoable(named) ? (read.value.find((one) => isOfNamed(one) && isUndoable(one)) ?? named) : named;
  if (!entry) return refused(io, `no edit with ID ${id}: orgdeck journal lists them`);
  if (others.length > 0) return refused(io, `${others.length + 1} edits begin with ${id}: type more of the ID`);
  if (entry.undone) return { edit: [entry], question: undefined };
  if (!isUndoable(entry)) return refused(io, `it has no undo: ${editWords([entry], screens)}`);
  const details = restoringOf([entry], screens);
  const where = settings.production ? ` in production (${settings.name})` : '';
  const production = productionQuestion(settings, `Undo ${editWords([entry], screens)}`, undefined);
  return {
    edit: [entry],
    question: details ? { question: `Undo${where}: ${editWords([entry], screens)}?`, details } : production,
  };
}

/** The edit that is next; an exit code where there is none, or where another one has to be named. */
async function offered(io: Io, { journal, settings }: OpenConnection): Promise<Found | Exit> {
  const read = await journal.undoOffer();
  if (!read.ok) return failed(io, read.problem);
  const offer = read.value;
  const words = (edit: readonly Entry[]) => editWords(edit, screens);
  switch (offer.kind) {
    case 'undo': {
      const { edit, passed } = offer;
      const [last] = passed;
      if (last) {
        const earlier = `orgdeck undo ${edit[0]?.id.slice(0, idLetters)} undoes the one before it (${words(edit)})`;
        return refused(io, `the last edit cannot be undone: ${withReason(last)}; ${earlier}`);
      }
      const where = settings.production ? ` in production (${settings.name})` : '';
      const question = `Undo${where} what ${madeBy(edit, screens, io.zone)}: ${words(edit)}?`;
      return { edit, question: { question, ...present({ details: restoringOf(edit, screens) }) } };
    }
    case 'noWayBack':
      return refused(io, `the last edit cannot be undone: ${withReason(offer.passed[0] ?? [])}`);
    case 'check':
      return refused(
        io,
        `the outcome of an edit is unknown: ${words([offer.entry])}; nothing is undone before the dashboard has checked it`,
      );
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
  const requests = async () => {
    const read = await connection.journal.entries();
    return read.ok ? read.value.filter(({ group }) => group === undoGroup(entry.id)) : [];
  };
  // An earlier undo of it may have begun.
  const earlier = new Set((await requests()).map(({ id }) => id));
  const problem = entry.undone ? undoneBefore : await takeBack(connection, entry);
  const sent = (await requests()).find(({ id }) => !earlier.has(id));
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

/** Of an edit that was undone before. */
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
