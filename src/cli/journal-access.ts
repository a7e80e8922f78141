import { screens } from '../../screens/index.ts';
import { endpoints, findEndpoint } from '../api/all-endpoints.ts';
import { type Call, findReadBack, rawCall } from '../api/endpoint.ts';
import { type Problem, problemResult, type Result } from '../api/problem.ts';
import { checkEdit, compareWithRead, holdsSomething, sentFields } from '../client/check-edit.ts';
import type { Client } from '../client/client.ts';
import { failureText } from '../describe/receipt.ts';
import { operationsLeft } from '../describe/standard-actions.ts';
import { type Handover, type HandoverFacts, handoverReport, outcomeText } from '../journal/handover-report.ts';
import type { Journal } from '../journal/journal.ts';
import {
  type Entry,
  foldUndone,
  isUndoable,
  reviveCall,
  type SavedCall,
  turnedTo,
  undoGroup,
} from '../journal/journal-entry.ts';
import { plural } from '../lib/text.ts';
import { isSameJson, present } from '../lib/values.ts';
import { actionOf, type JournalEntry, listOfAction, type Outside, uncheckable } from '../session/outside/outside.ts';
import { isRemovalForRow, type Sending } from '../session/send/pending-edit.ts';

/** Why a fresh read speaks against the undo of an edit; undefined where it shows the edit, or shows nothing for certain. */
async function changedSince(client: Pick<Client, 'send'>, entry: Entry): Promise<Problem | undefined> {
  const call = reviveCall(entry.call, findEndpoint);
  if (call?.endpoint.repeat === 'delete') return thereAgain(client, call, entry);
  const [first] = entry.undo.map((saved) => reviveCall(saved, findEndpoint));
  if (first && isRemovalForRow(first, entry.target.id)) return goneSince(client, first);
  const look = call && findReadBack(call, findEndpoint);
  if (!look) return undefined;
  const seen = await client.send(look);
  if (!seen.ok && seen.problem.kind === 'notFound') return undefined;
  if (!seen.ok) return unread(seen.problem);
  const found = compareWithRead(call, seen.value, entry.before);
  // Of an order there is no row before: it is as the edit has left it, or it has changed.
  const fields = sentFields(call.body, seen.value);
  const isTold = fields.length > 0 && fields.every(({ seen: now }) => now !== undefined);
  // What shows both, and neither: a mute has another end.
  const { isApplied, isUnchanged } = call.endpoint;
  const isNeither = isApplied !== undefined && isUnchanged !== undefined && holdsSomething(seen.value);
  switch (found === 'unclear' && (isNeither || (entry.before === undefined && isTold)) ? 'other' : found) {
    case 'other':
      return changed(entry);
    case 'before':
      return {
        ...conflict(entry.hasNewIds ? 'it was deleted with the object' : 'it is already as it was before the edit'),
        isSo: true,
      };
    default:
      return undefined;
  }
}

/** Why an edit is not undone that others have changed since: theirs stands. */
function changed({ action, target }: Entry): Problem {
  const kind = listOfAction(action, screens)?.id ?? '';
  const say = 'someone has changed it since';
  return { ...conflict(say), leaves: [{ kind, id: target.id || null, say }] };
}

/**
 * Why what was made is not removed: it is gone, and another one may be in its place. A downtime that was ended is taken for ended
 * now: its service answers with success once more.
 */
async function goneSince(client: Pick<Client, 'send'>, removal: Call): Promise<Problem | undefined> {
  const check = checkEdit(removal, endpoints);
  const seen = check && (await client.send(check.look));
  return seen && check.find(seen, undefined) === 'ours' ? conflict('what it made is gone') : undefined;
}

/** Why what was deleted is not created again: there is one with its id. */
async function thereAgain(client: Pick<Client, 'send'>, call: Call, { before }: Entry): Promise<Problem | undefined> {
  const check = checkEdit(call, endpoints);
  if (!check) return undefined;
  const seen = await client.send(check.look);
  const found = check.find(seen, before);
  if (found === 'before') return conflict('it is there again');
  if (seen.ok || found !== undefined) return undefined;
  // A deployment, or keys, without that read show nothing, today as on the day of the edit.
  return ['notOffered', 'forbidden'].includes(seen.problem.kind) ? undefined : unread(seen.problem);
}

const conflict = (why: string): Problem => problemResult('conflict', `${why}: nothing was sent`).problem;

const unread = (problem: Problem): Problem => ({ ...problem, text: `it could not be read: ${problem.text}` });

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
async function markUndo(journal: Journal, entry: string, problem: Problem | undefined): Promise<void> {
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
export async function sendBack(
  sender: Sender,
  entry: Entry,
  began?: Sending['requestsBegan'],
): Promise<Problem | undefined> {
  // It may have been listed before the last of them was left out.
  if (entry.undo.length === 0) return conflict(entry.notUndone ?? 'it has no undo');
  const applied = await appliedRequests(sender.journal, entry.id);
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
  // What the first request has created has another id than what was deleted. Of mutes that have ended, requests are left out.
  const read = step > 0 ? await entryNow(journal, entry.id) : undefined;
  const now = read?.undo.length === entry.undo.length ? read : entry;
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

/** What is true while these requests of an undo were not applied, and others were. */
function openUntil({ action }: Entry, left: readonly string[]): string {
  const until = actionOf(action, screens)?.restore?.until;
  return until?.operations.some((one) => left.includes(one)) ? `, ${until.says}` : '';
}

/** Whether some requests of its undo were applied, and others were not. */
const isPartlyUndone = ({ begun, undone }: Entry): boolean => begun !== undefined && !undone;

/** What became of an edit, in a few words. */
export const becameOf = (entry: Entry): string => (isPartlyUndone(entry) ? 'undone in part' : outcomeText(entry));

/** The handover of the edits, the newest first; what was undone only in part in the shift is among what is open. */
export function handoverOf(entries: readonly Entry[], facts: HandoverFacts): Handover {
  const begun = new Set(entries.flatMap(({ at, group }) => (at >= facts.since && group !== undefined ? group : [])));
  const named = entries
    .filter((entry) => isPartlyUndone(entry) && begun.has(undoGroup(entry.id)))
    .map((entry) => {
      const { action, target, begun: done = [], undo } = entry;
      const operations = undo.map(({ endpoint }) => endpoint);
      const open = openUntil(entry, operationsLeft(operations, done));
      return {
        ...{ name: target.name, row: target.id, list: listOfAction(action, screens)?.id ?? '' },
        rest: `(${done.length} of ${plural(undo.length, 'request')}${open})`,
      };
    });
  const [first] = named;
  const ends = first ? [{ title: 'Undone in part', count: named.length, list: first.list, named }] : [];
  return handoverReport(entries.toReversed(), { ...facts, openEnds: [...ends, ...facts.openEnds] });
}

/** What is true where what was deleted is there again, and not all that it had. */
function partly(problem: Problem, entry: Entry, request: SavedCall | undefined): Problem {
  const { action, target } = entry;
  const open = openUntil(entry, request ? [request.endpoint] : []);
  return {
    ...problem,
    text: `created again in part${open}: ${problem.text}`,
    leaves: [
      { kind: listOfAction(action, screens)?.id ?? '', id: target.id || null, say: `part of what it had${open}` },
    ],
  };
}

/** How many edits the timeline lists; the handover has all of its shift. */
const mostListed = 200;

type Ways = Pick<Outside, 'journal' | 'unsettled' | 'entry' | 'undoOffer' | 'takeBack' | 'undoEnded'>;

/** The journal of an organization, and what this run has found out about its entries. */
interface JournalState {
  readonly journal: Journal;
  readonly client: Client;
  /** Edits that a check showed as not applied: listed until they are repeated or forgotten. */
  readonly notApplied: Set<string>;
  /** Entries about which something is being sent. */
  readonly underWay: Set<string>;
}

/** The journal as the session sees it: lines to show, and what can be done about an edit whose outcome is unknown. */
export function createJournalAccess({ journal, client }: Pick<JournalState, 'journal' | 'client'>): Ways {
  const state: JournalState = { journal, client, notApplied: new Set(), underWay: new Set() };
  return {
    async journal(facts) {
      const entries = await journal.entries(facts ? 'whole' : 'recent');
      if (!entries.ok) return { entries: [], trouble: entries.problem.text };
      const listed = entries.value.slice(0, mostListed);
      const folded = foldUndone(listed.toReversed());
      return {
        entries: listed.map((entry) => journalLine(entry, folded)),
        ...(facts ? { report: handoverOf(entries.value, facts) } : {}),
      };
    },
    unsettled: () => unsettledEntries(state),
    async entry(id, wish, name) {
      if (state.underWay.has(id)) return `Still being sent: ${name}`;
      state.underWay.add(id);
      try {
        const entries = await journal.entries();
        if (!entries.ok) return entries.problem.text;
        const entry = entries.value.find((one) => one.id === id);
        return entry ? await acts[wish](entry, state, name) : 'that edit is no longer in the journal';
      } finally {
        state.underWay.delete(id);
      }
    },
    undoOffer: journal.undoOffer,
    takeBack: (entry, began) => takeBack(state, entry, began),
    undoEnded: (entry, problem) => markUndo(journal, entry, problem),
  };
}

const journalLine = (entry: Entry, folded?: ReturnType<typeof foldUndone>): JournalEntry => ({
  ...present({ isPartlyUndone: isPartlyUndone(entry) || undefined }),
  id: entry.id,
  at: entry.at,
  operation: entry.action,
  target: entry.target.name || entry.target.id,
  targetId: entry.target.id,
  outcome: entry.outcome?.state ?? (entry.isSending ? 'sending' : entry.isOpen ? 'open' : 'unknown'),
  text: becameOf(folded?.undone.includes(entry) ? { ...entry, undone: true } : entry),
  ...present({ isOn: turnedTo(entry), undid: undidOf(folded?.undid(entry)), said: entry.said }),
  undoable: isUndoable(entry),
  ...present({ isDismissed: entry.forgotten || undefined }),
  repeatable: entry.outcome?.state === 'refused' && entry.settled?.by === 'check' && !entry.forgotten,
  checkable: checkFor(entry) !== undefined,
});

const undidOf = (edit: Entry | undefined) => edit && { operation: edit.action, ...present({ isOn: turnedTo(edit) }) };

async function unsettledEntries({ journal, notApplied }: JournalState): ReturnType<Outside['unsettled']> {
  const open = await journal.openEdits();
  if (!open.ok) return { entries: [], trouble: open.problem.text };
  const checked = notApplied.size > 0 ? await journal.entries() : undefined;
  const rest = checked?.ok ? checked.value.filter((entry) => notApplied.has(entry.id) && !entry.forgotten) : [];
  const all = [...open.value, ...rest].sort((one, other) => one.at - other.at);
  return { entries: all.map((entry) => journalLine(entry)), ...present({ skipped: journal.skipped() }) };
}

/** How it can be checked. What the journal withheld is not compared; a path that holds a secret cannot be asked for. */
function checkFor({ call: { endpoint: id, params, query, body, withheld } }: Entry) {
  const endpoint = findEndpoint(id);
  const isHidden = withheld !== undefined && endpoint?.secrets?.some((place) => place.startsWith('{'));
  return endpoint === undefined || isHidden ? undefined : checkEdit(rawCall(endpoint, params, query, body), endpoints);
}

type Act = (entry: Entry, state: JournalState, name: string) => Promise<string>;

/** What can be done about an entry; each answers with the outcome as a sentence. */
const acts: Readonly<Record<Parameters<Outside['entry']>[1], Act>> = {
  check,
  repeat,
  undo,
  async forget(entry, { journal }) {
    await journal.forget(entry.id);
    return `Dismissed ${entry.target.name}`;
  },
};

/** What a check has seen, behind the name of the row. */
const sights = {
  ours: 'it was applied',
  before: 'it was not applied. x: retry or dismiss it',
  missing: 'it is no longer there. x: dismiss it',
  other: 'it has neither the new nor the old values. Check it, then x: dismiss it',
  unclear: 'the response does not show the result. Check it, then x: dismiss it',
} as const;

const alikeText = (alike: number): string =>
  alike === 0
    ? 'none like it is listed. x: retry or dismiss it'
    : `${alike} like it ${alike === 1 ? 'is' : 'are'} there now. x: dismiss it, or retry to make another`;

async function check(entry: Entry, { journal, client, notApplied }: JournalState): Promise<string> {
  const checks = checkFor(entry);
  if (!checks) return uncheckable;
  const seen = await client.send(checks.look);
  const found = checks.find(seen, entry.before);
  if (found === undefined) return seen.ok ? '' : failureText('re-check', seen.problem);
  if (found === 'ours') await journal.settle(entry.id, { state: 'applied', attempts: 1 });
  if (found === 'before') {
    await journal.settle(entry.id, { state: 'refused', attempts: entry.outcome?.attempts ?? 1 });
    notApplied.add(entry.id);
  }
  return `${entry.target.name}: ${typeof found === 'object' ? alikeText(found.alike) : sights[found]}`;
}

async function repeat(entry: Entry, { journal, client }: JournalState): Promise<string> {
  if (entry.forgotten) return `${entry.target.name}: it was sent again or dismissed already. Nothing was sent`;
  const call = reviveCall(entry.call, findEndpoint);
  if (!call) return 'Retry failed: it held a secret, and the journal keeps none. Repeat it from its screen';
  const sent = await client.send(call, {
    purpose: { action: entry.action, target: entry.target, before: entry.before },
  });
  if (!sent.ok) return failureText('retry', sent.problem);
  await journal.forget(entry.id);
  return `${entry.target.name}: sent again`;
}

async function undo(entry: Entry, { journal, client }: JournalState, name: string): Promise<string> {
  // Another dashboard may have undone it since the list was read.
  if (entry.undone) return `Nothing was sent, this was undone already: ${name}`;
  const problem = await takeBack({ journal, client }, entry);
  if (!problem) return `Undone: ${name}`;
  return problem.kind === 'conflict' ? `Not undone, ${problem.text}: ${name}` : failureText('undo', problem);
}
