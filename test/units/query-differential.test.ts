import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check } from '../../src/query/check.ts';
import { checkDefinition } from '../../src/simulator/check.ts';
import { readQuery } from '../../src/simulator/query.ts';
import { createOrg, type Org } from '../../src/simulator/store.ts';
import { type Example, invalid, valid } from '../support/examples.ts';
import { said } from '../support/queries.ts';

const folder = new URL('../support/sentences/', import.meta.url);
const all = await Promise.all(
  readdirSync(folder)
    .sort()
    .map(
      async (name): Promise<[string, fc.Arbitrary<Example>]> => [
        name.replace(/\.ts$/, ''),
        (await import(`${folder}${name}`)).sentences,
      ],
    ),
);

/** An organisation in which every monitor and every objective is there that a query can name. */
function richOrg(): Org {
  const org = createOrg(1, '00000000-0000-4000-8000-000000000001', 0);
  Object.assign(org.monitors, { get: () => ({ type: 'query alert' }) });
  Object.assign(org.objectives, { get: () => ({ id: 'slo', name: 'slo', target: 0.9999999, monitors: [] }) });
  return org;
}

const org = richOrg();

/**
 * Why the simulator's own reading, which shares nothing with the grammars, refuses it; empty when it takes it. Without
 * options it is asked about the query alone. What a search says is a language of its own, which the grammars leave be.
 */
function refusal({ type, query, options }: Example): string {
  const read = options ? checkDefinition({ type, query, options }, org) : readQuery(type, query, options);
  return read.ok || read.text.includes('Check for invalid tags or facets') ? '' : read.text;
}

describe('each example of the contract has the verdict that it has there, and so it is in the simulator', () => {
  test.each(valid)('$type takes $query', (it) => {
    expect(said(it.type, it.query, it.options)).toBe('');
    expect(said(it.type, it.query)).not.toMatch(/^wrong/m);
    expect(refusal(it)).toBe('');
  });

  test.each(invalid)('$type refuses $query', (it) => {
    expect(check(it.type, it.query, it.options).verdict).toBe('wrong');
    expect(refusal(it)).not.toBe('');
  });
});

/** What one sign more or less makes of a sentence: most of them are refused. */
const change = fc.record({
  at: fc.nat({ max: 999_999 }),
  piece: fc.constantFrom('', '"', ')', '(', '.', 'x', '5', '&', '>', ' ', ','),
});

describe.each(all)('%s', (_, sentences) => {
  test('what is fine is taken', () => {
    fc.assert(
      fc.property(sentences, (it) => {
        expect(check(it.type, it.query, it.options).verdict).toBe('fine');
        expect(refusal(it), it.query).toBe('');
      }),
      { numRuns: 500 },
    );
  });

  test('what is wrong is refused, and what is still fine is still taken', () => {
    fc.assert(
      fc.property(sentences, change, (sentence, { at, piece }) => {
        const place = at % (sentence.query.length + 1);
        const query = sentence.query.slice(0, place) + piece + sentence.query.slice(place + 1);
        const it = { ...sentence, query };
        const { verdict, findings } = check(it.type, query, it.options);
        if (verdict === 'fine') expect(refusal(it), query).toBe('');
        if (verdict === 'wrong') expect(refusal(it), `${it.type} ${query}: ${findings[0]?.message}`).not.toBe('');
      }),
      { numRuns: 1_000 },
    );
  });
});
