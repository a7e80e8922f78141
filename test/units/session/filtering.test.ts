import fc from 'fast-check';
import { expect, test } from 'vitest';
import { list } from '../../../src/describe/screen.ts';
import { push, withOwn } from '../../../src/session/change.ts';
import { isNarrower, matcher } from '../../../src/session/list/filter.ts';
import { createSift } from '../../../src/session/list/sift.ts';
import { createSifting } from '../../../src/session/list/sifting.ts';
import { createWordTexts } from '../../../src/session/list/word-texts.ts';
import type { Now } from '../../../src/session/now.ts';
import { initial, type State } from '../../../src/session/state.ts';
import { createViewer } from '../../../src/session/view.ts';
import { journey } from '../../support/journey.tsx';
import { contextOf } from '../../support/plans.ts';
import { runs } from '../../support/runs.ts';
import { createSteppedClock } from '../../support/steppedclock.ts';

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
      const store = createWordTexts();
      const texts = Uint32Array.from(names, (name, at) => (at % 3 === 0 ? store.keep(name) : 0));
      const sift = createSift(ids, textOf, { store, texts, work });
      let filter = '';
      for (const [made, slices] of steps) {
        filter = made(filter);
        const whole = createSift(ids, textOf).matches(filter);
        for (let slice = 0; slice <= slices; slice += 1) {
          const { ids, places, isPartial } = sift.matches(filter);
          if (isPartial) said.partial += 1;
          const found = new Set(ids);
          expect(ids).toEqual(whole.ids.filter((id) => found.has(id)));
          expect(isPartial || ids.length === whole.ids.length).toBe(true);
          for (const [at, id] of ids.entries()) expect(places.get(id)).toBe(at);
          sift.advance();
        }
      }
      while (sift.advance());
      const through = sift.matches(filter);
      expect(through.ids).toEqual(createSift(ids, textOf).matches(filter).ids);
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
  const lists = new Set([sift.matches('r').ids]);
  expect(made.texts).toBeLessThanOrEqual(500);
  let slices = 1;
  for (let isMore = true; isMore; slices += 1) {
    isMore = sift.advance();
    lists.add(sift.matches('r').ids);
  }
  expect(made.texts).toBe(ids.length);
  expect(slices).toBeGreaterThan(200);
  expect(lists.size).toBeLessThan(15);
  expect(sift.matches('r').ids).toEqual(ids);
});

test('what is only like a word is looked for in fewer texts at a time', () => {
  const ids = Array.from({ length: 10_000 }, (_, at) => `${at}`);
  const sift = createSift(ids, (id) => `row ${id}`);
  while (sift.advance());
  expect(sift.matches('row').isPartial).toBe(false);
  expect(sift.matches('~rwo').ids.length).toBeLessThanOrEqual(1200);
  while (sift.advance());
  expect(sift.matches('~rwo').ids).toHaveLength(ids.length);
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
      // Kept, it goes on: what stands under the cursor stays there, and an action takes that row.
      press('return');
      expect(view()).toMatchObject({ isSifting: true, cursor: '3' });
      await user.sees('3000 of 6000');
      expect(view().cursor).toBe('3');
    },
    { screens: [{ id: 'things', title: 'Things', key: '1', lists: [manyThings] }], monitors: 0, issues: 0 },
  ),
);

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
  const view = (now: State, rows: readonly Thing[], partial = false) => {
    const known = { value: { rows }, at: 1, asking: false, partial };
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
  const work = <T>(step: () => T): T => {
    const result: T[] = [];
    expect(textsOf(() => result.push(step()))).toBeLessThanOrEqual(300);
    return result[0] as T;
  };
  const toEnd = (now: State, rows: readonly Thing[]) => {
    while (work(() => viewer.advance('things')));
    return view(now, rows);
  };
  return { state: (own: object) => withOwn(state, of, own), view, work, textsOf, toEnd };
}

test('no step makes the texts of many rows at once: not Return, not a filter of the last run, not a poll', () => {
  const { state, view, work, toEnd } = counted();
  const typed = push(state({ filter: 'o' }), { kind: 'filter', list: 'things', line: { text: 'o', cursor: 1 } });
  work(() => view(typed, many));
  const kept = work(() => view(state({ filter: 'o' }), many));
  expect(kept.isSifting).toBe(true);
  expect(kept.ids.every((id) => Number(id) % 2 === 1)).toBe(true);
  expect(toEnd(state({ filter: 'o' }), many).ids).toHaveLength(3000);

  const growing = counted();
  for (const end of [2000, 4000, 6000]) {
    const now = growing.state({ filter: 'o' });
    expect(growing.work(() => growing.view(now, many.slice(0, end), true)).isSifting).toBe(true);
  }
  expect(growing.toEnd(growing.state({ filter: 'o' }), many).ids).toHaveLength(3000);
});

test('a poll shows at once what it left as it was, and the row under the cursor is not gone until a filter has looked at it', () => {
  const { state, view, work, toEnd } = counted();
  const filter = state({ filter: 'o', cursor: '5999' });
  view(filter, many);
  expect(toEnd(filter, many)).toMatchObject({ cursor: '5999' });
  const changed = many.map((row, at) => (at % 4 === 3 ? { ...row, name: 'odd too' } : row));
  const polled = work(() => view(filter, changed));
  expect(polled.isSifting).toBe(true);
  expect(polled.ids.length).toBeGreaterThanOrEqual(1500);
  expect(polled).toMatchObject({ cursor: '5999', row: { name: 'odd too' } });
  expect(polled.gone).toBeUndefined();
  expect(toEnd(filter, changed).ids).toHaveLength(3000);
});

test('a poll in another order makes the texts of the rows that have changed, and no others', () => {
  const { state, view, textsOf, toEnd } = counted();
  const filter = state({ filter: 'o' });
  view(filter, many);
  toEnd(filter, many);
  const changed = many.toReversed().map((row) => (row.id === '8' ? { ...row, name: 'odd too' } : row));
  const polled: { ids?: readonly string[] } = {};
  expect(textsOf(() => Object.assign(polled, { ids: view(filter, changed).ids }))).toBe(1);
  expect(polled.ids).toHaveLength(3001);
  expect(polled.ids).toContain('8');
});

test('a text that is kept as words matches what the text matches, wherever its words are kept', () => {
  const letters = fc.constantFrom(...'ab !~-', 'é', '😀', '決');
  const subject = fc.string({ unit: letters, maxLength: 30 });
  const filters = fc.array(fc.string({ unit: letters, maxLength: 5 }), { minLength: 1, maxLength: 5 });
  const said = { left: 0 };
  fc.assert(
    fc.property(
      fc.array(subject, { maxLength: 30 }),
      filters,
      fc.integer({ min: 2, max: 40 }),
      (texts, filters, size) => {
        const store = createWordTexts(size);
        const [first, ...others] = filters.map((filter) => filter.toLowerCase());
        const early = store.tester(first ?? '');
        const kept = texts.map(store.keep);
        expect(store.kept()).toBe(texts.length);
        expect(new Set(kept).size).toBe(texts.length);
        const tests = [[first, early] as const, ...others.map((filter) => [filter, store.tester(filter)] as const)];
        for (const [filter = '', test] of tests)
          for (const [at, text] of texts.entries()) {
            const isLeft = matcher(filter)?.(text);
            expect(test?.(kept[at] as number), `${filter} of ${text}`).toBe(isLeft);
            if (isLeft) said.left += 1;
          }
      },
    ),
    { numRuns: runs(500) },
  );
  expect(said.left).toBeGreaterThan(runs(500) / 2);
});

test('a word that is only like another one may be two of a text', () => {
  const store = createWordTexts();
  const at = store.keep('checks the out');
  expect(store.tester('~check-out')?.(at)).toBe(true);
  expect(matcher('~check-out')?.('checks the out')).toBe(true);
});

test('texts of rows that have changed are given up once they are as many as the others', () => {
  const { state, view, textsOf, toEnd } = counted();
  const filter = state({ filter: 'o' });
  let rows: readonly Thing[] = many.slice(0, 250);
  view(filter, rows);
  let again = 0;
  for (let poll = 0; poll < 3000; poll += 1) {
    rows = rows.with(0, { id: '0', name: `odd ${poll}` });
    if (textsOf(() => view(filter, rows)) > 1) again += 1;
    expect(toEnd(filter, rows).ids).toHaveLength(126);
  }
  expect(again).toBe(2);
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

test('what a filter finds is drawn while there is room for it, and at the end', async () => {
  const clock = createSteppedClock();
  const line = { text: 'o', cursor: 1 };
  const typed = push(initial(screens, { columns: 100, rows: 30 }), { kind: 'filter', list: 'things', line });
  const held = { state: typed, slice: 0, drawn: [] as number[] };
  /** Rows found before the first slice and after each of them; ten have room. */
  const found = [0, 3, 3, 10, 12, 12];
  const now = () => {
    const at = held.slice;
    const view = { ids: many.slice(0, found[at]), room: { listRows: 10 }, isSifting: at < found.length - 1 };
    return { view, sift: () => ++held.slice < found.length - 1 } as unknown as Now;
  };
  const sifting = createSifting({
    now,
    state: () => held.state,
    clock,
    found: () => held.drawn.push(held.slice),
    send: () => {},
    burst: { reordered: () => {} },
  });
  sifting.follow();
  sifting.follow();
  await clock.passes(1);
  expect([held.drawn, held.slice, clock.waiting()]).toEqual([[1, 3, 5], 5, 0]);
  // The line is open, so texts are made ahead; it is closed, and nothing is left to look at.
  sifting.follow();
  held.state = { ...typed, layers: [] };
  await clock.passes(1);
  sifting.follow();
  expect([held.slice, clock.waiting()]).toEqual([5, 0]);
  Object.assign(held, { slice: 0 });
  sifting.follow();
  sifting.close();
  await clock.passes(1);
  expect(held.slice).toBe(0);
});
