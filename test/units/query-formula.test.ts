import { expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { formula } from '../../src/query/formula.ts';
import type { FormulaTerm } from '../../src/query/formula-tree.ts';

test('operators have the usual precedence, and each node its position', () => {
  const text = 'formula("a - b * f(c, \'x\')").last("5m") > 1';
  const { expression } = formula.parse(text).body;
  const names = (term: FormulaTerm): unknown =>
    term.kind === 'joined'
      ? [names(term.head), ...term.tail.map((joined) => names(joined.right))]
      : text.slice(term.start, term.end);
  expect(names(expression)).toEqual(['a', ['b', "f(c, 'x')"]]);
});

test('a formula may begin with spaces', () => {
  expect(check('log alert', ' formula ("a").last("5m") > 1').tree?.kind).toBe('formula');
});
