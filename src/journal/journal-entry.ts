import * as v from 'valibot';
import { type Call, type Endpoint, rawCall } from '../api/endpoint.ts';
import { hideParams, hideSecrets } from '../api/secrets.ts';
import type { CallOutcome } from '../client/client.ts';
import { processRun } from '../lib/private-file.ts';
import { cut, plural } from '../lib/text.ts';
import { isObject, present, redactTexts, storedCount, storedTime } from '../lib/values.ts';

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

/** What the requests that undo an edit of the journal are grouped by, so that a report knows which one they undo. */
export const undoGroup = (id: string): string => `undo-${id}`;

/** Splits off edits that were undone, and the edits that undid them; `shift` is in the order of time. */
export function foldUndone(shift: readonly Entry[]) {
  const undid = new Map<Entry, Entry>();
  const undone = new Set(shift.filter((entry) => entry.undone));
  const undoing = shift.filter((entry) => entry.action === 'undo' && entry.outcome?.state === 'applied');
  // One undo may take several requests, and so may the edit that it undoes.
  const undos = [...Map.groupBy(undoing, (entry) => `${entry.group ?? entry.id} ${rowOf(entry)}`).values()];
  for (const requests of undos) {
    const [undo] = requests;
    if (!undo) continue;
    const named = shift.find(({ id }) => undo.group === undoGroup(id));
    const isBefore = (entry: Entry) =>
      entry.at <= undo.at &&
      entry.action !== 'undo' &&
      entry.outcome?.state === 'applied' &&
      !undone.has(entry) &&
      rowOf(entry) === rowOf(undo);
    const last = named ?? shift.findLast(isBefore);
    if (last) for (const request of requests) undid.set(request, last);
    // What is created again by several requests is not there before the last.
    if (named && !named.undone && requests.length < named.undo.length) continue;
    const isSameEdit = (other: Entry) =>
      other === last || (last?.group !== undefined && other.group === last.group && rowOf(other) === rowOf(last));
    for (const entry of shift.filter(isSameEdit)) undone.add(entry);
  }
  const folded = new Set([...undone, ...undoing]);
  return {
    kept: shift.filter((entry) => !folded.has(entry)),
    undone: [...undone],
    /** Of an edit that undid another one: that one. */
    undid: (entry: Entry): Entry | undefined => undid.get(entry),
  };
}

const rowOf = ({ target: { id, name } }: Entry): string => `${id} ${name}`;

/** A setting that an edit has changed, in words. */
interface EditChange {
  /** What its form calls it. */
  readonly label: string;
  /** The value before; undefined where there was none. */
  readonly was?: string;
  readonly is: string;
}

const longest = 60;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const none = 'none';

/** The settings that an edit has changed, as its receipt has them: what no form shows, and the name of a new thing, are left out. */
export function editChanges({ consequences, target }: Entry): readonly EditChange[] {
  const changes = consequences?.changes ?? [];
  return changes.flatMap(({ label, from, to }): EditChange[] => {
    const was = from === null ? undefined : worded(from);
    const is = worded(to);
    const isTold = label !== null && (was !== undefined || (is !== target.name && is !== none));
    return isTold ? [{ label, is, ...present({ was }) }] : [];
  });
}

/** What a switch was turned to by an edit; undefined for an edit of none, or of several. Without a receipt, what was sent. */
export function turnedTo({ consequences, call }: Entry): boolean | undefined {
  const values = consequences?.changes.map(({ to }) => to) ?? Object.values(attributesOf(call.body));
  const [isOn, ...others] = values.filter((value) => typeof value === 'boolean');
  return others.length === 0 ? isOn : undefined;
}

/** The attributes of a JSON:API body, else the members of an object. */
function attributesOf(body: unknown): object {
  if (!isObject(body)) return {};
  return isObject(body.data) ? attributesOf(body.data) : isObject(body.attributes) ? body.attributes : body;
}

/** A value in words, never as JSON: of a list of objects their names, else how many they are; of an object that it is there. */
function worded(value: unknown): string {
  if (value === undefined || value === null || value === '') return none;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (isObject(value)) return 'set';
  if (!Array.isArray(value)) return cut(String(value), longest);
  if (value.length === 0) return none;
  const texts = value.map((part) => (isObject(part) ? part.name : part));
  // Nobody knows a thing by an id of the service.
  if (texts.every((text) => uuid.test(String(text)))) return `${value.length}`;
  const isNamed = texts.every((text) => text !== null && text !== undefined && typeof text !== 'object');
  return isNamed ? cut(texts.join(', '), longest) : plural(value.length, 'item');
}
