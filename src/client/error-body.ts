import { parsedJson } from '../lib/json.ts';
import { isObject } from '../lib/values.ts';

/** Parsed body of a refusal: the service's messages, or what came instead. */
export interface ErrorBody {
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
