import type { Call } from '../api/endpoint.ts';
import type { Problem, Result } from '../api/problem.ts';
import { findSecrets } from '../api/secrets.ts';
import { createRedactor, redactData, redactedKey, redactInside } from './redact.ts';
import type { RequestKeys } from './request-keys.ts';
import { isContainer } from './response-removals.ts';

/** Takes the keys and the secrets of the last edits out of what the client hands on. */
export interface SecretFilter {
  /** Looks for the secrets of an edit from now on: a service may repeat them in any later answer. */
  remember(call: Call): void;
  texts(): string[];
  /** Notes an answer in which the service repeats a secret. */
  note(value: unknown): void;
  withoutKeys(call: Call, value: unknown): unknown;
  /** Adds the operation to a problem and redacts secrets from its text; takes the keys out of an answer that repeats them. */
  clean(call: Call, result: Result<unknown>): Result<unknown>;
}

/** Shortest secret of an edit that is looked for in later answers, and how many: each costs a search of every answer. */
const shortestSent = 12;
const mostSent = 8;

export function createSecretFilter(keys: () => RequestKeys): SecretFilter {
  const repeating = new WeakSet<object>();
  const sent = new Set<string>();
  const texts = (): string[] => {
    const { apiKey, appKey } = keys();
    return [apiKey, appKey, ...sent];
  };
  const withoutKeys = (call: Call, value: unknown): unknown =>
    redactData(value, createRedactor(texts(), redactedKey), call.endpoint.secrets);
  return {
    remember(call) {
      for (const secret of findSecrets(call)) if (secret.length >= shortestSent) sent.add(secret);
      for (const oldest of [...sent].slice(0, -mostSent)) sent.delete(oldest);
    },
    texts,
    note(value) {
      if (isContainer(value)) repeating.add(value);
    },
    withoutKeys,
    clean(call, result) {
      if (result.ok) {
        if (!repeating.has(Object(result.value))) return result;
        return { ...result, value: withoutKeys(call, result.value) };
      }
      const redact = createRedactor([...texts(), ...findSecrets(call)]);
      const { kind, ...rest } = result.problem;
      const words = redactInside(rest, redact) as Omit<Problem, 'kind'>;
      return { ok: false, problem: { operation: call.endpoint.id, ...words, kind } };
    },
  };
}
