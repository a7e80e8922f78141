import type { ApiResponse } from '../server/handler.ts';

/** Selects requests: a part of `METHOD /path`, a pattern for it, or the operation's id. Absent = all. */
export type Match = string | RegExp;

/** One injected fault. `after`: the request is handled first. */
export type Fault =
  | { readonly kind: 'answers'; readonly answer: ApiResponse; readonly after: boolean }
  | { readonly kind: 'resets' | 'hangs'; readonly after: boolean }
  /** Real milliseconds. */
  | { readonly kind: 'delays'; readonly ms: number; readonly after: boolean }
  /** Over the limit of a client: on the wire, or only when it is unpacked. */
  | { readonly kind: 'bloats'; readonly packed: boolean; readonly after: boolean }
  /** Another operator sends the same request, with this body where there is one; the connection is reset. */
  | { readonly kind: 'overtakes'; readonly body?: unknown; readonly after: boolean }
  | { readonly kind: 'truncates' }
  /** Resets a connection that has served a request before. */
  | { readonly kind: 'resetsReused' }
  /** Sends the body in pieces, with real milliseconds between them. */
  | { readonly kind: 'drips'; readonly ms: number }
  | { readonly kind: 'lies'; readonly about: 'length' | 'type' | 'encoding' };

/** Chooses the fault of each request; undefined = none. */
export interface FaultSource {
  take(operation: string, line: string, isRead: boolean): Fault | undefined;
}

/** Injected faults. The first that matches a request is used up first. */
export interface Faults extends FaultSource {
  add(fault: Fault, times: number, match?: Match): void;
  clear(): void;
}

/** Whether a request is selected. */
export const fits = (match: Match | undefined, operation: string, line: string): boolean =>
  match === undefined || (typeof match === 'string' ? operation === match || line.includes(match) : match.test(line));

/** No faults until some are added. */
export function createFaults(): Faults {
  let pending: { fault: Fault; left: number; match: Match | undefined }[] = [];
  return {
    add: (fault, times, match) => {
      pending.push({ fault, left: times, match });
    },
    take: (operation, line) => {
      const found = pending.find((fault) => fits(fault.match, operation, line));
      if (!found) return undefined;
      found.left -= 1;
      pending = pending.filter((fault) => fault.left > 0);
      return found.fault;
    },
    clear: () => {
      pending = [];
    },
  };
}

/** An HTML error page as an edge proxy sends it. */
export const page = (status: number, title: string): ApiResponse => ({
  status,
  type: 'text/html; charset=utf-8',
  body: `<!DOCTYPE html>\n<html><head><title>${status} ${title}</title></head><body><h1>${title}</h1></body></html>\n`,
});
