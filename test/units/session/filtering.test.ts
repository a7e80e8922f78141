import fc from 'fast-check';
import { expect, test } from 'vitest';
import { list } from '../../../src/describe/screen.ts';
import { initial, type State } from '../../../src/session/state/state.ts';
import { withOwn } from '../../../src/session/state/state-changes.ts';
import { createViewer } from '../../../src/session/state/view.ts';
import { contextOf } from '../../support/plans.ts';
import { runs } from '../../support/runs.ts';
import { bareList } from '../../support/things.ts';

interface Thing {
  readonly id: string;
  readonly name: string;
}

const things = bareList<Thing>({
  nameOf: (row) => row.name,
  columns: [{ id: 'name', title: 'Name', min: 4, priority: 1, text: (row) => row.name }],
});
const screens = [{ id: 'things', title: 'Things', key: '1', lists: [things] }];
const text = fc.string({ unit: fc.constantFrom(...'ab !~'), maxLength: 7 });
/** What a person makes of a filter: one letter more, one less, or another one. */
const change = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...'ab !~').map((letter) => (filter: string) => filter + letter) },
  { weight: 2, arbitrary: fc.constant((filter: string) => filter.slice(0, -1)) },
  { weight: 1, arbitrary: text.map((filter) => () => filter) },
);

test('a list shows the same rows for a filter, whatever was typed before', () => {
  const context = contextOf();
  const names = fc.array(text, { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(
      fc.array(names, { minLength: 1, maxLength: 3 }),
      fc.array(change, { maxLength: 25 }),
      (polls, changes) => {
        const viewer = createViewer();
        const state = initial(screens, { columns: 100, rows: 30 });
        let filter = '';
        for (const [at, poll] of polls.entries()) {
          const rows = poll.map((name, id) => ({ id: `${id}`, name }));
          const known = { value: { rows }, at: 1, asking: false, partial: false };
          const reads = {
            rows: () => ({ key: 'things', known, rows, removed: new Set<string>() }),
            whole: () => ({ asking: false, partial: false }),
          };
          for (const made of changes.filter((_, place) => place % polls.length === at)) {
            filter = made(filter);
            const own = { ...(state.lists.things as NonNullable<(typeof state.lists)[string]>), filter };
            const now = { ...state, lists: { things: own } };
            const [seen, afresh] = [viewer, createViewer()].map((view) => view(now, screens, reads, () => context));
            expect(seen?.ids, filter).toEqual(afresh?.ids);
            for (const { id } of rows) expect(seen?.places.get(id)).toBe(afresh?.places.get(id));
          }
        }
      },
    ),
    { numRuns: runs(500) },
  );
});

const many = Array.from({ length: 6000 }, (_, at): Thing => ({ id: `${at}`, name: at % 2 ? 'odd' : 'even' }));
/** Rows with these names as their read tells them, in a viewer that counts the texts it makes. */
function counted() {
  const made = { texts: 0 };
  const column = {
    id: 'name',
    title: 'Name',
    min: 4,
    priority: 1,
    text: (row: Thing) => {
      made.texts += 1;
      return row.name;
    },
  };
  const of = list<Thing>({ ...things, columns: [column] });
  const viewer = createViewer();
  const state = initial([{ id: 'things', title: 'Things', key: '1', lists: [of] }], { columns: 100, rows: 30 });
  const view = (now: State, rows: readonly Thing[]) => {
    const known = { value: { rows }, at: 1, asking: false, partial: false };
    const reads = {
      rows: () => ({ key: 'many', known, rows, removed: new Set('') }),
      whole: () => ({ asking: false, partial: false }),
    };
    return viewer(now, [{ id: 'things', title: 'Things', key: '1', lists: [of] }], reads, () => contextOf());
  };
  const textsOf = (step: () => unknown) => {
    made.texts = 0;
    step();
    return made.texts;
  };
  return { state: (own: object) => withOwn(state, of, own), view, textsOf };
}

test('a poll in another order makes the texts of the rows that have changed, and no others', () => {
  const { state, view, textsOf } = counted();
  const filter = state({ filter: 'o' });
  view(filter, many);
  const changed = many.toReversed().map((row) => (row.id === '8' ? { ...row, name: 'odd too' } : row));
  const polled: { ids?: readonly string[] } = {};
  expect(textsOf(() => Object.assign(polled, { ids: view(filter, changed).ids }))).toBe(1);
  expect(polled.ids).toHaveLength(3001);
  expect(polled.ids).toContain('8');
});

test('a filter looks at the ages of its moment, also of rows that were not read again', () => {
  const minute = 60_000;
  const aged = {
    ...things,
    columns: [{ ...things.columns[0], text: (_, { now }) => `${now / minute}m` }],
  } as typeof things;
  const rows = [{ id: 'a', name: '' }];
  const known = { value: { rows }, at: 1, asking: false, partial: false };
  const reads = {
    rows: () => ({ key: 'things', known, rows, removed: new Set<string>() }),
    whole: () => ({ asking: false, partial: false }),
  };
  const of = [{ ...screens[0], lists: [aged] }] as typeof screens;
  const viewer = createViewer();
  const shown = (filter: string, now: number) =>
    viewer(withOwn(initial(of, { columns: 100, rows: 30 }), aged, { filter }), of, reads, () => ({
      ...contextOf(),
      now,
    })).ids;
  expect([shown('1m', minute), shown('m', 2 * minute), shown('2m', 2 * minute), shown('1m', 2 * minute)]).toEqual([
    ['a'],
    ['a'],
    ['a'],
    [],
  ]);
});
