import { expect, test } from 'vitest';
import { check, findLanguage } from '../../src/query/check-query.ts';
import { queryEndMark } from '../../src/query/language.ts';
import { completeQuery, describeQuery } from '../../src/query/query-help.ts';

test('a text is parsed once for what is wrong with it, what it means and whether it can be read', () => {
  const query = 'avg(last_5m):avg:system.load.1{env:prod} > 4';
  const { tree } = check('query alert', query);
  describeQuery('query alert', query);
  expect(check('query alert', query).tree).toBe(tree);
  // What may follow is asked of the text in front of the cursor, and the whole text once more.
  completeQuery('query alert', query, 8);
  const again = check('query alert', query).tree;
  expect(check('query alert', query).tree).toBe(again);
  expect(again).toEqual(tree);
});

test('a beginning in front of a word is parsed once while the letters of the word are typed', () => {
  const language = findLanguage('query alert', '');
  const faultOf = (before: string) => {
    try {
      return language?.parse(before + queryEndMark);
    } catch (error) {
      return error;
    }
  };
  const before = 'avg(last_5m):avg:system.load.1{';
  const fault = faultOf(before);
  for (const at of [1, 2, 3, 4]) completeQuery('query alert', `${before}${'env:'.slice(0, at)}`, before.length + at);
  expect(faultOf(before)).toBe(fault);
});

test('for a begun word nothing is offered behind it, and nothing is parsed for that', () => {
  const query = 'avg(last_5m):avg:system.load.1{env:prod';
  expect(completeQuery('query alert', query, query.length)?.start).toBe(query.length);
  expect(completeQuery('query alert', query, query.length, {}, true)).toBeUndefined();
  expect(completeQuery('query alert', query, query.length, { tags: ['env:production'] }, true)?.items).toEqual([
    { text: 'env:production' },
  ]);
});

test('a letter that is taken back leaves the tree of the text before it', () => {
  const query = 'avg(last_5m):avg:system.load.1{env:prod} > 4';
  const { tree } = check('query alert', query);
  check('query alert', `${query}2`);
  expect(check('query alert', query).tree).toBe(tree);
  check('query alert', `${query}2`);
  check('query alert', `${query}23`);
  expect(check('query alert', query).tree).not.toBe(tree);
});
