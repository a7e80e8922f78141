import * as v from 'valibot';
import { expect, test } from 'vitest';
import { flag, int, moment, searchTerms, text } from '../../src/api/envelope.ts';
import { ageColumn, amountColumn, attributeOutput, orderColumn, timestamp } from '../../src/describe/column.ts';
import { contextOf } from '../support/plans.ts';

/** Columns and fields as descriptions make them: what all lists share. */

const context = contextOf();

test('amounts, ages and places stand at the right; a row that tells none has a word for it, and is last', () => {
  const [amount, age, order] = [
    amountColumn<{ readonly of?: number }>({ id: 'users', min: 5, priority: 1, amount: (row) => row.of }),
    ageColumn<number | null | undefined>({ id: 'made', title: 'CREATED', min: 5, priority: 1 }, (at) => at),
    orderColumn(3),
  ];
  const shape = { align: 'right', priority: 1 };
  expect([amount, age, order]).toMatchObject([
    { ...shape, title: 'USERS', downward: true },
    { ...shape, title: 'CREATED', downward: true, firsts: ['oldest first', 'newest first'] },
    { ...shape, title: '#', called: 'order', firsts: ['first to last', 'last to first'], min: 3 },
  ]);
  const seen = [{ of: 7 }, {}].map((row) => [amount.text(row, context), amount.sort?.(row, context)]);
  expect(seen).toEqual([
    ['7', 7],
    ['?', Number.NaN],
  ]);
  const ages = [context.now - 7_200_000, null, undefined].map((at) => [age.text(at, context), age.sort?.(at, context)]);
  expect(ages).toEqual([
    ['2h', context.now - 7_200_000],
    ['never', Number.NaN],
    ['', Number.NaN],
  ]);
  const place = { place: 4 };
  expect([order.text(place, context), order.says?.(place, context), order.sort?.(place, context)]).toEqual([
    '4',
    'position 4',
    4,
  ]);
  expect([age.tone?.(0, context), order.tone?.(place, context)]).toEqual(['dim', 'dim']);
});

test('fields for a program have the types of a schema, and its words', () => {
  const { fields, members } = attributeOutput<{ readonly attributes: object }>(
    v.object({
      state: searchTerms('on', 'off'),
      count: v.nullish(int),
      odd: v.union([flag, text]),
      made_at: int,
      seen: moment,
      tags: v.array(text),
      parts: v.array(v.object({})),
      left: text,
    }),
    { except: ['left'], more: [{ name: 'count', type: 'any', says: '', value: () => 0 }] },
  );
  expect(Object.fromEntries(fields.map(({ name, type }) => [name, type]))).toEqual({
    ...{ state: 'text', count: 'number', odd: 'any', made_at: 'time', seen: 'time' },
    ...{ tags: 'list of texts', parts: 'list of objects' },
  });
  expect(fields.slice(0, 2).map(({ says }) => says)).toEqual([
    'on, off or another word of the service',
    'words of the service',
  ]);
  expect([...(members?.names ?? [])]).toEqual(fields.map(({ name }) => name));
  const made = fields
    .find(({ name }) => name === 'made_at')
    ?.value({ attributes: { made_at: 1_800_000_000 } }, context);
  expect(timestamp(made)).toBe('2027-01-15T08:00:00Z');
});
