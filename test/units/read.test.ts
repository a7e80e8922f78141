import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { many, one } from '../../src/api/envelope.ts';
import { read, readInSlices } from '../../src/client/read-response.ts';
import { removeTooLarge, translateInSlices } from '../../src/client/response-removals.ts';
import { runAtOnce } from '../../src/lib/slices.ts';
import { thing } from '../support/calls.ts';
import { runs } from '../support/runs.ts';

const list = (answer: unknown) => read(many(thing), answer, true);

test('a field that does not fit is omitted and named; the rest is kept', () => {
  const good = { id: 'a', type: 'thing', attributes: { name: 'one', count: 1, extra: 'kept' } };
  const bad = { id: 'b', attributes: { name: 7, count: 'many', on: 'yes', tags: 'x' } };
  const reading = list({ data: [good, bad], other: 1 });
  expect(reading).toEqual({
    ok: true,
    value: { data: [good, { id: 'b', attributes: {} }], other: 1 },
    unread: [
      'data[1].attributes.name: expected text',
      'data[1].attributes.count: expected a number',
      'data[1].attributes.on: expected true or false',
      'data[1].attributes.tags: expected a list',
    ],
  });
});

test('an unreadable element is omitted and named by its original index', () => {
  const reading = list({ data: ['nonsense', { id: 'a' }, null, { id: {} }, { id: 'b', attributes: { name: 1 } }] });
  expect(reading).toMatchObject({ ok: true, value: { data: [{ id: 'a' }, {}, { id: 'b' }] } });
  expect(reading.ok && reading.unread).toEqual([
    'data[0]: expected an object',
    'data[2]: expected an object',
    'data[3].id: expected a number',
    'data[4].attributes.name: expected text',
  ]);
});

test('an element without a required field is omitted; the others keep their original indexes', () => {
  const strict = many(v.looseObject({ id: v.string(), inner: v.looseObject({ must: v.string() }) }));
  const reading = read(
    strict,
    { data: [{ id: 'a' }, { id: 'b', inner: { must: 4 } }, { id: 'c', inner: { must: 'x' } }] },
    true,
  );
  expect(reading).toEqual({
    ok: true,
    value: { data: [{ id: 'c', inner: { must: 'x' } }] },
    unread: ['data[0]: "inner" is missing', 'data[1]: "inner" is missing'],
  });
});

test('what does not fit is named by its place as it came, however much of a list is removed before it', () => {
  const schema = v.looseObject({
    box: v.looseObject({ xs: v.nullish(v.array(v.looseObject({ must: v.looseObject({ in: v.string() }) }))) }),
    words: v.nullish(v.record(v.string(), v.literal('a'))),
    json: v.nullish(v.pipe(v.string(), v.transform(JSON.parse), v.looseObject({ a: v.number() }))),
  });
  const good = { must: { in: 'a' } };
  const long = 'k'.repeat(81);
  const answer = { box: { xs: [5, { must: {} }, good] }, words: { [long]: 'b' }, json: '{"a":"text"}' };
  expect(read(schema, answer, false)).toEqual({
    ok: true,
    value: { box: { xs: [good] }, words: {} },
    unread: [
      'box.xs[0]: expected an object',
      'box.xs[1].must: "in" is missing',
      `words.${'k'.repeat(80)}: does not fit`,
      'json: expected a number',
      'box.xs[1]: "must" is missing',
    ],
  });
  expect(read(v.object({ must: v.string() }), {}, false)).toEqual({
    ok: false,
    fields: ['the answer: "must" is missing, got an object'],
  });
});

test('faults that uncover others are followed for twenty rounds', () => {
  const nested = (depth: number) => {
    const schema = Array.from({ length: depth }).reduce<v.GenericSchema>((a) => v.object({ a }), v.string());
    const answer = Array.from({ length: depth }).reduce<unknown>((a) => ({ a }), 7);
    return read(v.looseObject({ x: v.nullish(schema) }), { x: answer }, false);
  };
  expect(nested(18)).toMatchObject({ ok: true, value: {} });
  expect(nested(19)).toMatchObject({ ok: false, fields: { length: 21 } });
});

test.each([
  ['text', 'hello', 'the answer: expected an object, got text'],
  ['null', null, 'the answer: expected an object, got null'],
  ['a list', [1], 'the answer: expected an object, got a list'],
  ['an object for a list', { data: {} }, 'data: expected a list, got an object'],
  ['a number for a list', { data: 5 }, 'data: expected a list, got a number'],
])('a wrong shape at the top makes the whole response unreadable: %s', (_, answer, place) => {
  const reading = list(answer);
  expect(reading.ok ? reading.value : reading.fields).toEqual([place]);
});

test('a list without an envelope may hold any number of faults', () => {
  const bare = Array.from({ length: 1001 }, (_, index) => ({ id: index, attributes: { name: index } }));
  expect(read(v.array(thing), bare, true)).toMatchObject({ ok: true, value: { length: 1001 } });
});

test('an object in place of a list is unreadable; a search without its list is not an empty list', () => {
  expect(read(v.array(thing), { a: 1 }, true)).toEqual({
    ok: false,
    fields: ['the answer: expected a list, got an object'],
  });
  const search = v.looseObject({ monitors: v.nullish(v.array(thing)) });
  expect(read(search, { monitors: 'x' }, true)).toEqual({ ok: false, fields: ['monitors: expected a list, got text'] });
  expect(read(many(thing), { data: [], included: 'x' }, true)).toMatchObject({
    ok: true,
    unread: ['included: expected a list'],
  });
});

test('a list in place of an object is unreadable', () => {
  expect(read(one(thing), { data: [{ id: 'a' }] }, false)).toEqual({
    ok: false,
    fields: ['data: expected an object, got a list'],
  });
});

test('a nested list in place of an object is omitted and named; members without a schema stay', () => {
  const answer = {
    data: [
      { id: 'a', attributes: [1, 2], extra: { free: [[]] } },
      { id: 'b', attributes: { tags: [] } },
    ],
  };
  expect(list(answer)).toEqual({
    ok: true,
    value: {
      data: [
        { id: 'a', extra: { free: [[]] } },
        { id: 'b', attributes: { tags: [] } },
      ],
    },
    unread: ['data[0].attributes: expected an object, got a list'],
  });
  expect(list({ data: [{ id: 'a', attributes: [1], relationships: [2] }], meta: [] })).toEqual({
    ok: true,
    value: { data: [{ id: 'a' }] },
    unread: [
      'meta: expected an object, got a list',
      'data[0].attributes: expected an object, got a list',
      'data[0].relationships: expected an object, got a list',
    ],
  });
  expect(read(one(thing), { data: { id: 'a', attributes: [1] } }, false)).toEqual({
    ok: true,
    value: { data: { id: 'a' } },
    unread: ['data.attributes: expected an object, got a list'],
  });
});

test('null and missing fields give no diagnostic', () => {
  expect(list({ data: null })).toMatchObject({ ok: true, value: { data: [] }, unread: [] });
  expect(read(one(thing), { data: { id: 1, attributes: null } }, false)).toMatchObject({ ok: true, unread: [] });
  const filled = v.looseObject({ at: v.nullish(v.looseObject({ id: v.string() }), { id: 'none' }) });
  expect(read(filled, { at: null }, false)).toEqual({ ok: true, value: { at: { id: 'none' } }, unread: [] });
});

test('a schema that throws gives an unreadable response', () => {
  const broken = v.pipe(
    v.unknown(),
    v.transform(() => JSON.parse('{')),
  );
  expect(read(broken, { a: 1 }, false).ok).toBe(false);
});

test('ten thousand bad rows are read in one pass, and only some are named', () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => ({ id: index, attributes: { name: index } }));
  const reading = list({ data: rows });
  expect(reading.ok && (reading.value as { data: unknown[] }).data.length).toBe(10_000);
  expect(reading.ok && reading.unread.length).toBe(101);
  expect(reading.ok && reading.unread.at(-1)).toBe('and 9900 places more');
});

test('for any input, reading does not throw and returns only what the schema accepts', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.jsonValue({ maxDepth: 4 }), (a, b) => {
      for (const answer of [a, { data: a }, { data: [a, { id: 'x', attributes: b }, { id: b }] }]) {
        const reading = list(structuredClone(answer));
        if (reading.ok) expect(v.safeParse(many(thing), reading.value).success).toBe(true);
        else expect(reading.fields.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: runs(500), seed: 11 },
  );
});

/** The number of pauses while reading. */
function pauses(answer: unknown): number {
  const work = readInSlices(many(thing), answer, true);
  let count = 0;
  while (!work.next().done) count++;
  return count;
}

test('a page of many rows is read with pauses, whether its rows fit or not', () => {
  const rows = (tags: unknown[]) => ({
    data: Array.from({ length: 100 }, (_, nth) => ({ id: nth, attributes: { name: 'x', tags: [...tags] } })),
  });
  expect(pauses(rows(Array(2000).fill('a')))).toBeGreaterThan(30);
  expect(pauses(rows(Array(900).fill(0)))).toBeGreaterThan(15);
  expect(pauses(rows([]))).toBe(0);
});

test('a row with too many diagnostics is omitted as a whole', () => {
  const bad = (count: number) => ({ id: 'b', attributes: { tags: Array(count).fill(0) } });
  expect(list({ data: [{ id: 'a' }, bad(1001)] })).toEqual({
    ok: true,
    value: { data: [{ id: 'a' }] },
    unread: ['data[1]: too many fields do not fit'],
  });
  expect(list({ data: [bad(20_000)] })).toMatchObject({ ok: true, value: { data: [] } });
  const some = list({ data: [bad(1000)] });
  expect(some.ok && some.unread.at(-1)).toBe('and 900 places more');
  // A walk over pages counts the rows that it lacks.
  const behind = list({ data: [bad(1000), 'b'] });
  expect(behind.ok && behind.unread.slice(-2)).toEqual(['data[1]: expected an object', 'and 900 places more']);
});

test('a row that is too large is removed before parsing, and named; also in a list without a schema', () => {
  const answer = (values: number) => ({
    data: [{ id: 'a' }, { id: 'b', more: Array(values - 3).fill(0) }, { id: 'c' }],
    other: [1, Array(values).fill(0), 2],
  });
  const small = answer(25_000 - 1);
  expect(runAtOnce(removeTooLarge(small))).toBe(true);
  expect(list(small)).toMatchObject({ ok: true, unread: [] });
  const large = answer(25_001);
  expect(runAtOnce(removeTooLarge(large))).toBe(true);
  expect(list(large)).toEqual({
    ok: true,
    value: { data: [{ id: 'a' }, { id: 'c' }], other: [1, 2] },
    unread: ['a list: a row of more than 25000 values', 'data[1]: more than 25000 values'],
  });
  const whole = (values: number) => ({ data: { id: 'a', more: Array(values - 4).fill(0) } });
  expect([25_000, 25_001].map((values) => runAtOnce(removeTooLarge(whole(values))))).toEqual([true, false]);
});

test('slices of a list are translated like the whole list', () => {
  const shout = (part: unknown): unknown => JSON.parse(JSON.stringify(part).toUpperCase());
  const answer = { data: Array.from({ length: 3000 }, (_, nth) => ({ id: `a${nth}`, x: [1, 2] })), meta: { a: ['b'] } };
  expect(runAtOnce(translateInSlices(answer, shout))).toEqual(shout(answer));
  expect(runAtOnce(translateInSlices(answer.data, shout))).toEqual(shout(answer.data));
  expect(runAtOnce(translateInSlices('a', shout))).toBe('A');
});

test('a long list is translated and measured with a pause after each slice, a short one without', () => {
  const list = (rows: number) => Array.from({ length: rows }, () => ({ x: Array(998).fill(0) }));
  const stops = (work: Generator<unknown, unknown>) => Array.from(work).length;
  const same = (part: unknown) => part;
  for (const [rows, slices] of [
    [5, 1],
    [100, 20],
    [101, 21],
  ] as const) {
    expect(stops(translateInSlices({ data: list(rows) }, same))).toBe(slices);
    expect(stops(translateInSlices(list(rows), same))).toBe(slices);
  }
  expect([24, 25, 100].map((rows) => stops(removeTooLarge({ data: list(rows) })))).toEqual([0, 1, 4]);
  expect([5, 6, 100].map((rows) => pauses({ data: list(rows) }))).toEqual([0, 1, 19]);
  // One value less than fills a slice: the first and the second.
  const short = { x: Array(997).fill(0) };
  expect(stops(removeTooLarge({ data: [...list(24), short] }))).toBe(0);
  expect(stops(removeTooLarge({ data: [...list(25 + 24), short] }))).toBe(1);
  expect(stops(translateInSlices([...list(4), short, 1], same))).toBe(1);
  expect(stops(translateInSlices([...list(5 + 4), short, 1], same))).toBe(2);
  const large = { x: Array(6000).fill(0) };
  expect([pauses({ data: [large] }), pauses({ data: [null, large] })]).toEqual([0, 1]);
});
