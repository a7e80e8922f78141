import * as v from 'valibot';
import {
  type AnySchema,
  type Call,
  type Endpoint,
  entriesOf,
  pathNames,
  type QueryValue,
  rawCall,
} from '../api/endpoint.ts';
import { hideSecrets } from '../api/secrets.ts';
import { type ParseResult, unreadable } from '../lib/function-results.ts';
import { parseExact, readJsonLines } from '../lib/json.ts';
import type { CallFlags } from './endpoint-command.ts';

/** The call, checked against the endpoint's names and the types of its query; the body is the service's to judge. */
export function buildCall(
  endpoint: Endpoint,
  { values, body: typed }: Pick<CallFlags, 'values' | 'body'>,
  bodyText: string | undefined,
  env: NodeJS.ProcessEnv,
): ParseResult<Call> {
  const params: Record<string, string> = {};
  for (const name of pathNames(endpoint.path)) {
    const read = pathValue(endpoint, name, values.get(name)?.[0] ?? '', env);
    if (!read.ok) return read;
    params[name] = read.value;
  }
  const query: Record<string, QueryValue> = {};
  for (const [name, schema] of Object.entries(entriesOf(endpoint.query))) {
    const texts = values.get(name);
    if (texts === undefined) continue;
    const read = queryValue(name, schema, texts, endpoint.repeated?.includes(name) === true);
    if (!read.ok) return read;
    query[name] = read.value;
  }
  if (bodyText === undefined) return { ok: true, value: rawCall(endpoint, params, query) };
  try {
    const body = parseExact(bodyText);
    const isOnTheLine = typed !== '-' && !typed?.startsWith('@');
    if (isOnTheLine && hideSecrets(body, endpoint.secrets).count > 0)
      return unreadable(
        `the body holds a secret (${endpoint.secrets?.join(', ')}), which others can read on a command line: give it with --body -`,
      );
    return { ok: true, value: rawCall(endpoint, params, query, body) };
  } catch (error) {
    const read = readJsonLines(bodyText);
    if (!read.ok) return unreadable(`the body is not JSON: line ${read.line}, column ${read.column}: ${read.missing}`);
    return unreadable(
      `the body is not JSON that can be sent (${error instanceof Error ? error.message : 'unknown cause'})`,
    );
  }
}

/** A name of the path that is itself a secret is given by the name of a variable. */
function pathValue(endpoint: Endpoint, name: string, text: string, env: NodeJS.ProcessEnv): ParseResult<string> {
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
function queryValue(
  name: string,
  schema: AnySchema,
  texts: readonly string[],
  isRepeated: boolean,
): ParseResult<QueryValue> {
  const [text = ''] = texts;
  const single =
    texts.length === 1 ? [text, asNumber(text), text === 'true' || text === 'false' ? text === 'true' : undefined] : [];
  const many = isRepeated ? [...texts] : texts.flatMap((text) => text.split(','));
  const candidates = [...single, many, many.map((candidate) => asNumber(candidate) ?? candidate)].filter(
    (candidate) => candidate !== undefined,
  );
  const read = candidates.map((candidate) => v.safeParse(schema, candidate));
  const at = read.findIndex(({ success }) => success);
  if (at >= 0) return { ok: true, value: candidates[at] as QueryValue };
  const [issue] = read[0]?.issues ?? [];
  // Of several forms: what is wrong with the one that is a text, as the typed one is.
  const inner = issue?.issues?.find(({ kind }) => kind === 'validation') ?? issue;
  return unreadable(`--${name}: ${inner?.message ?? 'cannot be read'}`);
}

function asNumber(text: string): number | bigint | undefined {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isSafeInteger(number) || text.includes('.') ? number : BigInt(text);
}
