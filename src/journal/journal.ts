import { randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Call } from '../api/endpoint.ts';
import { problemResult, type Result } from '../api/problem.ts';
import { hiderFor } from '../api/secrets.ts';
import type { CallOutcome, Purpose } from '../client/client.ts';
import { currentRun, isRunning, isSameRun, type ProcessRun, writeErrorText } from '../lib/private-file.ts';
import type { Clock } from '../lib/time.ts';
import { at, present, redactTexts } from '../lib/values.ts';
import { type Entry, type FollowUp, type Intent, type KeptReceipt, saveCall } from './journal-entry.ts';
import { createJournalTurns, openJournalFile, type Reach, Refusal } from './journal-file.ts';
import type { UndoOffer } from './undo-stack.ts';

/** How well a request represents its edit: it was sent, it was applied, it was applied and its path names the target. */
type Rank = 0 | 1 | 2;

/**
 * Finds, of the requests of one edit of this process, the one whose line gets the undo and the receipt: that with the highest rank,
 * the last of several.
 */
function createMainRequests() {
  const mainByEdit = new Map<string, { readonly id: string; readonly rank: Rank }>();
  /** Requests without an outcome, by the id of their line; `rank`: if they are applied. */
  const open = new Map<
    string,
    { readonly edit: string | undefined; readonly rank: Rank; readonly isCreate: boolean }
  >();
  const setMain = (edit: string | undefined, id: string, rank: Rank) => {
    if (edit !== undefined && rank >= (mainByEdit.get(edit)?.rank ?? 0)) mainByEdit.set(edit, { id, rank });
  };
  return {
    sent(id: string, { endpoint, params }: Call, { group, target }: Purpose): void {
      const edit = group === undefined ? undefined : editKey(group, target.id);
      const rank = Object.values(params).includes(target.id) ? 2 : 1;
      open.set(id, { edit, rank, isCreate: endpoint.verb === 'create' });
      setMain(edit, id, 0);
    },
    /** Returns whether the request was a create. */
    ended(id: string, isApplied: boolean): boolean {
      const request = open.get(id);
      open.delete(id);
      if (request && isApplied) setMain(request.edit, id, request.rank);
      return request?.isCreate === true;
    },
    idFor: (group: string, targetId: string): string | undefined => mainByEdit.get(editKey(group, targetId))?.id,
  };
}

const editKey = (group: string, targetId: string): string => `${group} ${targetId}`;

/**
 * The log of all edits (docs/design/reliability.md#journal): the intent is on the disk before the request is sent, the outcome
 * after. It is the client's `Recorder`. Reading never throws: an unreadable journal is a failed Result.
 */
export interface Journal {
  readonly path: string;
  /** Returns the id of the entry once its line is on the disk; after a problem (`unrecorded`) nothing may be sent. */
  intent(call: Call, purpose: Purpose): Promise<Result<string>>;
  /** Never throws: when the outcome cannot be written, the edit stays open and `trouble` says why. */
  outcome(entry: string, outcome: CallOutcome, result?: Result<unknown>): Promise<void>;
  /** Stores the receipt of the edit of this process with this group and target, and the calls that undo it, in order. */
  remember(group: string, targetId: string, calls: readonly Call[], receipt?: KeptReceipt): Promise<void>;
  /** Marks the edit as undone. */
  undone(entry: string): Promise<void>;
  /** Notes why the edit will not be undone. */
  notUndone(entry: string, text: string): Promise<void>;
  /** What is undone next. */
  undoOffer(): Promise<Result<UndoOffer>>;
  /** Edits of this organization, the newest line first; without `reach` the whole. Reads that are asked for at once are one. */
  entries(reach?: Reach): Promise<Result<readonly Entry[]>>;
  /** Edits of this organization without a known outcome, left by a process that ended. Oldest first. */
  openEdits(): Promise<Result<readonly Entry[]>>;
  /** Stores the outcome that a later check found for an open edit. */
  settle(entry: string, outcome: CallOutcome): Promise<void>;
  /** Stops listing an open edit. */
  forget(entry: string): Promise<void>;
  /** Resolves when every write so far has succeeded or failed. */
  written(): Promise<void>;
  /** How many lines of which files the last read left out, as a sentence; undefined: none. */
  skipped(): string | undefined;
  /** Why the last write after an edit failed; undefined when it succeeded. */
  trouble(): string | undefined;
}

const usualRotateAt = 5 * 1024 * 1024;

interface JournalOptions {
  readonly directory: string;
  readonly clock: Clock;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Name of the profile. */
  readonly profile: string;
  /** The name of who edits, as far as known; read at each edit. */
  readonly actor?: () => string;
  /** The id of the organization, as far as known; read at each edit and each reading. */
  readonly organization?: () => string | undefined;
  /** What may be shown of the application key. */
  readonly key?: string;
  readonly program?: Entry['program'];
  /** The process that edits: this one; tests of a restart give another. */
  readonly run?: ProcessRun;
  /** Removes known secrets from a text. */
  readonly redact?: (text: string) => string;
  /** Size in bytes at which the file is rotated: 5 MB; open edits are carried over. */
  readonly rotateAt?: number;
  /** Opens the file for appending; tests of a full disk give another. */
  readonly open?: (path: string) => Promise<FileHandle>;
}

/** What distinguishes an organization, as far as known: the key is empty and the id undefined where they are not. */
interface Whereabouts extends Pick<JournalOptions, 'origin' | 'profile'> {
  readonly key: string;
  readonly organization: string | undefined;
}

/** The journal of one organization; all organizations share the file. */
export function createJournal(options: JournalOptions): Journal {
  const { directory, clock, origin, profile, redact = (text) => text } = options;
  const path = join(directory, 'journal.jsonl');
  const { open = openJournalFile, rotateAt = usualRotateAt } = options;
  const turns = createJournalTurns({ path, clock, redact, rotateAt, open });
  const { run = currentRun(), actor = () => '', organization = () => undefined, key = '', program } = options;
  const state = { trouble: undefined as string | undefined };
  const requests = createMainRequests();

  const describeError = (error: unknown) => (error instanceof Refusal ? error.message : writeErrorText(error, path));

  /** Writes a line about an edit that was sent already, so that a failure is kept and not thrown. */
  const writeFollowUp = async (line: FollowUp) => {
    try {
      await turns.write(line);
      state.trouble = undefined;
    } catch (error) {
      state.trouble = `${describeError(error)}; the outcome of the last edit is not in the journal`;
    }
  };

  const runsStill = ({ run, at }: Entry) => isRunning(run, at, clock.now());
  const ofOrganization = (entries: readonly Entry[]) => {
    const here = { origin, profile, key, organization: organization() };
    return entries.filter((entry) => !isElsewhere(entry, here)).map((entry) => withProgress(entry, runsStill));
  };

  const read = async (
    reach: Reach,
    choose: (entries: Entry[]) => readonly Entry[],
  ): Promise<Result<readonly Entry[]>> => {
    try {
      return { ok: true, value: choose(await turns.read(reach)), status: 0, unread: [] };
    } catch (error) {
      return problemResult(
        'unrecorded',
        error instanceof Refusal ? error.message : `the journal ${path} cannot be read`,
      );
    }
  };

  return {
    path,
    async intent(call, purpose) {
      const id = randomUUID();
      const known = present({ key: key || undefined, program, organization: organization() });
      const author = { run, org: profile, origin, actor: actor(), ...known };
      const line = intentOf(call, purpose, { id, at: clock.now(), ...author }, redact);
      try {
        await turns.write(line);
        requests.sent(id, call, purpose);
        return { ok: true, value: id, status: 0, unread: [] };
      } catch (error) {
        return problemResult('unrecorded', `nothing was sent: the edit cannot be recorded: ${describeError(error)}`, {
          operation: call.endpoint.id,
        });
      }
    },
    outcome(id, outcome, result) {
      const isCreate = requests.ended(id, outcome.state === 'applied');
      const withId = isCreate && result?.ok ? { ...outcome, ...present({ made: madeId(result.value) }) } : outcome;
      return writeFollowUp({ kind: 'outcome', id, at: clock.now(), outcome: withId, by: 'answer' });
    },
    async remember(group, targetId, calls, receipt) {
      const id = requests.idFor(group, targetId);
      const saved = calls.map((call) => saveCall(call, redact));
      const kept = redactTexts(receipt, redact) as typeof receipt;
      if (id !== undefined) await writeFollowUp({ kind: 'undo', id, calls: saved, ...kept });
    },
    undone: (id) => writeFollowUp({ kind: 'undone', id, at: clock.now() }),
    notUndone: (id, text) => writeFollowUp({ kind: 'notUndone', id, at: clock.now(), text }),
    async undoOffer() {
      const entries = await read('whole', ofOrganization);
      if (!entries.ok) return entries;
      const now = clock.now();
      const isOwn = (entry: Entry) => program !== 'command' && isSameRun(entry.run, run);
      const asker = {
        program,
        profile,
        organization: organization(),
        actor: actor(),
        key,
        now,
        isOwn,
        isRunning: runsStill,
      };
      // Loaded when it is asked for: no start does.
      const { undoOffer } = await import('./undo-stack.ts');
      return { ...entries, value: undoOffer(entries.value, asker) };
    },
    settle: (id, outcome) => writeFollowUp({ kind: 'outcome', id, at: clock.now(), outcome, by: 'check' }),
    forget: (id) => writeFollowUp({ kind: 'forgotten', id, at: clock.now() }),
    entries: (reach = 'whole') => read(reach, (entries) => ofOrganization(entries).toReversed()),
    openEdits: () =>
      read('recent', (entries) =>
        ofOrganization(entries)
          .filter(({ isOpen }) => isOpen)
          .toSorted((a, b) => a.at - b.at),
      ),
    written: turns.ended,
    skipped: turns.skipped,
    trouble: () => state.trouble,
  };
}

/** Whether an edit is of another organization: by its id; where that is unknown, another profile with another key is another one. */
function isElsewhere(entry: Entry, { origin, profile, key, organization }: Whereabouts): boolean {
  if (entry.origin !== origin) return true;
  if (entry.organization !== undefined && organization !== undefined) return entry.organization !== organization;
  return entry.org !== profile && entry.key !== undefined && key !== '' && entry.key !== key;
}

/** The id of what a create has made: of a resource, or of an object without an envelope. */
function madeId(response: unknown): string | undefined {
  const id = at(response, 'data.id') ?? at(response, 'id');
  return typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint' ? String(id) : undefined;
}

/** The line of an edit that is about to be sent, without secrets. */
function intentOf(
  call: Call,
  { action, target, before, group, redoes }: Purpose,
  author: Omit<Intent, 'kind' | 'action' | 'target' | 'call'>,
  redact: (text: string) => string,
): Intent {
  const hide = hiderFor(call);
  return {
    kind: 'intent',
    ...author,
    action,
    target: { id: hide(target.id), name: hide(target.name) },
    ...(before === undefined ? {} : { before: redactTexts(before, hide) }),
    ...present({ group, redoes }),
    call: saveCall(call, redact),
  };
}

/** An edit without a known outcome is marked as being sent, or as open when its process has ended. */
function withProgress(entry: Entry, runsStill: (entry: Entry) => boolean): Entry {
  const { outcome, forgotten } = entry;
  if (forgotten || (outcome !== undefined && outcome.state !== 'unknown')) return entry;
  if (!runsStill(entry)) return { ...entry, isOpen: true };
  return outcome === undefined ? { ...entry, isSending: true } : entry;
}
