import { getEventListeners, once } from 'node:events';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Call } from '../../src/api/endpoint.ts';
import { problemResult, type Result, toResult } from '../../src/api/problem.ts';
import type { Client } from '../../src/client/client.ts';
import type { PartResult, PartUploader } from '../../src/client/upload-parts.ts';
import { type UploadOptions, upload } from '../../src/upload/upload.ts';
import { runUpload } from '../../src/upload/upload-job.ts';
import { planUpload } from '../../src/upload/upload-plan.ts';
import { createSteppedClock } from '../support/steppedclock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A file, and a service that takes it and then has a table with these attributes. */
function service(
  attributes: object,
  sendPart: PartUploader['send'] = async () => ({ kind: 'stored', attempts: 1 }),
  answers: Readonly<Record<string, (nth: number) => Result<unknown> | undefined>> = {},
) {
  const folder = temporaryFolder();
  const file = join(folder, 'routes.csv');
  writeFileSync(file, 'service,team\ncheckout,core\n');
  const directory = join(folder, 'state');
  const state = { made: false };
  const calls: Call[] = [];
  const purposes: unknown[] = [];
  const send = async (call: Call, { purpose }: { purpose?: unknown } = {}): Promise<Result<unknown>> => {
    const { endpoint, body } = call;
    if (purpose !== undefined) purposes.push(purpose);
    const nth = calls.filter((one) => one.endpoint.id === endpoint.id).length + 1;
    calls.push(call);
    const answer = answers[endpoint.id]?.(nth);
    if (answer) return answer;
    const table = { id: 't1', type: 'reference_table', attributes: { table_name: 'routes', ...attributes } };
    if (endpoint.id === 'tables.list') return toResult({ data: state.made ? [table] : [] });
    if (endpoint.id === 'tables.upload') {
      const { part_count } = (body as { data: { attributes: { part_count: number } } }).data.attributes;
      const part_urls = Array.from({ length: part_count }, (_, at) => `https://store.example.test/${at}`);
      return toResult({ data: { id: 'u1', attributes: { part_urls } } });
    }
    if (endpoint.id === 'tables.get') return toResult({ data: table });
    if (endpoint.id !== 'tables.create' && endpoint.id !== 'tables.update')
      return problemResult('invalid', `no ${endpoint.id}`);
    state.made = true;
    return toResult(undefined);
  };
  const stop = new AbortController();
  const clock = createSteppedClock();
  const steps: string[] = [];
  const means = {
    client: { send: send as Client['send'], origin: 'https://api.example.test' },
    parts: { send: sendPart, close: async () => {} },
    clock,
    random: () => 0,
    environment: {},
    directory,
    home: folder,
    signal: stop.signal,
    progress: ({ step }: { step: string }) => void steps.push(step),
  };
  const notes = () =>
    readdirSync(directory)
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')));
  /** Sends the file in parts of so many bytes, without looking at the words of a person first. */
  const begin = async (more: { partSize?: number; table?: Partial<UploadOptions['table']> } = {}) => {
    const planned = await planUpload(file, { firstKey: true });
    if (!planned.ok) throw new Error(planned.faults[0]?.text);
    const { size } = planned.plan;
    const { partSize = size, table = {} } = more;
    const plan = { ...planned.plan, partSize, partCount: Math.ceil(size / partSize) };
    return upload({ ...means, plan, table: { name: 'routes', key: 'service', ...table } });
  };
  const asked = () => calls.map(({ endpoint }) => endpoint.id);
  return { file, means, stop, clock, steps, notes, calls, purposes, asked, begin };
}

/** The text of a problem. */
const textOf = (result: Result<unknown>) => (result.ok ? '' : result.problem.text);

test.each([
  [{ status: 'DONE', row_count: 1 }, true, 'table routes has 1 row and is ready'],
  [
    { status: 'DONE_WITH_ERRORS', row_count: 3, file_metadata: { error_row_count: 1 } },
    false,
    'table routes has 3 rows; 1 row of the file was refused',
  ],
  [
    { status: 'DONE_WITH_ERRORS', row_count: 3, file_metadata: { error_row_count: 2 } },
    false,
    'table routes has 3 rows; 2 rows of the file were refused',
  ],
  [{ status: 'DONE_WITH_ERRORS' }, false, 'table routes has 0 rows; 0 rows of the file were refused'],
  [
    { status: 'ERROR', file_metadata: { error_type: 'CSV', error_message: 'bad' } },
    false,
    'the service could not read the file into routes: CSV: bad',
  ],
  [{ status: 'ERROR' }, false, 'the service could not read the file into routes'],
  [{ status: 'PROCESSING' }, true, 'the service still reads the file into routes: look again later'],
  [{ status: 'INITIALIZED' }, true, 'the service still reads the file into routes: look again later'],
  [{ status: 'ODD', row_count: 2 }, true, 'table routes has 2 rows; the service calls its state ODD'],
])('what became of a table is said: %j', async (attributes, ok, text) => {
  const { file, means, stop, clock } = service(attributes);
  const state: { end?: unknown } = {};
  void runUpload({ file, table: 'routes' }, means).then((end) => Object.assign(state, { end }));
  for (; !state.end; await new Promise((done) => setTimeout(done, 5))) await clock.passes(60_000);
  expect(state.end).toEqual({ ok, text, made: 't1' });
  expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  expect(clock.waiting()).toBe(0);
});

test('what a person asks for reaches the service, and each step the person', async () => {
  const { means, calls, steps } = service({ status: 'DONE' });
  const asked = { file: '~/routes.csv', table: 'routes', key: 'team', types: {}, description: 'Who', tags: ['a'] };
  expect(await runUpload(asked, means)).toMatchObject({ ok: true });
  expect(calls.find(({ endpoint }) => endpoint.id === 'tables.create')?.body).toMatchObject({
    data: { attributes: { description: 'Who', tags: ['a'], schema: { primary_keys: ['team'] } } },
  });
  expect([...new Set(steps)]).toEqual([
    'checking the file',
    'requesting addresses',
    'sending',
    'creating the table',
    'looking for the table',
    'importing',
    'importing (DONE)',
    'done',
  ]);
});

test('what is not asked for is not sent, and progress without a number has none', async () => {
  const shown: object[] = [];
  const { file, means, calls } = service({ status: 'DONE' });
  await runUpload(
    { file, table: 'routes', description: '' },
    { ...means, progress: (state) => void shown.push(state) },
  );
  const body = calls.find(({ endpoint }) => endpoint.id === 'tables.create')?.body as { data: { attributes: object } };
  expect(Object.keys(body.data.attributes).sort()).toEqual(['file_metadata', 'schema', 'source', 'table_name']);
  expect(body.data.attributes).toMatchObject({ schema: { primary_keys: ['service'] } });
  const stages = [
    ['file', '1 row, 2 columns, key service'],
    ['parts', '1 part, 27 B'],
    ['table', 'routes'],
    ['rows', ''],
  ];
  expect(shown.at(-1)).toEqual({ step: 'done', notes: [], stages, stagesDone: 4 });
  expect(shown).toContainEqual({
    ...{ stages, stagesDone: 1 },
    step: 'sending',
    share: 0,
    notes: ['0 B of 27 B, 0 of 1 parts'],
  });
});

test('key and types of a table that gets new data are its own', async () => {
  const fields = [
    { name: 'service', type: 'STRING' },
    { name: 'team', type: 'INT32' },
  ];
  const { file, means } = service({ schema: { primary_keys: ['service'], fields } });
  const asked = { file, table: 'routes', id: 't1', key: 'team', types: { team: 'STRING' } };
  expect((await runUpload(asked, means)).text).toBe(
    'nothing was sent: line 2: "core" in the column "team" is not a whole number of 32 bits',
  );
  const gone = service({}, undefined, { 'tables.get': () => problemResult('notFound', 'no such table') });
  expect((await runUpload({ ...asked, file: gone.file }, gone.means)).text).toBe('upload failed: no such table');
});

test.each([
  ['Our Routes', 'the service would call the table our_routes: write it so'],
  ['x'.repeat(57), `the service cannot keep the table name "${'x'.repeat(57)}": use letters, digits and _, 56 at most`],
])('the name %s is refused before anything is sent', async (table, text) => {
  const { file, means, calls } = service({});
  expect(await runUpload({ file, table }, means)).toEqual({ ok: false, text });
  expect(calls).toEqual([]);
});

test('five faults are all told', async () => {
  const { file, means } = service({});
  writeFileSync(file, `id,name\n${'a\n'.repeat(5)}`);
  const { text } = await runUpload({ file, table: 'routes' }, means);
  expect(text).toMatch(/^nothing was sent: line 2: .*; line 6: [^;]*$/);
});

test('the way to the store is closed in the end; where there is none, that is told', async () => {
  const count = { closed: 0 };
  const { file, means } = service({ status: 'DONE' });
  const parts = { ...means.parts, close: async () => void count.closed++ };
  await runUpload({ file, table: 'routes' }, { ...means, parts });
  await runUpload({ file: '/nowhere', table: 'routes' }, { ...means, parts });
  expect(count.closed).toBe(2);
  const { parts: _, ...without } = means;
  expect(await runUpload({ file, table: 'routes' }, { ...without, environment: { https_proxy: 'ftp://x' } })).toEqual({
    ok: false,
    text: 'the proxy in https_proxy is no address of http, https or socks5: write it as http://host:port or socks5://host:port',
  });
});

test('called off while the file is checked, nothing is sent', async () => {
  const { file, means, stop, calls } = service({});
  stop.abort();
  expect((await runUpload({ file, table: 'routes' }, means)).text).toBe('canceled; nothing was sent');
  expect(calls).toEqual([]);
});

test('a request without a file or a name is refused, and says which, and one with a key that is no column', async () => {
  const { means, file } = service({});
  expect(await runUpload({ file: ' ', table: '' }, means)).toEqual({
    ok: false,
    text: 'a file is required; a name for the table is required',
  });
  expect(await runUpload({ file, table: 'Our Routes' }, means)).toMatchObject({ ok: false });
  expect((await runUpload({ file, table: 'routes', key: 'nobody' }, means)).text).toMatch(
    /^nothing was sent: .*nobody/,
  );
});

test('where nothing moves, progress is told each second; what is called off leaves nothing', async () => {
  const begun = Promise.withResolvers<void>();
  const sent = Promise.withResolvers<PartResult>();
  const { file, means, stop, clock, steps, notes } = service({}, (_, signal) => {
    signal.addEventListener('abort', () =>
      sent.resolve({ kind: 'canceled', problem: problemResult('canceled', 'canceled').problem }),
    );
    begun.resolve();
    return sent.promise;
  });
  const ended = runUpload({ file, table: 'routes' }, means);
  await begun.promise;
  const before = steps.length;
  await clock.passes(3000);
  expect(steps.slice(before)).toEqual(['sending', 'sending', 'sending']);
  expect(notes()).toMatchObject([{ phase: 'sending', parts: [false] }]);
  stop.abort();
  expect(await ended).toMatchObject({ ok: false, text: expect.stringContaining('no table was created') });
  expect(notes()).toEqual([]);
});

test('what has been sent is told while it is sent, and again when it has arrived', async () => {
  const sent: number[] = [];
  const { begin, clock } = service({ status: 'DONE' }, async (part) => {
    for (const bytes of [0, 5, 0, part.length - 1]) {
      part.sent?.(bytes);
      sent.push(work.now().sent);
    }
    await clock.passes(1000);
    return { kind: 'stored', attempts: 2 };
  });
  const work = await begin();
  const told: unknown[] = [];
  work.subscribe(({ phase, sent, parts }) => phase === 'sending' && told.push([sent, parts.done]));
  await work.done;
  expect(sent).toEqual([0, 5, 0, 26]);
  expect(told.at(-1)).toEqual([27, 1]);
});

test('the note of an upload says which parts have arrived, each before it is shown', async () => {
  const seen: unknown[] = [];
  const { begin, notes } = service({ status: 'DONE' }, async () => {
    seen.push(notes()[0].parts);
    return { kind: 'stored', attempts: 1 };
  });
  const work = await begin({ partSize: 6 });
  const notNoted: number[] = [];
  work.subscribe(({ phase, parts }) => {
    if (phase === 'sending') notNoted.push(Math.max(0, parts.done - notes()[0].parts.filter(Boolean).length));
  });
  expect(await work.done).toMatchObject({ ok: true });
  expect(notNoted).toEqual(Array(6).fill(0));
  // Four go at once; the fifth goes after the first of them is noted.
  expect(seen[3]).toEqual(Array(5).fill(false));
  expect(seen[4]).toContain(true);
  expect(notes()).toEqual([]);
});

test('where an arrived part cannot be noted, no other part is sent on', async () => {
  const stopped: boolean[] = [];
  const { begin, means } = service({ status: 'DONE' }, async ({ url }, signal) => {
    if (url.endsWith('/0')) renameSync(means.directory, `${means.directory}.away`);
    else await once(signal, 'abort').then(() => stopped.push(true));
    return url.endsWith('/0')
      ? { kind: 'stored', attempts: 1 }
      : { kind: 'canceled', problem: problemResult('canceled', '').problem };
  });
  expect(await (await begin({ partSize: 6 })).done).toMatchObject({ ok: false, problem: { kind: 'unrecorded' } });
  expect(stopped).toEqual([true, true, true]);
});

test('an upload that a part ended goes on in this process while its addresses live, else it starts again', async () => {
  const broke: PartResult = { kind: 'failed', problem: problemResult('unreachable', 'broke').problem };
  const sent: string[] = [];
  const faults = new Set(['4']);
  const { begin, clock, asked, notes } = service({ status: 'DONE' }, async ({ url }) => {
    const part = url.slice(-1);
    if (faults.delete(part)) return broke;
    sent.push(part);
    return { kind: 'stored', attempts: 1 };
  });
  const uploads = () => asked().filter((id) => id === 'tables.upload').length;
  expect(await (await begin({ partSize: 6 })).done).toMatchObject({ ok: false });
  expect([sent.toSorted().join(''), notes()]).toEqual(['0123', []]);
  const work = await begin({ partSize: 6 });
  expect(await work.done).toMatchObject({ ok: true });
  expect([sent.slice(4), uploads()]).toEqual([['4'], 1]);
  expect(work.now()).toMatchObject({ parts: { done: 5, of: 5 }, sent: 27 });
  expect(work.now().remarks).toEqual(['4 of 5 parts arrived before: the others are sent now']);
  // What has been used is not used again, and addresses that have died are not used at all.
  for (const begun of [2, 3]) {
    faults.add('4');
    expect(await (await begin({ partSize: 6, table: { name: 'others' } })).done).toMatchObject({ ok: false });
    expect([sent.slice(-4).toSorted().join(''), uploads()]).toEqual(['0123', begun]);
    await clock.passes(300_000);
  }
});

/** Files that this process has open. */
const openFiles = () => readdirSync('/proc/self/fd').length;

test('an upload goes through its phases, knows when its addresses die, and leaves no file open', async () => {
  const until: unknown[] = [];
  const sent: Uint8Array[] = [];
  const { file, begin, clock, asked, calls } = service({ status: 'DONE', row_count: 1 }, async (part) => {
    until.push(part.until - clock.now(), work.now().expiresMs);
    for await (const piece of part.bytes()) sent.push(Uint8Array.from(piece));
    part.again?.('it broke');
    return { kind: 'stored', attempts: 1 };
  });
  writeFileSync(file, '\ufeffservice,team\ncheckout,core\n');
  const before = openFiles();
  const work = await begin({ table: { types: { team: 'INT32' }, description: '', tags: ['a'] } });
  const phases: string[] = [];
  const listens = work.subscribe(({ phase }) => phases.push(phase));
  expect(await work.done).toMatchObject({ ok: true, value: { id: 't1', rows: 1 } });
  expect([...new Set(phases)]).toEqual(['beginning', 'sending', 'creating', 'finding', 'waiting', 'ended']);
  expect(until).toEqual([298_000, 298_000]);
  expect(Buffer.concat(sent).toString()).toBe('service,team\ncheckout,core\n');
  expect(work.now().remarks).toEqual(['part 1 again: it broke']);
  expect(work.now()).toMatchObject({ sent: 27, status: 'DONE', parts: { done: 1, of: 1 } });
  expect(asked()).toEqual(['tables.list', 'tables.upload', 'tables.create', 'tables.list']);
  expect(calls[2]?.body).toMatchObject({
    data: {
      attributes: {
        table_name: 'routes',
        description: '',
        tags: ['a'],
        file_metadata: { upload_id: 'u1' },
        schema: {
          fields: [
            { name: 'service', type: 'STRING' },
            { name: 'team', type: 'INT32' },
          ],
          primary_keys: ['service'],
        },
      },
    },
  });
  expect(calls[0]?.query).toEqual({ 'filter[table_name][exact]': 'routes', 'page[limit]': 100 });
  expect(openFiles()).toBeLessThanOrEqual(before);
  listens();
});

test('new data of a table keep its name, and what is not asked for is not sent', async () => {
  const attributes = { table_name: 'routes', status: 'DONE', schema: { primary_keys: ['service'] } };
  const { begin, calls, purposes, asked } = service({}, undefined, {
    'tables.get': (nth) => toResult({ data: { id: 't1', attributes: { ...attributes, updated_at: String(nth) } } }),
  });
  expect(await (await begin({ table: { id: 't1' } })).done).toMatchObject({ ok: true });
  expect(asked()).toEqual(['tables.get', 'tables.upload', 'tables.update', 'tables.get']);
  const body = calls[2]?.body as { data: { attributes: object } };
  expect(Object.keys(body.data.attributes).sort()).toEqual(['file_metadata', 'schema']);
  // One edit in the journal.
  const purpose = { action: 'tables.reload', target: { id: 't1', name: 'routes' }, group: expect.any(String) };
  expect(purposes).toEqual([purpose, purpose]);
  expect(purposes[0]).toEqual(purposes[1]);
});

test('a table keeps its columns', async () => {
  const schema = { primary_keys: ['service'], fields: [{ name: 'service' }, { name: 'owner' }] };
  const { begin, asked } = service({ schema });
  expect(textOf(await (await begin({ table: { id: 't1' } })).done)).toContain('the table has the column owner');
  expect(asked()).toEqual(['tables.get']);
});

test('where a part arrived before the line could be measured, new addresses are asked for', async () => {
  let refusals = 1;
  const job = service({ status: 'DONE' }, async ({ url }) => {
    if (url.endsWith('0') || refusals-- <= 0) return { kind: 'stored', attempts: 1 };
    return { kind: 'expired', problem: problemResult('forbidden', 'expired').problem };
  });
  const work = await job.begin({ partSize: 20 });
  expect(await work.done).toMatchObject({ ok: true });
  expect(work.now().remarks).toEqual(['new addresses are asked for: expired']);
});

test('on a line that is too slow for the life of addresses, nothing begins again', async () => {
  const clock = createSteppedClock();
  const job = service({}, async (part) => {
    part.sent?.(1);
    await clock.passes(20_000);
    return { kind: 'expired', problem: problemResult('forbidden', 'expired').problem };
  });
  Object.assign(job.means, { clock });
  expect(textOf(await (await job.begin()).done)).toContain('the connection is too slow, no table was created');
  expect(job.asked().filter((id) => id === 'tables.upload')).toHaveLength(1);
});

test.each<[string, Record<string, (nth: number) => Result<unknown> | undefined>, string, string[]]>([
  ['the list is refused', { 'tables.list': () => problemResult('forbidden', 'no') }, 'no', ['tables.list']],
  [
    'addresses are refused',
    { 'tables.upload': () => problemResult('forbidden', 'no') },
    'no',
    ['tables.list', 'tables.upload'],
  ],
  [
    'the table is refused',
    { 'tables.create': () => problemResult('invalid', 'no') },
    'no',
    ['tables.list', 'tables.upload', 'tables.create'],
  ],
  [
    'the table cannot be read',
    { 'tables.list': (nth) => (nth > 1 ? problemResult('forbidden', 'no') : undefined) },
    'the service took the table routes, but it cannot be read: no; look again later',
    ['tables.list', 'tables.upload', 'tables.create', 'tables.list'],
  ],
  [
    'it is unknown whether there is a table, and none can be read',
    {
      'tables.create': () => problemResult('unknown', 'who knows'),
      'tables.list': (nth) => (nth > 1 ? problemResult('forbidden', 'no') : undefined),
    },
    'who knows',
    ['tables.list', 'tables.upload', 'tables.create', 'tables.list'],
  ],
])('where %s, the upload ends so', async (_, answers, text, asks) => {
  const { begin, asked } = service({ status: 'DONE' }, undefined, answers);
  expect(textOf(await (await begin()).done)).toBe(text);
  expect(asked()).toEqual(asks);
});

test('a name that is taken is refused; where no list tells, the service decides', async () => {
  const taken = () => toResult({ data: [{ id: 't9', attributes: { table_name: 'routes' } }] });
  const { begin } = service({}, undefined, { 'tables.list': taken });
  expect(textOf(await (await begin()).done)).toContain('there is a table routes already');
  const blind = service({ status: 'DONE' }, undefined, {
    'tables.list': (nth) => (nth === 1 ? problemResult('notOffered', 'no') : undefined),
  });
  expect(await (await blind.begin()).done).toMatchObject({ ok: true });
});

test('what is called off while addresses are asked for says that there is no table', async () => {
  const { begin } = service({}, undefined, {
    'tables.upload': () => {
      work.cancel();
      return problemResult('canceled', 'canceled');
    },
  });
  const work = await begin();
  expect(textOf(await work.done)).toBe('canceled; no table was created');
});
