import { createHash } from 'node:crypto';
import { runInSlices } from '../lib/run-in-slices.ts';
import type { Sliced } from '../lib/slices.ts';
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

/** Characters whose digest is made without a pause, in 3 ms. */
const digestPiece = 1_000_000;

/** The last answers of reads. */
export interface RepeatedReads {
  /**
   * What `judge` makes of an answer; where its text is that of the last answer to the same request, what it made then. So a poll
   * that changes nothing parses nothing, and every value and row is the same object as before.
   */
  judged(request: WireRequest, sent: TransportResult, judge: () => Promise<Attempt>): Promise<Attempt>;
}

export function createRepeatedReads(bounds = wholeAnswers): RepeatedReads {
  const kept = new Map<string, { readonly digest: string; readonly length: number; readonly attempt: Attempt }>();
  return {
    async judged({ method, path, body }, sent, judge) {
      if (sent.kind !== 'answer' || sent.status !== 200 || sent.text.length > bounds.longest) return judge();
      // A search names the moment until which it asks, so no two of them are the same.
      if (body !== undefined) return judge();
      const request = `${method} ${path}`;
      const digest = await runInSlices(digestOf(sent.text));
      const before = kept.get(request);
      kept.delete(request);
      if (before?.digest === digest) {
        kept.set(request, before);
        return before.attempt;
      }
      const attempt = await judge();
      if (!attempt.result.ok) return attempt;
      kept.set(request, { digest, length: sent.text.length, attempt });
      let all = kept.values().reduce((sum, { length }) => sum + length, 0);
      for (const [oldest, { length }] of kept) {
        if (all <= bounds.all && kept.size <= bounds.answers) break;
        kept.delete(oldest);
        all -= length;
      }
      return attempt;
    },
  };
}

function* digestOf(text: string): Sliced<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < text.length; at += digestPiece) {
    if (at > 0) yield;
    hash.update(text.slice(at, at + digestPiece));
  }
  return hash.digest('base64');
}
