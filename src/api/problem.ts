/**
 * What went wrong, by who can fix it. A value, never thrown.
 *
 * - `invalid`: the input.
 * - `forbidden`: role or keys; names the permission.
 * - `notFound`, `conflict`: the resource changed meanwhile.
 * - `tooMany`: rate limit; `waitMs` says how long to wait.
 * - `unreachable`: retried.
 * - `unknown`: the edit may have been applied; check before repeating.
 * - `unreadable`: the response does not fit the schema; names the field.
 * - `notOffered`: the deployment lacks the operation.
 * - `readOnly`: this profile sends no edits.
 * - `dryRun`: edits are shown instead of sent.
 * - `unrecorded`: the journal could not be written, so nothing was sent.
 */
export type ProblemKind =
  | 'invalid'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'tooMany'
  | 'unreachable'
  | 'unknown'
  | 'unreadable'
  | 'notOffered'
  | 'readOnly'
  | 'dryRun'
  | 'unrecorded'
  | 'canceled';

export interface Problem {
  readonly kind: ProblemKind;
  /** One sentence for a person: what happened and what to do. Holds the service's own words where it gave any. */
  readonly text: string;
  /** The service's own words, one string each, exactly as sent; empty when it gave none. */
  readonly messages: readonly string[];
  /** HTTP status, where there was an answer. */
  readonly status?: number | undefined;
  /** Id of the operation, e.g. `monitors.mute`. */
  readonly operation?: string | undefined;
  /** Of a failed read: when it ended. */
  readonly at?: number | undefined;
  /** For `tooMany`: milliseconds until it is worth asking again. */
  readonly waitMs?: number | undefined;
  /** For `forbidden`: what the operation asks for. */
  readonly permission?: readonly string[] | undefined;
  /** For `unreadable`: places such as `data[3].attributes.state`. */
  readonly fields?: readonly string[] | undefined;
  /** For `unreadable`: the answer was longer than we take, so that a smaller page may be read. */
  readonly tooBig?: true | undefined;
  /** What the edit was to end and still stands. */
  readonly leaves?: readonly Remaining[] | undefined;
  /** Nothing was sent, because it is as it was to be. */
  readonly isSo?: true | undefined;
  /** For `unknown`: what was sent and what was seen, for the check that must follow. */
  readonly doubt?: { readonly ours: unknown; readonly theirs?: unknown } | undefined;
}

/** What an edit was to end and still stands: a mute, the rest of an undo. */
export interface Remaining {
  /** Id of its list. */
  readonly kind: string;
  /** Null where the service gives it none. */
  readonly id: string | null;
  readonly scope?: string;
  /** When it ends, in RFC 3339; null: never. */
  readonly until?: string | null;
  /** The same in a few words. */
  readonly say: string;
}

/** An answer, or what prevented it. `unread` names fields that were present but not understood (they are left out of the value). */
export type Result<A> =
  | { readonly ok: true; readonly value: A; readonly status: number; readonly unread: readonly string[] }
  | { readonly ok: false; readonly problem: Problem };

/** The result of a plan that has put its value together: of no answer alone. */
export const toResult = <A>(value: A): Result<A> & { readonly ok: true } => ({
  ok: true,
  value,
  status: 200,
  unread: [],
});

/** A problem of our own making, before anything was sent. */
export function problemResult(
  kind: ProblemKind,
  text: string,
  more: Partial<Problem> = {},
): { ok: false; problem: Problem } {
  return { ok: false, problem: { kind, text, messages: [], ...more } };
}

/** The problem with advice appended: what to do instead, as in `: give the id of the table instead of its name`. */
export const withAdvice = (problem: Problem, advice: string): { ok: false; problem: Problem } => ({
  ok: false,
  problem: { ...problem, text: problem.text + advice },
});
