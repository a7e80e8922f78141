import { getEventListeners } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Call } from '../../src/api/endpoint.ts';
import { type Result, refusal, resultOf } from '../../src/api/problem.ts';
import type { Client } from '../../src/client/client.ts';
import type { PartResult } from '../../src/client/upload-parts.ts';
import { upload } from '../../src/upload/upload.ts';
import { runUpload } from '../../src/upload/upload-job.ts';
import { planUpload } from '../../src/upload/upload-plan.ts';
import { createSteppedClock } from '../support/steppedclock.ts';

/** A file, and a service that takes it and then has a table with these attributes. */
function service(
  attributes: object,
  sendPart: () => Promise<PartResult> = async () => ({ kind: 'stored', attempts: 1 }),
) {
  const folder = mkdtempSync(join(tmpdir(), 'orgdeck-job-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'routes.csv');
  writeFileSync(file, 'service,team\ncheckout,core\n');
  const directory = join(folder, 'state');
  const state = { made: false };
  const send = async ({ endpoint, body }: Call): Promise<Result<unknown>> => {
    const table = { id: 't1', type: 'reference_table', attributes: { table_name: 'routes', ...attributes } };
    if (endpoint.id === 'tables.list') return resultOf({ data: state.made ? [table] : [] });
    if (endpoint.id === 'tables.upload') {
      const { part_count } = (body as { data: { attributes: { part_count: number } } }).data.attributes;
      const part_urls = Array.from({ length: part_count }, (_, at) => `https://store.example.test/${at}`);
      return resultOf({ data: { id: 'u1', attributes: { part_urls } } });
    }
    if (endpoint.id !== 'tables.create') return refusal('invalid', `no ${endpoint.id}`);
    state.made = true;
    return resultOf(undefined);
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
  return { file, means, stop, clock, steps, notes };
}

test.each([
  [{ status: 'DONE', row_count: 1 }, true, 'routes has 1 row and is ready'],
  [
    { status: 'DONE_WITH_ERRORS', row_count: 3, file_metadata: { error_row_count: 1 } },
    false,
    'routes has 3 rows; 1 row of the file was refused',
  ],
  [
    { status: 'DONE_WITH_ERRORS', row_count: 3, file_metadata: { error_row_count: 2 } },
    false,
    'routes has 3 rows; 2 rows of the file were refused',
  ],
  [{ status: 'DONE_WITH_ERRORS' }, false, 'routes has 0 rows; 0 rows of the file were refused'],
  [
    { status: 'ERROR', file_metadata: { error_type: 'CSV', error_message: 'bad' } },
    false,
    'the service could not read the file into routes: CSV: bad',
  ],
  [{ status: 'ERROR' }, false, 'the service could not read the file into routes'],
])('what became of a table is said: %j', async (attributes, ok, text) => {
  const { file, means, stop } = service(attributes);
  expect(await runUpload({ file, table: 'routes' }, means)).toEqual({ ok, text, made: 't1' });
  expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
});

test('a request without a file or a name is refused, and says which', async () => {
  const { means, file } = service({});
  expect(await runUpload({ file: ' ', table: '' }, means)).toEqual({
    ok: false,
    text: 'a file is required; a name for the table is required',
  });
  expect(await runUpload({ file, table: 'Our Routes' }, means)).toMatchObject({ ok: false });
});

test('where nothing moves, progress is told each second; what is called off leaves nothing', async () => {
  const begun = Promise.withResolvers<void>();
  const sent = Promise.withResolvers<PartResult>();
  const { file, means, stop, clock, steps, notes } = service({}, () => {
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
  sent.resolve({ kind: 'cancelled', problem: refusal('cancelled', 'cancelled').problem });
  expect(await ended).toMatchObject({ ok: false, text: expect.stringContaining('no table was created') });
  expect(notes()).toEqual([]);
});

test('the note of an upload says which parts have arrived', async () => {
  const seen: unknown[] = [];
  const { file, means, notes } = service({ status: 'DONE' }, async () => {
    seen.push(notes()[0].parts);
    return { kind: 'stored', attempts: 1 };
  });
  const planned = await planUpload(file, { firstKey: true });
  if (!planned.ok) throw new Error(planned.faults[0]?.text);
  const plan = { ...planned.plan, partCount: 5, partSize: 6 };
  const { done } = upload({ ...means, plan, table: { name: 'routes', key: 'service' } });
  expect(await done).toMatchObject({ ok: true });
  // Four go at once; the fifth goes after the first of them is noted.
  expect(seen[3]).toEqual(Array(5).fill(false));
  expect(seen[4]).toContain(true);
  expect(notes()).toEqual([]);
});
