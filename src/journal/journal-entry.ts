import type { Call, Endpoint, QueryValue } from '../api/endpoint.ts';
import { rawCall } from '../api/endpoint.ts';
import { hideParams, hideSecrets } from '../api/secrets.ts';
import type { Outcome, Purpose } from '../client/client.ts';
import { isObject } from '../lib/object-paths.ts';
import { redactTexts } from '../lib/redact-texts.ts';

/** The process that wrote a line, to check whether it still runs. */
export interface ProcessRun {
  readonly host: string;
  readonly pid: number;
  /** When the process began, as the system reports it; pids are reused. */
  readonly began: string;
}

/** A call as stored in the journal. */
export interface SavedCall {
  readonly endpoint: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  /** Number of secrets removed; such a call cannot be sent again. */
  readonly withheld?: number;
}

/** The line written before an edit is sent. */
export interface Intent extends Purpose {
  readonly kind: 'intent';
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly run: ProcessRun;
  /** Name of the profile; then scheme, host and port; then the person, as far as known. */
  readonly org: string;
  readonly origin: string;
  readonly actor: string;
  readonly call: SavedCall;
}

/** The lines that follow an intent. */
export type FollowUp =
  | {
      readonly kind: 'outcome';
      readonly id: string;
      readonly at: number;
      readonly outcome: Outcome;
      readonly by: 'answer' | 'check';
    }
  | { readonly kind: 'undo'; readonly id: string; readonly calls: readonly SavedCall[] }
  | { readonly kind: 'undone'; readonly id: string; readonly at: number }
  | { readonly kind: 'forgotten'; readonly id: string; readonly at: number };

/** One edit with all its lines. */
export interface Entry extends Intent {
  readonly outcome?: Outcome;
  /** When the outcome became known, and whether from the response or from a later check. */
  readonly settled?: { readonly at: number; readonly by: 'answer' | 'check' };
  /** The calls that undo the edit, in order; empty: none is known. */
  readonly undo: readonly SavedCall[];
  readonly undone: boolean;
  readonly forgotten: boolean;
  /** It has no outcome yet, and the process that sends it still runs. */
  readonly isSending?: boolean;
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
export function entriesOf(lines: readonly (Intent | FollowUp)[]): Entry[] {
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
  if (line.kind === 'undo') return { ...entry, undo: line.calls };
  return line.kind === 'undone' ? { ...entry, undone: true } : { ...entry, forgotten: true };
}

/** Reads one line; undefined for a torn or unknown one. */
export function readLine(whole: unknown): Intent | FollowUp | undefined {
  if (!isObject(whole) || typeof whole.id !== 'string') return undefined;
  switch (whole.kind) {
    case 'intent':
      return isObject(whole.call) &&
        isObject(whole.target) &&
        isObject(whole.run) &&
        typeof whole.at === 'number' &&
        typeof whole.origin === 'string'
        ? (whole as unknown as Intent)
        : undefined;
    case 'outcome':
      return isObject(whole.outcome) ? (whole as unknown as FollowUp) : undefined;
    case 'undo':
      return Array.isArray(whole.calls) ? (whole as unknown as FollowUp) : undefined;
    case 'undone':
    case 'forgotten':
      return whole as unknown as FollowUp;
    default:
      return undefined;
  }
}
