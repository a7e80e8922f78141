import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMachine } from '../support/commands.ts';
import { createSimulator } from '../support/simulator.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Writes a CSV file of at least `bytes` bytes with distinct rows; returns the number of rows. */
function makeFile(path: string, bytes: number): number {
  const text = 'abcdefghij'.repeat(20);
  const rows = Math.ceil(bytes / text.length);
  writeFileSync(path, `id,text\n${Array.from({ length: rows }, (_, id) => `${id},${text}\n`).join('')}`);
  return rows;
}

/** Runs a test with a file of so many bytes, a service of its own, and `upload`, which runs the command with more flags. */
async function withUpload(
  bytes: number,
  run: (given: {
    readonly service: ReturnType<typeof createSimulator>;
    readonly path: string;
    readonly rows: number;
    readonly upload: (...flags: string[]) => ReturnType<ReturnType<typeof createMachine>['orgdeck']>;
  }) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder();
  const machine = createMachine();
  const service = createSimulator({ monitors: 0, issues: 0, lively: false, furnished: false });
  try {
    const at = await service.start();
    const path = join(folder, 'big.csv');
    const rows = makeFile(path, bytes);
    const env = { ORGDECK_BASE_URL: at.url, ORGDECK_API_KEY: at.apiKey, ORGDECK_APP_KEY: at.appKey };
    const upload = (...flags: string[]) => machine.orgdeck(['tables', 'upload', path, ...flags], { env });
    await run({ service, path, rows, upload });
  } finally {
    await service.stop();
  }
}

test(
  'orgdeck tables upload: 90 MB arrive byte for byte over a slow connection with faults',
  {
    tags: ['long'],
    timeout: 120_000,
  },
  () =>
    withUpload(90_000_000, async ({ service, path, rows, upload }) => {
      service.objectStore.slows(60_000_000);
      service.objectStore.fails('drops', 1, 2);
      service.objectStore.fails('busy', 1, 5);
      service.objectStore.fails('loses', 1, 9);
      const ran = await upload('--name', 'big', '--key', 'id', '--tag', 'team:core');
      expect(ran).toMatchObject({ exit: 0, out: `table big has ${rows} rows and is ready\n` });
      expect(ran.err).toContain('sending');
      const [sent] = [...service.org.tableStore.uploads.values()];
      expect(sent?.sha256).toBe(hash('sha256', readFileSync(path)));
      const [table] = [...service.org.tableStore.tables.values()];
      expect(table).toMatchObject({ name: 'big', key: 'id', tags: ['team:core'], status: 'DONE' });
      expect(JSON.stringify(service.objectStore.received().map(({ headers }) => headers))).not.toMatch(/-key"/i);
    }),
);

test('orgdeck tables upload: invalid input gives a problem and sends nothing', () =>
  withUpload(100, async ({ service, upload }) => {
    expect(await upload('--name', 'Big')).toMatchObject({ exit: 1, err: expect.stringContaining('big: write it so') });
    expect(await upload('--name', 'big', '--key', 'nobody')).toMatchObject({
      exit: 1,
      err: expect.stringContaining('nothing was sent'),
    });
    expect(service.received('POST')).toEqual([]);
  }));
