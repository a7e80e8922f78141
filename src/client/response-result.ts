import { type AnySchema, type Endpoint, entriesOf, isRead } from '../api/endpoint.ts';
import { mayBeEmpty } from '../api/envelope.ts';
import type { Problem, Result } from '../api/problem.ts';
import type { Translator } from '../api/vocabulary/translator.ts';
import {
  type EndOfList,
  jsonLimits,
  type Parsed,
  parseAtOnce,
  parseInSlices,
  runAtOnce,
  type Sliced,
} from '../lib/slices.ts';
import { isObject } from '../lib/values.ts';
import { jsonTypeName, readInSlices } from './read-response.ts';
import { messagesIn, problemOfAnswer, problemOfFailure, readErrorBody } from './response-problem.ts';
import { firstValues, isListOfNoObjects, removeTooLarge, translateInSlices } from './response-removals.ts';
import type { TransportResult } from './transport.ts';

/** Whether a 2xx response is a success (docs/design/reliability.md#responses). */

/** `status` values that mark a failed 2xx response. */
const failing = /^(error|fail|failed|failure|denied|forbidden)$/i;

/**
 * Why a 2xx response is a refusal: the texts of `errors` or `error`, or the member that says so (`status: error`).
 * Empty for a success. Members in the operation's schema do not count, nor does `errors` beside the resource, as on an
 * account (docs/contract/integrations.md#provider_a).
 */
function refusalMessages(endpoint: Endpoint, answer: unknown): readonly string[] {
  if (!isObject(answer)) return [];
  const entries = entriesOf(endpoint.response);
  const unknownMember = (name: string) => (name in entries ? undefined : answer[name]);
  const words = () => wordsOf(unknownMember('errors'), unknownMember('error'), answer.message);
  const status = holdsThing(endpoint, answer) ? unknownMember('status') : answer.status;
  if (typeof status === 'string' && failing.test(status)) return words() ?? [`status: ${status}`];
  for (const name of ['success', 'ok']) if (unknownMember(name) === false) return words() ?? [`${name}: false`];
  if (holdsThing(endpoint, answer)) return [];
  for (const name of ['errors', 'error'])
    if (isFilled(unknownMember(name))) return words() ?? [`the answer holds ${name}`];
  return [];
}

/** What the response of an edit lacks to prove it was applied, in words; undefined when nothing. */
function missingIn(endpoint: Endpoint, answer: unknown): string | undefined {
  if (isRead(endpoint)) return undefined;
  if (mayBeEmpty(endpoint)) {
    if (endpoint.verb === 'delete' && answer !== undefined && !isOfDelete(endpoint, answer))
      return 'the response is not that of a delete';
    return answer === undefined || typeof answer === 'object' ? undefined : 'the answer is not an object';
  }
  if (answer === undefined) return 'the answer is empty';
  if (!isObject(answer)) return 'the answer is not an object';
  return holdsThing(endpoint, answer) ? undefined : `${thingOf(endpoint.response) ?? 'the thing'} is missing`;
}

/** Every delete of the contract answers without a body or with an empty object, but for those that may tell what is gone. */
const isOfDelete = ({ secrets = [] }: Endpoint, answer: unknown): boolean =>
  isObject(answer) && (Object.keys(answer).length === 0 || secrets.some((place) => !place.startsWith('{')));

/** The member that holds or identifies the resource: `data`, `id`, or the only member. */
function thingOf(schema: AnySchema): string | undefined {
  const names = Object.keys(entriesOf(schema));
  return ['data', 'id'].find((name) => names.includes(name)) ?? (names.length === 1 ? names[0] : undefined);
}

function holdsThing(endpoint: Endpoint, answer: Readonly<Record<string, unknown>>): boolean {
  const name = thingOf(endpoint.response);
  // Where the contract describes no response: the usual members.
  const things = name === undefined ? [answer.data, answer.id] : [answer[name]];
  return things.some((thing) => thing != null && (!isObject(thing) || Object.keys(thing).length > 0));
}

function wordsOf(errors: unknown, error: unknown, message: unknown): readonly string[] | undefined {
  const found = [messagesIn(errors), messagesIn(isObject(error) ? [error] : error), messagesIn(message)];
  return found.find((words) => words.length > 0);
}

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);

/** Outcome of one attempt. */
export type AttemptOutcome =
  /** Nothing was sent: certainly not applied. */
  | { readonly kind: 'unsent' }
  /** 429: certainly not applied; `waitMs` where the answer asked for a wait. */
  | { readonly kind: 'refused'; readonly waitMs?: number | undefined }
  /** Timeout, reset, 5xx or a truncated response: unknown whether applied; `isLate`: it may still be. */
  | { readonly kind: 'doubt'; readonly isLate?: boolean }
  /** Any other response: a retry would not change it. */
  | { readonly kind: 'final' };

/** One attempt: its outcome for the retry policy, and the result if it is the last. */
export interface Attempt {
  readonly seen: AttemptOutcome;
  readonly result: Result<unknown>;
}

/** The operation, its transport result, the host for messages, and the deployment's vocabulary. */
type Judged = [
  endpoint: Endpoint,
  sent: TransportResult,
  host: string,
  waitMs: number | undefined,
  vocabulary?: Translator,
  ends?: EndOfList,
];

/**
 * The outcome of one request. `waitMs` is the wait that the response asks for. Responses are translated to the neutral
 * words of the specification; a refusal keeps the service's text, and our own text beside it is in the deployment's
 * words. Never throws.
 */
export const judge = (...given: Judged): Attempt => runAtOnce(judgeInSlices(...given));

/** Judges a response in slices, so that a large response does not block (docs/design/reliability.md#responses). */
export function* judgeInSlices(...[endpoint, sent, host, waitMs, vocabulary, ends]: Judged): Sliced<Attempt> {
  if (sent.kind === 'failure') {
    const result: Result<unknown> = { ok: false, problem: problemOfFailure(endpoint, sent, host) };
    return { seen: seenInFailure(endpoint, sent), result };
  }
  if (isSuccess(endpoint, sent)) {
    const judged = yield* opened(endpoint, sent, host, vocabulary, ends);
    if (judged.result.ok || sent.status !== 404) return judged;
  }
  const result: Result<unknown> = {
    ok: false,
    problem: problemOfAnswer(named(endpoint, vocabulary), sent, host, waitMs),
  };
  if (sent.status === 429) return { seen: { kind: 'refused', waitMs }, result };
  if (!isOpen(endpoint, sent.status)) return { seen: { kind: 'final' }, result };
  return { seen: { kind: 'doubt', isLate: sent.status === 504 || sent.status === 408 }, result };
}

/** Whether the effect of an edit is unknown after this status. A redirect counts: it may follow the edit. */
function isOpen(endpoint: Endpoint, status: number): boolean {
  if (status >= 300 && status < 400) return !isRead(endpoint);
  return (status >= 500 && status !== 501) || status === 408;
}

/** The operation with title and permissions in the deployment's words. */
const named = (endpoint: Endpoint, vocabulary: Translator | undefined): Endpoint =>
  vocabulary
    ? {
        ...endpoint,
        title: vocabulary.says(endpoint.title),
        permission: endpoint.permission.map(vocabulary.permission),
      }
    : endpoint;

function seenInFailure(endpoint: Endpoint, sent: Extract<TransportResult, { kind: 'failure' }>): AttemptOutcome {
  if (!sent.left) {
    const passing = ['timeout', 'refused', 'noProxy', 'network'].includes(sent.failure) || sent.code === 'EAI_AGAIN';
    return { kind: passing ? 'unsent' : 'final' };
  }
  const hopeless = sent.failure === 'canceled' || sent.failure === 'tooBig' || sent.failure === 'packed';
  return isRead(endpoint) && hopeless ? { kind: 'final' } : { kind: 'doubt', isLate: sent.failure === 'timeout' };
}

/** 2xx, or the 404 of a read with a list and without `errors`: an empty result (docs/contract/conventions.md#error-bodies). */
function isSuccess(endpoint: Endpoint, { status, text }: Extract<TransportResult, { kind: 'answer' }>): boolean {
  if (status >= 200 && status < 300) return true;
  if (status !== 404 || !isRead(endpoint)) return false;
  const { value, form } = readErrorBody(text);
  return form === 'json' && Array.isArray((value as { data?: unknown } | null)?.data);
}

const nothing: Parsed = { kind: 'json', value: undefined };

function* opened(
  endpoint: Endpoint,
  { status, text, bytes }: Extract<TransportResult, { kind: 'answer' }>,
  host: string,
  vocabulary: Translator | undefined,
  ends: EndOfList | undefined,
): Sliced<Attempt> {
  const list = endpoint.verb === 'list' || endpoint.verb === 'search';
  const isEmpty = !bytes && text.trim() === '';
  const unusable = (what: string, fields: readonly string[], more: Partial<Problem> = {}): Attempt => {
    const sentence = isRead(endpoint)
      ? `the response of ${host} cannot be read: ${what}`
      : `${host} answers ${status}, but ${what}`;
    const result = unreadable(endpoint, status, sentence, fields, more);
    return { seen: { kind: isRead(endpoint) ? 'final' : 'doubt' }, result };
  };
  if (list && isListOfNoObjects(bytes ?? text)) {
    const count = firstValues.toLocaleString('en');
    return unusable(`it is a list whose first ${count} values are not objects`, [
      'the answer: expected a list of objects',
    ]);
  }
  const parsed = bytes ? yield* parseInSlices(bytes, jsonLimits, ends) : isEmpty ? nothing : parseAtOnce(text);
  if (parsed.kind === 'broken') return notJson(endpoint, status, bytes ? bytes.toString() : text, host);
  const tooMuch = () =>
    unusable(
      `it holds more than ${jsonLimits.values.toLocaleString('en')} values: narrow the search or the time range`,
      [],
      { tooBig: true },
    );
  if (parsed.kind === 'tooMuch') return tooMuch();
  const words = refusalMessages(endpoint, parsed.value);
  if (words.length > 0) return done(refusedAll(endpoint, status, words));
  if (!(yield* removeTooLarge(parsed.value))) return tooMuch();
  const back = vocabulary?.back;
  const value = back ? yield* translateInSlices(parsed.value, (part) => back.answer(endpoint, part)) : parsed.value;
  const lack = missingIn(endpoint, value);
  if (lack !== undefined) return unusable(lack, [lack]);
  const reading = yield* readInSlices(endpoint.response, value, list);
  if (!reading.ok) return unusable(isEmpty ? 'it is empty' : reading.fields.slice(0, 3).join('; '), reading.fields);
  return done({ ok: true, value: reading.value, status, unread: reading.unread });
}

const refusedAll = (endpoint: Endpoint, status: number, words: readonly string[]): Result<unknown> => ({
  ok: false,
  problem: {
    kind: isRead(endpoint) && endpoint.verb !== 'check' ? 'unreadable' : 'invalid',
    text: `the service answers ${status}, but reports: ${words.map((word) => word.trim()).join('; ')}`,
    messages: words,
    status,
    operation: endpoint.id,
    ...(isRead(endpoint) && { fields: ['the answer: errors instead of the data'] }),
  },
});

// A page instead of JSON comes from a proxy: whether the edit arrived is unknown.
function notJson(endpoint: Endpoint, status: number, text: string, host: string): Attempt {
  const { form, title } = readErrorBody(text);
  const what = form === 'page' ? `a web page${title ? ` titled "${title}"` : ''}` : 'text that is not JSON';
  const advice = form === 'page' ? ': is the base URL right, or is there a login page in between?' : '';
  const result = unreadable(endpoint, status, `${host} answers with ${what}${advice}`, [
    `the answer: expected JSON, got ${form === 'page' ? 'a web page' : jsonTypeName(text)}`,
  ]);
  return { seen: { kind: isRead(endpoint) ? 'final' : 'doubt' }, result };
}

const done = (result: Result<unknown>): Attempt => ({ seen: { kind: 'final' }, result });

const unreadable = (
  endpoint: Endpoint,
  status: number,
  text: string,
  fields: readonly string[],
  more: Partial<Problem> = {},
): Result<unknown> => ({
  ok: false,
  problem: { kind: 'unreadable', text, messages: [], status, operation: endpoint.id, fields, ...more },
});
