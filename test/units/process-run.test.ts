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

/** Reads the file all the time until it is told to end, and tells how often it was there, and empty. */
const looks = `
const { parentPort, workerData } = require('node:worker_threads');
const { readFileSync } = require('node:fs');
const seen = { there: 0, empty: 0 };
for (const end = new Int32Array(workerData.end); Atomics.load(end, 0) === 0; ) {
  try {
    seen[readFileSync(workerData.lock, 'utf8') === '' ? 'empty' : 'there'] += 1;
  } catch {}
}
parentPort.postMessage(seen);
`;

test('a lock names its process from the moment that it is there: a slow writer loses none', async () => {
  const path = join(temporaryFolder(), 'file');
  const end = new SharedArrayBuffer(4);
  const worker = new Worker(looks, { eval: true, workerData: { lock: `${path}.lock`, end } });
  const seen = new Promise((done) => worker.once('message', done));
  for (let turn = 0; turn < 500; turn += 1) await underLock(path, 0, async () => {});
  Atomics.store(new Int32Array(end), 0, 1);
  expect(await seen).toEqual({ there: expect.toSatisfy((times: number) => times > 10), empty: 0 });
});
