import fc from 'fast-check';
import { check } from '../../src/query/check.ts';

/** What is said of a query, a line for each finding: `wrong 3000m: window 3000m is over … (write …)`. */
export function said(type: string, query: string, options?: unknown): string {
  return check(type, query, options)
    .findings.map(({ verdict, message, hint, start, end }) => {
      const mark = query.slice(start, end);
      return `${verdict} ${mark}: ${message}${hint === undefined ? '' : ` (${hint})`}`;
    })
    .join('\n');
}

/** A sentence with one piece of it replaced by another: often no sentence any more. */
export const damaged = (query: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      query,
      fc.nat(),
      fc.nat({ max: 3 }),
      fc.constantFrom(...'(){}",.:+-*/! <=\n', 'by', '1', 'a', 'IN', '{*}', "''"),
    )
    .map(([text, place, length, piece]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + piece + text.slice(at + length);
    });

/** Queries of one type, each with what is said of it: a table for a person to read. */
export const table = (type: string, queries: readonly string[]): string =>
  `\n${queries.map((it) => `${it}\n${said(type, it).replace(/^/gm, '  ')}`).join('\n')}\n`;

/** A tree without the places of its parts: equal for texts that differ in spaces alone. */
export const withoutPlaces = (tree: unknown): unknown =>
  JSON.parse(JSON.stringify(tree, (name, value) => (name === 'start' || name === 'end' ? undefined : value)));
