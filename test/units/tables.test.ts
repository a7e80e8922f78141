import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keysOf } from '../../screens/tables/load.ts';
import { cellsRow, tableRow } from '../../screens/tables/row.ts';
import { editRowAction } from '../../screens/tables/rows.ts';
import { columnsField } from '../../screens/tables/schema.ts';
import { changesOf, changing } from '../../screens/tables/write.ts';
import type { Plan } from '../../src/api/plan.ts';
import type { Result } from '../../src/api/problem.ts';
import { answered, contextOf, refused, walk } from '../support/plans.ts';

const extras = fc.dictionary(
  fc.string({ minLength: 1 }).filter((it) => !['__proto__', 'file_path', 'provider_c_bucket_name'].includes(it)),
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

test('new storage goes with everything that was read of it, whatever else there is', () => {
  fc.assert(
    fc.property(extras, (more) => {
      const detail = { ...more, provider_c_bucket_name: 'one', file_path: 'a.csv' };
      const it = table({ file_metadata: { access_details: { provider_c_detail: detail }, sync_enabled: true } });
      const row = tableRow(it);
      if (!row) throw new Error('no row');
      const changes = changesOf(row, { 'PROVIDER_C provider_c_bucket_name': 'two' });
      const { calls } = walk(changing(row, changes), () => answered({ data: it }));
      expect(calls.map((call) => call.endpoint.id)).toEqual(['tables.get', 'tables.update', 'tables.get']);
      expect(calls[1]?.body).toEqual({
        data: {
          type: 'reference_table',
          attributes: {
            file_metadata: {
              access_details: { provider_c_detail: { ...detail, provider_c_bucket_name: 'two' } },
            },
          },
        },
      });
    }),
  );
});

test('a cell is written with every other cell of the row as it is now', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{2,8}$/), fc.oneof(fc.string(), fc.integer())), (more) => {
      const owner = tableRow(table());
      const values = { ...more, id: 'web', tier: 1 };
      const row = owner && cellsRow({ id: 'web', type: 'row', attributes: { values } }, owner);
      if (!row) throw new Error('no row');
      const plan = editRowAction.send(row, { 'cell tier': 7 }, contextOf()) as Plan<Result<unknown>>;
      const { calls } = walk(plan, () => answered({ data: [{ id: 'web', type: 'row', attributes: { values } }] }));
      expect(calls.at(-1)?.body).toEqual({
        data: [{ type: 'row', id: 'web', attributes: { values: { ...values, tier: 7 } } }],
      });
    }),
  );
});

test('a cell that somebody else has changed is not overwritten, and a row that is gone is not made anew', () => {
  const owner = tableRow(table());
  const row = owner && cellsRow({ id: 'web', attributes: { values: { id: 'web', tier: 1 } } }, owner);
  if (!row) throw new Error('no row');
  const edit = (data: unknown[]) => {
    const plan = editRowAction.send(row, { 'cell tier': 7 }, contextOf()) as Plan<Result<unknown>>;
    return walk(plan, () => answered({ data }));
  };
  const theirs = edit([{ id: 'web', attributes: { values: { id: 'web', tier: 5 } } }]);
  expect(theirs.calls).toHaveLength(1);
  expect(theirs.value).toMatchObject({ problem: { kind: 'conflict', text: expect.stringContaining('it is now 5') } });
  const gone = edit([]);
  expect(gone.calls).toHaveLength(1);
  expect(gone.value).toMatchObject({ problem: { kind: 'notFound' } });
});

test('a write in the way of another one waits once, and then the problem is told', () => {
  const owner = tableRow(table());
  const row = owner && cellsRow({ id: 'web', attributes: { values: { id: 'web', tier: 1 } } }, owner);
  if (!row) throw new Error('no row');
  const plan = editRowAction.send(row, { 'cell tier': 7 }, contextOf()) as Plan<Result<unknown>>;
  const data = [{ id: 'web', attributes: { values: { id: 'web', tier: 1 } } }];
  const { calls, pauses, value } = walk(plan, ({ endpoint }) =>
    endpoint.id === 'tables.rows' ? answered({ data }) : refused('conflict', 'the table is busy', 409),
  );
  expect(calls.map((it) => it.endpoint.id)).toEqual(['tables.rows', 'tables.upsert-rows', 'tables.upsert-rows']);
  expect(pauses).toHaveLength(1);
  expect(value).toMatchObject({ problem: { text: 'the table is busy; not written: try again in a moment' } });
});

test('keys are separated by commas; one that holds a comma or a quote stands in quotes', () => {
  expect(keysOf(' a, b ,,a')).toEqual(['a', 'b']);
  expect(keysOf('"a, 1",b')).toEqual(['a, 1', 'b']);
  expect(keysOf('"say ""hi"""')).toEqual(['say "hi"']);
  expect(keysOf('')).toEqual([]);
});

test('columns are read with their types; what the service would rename or refuse is told', () => {
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
