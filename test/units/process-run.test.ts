import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { currentRun, isRunning, isSameRun, underLock } from '../../src/lib/private-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const tenMinutes = 600_000;
const ours = currentRun();

test('this process runs, and says when it began', () => {
  expect(ours).toEqual({ host: hostname(), pid: process.pid, began: expect.stringMatching(/.{8}/) });
  expect(isRunning(ours, 0, Number.MAX_SAFE_INTEGER)).toBe(true);
});

test('a process of the same number that began at another time is another one', () => {
  expect(isRunning({ ...ours, began: `${ours.began}0` }, 0, 0)).toBe(false);
  const others = [{}, { host: '' }, { pid: 1 }, { began: '' }].map((part) => ({ ...ours, ...part }));
  expect(others.map((other) => isSameRun(ours, other))).toEqual([true, false, false, false]);
});

test('a process whose beginning nobody knows counts as running while its number is in use', () => {
  expect(isRunning({ ...ours, began: '' }, 0, 0)).toBe(true);
  expect(isRunning({ ...ours, pid: 2 ** 30, began: '' }, 0, 0)).toBe(false);
});

test('a process of another host counts as running for ten minutes after its line', () => {
  const away = { ...ours, host: `${hostname()}-2`, pid: 2 ** 30 };
  expect(isRunning(away, 1, tenMinutes)).toBe(true);
  expect(isRunning(away, 1, tenMinutes + 1)).toBe(false);
});

const locks = `
import { underLock } from '${new URL('../../src/lib/private-file.ts', import.meta.url)}';
await underLock(process.argv[1], 0, async () => {}).catch(({ code }) => console.log(code));
`;

test('a lock that could not be written, as on a full disk, does not stay', () => {
  const home = temporaryFolder();
  const node = [process.execPath, '--input-type=module', '-e', locks, join(home, 'file')];
  const { stdout } = spawnSync('sh', ['-c', 'ulimit -f 0; exec "$@"', 'sh', ...node], { encoding: 'utf8' });
  expect([stdout, readdirSync(home)]).toEqual(['EFBIG\n', []]);
});

/** Reads the file until it has seen it a hundred times, and counts how often it was there, and empty. */
const looks = `
const { workerData } = require('node:worker_threads');
const { readFileSync } = require('node:fs');
for (const seen = new Int32Array(workerData.seen); seen[0] + seen[1] < 100; ) {
  try {
    Atomics.add(seen, readFileSync(workerData.lock, 'utf8') === '' ? 1 : 0, 1);
  } catch {}
}
`;

test('a lock names its process from the moment that it is there: a slow writer loses none', async () => {
  const path = join(temporaryFolder(), 'file');
  const seen = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(looks, { eval: true, workerData: { lock: `${path}.lock`, seen: seen.buffer } });
  let isOver = false;
  worker.once('exit', () => {
    isOver = true;
  });
  while (!isOver) await underLock(path, 0, async () => {});
  expect([...seen]).toEqual([100, 0]);
});
