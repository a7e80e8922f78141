import type { Answer } from './answer.ts';

/** Which calls a fault is for: a part of `METHOD /path`, a pattern over it, or the operation's id. Absent = any. */
export type Match = string | RegExp;

/** How a call may go wrong on the way. `answer` is sent instead of, or after, the real work. */
export type Fault =
  | { readonly kind: 'answers'; readonly answer: Answer; readonly after: boolean }
  | { readonly kind: 'resets' | 'hangs'; readonly after: boolean }
  | { readonly kind: 'truncates' };

/** The faults that wait for their calls. The first that fits is used up first. */
export interface Faults {
  add(fault: Fault, times: number, match?: Match): void;
  /** Takes the fault for this call, or undefined. */
  take(operation: string, line: string): Fault | undefined;
  clear(): void;
}

/** No faults until some are added. */
export function createFaults(): Faults {
  let waiting: { fault: Fault; left: number; match: Match | undefined }[] = [];
  const fits = (match: Match | undefined, operation: string, line: string): boolean =>
    match === undefined || (typeof match === 'string' ? operation === match || line.includes(match) : match.test(line));
  return {
    add: (fault, times, match) => {
      waiting.push({ fault, left: times, match });
    },
    take: (operation, line) => {
      const found = waiting.find((fault) => fits(fault.match, operation, line));
      if (!found) return undefined;
      found.left -= 1;
      waiting = waiting.filter((fault) => fault.left > 0);
      return found.fault;
    },
    clear: () => {
      waiting = [];
    },
  };
}

/** A page as an edge proxy sends it. */
export const page = (status: number, title: string): Answer => ({
  status,
  type: 'text/html; charset=utf-8',
  body: `<!DOCTYPE html>\n<html><head><title>${status} ${title}</title></head><body><h1>${title}</h1></body></html>\n`,
});
