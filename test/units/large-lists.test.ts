import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mutedText } from '../../screens/monitors/columns.ts';
import { ledgerRows } from '../../screens/monitors/ledger-row.ts';
import { createPageReader, current } from '../../screens/monitors/list-page.ts';
import { groupsOf, type MonitorRow, rawOf, readMonitor } from '../../screens/monitors/row.ts';
import { monitorList } from '../../screens/monitors.ts';
import { call, reducing } from '../../src/api/endpoint.ts';
import { listMonitors } from '../../src/api/monitors.ts';
import { shareUnchanged } from '../../src/cache/share-unchanged.ts';
import { createClient } from '../../src/client/create-client.ts';
import { list } from '../../src/describe/screen.ts';
import { parseExact, stringifyExact } from '../../src/lib/json.ts';
import { createPacker, Packed, plainRow, unpacked, unpackRows } from '../../src/lib/packed.ts';
import { runAtOnce } from '../../src/lib/slices.ts';
import { seenNow } from '../../src/session/list/cursor.ts';
import type { ListState } from '../../src/session/list/list-state.ts';
import { sorted } from '../../src/session/list/row-order.ts';
import { initial } from '../../src/session/state.ts';
import { createViewer } from '../../src/session/view.ts';
import { contextOf } from '../support/plans.ts';
import { runs } from '../support/runs.ts';
import { fastClock, json, serve } from '../support/scripted-server.ts';

const long = 'x'.repeat(5000);
const packedAll = (values: readonly unknown[], how: 'pack' | 'leave' = 'pack'): readonly Packed[] => {
  const packer = createPacker();
  const all = values.map((value) => packer[how](value));
  packer.close();
  return all;
};

const monitorOf = (id: number, groups: number) => ({
  id,
  name: `Monitor ${id}`,
  tags: ['team:core', 'env:production'],
  overall_state: 'Alert',
  message: 'Look at the disk. @team-core',
  options: { silenced: {} as Record<string, number | null> },
  state: {
    groups: Object.fromEntries(
      Array.from({ length: groups }, (_, at) => {
        const name = `host:web-${at}`;
        return [name, { name, status: at % 10 === 0 ? 'Alert' : 'OK' }];
      }),
    ),
  },
});
const monitors = (count: number, groups = 0) =>
  Array.from({ length: count }, (_, at) => monitorOf(at + 1, (at % 2) * groups));
const readPage = (answer: unknown) => createPageReader()(answer);
const readFirstPage = (answer: unknown) => createPageReader()(answer, true);
const rowsOf = (answer: unknown) => runAtOnce(readPage(answer)) as readonly MonitorRow[];

test('packed values are what they were, also in JSON, and equal where they were packed from the same ones', () => {
  const value = fc.oneof(fc.jsonValue(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 90n }), fc.constant({ id: 2n ** 60n }));
  fc.assert(
    fc.property(fc.array(value, { maxLength: 80 }), (values) => {
      const told = parseExact(stringifyExact(values)) as unknown[];
      const packed = packedAll(values);
      expect(packed.map(unpacked)).toEqual(told);
      expect(parseExact(stringifyExact(packed))).toEqual(told);
      const again = packedAll(values);
      for (const [at, one] of packed.entries()) expect(one.isSame(again[at] as Packed)).toBe(true);
      const left = packedAll(values, 'leave');
      for (const [at, one] of left.entries()) expect(one.value).toBe(values[at]);
      const leftAgain = packedAll(values, 'leave');
      for (const [at, one] of left.entries()) expect(one.isSame(leftAgain[at] as Packed)).toBe(true);
      expect(left.map(unpacked)).toEqual(told);
    }),
    { numRuns: runs(100) },
  );
  const [first, second] = packedAll(['a', 'b']);
  expect(first?.isSame(second as Packed)).toBe(false);
  const open = createPacker().pack({ still: 'open' });
  expect(open.value).toEqual({ still: 'open' });
});

test('a last bundle of one short value is unpacked', () => {
  expect(packedAll(Array(65).fill(7)).map(unpacked)).toEqual(Array(65).fill(7));
});

test('a value is unpacked from the text that others repeat, also when that text was given back', () => {
  const pages = Array.from({ length: 30 }, (_, page) => Array.from({ length: 40 }, (_, at) => ({ page, at, long })));
  const packed = pages.map((values) => packedAll(values));
  // The last value of each page repeats the first ones, whose text more pages push out than are kept.
  for (const place of [0, 39, 1, 39, 0])
    expect(packed.map((page) => page[place]?.value)).toEqual(pages.map((page) => page[place]));
});

test('what was unpacked is given back, without a collection', () => {
  const values = Array.from({ length: 200 }, (_, at) => ({ at, text: `${at % 10}`.repeat(30_000) }));
  const packed = packedAll(values);
  const before = process.memoryUsage().arrayBuffers;
  for (const one of packed) one.value;
  expect(packed.map(unpacked)).toEqual(values);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(3_000_000);
});

/** Values that a row keeps alive besides what is packed. */
function kept(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof Packed) return 1;
  return Object.values(value).reduce((sum: number, part) => sum + kept(part), 1);
}

test('a row of the list keeps no group, whatever their number, and gives all of them where somebody asks', () => {
  const answer = monitors(70, 500);
  const rows = rowsOf(answer);
  for (const [at, row] of rows.entries()) {
    expect(kept(row)).toBeLessThan(40);
    expect(rawOf(row)).toEqual(answer[at]);
    expect(groupsOf(row)).toEqual(groupsOf(readMonitor(answer[at], 0) as MonitorRow));
  }
  expect(rows[1]?.groups).toEqual({ all: 500, red: 50, states: ['Alert', 'OK'] });
  // What many rows say is there once.
  expect(new Set(rows.map(({ tags }) => tags)).size).toBe(1);
  expect(new Set(rows.map(({ groups }) => groups)).size).toBe(2);
});

test('a row whose members lie outside the heap says what the same row says that has them itself', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('half \ud800', 'größer', ''));
  const monitor = fc.record(
    {
      id: fc.integer({ min: 1, max: 1e9 }),
      name: text,
      query: text,
      type: fc.constantFrom('query alert', 'composite', 7),
      overall_state: fc.constantFrom('Alert', 'OK', 'No Data', 'odd'),
      overall_state_modified: fc.constantFrom('2026-01-02T03:04:05Z', 0, 'never'),
      modified: fc.constantFrom('2025-01-02T03:04:05Z', null),
      tags: fc.array(fc.constantFrom('team:core', 'env:prod', 'service:shop')),
      priority: fc.constantFrom(1, 5, null),
      creator: fc.constantFrom({ name: 'Ada' }, { id: 3 }, null),
      restricted_roles: fc.constantFrom(null, ['r1'], ['r1', 'r2']),
      options: fc.constantFrom({}, { silenced: { '*': null } }, { silenced: { 'host:web-1': 1000 } }),
      state: fc.constantFrom({}, { groups: { 'host:web-1': { name: 'host:web-1', status: 'Alert' } } }),
    },
    { requiredKeys: ['id'] },
  );
  fc.assert(
    fc.property(fc.array(monitor, { maxLength: 40 }), (answer) => {
      for (const [at, row] of rowsOf(answer).entries()) {
        const { raw, groups, ...plain } = readMonitor(answer[at], 0) as MonitorRow;
        const own = plainRow(row);
        expect({ ...own, raw: 0, groups: 0 }).toEqual({ ...plain, raw: 0, groups: 0 });
        for (const name of Object.keys(own) as (keyof MonitorRow)[])
          if (name !== 'raw') expect(row[name], name).toEqual(own[name]);
        expect(row.groups).toMatchObject(groups);
        expect(rawOf(row)).toEqual(raw);
        expect(parseExact(stringifyExact(row))).toEqual(parseExact(stringifyExact({ ...own, raw: rawOf(own) })));
      }
    }),
    { numRuns: runs(100) },
  );
});

test('no source spreads a row of the list: what lies outside the heap would be lost', () => {
  const sources = globSync('screens/{monitors,home}/**/*.ts').map((file) => readFileSync(file, 'utf8'));
  expect(sources.length).toBeGreaterThan(30);
  expect(sources.flatMap((source) => source.match(/\.\.\.(row|monitor)\b(?!\.)/g) ?? [])).toEqual([]);
});

test('what a poll changes of a row is all that its earlier page leaves behind', () => {
  const pages = monitors(2100);
  const before = rowsOf(pages);
  const after = rowsOf(pages.map((monitor) => ({ ...monitor, name: monitor.id === 7 ? 'Another' : monitor.name })));
  const shared = runAtOnce(shareUnchanged(before, after)) as readonly MonitorRow[];
  expect(shared.flatMap((row, at) => (row === before[at] ? [] : [at]))).toEqual([6]);
  // Equal rows are of one page now, the new one: bundles of both would be two objects.
  expect(shared.map((row) => rawOf(row) === rawOf(after[Number(row.id) - 1] as MonitorRow))).not.toContain(false);
});

test('a row with members of its own leaves nothing of its earlier page behind either', () => {
  const answer = monitors(100);
  for (const { options } of answer) options.silenced = { '*': 1000, 'host:web-1': null };
  const [before, after] = [rowsOf(answer), rowsOf(answer)].map((rows) => rows.map((row) => current(row, 2_000_000)));
  const shared = runAtOnce(shareUnchanged(before, after)) as readonly MonitorRow[];
  expect(shared).toBe(before);
  expect(shared.map((row, at) => rawOf(row) === rawOf(after?.[at] as MonitorRow))).not.toContain(false);
});

test('rows are unpacked in slices, of three at most', () => {
  const answer = monitors(300);
  const rows = rowsOf(answer);
  expect([...unpackRows(rows)].length).toBeGreaterThanOrEqual(99);
  const plain = runAtOnce(unpackRows([...rows, 'x', null]));
  expect(plain.slice(0, 300)).toEqual(rows.map((row) => ({ ...plainRow(row), raw: rawOf(row) })));
  expect(plain.slice(300)).toEqual(['x', null]);
});

test('the file of last rows keeps few groups of a monitor, and how many there are', () => {
  const [few, many] = rowsOf([monitorOf(1, 3), monitorOf(2, 500)]) as [MonitorRow, MonitorRow];
  expect(monitorList.kept?.(few)).toBe(few);
  const packed = monitorList.kept?.(many) as MonitorRow;
  // The rows are kept at once, and unpacked in slices.
  expect(packed.raw).toBeInstanceOf(Packed);
  const kept = parseExact(stringifyExact(packed)) as MonitorRow;
  expect(stringifyExact(kept).length).toBeLessThan(2000);
  expect(kept).toMatchObject({ groups: many.groups, raw: { message: 'Look at the disk. @team-core' } });
  expect(groupsOf(kept)).toEqual([]);
});

test('groups of one name are counted as they are listed', () => {
  const groups = { a: { name: 'b', status: 'OK' }, b: { status: 'Warn' }, c: { name: 'c', status: 'Alert' } };
  const [row] = rowsOf([{ id: 1, state: { groups } }]);
  expect(row?.groups).toMatchObject({ all: groupsOf(row as MonitorRow).length, red: 2 });
});

test('a page is read in slices: a pause at least after each three monitors of 500 groups', () => {
  const pauses = (count: number, groups: number) => [...readPage(monitors(count * 2, groups))].length;
  expect(pauses(80, 500)).toBeGreaterThanOrEqual(26);
  expect(pauses(30, 0)).toBe(0);
  expect(pauses(500, 0)).toBeGreaterThanOrEqual(5);
});

test('a row lists a mute until it has ended, and knows which groups still notify under one of a scope', () => {
  const answer = monitorOf(1, 20);
  answer.options.silenced = { 'host:web-0': 1000, 'host:web-10': null };
  const [row] = rowsOf([answer]) as [MonitorRow];
  expect(row.groups.redNames).toEqual(['host:web-0', 'host:web-10']);
  expect(current(row, 999_999)).toBe(row);
  expect(current(row, 1_000_000).mutes.map(({ scope }) => scope)).toEqual(['host:web-10']);
});

test('the cell of a mute of a scope unpacks nothing while all its mutes last', () => {
  const answer = monitorOf(1, 500);
  answer.options.silenced = { 'host:web-0': 1000, 'host:web-1': null, 'host:web-1,env:prod': null };
  const [row] = rowsOf([answer]) as [MonitorRow];
  const sealed = Object.defineProperty({ ...plainRow(row) }, 'raw', { get: () => expect.unreachable('unpacked') });
  expect(mutedText(sealed, { now: 0 })).toBe('2/500 forever');
  expect(mutedText(current(row, 1_000_000), { now: 1_000_000 })).toBe('1/500 forever');
});

test('counting what mutes silence unpacks nothing', () => {
  const [whole, scoped] = [monitorOf(1, 500), monitorOf(2, 500)];
  whole.options.silenced = { '*': 5000 };
  scoped.options.silenced = { 'host:web-0': 5000, 'env:prod': null };
  const sealed = (row: MonitorRow) =>
    Object.defineProperty({ ...plainRow(row) }, 'raw', { get: () => expect.unreachable('unpacked') });
  const rows = ledgerRows(rowsOf([whole, scoped]).map(sealed), [], 0);
  expect(rows.map(({ mute, groups, alerting, notifies }) => [mute.scope, groups, alerting, notifies])).toEqual([
    ['*', 500, 50, true],
    ['host:web-0', 1, 1, true],
    ['env:prod', 0, 0, false],
  ]);
});

test.each([
  { of: 'a page', read: readPage },
  { of: 'a first page', read: readFirstPage },
])('a poll of $of renews only the row that has changed, and what stays is packed', ({ read }) => {
  const rowsOf = (answer: unknown) => runAtOnce(read(answer)) as readonly MonitorRow[];
  const first = monitors(320);
  const before = rowsOf(first);
  // The first bundle is what the others of its page repeat.
  for (const place of [0, 31, 100]) {
    const answer = monitors(320);
    (answer[place] as { name: string }).name = 'Another name';
    const after = runAtOnce(shareUnchanged(before, rowsOf(answer))) as readonly MonitorRow[];
    expect(after[place]?.name).toBe('Another name');
    expect(after.flatMap((row, at) => (row === before[at] ? [] : [at]))).toEqual([place]);
    expect(after.map(rawOf)).toEqual(answer);
  }
  expect(runAtOnce(shareUnchanged(before, rowsOf(monitors(320))))).toBe(before);
  expect(before.some((row, at) => rawOf(row) === first[at])).toBe(false);
});

test('a first page that is all of a small list stays as it is until it is compared, and nothing else does', () => {
  const left = (answer: readonly unknown[], read = readFirstPage) =>
    (runAtOnce(read(answer)) as readonly MonitorRow[]).filter((row, at) => rawOf(row) === answer[at]).length;
  expect(left([...monitors(399, 20), monitorOf(400, 21)])).toBe(399);
  expect(left(monitors(401))).toBe(0);
  expect(left(monitors(3), readPage)).toBe(0);
});

const apiKey = 'a1b2c3d4e5f60718';

test('an answer that is reduced is read once for the same text, and without the keys that it repeats', async () => {
  const answers = [[{ id: 1, message: 'x' }], [{ id: 1, message: 'x' }], [{ id: 2, message: apiKey }]];
  const { origin } = await serve((_, answer, nth) => json(answer, 200, answers[Math.min(nth, 3) - 1]));
  const client = createClient({
    origin,
    keys: { apiKey, appKey: '0123456789abcdef01234567' },
    readOnly: true,
    clock: fastClock(),
    random: () => 0,
  });
  const count = { reduced: 0 };
  const read = async () => {
    const result = await client.send(
      reducing(call(listMonitors), function* (answer) {
        count.reduced += 1;
        return yield* readPage(answer);
      }),
    );
    return result.ok ? result.value : undefined;
  };
  const first = await read();
  expect(first).toMatchObject([{ id: '1' }]);
  expect(await read()).toBe(first);
  expect(count.reduced).toBe(1);
  for (const times of [2, 3]) {
    const [row] = (await read()) as readonly MonitorRow[];
    expect(rawOf(row as MonitorRow).message).toBe('[key redacted]');
    // What repeats a key is not remembered: which keys are to be taken out may change.
    expect(count.reduced).toBe(times);
  }
  await client.close();
});

interface Thing {
  readonly id: string;
  readonly size: number;
}

/** A list that counts what it is asked. */
function counted() {
  const asked = { id: 0, sort: 0, state: 0, text: 0 };
  const things = list<Thing>({
    id: 'things',
    title: 'Things',
    load: () => ({}) as never,
    idOf: (row) => {
      asked.id += 1;
      return row.id;
    },
    nameOf: (row) => row.id,
    columns: [
      {
        id: 'size',
        title: 'Size',
        min: 4,
        priority: 1,
        text: (row) => {
          asked.text += 1;
          return `${row.size}`;
        },
        sort: (row) => {
          asked.sort += 1;
          return row.size;
        },
      },
    ],
    sorted: { by: 'size', down: true },
    states: [
      {
        label: 'ODD',
        needsPerson: 'odd thing',
        isIn: (row) => {
          asked.state += 1;
          return row.size % 2 === 1;
        },
      },
    ],
    actions: [],
    empty: 'no things',
  });
  const screens = [{ id: 'things', title: 'Things', key: '1', lists: [things] }];
  const viewer = createViewer();
  const first = initial(screens, { columns: 100, rows: 30 });
  const context = contextOf();
  const view = (rows: readonly Thing[], partial: boolean, own: Partial<ListState> = {}) => {
    const lists = { things: { ...(first.lists.things as NonNullable<(typeof first.lists)[string]>), ...own } };
    const state = { ...first, lists };
    const known = { value: { rows }, at: 1, asking: false, partial };
    const reads = { rows: () => ({ key: 'k', known, rows, removed: new Set<string>() }), whole: () => known };
    return viewer(state, screens, reads, () => context);
  };
  return { asked, things, view, context, advance: () => viewer.advance('things') };
}

test('a list that grows by pages shows the same as one that was read at once', () => {
  const size = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constant(Number.NaN));
  fc.assert(
    fc.property(fc.array(fc.array(size, { maxLength: 6 }), { maxLength: 6 }), (pages) => {
      const { view, things, context } = counted();
      const rows = pages.flat().map((size, at): Thing => ({ id: `${at}`, size }));
      let end = 0;
      for (const page of pages) {
        end += page.length;
        const read = rows.slice(0, end);
        const { ids, counts, total } = view(read, true);
        expect(ids).toEqual(sorted(things, read, things.sorted, context));
        expect(total).toBe(end);
        expect(counts.states[0]?.count ?? 0).toBe(read.filter((row) => row.size % 2 === 1).length);
      }
      expect(view([...rows], false).ids).toEqual(sorted(things, rows, things.sorted, context));
    }),
    { numRuns: runs(200) },
  );
});

test('of a list that grows by pages each row is sorted and counted once', () => {
  const { asked, view } = counted();
  const rows = Array.from({ length: 5000 }, (_, at): Thing => ({ id: `${at}`, size: (at * 7919) % 5000 }));
  for (let end = 100; end <= rows.length; end += 100) view(rows.slice(0, end), true);
  const { ids } = view([...rows], true);
  const all = [...rows];
  const whole = view(all, false);
  expect(whole.ids).toBe(ids);
  // Its order is kept, and what was shown counts as seen.
  const seen = seenNow(whole, whole.order.ids);
  expect(seen).toBe(whole.counts.labels);
  const kept = view(all, false, { order: whole.order, seen });
  expect(kept.ids).toBe(whole.ids);
  expect(kept.counts).toEqual({ ...whole.counts, fresh: new Set(), freshNeeds: {} });
  expect(asked).toMatchObject({ sort: 5000, state: 5000, text: 0 });
});

test('polls that change, take out and add rows show the same as rows that are read for the first time', () => {
  const poll = fc.array(fc.record({ at: fc.nat(30), how: fc.constantFrom('other', 'gone', 'new', 'last') }), {
    maxLength: 5,
  });
  fc.assert(
    fc.property(fc.array(poll, { maxLength: 5 }), fc.boolean(), (polls, isLooking) => {
      const [kept, loose] = [counted(), counted()];
      let rows = Array.from({ length: 20 }, (_, at): Thing => ({ id: `${at}`, size: at % 6 }));
      const first = kept.view(rows, false);
      const seen = isLooking ? seenNow(first, first.order.ids) : undefined;
      const own = { order: first.order, seen, filter: '1' };
      kept.view(rows, false, own);
      for (const [nth, changes] of polls.entries()) {
        for (const [place, { at, how }] of changes.entries()) {
          const [row] = rows.slice(at % Math.max(1, rows.length));
          const made = { id: `${100 * (nth + 1) + place}`, size: at };
          if (how === 'last') rows = [...rows, made];
          else if (row && how === 'gone') rows = rows.filter((one) => one !== row);
          else if (row && how === 'other') rows = rows.map((one) => (one === row ? { ...row, size: at } : one));
          else rows = rows.toSpliced(at, 0, made);
        }
        const [after, afresh] = [kept, counted()].map(({ view }) => view(rows, false, own));
        expect(after).toMatchObject({ ids: afresh?.ids, total: rows.length, waiting: afresh?.waiting });
        for (const { id } of rows) expect(after?.rows.get(id)).toBe(afresh?.rows.get(id));
        for (const id of first.ids) expect(after?.rows.has(id)).toBe(rows.some((row) => row.id === id));
        expect({ ...after?.counts, labels: 0 }).toEqual({ ...afresh?.counts, labels: 0 });
        expect(rows.map(({ id }) => after?.counts.labels.get(id))).toEqual(
          rows.map(({ id }) => afresh?.counts.labels.get(id)),
        );
        expect(loose.view(rows, false).ids).toEqual(sorted(kept.things, rows, kept.things.sorted, kept.context));
        expect([...(after?.counts.labels.keys() ?? [])].toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
      }
    }),
    { numRuns: runs(200) },
  );
});

test('a poll that changes one of many rows asks that row alone, and no row for its text', () => {
  const { asked, view, advance } = counted();
  const all = Array.from({ length: 20_000 }, (_, at): Thing => ({ id: `${at}`, size: at }));
  while (view(all, false).isSorting) advance();
  const whole = view(all, false);
  const own = { order: whole.order, seen: seenNow(whole, whole.order.ids) };
  view(all, false, own);
  const { id: before, ...others } = asked;
  const polled = all.map((row) => (row.id === '700' ? { ...row, size: 1 } : row)).filter(({ id }) => id !== '9000');
  const { ids, counts, rows } = view(polled, false, own);
  expect([ids.length, ids[0], counts.total, rows.get('700')]).toEqual([19_999, '19999', 19_999, polled[700]]);
  expect(asked).toMatchObject({ ...others, state: others.state + 1 });
  expect(asked.id - before).toBeLessThan(20);
});

test('a row that comes again on a later page is there once, as it was last read', () => {
  const { view } = counted();
  const rows = [0, 1, 2].map((at): Thing => ({ id: `${at}`, size: at }));
  view(rows, true);
  const again = [...rows, { id: '1', size: 9 }];
  const seen = view(again, true);
  expect(seen.ids).toEqual(['1', '2', '0']);
  expect(seen.rows.get('1')).toBe(again[3]);
});

test('the text of a row is made once, however it is sorted and whatever is read, until the row changes', () => {
  const { asked, view } = counted();
  const rows = Array.from({ length: 300 }, (_, at): Thing => ({ id: `${at}`, size: at }));
  const shown = (read: readonly Thing[], down = true) =>
    view(read, false, { filter: '9', sort: { by: 'size', down } }).ids.length;
  const found = rows.filter(({ id }) => id.includes('9')).length;
  expect(shown(rows)).toBe(found);
  expect(shown([...rows])).toBe(found);
  expect(shown([...rows], false)).toBe(found);
  expect(asked.text).toBe(300);
  expect(shown(rows.with(1, { id: '1', size: 9 }))).toBe(found + 1);
  expect(shown(rows.slice(10))).toBe(found - 1);
  expect(asked.text).toBe(301);
});
