import { createHash } from 'node:crypto';
import type { Attempt } from './response-result.ts';
import type { TransportResult } from './transport.ts';
import type { WireRequest } from './wire-request.ts';

/** Answers that are remembered, and characters of all together: what was opened once must not stay. */
const mostAnswers = 16;
const most = 8_000_000;
/** Characters of the longest one: its digest is made without a pause, in 10 ms. */
const longest = 4_000_000;

/** The last answers of reads. */
export interface RepeatedReads {
  /**
   * What `judge` makes of an answer; where its text is that of the last answer to the same request, what it made then. So a poll
   * that changes nothing parses nothing, and every value and row is the same object as before.
   */
  judged(request: WireRequest, sent: TransportResult, judge: () => Promise<Attempt>): Promise<Attempt>;
}

export function createRepeatedReads(): RepeatedReads {
  const kept = new Map<string, { readonly digest: string; readonly length: number; readonly attempt: Attempt }>();
  return {
    async judged({ method, path, body }, sent, judge) {
      if (sent.kind !== 'answer' || sent.status !== 200 || sent.text.length > longest) return judge();
      // A search names the moment until which it asks, so no two of them are the same.
      if (body !== undefined) return judge();
      const request = `${method} ${path}`;
      const digest = createHash('sha256').update(sent.text).digest('base64');
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
        if (all <= most && kept.size <= mostAnswers) break;
        kept.delete(oldest);
        all -= length;
      }
      return attempt;
    },
  };
}
