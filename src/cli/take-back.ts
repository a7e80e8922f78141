import { screens } from '../../screens/index.ts';
import { findEndpoint } from '../api/all-endpoints.ts';
import { type Problem, problemResult } from '../api/problem.ts';
import type { Client } from '../client/client.ts';
import { undoGroup } from '../journal/fold-undone.ts';
import type { Journal } from '../journal/journal.ts';
import { type Entry, reviveCall, type SavedCall } from '../journal/journal-entry.ts';
import { isSameJson } from '../lib/merge.ts';
import { actionOf } from '../session/state/handover.ts';
import { changedSince } from './changed-since.ts';

/** Undoes one edit as the journal has it, unless it has changed since, and marks it there. Undefined: it is undone. */
export async function takeBack(
  { client, journal }: { readonly client: Pick<Client, 'send'>; readonly journal: Journal },
  entry: Entry,
): Promise<Problem | undefined> {
  const problem = await sendBack({ client, journal }, entry);
  await markUndo(journal, entry.id, problem);
  return problem;
}

/** Marks an edit as undone; or why it will not be, where that is certain. After any other problem it keeps its place. */
export async function markUndo(journal: Journal, entry: string, problem: Problem | undefined): Promise<void> {
  if (problem === undefined) await journal.undone(entry);
  else if (isRefusal(problem)) await journal.notUndone(entry, problem.text);
}

/** Whether a problem says for certain that an edit will not be undone. After any other, the edit keeps its place. */
export const isRefusal = ({ kind, status }: Problem): boolean =>
  refusals.has(kind) && status !== keysRefused && status !== timeout;

const refusals: ReadonlySet<Problem['kind']> = new Set(['notFound', 'forbidden', 'invalid', 'conflict']);
const keysRefused = 401;
const timeout = 408;

/**
 * Sends the requests of an undo, up to the first that fails. Of one that has begun, what was applied is not sent again, and
 * a request that is refused for certain does not stop those behind it.
 */
async function sendBack(
  { client, journal }: { readonly client: Pick<Client, 'send'>; readonly journal: Pick<Journal, 'entries'> },
  entry: Entry,
): Promise<Problem | undefined> {
  const isSeveral = entry.undo.length > 1;
  const applied = isSeveral ? await appliedRequests(journal, entry.id) : [];
  let isBegun = applied.length > 0;
  const changed = isBegun ? undefined : await changedSince(client, entry);
  if (changed) return changed;
  const purpose = { action: 'undo', target: entry.target, group: undoGroup(entry.id) };
  let shown: Problem | undefined;
  for (const [at, first] of entry.undo.entries()) {
    // What the first request has created has another id than what was deleted.
    const saved = at > 0 ? ((await entryNow(journal, entry.id))?.undo[at] ?? first) : first;
    if (applied.some((one) => isSameJson(one, saved))) continue;
    const call = reviveCall(saved, findEndpoint);
    if (!call) return problemResult('conflict', 'undo would need a secret, and the journal keeps none').problem;
    const sent = await client.send(call, { purpose });
    if (sent.ok) {
      isBegun = true;
      continue;
    }
    const { problem } = sent;
    shown ??= isBegun && problem.kind !== 'dryRun' ? partly(problem, entry, saved) : problem;
    if (problem.kind !== 'dryRun' && !(isBegun && isRefusal(problem))) return shown;
  }
  return shown;
}

async function entryNow(journal: Pick<Journal, 'entries'>, id: string): Promise<Entry | undefined> {
  const read = await journal.entries();
  return read.ok ? read.value.find((one) => one.id === id) : undefined;
}

/** The requests of an undo that were applied before. */
async function appliedRequests(journal: Pick<Journal, 'entries'>, id: string): Promise<readonly SavedCall[]> {
  const read = await journal.entries();
  const isApplied = ({ action, group, outcome }: Entry) =>
    action === 'undo' && group === undoGroup(id) && outcome?.state === 'applied';
  return read.ok ? read.value.filter(isApplied).map(({ call }) => call) : [];
}

/** What is true where what was deleted is there again, and not all that it had. */
function partly(problem: Problem, { action }: Entry, { endpoint }: SavedCall): Problem {
  const until = actionOf(action, screens)?.restore?.until;
  const open = until?.operation === endpoint ? `, ${until.says}` : '';
  return { ...problem, text: `created again in part${open}: ${problem.text}`, leaves: [`some of what it had${open}`] };
}
