import { expect, test } from 'vitest';
import { counted } from '../../../src/describe/board.ts';
import type { Context } from '../../../src/describe/context.ts';
import type { Material } from '../../../src/describe/derived.ts';
import { createOrganisation, joinedKey, keyOf, type Tagged } from '../../../src/describe/organisation.ts';
import { receipt, receiptText } from '../../../src/describe/receipt.ts';
import { type AnyList, list, type Screen } from '../../../src/describe/screen.ts';
import type { Sliced } from '../../../src/lib/slices.ts';
import { actingOn, actingParts } from '../../../src/session/derived/acting.ts';
import { combinedScreens } from '../../../src/session/organisations/combined-list.ts';
import { contextOf } from '../../support/plans.ts';

interface Thing {
  readonly id: string;
  readonly on?: boolean;
}

const base = contextOf();
const organisation = (name: string) =>
  createOrganisation(name, (context) => ({ ...context, profile: { name, production: false, readOnly: false } }));
const [acme, beta] = [organisation('acme'), organisation('beta')];
const who = (context: Context) => context.profile.name;
const source = (key: string, of: string) => ({ key, of: [of], *plan() {} }) as never;

/** A list whose every function says in whose words it speaks. */
const thingsOf = (name: string): AnyList =>
  list<Thing>({
    id: 'things',
    title: 'Things',
    load: (asked, context) => source(`${who(context)} ${asked.range}`, name),
    idOf: (row) => row.id,
    nameOf: (row) => `${name} ${row.id}`,
    columns: [
      {
        id: 'name',
        title: 'Name',
        min: 4,
        priority: 1,
        text: (row, context) => `${row.id} of ${who(context)}`,
        tone: (row) => (row.on ? 'bad' : 'good'),
        sort: (row, context) => `${who(context)} ${row.id}`,
      },
      { id: 'plain', title: 'Plain', min: 4, priority: 2, text: () => name },
    ],
    sortedTogether: { by: 'name', down: true },
    words: (_, context) => `words of ${who(context)}`,
    trend: (row) => row.id.length,
    states: [
      {
        label: 'on',
        isIn: (row, context) => row.on === true && who(context) === name,
        aside: { label: 'aside', isSo: () => name === 'acme' } as never,
      },
    ],
    search: { form: (_, context) => ({ [who(context)]: {} }) as never, initial: {}, says: () => '' },
    notifies: { one: 'thing', isSo: (row, context) => row.on === true && who(context) === name },
    alarms: (rows) =>
      rows.map(
        (row) =>
          ({
            key: 'k',
            rowId: row.id,
            end: '09:00 UTC',
            subject: receipt`soon`,
            isOwn: (edits: readonly unknown[]) => edits.length > 0,
          }) as never,
      ),
    detail: {
      previewLines: 7,
      load: (row, context) => source(`detail ${row.id} ${who(context)}`, name),
      preview: (row, context) => [`preview ${row.id} ${who(context)}`] as never,
      tabs: (row, whole, context) => [`tab ${row.id} ${String(whole)} ${who(context)}`] as never,
      sections: (row, whole, context) => [`section ${row.id} ${String(whole)} ${who(context)}`] as never,
    },
    actions: [],
    empty: '',
  });

const screensOf = (name: string, of: AnyList = thingsOf(name)): readonly Screen[] => [
  { id: 'things', title: 'Things', key: '1', isCombined: true, lists: [of] },
  { id: 'alone', title: 'Alone', key: '2', lists: [{ ...of, id: 'alone' }] },
];
const together = (of: (name: string) => AnyList = thingsOf) =>
  combinedScreens([
    { organisation: acme, screens: screensOf('acme', of('acme')) },
    { organisation: beta, screens: screensOf('beta', of('beta')) },
  ]);
const listOf = (screens: readonly Screen[]): AnyList => screens[0]?.lists[0] as AnyList;
const row: Tagged<Thing> = beta.tag({ id: 'a', on: true });
const other: Tagged<Thing> = acme.tag({ id: 'bb' });

test('only screens that say so show the rows of all', () => {
  const [things, alone] = together();
  expect(things?.lists[0]?.parts?.map((part) => part.organisation)).toEqual([acme, beta]);
  expect(alone?.lists[0]?.parts).toBeUndefined();
});

test('a row is told by the list of its own organisation, in its own context', () => {
  const one = listOf(together());
  expect([one.idOf(row), one.nameOf(row), one.words?.(row, base), one.trend?.(row), one.trend?.(other)]).toEqual([
    ...[beta.id('a'), 'beta a', 'beta words of beta', 1, 2],
  ]);
  expect(one.columns.map(({ id, text }) => `${id}: ${text(row, base)}`)).toEqual([
    'name: a of beta',
    'profile: beta',
    'plain: beta',
  ]);
  const [name, profile, plain] = one.columns;
  expect([name?.tone?.(row, base), name?.tone?.(other, base), profile?.tone?.(row, base), plain?.tone]).toEqual([
    'bad',
    'good',
    'info',
    undefined,
  ]);
  expect([name?.sort?.(row, base), profile?.sort?.(row, base), plain?.sort]).toEqual(['beta a', 'beta', undefined]);
  const [state] = one.states ?? [];
  expect([state?.isIn(row, base), state?.isIn(other, base)]).toEqual([true, false]);
  expect([state?.aside?.isSo(row, base), state?.aside?.isSo(other, base)]).toEqual([false, true]);
  expect([one.notifies?.isSo(row, base), one.notifies?.isSo(other, base)]).toEqual([true, false]);
  expect(Object.keys(one.search?.form({}, base) ?? {})).toEqual(['acme']);
  expect(one.sorted).toEqual({ by: 'name', down: true });
});

test('its detail, preview and tabs are those of its own list', () => {
  const { detail } = listOf(together());
  expect(detail?.previewLines).toBe(7);
  expect(detail?.load?.(row, base)).toMatchObject({ key: keyOf('beta', 'detail a beta') });
  expect(detail?.preview?.(row, base)).toEqual(['preview a beta']);
  expect(detail?.tabs?.(row, 1, base)).toEqual(['tab a 1 beta']);
  expect(detail?.sections(row, 1, base)).toEqual(['section a 1 beta']);
});

test('what a list does not have, the rows of all have not', () => {
  const bare = listOf(
    together((name) => {
      const { words, trend, states, search, notifies, alarms, detail, sortedTogether, ...rest } = thingsOf(name);
      return { ...rest, sorted: { by: 'plain', down: false } };
    }),
  );
  for (const name of ['trend', 'states', 'search', 'notifies', 'alarms', 'detail', 'shown', 'derived'] as const)
    expect(bare).not.toHaveProperty(name);
  expect([bare.words?.(row, base), bare.sorted]).toEqual(['beta ', { by: 'plain', down: false }]);
  const little = listOf(together((name) => ({ ...thingsOf(name), detail: { sections: () => [] } })));
  expect(Object.keys(little.detail ?? {})).toEqual(['sections']);
});

test('of chosen columns that of the profile stands behind the first', () => {
  const chosen = listOf(together((name) => ({ ...thingsOf(name), shown: thingsOf(name).columns.slice(1) })));
  expect(chosen.shown?.map(({ id }) => id)).toEqual(['plain', 'profile']);
  const none = listOf(together((name) => ({ ...thingsOf(name), columns: [], shown: [] })));
  expect(none.shown?.map(({ id }) => id)).toEqual(['profile']);
});

test('it is read by one read for each organisation', () => {
  const one = listOf(together());
  const read = one.load({ search: {}, range: '1h' }, base);
  expect(read.parts?.map(({ key }) => key)).toEqual([keyOf('acme', 'acme 1h'), keyOf('beta', 'beta 1h')]);
  expect([read.key, read.of]).toEqual([joinedKey(read.parts?.map(({ key }) => key) ?? []), ['acme', 'beta']]);
  expect(read.plan(base).next().value).toMatchObject({ ok: false });
});

test('an alarm names its organisation, and is its own by the edits made there', () => {
  const alarms = listOf(together()).alarms?.([row, other], base) ?? [];
  expect(alarms.map(({ key, rowId, subject }) => [key, rowId, receiptText(subject)])).toEqual([
    [acme.id('k'), acme.id('bb'), 'acme: soon'],
    [beta.id('k'), beta.id('a'), 'beta: soon'],
  ]);
  const edits = [{ profile: { name: 'beta' } }] as never;
  expect(alarms.map((alarm) => alarm.isOwn?.(edits))).toEqual([false, true]);
});

/** A list that is made of what others read: rows of `things`, and where they lead. */
const derivedOf = (name: string, more: object = {}): AnyList => ({
  ...thingsOf(name),
  derived: {
    feeds: {
      all: {
        source: (context: Context) => source(`feed ${who(context)}`, name),
        of: 'things',
        samples: (rows: readonly Thing[], context: Context) => ({ [who(context)]: rows.length }),
        changes: (_: unknown, after: readonly Thing[]) =>
          after.map(({ id }) => ({ what: 'came', name: id, place: {} })),
      },
      bare: { source: () => source('bare', name) },
    },
    rows: (material: Material, _: unknown, context: Context) =>
      (material.told.all?.rows ?? []).map(({ id }: Thing) => ({
        id: `${id} ${who(context)} ${material.changes.length} ${material.edits.length}`,
      })),
    notes: (material: Material) => material.told.all?.notes ?? [],
    offers: ['turn'],
    subject: (of: Thing) => (of.id === 'none' ? undefined : { list: 'things', row: of }),
    place: (of: Thing) => (of.id === 'none' ? undefined : { list: of.id === 'far' ? 'alone' : 'things', row: of.id }),
    ...more,
  } as never,
});

const material: Material = {
  told: {
    [keyOf('acme', 'all')]: { rows: [{ id: 'a' }], notes: ['slow'] },
    [keyOf('beta', 'all')]: { rows: [{ id: 'b' }, { id: 'c' }], notes: [] },
  },
  changes: [{ what: '', name: '', at: 1, place: {}, profile: 'beta' }],
  edits: [{ profile: { name: 'acme' } } as never],
};

test('a derived list is made of the feeds of every organisation, each of its own', () => {
  const { derived } = listOf(together(derivedOf));
  expect(Object.keys(derived?.feeds ?? {})).toEqual(
    ['all', 'bare'].flatMap((feed) => [keyOf('acme', feed)]).concat([keyOf('beta', 'all'), keyOf('beta', 'bare')]),
  );
  const feed = derived?.feeds[keyOf('beta', 'all')];
  const bare = derived?.feeds[keyOf('beta', 'bare')];
  expect([feed?.of, feed?.source(base).key]).toEqual([keyOf('beta', 'things'), keyOf('beta', 'feed beta')]);
  expect(feed?.samples?.([1, 2], base)).toEqual({ [beta.id('beta')]: 2 });
  expect(feed?.changes?.([], [{ id: 'a' }])).toEqual([{ what: 'came', name: 'a', place: {}, profile: 'beta' }]);
  for (const name of ['of', 'samples', 'changes']) expect(bare).not.toHaveProperty(name);
  const rows = derived?.rows(material, { search: {}, range: '' }, base) as readonly Tagged<Thing>[];
  expect(rows.map((one) => `${one.organisation.name}: ${one.row.id}`)).toEqual([
    'acme: a acme 0 1',
    'beta: b beta 1 0',
    'beta: c beta 1 0',
  ]);
  expect([derived?.notes?.(material), derived?.offers]).toEqual([['acme: slow'], ['turn']]);
});

test('what takes long of a derived list is done in slices for each organisation, where any has such work', () => {
  const did: string[] = [];
  function* slices({ told }: Material, context: Context): Sliced<void> {
    yield;
    did.push(`${who(context)} ${told.all?.rows?.length}`);
  }
  const work = listOf(together((name) => derivedOf(name, { ahead: slices }))).derived?.ahead?.(material, base);
  expect([[...(work ?? [])].length, did]).toEqual([2, ['acme 1', 'beta 2']]);
  const done = listOf(together((name) => derivedOf(name, { ahead: () => undefined }))).derived;
  expect([done?.ahead?.(material, base), listOf(together(derivedOf)).derived?.ahead?.(material, base)]).toEqual([
    undefined,
    undefined,
  ]);
});

test('a derived row leads to a list of all by its own id, and to a list of one where that is its own', () => {
  const { derived } = listOf(together(derivedOf));
  const place = (of: typeof acme, id: string) => derived?.place?.(of.tag({ id }));
  expect([place(beta, 'a'), place(acme, 'far'), place(beta, 'far'), place(beta, 'none')]).toEqual([
    { list: 'things', row: beta.id('a') },
    { list: 'alone', row: 'far' },
    { list: 'alone', row: 'far', elsewhere: 'beta' },
    undefined,
  ]);
  expect(derived?.subject?.(beta.tag({ id: 'a' }))).toEqual({ list: 'things', row: { id: 'a' }, organisation: beta });
  expect(derived?.subject?.(beta.tag({ id: 'none' }))).toBeUndefined();
  const nowhere = listOf(together((name) => derivedOf(name, { place: undefined, subject: undefined }))).derived;
  expect([nowhere?.place?.(row), nowhere?.subject?.(row)]).toEqual([undefined, undefined]);
});

const boardOf = (name: string, blocks: readonly object[]): AnyList =>
  ({ ...derivedOf(name), board: { blocks: () => blocks } }) as never;
const block = (id: string, more: object = {}) => ({
  id,
  title: id,
  head: [],
  columns: [],
  lines: [],
  empty: 'none',
  least: 1,
  ...more,
});

test('the blocks of a board have the lines of all, by rank, with what each organisation says', () => {
  const says = (count: number) => `${count} on`;
  const blocks: Readonly<Record<string, readonly object[]>> = {
    acme: [
      block('one', {
        head: [counted(1, 2, says)],
        lines: [{ id: 'x', rank: 5, cells: { text: 'whole' }, place: { list: 'things', row: 'x' } }],
        trouble: 'late',
      }),
      block('two', { empty: 'all well' }),
    ],
    beta: [
      block('one', {
        head: [counted(1, 3, says)],
        columns: [{ id: 'name', priority: 1 }],
        lines: [
          { id: 'last', cells: { name: { text: 'b' } }, place: {} },
          {
            id: 'y',
            rank: 1,
            cells: { name: { text: 'a' } },
            place: { list: 'things' },
            subject: { list: 'things', row: 1 },
          },
        ],
      }),
      block('two', { empty: 'nothing' }),
      block('three', { trouble: 'off' }),
    ],
  };
  const one = listOf(together((name) => boardOf(name, blocks[name] ?? [])));
  const [first, second, third] = one.board?.blocks(material, base) ?? [];
  expect(first).toMatchObject({ id: 'one', head: [{ text: '5 on' }], empty: 'none', trouble: 'acme: late' });
  expect(first?.columns.map(({ id }) => id)).toEqual(['profile', 'name']);
  expect(first?.lines).toEqual([
    {
      ...{
        id: beta.id('y'),
        rank: 1,
        place: { list: 'things' },
        subject: { list: 'things', row: 1, organisation: beta },
      },
      cells: { profile: { text: 'beta', tone: 'info' }, name: { text: 'a' } },
    },
    {
      id: acme.id('x'),
      rank: 5,
      cells: { text: 'acme: whole' },
      place: { list: 'things', row: acme.id('x') },
      subject: undefined,
    },
    {
      id: beta.id('last'),
      cells: { profile: { text: 'beta', tone: 'info' }, name: { text: 'b' } },
      place: {},
      subject: undefined,
    },
  ]);
  expect(second).toMatchObject({ columns: [], lines: [], empty: 'acme: all well · beta: nothing', trouble: undefined });
  expect(third).toMatchObject({ id: 'three', trouble: 'beta: off' });
  expect(one.derived?.rows(material, { search: {}, range: '' }, base)).toEqual([...(first?.lines ?? [])]);
  expect(one.derived?.place?.({ id: 'a' })).toEqual({ list: 'things', row: 'a' });
  expect(one.derived?.subject?.({ id: 'a' })).toEqual({ list: 'things', row: { id: 'a' } });
});

test('actions are those of the list that a row is of; of several organisations each has its own', () => {
  const screens = together((name) => ({ ...thingsOf(name), actions: [{ id: 'turn' }, { id: 'other' }] as never }));
  const things = listOf(screens);
  const plain = { ...thingsOf('x'), id: 'plain' };
  expect(actingOn(plain, [1], 'sub', screens)).toEqual({ list: plain, rows: [1], subRowId: 'sub' });
  const both = actingOn(things, [row, other, beta.tag({ id: 'c' })], undefined, screens);
  expect(actingParts(both).map(({ list, rows }) => [list.organisation, rows])).toEqual([
    [acme, [{ id: 'bb' }]],
    [beta, [{ id: 'a', on: true }, { id: 'c' }]],
  ]);
  expect(both).not.toHaveProperty('single');
  const one = actingOn(things, [row], 'part', screens);
  expect([one.list.organisation, one.rows, one.subRowId]).toEqual([beta, [row.row], 'part']);
  expect(one).not.toHaveProperty('others');
  expect(actingOn(things, [], undefined, screens)).toMatchObject({ list: { id: 'things' }, rows: [] });
  const home = listOf(together(derivedOf));
  const acting = actingOn(home, [row], undefined, screens);
  expect([acting.list.actions.map(({ id }) => id), acting.rows]).toEqual([['turn'], [row.row]]);
  expect(actingOn(home, [beta.tag({ id: 'none' })], undefined, screens)).toMatchObject({
    list: { actions: [] },
    rows: [],
  });
});

test('lines of a board for several parts of rows are acted on one at a time, and those of one list alone', () => {
  const subject = (of: { readonly list: string; readonly sub?: string }) => ({
    ...{ list: of.list, row: of },
    ...(of.sub === undefined ? {} : { subRowId: of.sub }),
  });
  const home = { ...thingsOf('x'), id: 'home', derived: { feeds: {}, rows: () => [], subject } } as never;
  const screens = [{ id: 's', title: 'S', lists: [thingsOf('x'), { ...thingsOf('x'), id: 'alone' }] }];
  const on = (...of: readonly { readonly list: string; readonly sub?: string }[]) =>
    actingOn(home, of, undefined, screens);
  expect(on({ list: 'things', sub: 'p' }, { list: 'things', sub: 'q' }).single).toBe(
    'one row at a time: clear the marks first',
  );
  expect(on({ list: 'things', sub: 'p' }, { list: 'things', sub: 'p' })).not.toHaveProperty('single');
  expect(on({ list: 'things', sub: 'p' })).toMatchObject({ subRowId: 'p', rows: [{ sub: 'p' }] });
  expect(on({ list: 'alone' }, { list: 'things' })).toMatchObject({ list: { id: 'alone' }, rows: [{ list: 'alone' }] });
  expect(on({ list: 'gone' })).toMatchObject({ list: { id: 'home', actions: [] }, rows: [] });
});
