import type { Call } from '../api/endpoint.ts';
import type { Problem, Result } from '../api/problem.ts';
import { hideSecrets } from '../api/secrets.ts';
import { read } from './read-response.ts';

/** Nobody can tell whether the edit was applied: says so, with what was sent and what was seen. */
export function unknownProblem(call: Call, last: Problem, theirs?: unknown): Problem {
  const { endpoint } = call;
  return {
    ...last,
    kind: 'unknown',
    text: `not known whether this was done: ${endpoint.title.toLowerCase()} (${last.text}); look before you repeat it`,
    operation: endpoint.id,
    doubt: { ours: oursOf(call), ...(theirs !== undefined && { theirs: theirsOf(call, theirs) }) },
  };
}

/** A read after a doubt shows neither ours nor what was before: somebody else was here. */
export function conflictProblem(call: Call, theirs: unknown): Problem {
  const { endpoint } = call;
  return {
    kind: 'conflict',
    text: `somebody else changed it meanwhile; not repeated: ${endpoint.title.toLowerCase()}`,
    messages: [],
    operation: endpoint.id,
    doubt: { ours: oursOf(call), theirs: theirsOf(call, theirs) },
  };
}

/** Called off before a byte of it left. */
export function cancelledProblem(call: Call): Problem {
  return { kind: 'cancelled', text: 'called off before it was sent', messages: [], operation: call.endpoint.id };
}

/** A delete whose answer was lost, and whose repetition finds nothing: it was done. */
export function deletedResult(problem: Problem): Result<unknown> {
  return { ok: true, value: undefined, status: problem.status ?? 404, unread: [] };
}

/** An edit whose answer was lost, and whose effect a fresh read shows: done, with the read as far as it fits for an answer. */
export function appliedResult(call: Call, seen: unknown): Result<unknown> {
  const reading = read(call.endpoint.response, seen, false);
  return { ok: true, value: reading.ok ? reading.value : undefined, status: 200, unread: [] };
}

const theirsOf = (call: Call, theirs: unknown): unknown => hideSecrets(theirs, call.endpoint.secrets).value;

function oursOf(call: Call): unknown {
  if (call.body !== undefined) return hideSecrets(call.body, call.endpoint.secrets).value;
  return Object.keys(call.query).length > 0 ? call.query : undefined;
}
