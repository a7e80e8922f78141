import { check } from '../../src/query/check-query.ts';
import type { UsedWords } from '../../src/query/language.ts';
import { completeQuery } from '../../src/query/query-help.ts';

/** A query of a monitor type, with the options that affect its validity. */
export interface Example {
  readonly type: string;
  readonly query: string;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** The diagnostics of a query, one per line: `wrong 3000m: window 3000m is over … (write …)`. */
export function said(type: string, query: string, options?: unknown): string {
  return check(type, query, options)
    .diagnostics.map(({ verdict, message, hint, start, end }) => {
      const mark = query.slice(start, end);
      return `${verdict} ${mark}: ${message}${hint === undefined ? '' : ` (${hint})`}`;
    })
    .join('\n');
}

/** A tree without positions: equal for texts that differ only in spaces. */
export const withoutPlaces = (tree: unknown): unknown =>
  JSON.parse(JSON.stringify(tree, (name, value) => (name === 'start' || name === 'end' ? undefined : value)));

/** A query with each completion inserted at its `|`; `|` marks the cursor in the results. */
export function takenOf(type: string, marked: string, known: UsedWords): string[] {
  const at = marked.indexOf('|');
  const text = marked.replace('|', '');
  const found = completeQuery(type, text, at, known);
  return (found?.items ?? []).map(({ text: put, cursor = put.length }) => {
    const whole = `${put.slice(0, cursor)}|${put.slice(cursor)}`;
    return text.slice(0, found?.start) + whole + text.slice(found?.end);
  });
}
