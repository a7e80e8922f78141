import { expect, test } from 'vitest';
import { findRows } from '../../src/cli/find-rows.ts';
import { findPick } from '../../src/cli/search-flags.ts';
import type { Source } from '../../src/describe/context.ts';
import { type AnyList, list } from '../../src/describe/screen.ts';
import { contextOf } from '../support/plans.ts';

interface Thing {
  readonly id: string;
  readonly name: string;
}

const things: readonly Thing[] = [
  { id: '1', name: 'checkout' },
  { id: '2', name: 'twice' },
  { id: '3', name: 'twice' },
  { id: 'name:4', name: 'odd' },
];

/** What was read: the whole list, or ids. */
const reads: string[] = [];
const source = (key: string, rows: readonly Thing[], missing: readonly string[] = []): Source<Thing> => ({
  key,
  of: [],
  // biome-ignore lint/correctness/useYield: nothing is asked
  *plan() {
    reads.push(key);
    return { ok: true, value: { rows, missing, notes: missing }, status: 200, unread: [] };
  },
});
const client = { run: async (plan: Generator<unknown, unknown, unknown>) => plan.next().value };
const spec = list<Thing>({
  id: 'things',
  title: 'Things',
  load: () => source('all', things.slice(0, 3)),
  find: (ids) =>
    source(
      ids.join(),
      things.filter(({ id }) => ids.includes(id)),
    ),
  idOf: (row) => row.id,
  nameOf: (row) => row.name,
  columns: [],
  actions: [],
  empty: '',
});

async function find(words: readonly string[], { stdin = '', of = spec as AnyList } = {}) {
  reads.length = 0;
  const said: string[] = [];
  const found = await findRows(
    {
      err: (text) => said.push(text),
      pieces: async function* () {
        yield Buffer.from(stdin);
      },
    },
    { client } as unknown as Parameters<typeof findRows>[1],
    contextOf(),
    { list: of, words, asked: { search: {}, range: '' } },
  );
  return {
    ids: found.ok ? found.rows.map((row) => (row as Thing).id) : undefined,
    exit: found.ok ? 0 : found.exit,
    err: said.join(''),
    reads: [...reads],
  };
}

test('a few ids are read by themselves, many in the list first', async () => {
  expect(await find(['3', '1', '3'])).toMatchObject({ ids: ['3', '1'], reads: ['3,1'] });
  expect(await find(['1', '2', '3', '4', '5'])).toMatchObject({ reads: ['1,2,3,4,5'] });
  expect(await find(['1', '2', '3', '4', '5', '6'])).toMatchObject({ reads: ['all', '4,5,6'] });
  const { find: _, ...without } = spec;
  expect(await find(['3', '1'], { of: without })).toMatchObject({ ids: ['3', '1'], reads: ['all'] });
});

test('a name counts where exactly one row has it', async () => {
  expect(await find(['name:checkout', '1'])).toMatchObject({ ids: ['1'] });
  expect(await find(['name:twice'])).toMatchObject({ exit: 1, err: expect.stringMatching(/2 rows .* twice.* 2, 3/) });
  expect(await find(['name:none'])).toMatchObject({ exit: 1, err: expect.stringContaining('the name none') });
  expect(await find(['id:name:4'])).toMatchObject({ ids: ['name:4'] });
});

test('where rows are missing, a name or an ID is that of no row for certain', async () => {
  const of = { ...spec, load: () => source('all', things.slice(0, 1), ['page 2 was not read']) };
  const unknown = { ids: undefined, exit: 1, err: expect.stringContaining('rows are missing') };
  const told = { ...unknown, err: expect.stringMatching(/^page 2 was not read\n.*rows are missing/) };
  for (const name of ['checkout', 'none']) expect(await find([`name:${name}`], { of })).toMatchObject(told);
  const { find: _, ...without } = of;
  const alone = { ...spec, find: () => source('9', [], ['page 2 was not read']) };
  for (const list of [without, alone]) expect(await find(['9'], { of: list as AnyList })).toMatchObject(unknown);
});

test('standard input is read up to the first tab of each line, and one word without a row spoils all', async () => {
  expect(await find(['-'], { stdin: '1\tOK\tcheckout\r\n\n2\n' })).toMatchObject({ ids: ['1', '2'] });
  // A script that found nothing has nothing to do.
  const nothing = { ids: undefined, exit: 0, err: expect.stringContaining('nothing to do') };
  expect(await find(['-'], { stdin: '\n' })).toMatchObject(nothing);
  expect(await find(['1', '9'])).toMatchObject({ exit: 1, err: expect.stringContaining('ID 9') });
});

test.each(['', ' ', 'id:', 'name: '])(
  'one empty id (%j) among several is a mistake of the script: nothing is read',
  async (empty) => {
    const found = { ids: undefined, exit: 2, err: expect.stringContaining('an ID is empty'), reads: [] };
    expect(await find(['1', empty, '2'])).toMatchObject(found);
  },
);

test('a name picks nothing where not all that have names could be compared with it; an id does', async () => {
  const picks = things.map(({ id, name }) => ({ id, label: name, hint: `${id}@acme.test` }));
  const pick = (word: string, missing: readonly string[]) =>
    findPick(
      { client } as unknown as Parameters<typeof findPick>[0],
      contextOf(),
      {
        noun: 'thing',
        load: (_, extent) => ({
          ...source('picks', []),
          // biome-ignore lint/correctness/useYield: nothing is asked
          *plan() {
            const rows = extent === 'all' ? picks : picks.slice(0, 1);
            return { ok: true, value: { rows, missing }, status: 200, unread: [] };
          },
        }),
      },
      word,
    );
  expect(await pick('name:odd', [])).toMatchObject({ ok: true, value: { id: 'name:4' } });
  expect(await pick('3@acme.test', [])).toMatchObject({ ok: true, value: { id: '3' } });
  expect(await pick('1', ['first 4 rows only'])).toMatchObject({ ok: true, value: { id: '1' } });
  expect(await pick('name:checkout', ['first 4 rows only'])).toEqual({
    ok: false,
    text: 'not every thing could be compared with checkout (first 4 rows only): give an ID',
  });
});
