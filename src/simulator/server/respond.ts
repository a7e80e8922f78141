import type { ServerResponse } from 'node:http';
import { stringifyExact } from '../../lib/json.ts';
import type { ApiResponse } from './handler.ts';

/** The body of a response as it is sent. */
export const responseBytes = ({ body, tail = '' }: ApiResponse): Buffer =>
  Buffer.from(typeof body === 'string' ? body : body === undefined ? '' : stringifyExact(body) + tail);

/** The headers of a response, without its length. */
export const responseHeaders = ({ type = 'application/json', headers }: ApiResponse): Record<string, string> => ({
  ...(type && { 'Content-Type': type }),
  ...headers,
});

/** Sends a response. */
export function respond(response: ApiResponse, outgoing: ServerResponse): void {
  const { status } = response;
  const bytes = responseBytes(response);
  const length = status === 204 ? {} : { 'Content-Length': bytes.length };
  outgoing.writeHead(status, { ...responseHeaders(response), ...length });
  outgoing.end(status === 204 ? undefined : bytes);
}
