import { endpoints, findEndpoint } from '../api/all-endpoints.ts';
import { rawCall } from '../api/endpoint.ts';
import { checkEdit } from '../client/check-edit.ts';
import type { Client } from '../client/client.ts';
import { failureText } from '../describe/receipt.ts';
import { turnedTo } from '../journal/edit-changes.ts';
import { foldUndone } from '../journal/fold-undone.ts';
import { handoverReport, outcomeText } from '../journal/handover-report.ts';
import type { Journal } from '../journal/journal.ts';
import { type Entry, isUndoable, reviveCall } from '../journal/journal-entry.ts';
import { present } from '../lib/values.ts';
import { type JournalEntry, type Outside, uncheckable } from '../session/outside/outside.ts';
import { markUndo, takeBack } from './take-back.ts';

const shown = 200;

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
      const reach = facts ? 'whole' : 'recent';
      const entries = await journal.entries({ limit: shown, reach });
      if (!entries.ok) return { entries: [], trouble: entries.problem.text };
      const folded = foldUndone(entries.value.toReversed());
      return {
        entries: entries.value.map((entry) => journalLine(entry, folded)),
        ...(facts ? { report: handoverReport(entries.value, facts) } : {}),
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
  id: entry.id,
  at: entry.at,
  operation: entry.action,
  target: entry.target.name || entry.target.id,
  targetId: entry.target.id,
  outcome: entry.outcome?.state ?? (entry.isSending ? 'sending' : entry.isOpen ? 'open' : 'unknown'),
  text: outcomeText(folded?.undone.includes(entry) ? { ...entry, undone: true } : entry),
  ...present({ isOn: turnedTo(entry), undid: undidOf(folded?.undid(entry)), said: entry.said }),
  undoable: isUndoable(entry),
  ...present({ isDismissed: entry.forgotten || undefined }),
  repeatable: entry.outcome?.state === 'refused' && entry.settled?.by === 'check' && !entry.forgotten,
  checkable: checkFor(entry) !== undefined,
});

const undidOf = (edit: Entry | undefined) => edit && { operation: edit.action, ...present({ isOn: turnedTo(edit) }) };

async function unsettledEntries({ journal, notApplied }: JournalState): ReturnType<Outside['unsettled']> {
  const open = await journal.open();
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
