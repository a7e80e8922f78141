import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bindings } from '../../src/session/keys/bindings.ts';
import { seenNow } from '../../src/session/list/cursor.ts';
import { type ListState, sorted } from '../../src/session/rows/list-state.ts';
import { initial } from '../../src/session/state/state.ts';
import { createViewer } from '../../src/session/state/view.ts';
import { contextOf } from '../support/plans.ts';
import { runs } from '../support/runs.ts';
import { bareList } from '../support/things.ts';

interface Thing {
  readonly id: string;
  readonly size: number;
}

/** A list that counts what it is asked. */
function counted() {
  const asked = { text: 0 };
  const things = bareList<Thing>({
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
        sort: (row) => row.size,
      },
    ],
    sorted: { by: 'size', down: true },
    states: [
      {
        label: 'ODD',
        needsPerson: 'odd thing',
        isIn: (row) => row.size % 2 === 1,
      },
    ],
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
  return { asked, things, view, context, state: first, screens };
}

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

test('a move among 10,000 marked rows asks one of them for each action', () => {
  const asked = { rows: 0 };
  const { things, view, context, state, screens } = counted();
  const act = { id: 'things.act', key: 'a', title: 'act', help: '', uses: [], send: () => ({}) as never };
  const isAble = () => {
    asked.rows += 1;
    return true as const;
  };
  const acting = [{ ...act, enabled: isAble }] as never;
  const rows = Array.from({ length: 10_000 }, (_, at): Thing => ({ id: `${at}`, size: at }));
  const marks = new Set(rows.map(({ id }) => id));
  for (const cursor of ['9', '8']) {
    const now = view(rows, false, { marks, cursor });
    expect(now.marked).toHaveLength(10_000);
    asked.rows = 0;
    bindings(state, { ...now, acting: { ...now.acting, list: { ...things, actions: acting } } }, context, screens);
    expect(asked.rows).toBe(1);
  }
});
