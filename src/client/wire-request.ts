import { type Call, pathNames } from '../api/endpoint.ts';
import { type Problem, problemResult } from '../api/problem.ts';
import type { KeyHeaders } from '../api/secrets.ts';
import type { Translator } from '../api/vocabulary/translator.ts';
import { stringifyExact } from '../lib/json.ts';
import { percentEncoded } from '../lib/paint.ts';

/** A request on the wire, without the keys. */
export interface WireRequest {
  readonly method: string;
  /** Path and query, percent-encoded, with the prefix of the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/**
 * Writes a call as a request below the path of `base`. A path parameter that is missing, empty, `.` or `..` (also
 * between slashes), or holds a control character is refused as `invalid`: `..` would climb to another resource.
 * With a vocabulary the request is in the deployment's words.
 */
export function toWireRequest(
  call: Call,
  base: URL,
  vocabulary?: Translator,
): { ok: true; wired: WireRequest } | { ok: false; problem: Problem } {
  const { endpoint } = call;
  const template = vocabulary ? vocabulary.path(endpoint) : endpoint.path;
  const names = pathNames(endpoint.path);
  for (const name of names) {
    const fault = segmentFault(Object.hasOwn(call.params, name) ? call.params[name] : undefined);
    if (fault) return problemResult('invalid', `${name} ${fault}`, { operation: endpoint.id });
  }
  const path = template.replace(/\{([^}]+)\}/g, (_, name: string) => percentEncoded(call.params[name] ?? ''));
  const prefixed = `${base.pathname.replace(/\/+$/, '')}${path}`;
  // Checked again with the URL parser that proxies and servers use.
  if (new URL(prefixed, base).pathname !== prefixed)
    return problemResult('invalid', `the path of ${endpoint.id} would lead elsewhere`, { operation: endpoint.id });
  const out = vocabulary?.out;
  const repeated = (endpoint.repeated ?? []).map((name) => (out ? out.queryName(endpoint, name) : name));
  const query = queryText(out ? out.query(endpoint, call.query) : call.query, repeated);
  const sent = out ? out.body(endpoint, call.body) : call.body;
  const body = sent === undefined ? undefined : stringifyExact(sent);
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'zstd, br, gzip, deflate',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return {
    ok: true,
    wired: { method: endpoint.method, path: query ? `${prefixed}?${query}` : prefixed, headers, body },
  };
}

function segmentFault(value: string | undefined): string | undefined {
  if (value === undefined) return 'is missing';
  if (value === '') return 'is empty';
  if (/\p{Cc}/u.test(value)) return 'holds a control character';
  if (!value.isWellFormed()) return 'holds half a character';
  if (value.split(/[/\\]/).some((part) => part === '.' || part === '..')) return 'cannot be "." or ".."';
  return undefined;
}

/** `null`, `undefined` and empty lists are left out; lists are joined by commas unless their name is repeated. */
function queryText(query: Readonly<Record<string, unknown>>, repeated: readonly string[]): string {
  const pairs: string[] = [];
  const add = (name: string, value: string) => pairs.push(`${percentEncoded(name)}=${value}`);
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined) continue;
    if (!Array.isArray(value)) add(name, encoded(value));
    else if (repeated.includes(name)) for (const item of value) add(name, encoded(item));
    else if (value.length > 0) add(name, value.map(encoded).join(','));
  }
  return pairs.join('&');
}

const encoded = (value: unknown): string => percentEncoded(String(value));

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
