import { type AnySchema, type Endpoint, entriesOf, isRead } from '../api/endpoint.ts';
import { mayBeEmpty } from '../api/envelope.ts';
import { isObject } from '../lib/values.ts';
import { messagesIn } from './error-body.ts';

/** Whether a 2xx response is a success (docs/design/reliability.md#responses). */

/** `status` values that mark a failed 2xx response. */
const failing = /^(error|fail|failed|failure|denied|forbidden)$/i;

/**
 * Why a 2xx response is a refusal: the texts of `errors` or `error`, or the member that says so (`status: error`).
 * Empty for a success. Members in the operation's schema do not count, nor does `errors` beside the resource, as on an
 * account (docs/contract/integrations.md#provider_a).
 */
export function refusalMessages(endpoint: Endpoint, answer: unknown): readonly string[] {
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
export function missingIn(endpoint: Endpoint, answer: unknown): string | undefined {
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
