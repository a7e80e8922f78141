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

/** How a program or a journal of a test may write a key, and the forms in which it does. */
const writers: readonly (readonly [title: string, write: () => unknown, forms: readonly string[]])[] = [
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

test.each(writers)('a key in what tests write is found: %s', async (_, write, forms) => {
  await write();
  // The watch forgets what it has told here, so that its check after this test passes.
  const found = keyWatch().found();
  expect(new Set(found.map(({ form }) => form))).toEqual(new Set(forms));
});
