import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { generators } from '../support/generators.ts';
import { said, withoutPlaces } from '../support/queries.ts';
import { runs } from '../support/runs.ts';

/** Tokens with optional spaces between them: quoted texts, scopes, words and numbers. */
const piece =
  /"(?:[^"\\]|\\.)*"|'[^']*'|\{(?:\{\{[^}]*\}\}|[^{}])*\}|-?\d[\d.]*[eE]-\d+|[\w-]+(?=\()|-?[\w.]+|[<>=!&|]+|./gs;
const gap = fc.constantFrom('', ' ', '\n', '\t  ', '\r\n');

test('every grammar has a generator', () => {
  expect(generators.map(([name]) => name)).toEqual(['chain', 'check', 'composite', 'formula', 'metric']);
});

describe.each(generators)('%s', (_, sentences) => {
  test('every generated query is valid', () => {
    fc.assert(
      fc.property(sentences, ({ type, query, options }) => {
        expect(said(type, query, options)).toBe('');
      }),
      { numRuns: runs(1_500) },
    );
  });

  test('spaces and line breaks between the parts change nothing', () => {
    fc.assert(
      fc.property(sentences, fc.infiniteStream(gap), ({ type, query }, gaps) => {
        const spaced = [...query.matchAll(piece)].map(([text]) => `${gaps.next().value}${text}`).join('');
        const { verdict, tree } = check(type, spaced);
        expect(verdict).toBe('fine');
        expect(withoutPlaces(tree)).toEqual(withoutPlaces(check(type, query).tree));
      }),
      { numRuns: runs(500) },
    );
  });
});
