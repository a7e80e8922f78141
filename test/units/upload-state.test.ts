import { spawn } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { currentRun } from '../../src/lib/private-file.ts';
import { byteText, durationText } from '../../src/upload/upload-plan.ts';
import {
  createProgressTracker,
  createRateMeter,
  progressText,
  type UploadProgress,
} from '../../src/upload/upload-progress.ts';
import {
  abandon,
  leftovers,
  newNote,
  readUnfinishedUploads,
  type UploadRecord,
} from '../../src/upload/upload-record.ts';
import { tooSlowProblem } from '../../src/upload/upload-table.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A clock that the test advances. */
function handClock() {
  const state = { now: 1_000_000 };
  return {
    now: () => state.now,
    after: () => () => {},
    passes: (ms: number) => {
      state.now += ms;
    },
  };
}

const noted: UploadRecord = {
  version: 1,
  run: { ...currentRun(), pid: 2 ** 30 },
  origin: 'https://api.example.test',
  table: { name: 'routes', key: 'service', types: { tier: 'INT32' }, tags: ['team:core'] },
  file: { path: '/data/routes.csv', size: 11, modified: '1', inode: '1:2' },
  upload: 'u-1',
  parts: [true, false, false],
  phase: 'sending',
  expires: 2_000_000,
};

async function noting(record: UploadRecord = noted) {
  const directory = join(temporaryFolder(), 'state');
  const note = await newNote(directory);
  if (!note.ok) throw new Error(note.text);
  await note.value.write(record);
  return { directory, note: note.value };
}

test('sizes and durations are human-readable', () => {
  expect([0, 999, 1000, 1500, 5_300_000, 90_000_000, 100_500_000, 123_456_789, 2e9].map(byteText)).toEqual([
    '0 B',
    '999 B',
    '1 kB',
    '1.5 kB',
    '5.3 MB',
    '90 MB',
    '100 MB',
    '123 MB',
    '2 GB',
  ]);
  expect([0, 44_001, 60_000, 260_000, 3_600_000, 3_900_000].map(durationText)).toEqual([
    '0s',
    '45s',
    '1m',
    '4m20s',
    '1h',
    '1h5m',
  ]);
});

test('the rate covers the last ten seconds and is none when nothing went in them; the average covers all; both need one second', () => {
  const clock = handClock();
  const meter = createRateMeter(clock);
  meter.add(500);
  expect(meter.rate()).toBeUndefined();
  clock.passes(1000);
  expect(meter.rate()).toBe(500);
  for (let at = 0; at < 20; at += 1) {
    meter.add(100);
    clock.passes(1000);
  }
  expect(meter.rate()).toBe(90);
  expect(meter.average()).toBeCloseTo(2500 / 21);
  clock.passes(10_000);
  expect(meter.rate()).toBeUndefined();
  meter.begin();
  clock.passes(5000);
  expect([meter.rate(), meter.average()]).toEqual([undefined, undefined]);
});

test('of many small steps the rate is that of the last ten seconds', () => {
  const clock = handClock();
  const meter = createRateMeter(clock);
  const sends = (bytes: number, times: number) => {
    for (let at = 0; at < times; at += 1) {
      clock.passes(50);
      meter.add(bytes);
    }
  };
  sends(50, 200);
  expect(meter.rate()).toBe(1000);
  // Half a second later than the change, the window still begins before it.
  sends(5, 10);
  expect(meter.rate()).toBeCloseTo((9550 + 50) / 10.1, -1);
  sends(5, 200);
  expect(meter.rate()).toBeCloseTo(100, 0);
});

test('progress is told at each tenth of a second, at each phase and state, and of what is sent alone', () => {
  const clock = handClock();
  const watch = createProgressTracker({ size: 1000, partSize: 500, partCount: 2 }, clock);
  const seen: UploadProgress[] = [];
  watch.subscribe((now) => seen.push(now));
  watch.expires(clock.now() + 3000);
  watch.meter.add(5000);
  clock.passes(1000);
  expect(watch.now()).not.toHaveProperty('expiresMs');
  expect(watch.now()).not.toHaveProperty('rate');
  watch.enter('sending');
  clock.passes(99);
  watch.partsChanged();
  expect(seen).toHaveLength(1);
  clock.passes(1);
  watch.partsChanged();
  expect(seen).toHaveLength(2);
  // Measured from the beginning of the phase: 500 bytes in 1 s leave 1 s, as long as the addresses live.
  expect(watch.now()).not.toHaveProperty('rate');
  watch.meter.add(500);
  const [first] = watch.parts;
  Object.assign(first ?? {}, { sent: 500, isStored: true });
  clock.passes(900);
  expect(watch.now()).toMatchObject({ rate: 500, leftMs: 1000, expiresMs: 1000 });
  expect(watch.now().parts).toEqual({ done: 1, of: 2 });
  clock.passes(2000);
  expect(watch.now()).toMatchObject({ expiresMs: 0 });
  watch.enter('creating');
  watch.status('DONE');
  expect(seen.map(({ phase, status }) => [phase, status]).slice(2)).toEqual([
    ['creating', undefined],
    ['creating', 'DONE'],
  ]);
});

test.each<[Partial<UploadProgress>, ReturnType<typeof progressText>]>([
  [
    { phase: 'creating', status: 'DONE' },
    { step: 'creating the table', notes: [] },
  ],
  [{ phase: 'waiting' }, { step: 'importing', notes: [] }],
  [
    { phase: 'waiting', status: 'PROCESSING' },
    { step: 'importing the rows', notes: [] },
  ],
  [
    { phase: 'waiting', status: 'ODD' },
    { step: 'importing (ODD)', notes: [] },
  ],
  [
    { phase: 'sending', size: 0 },
    { step: 'sending', share: 0, notes: ['0 B of 0 B, 0 of 1 parts'] },
  ],
  [
    { phase: 'sending', leftMs: 1000, expiresMs: 2000 },
    { step: 'sending', share: 0, notes: ['0 B of 10 B, 0 of 1 parts, 1s left'] },
  ],
])('progress in words: %j', (now, text) => {
  const none = { phase: 'sending', size: 10, sent: 0, parts: { done: 0, of: 1 }, remarks: [] } as const;
  expect(progressText({ ...none, ...now })).toEqual(text);
});

test('progress in numbers and words, with a warning when the URLs expire too soon', () => {
  const clock = handClock();
  const watch = createProgressTracker({ size: 10_000_000, partSize: 5_000_000, partCount: 2 }, clock);
  const seen: UploadProgress[] = [];
  const end = watch.subscribe((record) => seen.push(record));
  expect(progressText(watch.now())).toEqual({ step: 'requesting addresses', notes: [] });
  watch.expires(clock.now() + 20_000);
  watch.enter('sending');
  const [first] = watch.parts;
  if (first) first.sent = 1_000_000;
  watch.meter.add(1_000_000);
  watch.partsChanged();
  watch.partsChanged();
  clock.passes(5000);
  watch.partsChanged();
  expect(seen).toHaveLength(2);
  expect(watch.now()).toMatchObject({
    sent: 1_000_000,
    rate: 200_000,
    leftMs: 45_000,
    expiresMs: 15_000,
  });
  watch.remark('part 2 again: the connection broke');
  expect(progressText(watch.now())).toEqual({
    step: 'sending',
    share: 0.1,
    notes: [
      '1 MB of 10 MB, 0 of 2 parts, 200 kB/s, 45s left',
      'too slow: 45s more are needed, the addresses expire in 15s',
      'part 2 again: the connection broke',
    ],
  });
  end();
  watch.enter('waiting');
  watch.status('PROCESSING');
  expect(progressText(watch.now()).step).toBe('importing the rows');
  watch.restart();
  expect([watch.now().sent, seen.length]).toEqual([0, 3]);
});

test('progress goes on where the wall clock jumps back', () => {
  const clock = handClock();
  const watch = createProgressTracker({ size: 10, partSize: 10, partCount: 1 }, clock);
  const seen: UploadProgress[] = [];
  watch.subscribe((progress) => seen.push(progress));
  watch.partsChanged();
  clock.passes(-3_600_000);
  watch.partsChanged();
  watch.partsChanged();
  expect(seen).toHaveLength(2);
});

test('a part that has arrived is told at once', () => {
  const watch = createProgressTracker({ size: 10, partSize: 10, partCount: 1 }, handClock());
  const seen: UploadProgress[] = [];
  watch.subscribe((progress) => seen.push(progress));
  watch.partsChanged();
  for (const part of watch.parts) part.isStored = true;
  watch.partsChanged();
  watch.partsChanged();
  expect(seen.map(({ parts }) => parts.done)).toEqual([0, 1]);
});

test('new URLs are requested only where the connection is fast enough', () => {
  const last = { kind: 'forbidden', text: 'expired', messages: [] } as const;
  expect(tooSlowProblem(last, 1000, { rate: 10, arrived: 0 }, 100_000)).toBeUndefined();
  expect(tooSlowProblem(last, 1000, { rate: 10, arrived: 1 }, 99_000)?.text).toContain(
    'take 1m40s, and the addresses are valid for 1m39s',
  );
  expect(tooSlowProblem(last, 1000, { arrived: 0 }, 99_000)?.text).toBe(
    'nothing could be sent: expired; no table was created',
  );
  expect(tooSlowProblem(last, 1000, { arrived: 1 }, 99_000)).toBeUndefined();
});

test('a note is private, written atomically, and found when its process has ended', async () => {
  const { directory, note } = await noting();
  expect(statSync(note.path).mode & 0o777).toBe(0o600);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  await Promise.all([
    note.write({ ...noted, phase: 'creating' }),
    note.write({ ...noted, parts: [true, true, false] }),
  ]);
  expect(JSON.parse(readFileSync(note.path, 'utf8'))).toEqual({ ...noted, parts: [true, true, false] });
  expect(readdirSync(directory)).toHaveLength(1);
  expect(await leftovers(directory, 0)).toMatchObject({ found: [{ record: { upload: 'u-1' } }] });
  writeFileSync(note.path, '{"version":1,');
  expect(await leftovers(directory, 0)).toEqual({
    found: [],
    trouble: expect.stringContaining(`${note.path} cannot be read; it is kept as`),
  });
  expect(readdirSync(directory)).toEqual([`${basename(note.path)}.unread`]);
  await note.remove();
  expect(await leftovers(join(directory, 'none'), 0)).toEqual({ found: [] });
});

test('a note that others can write to is not used', async () => {
  const { directory, note } = await noting();
  chmodSync(note.path, 0o644);
  expect(await leftovers(directory, 0)).toMatchObject({
    found: [],
    trouble: expect.stringContaining('0644'),
  });
  await note.remove();
  symlinkSync('/etc/hostname', note.path);
  expect(await leftovers(directory, 0)).toMatchObject({
    found: [],
    trouble: expect.stringContaining('link'),
  });
});

test('the note of a process that runs is left alone, and nothing is done to the process', async () => {
  const other = spawn('sleep', ['60']);
  onTestFinished(() => void other.kill());
  const { directory, note } = await noting({ ...noted, run: { ...currentRun(), pid: other.pid ?? 0, began: '' } });
  for (const _ of [1, 2]) {
    expect(await leftovers(directory, 0)).toEqual({ found: [] });
    await new Promise((done) => setTimeout(done, 20));
  }
  // This process does not go on with what it has left itself: it has ended with it.
  await note.write({ ...noted, run: currentRun() });
  expect(await leftovers(directory, 0)).toMatchObject({ found: [{ record: { run: { pid: process.pid } } }] });
});

test('the note of another machine is left alone until ten minutes after its addresses, whatever runs here', async () => {
  for (const pid of [2 ** 30, process.pid]) {
    const { directory } = await noting({ ...noted, run: { ...currentRun(), host: 'other', pid } });
    expect(await leftovers(directory, noted.expires + 599_999)).toEqual({ found: [] });
    expect(await leftovers(directory, noted.expires + 600_000)).toMatchObject({
      found: [{ record: { upload: 'u-1' } }],
    });
  }
});

test('uploads that were interrupted are listed with the newest first', async () => {
  const { directory } = await noting();
  for (const [name, expires] of [
    ['older', 1_000_000],
    ['newest', 3_000_000],
  ] as const) {
    const note = await newNote(directory);
    if (note.ok) await note.value.write({ ...noted, expires, table: { name, key: 'k' } });
  }
  const listed = await readUnfinishedUploads(directory, noted.origin, 0);
  expect(listed.uploads.map(({ asked }) => asked.table)).toEqual(['newest', 'routes', 'older']);
});

test('an interrupted upload is reported, resumed, and abandoned', async () => {
  const { directory } = await noting();
  expect(await readUnfinishedUploads(directory, 'https://other.example.test', 0)).toEqual({ uploads: [] });
  const [one] = (await readUnfinishedUploads(directory, noted.origin, 0)).uploads;
  expect(one?.says).toBe('routes.csv into routes: 1 of 3 parts arrived, it has to start again');
  expect(one?.goesOn).toBe(false);
  expect(one?.asked).toEqual({
    file: '/data/routes.csv',
    table: 'routes',
    key: 'service',
    types: { tier: 'INT32' },
    tags: ['team:core'],
  });
  await abandon(directory, one?.note ?? '');
  expect(await readUnfinishedUploads(directory, noted.origin, 0)).toEqual({ uploads: [] });
});
