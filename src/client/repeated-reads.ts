import { areAlike } from '../lib/function-results.ts';
import type { Attempt } from './response-result.ts';
import type { TransportResult } from './transport.ts';
import type { WireRequest } from './wire-request.ts';

/** How many answers are remembered, and characters or bytes of all together and of one at most: what was opened once must not stay. */
interface Bounds {
  readonly answers: number;
  readonly all: number;
  readonly longest: number;
}

const wholeAnswers: Bounds = { answers: 16, all: 8_000_000, longest: 4_000_000 };
/** For reads that keep little of their answers, and that little anyway: every page of a long list. */
export const reducedAnswers: Bounds = { answers: 250, all: Infinity, longest: Infinity };
/** Apart from the others, which a search of many windows would push out. */
export const searchAnswers: Bounds = { answers: 8, all: 4_000_000, longest: 4_000_000 };

/** A request; one with a body is remembered by its series alone: the body names another moment each time. */
type AskedRequest = Pick<WireRequest, 'method' | 'path' | 'body'> & { readonly series?: string | undefined };

/** An answer, and what was made of it. */
interface Remembered {
  /** Of its body as it came. */
  readonly digest: () => string;
  readonly attempt: Attempt;
}

/**
 * The last answers of reads. Where a body comes again, what was made of the last one holds: a poll that changes nothing unpacks, searches
 * and parses nothing, and every value and row is the same object as before.
 */
export interface RepeatedReads {
  /** The last answer to the same request, or of its series; undefined where other secrets were looked for in it. */
  last(request: AskedRequest, secrets: readonly string[]): Remembered | undefined;
  keep(request: AskedRequest, sent: TransportResult, attempt: Attempt, secrets: readonly string[]): void;
}

export function createRepeatedReads(bounds = wholeAnswers): RepeatedReads {
  const remembered = new Map<string, Remembered & { readonly length: number; readonly secrets: readonly string[] }>();
  const nameOf = ({ method, path, body, series }: AskedRequest) =>
    body === undefined ? `${method} ${path}` : series === undefined ? undefined : `${method} ${path} ${series}`;
  return {
    last(request, secrets) {
      const name = nameOf(request);
      const before = name === undefined ? undefined : remembered.get(name);
      return before && areAlike(before.secrets, secrets) ? before : undefined;
    },
    keep(request, sent, attempt, secrets) {
      const name = nameOf(request);
      if (sent.kind !== 'answer' || sent.digest === undefined || name === undefined) return;
      const before = remembered.get(name);
      remembered.delete(name);
      const { digest, text, bytes } = sent;
      // The body of an answer that came again is not there.
      const length = before && before.digest() === digest() ? before.length : (bytes ?? text).length;
      if (sent.status !== 200 || length > bounds.longest || !attempt.result.ok) return;
      remembered.set(name, { digest, length, attempt, secrets });
      let all = remembered.values().reduce((sum, { length }) => sum + length, 0);
      for (const [oldest, { length }] of remembered) {
        if (all <= bounds.all && remembered.size <= bounds.answers) break;
        remembered.delete(oldest);
        all -= length;
      }
    },
  };
}
