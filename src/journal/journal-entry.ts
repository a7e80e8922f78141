import * as v from 'valibot';
import type { Call, Endpoint } from '../api/endpoint.ts';
import { rawCall } from '../api/endpoint.ts';
import { hideParams, hideSecrets } from '../api/secrets.ts';
import type { CallOutcome } from '../client/client.ts';
import { processRun } from '../lib/private-file.ts';
import { present, redactTexts, storedCount, storedTime } from '../lib/values.ts';

const queryItem = v.union([v.string(), v.number(), v.bigint()]);
const savedCall = v.object({
  endpoint: v.string(),
  params: v.record(v.string(), v.string()),
  query: v.record(v.string(), v.nullable(v.union([queryItem, v.boolean(), v.array(queryItem)]))),
  body: v.exactOptional(v.unknown()),
  /** Number of secrets removed; such a call cannot be sent again. */
  withheld: v.exactOptional(storedCount),
});
/** A call as stored in the journal. */
export type SavedCall = Readonly<v.InferOutput<typeof savedCall>>;

const intent = v.object({
  kind: v.literal('intent'),
  id: v.string(),
  at: storedTime,
  run: processRun,
  /** Name of the profile; then scheme, host and port; then the person, as far as known. */
  org: v.string(),
  origin: v.string(),
  actor: v.string(),
  /** The id of the organization, as far as known. */
  organization: v.exactOptional(v.string()),
  /** What may be shown of the application key, and what sent the edit; lines of older programs do not say it. */
  key: v.exactOptional(v.string()),
  program: v.exactOptional(v.picklist(['dashboard', 'command'])),
  action: v.string(),
  target: v.object({ id: v.string(), name: v.string() }),
  before: v.exactOptional(v.unknown()),
  group: v.exactOptional(v.string()),
  /** The group of the edit that was undone, and that this one makes again. */
  redoes: v.exactOptional(v.string()),
  call: savedCall,
});
/** The line written before an edit is sent. */
export type Intent = Readonly<v.InferOutput<typeof intent>>;

const outcome = v.object({
  state: v.picklist(['applied', 'refused', 'unknown']),
  attempts: storedCount,
  status: v.exactOptional(storedCount),
  text: v.exactOptional(v.string()),
  made: v.exactOptional(v.string()),
});
const consequences = v.object({
  changes: v.pipe(
    v.array(v.object({ field: v.string(), label: v.nullable(v.string()), from: v.unknown(), to: v.unknown() })),
    v.readonly(),
  ),
  facts: v.record(v.string(), v.unknown()),
  leaves: v.pipe(
    v.array(
      v.object({
        kind: v.string(),
        id: v.nullable(v.string()),
        scope: v.exactOptional(v.string()),
        until: v.exactOptional(v.nullable(v.string())),
        say: v.string(),
      }),
    ),
    v.readonly(),
  ),
});
/**
 * What a receipt tells programs: the fields of the row that the edit changed, by their names in the JSON of its list (null: there
 * was none, or nobody knows) and as its form calls them, what the action says of its values, and what still stands. No secrets.
 */
export type Consequences = Readonly<v.InferOutput<typeof consequences>>;

/** What is kept of a receipt: its sentence, unless it cannot be made, and what it tells programs. */
export interface KeptReceipt {
  readonly said?: string;
  readonly consequences: Consequences;
}

const followUp = v.variant('kind', [
  v.object({
    kind: v.literal('outcome'),
    id: v.string(),
    at: storedTime,
    outcome,
    by: v.picklist(['answer', 'check']),
  }),
  v.object({
    kind: v.literal('undo'),
    id: v.string(),
    calls: v.pipe(v.array(savedCall), v.readonly()),
    said: v.exactOptional(v.string()),
    consequences: v.exactOptional(consequences),
  }),
  v.object({ kind: v.literal('undone'), id: v.string(), at: storedTime }),
  v.object({ kind: v.literal('notUndone'), id: v.string(), at: storedTime, text: v.string() }),
  v.object({ kind: v.literal('forgotten'), id: v.string(), at: storedTime }),
]);
/** The lines that follow an intent. */
export type FollowUp = Readonly<v.InferOutput<typeof followUp>>;

/** One edit with all its lines. */
export interface Entry extends Intent {
  readonly outcome?: CallOutcome;
  /** When the outcome became known, and whether from the response or from a later check. */
  readonly settled?: { readonly at: number; readonly by: 'answer' | 'check' };
  /** The calls that undo the edit, in order; empty: none is known. */
  readonly undo: readonly SavedCall[];
  /** The receipt, as the person read it: what the journal says of the edit later. Lines of older programs do not have it. */
  readonly said?: string;
  /** What the receipt told programs. Lines of older programs do not have it. */
  readonly consequences?: Consequences;
  readonly undone: boolean;
  /** Whether a thing that they name was created again since, and has another id in `undo` than it had then. */
  readonly hasNewIds?: boolean;
  /** The operations of an undo that has begun: what was applied of it. */
  readonly begun?: readonly string[];
  /** Why its undo was refused for certain. */
  readonly notUndone?: string;
  readonly forgotten: boolean;
  /** Whether the edit has no outcome yet while the process that sends it still runs. */
  readonly isSending?: boolean;
  /** Whether the outcome is unknown and the process that sent the edit has ended. */
  readonly isOpen?: boolean;
}

/** Whether a way back is known of an edit that was applied. */
export const isUndoable = ({ undo, undone, outcome }: Entry): boolean =>
  undo.length > 0 && !undone && outcome?.state === 'applied';

/** A call as written to the journal: secrets removed, strings passed through `redact`. */
export function saveCall(call: Call, redact: (text: string) => string): SavedCall {
  const params = hideParams(call.params, call.endpoint.secrets);
  const body = hideSecrets(call.body, call.endpoint.secrets);
  const saved = {
    endpoint: call.endpoint.id,
    params: redactTexts(params.value, redact) as SavedCall['params'],
    query: redactTexts(call.query, redact) as SavedCall['query'],
    ...(body.value === undefined ? {} : { body: redactTexts(body.value, redact) }),
  };
  const withheld = params.count + body.count;
  return withheld > 0 ? { ...saved, withheld } : saved;
}

/** A stored call made ready to send; undefined when it held a secret or its operation no longer exists. */
export function reviveCall(saved: SavedCall, find: (id: string) => Endpoint | undefined): Call | undefined {
  const endpoint = find(saved.endpoint);
  return endpoint === undefined || saved.withheld
    ? undefined
    : rawCall(endpoint, saved.params, saved.query, saved.body);
}

/** Joins lines by id, whatever file or order they were read in; lines without their intent are left out. */
export function toEntries(lines: readonly (Intent | FollowUp)[]): Entry[] {
  const entries = new Map<string, Entry>();
  for (const line of lines)
    if (line.kind === 'intent' && !entries.has(line.id))
      entries.set(line.id, { ...line, undo: [], undone: false, forgotten: false });
  for (const line of lines) {
    const entry = entries.get(line.id);
    if (entry === undefined || line.kind === 'intent') continue;
    entries.set(line.id, followed(entry, line));
  }
  return [...entries.values()];
}

function followed(entry: Entry, line: FollowUp): Entry {
  // A doubt that was carried over may stand behind the outcome that settled it.
  const isSettled = entry.outcome !== undefined && entry.outcome.state !== 'unknown';
  if (line.kind === 'outcome' && line.outcome.state === 'unknown' && isSettled) return entry;
  if (line.kind === 'outcome') return { ...entry, outcome: line.outcome, settled: { at: line.at, by: line.by } };
  if (line.kind === 'undo')
    return { ...entry, undo: line.calls, ...present({ said: line.said, consequences: line.consequences }) };
  if (line.kind === 'notUndone') return { ...entry, notUndone: line.text };
  return line.kind === 'undone' ? { ...entry, undone: true } : { ...entry, forgotten: true };
}

const journalLine = v.variant('kind', [intent, followUp]);

/** Reads one line, with the members that only a newer program knows; undefined for one that is torn, or not as it is written. */
export const readEntryLine = (whole: unknown): Intent | FollowUp | undefined =>
  v.is(journalLine, whole) ? whole : undefined;
