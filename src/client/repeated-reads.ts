import { areAlike } from '../lib/alike.ts';
import type { Attempt } from './response-result.ts';
import type { TransportResult } from './transport.ts';
import type { WireRequest } from './wire-request.ts';

/** How many answers are remembered, and characters of all together and of one at most: what was opened once must not stay. */
interface Bounds {
  readonly answers: number;
  readonly all: number;
  readonly longest: number;
}

const wholeAnswers: Bounds = { answers: 16, all: 8_000_000, longest: 4_000_000 };
/** For reads that keep little of their answers, and that little anyway: every page of a long list. */
export const reducedAnswers: Bounds = { answers: 250, all: Infinity, longest: Infinity };

/** An answer, and what was made of it. */
interface Remembered {
  /** Of its body as it came. */
  readonly digest: string;
  readonly attempt: Attempt;
}

/**
 * The last answers of reads. Where a body comes again, what was made of the last one holds: a poll that changes nothing unpacks, searches
 * and parses nothing, and every value and row is the same object as before.
 */
export interface RepeatedReads {
  /** The last answer to the same request; undefined where other secrets were looked for in it. */
  last(request: WireRequest, secrets: readonly string[]): Remembered | undefined;
  keep(request: WireRequest, sent: TransportResult, attempt: Attempt, secrets: readonly string[]): void;
}

export function createRepeatedReads(bounds = wholeAnswers): RepeatedReads {
  const kept = new Map<string, Remembered & { readonly length: number; readonly secrets: readonly string[] }>();
  const nameOf = ({ method, path }: WireRequest) => `${method} ${path}`;
  return {
    last(request, secrets) {
      // A search names the moment until which it asks, so no two of them are the same.
      const before = request.body === undefined ? kept.get(nameOf(request)) : undefined;
      return before && areAlike(before.secrets, secrets) ? before : undefined;
    },
    keep(request, sent, attempt, secrets) {
      if (sent.kind !== 'answer' || sent.digest === undefined || request.body !== undefined) return;
      const before = kept.get(nameOf(request));
      kept.delete(nameOf(request));
      if (sent.status !== 200 || sent.text.length > bounds.longest || !attempt.result.ok) return;
      const { digest, text } = sent;
      // The text of an answer that came again is not there.
      const length = before?.digest === digest ? before.length : text.length;
      kept.set(nameOf(request), { digest, length, attempt, secrets });
      let all = kept.values().reduce((sum, { length }) => sum + length, 0);
      for (const [oldest, { length }] of kept) {
        if (all <= bounds.all && kept.size <= bounds.answers) break;
        kept.delete(oldest);
        all -= length;
      }
    },
  };
}
