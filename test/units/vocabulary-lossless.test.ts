import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../src/api/all-endpoints.ts';
import { contract } from '../../src/api/vocabulary/contract.ts';
import {
  createDictionary,
  identifierParts,
  neutralWords,
  overlappingWords,
} from '../../src/api/vocabulary/dictionary.ts';
import { createTranslator } from '../../src/api/vocabulary/translator.ts';
import { arbitrary, type Fill } from '../support/arbitrary.ts';
import { invented, inventedWords } from '../support/invented.ts';
import { runs } from '../support/runs.ts';

const theirs = Object.values(invented.words);
const exceptions = Object.values(invented.values).flatMap((words) => [...Object.keys(words), ...Object.values(words)]);
const roles = ['Service Admin Role', 'Zephyrine Admin Role', 'Zephyrine Odd Role'];

/** Identifiers with neutral words, deployment words and neither, in every mixture. */
const piece = fc.constantFrom(...neutralWords, ...theirs, 'client', 'id', 'x', 'provider', 'a', 'account');
const identifier = fc
  .tuple(fc.array(piece, { minLength: 1, maxLength: 4 }), fc.constantFrom('_', '-', '.', ''), fc.boolean())
  .map(([pieces, between, upper]) => (upper ? pieces.join(between).toUpperCase() : pieces.join(between)));
const odd: Fill = {
  identifier: fc.oneof(identifier, fc.constantFrom(...exceptions, ...roles), fc.string()),
  name: fc.oneof(identifier, fc.string()).filter((name) => name !== '__proto__'),
  text: fc.oneof(identifier, fc.string(), fc.constantFrom(...exceptions, ...roles)),
};

describe('translating out and back returns the original', () => {
  const { out, back } = inventedWords();
  for (const endpoint of endpoints) {
    const parts = { body: endpoint.body, answer: endpoint.response } as const;
    for (const part of ['body', 'answer'] as const) {
      const schema = parts[part];
      if (!schema || schema.type === 'unknown') continue;
      test(`${endpoint.id}: ${part}`, () => {
        fc.assert(
          fc.property(arbitrary(schema, odd), (value) => {
            expect(back[part](endpoint, out[part](endpoint, value))).toEqual(value);
            expect(out[part](endpoint, back[part](endpoint, value))).toEqual(value);
          }),
          { numRuns: runs(40) },
        );
      });
    }
  }

  test('included resource objects of known and unknown types', () => {
    const withIncluded = endpoints.filter((endpoint) => 'entries' in endpoint.response);
    const kinds = [...contract.kinds.keys()];
    const item = fc.record({
      type: fc.oneof(fc.constantFrom(...kinds), odd.identifier),
      attributes: fc.dictionary(odd.name, odd.text),
    });
    fc.assert(
      fc.property(fc.constantFrom(...withIncluded), fc.array(item), (endpoint, included) => {
        expect(back.answer(endpoint, out.answer(endpoint, { included }))).toEqual({ included });
        expect(out.answer(endpoint, back.answer(endpoint, { included }))).toEqual({ included });
      }),
    );
  });

  test('any words without overlaps', () => {
    const word = fc.stringMatching(/^[a-d]{1,2}(_[a-d]{1,2}){0,2}$/);
    const words = fc
      .uniqueArray(word, { minLength: 5, maxLength: 5 })
      .filter((words) => overlappingWords([...neutralWords, ...words]).length === 0);
    const text = (all: readonly string[]) =>
      fc
        .array(fc.constantFrom(...all, ...all.flatMap((word) => word.split('_')), 'z'), { maxLength: 6 })
        .map((parts) => parts.join('_'));
    const cases = words.chain((chosen) => fc.tuple(fc.constant(chosen), text([...neutralWords, ...chosen])));
    fc.assert(
      fc.property(cases, ([chosen, original]) => {
        const { swap } = identifierParts({
          words: Object.fromEntries(neutralWords.map((name, at) => [name, chosen[at] ?? ''])),
        });
        expect(swap(swap(original))).toBe(original);
      }),
      { numRuns: runs(1000) },
    );
  });

  test('exceptions that swap with each other', () => {
    const some = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
    const pairs = fc.uniqueArray(some, { maxLength: 6 }).chain((known) =>
      fc.tuple(
        fc.constant(known),
        fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'], {
          minLength: known.length,
          maxLength: known.length,
        }),
      ),
    );
    const swap = (text: string) => ({ a: 'b', b: 'a', c: 'd', d: 'c' })[text] ?? text;
    fc.assert(
      fc.property(pairs, some, ([known, become], original) => {
        const { out: to, back: from } = createDictionary(
          known,
          (word) => become[(known as string[]).indexOf(word)] ?? word,
          swap,
        );
        expect(from(to(original))).toBe(original);
        expect(to(from(original))).toBe(original);
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe('free text is never touched', () => {
  const texts = [
    'of provider_a',
    'nimbalor is down',
    'provider_b: PROVIDER_C',
    'Service Admin Role x',
    'a tracker_a issue',
  ];
  const plain: Fill = { text: fc.constantFrom(...texts), identifier: fc.constant('x'), name: fc.constant('other') };
  const { out } = inventedWords();

  /** Every free text of a value, in order. */
  const free = (value: unknown): string[] =>
    typeof value === 'string'
      ? texts.includes(value)
        ? [value]
        : []
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(free)
        : [];

  test.each(
    endpoints
      .filter((endpoint) => endpoint.response.type !== 'unknown')
      .map((endpoint) => [endpoint.id, endpoint] as const),
  )('%s', (_, endpoint) => {
    fc.assert(
      fc.property(arbitrary(endpoint.response, plain), (value) => {
        expect(free(out.answer(endpoint, value))).toEqual(free(value));
      }),
      { numRuns: 20 },
    );
  });
});

test('an empty vocabulary changes nothing', () => {
  const { out, path } = createTranslator({});
  for (const endpoint of endpoints) {
    expect(path(endpoint)).toBe(endpoint.path);
    fc.assert(
      fc.property(arbitrary(endpoint.response, odd), (value) => {
        expect(out.answer(endpoint, value)).toEqual(value);
      }),
      { numRuns: 3 },
    );
  }
});
