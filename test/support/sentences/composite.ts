import fc from 'fast-check';

const member = fc.integer({ min: 1, max: 9_999 }).map((value) => String(1000 + (value % 8)));

const { any } = fc.letrec<{ any: string; one: string }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 3 },
    member,
    tie('one').map((text) => `!${text}`),
    tie('any').map((text) => `( ${text} )`),
  ),
  any: fc
    .tuple(tie('one'), fc.array(fc.tuple(fc.constantFrom('&&', '||'), tie('one')), { maxLength: 3 }))
    .map(([head, tail]) => [head, ...tail.flat()].join(' ')),
}));

/** Composites of at most eight monitors (docs/contract/monitor-queries.md#composite). */
export const sentences = any.map((query) => ({ type: 'composite', query }));
