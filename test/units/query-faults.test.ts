import { expect, test } from 'vitest';
import { findLanguage } from '../../src/query/check-query.ts';
import { types } from '../../src/simulator/query/monitor-query.ts';
import { said } from '../support/queries.ts';

test.each(types)('an empty query and a lone word show the form of a %s query, and that form is valid', (type) => {
  const {
    languageNoun: of = '',
    beginning: begin,
    example: such = '',
  } = findLanguage(type, '')?.outline({ type }) ?? {};
  expect(said(type, such)).toBe('');
  expect(said(type, ' \n')).toBe(`wrong  \n: the query is empty (such as ${such})`);
  expect(`such as ${such}`.length).toBeLessThan(79);
  // A bare word is the name of a service check.
  if (type === 'service check') return;
  expect(said(type, ' query ')).toBe(`wrong query: ${of} begins with ${begin} (such as ${such})`);
});
