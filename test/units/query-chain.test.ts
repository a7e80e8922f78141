import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chainDiagnostics, readChain } from '../../src/query/chain.ts';
import { check } from '../../src/query/check-query.ts';
import type { QuerySpan } from '../../src/query/language.ts';
import type { Events } from '../../src/query/search-queries.ts';
import { runs } from '../support/runs.ts';

test('nodes have their positions in the text', () => {
  const query = String.raw`  logs("a \"b\"").index('main', "x") . by("host, env").last(5m) >= 10 `;
  const tree = check('log alert', query).tree as Events;
  const { source, search, groups, window, comparison, steps } = tree;
  const texts = (...all: readonly (QuerySpan | undefined)[]) =>
    all.map((placed) => placed && query.slice(placed.start, placed.end));
  expect(texts(source, search, ...(steps[0]?.list ?? []), ...groups, window, comparison)).toEqual([
    'logs',
    String.raw`"a \"b\""`,
    "'main'",
    '"x"',
    'host',
    'env',
    '5m',
    '>= 10',
  ]);
  expect(texts(...steps)).toEqual([`.index('main', "x")`, '. by("host, env")', '.last(5m)']);
  expect(groups.map((group) => group.text)).toEqual(['host', 'env']);
});

test('any text gets a verdict with positions inside it', () => {
  const signs = fc.array(
    fc.constantFrom(
      'logs',
      '(',
      ')',
      '"',
      "'",
      '\\',
      '.last',
      '.by',
      '.rollup',
      'count',
      ',',
      '5m',
      ' ',
      '>',
      '1',
      '\u0000',
      'é',
    ),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(
      signs,
      fc.constantFrom('log alert', 'event alert', 'process alert', 'slo alert', 'error-tracking alert'),
      (parts, type) => {
        const query = parts.join('');
        for (const { start, end } of check(type, query).diagnostics) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeLessThanOrEqual(query.length);
          if (query !== '') expect(end).toBeGreaterThan(start);
        }
      },
    ),
    { numRuns: runs(2000) },
  );
});

test('a step that is late by one place or by several is reported, and no other', () => {
  const steps = ['over', 'by', 'rollup', 'last'];
  const shape = { monitorNoun: 'a test', sources: ['events'], steps, needed: [], singleQuotes: 'fine' } as const;
  fc.assert(
    fc.property(fc.shuffledSubarray(steps, { minLength: 1 }), (used) => {
      const query = `events("a")${used.map((step) => `.${step}("x")`).join('')} > 1`;
      const diagnostics = [...chainDiagnostics({ kind: 'events', ...readChain(query) } as never, shape, () => [])];
      const late = used.filter((step, at) =>
        used.slice(0, at).some((other) => steps.indexOf(other) > steps.indexOf(step)),
      );
      const told = diagnostics
        .map(({ message }) => message)
        .filter((message) => message.includes('usually comes before'));
      expect(told.map((message) => message.split(' ')[0])).toEqual(late);
    }),
  );
});
