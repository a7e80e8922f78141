import { screens } from '../../screens/index.ts';
import { findEndpoint } from '../api/all-endpoints.ts';
import { turnedTo } from '../journal/edit-changes.ts';
import { foldUndone, undoGroup } from '../journal/fold-undone.ts';
import { type Entry, isUndoable, reviveCall } from '../journal/journal-entry.ts';
import { present } from '../lib/present-members.ts';
import { plural } from '../lib/text.ts';
import type { Flags } from '../profiles/resolve-settings.ts';
import { didWords } from '../session/state/handover.ts';
import { changedSince } from './changed-since.ts';
import { complain, failed, refuseReadOnly, tell } from './command-messages.ts';
import type { Ports } from './command-ports.ts';
import { askQuestion, productionQuestion } from './edit-question.ts';
import { type Exit, exits, type Io } from './io.ts';
import type { OpenConnection } from './start.ts';

/**
 * `orgdeck undo [entry]`: undoes the last edit, all of its rows, or the one edit whose id begins so. What has changed since
 * is left alone.
 */
export async function undoEdit(ports: Ports, id: string | undefined, flags: Flags): Promise<Exit> {
  const { io } = ports;
  return ports.with(flags, async (connection) => {
    const { journal, settings } = connection;
    const refused = (text: string): Exit => {
      complain(io, text);
      return exits.failed;
    };
    if (settings.readOnly && !settings.dryRun) return refuseReadOnly(io);
    const read = await journal.entries();
    if (!read.ok) return failed(io, read.problem);
    const found = chosen(read.value, id);
    if (typeof found === 'string') return refused(found);
    const [first] = found;
    const what = found.length === 1 ? (first?.target.name ?? '') : plural(found.length, 'row');
    const question = productionQuestion(settings, `Undo ${first?.action} ${what}`, undefined);
    const stopped = await askQuestion(io, settings, question);
    if (stopped !== undefined) return stopped;
    const ended: Exit[] = [];
    for (const entry of found) ended.push(await undoOne(io, connection, entry));
    const failures = ended.filter((exit) => exit !== exits.done);
    if (failures.length === 0) return exits.done;
    return failures.length < ended.length ? exits.partial : (failures[0] ?? exits.failed);
  });
}

/** Letters of an id that name an edit. */
const idLetters = 8;

/** The edits that are meant, the newest first; a sentence where there are none. */
function chosen(entries: readonly Entry[], id: string | undefined): readonly Entry[] | string {
  if (id !== undefined) {
    const matches = entries.filter((entry) => entry.id.startsWith(id));
    if (matches.length !== 1)
      return matches.length === 0
        ? `no edit has the id ${id}: orgdeck journal lists them`
        : `${matches.length} edits begin with ${id}: write more of it`;
    return matches.every(isUndoable)
      ? matches
      : `no undo is recorded for ${matches[0]?.action} ${matches[0]?.target.name}`;
  }
  const { kept: remaining } = foldUndone(entries.toSorted((one, other) => one.at - other.at));
  const before = remaining.findLast(isUndoable);
  if (!before) return 'there is nothing to undo: no edit of this organization has a way back in the journal';
  const last = remaining.findLast(({ outcome }) => outcome?.state === 'applied') ?? before;
  const isOfIt = (entry: Entry) => entry === last || (last.group !== undefined && entry.group === last.group);
  const found = remaining.filter((entry) => isOfIt(entry) && isUndoable(entry)).toReversed();
  if (found.length > 0) return found;
  const earlier = `orgdeck undo ${before.id.slice(0, idLetters)} undoes the one before it (${didWhat(before)})`;
  return `the last edit cannot be undone: ${didWhat(last)}; ${earlier}`;
}

/** `muted web-1`. */
function didWhat(entry: Entry): string {
  const did = didWords({ operation: entry.action, ...present({ isOn: turnedTo(entry) }) }, screens);
  return `${did} ${entry.target.name || entry.target.id}`;
}

async function undoOne(io: Io, connection: OpenConnection, entry: Entry): Promise<Exit> {
  const { client, journal } = connection;
  const { name } = entry.target;
  const calls = entry.undo.map((saved) => reviveCall(saved, findEndpoint));
  const conflict = calls.includes(undefined)
    ? 'undo would need a secret, and the journal keeps none'
    : await changedSince(client, entry);
  if (conflict !== undefined) {
    complain(io, `${name}: not undone, ${conflict}`);
    return exits.failed;
  }
  const shown = { is: false };
  for (const call of calls) {
    if (!call) continue;
    const sent = await client.send(call, {
      purpose: { action: 'undo', target: entry.target, group: undoGroup(entry.id) },
    });
    if (!sent.ok && sent.problem.kind === 'dryRun') shown.is = true;
    else if (!sent.ok) return failed(io, { ...sent.problem, text: `${name}: not undone, ${sent.problem.text}` });
  }
  if (shown.is) {
    complain(io, 'nothing was sent');
    return exits.done;
  }
  await journal.undone(entry.id);
  tell(io, [`Undid: ${entry.action} ${name}`]);
  return exits.done;
}
