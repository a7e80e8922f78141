import { type Problem, problemResult } from '../api/problem.ts';
import type { RequestKeys } from './request-keys.ts';

/** Stops a client whose keys are no longer accepted (docs/design/reliability.md#after-the-first-401). */
export interface KeyGate {
  /** Admits a request and counts it; undefined when none may be sent with these keys. */
  pass(keys: RequestKeys): GatePass | undefined;
  /** True when no request is sent until other keys are given. */
  isShut(keys: RequestKeys): boolean;
}

/** One admitted request. */
export interface GatePass {
  /** The status and messages of the response. Not called without a response. */
  answered(status: number, words: readonly string[]): void;
}

/** Requests still sent after a 401: they show whether it was about the keys or about that operation alone. */
const mostAfter = 2;

/**
 * A 401 with a message about something else (a locked monitor) does not count. After any other, two more requests are
 * sent; a success of one of them opens the gate again.
 */
export function createKeyGate(): KeyGate {
  let refused: { readonly keys: RequestKeys; left: number } | undefined;
  const current = (keys: RequestKeys) =>
    refused && refused.keys.apiKey === keys.apiKey && refused.keys.appKey === keys.appKey ? refused : undefined;
  return {
    pass(keys) {
      const since = current(keys);
      if (!since) refused = undefined;
      if (since && since.left >= mostAfter) return undefined;
      if (since) since.left += 1;
      return {
        answered(status, words) {
          if (status === 401 && isAboutKeys(words)) refused = current(keys) ?? { keys, left: 0 };
          // The response to a request from before the refusal does not prove that the keys are valid now.
          else if (status < 400 && since && since === refused) refused = undefined;
        },
      };
    },
    isShut: (keys) => (current(keys)?.left ?? 0) >= mostAfter,
  };
}

/** Problem of a request that is blocked because the keys were refused. */
export const keysRefused = (operation: string): Problem =>
  problemResult('forbidden', 'not sent: the keys are not accepted (401); renew them, then P and Enter on the profile', {
    status: 401,
    operation,
  }).problem;

const isAboutKeys = (words: readonly string[]): boolean =>
  words.every(
    (word) =>
      /^\W*(401\W*)?(unauthori[sz]ed|forbidden|not authori[sz]ed|authentication (failed|required))\W*$/i.test(word) ||
      /\b(api|app|application)[ _-]?keys?\b|\bcredentials?\b|\btokens?\b/i.test(word),
  );
