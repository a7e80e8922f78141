import { expect, test } from 'vitest';
import { problemResult, type Result } from '../../src/api/problem.ts';
import type { Client } from '../../src/client/client.ts';
import { awaitTable, followTable, readTable, startUpload, type TableState } from '../../src/upload/upload-table.ts';
import { createSteppedClock } from '../support/steppedclock.ts';

const table: TableState = {
  id: 't1',
  name: 'routes',
  status: 'PROCESSING',
  rows: 0,
  updated: 'before',
  columns: [],
  key: 'service',
  refused: 0,
  error: '',
};
const wire = (status: string, updated = 'after') => ({
  id: 't1',
  attributes: { table_name: 'routes', status, updated_at: updated },
});

/** A service that answers with what `answers` gives, and the clock that it is asked on. */
function asking(answers: (nth: number) => Result<unknown>) {
  const clock = createSteppedClock();
  const begun = clock.now();
  const asked: number[] = [];
  const send = async () => answers(asked.push(clock.now() - begun));
  const stop = new AbortController();
  return {
    clock,
    asked,
    stop,
    means: { client: { send: send as unknown as Client['send'] }, clock, signal: stop.signal, group: 'test' },
  };
}

const ok = (data: unknown): Result<unknown> => ({ ok: true, value: { data }, status: 200, unread: [] });

test('a table is read every two seconds, then more slowly, and given back as it is after ten minutes', async () => {
  const { means, clock, asked } = asking(() => ok(wire('PROCESSING')));
  const told: string[] = [];
  const end = followTable(means, table, ({ status }) => told.push(status));
  await clock.passes(600_000);
  expect(await end).toMatchObject({ ok: true, value: { status: 'PROCESSING', updated: 'after' } });
  expect(asked.slice(0, 3)).toEqual([2000, 4500, 7625]);
  expect((asked.at(-1) ?? 0) - (asked.at(-2) ?? 0)).toBe(10_000);
  expect(asked.at(-1)).toBeGreaterThan(590_000);
  expect(told).toHaveLength(asked.length + 1);
});

test('the state from before new data is not its state, and after half a minute nobody knows it', async () => {
  const { means, clock, asked } = asking(() => ok(wire('DONE', 'before')));
  const end = followTable(means, { ...table, status: 'DONE' }, () => {}, 'before');
  await clock.passes(60_000);
  const text = 'the service took the rows of routes, but does not show them yet: look again later';
  expect(await end).toMatchObject({ ok: false, problem: { kind: 'unknown', text } });
  expect(asked.at(-1)).toBeGreaterThanOrEqual(30_000);
  expect(asked.at(-2)).toBeLessThan(30_000);
});

test('new data that came within the second of the last is told by its being read', async () => {
  const { means, clock, asked } = asking((nth) => ok(wire(nth === 1 ? 'PROCESSING' : 'DONE', 'before')));
  const end = followTable(means, { ...table, status: 'DONE' }, () => {}, 'before');
  await clock.passes(10_000);
  expect(await end).toMatchObject({ ok: true, value: { status: 'DONE' } });
  expect(asked).toHaveLength(2);
});

test('a table that is gone half a minute after it was asked for was deleted', async () => {
  const { means, clock, asked } = asking(() => problemResult('notFound', 'no'));
  const end = followTable(means, table, () => {});
  await clock.passes(60_000);
  expect(await end).toMatchObject({ ok: false, problem: { text: 'the table routes no longer exists' } });
  expect(asked.at(-1)).toBeGreaterThanOrEqual(30_000);
  expect(asked.at(-2)).toBeLessThan(30_000);
});

test.each(['unreachable', 'tooMany', 'notFound'] as const)('a read that is %s is repeated', async (kind) => {
  const { means, clock, asked } = asking((nth) => (nth === 1 ? problemResult(kind, 'no') : ok(wire('DONE'))));
  const end = followTable(means, table, () => {});
  await clock.passes(60_000);
  expect(await end).toMatchObject({ ok: true, value: { status: 'DONE' } });
  expect(asked).toHaveLength(2);
});

test('another refusal leaves in doubt what became of it, and calling it off ends it', async () => {
  const { means, clock } = asking(() => problemResult('forbidden', 'no'));
  const end = followTable(means, table, () => {});
  await clock.passes(2000);
  const text = 'the service took the table routes, but it cannot be read: no; look again later';
  expect(await end).toMatchObject({ ok: false, problem: { kind: 'unknown', text } });
  const { means: other, stop } = asking(() => ok(wire('PROCESSING')));
  const off = followTable(other, table, () => {});
  stop.abort();
  expect(await off).toMatchObject({ ok: false, problem: { kind: 'canceled' } });
});

test('a new table is looked for by its exact name for a minute; then it is unknown whether it exists', async () => {
  const { means, clock, asked } = asking(() => ok([{ ...wire('DONE'), attributes: { table_name: 'routes2' } }]));
  const end = awaitTable(means, 'routes');
  await clock.passes(60_000);
  expect(await end).toMatchObject({ ok: false, problem: { kind: 'unknown' } });
  expect(asked.slice(0, 3)).toEqual([0, 2000, 5000]);
  expect(asked.at(-1)).toBeLessThanOrEqual(60_000);
  expect(asked.at(-1)).toBeGreaterThan(50_000);
});

test('a table is told with what the service says of it, and with nothing where it says nothing', async () => {
  const { means } = asking(() =>
    ok({
      id: 7,
      attributes: {
        table_name: 'routes',
        status: 'DONE',
        row_count: 3,
        updated_at: 'now',
        schema: { fields: [{ name: 'service', type: 'STRING' }, {}], primary_keys: ['service', 'team'] },
        file_metadata: { error_type: '', error_message: 'bad', error_row_count: 2 },
      },
    }),
  );
  const empty = { name: '', status: '', rows: 0, updated: '', columns: [], key: '', refused: 0, error: '' };
  expect(await readTable(means, '7')).toMatchObject({
    value: {
      id: '7',
      name: 'routes',
      status: 'DONE',
      rows: 3,
      updated: 'now',
      columns: [
        { name: 'service', type: 'STRING' },
        { name: '', type: '' },
      ],
      key: 'service',
      refused: 2,
      error: 'bad',
    },
  });
  expect(await readTable(asking(() => ok({ id: 7, attributes: null })).means, '7')).toMatchObject({
    value: { ...empty, id: '7' },
  });
  for (const nothing of [null, {}, { id: null }])
    expect(await readTable(asking(() => ok(nothing)).means, '7')).toMatchObject({ ok: false });
});

test.each(['before', undefined])('a state counts at once where it is a new one: before it %s', async (past) => {
  const { means, asked } = asking(() => ok(wire('DONE')));
  const end = followTable(means, { ...table, status: 'DONE', updated: 'after' }, () => {}, past);
  expect(await end).toMatchObject({ ok: true });
  expect(asked).toEqual([]);
});

test.each([
  ['unknown', 3],
  ['forbidden', 1],
] as const)(
  'the addresses of an upload are asked for again only where the outcome is unknown: %s',
  async (kind, times) => {
    const { means, asked } = asking(() => problemResult(kind, 'no'));
    const plan = { partCount: 1, partSize: 10, headers: ['service'] } as never;
    expect(await startUpload(means, plan, { name: 'routes', key: 'service' }, 300_000)).toMatchObject({
      ok: false,
      problem: { kind },
    });
    expect(asked).toHaveLength(times);
  },
);

test('addresses count as dead a little before they are, from before they were asked for', async () => {
  const { means, clock } = asking(() => ok({ id: 'u1', attributes: { part_urls: ['https://a.example.test'] } }));
  const plan = { partCount: 1, partSize: 10, headers: ['service'] } as never;
  const begun = await startUpload(means, plan, { name: 'routes', key: 'service' }, 300_000);
  expect(begun).toMatchObject({ ok: true, value: { id: 'u1', until: clock.now() + 298_000 } });
  const other = { partCount: 2, partSize: 10, headers: ['service'] } as never;
  expect(await startUpload(means, other, { name: 'routes', key: 'service' }, 300_000)).toMatchObject({ ok: false });
  for (const id of [null, undefined]) {
    const nameless = asking(() => ok({ id, attributes: { part_urls: ['https://a.example.test'] } }));
    expect(await startUpload(nameless.means, plan, { name: 'routes', key: 'service' }, 300_000)).toMatchObject({
      ok: false,
      problem: { text: 'the service gave 1 address for 1 part' },
    });
  }
});
