import { type ChildProcess, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { runUpload } from '../../src/upload/upload-job.ts';
import { leftovers } from '../../src/upload/upload-record.ts';
import { bundled } from '../support/bundled.ts';
import { hashOf, uploading, writeCsv } from '../support/uploading.ts';

const elevenMb = 11_000_000;

/** A folder with a file of three parts in it. */
async function withFile(bytes = elevenMb, more: Parameters<typeof uploading>[0] = {}, padding?: number) {
  const upload = await uploading(more);
  const path = join(upload.folder, 'routes.csv');
  const rows = await writeCsv(path, bytes, padding);
  return { ...upload, path, rows };
}

const counts = (parts: readonly { part: number }[]) =>
  [0, 1, 2].map((part) => parts.filter((upload) => upload.part === part).length);

test('a file arrives byte for byte, is sent without keys, and becomes a table', async () => {
  const upload = await withFile();
  const work = upload.begin(await upload.plan(upload.path), { description: 'Who is called', tags: ['team:core'] });
  const end = await upload.ended(work);
  expect(end).toMatchObject({ ok: true, value: { name: 'routes', status: 'DONE', rows: upload.rows, refused: 0 } });
  const [one] = upload.uploads();
  expect(one?.sha256).toBe(await hashOf(upload.path));
  expect(one?.parts.map((part) => part?.size)).toEqual([5_000_000, 5_000_000, statSync(upload.path).size - 10_000_000]);
  const sent = upload.service.objectStore.received();
  expect(counts(sent)).toEqual([1, 1, 1]);
  for (const { headers } of sent) expect(Object.keys(headers).sort()).toEqual(['connection', 'content-length', 'host']);
  const [table] = upload.service.org.tableStore.tables.values();
  expect(table).toMatchObject({ description: 'Who is called', tags: ['team:core'], key: 'service' });
  const phases = work.seen.map((now) => now.phase).filter((phase, at, all) => phase !== all[at - 1]);
  expect(phases).toEqual(['beginning', 'sending', 'creating', 'finding', 'waiting', 'ended']);
  expect(work.now()).toMatchObject({ sent: statSync(upload.path).size, parts: { done: 3, of: 3 } });
  expect(upload.notes()).toEqual([]);
  expect(upload.journal.join()).toMatch(/tables\.upload.*tables\.create/s);
  expect(upload.journal.join()).not.toContain('signature=');
});

test('only failed parts are sent again while their URLs are valid', async () => {
  const upload = await withFile();
  upload.service.objectStore.fails('drops', 1, 0);
  upload.service.objectStore.fails('busy', 1, 1);
  upload.service.objectStore.fails('cuts', 1, 1);
  upload.service.objectStore.fails('loses', 1, 2);
  const work = upload.begin(await upload.plan(upload.path));
  expect(await upload.ended(work)).toMatchObject({ ok: true, value: { rows: upload.rows } });
  expect(counts(upload.service.objectStore.received())).toEqual([2, 3, 2]);
  expect(upload.uploads()).toHaveLength(1);
  expect(upload.uploads()[0]?.sha256).toBe(await hashOf(upload.path));
  expect(work.now().remarks.join('\n')).toMatch(/part \d again: .*(broke|503|IncompleteBody)/);
});

test('a stalled part is sent again after 15 seconds', async () => {
  const upload = await withFile();
  upload.service.objectStore.fails('stalls', 1, 1);
  const work = upload.begin(await upload.plan(upload.path));
  await upload.until(() => work.now().parts.done === 2);
  await upload.clock.passes('16s');
  expect(await upload.ended(work)).toMatchObject({ ok: true, value: { rows: upload.rows } });
  expect(counts(upload.service.objectStore.received())).toEqual([1, 2, 1]);
  expect(work.now().remarks.join()).toContain('accepts no more');
});

test('when the URLs expire, the upload restarts with new ones', async () => {
  const upload = await withFile();
  upload.service.objectStore.fails('stalls', 1, 2);
  const work = upload.begin(await upload.plan(upload.path));
  await upload.until(() => work.now().parts.done === 2);
  upload.service.passes(300_000);
  await upload.clock.passes('16s');
  expect(await upload.ended(work)).toMatchObject({ ok: true, value: { rows: upload.rows } });
  const [first, second, ...others] = upload.uploads();
  expect([first?.sha256, others]).toEqual([null, []]);
  expect(second?.sha256).toBe(await hashOf(upload.path));
  expect(work.now().remarks.join()).toContain('new addresses are asked for');
});

test('a store that always refuses ends the upload after three sets of URLs; a redirect ends it at once', async () => {
  const upload = await withFile(1000);
  upload.service.objectStore.fails('refuses', 99);
  const end = await upload.ended(upload.begin(await upload.plan(upload.path)));
  expect(end).toMatchObject({ ok: false, problem: { text: expect.stringContaining('no table was created') } });
  expect(upload.uploads().length).toBeLessThanOrEqual(3);
  upload.service.objectStore.recovers();
  upload.service.objectStore.fails('moves');
  const moved = await upload.ended(upload.begin(await upload.plan(upload.path)));
  expect(moved).toMatchObject({ ok: false, problem: { text: expect.stringContaining('not followed') } });
  expect(upload.service.org.tableStore.tables.size).toBe(0);
  expect(upload.notes()).toEqual([]);
  expect(JSON.stringify([end, moved])).not.toContain('signature=');
});

test('a connection that is too slow is reported during the upload and as the reason of its failure', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  const upload = await withFile(30_000_000);
  upload.service.objectStore.slows(4_000_000);
  const work = upload.begin(await upload.plan(upload.path), {}, { livesMs: 4500 });
  const end = await upload.ended(work);
  expect(work.seen.some((now) => (now.leftMs ?? 0) > (now.expiresMs ?? 0))).toBe(true);
  expect(end).toMatchObject({ ok: false, problem: { text: expect.stringMatching(/too slow.*split the file/) } });
  expect(upload.uploads()).toHaveLength(1);
  expect(upload.service.org.tableStore.tables.size).toBe(0);
});

test('a file that changes during the upload does not become a table', async () => {
  for (const change of [
    (path: string) => appendFileSync(path, 'late,x,1,y\n'),
    (path: string) => truncateSync(path, 6_000_000),
    (path: string) => {
      writeFileSync(`${path}.new`, readFileSync(path));
      renameSync(`${path}.new`, path);
    },
  ]) {
    const upload = await withFile();
    upload.service.objectStore.slows(20_000_000);
    const plan = await upload.plan(upload.path);
    const work = upload.begin(plan);
    await upload.until(() => work.now().sent > 0);
    change(upload.path);
    const changed = { ok: false, problem: { kind: 'conflict', text: expect.stringContaining('changed') } };
    expect(await upload.ended(work)).toMatchObject(changed);
    expect(upload.service.org.tableStore.tables.size).toBe(0);
    // A file that differs from the checked one is not uploaded at all.
    expect(await upload.ended(upload.begin(plan))).toMatchObject(changed);
    expect(upload.uploads()).toHaveLength(1);
  }
});

test('canceling the upload leaves no table and no note and sends nothing more', async () => {
  const upload = await withFile();
  upload.service.objectStore.slows(5_000_000);
  const work = upload.begin(await upload.plan(upload.path));
  await upload.until(() => work.now().sent > 1_000_000);
  work.cancel();
  const end = await upload.ended(work);
  expect(end).toMatchObject({ ok: false, problem: { kind: 'canceled', text: 'canceled; no table was created' } });
  expect(upload.service.org.tableStore.tables.size).toBe(0);
  expect(upload.notes()).toEqual([]);
});

test('canceling while the service processes the file says that the service continues with the table', async () => {
  const upload = await withFile(1000);
  const work = upload.begin(await upload.plan(upload.path));
  await upload.until(() => work.now().phase === 'waiting' || work.now().phase === 'finding');
  work.cancel();
  const end = await upload.ended(work);
  expect(end).toMatchObject({
    ok: false,
    problem: { kind: 'canceled', text: expect.stringContaining('the service continues with') },
  });
  expect(upload.service.org.tableStore.tables.size).toBe(1);
});

test('a create of the table with an unknown outcome is read back by its name', async () => {
  const upload = await withFile(1000);
  upload.service.appliesThenFails(1, { match: 'tables.create' });
  expect(await upload.ended(upload.begin(await upload.plan(upload.path)))).toMatchObject({
    ok: true,
    value: { status: 'DONE' },
  });
  expect(upload.service.org.tableStore.tables.size).toBe(1);
  upload.service.drops(1, 'tables.create');
  const end = await upload.ended(upload.begin(await upload.plan(upload.path), { name: 'others' }));
  expect(end).toMatchObject({ ok: false, problem: { kind: 'unknown' } });
  expect(upload.notes()).toHaveLength(1);
  upload.service.appliesThenFails(1, { match: 'tables.upload' });
  expect(await upload.ended(upload.begin(await upload.plan(upload.path), { name: 'third' }))).toMatchObject({
    ok: true,
  });
});

test('with a used name, a refusal or a read-only profile no part is sent', async () => {
  const upload = await withFile(1000);
  upload.service.has('reference_table', { table_name: 'routes' });
  const plan = await upload.plan(upload.path);
  expect(await upload.ended(upload.begin(plan))).toMatchObject({ ok: false, problem: { kind: 'conflict' } });
  upload.service.refuses(403, { match: 'tables.upload' });
  expect(await upload.ended(upload.begin(plan, { name: 'free' }))).toMatchObject({
    ok: false,
    problem: { kind: 'forbidden' },
  });
  expect(upload.service.objectStore.received()).toEqual([]);
  const reader = await withFile(1000, { readOnly: true });
  const end = await reader.ended(reader.begin(await reader.plan(reader.path)));
  expect(end).toMatchObject({ ok: false, problem: { kind: 'readOnly' } });
  expect(reader.uploads()).toEqual([]);
});

test('nothing is sent when the note cannot be written', async () => {
  const upload = await withFile(1000);
  mkdirSync(upload.directory);
  chmodSync(upload.directory, 0o777);
  const end = await upload.ended(upload.begin(await upload.plan(upload.path)));
  expect(end).toMatchObject({ ok: false, problem: { kind: 'unrecorded' } });
  expect(upload.service.objectStore.received()).toEqual([]);
});

test('new data for a table keeps its key and columns, and is polled until it is processed', async () => {
  const upload = await uploading();
  const id = upload.service.has('reference_table', {
    table_name: 'sizes',
    rows: [
      { id: 'a', size: 1 },
      { id: 'b', size: 2 },
    ],
  });
  const put = (text: string) => {
    const path = join(upload.folder, 'sizes.csv');
    writeFileSync(path, text);
    return path;
  };
  const job = (file: string) => {
    const said: string[] = [];
    const run = runUpload(
      { file, table: 'sizes', id },
      {
        client: upload.client,
        parts: upload.parts,
        clock: upload.clock,
        random: () => 0.1,
        environment: {},
        directory: upload.directory,
        home: upload.folder,
        signal: new AbortController().signal,
        progress: (now) => said.push(now.step),
      },
    );
    return Object.assign(run, { said });
  };
  put('id,size,color\nb,22,red\nc,33,blue\n');
  const first = job('~/sizes.csv');
  const state = { over: false };
  void first.then(() => {
    state.over = true;
  });
  while (!state.over) {
    if (first.said.some((step) => step.includes('importing'))) await upload.clock.passes(2000);
    await new Promise((done) => setTimeout(done, 10));
  }
  expect(await first).toEqual({ ok: true, text: 'table sizes has 2 rows and is ready', made: id });
  const table = upload.service.org.tableStore.tables.get(id);
  expect([...(table?.rows ?? [])]).toEqual([
    ['b', { id: 'b', size: 22, color: 'red' }],
    ['c', { id: 'c', size: 33, color: 'blue' }],
  ]);
  expect(await job(put('id,color\na,red\n'))).toMatchObject({
    ok: false,
    text: expect.stringContaining('no column "size"'),
  });
  expect(await job(put('id,size,color\na,big,red\n'))).toMatchObject({
    ok: false,
    text: expect.stringContaining('line 2'),
  });
  expect(upload.uploads()).toHaveLength(1);
});

test('whether a table took new rows is unknown where no answer came and it is as it was', async () => {
  const upload = await withFile(1000);
  const id = upload.service.has('reference_table', { table_name: 'routes', rows: [{ service: 'a', team: 'b' }] });
  const plan = await upload.plan(upload.path);
  upload.service.drops(1, 'tables.update');
  const end = await upload.ended(upload.begin(plan, { id }));
  expect(end).toMatchObject({ ok: false, problem: { kind: 'unknown' } });
  expect(upload.service.org.tableStore.tables.get(id)?.rows.size).toBe(1);
  expect(upload.notes()).toHaveLength(1);
  upload.service.appliesThenFails(1, { match: 'tables.update' });
  expect(await upload.ended(upload.begin(plan, { id }))).toMatchObject({ ok: true, value: { rows: upload.rows } });
  expect([upload.notes(), upload.uploads().length]).toEqual([[], 1]);
});

test('a column may have the name of what every object has', async () => {
  const upload = await uploading();
  const path = join(upload.folder, 'cars.csv');
  writeFileSync(path, 'id,constructor\n1,lotus\n');
  const end = await upload.ended(upload.begin(await upload.plan(path), { name: 'cars' }));
  expect(end).toMatchObject({
    ok: true,
    value: { columns: [{ name: 'id' }, { name: 'constructor', type: 'STRING' }] },
  });
});

test('an interrupted upload whose parts had all arrived continues with the table', async () => {
  const fixture = await withFile(1000);
  const plan = await fixture.plan(fixture.path);
  const { upload, notes } = await interrupted(fixture, plan, 'creating');
  const end = await fixture.ended(fixture.begin(plan));
  expect(end).toMatchObject({ ok: true, value: { rows: fixture.rows } });
  expect(fixture.uploads().map((one) => one.id)).toEqual([upload]);
  expect(notes()).toEqual([]);
  const again = await interrupted(fixture, plan, 'creating', 'gone');
  const renewed = fixture.begin(plan, { name: 'gone' });
  fixture.service.org.tableStore.uploads.delete(again.upload);
  expect(await fixture.ended(renewed)).toMatchObject({ ok: true });
  expect(renewed.now().remarks.join()).toContain('not accepted any more');
});

/** Creates the state of an interrupted run: an upload with its parts, and its note. */
async function interrupted(
  upload: Awaited<ReturnType<typeof withFile>>,
  plan: Awaited<ReturnType<typeof upload.plan>>,
  phase: 'sending' | 'creating',
  name = 'routes',
) {
  upload.service.drops(1, 'tables.create');
  const work = upload.begin(plan, { name });
  await upload.until(() => upload.notes().length > 0 && work.now().phase === 'finding');
  work.cancel();
  await upload.ended(work);
  const [note = ''] = upload.notes();
  const path = join(upload.directory, note);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const noted = JSON.parse(readFileSync(path, 'utf8'));
  expect(JSON.stringify(noted)).not.toContain('signature=');
  writeFileSync(path, JSON.stringify({ ...noted, phase, run: { ...noted.run, pid: 2 ** 30 } }));
  return { upload: noted.upload as string, notes: upload.notes };
}

/** Uploads a file in a process of its own. */
async function child(upload: Awaited<ReturnType<typeof withFile>>, flags: readonly string[] = []) {
  const program = await bundled('test/support/uploadchild.ts');
  const { url, apiKey, appKey } = upload.at;
  const run: ChildProcess = spawn(process.execPath, [...flags, program, url, upload.path, 'routes', upload.directory], {
    env: { PATH: process.env.PATH, ORGDECK_API_KEY: apiKey, ORGDECK_APP_KEY: appKey },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void run.kill('SIGKILL'));
  // biome-ignore lint/suspicious/noExplicitAny: lines of every shape
  const lines: any[] = [];
  if (run.stdout) createInterface(run.stdout).on('line', (line) => lines.push(JSON.parse(line)));
  const over = new Promise<void>((done) => run.once('close', () => done()));
  return { run, lines, over };
}

test('the run after a kill finds the interrupted upload, reports it and restarts it', async () => {
  const upload = await withFile();
  upload.service.objectStore.fails('stalls', 99, 2);
  const { run, lines, over } = await child(upload);
  await upload.until(() => lines.some((line) => line.phase === 'sending' && line.done === 2));
  expect(await leftovers(upload.directory, 0)).toEqual({ found: [] });
  run.kill('SIGKILL');
  await over;
  const left = await leftovers(upload.directory, 0);
  expect(left).toMatchObject({ found: [{ record: { phase: 'sending', table: { name: 'routes' } } }] });
  expect(upload.service.org.tableStore.tables.size).toBe(0);
  upload.service.objectStore.recovers();
  const work = upload.begin(await upload.plan(upload.path));
  expect(await upload.ended(work)).toMatchObject({ ok: true, value: { rows: upload.rows } });
  expect(work.seen.at(-1)?.remarks.join()).toMatch(/an earlier run ended after 2 of 3 parts/);
  expect(upload.notes()).toEqual([]);
});

test('an upload under way is none that was interrupted, for another one beside it neither', async () => {
  const upload = await withFile();
  upload.service.objectStore.fails('stalls', 1, 2);
  const work = upload.begin(await upload.plan(upload.path));
  await upload.until(() => work.now().parts.done === 2);
  expect(await leftovers(upload.directory, 0)).toEqual({ found: [] });
  expect(upload.notes()).toHaveLength(1);
  await upload.clock.passes('16s');
  expect(await upload.ended(work)).toMatchObject({ ok: true });
});

test('90 MB arrive byte for byte over a slow connection with faults, in less than 100 MB of memory', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  const upload = await withFile(90_000_000, {}, 0);
  expect(statSync(upload.path).size).toBeGreaterThanOrEqual(90_000_000);
  upload.service.objectStore.slows(40_000_000);
  upload.service.objectStore.fails('drops', 1, 3);
  upload.service.objectStore.fails('busy', 1, 7);
  upload.service.objectStore.fails('loses', 1, 11);
  // The memory of this process does not count: at a retry it still holds the file of the first try.
  const held = Buffer.alloc(200_000_000, 1);
  const { lines, over } = await child(upload);
  await over;
  expect(lines.at(-1)).toMatchObject({ end: { status: 'DONE', rows: upload.rows } });
  expect(upload.uploads()).toHaveLength(1);
  expect(upload.uploads()[0]?.sha256).toBe(await hashOf(upload.path));
  expect(upload.service.objectStore.received().filter((one) => one.part === 3)).toHaveLength(2);
  expect(lines.at(-1).memory).toBeLessThan(100);
  expect(lines.at(-1).memory).toBeGreaterThan(10);
  expect(held.length).toBe(200_000_000);
});

test('rows that the service refuses are reported', async () => {
  const upload = await uploading();
  const path = join(upload.folder, 'odd.csv');
  writeFileSync(path, 'id,size\na,1\nb,x\n');
  const end = await upload.ended(upload.begin(await upload.plan(path), { types: { size: 'INT32' } }));
  expect(end).toMatchObject({ ok: true, value: { status: 'DONE_WITH_ERRORS', rows: 1, refused: 1 } });
});
