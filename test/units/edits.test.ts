import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { ask, type Call, call, endpoint, inside } from '../../src/api/endpoint.ts';
import { flag, int, many, nothing, one, resource, text, toOne, updateBody } from '../../src/api/envelope.ts';
import { problemResult } from '../../src/api/problem.ts';
import { listField, textField, toggleField } from '../../src/describe/field.ts';
import { detailOf, detailTabs, rawTab } from '../../src/describe/list-detail.ts';
import { kind } from '../../src/describe/resource.ts';
import { defineSettings, differenceField } from '../../src/describe/setting.ts';
import { editing, mergeEdit, unreadRefusal } from '../../src/describe/setting-edits.ts';
import { deleting, making, restOfRestore, restoreDetails } from '../../src/describe/standard-actions.ts';
import { acted, answered, contextOf, planOf, refused, walk } from '../support/plans.ts';
import { there } from '../support/there.ts';

/** A kind of the test, with the options that retention filters and archives do not use. */

const context = contextOf();
const common = { of: 'lamp', permission: [], origin: 'spec', source: 'made up' } as const;
const lamp = resource(
  'lamp',
  { name: text, on: flag, tags: v.array(text), options: v.looseObject({}), bulb: text },
  { room: toOne },
);
const listLamps = endpoint({
  ...common,
  id: 'lamps.list',
  title: 'List',
  verb: 'list',
  path: '/lamps',
  query: v.looseObject({}),
  response: many(lamp),
});
const pageOfLamps = endpoint({
  ...listLamps,
  id: 'lamps.page',
  query: v.object({ 'page[size]': v.optional(int), 'page[number]': v.optional(int), room: v.optional(text) }),
});
const getLamp = endpoint({
  ...common,
  id: 'lamps.get',
  title: 'Get',
  verb: 'get',
  path: '/lamps/{id}',
  response: one(lamp),
});
const editLamp = endpoint({
  ...common,
  id: 'lamps.edit',
  title: 'Edit',
  verb: 'update',
  method: 'PATCH',
  path: '/lamps/{id}',
  repeat: 'settable',
  body: updateBody('lamp', { color: v.optional(text) }),
  response: nothing,
});

const lamps = kind({
  noun: 'lamp',
  of: ['lamp'],
  list: () => call(listLamps),
  get: (id) => call(getLamp, { id }),
  name: (row) => row.attributes.name,
});
const setting = defineSettings(lamps);
const edits = editing({
  kind: lamps,
  uses: [editLamp],
  own: ['seen_at'],
  rereads: true,
  settings: {
    name: setting('name', 'name', (now) => textField('name', now)),
    on: setting('on or off', 'on', (now) => toggleField('on', now), { untold: false }),
    tags: setting('tags', 'tags', (now) => listField('tags', now), { untold: [], isSet: true }),
    color: setting('color', 'color', () => textField('color', ''), { unknownUntold: true }),
    roles: setting('roles', 'options.roles', () => differenceField('roles', [], () => ({}) as never), {
      isSet: true,
      put: ({ taken, left }, now) => [...((now ?? []) as string[]).filter((role) => !left.includes(role)), ...taken],
    }),
    secret: setting('secret', 'secret', () => textField('secret', '', { secret: true }), { writeOnly: true }),
  },
  patch: (id, attributes: object) =>
    call(editLamp, { id, body: { data: { id, type: 'lamp', attributes: { ...attributes } } } }),
});
// @ts-expect-error What is left out while it is untold says which value stands for untold.
setting('color', 'color', () => textField('color', ''), { omit: 'new' });
const edit = edits.edit({ id: 'lamps.edit', help: 'all of it' });

const stored = { name: 'hall', on: true, tags: ['a'], options: { roles: ['r1'], odd: 1 }, seen_at: 5 };
type Values = Parameters<typeof edit.send>[1];
const row = (attributes: Record<string, unknown>) => there(lamps.row({ id: 'l1', attributes }));
/** Sends an edit to a service that has `now`, and `after` once it was sent. */
function edited(values: Values, now: object = stored, after: object = now, unread: readonly string[] = []) {
  let isSent = false;
  const done = acted(edit, row(stored), values, (sent) => {
    if (sent.endpoint.id === 'lamps.edit') {
      isSent = true;
      return answered('', [], 204);
    }
    return answered({ data: { id: 'l1', attributes: isSent ? after : now } }, isSent ? [] : unread);
  });
  const bodies = done.bodies.map((body) => (body as { data: { attributes: object } }).data.attributes);
  return { ...done, bodies };
}

test('an edit of a row that is gone says so, and one that cannot be read before says why', () => {
  const says = (kind: 'notFound' | 'forbidden') =>
    acted(edit, row(stored), { name: 'door' }, () => refused(kind, 'the reason')).says();
  expect(says('notFound')).toBe('not sent: hall no longer exists (the reason)');
  expect(says('forbidden')).toBe('the reason');
});

test('what creates something again says in how many requests, and how many are left', () => {
  const words = { lost: ['its history'], starts: 'unmuted' };
  expect(restoreDetails(words, ['a'])).toEqual([
    ...['Creates it again with a new ID, unmuted, in 1 request', 'Lost: its history'],
  ]);
  const [said] = restoreDetails({ lost: [] }, ['a', 'b']);
  expect(said).toBe('Creates it again with a new ID, in 2 requests, each sent once');
  const leftAfter = (...begun: string[]) => restOfRestore(words, ['a', 'a', 'b'], begun)[0];
  expect([leftAfter('a'), leftAfter('a', 'a')]).toEqual([
    'Goes on creating it again: 2 requests are left',
    'Goes on creating it again: 1 request is left',
  ]);
});

test('an edit is a main verb of one row, which opens a form and is reviewed, and which a kind may refuse', () => {
  const shape = { key: 'e', title: 'edit', noun: 'lamp', main: true, bulk: false, reviews: true };
  expect(edits.edit({ id: 'lamps.edit', help: '' })).toMatchObject(shape);
  expect(edits.edit({ id: 'lamps.name', help: '', title: 'name' })).not.toHaveProperty('noun');
  const refusing = editing({ kind: lamps, settings: {}, uses: [], enabled: () => 'it is off' });
  const others = [
    refusing.edit({ id: 'lamps.edit', help: '' }),
    refusing.to(() => ({}), { id: 'lamps.on', help: '', title: 'on' }),
  ];
  for (const action of others) expect(action.enabled?.(row(stored), context)).toBe('it is off');
});

describe('a patch', () => {
  test('sends the members that differ, each as a whole, and reads the row again', () => {
    const { bodies, operations } = edited({ name: 'door', roles: { taken: ['r2'], left: [] } });
    expect(bodies).toEqual([{ name: 'door', options: { roles: ['r1', 'r2'], odd: 1 } }]);
    expect(operations).toEqual(['lamps.get', 'lamps.edit', 'lamps.get']);
  });

  test('keeps what others changed in the same list, and refuses a member that both set', () => {
    const meanwhile = { ...stored, tags: ['a', 'theirs'], options: { roles: ['r9', 'r1'], odd: 2 }, seen_at: 6 };
    expect(edited({ tags: ['mine'], roles: { taken: ['r2'], left: ['r1'] } }, meanwhile).bodies).toEqual([
      { tags: ['theirs', 'mine'], options: { roles: ['r9', 'r2'], odd: 2 } },
    ]);
    const clash = edited({ name: 'door' }, { ...stored, name: 'stairs' });
    expect(clash.bodies).toEqual([]);
    expect(clash.value).toMatchObject({ problem: { kind: 'conflict', fields: ['name'] } });
  });

  test('without a difference is not sent', () => {
    expect(edited({ name: 'hall' }).bodies).toEqual([]);
  });

  test('stops only where a part of what it sends could not be read', () => {
    const unread = ['data.attributes.options.color: expected a text'];
    expect(edited({ name: 'door' }, stored, stored, unread).bodies).toHaveLength(1);
    expect(edited({ roles: { taken: ['r2'], left: [] } }, stored, stored, unread).value).toMatchObject({
      problem: { kind: 'unreadable', text: expect.stringContaining('the whole of options') },
    });
  });

  test('is undone to the values read just before it was sent', () => {
    const after = { ...stored, name: 'door', tags: ['a', 'later'] };
    const { back, says } = edited({ name: 'door' }, stored, after);
    expect(back().map((sent) => sent.body)).toMatchObject([{ data: { attributes: { name: 'hall' } } }]);
    expect(says()).toBe('Saved door (was hall)');
  });
});

describe('a write-only setting', () => {
  test('is sent, and is neither in the row nor compared', () => {
    expect(edited({ secret: 's3' }).bodies).toEqual([{ secret: 's3' }]);
    expect(JSON.stringify(edit.show?.(row(stored), { secret: 's3' }, context))).not.toContain('s3');
    expect(edits.comparable(row(stored))).not.toHaveProperty('secret');
    const { value } = edited({ secret: 's3' });
    expect(JSON.stringify(value)).not.toContain('s3');
  });

  test('asks for confirmation, because nothing can restore it', () => {
    expect(edit.confirm?.([row(stored)], { secret: 's3' }, context)?.question).toContain('cannot be restored');
    expect(edit.confirm?.([row(stored)], { name: 'door' }, context)).toBeUndefined();
  });
});

test('undo compares one spelling of each setting: missing equals its default', () => {
  expect(edits.comparable(row({ name: 'a' }))).toEqual(edits.comparable(row({ name: 'a', on: false, tags: [] })));
  expect(edits.comparable(row({ on: true })).on).not.toBe(edits.comparable(row({})).on);
});

test('a kind without a read of one row finds it in the list; a missing row is reported', () => {
  const listed = kind({ noun: 'lamp', of: ['lamp'], list: () => call(listLamps), name: (row) => row.attributes.name });
  const read = (...data: object[]) => walk(listed.fresh(row(stored)), () => answered({ data })).value;
  expect(read({ id: 'l0', attributes: {} }, { id: 'l1', attributes: { name: 'now' } })).toMatchObject({
    value: { id: 'l1', attributes: { name: 'now' } },
  });
  expect(read({ id: 'l0' })).toMatchObject({ problem: { kind: 'notFound', text: 'hall no longer exists' } });
  expect(read({ attributes: {} })).toMatchObject({
    problem: { kind: 'unreadable', text: 'hall was not read: 1 lamp without an id left out' },
  });
  const places = ['data[0]: expected an object', 'data[1].attributes.on: expected true or false', 'and 4 places more'];
  expect(
    walk(listed.load({ search: {}, range: '' }).plan(context), () => answered({ data: [] }, places)).value,
  ).toMatchObject({
    value: { notes: [`1 row, 1 field, 4 more places could not be read: ${places.slice(0, 2).join(', ')}`] },
  });
});

describe('a read of one that answers 404', () => {
  /** Reads a lamp whose own read gives this problem, with this list. */
  const read = (messages: readonly string[], listed: readonly object[]) =>
    walk(lamps.fresh(row(stored)), (sent) =>
      sent.endpoint.id === 'lamps.get'
        ? { ok: false, problem: { kind: 'notFound', text: 'no such lamp', messages, status: 404 } }
        : answered({ data: listed }),
    );

  test('without an error text is looked up in the list: the deployment may lack the read of one', () => {
    expect(read([], [{ id: 'l1', attributes: { name: 'door' } }]).value).toMatchObject({
      ok: true,
      value: { attributes: { name: 'door' } },
    });
    expect(read([], []).value).toMatchObject({ ok: false, problem: { text: 'no such lamp' } });
  });

  test("with the service's own words means that the row is missing", () => {
    const { calls, value } = read(['lamp l1 not found'], [{ id: 'l1', attributes: {} }]);
    expect(calls).toHaveLength(1);
    expect(value).toMatchObject({ ok: false, problem: { kind: 'notFound' } });
  });
});

test('a setting that cannot be reverted is left out of the undo', () => {
  const result = edited({ color: 'red' }, { ...stored, color: null }, { ...stored, color: 'red' });
  expect([result.value.ok, result.back()]).toEqual([true, []]);
});

test('a setting whose old value is unknown is left out of the undo, so its edit asks', () => {
  expect(edited({ color: 'red' }).says()).toBe('Saved hall');
  const result = edited({ color: 'red' }, stored, { ...stored, color: 'red' });
  expect([result.value.ok, result.back()]).toEqual([true, []]);
  expect(edit.confirm?.([row(stored)], { color: 'red' }, context)?.question).toContain('cannot be undone');
  expect(edit.confirm?.([row({ ...stored, color: null })], { color: 'red' }, context)).toBeUndefined();
  expect(edit.confirm?.([row(stored)], { name: 'door' }, context)).toBeUndefined();
});

describe('a paged kind', () => {
  const paged = kind({
    noun: 'lamp',
    key: 'lit lamp',
    of: ['lamp'],
    pages: ({ search }) => call(pageOfLamps, { query: { room: search.room } }),
    get: (id) => call(getLamp, { id }),
    remove: (_, row) => call(getLamp, { id: `by ${row?.attributes.name}` }),
    most: 2,
    keeps: (row, { search }) => row.attributes.on === (search.on === 'yes'),
    notes: ({ rows, meta }) => [`${rows.length} lit of ${Object.values(meta ?? {}).join()}`],
    name: (row) => row.attributes.name,
    extra: (_, included) => ({ owner: included[0]?.id }),
  });
  const page = (from: number) => ({
    data: Array.from({ length: 100 }, (_, at) => ({ id: `l${from + at}`, attributes: { on: at < 2 } })),
    meta: { total: 500 },
  });
  const source = paged.load({ search: { on: 'yes' }, range: '' });

  test('keeps the rows that match the search, says how many, and stops at its page limit', () => {
    const { calls, value } = walk(source.plan(context), (_, nth) => answered(page(100 * nth)));
    expect(source.key).toBe('lit lamps on=yes');
    expect(calls).toHaveLength(2);
    expect(value).toMatchObject({
      value: { rows: { length: 4 }, notes: ['first 200 rows only', '4 lit of 500'] },
    });
  });

  test('is not read where a later page fails, and counts what has no id on each page', () => {
    const broken = walk(source.plan(context), (_, nth) =>
      nth === 1 ? answered({ ...page(0), meta: { page: { total_count: 500 } } }) : refused('unreachable', 'gone'),
    );
    expect(broken.partials).toMatchObject([{ rows: { length: 2 }, total: 500 }]);
    expect(broken.value).toMatchObject({ ok: false, problem: { kind: 'unreachable' } });
    const { value } = walk(source.plan(context), (_, nth) =>
      answered({ data: [...page(100 * nth).data.slice(1), { attributes: {} }] }),
    );
    expect(value).toMatchObject({ value: { missing: ['first 200 rows only', '2 rows without an id left out'] } });
  });

  const lamp1 = there(paged.row({ id: 'l1', attributes: { name: 'hall' } }, { included: [{ id: 'u1' }] }));

  test('members that only the list holds stay when the row is read again', () => {
    const { value } = walk(paged.fresh(lamp1), () => answered({ data: { id: 'l1', attributes: { name: 'door' } } }));
    expect(value).toMatchObject({ value: { attributes: { name: 'door' }, owner: 'u1' } });
  });

  test('a detail shows its second read in parts', () => {
    const detail = detailOf(paged, {
      sections: () => [],
      more: { of: [], read: (_, moment) => paged.load({ search: { on: 'yes' }, range: '' }).plan(moment) },
    });
    const single = there(detail.load?.(lamp1, context));
    expect(single.key).toBe('lit lamp l1');
    const { value, partials } = walk(single.plan(context), (sent, nth) =>
      answered(
        sent.endpoint.id === 'lamps.get' ? { data: { id: 'l1', attributes: { name: 'door' } } } : page(100 * nth),
      ),
    );
    expect(partials).toMatchObject([{ row: { attributes: { name: 'door' } }, more: { rows: { length: 2 } } }]);
    expect(value).toMatchObject({ ok: true, value: { more: { rows: { length: 4 } } } });
  });

  test('a delete gets the row, and its question gets all rows and the context', () => {
    const remove = deleting({
      id: 'lamps.delete',
      kind: paged,
      help: 'gone',
      details: (_, rows, { zone }) => [`${rows.length} in ${zone}`],
    });
    expect(remove.send(lamp1, {}, context)).toMatchObject({ params: { id: 'by hall' } });
    expect(remove.confirm?.([lamp1, lamp1], {}, context)).toMatchObject({ details: ['2 in UTC'], typed: '2' });
  });
});

test('what a list has twice is one row, the first, in its place', () => {
  const data = ['l1', 'l2', 'l1'].map((id, at) => ({ id, attributes: { name: `lamp ${at}` } }));
  const { value } = walk(lamps.load({ search: {}, range: '' }).plan(context), () => answered({ data }));
  expect(value).toMatchObject({
    value: {
      rows: [
        { id: 'l1', place: 1, attributes: { name: 'lamp 0' } },
        { id: 'l2', place: 2 },
      ],
    },
  });
});

test('a list of bare objects without resource envelopes is read', () => {
  const bare = kind({
    noun: 'lamp',
    of: ['lamp'],
    list: (): Call => call(listLamps),
    bareList: ({ lamps: all }) => ({ data: (all as string[]).map((name) => ({ id: name, attributes: { name } })) }),
    name: (row) => row.attributes.name,
  });
  const { value } = walk(bare.load({ search: {}, range: '' }).plan(context), () => answered({ lamps: ['hall'] }));
  expect(value).toMatchObject({ value: { rows: [{ id: 'hall', attributes: { name: 'hall' } }] } });
});

test('a response about another object gives no row', () => {
  const { value } = walk(lamps.fresh(row(stored)), () => answered({ data: { id: 'l2', attributes: stored } }));
  expect(value).toMatchObject({ problem: { kind: 'unreadable' } });
});

describe('a kind', () => {
  const pagedLamps = kind({
    noun: 'lamp',
    of: ['lamp'],
    pages: ({ search }) => call(pageOfLamps, { query: { room: search.room } }),
    beyond: 's searches by room',
    name: (one) => one.attributes.name,
    extra: (one, included) => ({
      attributes: { ...one.attributes, room: one.relationships?.room?.data?.id },
      rooms: included.map(({ id }) => id),
    }),
  });
  const lampsOf = (first: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: `l${first + at}`, attributes: { name: `lamp ${first + at}` } }));

  test('is read page by page until a short page, each page shown', () => {
    const { value, calls, partials } = walk(
      pagedLamps.load({ search: { room: 'hall' }, range: '' }).plan(context),
      (_, nth) => answered({ data: nth === 1 ? lampsOf(0, 100) : lampsOf(100, 3), included: [{ id: 'r1' }] }),
    );
    expect(calls.map(({ query }) => query)).toEqual([
      { 'page[size]': 100, 'page[number]': 0, room: 'hall' },
      { 'page[size]': 100, 'page[number]': 1, room: 'hall' },
    ]);
    expect(partials).toMatchObject([{ rows: { length: 100 } }]);
    expect(value).toMatchObject({ value: { rows: { length: 103, 102: { id: 'l102', place: 103, rooms: ['r1'] } } } });
  });

  test('lacks no row where a field of one could not be read', () => {
    const odd = ['data[0].attributes.name: expected text'];
    const source = pagedLamps.load({ search: {}, range: '' });
    const { value } = walk(source.plan(context), () => answered({ data: lampsOf(0, 3) }, odd));
    expect(value.ok && [value.value.missing, value.value.notes]).toEqual([
      undefined,
      [`1 field could not be read: ${odd}`],
    ]);
  });

  test('is read on behind a page of which nothing could be read', () => {
    const lost = Array.from({ length: 100 }, (_, at) => `data[${at}]: expected an object`);
    const odd = ['data[0].attributes.name: expected text', 'and 900 places more'];
    const { value } = walk(pagedLamps.load({ search: {}, range: '' }).plan(context), (_, nth) =>
      nth === 2
        ? answered({ data: [] }, lost)
        : answered({ data: lampsOf(nth * 100, nth === 3 ? 3 : 100) }, nth === 1 ? odd : []),
    );
    expect(value).toMatchObject({ value: { rows: { length: 103 } } });
    expect(value.ok && value.value.missing).toEqual([
      '100 rows, 1 field, 900 more places could not be read: data[0].attributes.name: expected text, data[0]: expected an object, data[1]: expected an object and 98 more',
    ]);
  });

  test('with pages without end says what to do', () => {
    const { value } = walk(pagedLamps.load({ search: {}, range: '' }).plan(context), (_, nth) =>
      answered({ data: lampsOf(nth * 100, 100) }),
    );
    expect(value).toMatchObject({ value: { notes: ['first 5000 rows only: s searches by room'] } });
  });

  test('converts its attributes for its settings, and keeps the object as it was read', () => {
    const one = { id: 'l1', attributes: { name: 'hall' }, relationships: { room: { data: { id: 'r1' } } } };
    const shaped = kind({
      noun: 'lamp',
      of: ['lamp'],
      get: (id) => call(getLamp, { id }),
      name: (lamp) => lamp.attributes.name,
      extra: (lamp) => ({ attributes: { ...lamp.attributes, room: lamp.relationships?.room?.data?.id } }),
    });
    const before = there(shaped.row(one));
    expect(before.attributes).toEqual({ name: 'hall', room: 'r1' });
    const { value } = walk(shaped.read(before), () => answered({ data: one }));
    expect(value).toMatchObject({ value: { row: { attributes: { room: 'r1' } }, resource: one } });
    const detail = detailOf(shaped, { sections: () => [] });
    const { value: whole } = walk(detail.load?.(before, context).plan(context) ?? never(), () =>
      answered({ data: one }),
    );
    const raw = detailTabs(detail, before, whole.ok && whole.value, context).at(-1);
    expect(raw).toEqual(rawTab(one));
  });
});

describe('the form of a row that is read before it opens', () => {
  const whole = editing({
    kind: lamps,
    uses: [editLamp],
    settings: {
      name: setting('name', 'name', (now) => textField('name', now)),
      bulb: setting('bulb', 'bulb', (now) => textField('bulb', String(now ?? '')), { has: (one) => one !== undefined }),
    },
    whole: lamps.whole,
    patch: (id, attributes: object) =>
      call(editLamp, { id, body: { data: { id, type: 'lamp', attributes: { ...attributes } } } }),
  });
  const action = whole.edit({ id: 'lamps.whole', help: 'all of it' });
  const bodies = (known: unknown) =>
    walk(planOf(action.send(row({ name: 'old' }), { name: 'mine' }, contextOf({ known }))), () =>
      answered({ data: { id: 'l1', attributes: { name: 'hall' } } }),
    ).calls.flatMap(({ body }) => body ?? []);

  test('shows that row and compares with it', () => {
    expect(action.needs?.(row({ name: 'old' }), context).key).toBe('lamp l1');
    expect(action.form?.(row({ name: 'old' }), context, row(stored))?.name?.initial).toBe('hall');
    expect(bodies(row(stored))).toHaveLength(1);
    expect(bodies({ ...row(stored), id: 'l2' })).toEqual([]);
    expect(bodies(undefined)).toEqual([]);
  });

  test('has the fields that this row has', () => {
    expect(Object.keys(action.form?.(row(stored), context, undefined) ?? {})).toEqual(['name', 'bulb']);
    const create = whole.make({ id: 'lamps.new', help: 'one more', create: () => call(listLamps) });
    expect(Object.keys(create.form?.(row(stored), context, undefined) ?? {})).toEqual(['name']);
  });
});

test('a difference is applied to the row read just before sending, whatever the list said', () => {
  const { bodies } = edited(
    { roles: { taken: ['r2'], left: ['r8'] } },
    { ...stored, options: { roles: ['r8', 'r9'] } },
  );
  expect(bodies).toEqual([{ options: { roles: ['r9', 'r2'] } }]);
});

test('undo compares an unordered list in any order', () => {
  expect(edits.comparable(row({ tags: ['a', 'b'] }))).toEqual(edits.comparable(row({ tags: ['b', 'a'] })));
});

test('an unread part of a relationship stops the edit that sends it', () => {
  const unread = { ...row(stored), unread: ['data.relationships.roles.data[1].id: expected a text'] };
  expect(unreadRefusal(lamps, unread, ['roles'])).toMatchObject({ problem: { kind: 'unreadable' } });
  expect(unreadRefusal(lamps, unread, ['name'])).toBeUndefined();
});

test('of the parts that could not be read two are named', () => {
  const [one, two, three] = ['name', 'on', 'tags'].map(
    (name) => `data.attributes.${name}: expected a text`,
  ) as string[];
  const unread = [one, two, three] as string[];
  const refused = unreadRefusal(lamps, { ...row(stored), unread }, 'all');
  expect(refused).toMatchObject({ problem: { text: expect.stringMatching(`read: ${one}; ${two}$`), fields: unread } });
});

test.each([
  ['around it', { roles: { first: 1 } }, { roles: { first: 2 } }, { roles: { first: 3 } }, 'to {"first":3}'],
  ['in it', 1, { roles: 'r2' }, 2, 'to null'],
  ['that it is', { roles: 1 }, { roles: 2 }, { roles: 'x'.repeat(300) }, `to "${'x'.repeat(198)}…`],
])(
  'a conflict is named by the setting %s, with at most 200 characters of what it is now',
  (_, was, ours, now, says) => {
    const settings = { roles: setting('roles', 'options.roles', () => textField('roles', '')) };
    const rowOf = (options: unknown) => ({ ...row(stored), attributes: { name: 'hall', options } as never });
    const merged = mergeEdit(
      { kind: lamps, settings },
      rowOf(was),
      { name: 'hall', options: ours },
      rowOf(now),
      context,
    );
    const text = `not sent: someone else changed the roles of hall ${says}`;
    expect(merged).toMatchObject({ ok: false, problem: { kind: 'conflict', text } });
  },
);

test('a copy starts with the values of its original and sends them', () => {
  const copy = making({ kind: lamps, settings: { name: setting('name', 'name', (now) => textField('name', now)) } });
  const action = copy({
    id: 'lamps.copy',
    help: 'another one',
    starts: (from) => ({ name: `${from.attributes.name} copy` }),
    create: (attributes: { readonly name?: string }, _, from) =>
      call(editLamp, { id: from.id, body: { data: { id: from.id, type: 'lamp', attributes } } }),
  });
  expect(action.form?.(row(stored), context, undefined)?.name?.initial).toBe('hall copy');
  const { calls, value } = acted(action, row(stored), { name: 'stairs' }, () =>
    answered({ data: { id: 'l2', attributes: { name: 'stairs' } } }),
  );
  expect(calls[0]).toMatchObject({ params: { id: 'l1' }, body: { data: { attributes: { name: 'stairs' } } } });
  expect(value).toMatchObject({ value: { now: { id: 'l2', attributes: { name: 'stairs' } } } });
});

function never(): never {
  throw new Error('there is no such read');
}

describe('a kind whose ids are made of attributes', () => {
  const flat = v.array(v.looseObject({ room: text, name: text, on: flag }));
  const listFlat = endpoint({ ...listLamps, id: 'lamps.flat', response: flat });
  const replaceFlat = endpoint({ ...editLamp, id: 'lamps.replace', repeat: 'replace', body: v.looseObject({}) });
  const createFlat = endpoint({ ...replaceFlat, id: 'lamps.create', verb: 'create', method: 'POST', path: '/lamps' });
  const named = kind({
    noun: 'lamp',
    of: ['lamp'],
    *list() {
      const answer = yield* ask(call(listFlat));
      return answer.ok ? { ...answer, value: { data: answer.value.map((attributes) => ({ attributes })) } } : answer;
    },
    identity: ({ room, name }) => (name ? `${room ?? 'anywhere'} ${name}` : ''),
    schema: v.looseObject({ attributes: flat.item }),
    remove: (id) => call(replaceFlat, { id, body: {} }),
    name: (row) => row.attributes.name,
  });
  const put = defineSettings(named);
  const table = editing({
    kind: named,
    uses: [replaceFlat, listFlat],
    own: ['errors'],
    rereads: true,
    settings: {
      name: put('name', 'name', (now) => textField('name', now)),
      on: put('on or off', 'on', (now) => toggleField('on', now)),
    },
    replace: (id, attributes: object) => call(replaceFlat, { id, body: { ...attributes } }),
    warns: (_, { on }) => (on === false ? ['it gets dark'] : []),
    *asks(asked, _, before) {
      const all = yield* inside(named.load({ search: {}, range: '' }).plan(context));
      const isTaken = asked.id !== before.id && all.ok && all.value.rows.some(({ id }) => id === asked.id);
      return isTaken ? problemResult('conflict', 'the name is taken') : undefined;
    },
  });
  const change = table.edit({ id: 'lamps.change', help: 'all of it' });
  const hall = { room: 'r', name: 'hall', on: true };
  const found = there(named.row({ attributes: hall }));

  /** Sends a change to a service that stores it. */
  function changed(values: Parameters<typeof change.send>[1], lamps: object[], unread: readonly string[] = []) {
    return acted(change, found as NonNullable<typeof found>, values, ({ endpoint: to, body }) => {
      if (to.id === 'lamps.replace') lamps[0] = body as object;
      return answered(to.id === 'lamps.replace' ? {} : lamps, unread);
    });
  }

  test('finds each row by them once, and identifies rows without them by position', () => {
    const read = walk(named.load({ search: {}, range: '' }).plan(context), () =>
      answered(
        [hall, { ...hall, on: false }, {}],
        // The indices count the first one, which is not among them.
        ['[0]: expected an object', '[2].on: expected true or false', '[1].name: expected a text'],
      ),
    ).value;
    expect(read).toMatchObject({
      value: {
        rows: [
          { id: 'r hall', attributes: { on: true }, unread: ['[1].name: expected a text'] },
          { id: '#3', place: 3 },
        ],
      },
    });
    expect(JSON.stringify(read)).not.toContain('left out');
  });

  test('reads and undoes an edit under the new id that it gave', () => {
    const { value, operations, back, made } = changed({ name: 'door' }, [{ ...hall }]);
    expect(value).toMatchObject({
      value: { before: { id: 'r hall' }, now: { id: 'r door', attributes: { on: true } } },
    });
    expect([made()?.id, operations.at(-1)]).toEqual(['r door', 'lamps.flat']);
    expect(back()).toMatchObject([{ params: { id: 'r door' }, body: { name: 'hall' } }]);
    expect(changed({ name: 'door' }, [hall, { ...hall, name: 'door' }]).value).toMatchObject({
      problem: { text: 'the name is taken' },
    });
    const same = changed({ on: false }, [{ ...hall }]);
    expect([same.value.ok, same.made()]).toEqual([true, undefined]);
  });

  test('a replacement stops at an unread part of its own row, unless that part is never sent', () => {
    expect(changed({ on: false }, [hall], ['[0].color: expected a text']).value).toMatchObject({
      problem: { kind: 'unreadable' },
    });
    expect(changed({ on: false }, [{ ...hall }], ['[1].on: odd', '[0].errors[0]: odd']).value.ok).toBe(true);
  });

  test('the confirmation names what else an edit ends', () => {
    expect(change.confirm?.([found], { on: false }, context)?.details).toEqual(['it gets dark']);
    expect(change.confirm?.([found], { name: 'door' }, context)).toBeUndefined();
  });

  const add = table.make({
    id: 'lamps.add',
    help: 'one more',
    verb: 'Added',
    create: (body: object) => call(createFlat, { body: { ...body } }),
    *asks(asked) {
      const there = yield* named.fresh(asked);
      if (there.ok) return problemResult('conflict', 'there is one');
      return there.problem.kind === 'forbidden' ? 'unseen' : undefined;
    },
    says: (_, { on }) => (on ? ' and lit' : ''),
  });
  const values = { name: 'door', on: true };

  test.each([
    { before: answered([]), after: refused('unreachable', 'no'), isBack: true },
    { before: answered([]), after: answered([]), isBack: true },
    { before: refused('forbidden', 'no'), after: refused('forbidden', 'no'), isBack: false },
    { before: refused('forbidden', 'no'), after: answered([{ name: 'door', on: true }]), isBack: false },
  ])(
    'a create that is not told is taken back by its name, unless nobody could look whether it was there: %o',
    (look) => {
      const { back, made, says } = acted(add, found, values, ({ endpoint: to }, nth) =>
        to.id === 'lamps.create' ? answered({}) : nth === 1 ? look.before : look.after,
      );
      expect(back()).toMatchObject(look.isBack ? [{ params: { id: 'anywhere door' } }] : []);
      expect(made()?.id).toBe('anywhere door');
      expect(says().endsWith('; it may have existed before, so undo keeps it')).toBe(!look.isBack);
    },
  );

  test('a create asks first, reads the row again, and names in its own words what was done', () => {
    const lamps: object[] = [];
    const create = () =>
      acted(add, found, values, ({ endpoint: to, body }) => {
        if (to.id === 'lamps.create') lamps.push({ ...(body as object) });
        return answered(to.id === 'lamps.create' ? {} : lamps);
      });
    const { back, made, says } = create();
    expect([made()?.id, says()]).toEqual(['anywhere door', 'Added door and lit']);
    expect(back()).toMatchObject([{ params: { id: 'anywhere door' } }]);
    expect(create().value).toMatchObject({ problem: { text: 'there is one' } });
  });
});
