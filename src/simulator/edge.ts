import type { Endpoint } from '../api/endpoint.ts';
import { type KeyHeaders, keyHeaders } from '../api/headers.ts';
import type { Translator } from '../api/vocabulary/translator.ts';

/** What of a request has identifiers in it. */
export interface ListQuery {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/**
 * Where the deployment's words end: on the wire there are only those, inside the simulator only those of the
 * specification. Without a vocabulary they are the same.
 */
export interface Edge {
  readonly headers: KeyHeaders;
  /** The path template at which the operation is served. */
  path(endpoint: Endpoint): string;
  /** A request, in the words of the specification. */
  taken(endpoint: Endpoint, asked: ListQuery): ListQuery;
  /** The body of an answer, in the deployment's words; texts that are no JSON stay. */
  given(endpoint: Endpoint, body: unknown): unknown;
}

/** The edge of a simulator that speaks this vocabulary. */
export function edgeOf(vocabulary?: Translator): Edge {
  if (!vocabulary)
    return {
      headers: keyHeaders,
      path: (endpoint) => endpoint.path,
      taken: (_, asked) => asked,
      given: (_, body) => body,
    };
  const { back, out } = vocabulary;
  return {
    headers: vocabulary.headers,
    path: vocabulary.path,
    taken(endpoint, { path, query, body }) {
      const sent = path.split('/');
      const words = endpoint.path.split('/').map((word, at) => (word.includes('{') ? (sent[at] ?? '') : word));
      // One pair after the other: a repeated name has several values.
      const pairs = [...query].flatMap(([name, value]) => Object.entries(back.query(endpoint, { [name]: value })));
      return {
        path: words.join('/'),
        query: new URLSearchParams(pairs as [string, string][]),
        body: back.body(endpoint, body),
      };
    },
    given: (endpoint, body) => (typeof body === 'object' ? out.answer(endpoint, body) : body),
  };
}
