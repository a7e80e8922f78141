import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMachine } from '../support/commands.ts';
import { createSimulator } from '../support/simulator.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Writes a CSV file of at least `bytes` bytes with distinct rows; returns the number of rows. */
async function makeFile(path: string, bytes: number): Promise<number> {
  const file = await open(path, 'w');
  let rows = 0;
  try {
    let size = (await file.write('id,text\n')).bytesWritten;
    while (size < bytes) {
      const lines: string[] = [];
      for (let at = 0; at < 2000; at += 1) lines.push(`${rows++},${'abcdefghij'.repeat(20)}\n`);
      size += (await file.write(lines.join(''))).bytesWritten;
    }
  } finally {
    await file.close();
  }
  return rows;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** The command line against a service of its own, and a file. */
async function story(
  bytes: number,
  tell: (job: {
    readonly service: ReturnType<typeof createSimulator>;
    readonly path: string;
    readonly rows: number;
    readonly run: (...more: string[]) => ReturnType<ReturnType<typeof createMachine>['orgdeck']>;
  }) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder();
  const machine = createMachine();
  const service = createSimulator({ monitors: 0, issues: 0, lively: false, furnished: false });
  try {
    const at = await service.start();
    const path = join(folder, 'big.csv');
    const rows = await makeFile(path, bytes);
    const env = { ORGDECK_BASE_URL: at.url, ORGDECK_API_KEY: at.apiKey, ORGDECK_APP_KEY: at.appKey };
    const run = (...more: string[]) => machine.orgdeck(['tables', 'upload', path, ...more], { env });
    await tell({ service, path, rows, run });
  } finally {
    await service.stop();
    machine.remove();
  }
}

test('orgdeck tables upload: 90 MB arrive byte for byte over a slow connection with faults', {
  tags: ['long'],
  timeout: 120_000,
}, async () => {
  await story(90_000_000, async ({ service, path, rows, run }) => {
    service.objectStore.slows(60_000_000);
    service.objectStore.fails('drops', 1, 2);
    service.objectStore.fails('busy', 1, 5);
    service.objectStore.fails('loses', 1, 9);
    const ran = await run('--name', 'big', '--key', 'id', '--tag', 'team:core');
    expect(ran).toMatchObject({ exit: 0, out: `table big has ${rows} rows and is ready\n` });
    expect(ran.err).toContain('sending');
    const [sent] = [...service.org.tableStore.uploads.values()];
    expect(sent?.sha256).toBe(await hashOf(path));
    const [table] = [...service.org.tableStore.tables.values()];
    expect(table).toMatchObject({ name: 'big', key: 'id', tags: ['team:core'], status: 'DONE' });
    expect(JSON.stringify(service.objectStore.received().map((job) => job.headers))).not.toMatch(/-key"/i);
  });
});

test('orgdeck tables upload: invalid input gives a problem and sends nothing', async () => {
  await story(100, async ({ service, run }) => {
    expect(await run('--name', 'Big')).toMatchObject({ exit: 1, err: expect.stringContaining('big: write it so') });
    expect(await run('--name', 'big', '--key', 'nobody')).toMatchObject({
      exit: 1,
      err: expect.stringContaining('nothing was sent'),
    });
    expect(service.received('POST')).toEqual([]);
  });
});
