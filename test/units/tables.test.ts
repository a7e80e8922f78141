import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deleteAction, editAction } from '../../screens/tables/edit.ts';
import { columnsField, loadTables, type ReferenceTable, tableKind } from '../../screens/tables/kind.ts';
import { deleteRowAction, editRowAction, newRowAction } from '../../screens/tables/row-edit.ts';
import { type CellsRow, loadRows, parseKeys, rowKind, rowSearchText } from '../../screens/tables/row-kind.ts';
import { rowList, schemaColumns } from '../../screens/tables/row-list.ts';
import { toTableName } from '../../screens/tables/upload.ts';
import type { Call } from '../../src/api/endpoint.ts';
import type { Result } from '../../src/api/problem.ts';
import { commandLine } from '../../src/describe/action.ts';
import { createColumnsReader } from '../../src/session/rows/list-state.ts';
import { guarded } from '../../src/session/session-world.ts';
import { acted, answered, contextOf, refused, walk } from '../support/plans.ts';
import { there } from '../support/there.ts';

const context = contextOf();

const extras = fc.dictionary(
  fc.string({ minLength: 1 }).filter((name) => !['__proto__', 'file_path', 'provider_c_bucket_name'].includes(name)),
  fc.oneof(fc.string(), fc.integer(), fc.boolean()),
);
const table = (more: object = {}) => ({
  id: 't1',
  type: 'reference_table',
  attributes: {
    table_name: 'routes',
    source: 'PROVIDER_C',
    status: 'DONE',
    schema: {
      fields: [
        { name: 'id', type: 'STRING' },
        { name: 'tier', type: 'INT32' },
      ],
      primary_keys: ['id'],
    },
    ...more,
  },
});

const tableRow = (more: object = {}): ReferenceTable => there(tableKind.row(table(more)));
function cellsRow(values: Record<string, unknown>, owner: object = {}): CellsRow {
  const row = there(rowKind.row({ id: 'web', attributes: { values } }));
  return { ...row, table: tableRow(owner) };
}
const attributesOf = ({ body }: Call) =>
  (body as { data?: { attributes?: Readonly<Record<string, unknown>> } } | undefined)?.data?.attributes;

describe('the edit of a table', () => {
  const inCloud = (detail: object, more: object = {}) =>
    table({ file_metadata: { access_details: { provider_c_detail: detail }, error_message: '', ...more } });
  const place = { provider_c_bucket_name: 'one', file_path: 'a.csv' };
  type Values = Parameters<typeof editAction.send>[1];
  /** Sends an edit of `before` to a service that has `now`, and `after` once it was sent. */
  function edited(values: Values, before: object, now = before, after = now, unread: readonly string[] = []) {
    const row = there(tableKind.row(before as ReturnType<typeof table>));
    let isSent = false;
    const done = acted(editAction, row, values, ({ endpoint }) => {
      if (endpoint.id === 'tables.get') return answered({ data: isSent ? after : now }, unread);
      isSent = true;
      return answered('');
    });
    return {
      ...done,
      bodies: done.calls.flatMap((sent) => attributesOf(sent) ?? []),
      back: done.back().map(attributesOf),
    };
  }

  test('sends new storage with everything that was read of it, whatever else there is', () => {
    fc.assert(
      fc.property(extras, (more) => {
        const detail = { ...more, ...place };
        const before = inCloud(detail, { sync_enabled: true });
        const after = inCloud({ ...detail, provider_c_bucket_name: 'two' }, { sync_enabled: true });
        const { operations, bodies, back } = edited({ bucketInC: 'two' }, before, before, after);
        expect(operations).toEqual(['tables.get', 'tables.update', 'tables.get']);
        expect(bodies).toEqual([
          { file_metadata: { access_details: { provider_c_detail: { ...detail, provider_c_bucket_name: 'two' } } } },
        ]);
        expect(back).toEqual([{ file_metadata: { access_details: { provider_c_detail: detail } } }]);
      }),
    );
  });

  test('sends a change of synchronization alone, so that nothing is read again', () => {
    const on = inCloud(place, { sync_enabled: true });
    const { bodies, back } = edited({ sync: false }, on, on, inCloud(place));
    expect(bodies).toEqual([{ file_metadata: { sync_enabled: false } }]);
    expect(back).toEqual([{ file_metadata: { sync_enabled: true } }]);
  });

  test('sends new columns with the storage that they are read from; undo keeps them', () => {
    const before = inCloud(place);
    const columns = [{ name: 'site', type: 'STRING' }];
    const { schema } = before.attributes;
    const wider = { ...schema, fields: [...schema.fields, ...columns] };
    const after = { ...before, attributes: { ...before.attributes, schema: wider } };
    const alone = edited({ columns }, before, before, after);
    expect(alone.bodies).toEqual([{ schema: wider, file_metadata: { access_details: { provider_c_detail: place } } }]);
    expect(alone.back).toEqual([]);
    const asked = (values: Values) => editAction.confirm?.([tableKind.row(before) as ReferenceTable], values, context);
    expect([{ columns }, { bucketInC: 'two' }, { description: 'new' }].map((values) => asked(values)?.details)).toEqual(
      [
        ['Rows whose key is not in the file are deleted', 'New columns cannot be removed again: site'],
        ['Rows whose key is not in the file are deleted'],
        undefined,
      ],
    );
    const both = { ...after, attributes: { ...after.attributes, description: 'new' } };
    expect(edited({ columns, description: 'new' }, before, before, both).back).toEqual([{ description: '' }]);
  });

  test('stops where parts of the storage that must be sent could not be read', () => {
    const unread = ['data.attributes.file_metadata.access_details.provider_c_detail.file_path: expected a text'];
    const before = inCloud(place);
    const columns = [{ name: 'site', type: 'STRING' }];
    expect(edited({ columns }, before, before, before, unread).value).toMatchObject({
      problem: { kind: 'unreadable' },
    });
    expect(edited({ description: 'new' }, before, before, before, unread).bodies).toEqual([{ description: 'new' }]);
  });

  test('reports what the service has saved, and that it reads the file again', () => {
    const before = inCloud(place);
    const after = { ...before, attributes: { ...before.attributes, status: 'INITIALIZED' } };
    expect(edited({ bucketInC: 'two' }, before, before, after).says()).toBe(
      'Saved routes; the service reports bucket "one"; importing the file again (initialized)',
    );
  });
});

describe('the edit of a row', () => {
  const edited = (row: CellsRow, data: readonly object[], unread: readonly string[] = []) =>
    acted(editRowAction, row, { 'cell tier': 7 }, () => answered({ data }, unread));
  const stored = (values: object) => ({ id: 'web', type: 'row', attributes: { values } });
  const row = cellsRow({ id: 'web', tier: 1 });

  test('writes every other cell of the row as it is now', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.stringMatching(/^[a-z]{2,8}$/),
          fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.bigInt({ min: 2n ** 60n })),
        ),
        (more) => {
          const values = { ...more, id: 'web', tier: 1 };
          const { calls } = edited(cellsRow(values), [stored(values)]);
          expect(calls.at(-1)?.body).toEqual({ data: [stored({ ...values, tier: 7 })] });
        },
      ),
    );
  });

  test('does not overwrite a cell that another person has changed, and does not recreate a deleted row', () => {
    const theirs = edited(row, [stored({ id: 'web', tier: 5 })]);
    expect(theirs.calls).toHaveLength(1);
    expect(theirs.value).toMatchObject({
      problem: { kind: 'conflict', text: 'not sent: someone else changed the tier of web to 5' },
    });
    const missing = edited(row, []);
    expect(missing.calls).toHaveLength(1);
    expect(missing.value).toMatchObject({
      problem: { kind: 'notFound', text: 'not sent: web no longer exists (row web no longer exists)' },
    });
  });

  test('writes nothing where a part of the row could not be read', () => {
    const unread = ['data[0].attributes.values: expected an object'];
    const { calls, value } = edited(row, [stored({ id: 'web', tier: 1 })], unread);
    expect(calls).toHaveLength(1);
    expect(value).toMatchObject({ problem: { kind: 'unreadable' } });
  });

  test('is copied as the command that writes the whole row', () => {
    expect(commandLine(editRowAction.command?.(row, { 'cell tier': 7 }, context) ?? '', {})).toContain('"tier":7');
  });

  test('is undone by writing the whole row', () => {
    const { back } = edited(row, [stored({ id: 'web', tier: 1, team: 'core' })]);
    expect(back().map(({ body }) => body)).toEqual([{ data: [stored({ id: 'web', tier: 1, team: 'core' })] }]);
  });

  test('is retried once after a conflict, then reports the problem', () => {
    const { operations, pauses, value } = acted(editRowAction, row, { 'cell tier': 7 }, ({ endpoint }) =>
      endpoint.id === 'tables.rows'
        ? answered({ data: [stored({ id: 'web', tier: 1 })] })
        : refused('conflict', 'the table is busy', 409),
    );
    expect(operations).toEqual(['tables.rows', 'tables.upsert-rows', 'tables.upsert-rows']);
    expect(pauses).toHaveLength(1);
    expect(value).toMatchObject({ problem: { text: 'the table is busy; nothing was saved: try again in a moment' } });
  });
});

test('a deleted row is written back as it was just before; without a look at it nothing is sent', () => {
  const now = { id: 'web', type: 'row', attributes: { values: { id: 'web', tier: 5 } } };
  const deleted = (read: Result<unknown>) =>
    acted(deleteRowAction, cellsRow({ id: 'web', tier: 1 }), {}, ({ endpoint }) =>
      endpoint.id === 'tables.rows' ? read : answered(undefined, [], 204),
    );
  const done = deleted(answered({ data: [now] }));
  expect([done.operations, done.says()]).toEqual([['tables.rows', 'tables.delete-rows'], 'Deleted web from routes']);
  expect(done.back().map(({ body }) => body)).toEqual([{ data: [now] }]);
  // A row that was gone by then is none that undo has to write.
  const gone = deleted(answered({ data: [] }));
  expect([gone.operations, gone.back()]).toEqual([done.operations, []]);
  const part = answered({ data: [now] }, ['data[0].attributes.values.tier: expected a number']);
  for (const read of [refused('unreachable', 'no answer'), part]) {
    const unread = deleted(read);
    expect(unread.operations).toEqual(['tables.rows']);
    expect(unread.says()).toMatch(/^nothing was sent: what its undo needs could not be read: (no answer|data\[0\])/);
  }
});

describe('a deployment that does not offer an operation', () => {
  const search = { table: 'routes', keys: 'web,shop' };
  const missing = refused('notOffered', 'this deployment does not offer it', 404);
  const bare = refused('notFound', 'not found (404 Not Found)', 404);
  const stored = { id: 'web', type: 'row', attributes: { values: { id: 'web' } } };

  test('says what to do instead where it lists no tables', () => {
    const listed = walk(loadTables({ search: {}, range: '' }).plan(context), () => missing);
    expect(listed.value).toMatchObject({
      problem: { text: expect.stringMatching(/; a single table can be read by its ID$/) },
    });
    const named = walk(loadRows({ search, range: '' }).plan(context), () => missing);
    expect(named.value).toMatchObject({ problem: { text: expect.stringMatching(/enter the ID of the table/) } });
  });

  test.each([
    [
      { name: ' x ', status: 'DONE' },
      { 'filter[table_name][contains]': 'x', 'filter[status]': 'DONE' },
    ],
    [{ name: ' ' }, {}],
  ])('lists the tables of a search: %j', (asked, filter) => {
    const { calls } = walk(loadTables({ search: asked, range: '' }).plan(context), () => answered({ data: [] }));
    const { 'page[limit]': _, 'page[offset]': __, ...query } = calls[0]?.query ?? {};
    expect(query).toEqual(filter);
  });

  test('reads rows with the batch query where the read by key answers 404', () => {
    for (const first of [missing, bare]) {
      const { calls, value } = walk(loadRows({ search, range: '' }).plan(context), ({ endpoint }) => {
        if (endpoint.id === 'tables.list') return answered({ data: [table()] });
        return endpoint.id === 'tables.rows' ? first : answered({ included: [stored] });
      });
      expect(calls.at(-1)?.endpoint.id).toBe('tables.query-rows');
      expect(value).toMatchObject({ value: { rows: [{ id: 'web' }], notes: ['not found: shop'] } });
    }
  });

  test('finds a table by its name behind a page of others, where it does not know that filter', () => {
    const others = Array.from({ length: 100 }, (_, at) => ({
      id: `t${at}`,
      attributes: { table_name: `other_${at}` },
    }));
    const { calls, value } = walk(loadRows({ search, range: '' }).plan(context), ({ endpoint, query }) => {
      if (endpoint.id !== 'tables.list') return answered({ data: [stored] });
      return answered({ data: query['page[offset]'] === 100 ? [table()] : others });
    });
    expect(calls.map(({ endpoint }) => endpoint.id)).toEqual(['tables.list', 'tables.list', 'tables.rows']);
    expect(value).toMatchObject({ value: { rows: [{ id: 'web' }] } });
  });

  const anonymous = { type: 'row', attributes: { values: {} } };
  test.each<[string, readonly unknown[], readonly string[]]>([
    ['data[0]: expected an object', [], ['expected an object']],
    ['data[0]: no id', [anonymous], []],
  ])('says which rows could not be read, and of no key then that it has no row: %s', (lost, some, places) => {
    const odd = `1 row could not be read: ${lost}`;
    const answer = (list: string, ...more: readonly unknown[]) =>
      answered(
        { [list]: [...some, ...more] },
        places.map((place) => `${list}[0]: ${place}`),
      );
    const rowsOf = (keys: string) =>
      walk(loadRows({ search: { ...search, keys }, range: '' }).plan(context), ({ endpoint }) =>
        endpoint.id === 'tables.list' ? answered({ data: [table()] }) : answer('data', stored),
      ).value;
    expect(rowsOf('')).toMatchObject({ value: { rows: [{ id: 'web' }], notes: [odd], missing: [odd] } });
    expect(rowsOf('web,shop')).toMatchObject({ value: { rows: [{ id: 'web' }], notes: [odd], missing: [odd] } });
    const only = () => answer('data');
    expect(acted(newRowAction, cellsRow({ id: 'web' }), { key: 'shop' }, only).operations).toEqual(['tables.rows']);
    const batch = walk(rowKind.fresh(cellsRow({ id: 'web' })), ({ endpoint }) =>
      endpoint.id === 'tables.rows' ? bare : answer('included'),
    );
    expect(batch.value).toMatchObject({ problem: { kind: 'unreadable', text: lost } });
  });

  test('gets a new row only where a read has found none: without a batch query, a 404 says so', () => {
    const sent = (first: typeof missing, second: typeof missing) =>
      acted(newRowAction, cellsRow({ id: 'web' }), { key: 'shop' }, ({ endpoint }) => {
        if (endpoint.id === 'tables.rows') return first;
        return endpoint.id === 'tables.query-rows' ? second : answered('');
      }).operations;
    const reads = ['tables.rows', 'tables.query-rows'];
    expect(sent(bare, missing)).toEqual([...reads, 'tables.upsert-rows']);
    expect([sent(bare, refused('forbidden', 'no', 403)), sent(missing, missing)]).toEqual([reads, reads]);
  });
});

test('the key of a new row in a table of numbers is a whole number, by which the row is looked for and written', () => {
  const row = cellsRow({ id: 7 }, { schema: { fields: [{ name: 'id', type: 'INT32' }], primary_keys: ['id'] } });
  const { calls } = acted(newRowAction, row, { key: ' 07' }, ({ endpoint }) =>
    endpoint.id === 'tables.rows' ? answered({ data: [] }) : answered(''),
  );
  expect(calls[0]?.query).toEqual({ row_id: ['7'] });
  expect(calls[1]?.body).toEqual({ data: [{ type: 'row', id: '7', attributes: { values: { id: 7 } } }] });
  const { key } = newRowAction.form?.(row, context, undefined) ?? {};
  const held = ['7', '2147483647', '-2147483648'];
  const refused = ['seven', '1.5', '2147483648', '-2147483649', ''];
  expect([...held, ...refused].filter((typed) => key?.read(typed).ok)).toEqual(held);
});

test('a table is offered the name of its file, as the service would keep it; a path without its end offers none', () => {
  const offered = [
    '~/routes.csv',
    '/tmp/VAT rates-2026.CSV',
    'data/2024 (copy).csv',
    '日本.csv',
    '/tmp/rat',
    '/tmp.csv/',
  ];
  expect(offered.map(toTableName)).toEqual(['routes', 'vat_rates_2026', 'copy', '', '', '']);
  expect(toTableName(`${'long '.repeat(20)}.csv`)).toMatch(/^[a-z][a-z0-9_]{0,55}$/);
});

test('keys are separated by commas; a key with a comma or a quote stands in quotes', () => {
  expect(parseKeys(' a, b ,,a')).toEqual(['a', 'b']);
  expect(parseKeys('"a, 1",b')).toEqual(['a, 1', 'b']);
  expect(parseKeys('"say ""hi"""')).toEqual(['say "hi"']);
  const titles = ['', 'a', 'a,b'].map((keys) => rowSearchText({ table: ' t ', keys }));
  expect([...titles, rowSearchText({ keys: 'a' })]).toEqual(['t', 't a', 't 2 keys', 's: choose a table']);
});

test('columns are parsed with their types; names and types that the service would change or refuse are errors', () => {
  const read = (typed: string) => columnsField('columns', ['there'], true, '').read(typed);
  expect(read('id, tier:int32')).toEqual({
    ok: true,
    value: [
      { name: 'id', type: 'STRING' },
      { name: 'tier', type: 'INT32' },
    ],
  });
  for (const odd of ['', 'id:FLOAT', 'Id', 'id,id', 'there', ':INT32'])
    expect(read(odd), odd).toMatchObject({ ok: false });
});

describe('the columns of rows', () => {
  const fields = (...names: readonly string[]) => ({
    schema: {
      fields: names.map((name) => ({ name, type: name === 'tier' ? 'INT32' : 'STRING' })),
      primary_keys: ['id'],
    },
  });
  const inTable = (...names: readonly string[]) => cellsRow({ team: 'core', tier: '10' }, fields(...names));

  test('the key comes first and never leaves; the others follow in the order of the schema, and the last text takes the rest', () => {
    const columns = schemaColumns([inTable('team', 'id', 'note', 'tier')]) ?? [];
    expect(columns.map(({ id, priority, flex, align }) => [id, priority, flex, align])).toEqual([
      ['id', 1, undefined, undefined],
      ['team', 2, undefined, undefined],
      ['note', 2, true, undefined],
      ['tier', 2, undefined, 'right'],
    ]);
    const tier = columns[3];
    const values = ['10', '9', null].map((value) =>
      tier?.sort?.(cellsRow({ tier: value }, fields('id', 'tier')), context),
    );
    expect(values).toEqual([10, 9, Number.NaN]);
    const says = [7, null].map((value) => tier?.says?.(cellsRow({ tier: value }, fields('id', 'tier')), context));
    expect(says).toEqual(['tier 7', '']);
  });

  test('rows without a schema have the columns of the list', () => {
    expect([schemaColumns([]), schemaColumns([inTable()])]).toEqual([undefined, undefined]);
    expect(createColumnsReader()(rowList, [inTable()]).columns).toEqual(rowList.columns);
  });

  test('equal columns of a later read are the same ones; a changed schema brings others', () => {
    const inColumns = createColumnsReader();
    const first = inColumns(rowList, [inTable('id', 'team')]);
    expect(inColumns(rowList, [inTable('id', 'team')])).toBe(first);
    expect(inColumns(rowList, [inTable('id', 'tier')]).columns.map(({ id }) => id)).toEqual(['id', 'tier']);
  });

  test('a column of rows that throws shows so in its cell, and columns that cannot be told are those of the list', () => {
    const fail = () => {
      throw new Error('odd');
    };
    const guardedWith = (columnsOf: typeof schemaColumns) =>
      guarded([{ id: 'tables', title: '', lists: [{ ...rowList, columnsOf }] }])[0]?.lists[0]?.columnsOf?.([
        inTable('id'),
      ]);
    const cell = guardedWith((rows) => schemaColumns(rows)?.map((column) => ({ ...column, text: fail })))?.[0];
    expect(cell?.text(inTable('id'), context)).toBe('(unreadable)');
    expect(guardedWith(fail)).toBeUndefined();
  });
});

test('the question before a delete speaks of one table, or of several', () => {
  const row = tableKind.row({ id: 't', attributes: { table_name: 'routes' } }) as ReferenceTable;
  const said = (...rows: ReferenceTable[]) => deleteAction.confirm?.(rows, {}, contextOf())?.details?.join(' ');
  const holding = (count: number) =>
    tableKind.row({ id: 't', attributes: { table_name: 'routes', row_count: count } }) as ReferenceTable;
  expect(said(row)).toContain('Deletes the table with all its rows');
  expect(said(row, holding(3))).toContain('Deletes the tables with all their rows');
  expect([said(holding(1)), said(holding(2), holding(3))]).toEqual([
    expect.stringContaining('Deletes the table with its 1 row '),
    expect.stringContaining('Deletes the tables with their 5 rows '),
  ]);
  expect(said(row)).toContain('Lookups against this table will');
  expect(said(row, row)).toContain('Lookups against these tables will');
});
