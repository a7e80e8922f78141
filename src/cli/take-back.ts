import { findEndpoint } from '../api/all-endpoints.ts';
import { type Problem, problemResult } from '../api/problem.ts';
import type { Client } from '../client/client.ts';
import { undoGroup } from '../journal/fold-undone.ts';
import type { Journal } from '../journal/journal.ts';
import { type Entry, reviveCall } from '../journal/journal-entry.ts';
import { changedSince } from './changed-since.ts';

/** Undoes one edit as the journal has it, unless it has changed since, and marks it there. Undefined: it is undone. */
export async function takeBack(
  { client, journal }: { readonly client: Pick<Client, 'send'>; readonly journal: Journal },
  entry: Entry,
): Promise<Problem | undefined> {
  const problem = await sendBack(client, entry);
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

async function sendBack(client: Pick<Client, 'send'>, entry: Entry): Promise<Problem | undefined> {
  const calls = entry.undo.flatMap((saved) => reviveCall(saved, findEndpoint) ?? []);
  if (calls.length < entry.undo.length)
    return problemResult('conflict', 'undo would need a secret, and the journal keeps none').problem;
  const changed = await changedSince(client, entry);
  if (changed) return changed;
  const purpose = { action: 'undo', target: entry.target, group: undoGroup(entry.id) };
  let shown: Problem | undefined;
  for (const call of calls) {
    const sent = await client.send(call, { purpose });
    if (sent.ok) continue;
    shown = sent.problem;
    if (shown.kind !== 'dryRun') return shown;
  }
  return shown;
}
