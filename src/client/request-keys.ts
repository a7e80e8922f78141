import { type Problem, problemResult } from '../api/problem.ts';
import type { KeyHeaders } from '../api/secrets.ts';

/** API key and application key. */
export interface RequestKeys {
  readonly apiKey: string;
  readonly appKey: string;
}

/**
 * The key headers. A key with a character that no header may hold is refused here, without repeating it: what HTTP
 * libraries say about a malformed header repeats its value. An absent application key is left out, because the check
 * of the API key needs none (docs/contract/conventions.md#credential-check).
 */
export function formatKeyHeaders(
  keys: RequestKeys,
  names: KeyHeaders,
): { ok: true; headers: Record<string, string> } | { ok: false; problem: Problem } {
  const titles = { apiKey: 'API key', appKey: 'application key' } as const;
  const headers: Record<string, string> = {};
  for (const key of ['apiKey', 'appKey'] as const) {
    const title = titles[key];
    const value = keys[key];
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(names[key]))
      return problemResult('invalid', `there is no header name for the ${title}`);
    if (value === '' && key === 'appKey') continue;
    if (value === '') return problemResult('forbidden', `there is no ${title}: add one to the profile`);
    if (!/^[\x21-\x7e]+$/.test(value))
      return problemResult(
        'forbidden',
        `the ${title} holds a space, a line break or another character that no key has: enter it again`,
      );
    headers[names[key]] = value;
  }
  return { ok: true, headers };
}
