import type { ServerResponse } from 'node:http';
import { stringifyExact } from '../../lib/json.ts';
import type { ApiResponse } from './handler.ts';

/** The body of a response as it is sent. */
export const bytesOf = ({ body, tail = '' }: ApiResponse): Buffer =>
  Buffer.from(typeof body === 'string' ? body : body === undefined ? '' : stringifyExact(body) + tail);

/** The headers of a response, without its length. */
export const headersOf = ({ type = 'application/json', headers }: ApiResponse): Record<string, string> => ({
  ...(type && { 'Content-Type': type }),
  ...headers,
});

/** Sends a response. */
export function respond(response: ApiResponse, outgoing: ServerResponse): void {
  const { status } = response;
  const bytes = bytesOf(response);
  const length = status === 204 ? {} : { 'Content-Length': bytes.length };
  outgoing.writeHead(status, { ...headersOf(response), ...length });
  outgoing.end(status === 204 ? undefined : bytes);
}
