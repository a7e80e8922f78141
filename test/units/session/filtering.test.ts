import fc from 'fast-check';
import { expect, test } from 'vitest';
import { list } from '../../../src/describe/screen.ts';
import { isNarrower, matcher } from '../../../src/session/list/filter.ts';
import { initial } from '../../../src/session/state.ts';
import { createViewer } from '../../../src/session/view.ts';
import { contextOf } from '../../support/plans.ts';
import { runs } from '../../support/runs.ts';

interface Thing {
  readonly id: string;
  readonly name: string;
}

const things = list<Thing>({
  id: 'things',
  title: 'Things',
  load: () => ({}) as never,
  idOf: (row) => row.id,
  nameOf: (row) => row.name,
  columns: [{ id: 'name', title: 'Name', min: 4, priority: 1, text: (row) => row.name }],
  actions: [],
  empty: 'no things',
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
            expect(seen?.places).toEqual(afresh?.places);
          }
        }
      },
    ),
    { numRuns: runs(500) },
  );
});

test('what matches a narrower filter matches its beginning', () => {
  const said = { narrower: 0 };
  fc.assert(
    fc.property(text, text, text, (beginning, more, subject) => {
      if (!isNarrower(beginning + more, beginning)) return;
      said.narrower += 1;
      const matches = (filter: string) => matcher(filter)?.(subject) ?? true;
      if (matches(beginning + more)) expect(matches(beginning)).toBe(true);
    }),
    { numRuns: runs(3000) },
  );
  expect(said.narrower).toBeGreaterThan(100);
  expect(isNarrower('!abc', '!ab')).toBe(false);
  expect(isNarrower('checko', 'check')).toBe(true);
});
