import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTheme } from '../../../components/theme.ts';
import { list } from '../../../src/describe/screen.ts';
import { runAtOnce } from '../../../src/lib/slices.ts';
import { createRowOrders, sorted } from '../../../src/session/list/row-order.ts';
import { RowTable } from '../../../src/session/list/row-table.ts';
import { slotsOf } from '../../../src/session/list/slots.ts';
import { comparison, sorting } from '../../../src/session/list/sorting.ts';
import { titleOf } from '../../../src/shell/list-title.ts';
import { journey } from '../../support/journey.tsx';
import { contextOf } from '../../support/plans.ts';
import { runs } from '../../support/runs.ts';
import { stepper } from '../../support/stepper.ts';

interface Thing {
  readonly id: string;
  readonly name: string;
  readonly rank: number;
}

const asked = { values: 0 };
const things = list<Thing>({
  id: 'things',
  title: 'Things',
  load: () => ({}) as never,
  idOf: (row) => row.id,
  nameOf: (row) => row.name,
  columns: [
    {
      id: 'rank',
      title: 'Rank',
      min: 4,
      priority: 1,
      text: (row) => `${row.rank}`,
      sort(row) {
        asked.values += 1;
        return row.rank;
      },
    },
    { id: 'name', title: 'Name', min: 4, priority: 1, text: (row) => row.name, sort: (row) => row.name },
    { id: 'age', title: 'Age', min: 4, priority: 1, text: () => '', sort: (row, { now }) => (row.rank + now) % 100 },
  ],
  sorted: { by: 'rank', down: false },
  actions: [],
  empty: 'no things',
});
const context = contextOf({ now: 7 });
const theme = createTheme({ name: 'default', noColor: false, ascii: false });
const idOf = things.idOf as (row: unknown) => string;

/** Rows whose values repeat after so many; every ninth is unknown. */
const rowsOf = (count: number, spread: number, from = 0): readonly Thing[] =>
  Array.from({ length: count }, (_, nth): Thing => {
    const at = from + nth;
    return { id: `${at}`, name: `n${(at * 7919) % spread}`, rank: at % 9 === 8 ? Number.NaN : (at * 104729) % spread };
  });
const inOneGo = (rows: readonly Thing[], by: 'rank' | 'name', down: boolean) =>
  rows.toSorted((one, other) => comparison(down)(one[by], other[by])).map(({ id }) => id);

test('what is sorted in slices has the order of what is sorted in one go, and each slice reads few rows', () => {
  const count = fc.oneof(fc.nat(20), fc.nat(25_000), fc.constantFrom(2999, 3000, 3001, 6000, 12_000, 12_001));
  fc.assert(
    fc.property(count, fc.constantFrom(1, 3, 1000, 1e6), fc.boolean(), (count, spread, down) => {
      const rows = rowsOf(count, spread);
      for (const by of ['rank', 'name'] as const) {
        const value = (row: unknown) => (row as Thing)[by];
        expect(runAtOnce(sorting(things, rows, value, context, down)).ids).toEqual(inOneGo(rows, by, down));
      }
      asked.values = 0;
      const steps = sorting(things, rows, things.columns[0]?.sort as never, context, down);
      for (let last = 0, isDone = false; !isDone; last = asked.values) {
        isDone = steps.next().done === true;
        expect(asked.values - last).toBeLessThanOrEqual(3000);
      }
    }),
    { numRuns: runs(60) },
  );
});

test('many rows are in order after some slices, few at once, whatever is read and asked in between', () => {
  const step = fc.record({
    by: fc.constantFrom('rank', 'rank', 'name', 'age'),
    down: fc.boolean(),
    change: fc.constantFrom('none', 'none', 'more', 'other', 'gone', 'all'),
    isGrowing: fc.boolean(),
    slices: fc.nat(14),
  });
  const said = { pending: 0, made: 0 };
  fc.assert(
    fc.property(fc.constantFrom(50, 6000, 6001, 9000), fc.array(step, { maxLength: 12 }), (count, steps) => {
      const orders = createRowOrders();
      let rows = rowsOf(count, 500);
      let table = RowTable.of(rows, idOf);
      for (const [nth, { by, down, change, isGrowing, slices }] of steps.entries()) {
        if (change === 'more') rows = [...rows, ...rowsOf(40, 500, 100_000 * (nth + 1))];
        if (change === 'other') rows = rows.with(0, { ...(rows[0] as Thing), rank: nth });
        if (change === 'gone') rows = rows.slice(1);
        if (change === 'all') rows = rows.map((row) => ({ ...row, rank: row.rank + 1 }));
        table = table.next(rows, idOf);
        const sort = { by, down };
        const whole = sorted(things, rows, sort, context);
        for (let slice = 0; slice <= slices; slice += 1) {
          const ids = orders.of(things, table, sort, context, isGrowing).ids();
          if (ids) {
            expect(ids).toEqual(whole);
            expect([...slotsOf(ids, table.slots)]).toEqual(ids.map((id) => table.slotOf(id)));
          } else expect(rows.length).toBeGreaterThan(6000);
          said[ids ? 'made' : 'pending'] += 1;
          if (orders.advance('things') === undefined) break;
        }
      }
    }),
    { numRuns: runs(60) },
  );
  expect(said.pending).toBeGreaterThan(20);
  expect(said.made).toBeGreaterThan(20);
});

const many = rowsOf(9000, 1e6);
const byRank = inOneGo(many, 'rank', false);
const byName = inOneGo(many, 'name', false);

/** A list of many rows in its first order, with the cursor somewhere down. */
function opened(rows: readonly Thing[] = many) {
  const user = stepper(things, context);
  const toEnd = () => {
    while (user.view().isSorting) user.advance();
  };
  user.poll(rows);
  toEnd();
  for (let at = 0; at < 40; at += 1) user.send({ do: 'move', by: 1 });
  return { ...user, toEnd };
}

test('few rows are sorted at once', () => {
  const { view, send } = opened(many.slice(0, 6000));
  send({ do: 'sort', by: 'name' });
  expect(view()).toMatchObject({ isSorting: false, at: 0, ids: inOneGo(many.slice(0, 6000), 'name', false) });
});

test('many rows that were never shown are not shown until they are in order', () => {
  const { view, poll, advance } = stepper(things, context);
  poll(many);
  expect(view()).toMatchObject({ isSorting: true, ids: [], cursor: undefined, targets: [], total: 9000 });
  while (view().isSorting) {
    expect(view().ids).toEqual([]);
    advance();
  }
  expect(view()).toMatchObject({ ids: byRank, cursor: byRank[0] });
});

test('while many rows are sorted a person stays where they were, then stands at the top', () => {
  const { view, send, toEnd, state } = opened();
  const { cursor, top, at } = view();
  const titles = () =>
    [80, 25].map((width) =>
      titleOf({ view: view(), context }, theme, width, [])
        .map(({ text }) => text)
        .join(''),
    );
  expect(at).toBe(40);
  send({ do: 'sort', by: 'name' });
  expect(view()).toMatchObject({ isSorting: true, cursor, top, at, ids: byRank });
  expect(titles()).toEqual(['Things 9000 · sorting by name ▲', 'Things 9000 · sorting']);
  expect(state().lists.things?.order).toBeUndefined();
  toEnd();
  expect(view()).toMatchObject({ isSorting: false, at: 0, top: 0, cursor: byName[0], ids: byName });
  expect(state().lists.things?.order?.ids).toEqual(byName);
  expect(titles()).toEqual(['Things 9000 · by name ▲', 'Things 9000 · by name ▲']);
});

test('a row that is gone to while rows are sorted keeps the cursor', () => {
  const { view, send, toEnd } = opened();
  send({ do: 'sort', by: 'name' }, { do: 'move', by: 1 });
  const cursor = byRank[41] as string;
  expect(view()).toMatchObject({ isSorting: true, cursor, at: 41 });
  toEnd();
  expect(view()).toMatchObject({ isSorting: false, cursor, at: byName.indexOf(cursor) });
});

test('a poll and another column while rows are sorted lose no row and show none twice', () => {
  const { view, send, advance, poll, toEnd } = opened();
  send({ do: 'sort', by: 'name' });
  for (let slice = 0; slice < 3; slice += 1) advance();
  const polled = [...many.slice(1), { id: 'new', name: 'n', rank: 0.5 }];
  poll(polled);
  const left = byRank.filter((id) => id !== '0');
  expect(view()).toMatchObject({ isSorting: true, ids: left, waiting: 1 });
  expect(view().places.has('new')).toBe(false);
  for (let slice = 0; slice < 3; slice += 1) advance();
  send({ do: 'sort', by: 'rank' });
  send({ do: 'sort', by: 'rank' });
  expect(view().isSorting).toBe(true);
  toEnd();
  expect(view()).toMatchObject({ ids: inOneGo(polled, 'rank', true), waiting: 0, at: 0 });
});

test('a filter looks at rows in the order from before, and keeps what it finds when they are sorted', () => {
  const { view, send, toEnd, advance } = opened();
  const typed = (text: string) => ({ do: 'type', key: { name: text, text, alone: true } }) as const;
  send({ do: 'sort', by: 'name' }, { do: 'filter' }, typed('n'), typed('1'), typed('2'));
  expect(view().isSorting).toBe(true);
  toEnd();
  while (advance());
  const kept = new Set(
    many.filter(({ id, name, rank }) => `${rank} ${name}  ${id}`.toLowerCase().includes('n12')).map(idOf),
  );
  expect(view().ids).toEqual(byName.filter((id) => kept.has(id)));
});

const read = { ok: true as const, status: 200, unread: [], value: { rows: many } };
const manyThings = list<Thing>({
  ...things,
  load: () => ({
    key: 'many',
    of: [],
    // biome-ignore lint/correctness/useYield: what is read is here.
    *plan() {
      return read;
    },
  }),
});
const setting = { screens: [{ id: 'things', title: 'Things', key: '1', lists: [manyThings] }], monitors: 0, issues: 0 };

test(
  'no key acts while the list that was asked for is sorted: the title says so, arrows move, and what is dropped is named',
  journey(async (user) => {
    await user.sees(/1-\d+\/9000/);
    const { session } = user;
    const press = (name: string, text?: string) => session.press({ name, alone: true, ...(text && { text }) });
    const view = () => session.now().view;
    session.send({ do: 'sort', by: 'name' });
    expect(view()).toMatchObject({ isSorting: true, cursor: byRank[0] });
    press('space', ' ');
    press('down');
    expect(view()).toMatchObject({ isSorting: true, marked: [], cursor: byRank[1] });
    expect(session.now().state.flash?.text).toBe('Ignored Space: typed before the list was sorted');
    await user.sees(/by name/);
    await expect.poll(() => view().isSorting).toBe(false);
    expect(view()).toMatchObject({ ids: byName, cursor: byRank[1] });
    await expect.poll(() => session.isUnread()).toBe(false);
    press('space', ' ');
    expect(view().marked).toMatchObject([{ id: byRank[1] }]);
  }, setting),
);

test(
  'rows that are sorted anew are drawn before a key acts on them',
  journey(async (user) => {
    await user.sees(/1-\d+\/9000/);
    const { session } = user;
    const view = () => session.now().view;
    session.send({ do: 'sort', by: 'name' });
    await new Promise<void>((done) => {
      const stop = session.store.subscribe(() => {
        if (view().isSorting) return;
        stop();
        session.press({ name: 'space', text: ' ', alone: true });
        done();
      });
    });
    expect(view()).toMatchObject({ marked: [], cursor: byName[0] });
    expect(session.now().state.flash?.text).toMatch(/^Ignored Space: typed before/);
  }, setting),
);
