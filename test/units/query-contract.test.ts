import { describe, expect, test } from 'vitest';
import { check } from '../../src/query/check-query.ts';
import { doubtful, invalid, valid } from '../support/examples.ts';
import { said } from '../support/queries.ts';

/** The valid examples of metric monitors under the other name of their type. */
const aliased = valid
  .filter((example) => example.type === 'query alert')
  .map((example) => ({ ...example, type: 'metric alert' }));

describe('each example of the contract has its verdict there', () => {
  test.each([...valid, ...aliased])('$type accepts $query', ({ type, query, options }) => {
    expect(said(type, query, options)).toBe('');
    expect(said(type, query)).toBe('');
  });

  test.each(invalid)('$type refuses $query, in lines that fit a terminal', ({ type, query, options }) => {
    const { verdict, diagnostics } = check(type, query, options);
    expect(verdict).toBe('wrong');
    for (const { message, hint = '' } of diagnostics) {
      expect(message.length).toBeLessThanOrEqual(72);
      expect(hint.length).toBeLessThanOrEqual(78);
    }
  });
});

test.each(doubtful)('$type doubts $query', ({ type, query, options }) => {
  expect(check(type, query, options).verdict).toBe('doubtful');
});

test('the diagnostics of the refused examples', async () => {
  const texts = invalid.map(
    ({ type, query, options }) => `${type}: ${query}\n${said(type, query, options).replace(/^/gm, '  ')}\n`,
  );
  await expect(texts.join('')).toMatchFileSnapshot('../support/stored/queries/refused-examples.txt');
});
