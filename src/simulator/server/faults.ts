import type { ApiResponse } from './handler.ts';

/** Selects requests: a part of `METHOD /path`, a pattern for it, or the operation's id. Absent = all. */
export type Match = string | RegExp;

/** One injected fault. `after`: the request is handled first. */
export type Fault =
  | { readonly kind: 'answers'; readonly answer: ApiResponse; readonly after: boolean }
  | { readonly kind: 'resets' | 'hangs'; readonly after: boolean }
  | { readonly kind: 'truncates' };

/** Injected faults. The first that matches a request is used up first. */
export interface Faults {
  add(fault: Fault, times: number, match?: Match): void;
  /** Uses up and returns the fault for this request, or undefined. */
  take(operation: string, line: string): Fault | undefined;
  clear(): void;
}

/** No faults until some are added. */
export function createFaults(): Faults {
  let pending: { fault: Fault; left: number; match: Match | undefined }[] = [];
  const fits = (match: Match | undefined, operation: string, line: string): boolean =>
    match === undefined || (typeof match === 'string' ? operation === match || line.includes(match) : match.test(line));
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
