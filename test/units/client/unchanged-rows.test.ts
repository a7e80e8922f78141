import fc from 'fast-check';
import { expect, test } from 'vitest';
import { call, reducing } from '../../../src/api/endpoint.ts';
import { listMonitors } from '../../../src/api/monitors.ts';
import { createClient } from '../../../src/client/create-client.ts';
import { placesOfRows } from '../../../src/lib/json-rows.ts';
import { runAtOnce } from '../../../src/lib/slices.ts';
import { runs } from '../../support/runs.ts';
import { fastClock, json, serve } from '../../support/scripted-server.ts';

const placed = (text: string) => {
  const json = Buffer.from(text);
  const ends = runAtOnce(placesOfRows(json));
  return (
    ends && Array.from({ length: ends.length / 2 }, (_, at) => json.toString('utf8', ends[2 * at], ends[2 * at + 1]))
  );
};

test('the rows of a list are found in its text', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 1), (rows, indent) => {
      expect(placed(JSON.stringify(rows, undefined, indent))?.map((row) => JSON.parse(row))).toEqual(
        JSON.parse(JSON.stringify(rows)),
      );
    }),
    { numRuns: runs(300) },
  );
});

test.each(['', '{}', '[', '["]', '[1] 2', '{"a":[]}', '["\\"]'])('%j is no list whose rows could be found', (text) => {
  expect(placed(text)).toBe(undefined);
});

interface Row {
  readonly id: number;
  readonly message: string;
}

const apiKey = 'fake-a1b2c3d4e5f60718';
const long = 'x'.repeat(10_000);
const rowsFrom = (first: number, count = 100): Row[] =>
  Array.from({ length: count }, (_, at) => ({ id: first + at, message: long }));
const changed = (rows: readonly Row[], ...places: readonly number[]) =>
  rows.map((row, at) => (places.includes(at) ? { ...row, message: `${long} ${places.length}` } : row));

/** Polls a service that gives these answers, and tells how many rows were reduced for each. */
async function polled(answers: readonly unknown[]) {
  const { origin, received } = await serve((_, answer, nth) => json(answer, 200, answers[nth - 1]));
  const client = createClient({
    origin,
    keys: { apiKey, appKey: 'fake-0123456789abcdef' },
    readOnly: true,
    clock: fastClock(),
    random: () => 0,
  });
  const polls: { reduced: number; together: number; rows: readonly unknown[]; unread: readonly string[] }[] = [];
  for (const _ of answers) {
    let reduced = 0;
    let together = 0;
    const result = await client.send(
      reducing(call(listMonitors), function* (answer) {
        reduced += answer.length;
        together = Math.max(together, answer.length);
        yield;
        return (answer as unknown as readonly Row[]).map((row) => ({ kept: row }));
      }),
    );
    if (!result.ok) throw new Error(result.problem.text);
    polls.push({ reduced, together, rows: result.value, unread: result.unread });
  }
  await client.close();
  expect(received).toHaveLength(answers.length);
  return polls;
}

const kept = (rows: readonly Row[]) => rows.map((row) => ({ kept: row }));

test('of a long list only rows that have changed are read, and the others are the very same', async () => {
  const first = rowsFrom(1);
  const shifted = [...rowsFrom(201, 1), ...first.slice(3)];
  const answers = [first, changed(first, 3, 50), shifted, first];
  const polls = await polled(answers);
  expect(polls.map(({ reduced }) => reduced)).toEqual([100, 2, 3, 5]);
  for (const [at, { rows }] of polls.entries()) expect(rows).toEqual(kept(answers[at] as Row[]));
  const same = polls[1]?.rows.filter((row, at) => row === polls[0]?.rows[at]);
  expect(same).toHaveLength(98);
  expect(polls[2]?.rows[2]).toBe(polls[0]?.rows[4]);
});

test('rows of a long list are read a few at a time, and are the same as those of a short one', async () => {
  const [first] = await polled([rowsFrom(1)]);
  expect(first).toMatchObject({ reduced: 100, rows: kept(rowsFrom(1)) });
  expect(first?.together).toBeLessThan(5);
  expect((await polled([rowsFrom(1, 60)]))[0]?.together).toBe(60);
});

test('rows that have changed once are read together until they are many, and then the whole is', async () => {
  const first = rowsFrom(1);
  const places = (count: number) => Array.from({ length: count }, (_, at) => at);
  const answers = [first, changed(first, ...places(25)), changed(first, ...places(26)), changed(first, ...places(27))];
  expect((await polled(answers)).map(({ reduced }) => reduced)).toEqual([100, 25, 100, 100]);
});

test('a row that repeats a key, or that cannot be read, is told of the whole list', async () => {
  const first = rowsFrom(1);
  const answers = [
    first,
    first.with(7, { id: 8, message: `${long} ${apiKey}` }),
    first.with(7, 'no monitor' as never),
    first,
  ];
  const polls = await polled(answers);
  expect(polls.map(({ unread }) => unread.length)).toEqual([0, 0, 1, 0]);
  expect(polls[2]?.unread[0]).toContain('[7]');
  expect(JSON.stringify(polls[1]?.rows)).not.toContain(apiKey);
  expect(polls[3]?.rows).toEqual(kept(first));
});

test('an answer that was too large to read is not asked for again for ten minutes', async () => {
  const { origin, received } = await serve((_, answer) => {
    answer.writeHead(200, { 'content-type': 'application/json' });
    answer.end(`[${' '.repeat(9_000_000)}]`);
  });
  const clock = { ...fastClock(), now: () => at };
  let at = 1_000_000;
  const keys = { apiKey, appKey: 'fake-0123456789abcdef' };
  const client = createClient({ origin, keys, readOnly: true, clock, random: () => 0 });
  const read = () =>
    client.send(
      reducing(call(listMonitors), function* () {
        yield;
      }),
    );
  for (const later of [0, 599_999, 1]) {
    at += later;
    expect(await read()).toMatchObject({ ok: false, problem: { tooBig: true } });
  }
  expect(received).toHaveLength(2);
  await client.close();
});
