import fc from 'fast-check';
import { expect, test } from 'vitest';
import { list } from '../../../src/describe/screen.ts';
import { push, withOwn } from '../../../src/session/change.ts';
import { isNarrower, matcher } from '../../../src/session/list/filter.ts';
import { createSift } from '../../../src/session/list/sift.ts';
import { initial, type State } from '../../../src/session/state.ts';
import { createViewer } from '../../../src/session/view.ts';
import { journey } from '../../support/journey.tsx';
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
            for (const { id } of rows) expect(seen?.places.get(id)).toBe(afresh?.places.get(id));
          }
        }
      },
    ),
    { numRuns: runs(500) },
  );
});

test('a filter that is typed finds in slices what it finds at once, in the same order', () => {
  const names = fc.array(text, { minLength: 1, maxLength: 40 });
  const step = fc.tuple(change, fc.nat(4));
  const said = { partial: 0 };
  fc.assert(
    fc.property(names, fc.array(step, { maxLength: 15 }), fc.integer({ min: 1, max: 200 }), (names, steps, work) => {
      const ids = names.map((_, at) => `${at}`);
      const textOf = (id: string) => names[Number(id)] as string;
      const sift = createSift(
        ids,
        textOf,
        names.map((name, at) => (at % 3 === 0 ? name : undefined)),
        work,
      );
      let filter = '';
      for (const [made, slices] of steps) {
        filter = made(filter);
        const whole = createSift(ids, textOf).matches(filter, true);
        for (let slice = 0; slice <= slices; slice += 1) {
          const { ids, places, isPartial } = sift.matches(filter, false);
          if (isPartial) said.partial += 1;
          expect(ids).toEqual(whole.ids.slice(0, ids.length));
          expect(isPartial || ids.length === whole.ids.length).toBe(true);
          for (const [at, id] of ids.entries()) expect(places.get(id)).toBe(at);
          sift.advance();
        }
      }
      while (sift.advance());
      const through = sift.matches(filter, false);
      expect(through.ids).toEqual(createSift(ids, textOf).matches(filter, true).ids);
      expect(through.isPartial).toBe(false);
    }),
    { numRuns: runs(500) },
  );
  expect(said.partial).toBeGreaterThan(100);
});

test('a letter lists its matches a few times, however many slices it takes, and makes few texts in one', () => {
  const made = { texts: 0 };
  const ids = Array.from({ length: 100_000 }, (_, at) => `${at}`);
  const textOf = (id: string) => {
    made.texts += 1;
    return `row ${id}`;
  };
  const sift = createSift(ids, textOf);
  const lists = new Set([sift.matches('r', false).ids]);
  expect(made.texts).toBeLessThanOrEqual(500);
  let slices = 1;
  for (let isMore = true; isMore; slices += 1) {
    isMore = sift.advance();
    lists.add(sift.matches('r', false).ids);
  }
  expect(made.texts).toBe(ids.length);
  expect(slices).toBeGreaterThan(200);
  expect(lists.size).toBeLessThan(15);
  expect(sift.matches('r', false).ids).toEqual(ids);
});

const many = Array.from({ length: 6000 }, (_, at): Thing => ({ id: `${at}`, name: at % 2 ? 'odd' : 'even' }));
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

test(
  'keys are answered while a filter looks at rows',
  journey(
    async (user) => {
      await user.sees('1-');
      const { session } = user;
      const press = (name: string, text?: string) => session.press({ name, alone: true, ...(text && { text }) });
      const view = () => session.now().view;
      press('/', '/');
      press('o', 'o');
      expect(view().isSifting).toBe(true);
      expect(view().ids.length).toBeGreaterThan(100);
      press('down');
      expect(view().cursor).toBe('3');
      expect(view().isSifting).toBe(true);
      await user.sees('3000 of 6000');
      expect(view().cursor).toBe('3');
    },
    { screens: [{ id: 'things', title: 'Things', key: '1', lists: [manyThings] }], monitors: 0, issues: 0 },
  ),
);

test('a filter that is no longer typed looks at all that is left at once', () => {
  const viewer = createViewer();
  const reads = {
    rows: () => ({ key: 'many', known: { ...read, asking: false, partial: false }, rows: many, removed: new Set('') }),
    whole: () => ({ asking: false, partial: false }),
  };
  const state = initial(screens, { columns: 100, rows: 30 });
  const typed = push(state, { kind: 'filter', list: 'things', line: { text: 'o', cursor: 1 } });
  const filtered = (of: State) => withOwn(of, things, { filter: 'o' });
  const seen = [state, filtered(typed), filtered(state)].map((now) => viewer(now, screens, reads, () => contextOf()));
  expect(seen.map(({ isSifting }) => isSifting)).toEqual([false, true, false]);
  expect(seen.at(-1)?.ids).toHaveLength(3000);
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
