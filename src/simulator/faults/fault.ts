import { STATUS_CODES } from 'node:http';
import type { ApiResponse } from '../server/handler.ts';
import type { FaultRule } from './read-fault-plan.ts';

/** What happens to one request: a fault of a plan, or any response. */
export interface Fault {
  readonly does: FaultRule | AnyResponse;
  /** In [0, 1): chooses within the range of the fault. */
  readonly chance: number;
}

interface AnyResponse {
  readonly fault: 'response';
  readonly response: ApiResponse;
  /** Default: before the request is handled. */
  readonly when?: 'before' | 'after' | undefined;
}

/** Chooses the fault of each request; undefined = none. */
export interface FaultSource {
  take(operation: string, isRead: boolean): Fault | undefined;
}

/** An HTML error page as an edge proxy sends it. */
export const errorPage = (status: number, title: string): ApiResponse => ({
  status,
  type: 'text/html; charset=utf-8',
  body: `<!DOCTYPE html>\n<html><head><title>${status} ${title}</title></head><body><h1>${title}</h1></body></html>\n`,
});

/** The response in place of the operation's own; undefined for a fault of another sort. */
export function faultResponse({ does, chance }: Fault): ApiResponse | undefined {
  switch (does.fault) {
    case 'response':
      return does.response;
    case 'page':
      return errorPage(does.status ?? 502, STATUS_CODES[does.status ?? 502] ?? 'Problem');
    case 'empty':
      return { status: 200 };
    case 'envelope':
      return { status: 200, body: envelopes[Math.floor(chance * envelopes.length)] };
    case 'status':
      return { status: does.status, body: { errors: [STATUS_CODES[does.status] ?? 'Problem'] } };
    case 'rate-limit':
      return { status: 429, body: { errors: ['Too Many Requests'] }, headers: rateHeaders(does.headers, chance) };
    case 'unauthorized':
      return { status: 401, body: { errors: ['Unauthorized'] } };
    case 'redirect':
      return { status: does.status ?? 307, headers: { Location: does.to ?? 'https://elsewhere.example.test/' } };
    default:
      return undefined;
  }
}

/** JSON that no operation answers. */
const envelopes: readonly unknown[] = [null, {}, [], { result: {} }, { data: null }, { data: 7 }, 'ok'];

const lies = ['-1', 'NaN', '1e300', '0', 'soon', '99999999999999999999'];

function rateHeaders(sort: 'right' | 'none' | 'lying' = 'right', chance: number): Record<string, string> {
  if (sort === 'none') return {};
  const reset = sort === 'lying' ? (lies[Math.floor(chance * lies.length)] ?? '') : '2';
  return {
    'X-RateLimit-Limit': '100',
    'X-RateLimit-Period': '10',
    'X-RateLimit-Remaining': sort === 'lying' ? '100' : '0',
    'X-RateLimit-Reset': reset,
    'Retry-After': reset,
  };
}
