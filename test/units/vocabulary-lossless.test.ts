import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../src/api/all-endpoints.ts';
import { contract } from '../../src/api/vocabulary/contract.ts';
import { dictionary } from '../../src/api/vocabulary/dictionary.ts';
import { overlaps, partsOf } from '../../src/api/vocabulary/identifier-parts.ts';
import { neutralWords } from '../../src/api/vocabulary/neutral-words.ts';
import { createTranslator } from '../../src/api/vocabulary/translator.ts';
import { arbitrary, type Fill } from '../support/arbitrary.ts';
import { invented, inventedWords } from '../support/invented.ts';

const theirs = Object.values(invented.words);
const exceptions = Object.values(invented.values).flatMap((it) => [...Object.keys(it), ...Object.values(it)]);
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

describe('there and back is the same', () => {
  const { out, back } = inventedWords();
  for (const endpoint of endpoints) {
    const parts = { body: endpoint.body, answer: endpoint.response } as const;
    for (const part of ['body', 'answer'] as const) {
      const schema = parts[part];
      if (!schema || schema.type === 'unknown') continue;
      test(`${endpoint.id}: ${part}`, () => {
        fc.assert(
          fc.property(arbitrary(schema, odd), (it) => {
            expect(back[part](endpoint, out[part](endpoint, it))).toEqual(it);
            expect(out[part](endpoint, back[part](endpoint, it))).toEqual(it);
          }),
          { numRuns: 40 },
        );
      });
    }
  }

  test('resource objects that come along, of known kinds and of others', () => {
    const withIncluded = endpoints.filter((it) => 'entries' in it.response);
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

  test('whatever the words are, as long as nobody could mix them up', () => {
    const word = fc.stringMatching(/^[a-d]{1,2}(_[a-d]{1,2}){0,2}$/);
    const words = fc
      .uniqueArray(word, { minLength: 5, maxLength: 5 })
      .filter((it) => overlaps([...neutralWords, ...it]).length === 0);
    const text = (all: readonly string[]) =>
      fc
        .array(fc.constantFrom(...all, ...all.flatMap((it) => it.split('_')), 'z'), { maxLength: 6 })
        .map((it) => it.join('_'));
    const cases = words.chain((it) => fc.tuple(fc.constant(it), text([...neutralWords, ...it])));
    fc.assert(
      fc.property(cases, ([chosen, it]) => {
        const { swap } = partsOf({
          words: Object.fromEntries(neutralWords.map((name, at) => [name, chosen[at] ?? ''])),
        });
        expect(swap(swap(it))).toBe(it);
      }),
      { numRuns: 1000 },
    );
  });

  test('with exceptions that cross each other', () => {
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
      fc.property(pairs, some, ([known, become], it) => {
        const { out: to, back: from } = dictionary(
          known,
          (word) => become[(known as string[]).indexOf(word)] ?? word,
          swap,
        );
        expect(from(to(it))).toBe(it);
        expect(to(from(it))).toBe(it);
      }),
      { numRuns: 2000 },
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
  const free = (it: unknown): string[] =>
    typeof it === 'string'
      ? texts.includes(it)
        ? [it]
        : []
      : typeof it === 'object' && it !== null
        ? Object.values(it).flatMap(free)
        : [];

  test.each(endpoints.filter((it) => it.response.type !== 'unknown').map((it) => [it.id, it] as const))(
    '%s',
    (_, endpoint) => {
      fc.assert(
        fc.property(arbitrary(endpoint.response, plain), (it) => {
          expect(free(out.answer(endpoint, it))).toEqual(free(it));
        }),
        { numRuns: 20 },
      );
    },
  );
});

test('without a word of its own a deployment changes nothing', () => {
  const { out, path } = createTranslator({});
  for (const endpoint of endpoints) {
    expect(path(endpoint)).toBe(endpoint.path);
    fc.assert(
      fc.property(arbitrary(endpoint.response, odd), (it) => {
        expect(out.answer(endpoint, it)).toEqual(it);
      }),
      { numRuns: 3 },
    );
  }
});
