import type { Call } from '../api/endpoint.ts';
import { type Problem, type Result, toResult } from '../api/problem.ts';
import { hideSecrets } from '../api/secrets.ts';
import { read } from './read-response.ts';

/** Problem of an edit with unknown outcome, with the values sent and the values read. */
export function unknownProblem(call: Call, last: Problem, theirs?: unknown): Problem {
  const { endpoint } = call;
  return {
    ...last,
    kind: 'unknown',
    text: `outcome unknown (${last.text}); check before you repeat it`,
    operation: endpoint.id,
    doubt: { ours: oursOf(call), ...(theirs !== undefined && { theirs: theirsOf(call, theirs) }) },
  };
}

/** Problem of an edit whose read-back shows neither our values nor those before: somebody else changed them. */
export function conflictProblem(call: Call, theirs: unknown): Problem {
  const { endpoint } = call;
  return {
    kind: 'conflict',
    text: 'another user has changed it since, so it was not sent again',
    messages: [],
    operation: endpoint.id,
    doubt: { ours: oursOf(call), theirs: theirsOf(call, theirs) },
  };
}

/** Problem of a request canceled before it was sent. */
export function canceledProblem(call: Call): Problem {
  return { kind: 'canceled', text: 'canceled before it was sent', messages: [], operation: call.endpoint.id };
}

/** Result of a repeated delete that finds nothing: the first one was applied. */
export function deletedResult(problem: Problem): Result<unknown> {
  return { ok: true, value: undefined, status: problem.status ?? 404, unread: [] };
}

/**
 * Result of an edit without a response whose effect a fresh read shows; the value is what of the read fits the
 * response schema.
 */
export function appliedResult(call: Call, seen: unknown): Result<unknown> {
  const reading = read(call.endpoint.response, seen, false);
  return toResult(reading.ok ? reading.value : undefined);
}

const theirsOf = (call: Call, theirs: unknown): unknown => hideSecrets(theirs, call.endpoint.secrets).value;

function oursOf(call: Call): unknown {
  if (call.body !== undefined) return hideSecrets(call.body, call.endpoint.secrets).value;
  return Object.keys(call.query).length > 0 ? call.query : undefined;
}
