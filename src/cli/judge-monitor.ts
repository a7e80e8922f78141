import { findItems } from '../api/paging.ts';
import { paint } from '../lib/paint.ts';
import { cells, cut, graphemes } from '../lib/text.ts';
import { isObject } from '../lib/values.ts';
import { check, checkMonitor, guessType } from '../query/check-query.ts';
import { type Diagnostic, wrong } from '../query/language.ts';

/** How verdicts are printed. */
export const verdictFormats = ['text', 'json', 'github', 'sarif'] as const;
export type VerdictFormat = (typeof verdictFormats)[number];
export const isVerdictFormat = (word: string): word is VerdictFormat => verdictFormats.some((one) => one === word);

/** What was found of one query or line. */
export interface Judged {
  readonly query: string;
  readonly type: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** What the flags say of a monitor that does not say it itself. */
export interface Assumed {
  readonly type?: string;
  readonly options?: unknown;
}

export function judgeMonitor(monitor: unknown, given: Assumed, what: 'line' | 'monitor'): Judged {
  if (!isObject(monitor)) return unread(`the ${what} is not an object`, 'such as {"type": "log alert", "query": "…"}');
  if (typeof monitor.query !== 'string')
    return unread(`the ${what} has no query`, 'such as {"type": "…", "query": "…"}');
  const { query } = monitor;
  const type = typeof monitor.type === 'string' ? monitor.type : (given.type ?? guessType(query));
  const options = monitor.options ?? given.options;
  return { query, type, diagnostics: checkMonitor({ ...monitor, type, options }) };
}

export function judgeQuery({
  query,
  type = guessType(query),
  options,
}: {
  query: string;
  type?: string;
  options?: unknown;
}): Judged {
  return { query, type, diagnostics: check(type, query, options).diagnostics };
}

export const unread = (message: string, hint: string): Judged => ({
  query: '',
  type: '',
  diagnostics: [wrong({ start: 0, end: 0 }, message, hint)],
});

/** Whether a value is one monitor, and not an answer around several. */
export const isMonitor = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && typeof value.query === 'string';

/** The array of an answer, or the one that a value is. */
export const listIn = (value: unknown): readonly unknown[] | undefined =>
  findItems(value) ?? (isObject(value) ? [value.items, value.rows].find(Array.isArray) : undefined);

/** Whether a file of this name is one of JSON, or of JSON lines. */
export const isJsonName = (name: string): boolean => /\.(json|jsonl|ndjson)$/.test(name);

/** How many characters (code points) so many units of a text are. */
export function characters(text: string, units: number): number {
  let count = 0;
  for (const _ of text.slice(0, units)) count += 1;
  return count;
}

/** Most cells of an output line. */
const room = 78;
/** More than this of a text is in no line of `room` cells. */
const most = 400;

/**
 * A query on one line and, under it, the marks below the fault; painted. A query that is too long is cut around the
 * fault, so that this is always seen.
 */
export function underlined(
  query: string,
  { start, end }: Pick<Diagnostic, 'start' | 'end'>,
): [query: string, marks: string] {
  const before = paint(query.slice(Math.max(0, start - most), start));
  const after = paint(query.slice(end, end + most));
  const isLong = query.length > most || cells(before) + cells(paint(query.slice(start, end))) + cells(after) > room;
  const fault = cut(paint(query.slice(start, Math.min(end, start + most))), isLong ? 40 : room);
  const left = room - cells(fault);
  const head = isLong ? lastCells(before, Math.max(Math.floor(left / 2), left - cells(after))) : before;
  const tail = cut(after, left - cells(head));
  return [head + fault + tail, ' '.repeat(cells(head)) + '^'.repeat(Math.max(1, cells(fault)))];
}

/** At most `width` cells of the end of a painted text; what is left out is told by the ellipsis. */
function lastCells(text: string, width: number): string {
  if (cells(text) <= width) return text;
  let errorText = '';
  for (const letter of graphemes(text).toReversed()) {
    if (cells(letter + errorText) > width - 1) break;
    errorText = letter + errorText;
  }
  return `…${errorText}`;
}
