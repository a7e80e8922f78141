import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { call } from '../../src/api/endpoint.ts';
import { memoryRecorder, setThing } from '../support/calls.ts';
import { keyWatch } from '../support/key-watch.ts';

const key = `fake-api-${'0123abcd'.repeat(3)}`;
const program = ['-e', `console.log(process.env.KEY); console.error(Buffer.from(process.env.KEY).toString('hex'))`];
const env = { KEY: key };
const node = process.execPath;
const purpose = { action: 'call', target: { id: 'x', name: '' } };

/** Where a program or a journal of a test may write; each writes a key, or two. */
const ways: readonly (readonly [way: string, writes: () => unknown, found: readonly string[]])[] = [
  ['spawn', () => once(spawn(node, program, { env }), 'close'), ['raw', 'hex']],
  ['execFile', () => new Promise((done) => execFile(node, program, { env }, done)), ['raw', 'hex']],
  ['the promise of execFile', () => promisify(execFile)(node, program, { env }), ['raw', 'hex']],
  ['spawnSync', () => spawnSync(node, program, { env }), ['raw', 'hex']],
  ['execFileSync', () => execFileSync(node, program, { env, encoding: 'utf8', stdio: 'pipe' }), ['raw']],
  ['an outcome', () => memoryRecorder().outcome('1', { state: 'refused', attempts: 1, text: key }), ['raw']],
  [
    'a row before an edit',
    () =>
      memoryRecorder().intent(call(setThing, { thing_id: 'x', body: { data: { attributes: {} } } }), {
        ...purpose,
        before: { key },
      }),
    ['raw'],
  ],
  [
    'a file that is removed',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'orgdeck-watched-'));
      writeFileSync(join(folder, 'journal.jsonl'), `{"key":"${key}"}`);
      rmSync(folder, { recursive: true });
    },
    ['raw'],
  ],
];

test.each(ways)('a key in what tests write is found: %s', async (_, writes, found) => {
  await writes();
  // What is asked for here is not there for the watch after each test.
  expect(
    new Set(
      keyWatch()
        .found()
        .map(({ form }) => form),
    ),
  ).toEqual(new Set(found));
});
