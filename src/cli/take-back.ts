import { screens } from '../../screens/index.ts';
import { findEndpoint } from '../api/all-endpoints.ts';
import type { Call } from '../api/endpoint.ts';
import { type Problem, problemResult, type Result } from '../api/problem.ts';
import type { Client } from '../client/client.ts';
import { undoGroup } from '../journal/fold-undone.ts';
import type { Journal } from '../journal/journal.ts';
import { type Entry, reviveCall, type SavedCall } from '../journal/journal-entry.ts';
import { isSameJson, present } from '../lib/values.ts';
import { actionOf, listOfAction } from '../session/outside/outside.ts';
import type { Sending } from '../session/send/pending-edit.ts';
import { changedSince } from './changed-since.ts';

/** Undoes one edit as the journal has it, unless it has changed since, and marks it there. Undefined: it is undone. */
export async function takeBack(
  { client, journal }: Sender & { readonly journal: Journal },
  entry: Entry,
  began?: Sending['requestsBegan'],
): Promise<Problem | undefined> {
  const problem = await sendBack({ client, journal }, entry, began);
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

/** What an undo is sent with. */
interface Sender {
  readonly client: Pick<Client, 'send' | 'run'>;
  readonly journal: Pick<Journal, 'entries'>;
}

/**
 * Sends the requests of an undo, up to the first that fails. Of one that has begun, what was applied is not sent again, and
 * a request that is refused for certain does not stop those behind it.
 */
async function sendBack(sender: Sender, entry: Entry, began: Sending['requestsBegan']): Promise<Problem | undefined> {
  const isSeveral = entry.undo.length > 1;
  const applied = isSeveral ? await appliedRequests(sender.journal, entry.id) : [];
  let isBegun = applied.length > 0;
  const changed = isBegun ? undefined : await changedSince(sender.client, entry);
  if (changed) return changed;
  let shown: Problem | undefined;
  for (const step of entry.undo.keys()) {
    if (step > 0)
      began?.(entry.undo.slice(0, step + 1).map(({ endpoint }) => findEndpoint(endpoint)?.title ?? endpoint));
    const problem = await sendRequest(sender, entry, step, applied);
    isBegun ||= problem === undefined;
    if (problem === undefined) continue;
    const isPlanned = problem.kind === 'dryRun';
    const told = isBegun && !isPlanned ? partly(problem, entry, entry.undo[step]) : problem;
    // What stops it decides whether it keeps its place.
    if (!isPlanned && !(isBegun && isRefusal(problem))) return shown ? stoppedBy(shown, problem) : told;
    shown ??= told;
  }
  return shown;
}

/** Sends one request of an undo, unless it was applied before. */
async function sendRequest(
  { client, journal }: Sender,
  entry: Entry,
  step: number,
  applied: readonly SavedCall[],
): Promise<Problem | undefined> {
  // What the first request has created has another id than what was deleted.
  const now = step > 0 ? ((await entryNow(journal, entry.id)) ?? entry) : entry;
  const saved = now.undo[step];
  if (!saved || applied.some((one) => isSameJson(one, saved))) return undefined;
  const place = await placed(client, entry.action, saved, now.target.id);
  if (place?.ok === false) return { ...place.problem, text: `its place could not be read: ${place.problem.text}` };
  const call = place?.value ?? reviveCall(saved, findEndpoint);
  if (!call) return problemResult('conflict', 'undo would need a secret, and the journal keeps none').problem;
  const sent = await client.send(call, {
    purpose: { action: 'undo', target: entry.target, group: undoGroup(entry.id) },
  });
  return sent.ok ? undefined : sent.problem;
}

/** The request that puts a thing in its place again: behind what stood before it, in the order as it is now. */
async function placed(
  client: Pick<Client, 'run'>,
  action: string,
  { endpoint, body }: SavedCall,
  id: string,
): Promise<Result<Call> | undefined> {
  const place = actionOf(action, screens)?.restore?.place;
  if (place?.operation !== endpoint) return undefined;
  const read = await client.run(place.now());
  if (!read.ok) return read;
  const others = read.value.filter((one) => one !== id);
  const before = new Set(place.ids(body).slice(0, Math.max(0, place.ids(body).indexOf(id))));
  const at = others.findLastIndex((one) => before.has(one)) + 1;
  return { ...read, value: place.order(others.toSpliced(at, 0, id)) };
}

/** The problem of an undo that was refused in part and then stopped by another. */
const stoppedBy = ({ text, leaves }: Problem, problem: Problem): Problem => ({
  ...problem,
  text: `${text}; ${problem.text}`,
  ...present({ leaves }),
});

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
function partly(problem: Problem, { action, target }: Entry, request: SavedCall | undefined): Problem {
  const until = actionOf(action, screens)?.restore?.until;
  const open = request && until?.operations.includes(request.endpoint) ? `, ${until.says}` : '';
  return {
    ...problem,
    text: `created again in part${open}: ${problem.text}`,
    leaves: [
      { kind: listOfAction(action, screens)?.id ?? '', id: target.id || null, say: `part of what it had${open}` },
    ],
  };
}
