import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { AnySchema } from '../../src/api/endpoint.ts';
import { includedItem, many, permissionName, placed, resource, searchTerms, toMany } from '../../src/api/envelope.ts';
import { joinShapes, type SchemaShape, schemaShape } from '../../src/api/vocabulary/schema-shape.ts';

/** Where a schema has identifiers. Schemas are made in the test: the shape of one that was seen before is kept. */

const word = (...known: string[]): SchemaShape => ({ text: { sort: 'word', known } });
const object = (fields: Readonly<Record<string, SchemaShape>>): SchemaShape => ({
  fields: new Map(Object.entries(fields)),
});
const reference = object({ id: {}, type: word() });

test.each<[string, () => AnySchema | undefined, SchemaShape]>([
  ['nothing', () => undefined, {}],
  ['a text', () => v.string(), {}],
  ['words', () => searchTerms('a', 'b'), word('a', 'b')],
  ['a choice, of its texts', () => v.picklist(['a', 7]), word('a')],
  ['a literal', () => v.literal('a'), word('a')],
  ['a literal that is no text', () => v.literal(7), {}],
  ['a permission', () => permissionName, { text: { sort: 'permission', known: [] } }],
  ['what may be null or missing', () => v.nullish(v.optional(v.nullable(v.literal('a')))), word('a')],
  ['what is piped', () => v.pipe(v.literal('a'), v.metadata({})), word('a')],
  ['a list', () => v.array(v.literal('a')), { item: word('a') }],
  ['free names', () => v.record(v.string(), v.literal('a')), { values: word('a') }],
  ['an object', () => v.object({ a: v.string(), b: v.literal('b') }), object({ a: {}, b: word('b') })],
  ['a strict object', () => v.strictObject({ a: v.literal('b') }), object({ a: word('b') })],
  [
    'a place, whose name and words the outer schema may replace',
    () => v.object({ a: placed('p', searchTerms('x')), b: placed('q', placed('p', v.picklist(['y']))) }),
    object({
      a: { text: { sort: 'word', known: ['x'], place: 'p' } },
      b: { text: { sort: 'word', known: ['y'], place: 'q' } },
    }),
  ],
  ['a place that has no words', () => placed('p', v.string()), {}],
  [
    'a resource object, and others beside it',
    () => many(resource('case', { name: v.string() }, { roles: toMany })),
    object({
      data: {
        item: {
          ...object({
            id: {},
            type: word('case'),
            attributes: object({ name: {} }),
            relationships: object({ roles: object({ data: { item: reference } }) }),
          }),
          kind: 'case',
        },
      },
      included: { item: { included: true } },
      meta: object({}),
    }),
  ],
  [
    'several forms',
    () =>
      v.union([
        v.string(),
        v.object({ a: v.literal('x'), only: v.array(v.literal('l')) }),
        v.pipe(v.object({ a: placed('p', searchTerms('y')), b: v.string() }), v.metadata({ kind: 'k' })),
        v.record(v.string(), v.literal('r')),
        v.array(v.literal('i')),
        v.array(v.literal('j')),
        v.record(v.string(), v.literal('s')),
        v.literal('t'),
      ]),
    {
      ...object({
        a: { text: { sort: 'word', known: ['x', 'y'], place: 'p' } },
        only: { item: word('l') },
        b: {},
      }),
      ...word('t'),
      item: word('i', 'j'),
      values: word('r', 's'),
      kind: 'k',
    },
  ],
  [
    'forms that a member tells apart',
    () => v.variant('type', [v.object({ type: v.literal('a') }), v.object({ type: v.literal('b') })]),
    object({ type: word('a', 'b') }),
  ],
  [
    'one of two that what is there chooses',
    () => v.lazy((input) => (Array.isArray(input) ? v.array(includedItem) : v.object({ a: v.literal('x') }))),
    { ...object({ a: word('x') }), item: { included: true } },
  ],
])('%s', (_, schema, shape) => expect(schemaShape(schema())).toStrictEqual(shape));

test('what may be of any kind stays so beside another form', () => {
  const [any, other] = [{ included: true } as const, object({ a: word('x') })];
  expect(joinShapes(any, other)).toStrictEqual({ ...other, ...any });
  expect(joinShapes(other, any)).toStrictEqual({ ...other, ...any });
});
