import * as v from 'valibot';
import { type AnySchema, type Call, type Endpoint, pathNames, type QueryValue, rawCall } from '../api/endpoint.ts';
import { hideSecrets } from '../api/secrets.ts';
import { parseExact } from '../lib/json.ts';
import { type Reading, unreadable } from '../lib/reading.ts';
import type { Flags } from '../profiles/resolve-settings.ts';
import { bare, valued } from './flags.ts';

/** The arguments of `orgdeck call <operation-id>`, parsed for that operation. */
export interface CallArgs {
  readonly flags: Flags;
  /** Values of path and query names, as typed; a name given twice has two. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** JSON text, or `-` for standard input. */
  readonly body?: string;
  readonly reveal: boolean;
  readonly help: boolean;
}

/** The names that an operation takes: those of its path, then those of its query. */
export function namesOf(endpoint: Endpoint): { readonly path: readonly string[]; readonly query: readonly string[] } {
  return { path: pathNames(endpoint.path), query: Object.keys(entriesOf(endpoint)) };
}

/** How an operation is called, in one line. */
export function usageOf(endpoint: Endpoint): string {
  const { path, query } = namesOf(endpoint);
  const needed = path.map((name) => ` --${name} VALUE`).join('');
  const optional = query.map((name) => ` [--${name} VALUE]`).join('');
  return `orgdeck call ${endpoint.id}${needed}${optional}${endpoint.body ? ' --body JSON|-' : ''}`;
}

/**
 * Reads the words behind the operation. The word after `--name` is its value whatever it looks like, because ids may
 * begin with a dash. Dashes stand for underscores in names. An unknown name is a sentence that lists the known ones.
 */
export function readCallArgs(endpoint: Endpoint, words: readonly string[]): Reading<CallArgs> {
  const { path, query } = namesOf(endpoint);
  const known = new Map(
    [...path, ...query].flatMap((name) => [[name, name] as const, [name.replaceAll('_', '-'), name] as const]),
  );
  const values = new Map<string, string[]>();
  const flags: Record<string, string | boolean> = {};
  let body: string | undefined;
  let reveal = false;
  let help = false;
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, given = '', , attached] = /^--([^=]+)(=([\s\S]*))?$/.exec(word) ?? [];
    if (word === '-h' || given === 'help') help = true;
    else if (given === 'reveal') reveal = true;
    else if (bare.includes(given)) flags[camel(given)] = true;
    else {
      const name = known.get(given);
      if (name === undefined && given !== 'body' && !valued.includes(given))
        return unreadable(unknownName(endpoint, word));
      const value = attached ?? rest.shift();
      if (value === undefined) return unreadable(`--${given} wants a value: ${usageOf(endpoint)}`);
      if (name !== undefined) values.set(name, [...(values.get(name) ?? []), value]);
      else if (given === 'body') body = value;
      else flags[camel(given)] = value;
    }
  }
  return { ok: true, value: { flags: flags as Flags, values, reveal, help, ...(body === undefined ? {} : { body }) } };
}

/** The call, checked against the endpoint's names and the types of its query; the body is the service's to judge. */
export function callOf(
  endpoint: Endpoint,
  { values, body: typed }: Pick<CallArgs, 'values' | 'body'>,
  bodyText: string | undefined,
  env: NodeJS.ProcessEnv,
): Reading<Call> {
  const { path } = namesOf(endpoint);
  const missing = path.filter((name) => !values.has(name));
  if (missing.length > 0)
    return unreadable(`${missing.map((name) => `--${name}`).join(' and ')} missing: ${usageOf(endpoint)}`);
  const entries = entriesOf(endpoint);
  const query: Record<string, QueryValue> = {};
  for (const [name, texts] of values) {
    if (path.includes(name)) {
      if (texts.length > 1) return unreadable(`--${name} can be given once only`);
      continue;
    }
    const read = queryValue(name, entries[name], texts);
    if (!read.ok) return read;
    query[name] = read.value;
  }
  const params: Record<string, string> = {};
  for (const name of path) {
    const read = pathValue(endpoint, name, values.get(name)?.[0] ?? '', env);
    if (!read.ok) return read;
    params[name] = read.value;
  }
  if (bodyText === undefined)
    return endpoint.body && !mayLackBody(endpoint.body)
      ? unreadable(`${endpoint.id} wants a body: --body JSON, or --body - to read it from standard input`)
      : { ok: true, value: rawCall(endpoint, params, query) };
  if (!endpoint.body) return unreadable(`${endpoint.id} takes no body: ${usageOf(endpoint)}`);
  try {
    const body = parseExact(bodyText);
    if (typed !== '-' && hideSecrets(body, endpoint.secrets).count > 0)
      return unreadable(
        `the body holds a secret (${endpoint.secrets?.join(', ')}), which others can read on a command line: give it with --body -`,
      );
    return { ok: true, value: rawCall(endpoint, params, query, body) };
  } catch (error) {
    return unreadable(
      `the body is not JSON that can be sent (${error instanceof Error ? error.message : 'unknown cause'})`,
    );
  }
}

/** A name of the path that is itself a secret is given by the name of a variable. */
function pathValue(endpoint: Endpoint, name: string, text: string, env: NodeJS.ProcessEnv): Reading<string> {
  if (!endpoint.secrets?.includes(`{${name}}`)) return { ok: true, value: text };
  const [, variable] = /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(text) ?? [];
  if (variable === undefined)
    return unreadable(
      `--${name} is a secret, which others can read on a command line: put it into a variable and give --${name} env:VARIABLE`,
    );
  const value = env[variable];
  return value ? { ok: true, value } : unreadable(`--${name}: the variable ${variable} is not set`);
}

/** Every candidate that a query text may stand for; the first that the schema takes is sent. */
function queryValue(name: string, schema: AnySchema | undefined, texts: readonly string[]): Reading<QueryValue> {
  const [text = ''] = texts;
  const single =
    texts.length === 1 ? [text, asNumber(text), text === 'true' || text === 'false' ? text === 'true' : undefined] : [];
  const many = texts.flatMap((text) => text.split(','));
  const candidates = [...single, many, many.map((candidate) => asNumber(candidate) ?? candidate)].filter(
    (candidate) => candidate !== undefined,
  );
  const issues = candidates.map((candidate) => (schema ? v.safeParse(schema, candidate) : undefined));
  const at = issues.findIndex((issue) => issue === undefined || issue.success);
  if (at >= 0) return { ok: true, value: candidates[at] as QueryValue };
  return unreadable(`--${name}: ${issues[0]?.issues?.[0]?.message ?? 'cannot be read'}`);
}

function asNumber(text: string): number | bigint | undefined {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isSafeInteger(number) || text.includes('.') ? number : BigInt(text);
}

const mayLackBody = (schema: AnySchema): boolean => v.safeParse(schema, undefined).success;

const entriesOf = (endpoint: Endpoint): Readonly<Record<string, AnySchema>> =>
  (endpoint.query as { entries?: Record<string, AnySchema> } | undefined)?.entries ?? {};

const camel = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

function unknownName(endpoint: Endpoint, word: string): string {
  const { path, query } = namesOf(endpoint);
  const names = [...path, ...query, ...(endpoint.body ? ['body'] : [])].map((name) => `--${name}`);
  const takes = names.length > 0 ? `it takes ${names.join(', ')}` : 'it takes no names';
  return `${endpoint.id} does not know ${word.split('=')[0]?.slice(0, 60)}: ${takes}, --reveal and the flags of every command`;
}
