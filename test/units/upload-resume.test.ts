import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Call } from '../../src/api/endpoint.ts';
import { problemResult, type Result } from '../../src/api/problem.ts';
import type { Client } from '../../src/client/client.ts';
import { currentRun } from '../../src/lib/private-file.ts';
import { upload } from '../../src/upload/upload.ts';
import { planUpload } from '../../src/upload/upload-plan.ts';
import { newNote, type UploadRecord } from '../../src/upload/upload-record.ts';
import { createSteppedClock } from '../support/steppedclock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const aDay = 86_400_000;
const origin = 'https://api.example.test';
const clock = createSteppedClock();

/** A file, the notes of earlier runs, and a service that has this table and answers nothing else; it may answer reads otherwise once it made one. */
async function withNotes(
  table: { readonly name: string; readonly key: string } | undefined,
  made: Result<unknown> = problemResult('invalid', 'not any more'),
  readAfter?: Result<unknown>,
) {
  const folder = temporaryFolder();
  const path = join(folder, 'routes.csv');
  writeFileSync(path, 'service,team\ncheckout,core\n');
  const planned = await planUpload(path, { firstKey: true });
  if (!planned.ok) throw new Error(planned.faults[0]?.text);
  const { plan } = planned;
  const directory = join(folder, 'state');

  const leave = async (record: Partial<UploadRecord>) => {
    const note = await newNote(directory);
    if (!note.ok) throw new Error(note.text);
    await note.value.write({
      version: 1,
      run: { ...currentRun(), pid: 2 ** 30 },
      origin,
      table: { name: 'routes', key: 'service' },
      file: plan.file,
      upload: 'u-1',
      parts: [true],
      phase: 'creating',
      expires: clock.now(),
      ...record,
    });
  };
  const wire = table && {
    id: 't1',
    type: 'reference_table',
    attributes: { table_name: table.name, status: 'DONE', schema: { fields: [], primary_keys: [table.key] } },
  };
  let wasMade = false;
  const send = async ({ endpoint }: Call): Promise<Result<unknown>> => {
    if (wasMade && readAfter) return readAfter;
    if (endpoint.id === 'tables.list')
      return { ok: true, value: { data: wire ? [wire] : [] }, status: 200, unread: [] };
    if (endpoint.id === 'tables.get' && wire) return { ok: true, value: { data: wire }, status: 200, unread: [] };
    if (endpoint.id === 'tables.create' || endpoint.id === 'tables.update') {
      wasMade = made.ok;
      return made;
    }
    return problemResult('invalid', `no ${endpoint.id}`);
  };
  const begin = (asked: { readonly name?: string; readonly key?: string; readonly id?: string } = {}) =>
    upload({
      plan,
      table: { name: 'routes', key: 'service', ...asked },
      client: { send: send as Client['send'], origin },
      parts: { send: () => Promise.reject(new Error('no part is sent here')), close: async () => {} } as never,
      clock,
      directory,
    });
  const run = (...given: Parameters<typeof begin>) => begin(...given).done;
  return { leave, begin, run, notes: () => readdirSync(directory).length };
}

test('a run goes on with the table that an earlier one of the same file has made', async () => {
  const { leave, run, notes } = await withNotes({ name: 'routes', key: 'service' });
  await leave({});
  expect(await run()).toMatchObject({ ok: true, value: { id: 't1' } });
  expect(notes()).toBe(0);
});

test.each(['t1', undefined])(
  'a table keeps its primary key, also where an earlier run has made it (id %s)',
  async (id) => {
    const { leave, run } = await withNotes({ name: 'routes', key: 'service' });
    await leave({ table: { name: 'routes', key: 'service', ...(id && { id }) } });
    expect(await run({ key: 'team', ...(id && { id }) })).toMatchObject({
      ok: false,
      problem: { kind: 'invalid', text: 'the primary key of the table is service, it cannot be changed' },
    });
  },
);

test('the notes of uploads into other tables stay for a day after their addresses, wherever they ended', async () => {
  const { leave, run, notes } = await withNotes(undefined);
  const others: readonly Partial<UploadRecord>[] = [
    { table: { name: 'others', key: 'service' } },
    { table: { name: 'routes', key: 'service', id: 't2' } },
    { origin: 'https://other.example.test' },
  ];
  for (const other of others)
    for (const phase of ['creating', 'sending'] as const) {
      await leave({ ...other, phase, expires: clock.now() - aDay + 1 });
      await leave({ ...other, phase, expires: clock.now() - aDay });
    }
  expect(await run()).toMatchObject({ ok: false });
  expect(notes()).toBe(6);
});

test('of other files for the same table a note stays where only the table is missing', async () => {
  const { leave, run, notes } = await withNotes(undefined);
  const file = { path: '/data/other.csv', size: 11, modified: '1', inode: '1:2' };
  for (const phase of ['creating', 'sending'] as const) await leave({ file, phase });
  expect(await run()).toMatchObject({ ok: false });
  expect(notes()).toBe(1);
});

test('an earlier run of the same file that ended amid its parts is told of, and begins again', async () => {
  const { leave, begin, notes } = await withNotes(undefined);
  await leave({ phase: 'sending', parts: [true, false, false] });
  const work = begin();
  expect(await work.done).toMatchObject({ ok: false });
  expect(work.now().remarks).toEqual(['an earlier run ended after 1 of 3 parts: it starts again']);
  expect(notes()).toBe(0);
});

test.each([undefined, 't1'])(
  'where the service does not take the upload any more, all begins again (id %s)',
  async (id) => {
    const { leave, begin, notes } = await withNotes(id ? { name: 'routes', key: 'service' } : undefined);
    await leave({ table: { name: 'routes', key: 'service', ...(id && { id }) } });
    const work = begin({ ...(id && { id }) });
    expect(await work.done).toMatchObject({ ok: false, problem: { text: 'no tables.upload' } });
    expect(work.now().remarks).toEqual(['the upload that was interrupted is not accepted any more: it starts again']);
    expect(notes()).toBe(0);
  },
);

test.each([
  [undefined, 1],
  ['t1', 0],
])('what was taken is not sent again where it cannot be read (id %s)', async (id, left) => {
  const table = { name: 'routes', key: 'service', ...(id && { id }) };
  const taken = { ok: true, value: undefined, status: 201, unread: [] } as const;
  const { leave, begin, notes } = await withNotes(id ? table : undefined, taken, problemResult('invalid', 'odd'));
  await leave({ table });
  const work = begin({ ...(id && { id }) });
  const text = 'the service took the table routes, but it cannot be read: odd; look again later';
  expect(await work.done).toMatchObject({ ok: false, problem: { kind: 'unknown', text } });
  // A new one is found by its name by the next run; rows that were taken are not sent again.
  expect([work.now().remarks, notes()]).toEqual([[], left]);
});

test('rows that the service took and does not show are no success', async () => {
  const table = { name: 'routes', key: 'service', id: 't1' };
  const { leave, begin } = await withNotes(table, { ok: true, value: undefined, status: 200, unread: [] });
  await leave({ table });
  const work = begin({ id: 't1' });
  await vi.waitUntil(() => work.now().phase === 'waiting');
  await clock.passes(40_000);
  expect(await work.done).toMatchObject({ ok: false, problem: { kind: 'unknown' } });
});

test('another refusal of the table ends the upload, and its note with it', async () => {
  const { leave, begin, notes } = await withNotes(undefined, problemResult('forbidden', 'no'));
  await leave({});
  const work = begin();
  expect(await work.done).toMatchObject({ ok: false, problem: { kind: 'forbidden', text: 'no' } });
  expect([work.now().remarks, notes()]).toEqual([[], 0]);
});

test('a table that an earlier run has asked for is not asked for again once this one is called off', async () => {
  const { leave, begin, notes } = await withNotes(undefined);
  await leave({});
  const work = begin();
  work.cancel();
  expect(await work.done).toMatchObject({ ok: false, problem: { text: 'canceled; no table was created' } });
  expect(notes()).toBe(0);
});
