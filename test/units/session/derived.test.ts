import { describe, expect, test } from 'vitest';
import { problemResult, toResult } from '../../../src/api/problem.ts';
import type { Cache, CacheEntry } from '../../../src/cache/cache.ts';
import { createOverlays } from '../../../src/cache/entries.ts';
import type { Rows } from '../../../src/describe/context.ts';
import type { BlockNow, BoardLine, Derivation, Feed } from '../../../src/describe/derived.ts';
import type { AnyList } from '../../../src/describe/screen.ts';
import { createDerivedRows } from '../../../src/session/rows/derived-rows.ts';
import { bareSession, heldReads, notedClient } from '../../support/bare-session.ts';
import { contextOf } from '../../support/plans.ts';
import { bareList } from '../../support/things.ts';

/** Lists that are made of what other lists read. */

interface Lamp {
  readonly id: string;
  readonly on?: boolean;
}
const lampList = (more: Partial<AnyList>): AnyList => bareList<Lamp>({ id: 'home', title: 'Home', ...more });

describe('the feeds of a list', () => {
  /** A home of these feeds beside a list of lamps; `held` has the rows of each read. */
  const ports = (feeds: Readonly<Record<string, Partial<Feed>>>, more: Partial<AnyList> = {}) => {
    const { held, source, since } = heldReads<Lamp>();
    const each = Object.entries(feeds).map(([name, feed]) => [name, { source: () => source(name), ...feed }]);
    const derived: Derivation<Lamp> = {
      feeds: Object.fromEntries(each),
      rows: ({ told }) => Object.values(told).flatMap(({ rows = [] }) => rows),
    };
    const lists = [lampList({ derived, ...more }), lampList({ id: 'lamps', load: () => source('lamps') })];
    const screens = lists.map((one) => ({ id: one.id, title: one.id, lists: [one] }));
    return { screens, held, since };
  };

  test('begin with the first one, whose block is drawn first; where it takes long the others wait 100 ms', async () => {
    const slowly = {
      ...{ key: 'slowly', of: [] },
      *plan() {
        yield { pauseMs: 5000 };
        return toResult({ rows: [] });
      },
    };
    const { screens, since } = ports({ slowly: { source: () => slowly }, lamps: {}, more: { spare: true } });
    const { session, clock } = await bareSession(screens);
    await clock.passes(99);
    expect(since()).toBe('');
    await clock.passes(1);
    expect(since()).toBe('lamps');
    await clock.passes(4900);
    expect(since()).toBe('more');
    session.close();
    const other = await bareSession(screens);
    other.session.close();
    await other.clock.passes(100);
    expect(since()).toBe('');
  });

  test('are read at their own pace, the spare ones last, one after the other', async () => {
    const { screens, held, since } = ports({
      spare: { spare: true },
      more: { spare: true },
      lamps: {},
      slow: { every: 60 },
    });
    held.slow = problemResult('forbidden', 'no');
    const { session, clock } = await bareSession(screens);
    expect(since()).toBe('lamps slow spare more');
    await clock.passes(44_000);
    expect(since().split(' ').sort().join(' ')).toBe('lamps lamps more more spare spare');
    await clock.passes(46_000);
    expect(since()).toContain('slow');
    session.send({ type: 'openScreen', id: 'lamps' });
    await clock.passes(60_000);
    expect(since()).not.toMatch(/slow|spare|more/);
  });

  test('that are spare are not read while the main ones wait, nor without room in the limits; opened again, while they are fresh', async () => {
    const feeds = { lamps: {}, rare: { spare: true, every: 120 }, often: { spare: true } };
    const full = ports(feeds);
    const budget = { name: '', limit: 10, remaining: 5, periodMs: 1, resetAt: Number.POSITIVE_INFINITY };
    const { client } = notedClient();
    await bareSession(full.screens, { client: { ...client, budgets: () => [budget] } });
    expect(full.since()).toBe('lamps');
    const { screens, since } = ports(feeds);
    const { session, clock } = await bareSession(screens);
    expect(since()).toBe('lamps rare often');
    session.send({ type: 'openScreen', id: 'lamps' });
    await clock.passes(100_000);
    since();
    session.send({ type: 'openScreen', id: 'home' });
    await clock.passes(0);
    expect(since()).toContain('often');
    expect(since()).not.toContain('rare');
  });

  test('tell what the reads of their lists have shown of states, and the course of their numbers', async () => {
    const feeds = { lamps: { of: 'lamps', samples: (rows: readonly Lamp[]) => ({ count: rows.length }) } };
    const { screens, held } = ports(feeds);
    const told: string[][] = [];
    const [home, lamps] = screens.map(({ lists }) => lists[0] as AnyList) as [AnyList, AnyList];
    const rows: Derivation<Lamp>['rows'] = ({ changes }) => {
      told.push(changes.map(({ id, from, to }) => `${id} ${from.word} to ${to.word}`));
      return [];
    };
    const lists = [
      { ...home, derived: { ...(home.derived as Derivation<Lamp>), rows } },
      { ...lamps, tracks: ({ on }: Lamp) => ({ word: on ? 'on' : 'off', level: 0 }) },
    ];
    const { session, clock } = await bareSession(lists.map((list) => ({ id: list.id, title: '', lists: [list] })));
    for (const on of [false, true, true, false]) {
      held.lamps = [{ id: 'a', on }];
      await clock.passes(15_000);
    }
    session.now();
    expect(told.at(-1)).toEqual(['a off to on', 'a on to off']);
    expect(session.now().context.trend('count')).toEqual([1]);
    await clock.passes(150_000);
    held.lamps = [];
    await clock.passes(15_000);
    expect(session.now().context.trend('count').at(-1)).toBe(0);
    expect(session.now().context.trend('count')[0]).toBe(1);
  });

  test('of a board read the journal, again after an edit', async () => {
    const board = { blocks: () => [] };
    const { screens } = ports({ lamps: {} }, { board });
    const { session, asked, clock } = await bareSession(screens);
    const read = () => asked.filter(([name]) => name === 'journal').length;
    await clock.passes(60_000);
    expect(read()).toBe(1);
    // Also after an upload, or what was done in the timeline.
    session.send({ type: 'sendingChanged', of: {} });
    await clock.passes(0);
    expect(read()).toBe(2);
  });

  test('ring the alarms of the list whose rows they show', async () => {
    const alarm = {
      key: 'k',
      at: 0,
      ends: Number.POSITIVE_INFINITY,
      end: '',
      subject: { parts: [] },
      one: 'mute',
      rowId: 'a',
      action: 'x',
    };
    const { screens, held } = ports({ lamps: { of: 'lamps' } });
    held.lamps = [{ id: 'a' }];
    const [home, lamps] = screens;
    const ringing = lamps?.lists.map((one) => ({
      ...one,
      alarms: (rows: readonly Lamp[], { now }: { now: number }) => rows.map(() => ({ ...alarm, at: now })),
    }));
    const { state, clock } = await bareSession([home as never, { ...lamps, lists: ringing } as never]);
    await clock.passes(1);
    expect(state().notices).toMatchObject([{ key: 'k', list: 'lamps' }]);
  });
});

const unread: CacheEntry<Rows<Lamp>> = { asking: false, partial: false };
/** A home of these feeds, each with what the cache knows of it. */
function made(
  known: Readonly<Record<string, CacheEntry<Rows<Lamp>>>>,
  feeds: Readonly<Record<string, Partial<Feed>>>,
  more: Partial<AnyList> = {},
) {
  const overlays = createOverlays({ startedAt: () => 0, changed: () => {} });
  const held = { known };
  const count = { made: 0, told: {} };
  const cache = { known: (key: string) => held.known[key] ?? unread, overlays } as unknown as Cache;
  const derivedRows = createDerivedRows({
    cache,
    listById: (id) => lampList({ id }),
    seen: () => ({ spans: none, changes: none }),
    edits: () => none,
  });
  const home = lampList({
    derived: {
      feeds: Object.fromEntries(
        Object.entries(feeds).map(([name, feed]) => [name, { source: () => ({ key: name }) as never, ...feed }]),
      ),
      rows: ({ told }) => {
        Object.assign(count, { made: count.made + 1, told });
        return Object.values(told).flatMap(({ rows = [] }) => rows);
      },
      notes: () => ['a note'],
    },
    ...more,
  });
  const asked = { search: {}, range: '' };
  const { derived } = home as { derived: Derivation<unknown> };
  const at = (now = 0, columns = 100, query = asked) => derivedRows(home, derived, query, contextOf({ now }), columns);
  return { at, held, overlays, count, asked };
}
const none: readonly never[] = [];
const read = (at: number, ...ids: string[]): CacheEntry<Rows<Lamp>> => ({
  ...unread,
  at,
  value: { rows: ids.map((id) => ({ id })) },
});
const failed: CacheEntry<Rows<Lamp>> = { ...unread, problem: problemResult('unreachable', 'no connection').problem };

describe('rows of what other lists read', () => {
  test('are the same until something that they are made of changes, or five seconds have passed', () => {
    const { at, held, count, asked } = made({ a: read(1, 'x') }, { a: {} });
    const { rows } = at(0);
    expect(rows).toEqual([{ id: 'x' }]);
    expect([at(4_999).rows === rows, count.made]).toEqual([true, 1]);
    expect([at(5_000).rows === rows, count.made]).toEqual([false, 2]);
    expect([at(5_000, 100, { ...asked }), count.made]).toMatchObject([{}, 3]);
    held.known = { a: read(2, 'y') };
    expect(at(5_000).rows).toEqual([{ id: 'y' }]);
  });

  test('know which reads have not ended', () => {
    const { at, count } = made({ a: { ...read(1), partial: true } }, { a: {} });
    at();
    expect(count.told).toMatchObject({ a: { isPartial: true } });
  });

  test('have unconfirmed edits of the list whose rows they are laid over them', () => {
    const { at, overlays } = made({ a: read(1, 'x'), b: read(1, 'x') }, { a: { of: 'lamps' }, b: {} });
    overlays.lay('lamps', 'x', (row) => ({ ...(row as Lamp), on: true }));
    expect(at().rows).toEqual([{ id: 'x', on: true }, { id: 'x' }]);
  });

  test('of a board are its lines; those of blocks that stand aside only where there is room', () => {
    const line = (id: string): BoardLine => ({ id, block: id, name: id, cells: { text: id }, place: {} });
    const block = { title: '', head: [], columns: [], empty: '', least: 1 };
    const blocks: readonly BlockNow[] = [
      { ...block, id: 'main', lines: [line('a')] },
      { ...block, id: 'side', lines: [line('b')], aside: true },
    ];
    const board = made({ a: read(1) }, { a: {} }, { board: { blocks: () => blocks } });
    const ids = (columns: number) =>
      board
        .at(0, columns)
        .rows.map((row) => (row as BoardLine).id)
        .join('');
    expect([ids(179), ids(180), ids(100)]).toEqual(['a', 'ab', 'a']);
    expect(board.at().blocks).toBe(blocks);
  });

  const spare = { spare: true };
  const slow = { every: 60 };
  const fromBefore = { ...read(3, 'x'), isFromSnapshot: true };
  test.each<[string, Record<string, CacheEntry<Rows<Lamp>>>, Record<string, Partial<Feed>>, object]>([
    [
      'read, they are as old as the oldest of those at the pace of the profile',
      { a: read(5), b: read(3), c: read(1) },
      { a: {}, b: {}, c: slow },
      { at: 3, value: { rows: [], notes: ['a note'] }, asking: false, partial: false },
    ],
    ['a spare one is not waited for', { a: read(5) }, { a: {}, b: spare }, { at: 5, partial: false }],
    [
      'one that has not been read is',
      { a: read(5) },
      { a: {}, b: {} },
      { at: 5, partial: true, value: expect.anything() },
    ],
    ['nothing read', {}, { a: {} }, { at: undefined, value: undefined, partial: true }],
    ['one that is shown in part', { a: { ...read(5), partial: true } }, { a: {} }, { partial: true }],
    ['one that is being read', { a: { ...read(5), asking: true } }, { a: {}, b: spare }, { asking: true }],
    [
      'one that failed leaves what the others told',
      { a: read(5), b: failed },
      { a: {}, b: {} },
      { problem: undefined, at: 5, partial: false },
    ],
    ['all failed', { a: failed, b: failed }, { a: {}, b: {} }, { problem: failed.problem, value: expect.anything() }],
    [
      'all at the pace of the profile failed',
      { a: failed, b: read(5) },
      { a: {}, b: slow },
      { problem: failed.problem },
    ],
    ['a slow one failed', { a: read(5), b: failed }, { a: {}, b: slow }, { problem: undefined }],
    ['only slow ones, all failed', { a: failed }, { a: slow }, { problem: failed.problem }],
    ['rows of an earlier run', { a: fromBefore, b: read(5) }, { a: {}, b: {} }, { isFromSnapshot: true }],
    ['none of an earlier run', { a: read(5) }, { a: {} }, { isFromSnapshot: undefined }],
  ])('as one read: %s', (_, known, feeds, expected) => {
    const { at, ...rest } = made(known, feeds).at().known;
    expect({
      at,
      problem: undefined,
      value: undefined,
      isFromSnapshot: undefined,
      ...rest,
    }).toMatchObject(expected);
  });
});
