import type { Endpoint } from '../../api/endpoint.ts';
import { type KeyHeaders, keyHeaders } from '../../api/key-headers.ts';
import type { Translator } from '../../api/vocabulary/translator.ts';

/** The parts of a request that may hold identifiers. */
interface WireRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/**
 * Translates between the deployment's vocabulary, used on the wire, and the neutral vocabulary,
 * used inside the simulator. Without a vocabulary both are the same.
 */
export interface WireVocabulary {
  readonly headers: KeyHeaders;
  /** The path template at which the operation is served. */
  path(endpoint: Endpoint): string;
  /** A request, in the words of the specification. */
  incoming(endpoint: Endpoint, request: WireRequest): WireRequest;
  /** The body of a response in the deployment's vocabulary; text that is not JSON is unchanged. */
  outgoing(endpoint: Endpoint, body: unknown): unknown;
}

/** Translates by this vocabulary; without one, nothing. */
export function wireVocabulary(vocabulary?: Translator): WireVocabulary {
  if (!vocabulary)
    return {
      headers: keyHeaders,
      path: (endpoint) => endpoint.path,
      incoming: (_, request) => request,
      outgoing: (_, body) => body,
    };
  const { back, out } = vocabulary.deployment;
  return {
    headers: vocabulary.headers,
    path: vocabulary.path,
    incoming(endpoint, { path, query, body }) {
      const sent = path.split('/');
      const words = endpoint.path.split('/').map((word, at) => (word.includes('{') ? (sent[at] ?? '') : word));
      // Translates pair by pair, because a name may be repeated.
      const pairs = [...query].flatMap(([name, value]) => Object.entries(back.query(endpoint, { [name]: value })));
      return {
        path: words.join('/'),
        query: new URLSearchParams(pairs as [string, string][]),
        body: back.body(endpoint, body),
      };
    },
    outgoing: (endpoint, body) => (typeof body === 'object' ? out.answer(endpoint, body) : body),
  };
}
