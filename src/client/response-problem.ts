import { STATUS_CODES } from 'node:http';
import { type Endpoint, pathNames } from '../api/endpoint.ts';
import type { Problem, ProblemKind } from '../api/problem.ts';
import { parsedJson } from '../lib/json.ts';
import { span } from '../lib/time.ts';
import { isObject } from '../lib/values.ts';
import type { Failure, TransportResult } from './transport.ts';

/** Parsed body of a refusal: the service's messages, or what came instead. */
interface ErrorBody {
  /** One string each, exactly as sent. */
  readonly words: readonly string[];
  /** `errors`: JSON with an `errors` member; `json`: any other JSON; `page`: HTML or XML; `text`: anything else; `empty`. */
  readonly form: 'errors' | 'json' | 'page' | 'text' | 'empty';
  /** The title of a page. */
  readonly title?: string;
  /** The parsed body, where it was JSON. */
  readonly value?: unknown;
}

const mostWords = 50;

/** Longest body that is parsed, in UTF-16 units. */
const mostParsed = 256 * 1024;

/** Longest plain text that counts as a message, in UTF-16 units. */
const mostText = 300;

/**
 * Reads the body of a refusal in every shape that the contract lists (docs/contract/conventions.md#error-bodies):
 * `errors` as strings, as objects with `detail` or `title`, as an object of lists, as one string; JSON without it; a
 * page of a gateway; a short plain text; nothing. Never throws.
 */
export function readErrorBody(text: string): ErrorBody {
  const body = text.trim();
  if (body === '') return { words: [], form: 'empty' };
  const value = body.length > mostParsed ? undefined : parsedJson(body);
  if (value === undefined) {
    if (!body.startsWith('<')) return { words: body.length <= mostText ? [body] : [], form: 'text' };
    const title = /<title[^>]*>([^<]*)<\/title>/i.exec(body.slice(0, 10_000))?.[1]?.replace(/\s+/g, ' ').trim();
    return { words: [], form: 'page', ...(title && { title: title.slice(0, 100) }) };
  }
  if (!isObject(value)) return { words: typeof value === 'string' ? [value] : [], form: 'json', value };
  const words = messagesIn(value.errors);
  if (words.length > 0 || Array.isArray(value.errors)) return { words, form: 'errors', value };
  const other = [value.error, value.message, value.detail].filter((member) => typeof member === 'string');
  return { words: other.slice(0, 1), form: 'json', value };
}

/** The messages of an `errors` member, whatever its shape: strings, objects with `detail` or `title`, an object of lists, one string. */
export function messagesIn(errors: unknown): string[] {
  if (typeof errors === 'string') return [errors];
  if (!isObject(errors) && !Array.isArray(errors)) return [];
  const items = Array.isArray(errors) ? errors : Object.values(errors).flat();
  return items.slice(0, mostWords).flatMap((item) => {
    if (typeof item === 'string') return [item];
    if (!isObject(item)) return [];
    const own = [item.detail, item.title, item.message].find(
      (member) => typeof member === 'string' && member.trim() !== '',
    );
    return typeof own === 'string' ? [own] : [];
  });
}

type Answered = Extract<TransportResult, { kind: 'answer' }>;
type Failed = Extract<TransportResult, { kind: 'failure' }>;

/** A refusal of the service as a problem, in its own words where it gave any. `host` is named where it helps. */
export function problemOfAnswer(endpoint: Endpoint, answer: Answered, host: string, waitMs?: number): Problem {
  const { status } = answer;
  const body = readErrorBody(answer.text);
  const kind = kindOfStatus(endpoint, status, body);
  return {
    kind,
    text: sentence(kind, endpoint, answer, body, host, waitMs),
    messages: body.words,
    status,
    operation: endpoint.id,
    ...(kind === 'tooMany' && waitMs !== undefined && { waitMs }),
    ...(kind === 'forbidden' && mayBePermission(body) && { permission: endpoint.permission }),
  };
}

/** The problem of a request without a complete response. */
export function problemOfFailure(endpoint: Endpoint, { failure, code, status }: Failed, host: string): Problem {
  const kind: ProblemKind =
    failure === 'canceled' ? 'canceled' : failure === 'tooBig' || failure === 'packed' ? 'unreadable' : 'unreachable';
  const text = failureSentences[failure](host, code);
  const tooBig = failure === 'tooBig' && { tooBig: true as const };
  return { kind, text, messages: [], operation: endpoint.id, ...(status !== undefined && { status }), ...tooBig };
}

/** Texts of routers for an unknown path or method; they say nothing about an object. */
const bare =
  /^\W*((404|405|501)\W+)?(((page|path|route|url|endpoint|resource|operation|api) )?not found|method not allowed|not implemented)\W*$/i;

const isBare = (body: ErrorBody): boolean => body.words.every((words) => bare.test(words));

/**
 * Whether the operation itself does not exist here: a 404, 405 or 501 without a word about a thing. What the
 * specification has is never missing, `errors` in the shape of the contract for a path with an id are about the id, and no router
 * sends `data`.
 */
function isOperationMissing(endpoint: Endpoint, status: number, body: ErrorBody): boolean {
  if (endpoint.origin !== 'addition' || ![404, 405, 501].includes(status) || !isBare(body)) return false;
  if (isObject(body.value) && 'data' in body.value) return false;
  return status !== 404 || body.form !== 'errors' || pathNames(endpoint.path).length === 0;
}

function kindOfStatus(endpoint: Endpoint, status: number, body: ErrorBody): ProblemKind {
  if (isOperationMissing(endpoint, status, body)) return 'notOffered';
  if (status === 401 || status === 403) return 'forbidden';
  if (status === 404 || status === 410) return 'notFound';
  if (status === 409 || status === 412 || status === 423) return 'conflict';
  if (status === 429) return 'tooMany';
  if (status === 501) return 'invalid';
  if (status < 400 || status >= 500 || status === 407 || status === 408) return 'unreachable';
  return 'invalid';
}

function sentence(
  kind: ProblemKind,
  endpoint: Endpoint,
  { status, headers }: Answered,
  body: ErrorBody,
  host: string,
  waitMs: number | undefined,
): string {
  const words = body.words.map((word) => word.trim()).join('; ');
  const label = `${status} ${STATUS_CODES[status] ?? ''}`.trim();
  const heard = words || (body.title ? `${label}, an HTML page` : label);
  switch (kind) {
    case 'forbidden':
      return forbiddenSentence(endpoint, status, body);
    case 'notOffered':
      return `this deployment does not offer "${endpoint.title.toLowerCase()}" (${label})`;
    case 'tooMany': {
      const wait = waitMs === undefined ? 'wait a moment' : `wait ${span(waitMs, Math.ceil)}`;
      return `rate limited, ${wait}`;
    }
    case 'unreachable':
      if (status < 400) return redirectSentence(status, headers.location, host);
      if (words === '' || label.endsWith(words)) return `${label} from ${host}${body.title ? ' (an HTML page)' : ''}`;
      return `${label} from ${host}: ${words}`;
    case 'notFound':
      if (isBare(body) && pathNames(endpoint.path).length === 0)
        return `${host} has nothing at "${endpoint.title.toLowerCase()}" (${label}): check the base URL`;
      return words || `not found (${label})`;
    case 'conflict':
      return words || `it was changed or is in use (${label})`;
    default:
      return words || `the service refused the request (${heard})`;
  }
}

/** "... to update this locked monitor" is about this object, not about the person's permissions. */
const isAboutThing = (body: ErrorBody): boolean =>
  body.words.some((words) => /permission/i.test(words) && /\bthis\b/i.test(words));

/** What a refusal says beyond that it is one. */
const causesOf = (body: ErrorBody): readonly string[] =>
  body.words.filter((words) => !/^\W*(forbidden|unauthorized|not authorized)\W*$/i.test(words));

/**
 * Whether a permission may be missing: it is named, or nothing is (docs/contract/keys.md#application-key,
 * docs/contract/roles.md#choices). Another stated cause is the cause.
 */
const mayBePermission = (body: ErrorBody): boolean =>
  !isAboutThing(body) && (causesOf(body).length === 0 || causesOf(body).some((words) => /permission/i.test(words)));

// A revoked key and a missing permission are both 403; only the second says more than "Forbidden".
function forbiddenSentence(endpoint: Endpoint, status: number, body: ErrorBody): string {
  const need = endpoint.permission.join(' and ');
  const more = causesOf(body);
  if (isAboutThing(body)) return more.join('; ').trim();
  if (more.some((words) => /permission/i.test(words)))
    return need ? `your keys or role lack ${need}: ${more.join('; ').trim()}` : more.join('; ').trim();
  if (more.length > 0) return `refused (${status}): ${more.join('; ').trim()}`;
  const or = need ? `, or lack ${need}` : '';
  if (body.form === 'page')
    return `refused (${status}, an HTML page): a proxy may have refused it, or the keys are revoked or mistyped${or}`;
  return `the keys were not accepted (${status === 401 ? 'Unauthorized' : 'Forbidden'}): they may be revoked or mistyped${or}`;
}

function redirectSentence(status: number, location: string | undefined, host: string): string {
  if (location === undefined || !URL.canParse(location, `https://${host}`))
    return `${host} redirects (${status}), which is not followed: check the base URL`;
  const target = new URL(location, `https://${host}`).host;
  return `${host} redirects to ${target} (${status}); keys are sent to no other host: if ${target} is right, change the base URL`;
}

const failureSentences: Record<Failure, (host: string, code: string) => string> = {
  canceled: () => 'canceled',
  timeout: (host) => `${host} did not respond in time: check the network`,
  dns: (host) => `unknown host ${host}: check the base URL, DNS and the network`,
  refused: (host) => `cannot connect to ${host} (connection refused): is the service running?`,
  tls: tlsSentence,
  proxy: (host, code) => {
    const status = /_(\d{3})(_|$)/.exec(code)?.[1];
    if (status === '407')
      return `the proxy needs a user and a password (407): write user:password@ before its host in ${proxyName(code)}`;
    const refused = `the proxy refused the connection to ${host}`;
    return `${refused}${status === undefined ? '' : ` (${status})`}: check ${proxyName(code)} and NO_PROXY`;
  },
  noProxy: (_, code) => `the proxy cannot be reached: check ${proxyName(code)} and the network`,
  network: (host, code) => `the connection to ${host} broke${code ? ` (${code})` : ''}: check the network`,
  cut: (host) => `the response of ${host} was cut short`,
  tooBig: (host) =>
    `the response of ${host} is over the limit (8 MB, 32 MB unpacked): narrow the search or the time range`,
  packed: (host) => `the response of ${host} cannot be decompressed`,
};

/** The variable that names the proxy. */
const proxyName = (code: string): string => /_(all_proxy|https_proxy)$/i.exec(code)?.[1] ?? 'HTTPS_PROXY';

/** What is wrong with a certificate decides what to do; and where none came, the address is of something else. */
function tlsSentence(host: string, code: string): string {
  if (/WRONG_VERSION_NUMBER|EPROTO|PACKET_LENGTH|HTTP_REQUEST/.test(code))
    return `${host} does not speak TLS (${code}): check the port; is https served there?`;
  const ask = `check the clock of this machine, or ask the operator of ${host}`;
  if (code === 'CERT_HAS_EXPIRED') return `the certificate of ${host} has expired (${code}): ${ask}`;
  if (code === 'CERT_NOT_YET_VALID') return `the certificate of ${host} is not valid yet (${code}): ${ask}`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the certificate of ${host} is for another host (${code}): check the base URL`;
  if (/too weak/.test(code))
    return `the certificate of ${host} is too weak to be trusted (${code}): ask the operator of ${host} for one with a longer key`;
  return `the certificate of ${host} is not trusted (${code}): check the base URL and the clock; for your own CA set NODE_EXTRA_CA_CERTS`;
}
