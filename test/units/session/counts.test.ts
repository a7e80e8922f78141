import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTheme } from '../../../src/scene/theme.ts';
import { createMoments } from '../../../src/session/moments.ts';
import { createCounter, sumCounts } from '../../../src/session/rows/counts.ts';
import type { SeenRows } from '../../../src/session/rows/list-state.ts';
import { initial } from '../../../src/session/state/state.ts';
import { edgeSpans } from '../../../src/shell/list-block.ts';
import { listTitle } from '../../../src/shell/list-words.ts';
import { contextOf } from '../../support/plans.ts';
import { stepper } from '../../support/stepper.ts';
import { bareList } from '../../support/things.ts';

interface Probe {
  readonly id: string;
  readonly state: 'red' | 'odd' | 'ok';
  /** Undefined where it is unknown. */
  readonly quiet?: boolean | undefined;
}

const probes = bareList<Probe>({
  id: 'probes',
  title: 'Probes',
  columns: [
    {
      id: 'state',
      title: 'State',
      min: 4,
      priority: 1,
      text: (row) => row.state,
      sort: (row) => ['red', 'odd', 'ok'].indexOf(row.state),
    },
  ],
  sorted: { by: 'state', down: false },
  states: [
    {
      label: 'RED',
      needsPerson: 'red probe',
      isIn: (row) => row.state === 'red',
      aside: { label: 'quiet', isSo: (row) => row.quiet },
    },
    { label: 'ODD', isIn: (row) => row.state === 'odd' },
  ],
});

const countRows = createCounter();
const probe = (id: string, state: Probe['state'], quiet?: boolean): Probe => ({ id, state, quiet });
const calm = [probe('a', 'red', true), probe('b', 'odd'), probe('c', 'ok'), probe('d', 'ok'), probe('e', 'ok')];
const theme = createTheme({ name: 'default', noColor: false, ascii: false });

/** The title as text, with the first `rows` rows on screen. */
function title(session: ReturnType<typeof stepper<Probe>>, width = 200, rows = 20): string {
  const view = session.view();
  return listTitle({ view }, theme, width, view.ids.slice(view.top, view.top + rows))
    .map((span) => span.text)
    .join('');
}

test('rows are counted by the first state that they are in, and what is unknown of a row is not counted as no', () => {
  const rows = [probe('a', 'red', true), probe('b', 'red', false), probe('c', 'red'), probe('d', 'ok')];
  const counts = countRows(probes, rows, undefined, contextOf());
  expect(counts.states).toEqual([
    { label: 'RED', count: 3, needsPerson: 'red probe', aside: { label: 'quiet', count: 1, isLeast: true } },
  ]);
  expect([...counts.needPerson]).toEqual(['a', 'b', 'c']);
  expect(counts.total).toBe(4);
  // Before a first look nothing is new.
  expect(counts.fresh.size).toBe(0);
});

test('counts that are kept are those of all rows counted anew, whatever is read, seen and how late it is', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const rows = fc.uniqueArray(
    fc.record({
      id: fc.constantFrom(...ids),
      state: fc.constantFrom<Probe['state']>('red', 'odd', 'ok'),
      quiet: fc.option(fc.boolean(), { nil: undefined }),
    }),
    { selector: ({ id }) => id },
  );
  const seen = fc.option(fc.uniqueArray(fc.constantFrom(...ids)), { nil: undefined });
  fc.assert(
    fc.property(fc.array(fc.record({ rows, seen, minute: fc.nat(2), isPoll: fc.boolean() })), (steps) => {
      const counter = createCounter();
      let read: readonly Probe[] = [];
      let looked: SeenRows | undefined;
      for (const step of steps) {
        if (step.isPoll) read = step.rows;
        else looked = step.seen && new Map(step.seen.map((id) => [id, id < 'c' ? 'RED' : '']));
        const context = contextOf({ now: step.minute * 60_000 });
        expect(counter(probes, read, looked, context)).toEqual(createCounter()(probes, [...read], looked, context));
        expect(counter(probes, read, looked, context)).toBe(counter(probes, read, looked, context));
      }
    }),
  );
});

test('a title counts rows by state at once, also those that wait; under a filter those that it leaves', () => {
  const session = stepper<Probe>(probes);
  session.poll(calm);
  expect(title(session)).toBe('Probes 5 · RED 1 (1 quiet) · ODD 1 · by state ▲');
  session.poll([...calm, probe('f', 'red', false), probe('g', 'ok')]);
  expect(title(session)).toBe('Probes 5 of 7 · RED 2 (1 quiet) · ODD 1 · 1 new red probe ▲ (g) · by state ▲');
  session.send({ type: 'openFilter' }, { type: 'pasteText', text: 'ok' });
  // The new red one waits, and the filter would hide it.
  expect(title(session)).toBe('Probes </ok> 3 of 7 · 1 new red probe, 1 not listed ▲ (g) · by state ▲');
  const other = stepper<Probe>(probes);
  other.poll(calm);
  other.send({ type: 'openFilter' }, { type: 'pasteText', text: 'red' });
  other.poll([...calm, probe('f', 'red', false)]);
  expect(title(other)).toMatch(/^Probes <\/red> 1 of 6 · RED 1 \(1 quiet\) · 1 new red probe, 1 not listed ▲ \(g\)/);
  other.send({ type: 'moveToEnd', last: false });
  expect(title(other)).toBe('Probes </red> 2 of 6 · RED 2 (1 quiet) · 1 new red probe · by state ▲');
});

test('a title counts nothing before the first read', () => {
  const session = stepper<Probe>(probes);
  expect(title(session)).toBe('Probes · by state ▲');
  session.poll([]);
  expect(title(session)).toBe('Probes 0 · by state ▲');
});

test('a row that starts to need attention in a poll counts as new; any other change does not', () => {
  const session = stepper<Probe>(probes);
  session.poll(calm);
  session.poll([probe('a', 'ok'), probe('b', 'red'), probe('c', 'odd'), probe('d', 'red'), probe('e', 'ok')]);
  expect([...session.view().counts.fresh]).toEqual(['b', 'd']);
  expect(title(session)).toBe('Probes 5 · RED 2 (? quiet) · ODD 1 · 2 new red probes · by state ▲');
  // The arrow says that they are not on screen.
  expect(title(session, 200, 2)).toContain('2 new red probes ▲ (g)');
  session.send({ type: 'rowsSeen', list: 'probes', ids: ['b'] });
  expect([...session.view().counts.fresh]).toEqual(['d']);
});

test('a narrow title drops whole parts and keeps the total, what needs attention and what is new', () => {
  const session = stepper<Probe>(probes);
  session.poll(calm);
  session.poll([...calm, probe('f', 'red', false)]);
  const whole = 'Probes 5 of 6 · RED 2 (1 quiet) · ODD 1 · 1 new red probe ▲ (g) · by state ▲';
  expect(title(session, whole.length)).toBe(whole);
  expect(title(session, whole.length - 1)).toBe('Probes 5 of 6 · RED 2 (1 quiet) · ODD 1 · 1 new red probe ▲ (g)');
  expect(title(session, 55)).toBe('Probes 5 of 6 · RED 2 (1 quiet) · ODD 1 · 1 new ▲');
  expect(title(session, 45)).toBe('Probes 5 of 6 · RED 2 (1 quiet) · 1 new ▲');
  expect(title(session, 32)).toBe('Probes 5 of 6 · RED 2 · 1 new ▲');
  expect(title(session, 22)).toBe('Probes 5 of 6 · RED 2');
});

test('an unsaved order is named whole, with its keys where they have room', () => {
  const session = stepper<Probe>(probes);
  session.poll(calm);
  const view = session.view();
  const moved = { ...view, listState: { ...view.listState, moving: ['b', 'a'] } };
  const said = (width: number) => listTitle({ view: moved }, theme, width, view.ids).map(({ text }) => text);
  expect(said(80).join('')).toContain(' · unsaved order: Ctrl-S save, q discard');
  expect(said(40).join('')).toBe('Probes 5 · RED 1 · unsaved order');
});

test('the other tabs keep their names where a shorter count of what is new leaves room for them', () => {
  const session = stepper<Probe>(probes);
  session.poll(calm);
  session.poll([...calm, probe('f', 'red', false)]);
  const view = session.view();
  const tabs = { ...view, screen: { ...view.screen, lists: [view.list, { ...view.list, id: 'x', title: 'Mutes' }] } };
  const said = (width: number) =>
    listTitle({ view: tabs }, theme, width, view.ids.slice(0, 5))
      .map((span) => span.text)
      .join('');
  // Of both the count gives way first.
  for (const width of [67, 70]) expect(said(width)).toBe('Probes 5 of 6 · RED 2 (1 quiet) · ODD 1 · 1 new ▲ │ Mutes');
  expect(said(58)).toBe('Probes 5 of 6 · RED 2 (1 quiet) · ODD 1 · 1 new ▲ │ Mutes');
  expect(said(56)).toBe('Probes 5 of 6 · RED 2 (1 quiet) · ODD 1 · 1 new ▲ │ …');
});

test('nothing is new in a list that was left before it was read', () => {
  const session = stepper<Probe>(probes);
  session.send({ type: 'openScreen', id: 'elsewhere' });
  session.poll(calm);
  expect(session.view().counts.fresh.size).toBe(0);
});

test('a row that waits stays new where its list is left, and one that was gone is not new when it comes back', () => {
  const session = stepper<Probe>(probes);
  session.poll(calm);
  session.poll([...calm.filter(({ id }) => id !== 'd'), probe('f', 'ok')]);
  session.send({ type: 'openScreen', id: 'elsewhere' });
  expect([...session.view().counts.fresh]).toEqual(['f']);
  session.poll([...calm, probe('f', 'ok')]);
  expect([...session.view().counts.fresh]).toEqual(['f']);
});

const plainList = bareList<{ readonly id: string }>({
  id: 'plain',
  title: 'Plain',
  columns: [{ id: 'name', title: 'Name', min: 4, priority: 1, text: (row) => row.id }],
});

test('the strip of screens counts what was read and derives no list for it', () => {
  const asked: string[] = [];
  const known = { value: { rows: [{ id: 'a' }] }, at: 1, asking: false, partial: false };
  const screens = [
    {
      id: 'home',
      title: 'Home',
      key: '1',
      lists: [plainList, { ...plainList, id: 'derived', derived: { feeds: {} } as never }],
    },
  ];
  const state = initial(screens, { columns: 100, rows: 30 });
  const now = createMoments({
    screens,
    reads: {
      rows({ id }) {
        asked.push(id);
        return { key: id, known, rows: known.value.rows, removed: new Set() };
      },
      whole: () => ({ asking: false, partial: false }),
      picks: () => ({ asking: false, partial: false }),
    },
    context: () => contextOf(),
    state: () => state,
    random: () => 0,
    moment: () => [state],
  })();
  asked.length = 0;
  expect(now.counts(screens[0] as (typeof screens)[number])?.total).toBe(1);
  expect(asked).toEqual(['plain']);
});

test('what is also so is told of rows that are, or may be', () => {
  const told = (...quiet: (boolean | undefined)[]) =>
    countRows(
      probes,
      quiet.map((is, at) => probe(`p${at}`, 'red', is)),
      undefined,
      contextOf(),
    ).states[0]?.aside;
  expect([told(false), told(true), told(undefined)]).toEqual([
    undefined,
    { label: 'quiet', count: 1, isLeast: false },
    { label: 'quiet', count: 0, isLeast: true },
  ]);
});

test('a row of two lists of a screen counts once', () => {
  const count = (...rows: readonly Probe[]) => countRows(probes, rows, new Map([['b', 'ODD']]), contextOf());
  const [first, second] = [count(probe('a', 'red'), probe('b', 'odd')), count(probe('a', 'red'), probe('c', 'ok'))];
  expect(sumCounts([first, second])).toEqual({ total: 3, needPerson: 1, fresh: 2, freshNeeds: 1 });
  expect(sumCounts([first])).toEqual({ total: 2, needPerson: 1, fresh: 1, freshNeeds: 1 });
});

test('as long as a list is being read its counts are gray and end in +', () => {
  const session = stepper<Probe>(probes);
  session.poll(calm);
  const view = session.view();
  const spansOf = (read: object) =>
    listTitle({ view: { ...view, read: { ...view.read, ...read } } }, theme, 200, view.ids);
  const drawn = (read: object) =>
    spansOf(read)
      .map(({ text }) => text)
      .join('');
  const part = 'Probes 5+ · RED 1+ (1+ quiet) · ODD 1+ · by state ▲';
  expect([{}, { partial: true }, { isFromSnapshot: true, value: { rows: [], total: 9 } }].map(drawn)).toEqual([
    'Probes 5 · RED 1 (1 quiet) · ODD 1 · by state ▲',
    part,
    part,
  ]);
  const counts = spansOf({ partial: true }).filter(({ text }) => text.endsWith('+'));
  expect(counts.map(({ tone }) => tone)).toEqual(['dim', 'dim', 'dim']);
  // And so does what the edge of the list tells of the rows below.
  const edgeOf = (read: object, ...labels: readonly string[]) => {
    const unmuted = new Map(labels.map((label, at) => [`far ${at}`, { label, rank: 'P1' }]));
    const places = new Map(labels.map((_, at) => [`far ${at}`, 9]));
    const far = { ...view, places, counts: { ...view.counts, unmuted }, read: { ...view.read, ...read } };
    return edgeSpans({ view: far } as never, theme, 0, 5)[0]?.text;
  };
  expect([edgeOf({}, 'RED'), edgeOf({ partial: true }, 'RED')]).toEqual(['▼ 1 RED P1', '▼ 1+ RED P1']);
  expect(edgeOf({}, 'RED', 'LATE', 'RED')).toBe('▼ 3 RED/LATE P1');
});

test('a filter that leaves no row leaves nothing above or below', () => {
  const { view } = stepper<Probe>(probes);
  const counts = { ...view().counts, unmuted: new Map([['far', { label: 'RED', rank: 'P1' }]]) };
  const edges = (filter: string) =>
    edgeSpans({ view: { ...view(), counts, listState: { ...view().listState, filter } } } as never, theme, 0, 0);
  expect([edges('').length, edges('zz')]).toEqual([2, []]);
});
