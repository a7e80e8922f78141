import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Recorder } from '../../src/client/client.ts';
import { createParts } from '../../src/client/upload-parts.ts';
import { type Uploading, type UploadOptions, upload } from '../../src/upload/upload.ts';
import { planUpload, type UploadPlan } from '../../src/upload/upload-plan.ts';
import type { UploadProgress } from '../../src/upload/upload-progress.ts';
import { clientAt } from './client-at.ts';
import { createTestClock } from './clock.ts';
import { createSimulator } from './simulator.ts';

/** Writes a CSV file of at least so many bytes, in rows of 1 KB or so; its first column is the key. Returns the number of rows. */
export async function writeCsv(path: string, bytes: number, padding = 900): Promise<number> {
  const out = createWriteStream(path);
  const more = ' on'.repeat(padding / 3);
  out.write('service,team,tier,note\n');
  let rows = 0;
  for (let written = 0; written < bytes; ) {
    let text = '';
    for (let at = 0; at < 200 && written + text.length < bytes; at += 1) {
      rows += 1;
      text += `service-${rows},team ${rows % 97},${rows % 5},"a note, with ""quotes"" and ünïcödé ${rows}${more}"\n`;
    }
    written += text.length;
    if (!out.write(text)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  return rows;
}

export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex');
}

/** A simulator, a client and a folder on one test clock; they end with the test. */
export async function uploading(more: { readonly readOnly?: boolean } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'orgdeck-upload-'));
  const directory = join(folder, 'state');
  const clock = createTestClock();
  const service = createSimulator({ seed: 5, monitors: 0, issues: 0, lively: false, furnished: false, rate: 0, clock });
  const at = await service.start();
  const journal: string[] = [];
  const recorder: Recorder = {
    async intent(call, purpose) {
      journal.push(JSON.stringify([call.endpoint.id, call.body, purpose]));
      return { ok: true, value: String(journal.length), status: 200, unread: [] };
    },
    async outcome(entry, outcome) {
      journal.push(JSON.stringify([entry, outcome]));
    },
  };
  const client = clientAt(at, { readOnly: more.readOnly ?? false, recorder, clock, random: () => 0.1 });
  const parts = createParts({ origin: at.url, clock, random: () => 0.1 });
  onTestFinished(async () => {
    await parts.close();
    await client.close();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const plan = async (
    path: string,
    asked: Parameters<typeof planUpload>[1] = { firstKey: true },
  ): Promise<UploadPlan> => {
    const planned = await planUpload(path, asked);
    if (!planned.ok) throw new Error(JSON.stringify(planned.faults));
    return planned.plan;
  };
  const begin = (
    uploadPlan: UploadPlan,
    table: Partial<UploadOptions['table']> = {},
    options: Partial<UploadOptions> = {},
  ) => {
    const work = upload({
      plan: uploadPlan,
      table: { name: 'routes', key: uploadPlan.headers[0] ?? '', ...table },
      client,
      parts,
      clock,
      directory,
      ...options,
    });
    const seen: UploadProgress[] = [];
    work.subscribe((now) => seen.push(now));
    return Object.assign(work, { seen });
  };
  /** Waits for the end; advances the clock once everything is sent. */
  const ended = async (work: Uploading) => {
    const state = { over: false };
    void work.done.then(() => {
      state.over = true;
    });
    while (!state.over) {
      const { phase } = work.now();
      if (phase === 'finding' || phase === 'waiting') await clock.passes(2000);
      await new Promise((done) => setTimeout(done, 10));
    }
    return work.done;
  };
  /** Waits until the condition holds. */
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((done) => setTimeout(done, 5));
  };
  const notes = () => (existsSync(directory) ? readdirSync(directory) : []);
  const uploads = () => [...service.org.tableStore.uploads.values()];
  return { folder, directory, clock, service, at, client, parts, journal, plan, begin, ended, until, notes, uploads };
}
