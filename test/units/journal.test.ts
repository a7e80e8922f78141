import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Call, type Endpoint, endpoint, rawCall } from '../../src/api/endpoint.ts';
import { id } from '../../src/api/envelope.ts';
import type { Result } from '../../src/api/problem.ts';
import type { Recorder } from '../../src/client/client.ts';
import { createJournal, type Journal } from '../../src/journal/journal.ts';
import { reviveCall } from '../../src/journal/journal-entry.ts';
import { openJournalFile } from '../../src/journal/journal-file.ts';
import { currentRun, underLock } from '../../src/lib/private-file.ts';
import { systemClock } from '../../src/lib/time.ts';
import { bundled } from '../support/bundled.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const mute = endpoint({
  id: 'things.mute',
  title: 'Mute a thing',
  verb: 'act',
  of: 'thing',
  method: 'POST',
  path: '/api/v1/thing/{thing_id}/mute',
  permission: [],
  origin: 'spec',
  repeat: 'once',
  query: v.looseObject({ end: v.optional(id) }),
  body: v.unknown(),
  response: v.unknown(),
  secrets: ['data.attributes.key', '{secret_id}'],
  source: 'test',
});
const find = (given: string): Endpoint | undefined => (given === mute.id ? mute : undefined);
const purpose = { action: 'things.mute', target: { id: '9007199254740993', name: 'web-1' } };
const secret = 'f00df00df00df00df00df00df00d1234';

let directory = '';
let journal: Journal;
const at = { now: Date.UTC(2026, 4, 6, 7, 8, 9) };
const clock = { ...systemClock, now: () => at.now };
const create = (more: Partial<Parameters<typeof createJournal>[0]> = {}) =>
  createJournal({ directory, clock, origin: 'https://api.acme.test', profile: 'acme', actor: () => 'kim', ...more });

beforeEach(() => {
  directory = temporaryFolder();
  journal = create();
});

const value = <V>(result: Result<V>): V => {
  if (!result.ok) throw new Error(`refused: ${result.problem.text}`);
  return result.value;
};
const text = () => readFileSync(journal.path, 'utf8');
const parts = () => readdirSync(directory).filter((name) => /^journal-/.test(name));
const journalModule = resolve(await bundled('src/journal/journal.ts'));
const endpointModule = resolve(await bundled('src/api/endpoint.ts'));
/** The arguments of Node for a process with a journal of its own in the same place. */
const nodeArgs = (body: string, more = '') => [
  '--input-type=module',
  '-e',
  `
  const { createJournal } = await import(${JSON.stringify(journalModule)});
  const { rawCall } = await import(${JSON.stringify(endpointModule)});
  const journal = createJournal({ directory: ${JSON.stringify(directory)}, clock: { now: Date.now }, origin: 'https://api.acme.test', profile: 'acme', ${more} });
  const call = rawCall({ id: 'things.mute', path: '/x/{thing_id}' }, { thing_id: process.argv[1] ?? '1' });
  const intent = () => journal.intent(call, { action: 'things.mute', target: { id: '1', name: 'web-1' } });
  ${body}`,
];

describe('the journal', () => {
  test('records the edits of the client in a file at 0600', async () => {
    const recorder: Recorder = journal;
    const entry = value(await recorder.intent(rawCall(mute, { thing_id: 1 }), purpose));
    expect(statSync(journal.path).mode & 0o777).toBe(0o600);
    expect(text()).toContain(entry);
    expect(text().endsWith('}\n')).toBe(true);
    await recorder.outcome(entry, { state: 'applied', attempts: 2, status: 200 });
    expect(value(await journal.entries())[0]).toMatchObject({
      id: entry,
      at: at.now,
      org: 'acme',
      origin: 'https://api.acme.test',
      actor: 'kim',
      target: purpose.target,
      outcome: { state: 'applied', attempts: 2, status: 200 },
      undo: [],
      undone: false,
    });
  });

  test('keeps undo calls with exact ids', async () => {
    value(
      await journal.intent(rawCall(mute, { thing_id: '9007199254740993' }), {
        ...purpose,
        before: { id: 9007199254740993n },
        group: 'g1',
      }),
    );
    const back = [
      rawCall(mute, { thing_id: 5n }, { end: 9007199254740993n }, { scope: 'host:a', n: 1.5 }),
      rawCall(mute, { thing_id: 6 }),
    ];
    await journal.remember('g1', purpose.target.id, back);
    const [read] = value(await create().entries());
    expect(read).toMatchObject({ before: { id: 9007199254740993n }, group: 'g1' });
    const calls = read?.undo.map((call) => reviveCall(call, find)) as Call[];
    expect(calls.map((call) => call.key)).toEqual(back.map((call) => call.key));
    expect(calls[0]?.endpoint).toBe(mute);
    expect(reviveCall({ endpoint: 'gone.now', params: {}, query: {} }, find)).toBeUndefined();
  });

  test('keeps an undo with the edit of its group and target', async () => {
    value(await journal.intent(rawCall(mute, { thing_id: 1 }), { ...purpose, group: 'g1' }));
    await journal.remember('g1', purpose.target.id, [rawCall(mute, { thing_id: 2 })]);
    await journal.remember('g2', purpose.target.id, [rawCall(mute, { thing_id: 3 })]);
    await journal.remember('g1', 'other', [rawCall(mute, { thing_id: 4 })]);
    expect(value(await journal.entries())[0]?.undo.map((call) => call.params.thing_id)).toEqual(['2']);
  });

  test('contains no secret, neither by position nor by value', async () => {
    const redacting = create({ redact: (text) => text.replaceAll(secret, '[redacted]') });
    const body = { data: [{ attributes: { key: `${'k'.repeat(28)}9876`, name: `called ${secret}` } }] };
    const call = rawCall(mute, { secret_id: `${'s'.repeat(28)}5432`, thing_id: 1 }, { end: secret }, body);
    const target = { id: call.params.secret_id ?? '', name: `thing ${call.params.secret_id}` };
    const entry = value(await redacting.intent(call, { ...purpose, target, before: { note: secret }, group: 'g1' }));
    await redacting.remember('g1', target.id, [call]);
    await redacting.outcome(entry, { state: 'refused', attempts: 1, text: `no: ${secret}` });
    expect(text()).not.toMatch(/kkkk|ssss|f00d/);
    expect(text()).toContain('(hidden, ends in 9876)');
    const [read] = value(await redacting.entries());
    expect(read?.call.withheld).toBe(2);
    expect(read && reviveCall(read.call, find)).toBeUndefined();
  });

  test('a process killed between intent and outcome leaves an open edit for the next start', async () => {
    const work = nodeArgs('console.log((await intent()).value); setInterval(() => {}, 1000);');
    const child = spawn(process.execPath, [...work, '7'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const entry = await new Promise<string>((resolve) =>
      child.stdout.once('data', (chunk) => resolve(String(chunk).trim())),
    );
    expect(value(await journal.openEdits())).toEqual([]); // The process runs, so its edit is pending.
    const closed = new Promise((done) => child.once('close', done));
    child.kill('SIGKILL');
    await closed;
    const open = value(await journal.openEdits());
    expect(open.map((entry) => entry.id)).toEqual([entry]);
    expect(open[0]?.call.params).toEqual({ thing_id: '7' });
    expect(value(await create({ origin: 'https://other.test' }).openEdits())).toEqual([]);
    await journal.settle(entry, { state: 'applied', attempts: 1 });
    expect(value(await journal.openEdits())).toEqual([]);
    expect(value(await journal.entries())[0]).toMatchObject({
      outcome: { state: 'applied' },
      settled: { by: 'check' },
    });
  });

  test('writes in the order of its calls, lists what it sends as being sent, and keeps no file open', async () => {
    const openFiles = () => readdirSync('/proc/self/fd').length;
    const before = openFiles();
    const gate = Promise.withResolvers<void>();
    const slow = create({
      rotateAt: 1000,
      open: async (path) => {
        await gate.promise;
        return openJournalFile(path);
      },
    });
    const both = [1, 2].map((thing_id) => slow.intent(rawCall(mute, { thing_id }), purpose));
    gate.resolve();
    const ids = (await Promise.all(both)).map(value);
    expect(text().match(/(?<="id":")[^"]{36}/g)).toEqual(ids);
    expect(value(await slow.entries()).map(({ isSending }) => isSending)).toEqual([true, true]);
    expect(value(await slow.openEdits())).toEqual([]);
    for (const id of ids) await slow.outcome(id, { state: 'applied', attempts: 1, text: 'x'.repeat(1000) });
    chmodSync(journal.path, 0o644);
    expect((await slow.intent(rawCall(mute, { thing_id: 3 }), purpose)).ok).toBe(false);
    expect(openFiles()).toBeLessThanOrEqual(before);
  });

  test('an outcome that went to the part just rotated is carried over with its edit', async () => {
    const left = value(await journal.intent(rawCall(mute, { thing_id: 1 }), purpose));
    const part = join(directory, 'journal-20260506T070809000Z-1.jsonl');
    const outcome = { state: 'applied', attempts: 1 };
    writeFileSync(part, `${JSON.stringify({ kind: 'outcome', id: left, at: at.now, outcome, by: 'answer' })}\n`, {
      mode: 0o600,
    });
    const other = value(await journal.intent(rawCall(mute, { thing_id: 2 }), purpose));
    for (let n = 0; n < 20; n += 1) await journal.outcome(other, { state: 'applied', attempts: n });
    await create({ rotateAt: 1000 }).outcome(other, { state: 'applied', attempts: 1 });
    expect(readdirSync(directory)).toHaveLength(3);
    expect(text().match(/"kind":"\w+"/g)).toEqual(['"kind":"intent"', '"kind":"outcome"']);
  });

  test('keeps an edit in doubt open until it is dismissed', async () => {
    const work = `await journal.outcome((await intent()).value, { state: 'unknown', attempts: 3 });`;
    execFileSync(process.execPath, nodeArgs(work));
    const [open] = value(await journal.openEdits());
    expect(open?.outcome?.state).toBe('unknown');
    await journal.forget(open?.id ?? '');
    expect(value(await journal.openEdits())).toEqual([]);
    expect(value(await journal.entries())[0]?.forgotten).toBe(true);
  });

  test.each([
    ['', /^\{/],
    ['\n', /^\n\{/],
    ['{', /^\{\n\{/],
    ['{}\n', /^\{\}\n\{/],
  ])('begins a line of its own behind %j', async (before, whole) => {
    writeFileSync(journal.path, before, { mode: 0o600 });
    await journal.intent(rawCall(mute, { thing_id: 1 }), purpose);
    expect(text()).toMatch(whole);
  });

  test('reads that are asked for at once are one, of the present file and the end of the one before', async () => {
    const call = rawCall(mute, { thing_id: 1 }, {}, { text: 'x'.repeat(1000) });
    for (let edit = 0; edit < 100; edit += 1) await journal.intent(call, purpose);
    const whole = text();
    for (const part of ['1', '2', '3'])
      writeFileSync(join(directory, `journal-2026050${part}T000000000Z-1.jsonl`), whole.repeat(20), { mode: 0o600 });
    const readBytes = () => Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
    const before = readBytes();
    const both = await Promise.all([journal.entries('recent'), journal.openEdits()]);
    expect(both.map((read) => value(read).length)).toEqual([100, 0]);
    expect(readBytes() - before).toBeLessThan(1.5 * (whole.length + 256 * 1024));
    // A later read knows what was written in between.
    const [, later] = await Promise.all([
      journal.entries(),
      journal.intent(call, purpose).then(() => journal.entries()),
    ]);
    expect(value(later)).toHaveLength(101);
  });

  test('says how many lines it could not read, and in which file', async () => {
    await journal.intent(rawCall(mute, { thing_id: 1 }), purpose);
    expect(value(await journal.entries())).toHaveLength(1);
    expect(journal.skipped()).toBeUndefined();
    appendFileSync(journal.path, '\0\0\0\n\n{"kind":"later","id":"1"}\nnot JSON\n');
    expect(value(await journal.entries())).toHaveLength(1);
    expect(journal.skipped()).toBe(`Left out, because they cannot be read as edits: 3 lines of ${journal.path}`);
  });

  test('loses only a torn last line', async () => {
    value(await journal.intent(rawCall(mute, { thing_id: 1 }), purpose));
    appendFileSync(journal.path, '{"kind":"intent","id":"torn","at":17');
    value(await journal.intent(rawCall(mute, { thing_id: 2 }), purpose));
    appendFileSync(journal.path, '\n\n[]\n{"kind":"outcome","id":"nobody"}\nnull\n');
    expect(
      value(await journal.entries())
        .map((entry) => entry.call.params.thing_id)
        .sort(),
    ).toEqual(['1', '2']);
  });

  const writtenBy = async (processes: number, times: number) => {
    const work = nodeArgs(`for (let n = 0; n < ${times}; n++) if (!(await intent()).ok) process.exit(1);`);
    const children = Array.from({ length: processes }, (_, n) =>
      spawn(process.execPath, [...work, String(n)], { stdio: 'inherit' }),
    );
    const codes = await Promise.all(children.map((child) => new Promise((done) => child.on('close', done))));
    expect(codes).toEqual(Array(processes).fill(0));
    expect(value(await journal.entries())).toHaveLength(processes * times);
  };
  test('contains all edits of four processes', () => writtenBy(4, 50), 60_000);
  test('contains all edits of eight processes, a hundred each', { tags: ['long'] }, () => writtenBy(8, 100));

  test('eight processes that rotate it at once lose no open edit, and call no settled one open', async () => {
    const work = nodeArgs(
      `
      const left = [];
      for (let n = 0; n < 40; n++) {
        const { value } = await intent();
        if (n % 8 === 0) left.push(value);
        else if (n % 8 === 1) await journal.outcome(value, { state: 'unknown', attempts: 1 }), left.push(value);
        else {
          if (n % 2) await journal.outcome(value, { state: 'unknown', attempts: 1 });
          await journal.settle(value, { state: 'applied', attempts: 1 });
        }
      }
      process.stdout.write(left.join('\\n') + '\\n');`,
      'rotateAt: 40000',
    );
    const ends = Array.from({ length: 8 }, () =>
      promisify(execFile)(process.execPath, work).then(({ stdout }) => stdout.trim().split('\n')),
    );
    const left = (await Promise.all(ends)).flat();
    expect(left).toHaveLength(80);
    const open = value(await create({ rotateAt: 40000 }).openEdits()).map((entry) => entry.id);
    expect(open.toSorted()).toEqual(left.toSorted());
    expect(readdirSync(directory).filter((name) => !name.endsWith('.jsonl'))).toEqual([]);
  }, 60_000);

  test('is not rotated again where another process did so between its size and the lock', async () => {
    const writes = create({
      rotateAt: 1000,
      async open(path) {
        const file = await openJournalFile(path);
        const close = file.close.bind(file);
        // Another process reads the journal, which rotates it.
        return Object.assign(file, {
          async close() {
            await close();
            await create({ rotateAt: 1000 }).entries();
            at.now += 1;
          },
        });
      },
    });
    for (let n = 0; parts().length === 0; n += 1) {
      at.now += 1;
      const entry = value(await writes.intent(rawCall(mute, { thing_id: n }), purpose));
      at.now += 1;
      await writes.outcome(entry, { state: 'applied', attempts: 1 });
    }
    expect(parts()).toHaveLength(1);
  });

  test('the lock of the rotation names its holder, who alone works under it; that of a killed process holds nobody up', async () => {
    const holder = { run: currentRun(), at: at.now };
    const lock = `${journal.path}.lock`;
    const done: string[] = [];
    const tries = (name: string) => underLock(journal.path, at.now, async () => void done.push(name));
    await underLock(journal.path, at.now, async () => {
      expect(JSON.parse(readFileSync(lock, 'utf8'))).toEqual(holder);
      expect(statSync(lock).mode & 0o777).toBe(0o600);
      await tries('meanwhile');
      done.push('first');
    });
    writeFileSync(lock, JSON.stringify({ run: { ...holder.run, pid: 2 ** 30, began: '' }, at: at.now }));
    expect(await tries('after the kill')).toBe(true);
    await expect(underLock(join(directory, 'no/x'), at.now, async () => undefined)).rejects.toThrow('ENOENT');
    expect(done).toEqual(['first', 'after the kill']);
    expect(readdirSync(directory)).toEqual([]);
  });

  test('a lock that is being written is waited for, one that stays half written is taken away, and one that cannot be read stays', async () => {
    const ours = { run: currentRun(), at: at.now };
    const lock = `${journal.path}.lock`;
    const done: string[] = [];
    const tries = (name: string) => underLock(journal.path, at.now, async () => void done.push(name));
    writeFileSync(lock, '{');
    const meanwhile = tries('written meanwhile');
    await new Promise((go) => setTimeout(go, 50));
    writeFileSync(lock, JSON.stringify(ours));
    await meanwhile;
    writeFileSync(lock, '{');
    await tries('after half a lock');
    mkdirSync(lock);
    await tries('under a directory');
    expect(done).toEqual(['after half a lock']);
    expect(readdirSync(directory)).toEqual(['journal.jsonl.lock']);
  });

  test('rotates when large, carries open edits over, and keeps eight parts', async () => {
    const small = create({ rotateAt: 4000 });
    const left = value(await small.intent(rawCall(mute, { thing_id: 'left' }), purpose));
    const ids: string[] = [];
    for (let n = 0; n < 90; n++) {
      at.now += 1;
      const entry = value(await small.intent(rawCall(mute, { thing_id: n }), purpose));
      await small.outcome(entry, { state: 'applied', attempts: 1 });
      ids.push(entry);
    }
    const names = readdirSync(directory).filter((name) => name !== 'journal.jsonl');
    expect(names).toHaveLength(8);
    expect(text().length).toBeLessThan(5000);
    expect(text()).toContain(left);
    for (const name of names) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    const found = value(await small.entries()).map((entry) => entry.id);
    expect(found).toContain(left);
    expect(found).toContain(ids.at(-1));
    expect(new Set(found).size).toBe(found.length);
  });
});

describe('a journal of any size', () => {
  const line = (more: object) => `${JSON.stringify({ ...written, ...more })}\n`;
  const written = {
    kind: 'intent',
    at: 1,
    run: { host: 'h', pid: 1, began: '' },
    org: 'acme',
    origin: 'https://api.acme.test',
    actor: '',
    ...purpose,
    call: { endpoint: mute.id, params: {}, query: {} },
  };

  test('rotates 70 MB when it is read: open edits and edits in doubt are kept', async () => {
    const path = join(directory, 'journal.jsonl');
    const outcome = (id: string, state: string) =>
      `${JSON.stringify({ kind: 'outcome', id, at: 2, outcome: { state, attempts: 1 }, by: 'answer' })}\n`;
    const first = [line({ id: 'left' }), line({ id: 'doubt' }), outcome('doubt', 'unknown'), line({ id: 'told' })];
    writeFileSync(path, [...first, outcome('told', 'unknown'), outcome('told', 'applied')].join(''), { mode: 0o600 });
    const before = 'x'.repeat(1024 * 1024);
    for (let n = 0; n < 70; n += 1) appendFileSync(path, line({ id: `n${n}`, before }) + outcome(`n${n}`, 'refused'));
    const open = value(await create().openEdits());
    expect(open.map((entry) => [entry.id, entry.outcome?.state])).toEqual([
      ['left', undefined],
      ['doubt', 'unknown'],
    ]);
    expect(statSync(path).size).toBeLessThan(2000);
    expect(readdirSync(directory)).toHaveLength(2);
  }, 30_000);

  test('a rotation that is cut off, here by a limit, loses no open edit from the files that are read first', async () => {
    const before = 'x'.repeat(8192);
    const refused = (id: string) =>
      `${JSON.stringify({ kind: 'outcome', id, at: 2, outcome: { state: 'refused', attempts: 1 }, by: 'answer' })}\n`;
    writeFileSync(journal.path, line({ id: 'left', before }), { mode: 0o600 });
    for (let n = 0; n < 100; n += 1) appendFileSync(journal.path, line({ id: `n${n}`, before }) + refused(`n${n}`));
    const work = nodeArgs('await journal.openEdits()', 'rotateAt: 4000');
    spawnSync('sh', ['-c', 'ulimit -f 1; exec "$@"', 'sh', process.execPath, ...work]);
    expect(value(await journal.openEdits()).map(({ id }) => id)).toEqual(['left']);
    // The next one is whole.
    expect(value(await create({ rotateAt: 4000 }).openEdits()).map(({ id }) => id)).toEqual(['left']);
    expect(text().length).toBeLessThan(10_000);
    expect(readdirSync(directory)).toHaveLength(2);
  });

  test('lists open edits with the oldest first, in whatever order processes wrote them', async () => {
    const gone = { host: hostname(), pid: 2 ** 30, began: '' };
    for (const age of [1, 3, 2]) appendFileSync(journal.path, line({ id: `open ${age}`, at: at.now - age, run: gone }));
    chmodSync(journal.path, 0o600);
    expect(value(await journal.openEdits()).map(({ id }) => id)).toEqual(['open 3', 'open 2', 'open 1']);
  });

  test('rotates and says so when an older part cannot be read', async () => {
    const part = join(directory, 'journal-20260101T000000000Z-1.jsonl');
    writeFileSync(part, line({ id: 'old' }), { mode: 0o644 });
    const small = create({ rotateAt: 400 });
    for (let n = 0; n < 4; n += 1) {
      const entry = value(await small.intent(rawCall(mute, { thing_id: n }), purpose));
      await small.outcome(entry, { state: 'applied', attempts: 1 });
    }
    expect(readdirSync(directory).length).toBeGreaterThan(2);
    const listed = await small.entries();
    expect(listed.ok || listed.problem.text).toContain('can be opened by others (mode 0644)');
  });
});

describe('an edit that cannot be journaled is not sent', () => {
  const refused = async (journal: Journal) => {
    const result = await journal.intent(rawCall(mute, { thing_id: 1 }), purpose);
    if (result.ok) throw new Error('it was written');
    expect(result.problem).toMatchObject({ kind: 'unrecorded', operation: 'things.mute' });
    return result.problem.text;
  };

  test('a full disk', async () => {
    expect(await refused(create({ open: () => open('/dev/full', 'a') }))).toMatch(
      /nothing was sent: the edit cannot be recorded: .*the disk is full/,
    );
  });

  test('a disk that fills up in between: one line is torn, and a later edit is whole', async () => {
    const body = `
      const said = [];
      for (let n = 0; n < 40; n++) said.push(await intent());
      console.log(JSON.stringify(said.map((it) => (it.ok ? 'ok' : it.problem.text))));`;
    // A limit of file sizes simulates a full disk; 8 blocks of 1024 bytes.
    const limited = `trap '' XFSZ; ulimit -f 8; exec "$@"`;
    const out = execFileSync('bash', ['-c', limited, 'bash', process.execPath, ...nodeArgs(body)], {
      encoding: 'utf8',
    });
    const said: string[] = JSON.parse(out);
    const written = said.filter((text) => text === 'ok').length;
    expect(written).toBeGreaterThan(3);
    expect(said.at(-1)).toContain('a file size limit was reached');
    expect(text().endsWith('\n')).toBe(false);
    value(await journal.intent(rawCall(mute, { thing_id: 1 }), purpose));
    expect(value(await journal.entries())).toHaveLength(written + 1);
    expect(journal.skipped()).toContain('1 line of');
  });

  test('a file that others can open, a link, a FIFO, a directory in its place', async () => {
    writeFileSync(journal.path, '', { mode: 0o644 });
    expect(await refused(journal)).toContain(`chmod 600 ${journal.path}`);
    expect((await journal.entries()).ok).toBe(false);
    rmSync(journal.path);
    writeFileSync(join(directory, 'elsewhere'), '', { mode: 0o600 });
    symlinkSync(join(directory, 'elsewhere'), journal.path);
    expect(await refused(journal)).toContain('symbolic link');
    expect(readFileSync(join(directory, 'elsewhere'), 'utf8')).toBe('');
    rmSync(journal.path);
    execFileSync('mkfifo', ['-m', '600', journal.path]);
    expect(await refused(journal)).toContain('not a plain file');
    rmSync(journal.path);
    mkdirSync(journal.path);
    expect(await refused(journal)).toContain('cannot be written');
    rmSync(journal.path, { recursive: true });
    chmodSync(directory, 0o777);
    expect(await refused(journal)).toContain('chmod 700');
  });

  test('an outcome that cannot be written is reported, and the edit stays open', async () => {
    const entry = value(await journal.intent(rawCall(mute, { thing_id: 1 }), purpose));
    chmodSync(journal.path, 0o640);
    await journal.outcome(entry, { state: 'applied', attempts: 1 });
    expect(journal.trouble()).toContain('chmod 600');
    chmodSync(journal.path, 0o600);
    expect(value(await journal.entries())[0]?.outcome).toBeUndefined();
    await journal.outcome(entry, { state: 'applied', attempts: 1 });
    expect(journal.trouble()).toBeUndefined();
  });
});
