import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { completeQuery } from '../../src/query/query-help.ts';
import { generators } from '../support/generators.ts';
import type { Example } from '../support/queries.ts';
import { runs } from '../support/runs.ts';

/** Characters with and without a meaning in the grammars. */
const signs = [
  ...'"\'`(){}[]<>=!&|,.:;*+-/\\%@#$~^_ \t\n\r\u0000',
  'é',
  '界',
  '😀',
  '\ud83d',
  '\udc00',
  '\u202e',
  '\u200b',
];
const words = [
  'last',
  'avg',
  'by',
  '()',
  '""',
  '{}',
  '5m',
  '0',
  '1e999',
  '-',
  'formula(',
  '.last("',
  '&&',
  '((((((((',
  '\\"',
  ' by ',
  'IN',
  '{*}',
  "''",
];
const piece = fc.oneof(
  fc.constantFrom(...signs),
  fc.constantFrom(...words),
  fc.string({ unit: 'binary', maxLength: 4 }),
);

const place = fc.nat({ max: 1_000_000 });
const change = fc.oneof(
  fc.record({ how: fc.constant('delete' as const), at: place, length: fc.nat({ max: 9 }) }),
  fc.record({ how: fc.constant('twice' as const), at: place, length: fc.nat({ max: 9 }) }),
  fc.record({ how: fc.constant('swap' as const), at: place, length: fc.constant(1) }),
  fc.record({ how: fc.constant('cut' as const), at: place, length: fc.constant(0) }),
  fc.record({ how: fc.constant('put' as const), at: place, length: fc.nat({ max: 1 }), piece }),
);
type Change = typeof change extends fc.Arbitrary<infer Change> ? Change : never;

function changed(text: string, value: Change): string {
  const at = value.at % (text.length + 1);
  const [before, part, after] = [text.slice(0, at), text.slice(at, at + value.length), text.slice(at + value.length)];
  if (value.how === 'delete') return before + after;
  if (value.how === 'twice') return before + part + part + after;
  if (value.how === 'swap') return before + after.slice(0, 1) + part + after.slice(1);
  return value.how === 'put' ? before + value.piece + after : before;
}

function findsItsWay({ type, query, options }: Example): void {
  const { verdict, diagnostics } = check(type, query, options);
  expect(verdict).toBe(diagnostics[0]?.verdict ?? 'fine');
  for (const { start, end, message } of diagnostics) {
    expect(message).not.toBe('');
    expect(start).toBeGreaterThanOrEqual(0);
    expect(end).toBeLessThanOrEqual(query.length);
    if (query === '') expect([start, end]).toEqual([0, 0]);
    else expect(end, JSON.stringify({ message, query })).toBeGreaterThan(start);
  }
}

describe.each(generators)('%s', (_, sentences) => {
  test('every diagnostic of a mutated query has a range inside it', () => {
    fc.assert(
      fc.property(sentences, fc.array(change, { minLength: 1, maxLength: 4 }), (sentence, changes) => {
        findsItsWay({ ...sentence, query: changes.reduce(changed, sentence.query) });
      }),
      { numRuns: runs(1_500, 250) },
    );
  });

  test('every prefix of a query gives diagnostics and suggestions without an error', () => {
    fc.assert(
      fc.property(sentences, place, ({ type, query, options }, to) => {
        const at = to % (query.length + 1);
        findsItsWay({ type, query: query.slice(0, at), options });
        const completion = completeQuery(type, query, at, { metrics: ['a.b'], tags: ['env:prod'], keys: ['host'] });
        if (!completion) return;
        expect(completion.end).toBeGreaterThanOrEqual(at);
        expect(completion.end).toBeLessThanOrEqual(query.length);
        expect(completion.start).toBeGreaterThanOrEqual(0);
        expect(completion.start).toBeLessThanOrEqual(at);
        for (const { text, cursor = 0 } of completion.items) {
          expect(text).not.toBe('');
          expect(cursor).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: runs(300) },
    );
  });
});

test('a word of any length gives a message of bounded length', () => {
  const word = 'x'.repeat(3_000);
  for (const [type, query] of [
    ['rum alert', `formula(${word}).last("${word}") > ${word}`],
    ['query alert', `${word}(last_${word}):${word}:a{*} > 1`],
    ['log alert', `${word}("a").rollup("${word}").last("${word}") => ${word}`],
    ['service check', `"a".over("*").by("*").last(${word}).count_by_status()`],
    ['composite', `1 && ${word}`],
  ] as const) {
    const { diagnostics } = check(type, query);
    expect(diagnostics).not.toEqual([]);
    for (const { message, hint = '' } of diagnostics) expect(message.length + hint.length).toBeLessThan(300);
  }
});

/** A grammar with exponential backtracking would exceed the timeout of the test. */
describe('texts that provoke backtracking in a parser', () => {
  const repeats = [
    '(',
    '((a',
    '!',
    '"',
    "'",
    '{',
    '\\',
    '"\\',
    'a(',
    'a,',
    'a.',
    '-',
    '+ ',
    'f(a, ',
    '.by("a',
    'a:b{',
    ' AND ',
    '.',
    '>= ',
  ];
  const heads = [
    ['query alert', 'avg(last_5m):'],
    ['query alert', 'avg(last_5m):avg:a{'],
    ['query alert', 'avg(last_5m):avg:a{*} by {'],
    ['log alert', 'logs("'],
    ['log alert', 'logs("a")'],
    ['error-tracking alert', 'error-tracking('],
    ['process alert', 'processes("a").over('],
    ['slo alert', 'error_budget('],
    ['service check', '"a".over('],
    ['composite', '1 && '],
    ['cost alert', 'formula("'],
    ['cost alert', 'formula("a")'],
  ] as const;

  test.each(heads)('%s: %s…', (type, head) => {
    for (const text of repeats) {
      const long = head + text.repeat(Math.ceil(20_000 / text.length));
      findsItsWay({ type, query: long });
      completeQuery(type, long, long.length);
    }
  });
});
