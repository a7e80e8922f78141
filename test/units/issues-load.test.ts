import { describe, expect, test } from 'vitest';
import {
  byOrder,
  describeSearch,
  divisible,
  halves,
  initialSearch,
  openWindow,
  readIssueSearch,
  readSearchWindow,
  splitBy,
} from '../../screens/issues/issue-search.ts';
import { loadIssues, rangeMs } from '../../screens/issues/load.ts';
import { type IssueRow, rowOfIssue } from '../../screens/issues/row.ts';
import type { Call } from '../../src/api/endpoint.ts';
import type { Rows } from '../../src/describe/context.ts';
import { answered, contextOf, refused, walk } from '../support/plans.ts';

interface Asking {
  readonly from: number;
  readonly to: number;
  readonly query: string;
  readonly track?: string;
  readonly persona?: string;
  readonly order_by: string;
}
const askingOf = (call: Call) => (call.body as { data: { attributes: Asking } }).data.attributes;
const minute = 60_000;

/** A searchable service: issues with one event at each of their times; a response has at most 100. */
function service(events: Readonly<Record<string, readonly number[]>>, cap = 100) {
  return (call: Call) => {
    const { from, to } = askingOf(call);
    const hits = Object.entries(events)
      .map(([id, at]) => ({ id, total: at.filter((value) => value >= from && value < to).length }))
      .filter((value) => value.total > 0)
      .sort((a, b) => b.total - a.total)
      .slice(0, cap);
    return answered({
      data: hits.map((hit) => result(hit.id, hit.total)),
      included: hits.map((hit) => issue(hit.id)),
    });
  };
}
const result = (id: string, total: number, users = total) => ({
  id,
  type: 'error_tracking_search_result',
  attributes: { total_count: total, impacted_sessions: total, impacted_users: users },
  relationships: { issue: { data: { id, type: 'issue' } } },
});
const issue = (id: string, more: object = {}) => ({
  id,
  type: 'issue',
  attributes: {
    error_type: 'TypeError',
    error_message: `message of ${id}`,
    service: 'checkout',
    state: 'OPEN',
    ...more,
  },
});
const load = (range = '24h', search: Record<string, string> = {}, context = contextOf(), budget?: number) =>
  loadIssues({ search: { ...initialSearch, ...search }, range }, context, budget).plan(context);
const again = (before: ReturnType<typeof walk<unknown>>['value'], budget?: number) =>
  loadIssues({ search: initialSearch, range: '24h' }, contextOf(), budget).plan(contextOf(), rowsOf(before));
const rowsOf = (value: ReturnType<typeof walk<unknown>>['value']) =>
  (value as { ok: true; value: Rows<IssueRow> }).value;

describe('one search', () => {
  test('requests [now - range, now) with all relationships of a row, comma-separated', () => {
    const { calls } = walk(load('1h', { query: ' timeout ', track: 'rum', order: 'FIRST_SEEN' }), () =>
      answered({ data: [] }),
    );
    const context = contextOf();
    expect(calls).toHaveLength(1);
    expect(calls[0]?.query.include).toEqual(['issue', 'issue.assignee', 'issue.case', 'issue.team_owners']);
    expect(askingOf(calls[0] as Call)).toEqual({
      query: 'timeout',
      from: context.now - 60 * minute,
      to: context.now,
      order_by: 'FIRST_SEEN',
      track: 'rum',
    });
  });

  test('an empty query matches all, and a persona is sent instead of a track', () => {
    const { calls } = walk(load('15m', { track: 'mobile' }), () => answered({ data: [] }));
    expect(askingOf(calls[0] as Call)).toMatchObject({ query: '*', persona: 'MOBILE' });
    expect(askingOf(calls[0] as Call).track).toBeUndefined();
  });

  test('has the same key at another time and another for another question', () => {
    const asked = { search: initialSearch, range: '24h' };
    const key = loadIssues(asked, contextOf()).key;
    expect(loadIssues(asked, contextOf({ now: 1 })).key).toBe(key);
    expect(loadIssues({ ...asked, range: '1h' }, contextOf()).key).not.toBe(key);
    expect(loadIssues({ ...asked, search: { ...initialSearch, query: 'x' } }, contextOf()).key).not.toBe(key);
  });

  test('is of the same series at another time; each window and each other question has its own', () => {
    const full = answered({ data: Array.from({ length: 100 }, (_, at) => result(`${at}`, 1)), included: [] });
    const series = (range: string, search: Record<string, string>, now: number) =>
      walk(load(range, search, contextOf({ now })), (_, nth) => (nth < 3 ? full : answered({ data: [] }))).calls.map(
        (call) => call.series,
      );
    const day = series('24h', {}, 86_400_000 * 3);
    expect(day.length).toBeGreaterThan(3);
    expect(new Set([...day, undefined]).size).toBe(day.length + 1);
    expect(series('24h', {}, 86_400_000 * 3 + 61_234)).toEqual(day);
    for (const other of [
      series('4h', {}, 1e9),
      series('24h', { query: 'x' }, 1e9),
      series('24h', { track: 'rum' }, 1e9),
    ])
      expect(day).not.toContain(other[0]);
  });

  test('returns its problem', () => {
    const { value } = walk(load(), () => refused('forbidden', 'no', 403));
    expect(value).toMatchObject({ ok: false, problem: { kind: 'forbidden' } });
  });

  test('refuses an invalid range and says what to write', () => {
    const { value, calls } = walk(load('yesterday'), () => answered({}));
    expect(calls).toHaveLength(0);
    expect(value).toMatchObject({ ok: false, problem: { kind: 'invalid', text: expect.stringContaining('24h') } });
    expect(rangeMs('15m')).toBe(15 * minute);
    expect(rangeMs('30d')).toBe(30 * 86_400_000);
    expect(rangeMs('0h')).toBeUndefined();
  });

  test('keeps the requested order', () => {
    const data = [result('a', 5), result('b', 9), result('c', 7)];
    const included = [issue('a', { first_seen: 30 }), issue('b', { first_seen: 10 }), issue('c', { first_seen: 20 })];
    const ids = (order: string) =>
      rowsOf(walk(load('24h', { order }), () => answered({ data, included })).value).rows.map((row) => row.id);
    expect(ids('TOTAL_COUNT')).toEqual(['b', 'c', 'a']);
    expect(ids('FIRST_SEEN')).toEqual(['a', 'c', 'b']);
    expect(ids('PRIORITY')).toEqual(['a', 'b', 'c']);
    const rows = [0, 1, 8, undefined].map((sessions, at) => ({
      ...rowOfIssue(`i${at}`, undefined, new Map()),
      counts: { sessions },
    }));
    expect(rows.sort(byOrder('IMPACTED_SESSIONS')).map(({ id }) => id)).toEqual(['i2', 'i1', 'i0', 'i3']);
  });
});

describe('the rows of a search', () => {
  const data = [result('a', 1), result('b', 2), result('c', 3), result('d', 4)];
  const included = [
    issue('a', { state: 'RESOLVED' }),
    issue('b', { state: 'SNOOZED' }),
    issue('c', { state: 'ACKNOWLEDGED' }),
    { ...issue('d'), relationships: { assignee: { data: { id: 'u1', type: 'user' } } } },
    { id: 'u1', type: 'user', attributes: { name: '', handle: '', email: '' } },
  ];
  const ids = (search: Record<string, string>, context = contextOf()) =>
    rowsOf(walk(load('24h', search, context), () => answered({ data, included })).value).rows.map((row) => row.id);

  test('are filtered by state here; an unknown state is not hidden', () => {
    expect(ids({})).toEqual(['d', 'c', 'b']);
    expect(ids({ states: 'resolved' })).toEqual(['b', 'a']);
    expect(ids({ states: '' })).toEqual(['d', 'c', 'b', 'a']);
  });

  test('are filtered by assignee: me, nobody, and me when the current user is unknown', () => {
    expect(ids({ assignee: 'me' }, contextOf({ me: { id: 'u1', name: 'Ada' } }))).toEqual(['d']);
    expect(ids({ assignee: 'none' })).toEqual(['c', 'b']);
    const { value } = walk(load('24h', { assignee: 'me' }), () => answered({ data, included }));
    expect(rowsOf(value).rows).toHaveLength(3);
    expect(rowsOf(value).notes).toContainEqual(expect.stringContaining('your user is unknown'));
  });

  test('are filtered by team, by its name, handle or id; a team that came without a name may be any', () => {
    const teams = [
      { id: 't1', type: 'team', attributes: { name: 'Shop', handle: 'shop-core' } },
      { id: 't2', type: 'team', attributes: { name: 'Search', handle: '' } },
    ];
    const owned = ['t1', 't2', 't3', undefined].map((team, at) => ({
      ...issue(`i${at + 1}`),
      ...(team && { relationships: { team_owners: { data: [{ id: team, type: 'team' }] } } }),
    }));
    const answer = answered({ data: owned.map(({ id }) => result(id, 1)), included: [...owned, ...teams] });
    const of = (team: string) => rowsOf(walk(load('24h', { team }), () => answer).value).rows.map(({ id }) => id);
    expect(['', 'SHOP', 'shop-core', 't2'].map(of)).toEqual([
      ['i1', 'i2', 'i3', 'i4'],
      ['i1', 'i3'],
      ['i1', 'i3'],
      ['i2', 'i3'],
    ]);
  });

  test('have counts even without included resources, and a note says so', () => {
    const { value } = walk(load(), () => answered({ data: [result('a', 1), { ...result('b', 2), attributes: null }] }));
    const { rows, notes } = rowsOf(value);
    expect(rows.map((row) => [row.id, row.told, row.counts.total])).toEqual([
      ['a', false, 1],
      ['b', false, undefined],
    ]);
    expect(notes).toContainEqual('2 issues came without details: only id and counts');
  });

  test('omit and count results without an id, and name unread fields', () => {
    const answer = answered({ data: [{ type: 'x' }, result('a', 1)], included: [issue('a')] }, [
      'data[0].id: expected text',
      'data[1].attributes.impacted_users: expected a number',
      'data[1].x: no',
    ]);
    const { rows, notes } = rowsOf(walk(load(), () => answer).value);
    expect(rows).toHaveLength(1);
    expect(notes).toContainEqual('1 result without an id left out');
    expect(notes).toContainEqual(
      '3 fields could not be read: data[0].id: expected text, data[1].attributes.impacted_users: expected a number, data[1].x: no',
    );
  });

  test('are empty for an empty body', () => {
    expect(rowsOf(walk(load(), () => answered(undefined)).value)).toEqual({ rows: [], notes: [], unread: [] });
  });

  test('have a note when the filter hides all of them', () => {
    const { value } = walk(load('24h', { states: 'IGNORED' }), () =>
      answered({ data: [result('a', 1)], included: [issue('a')] }),
    );
    expect(rowsOf(value).notes).toContainEqual('1 issue in other states, or of other assignees or teams');
  });
});

describe('halving a window', () => {
  test('the halves meet on a whole minute, or second below one, cover the window and do not overlap', () => {
    for (const [from, to] of [
      [0, 90_000],
      [30_000, 95_000],
      [10_000, 75_000],
      [1, 60_002],
      [0, 120_000],
      [59_999, 86_400_123],
      [700, 2_100],
    ] as const) {
      const window = openWindow(from, to);
      expect(divisible(window)).toBe(true);
      const [one, other] = halves(window);
      expect([one.from, one.to, other.to]).toEqual([from, other.from, to]);
      expect(one.to % (to - from > minute ? minute : 1000)).toBe(0);
      expect(one.to).toBeGreaterThan(from);
      expect(one.to).toBeLessThan(to);
    }
    expect(divisible(openWindow(0, 1000))).toBe(false);
  });

  test("the whole window's counts win; else totals are added and the greater number of users is used", () => {
    const root = openWindow(0, 4 * minute);
    root.results = [result('top', 50, 7)];
    const [one, other] = halves(root);
    Object.assign(one, { results: [result('top', 20, 5), result('low', 3, 3)], open: false });
    Object.assign(other, { results: [result('low', 4, 5), result('once', 1, 1)], open: false });
    root.parts = [one, other];
    const { found, open } = readSearchWindow(root);
    expect(open).toBe(false);
    expect(found.get('top')?.counts).toEqual({ total: 50, sessions: 50, users: 7 });
    expect(found.get('low')?.counts).toMatchObject({ total: 7, users: 5, peopleAtLeast: true });
    expect(found.get('low')?.counts.totalAtLeast).toBeUndefined();
    expect(found.get('once')?.counts).toMatchObject({ total: 1, users: 1 });
    expect(found.get('once')?.counts.peopleAtLeast).toBeUndefined();
  });

  test('a total is "at least" where a half was not read completely', () => {
    const root = openWindow(0, 4 * minute);
    const [one, other] = halves(root);
    Object.assign(one, { results: [result('low', 3)], open: false });
    root.parts = [one, other];
    expect(readSearchWindow(root)).toMatchObject({ open: true });
    expect(readSearchWindow(root).found.get('low')?.counts.totalAtLeast).toBe(true);
  });

  test('a count that one half lacks is kept', () => {
    const root = openWindow(0, 4 * minute);
    const [one, other] = halves(root);
    one.results = [{ ...result('a', 1), attributes: {} }, result('b', 5)];
    other.results = [result('a', 5), { ...result('b', 1), attributes: {} }];
    root.parts = [one, other];
    const { found } = readSearchWindow(root);
    for (const id of ['a', 'b']) expect(found.get(id)?.counts).toMatchObject({ total: 5, users: 5 });
  });
});

describe('searches with a hundred results', () => {
  const context = contextOf();
  const spread = (count: number, at: (nth: number) => number) =>
    Object.fromEntries(Array.from({ length: count }, (_, nth) => [`i${nth}`, [at(nth)]]));

  test('ninety-nine, or more than a hundred in one response, are complete', () => {
    expect(walk(load(), service(spread(99, () => context.now - minute))).calls).toHaveLength(1);
    expect(
      walk(
        load(),
        service(
          spread(150, () => context.now - minute),
          1000,
        ),
      ).calls,
    ).toHaveLength(1);
  });

  test('exactly a hundred are searched in halves until each part has fewer, and every issue is listed once', () => {
    const events = spread(320, (nth) => context.now - 24 * 60 * minute + nth * 4 * minute);
    const { value, calls, partials } = walk(load(), service(events));
    const { rows, notes } = rowsOf(value);
    expect(rows).toHaveLength(320);
    expect(new Set(rows.map((row) => row.id)).size).toBe(320);
    expect(notes).toEqual([]);
    expect(calls.length).toBeGreaterThan(1);
    expect(calls.length).toBeLessThanOrEqual(15);
    expect((partials[0] as Rows<IssueRow>).rows).toHaveLength(100);
    expect((partials[0] as Rows<IssueRow>).notes).toContainEqual('First 100 shown, loading more…');
  });

  test('the parts have the parameters of the whole search, without a gap', () => {
    const events = spread(150, (nth) => context.now - 24 * 60 * minute + nth * 9 * minute);
    const { calls } = walk(load('24h', { query: 'x', track: 'logs' }), service(events));
    const [whole, ...parts] = calls.map(askingOf);
    expect(parts).toHaveLength(2);
    expect(parts[0]?.from).toBe(whole?.from);
    expect(parts[0]?.to).toBe(parts[1]?.from);
    expect(parts[1]?.to).toBe(whole?.to);
    for (const part of parts) expect(part).toMatchObject({ query: 'x', track: 'logs', order_by: 'TOTAL_COUNT' });
  });

  test('one second is not split: "100 or more in 11:30-11:31 UTC"', () => {
    const read = (seconds: number) => {
      const events = spread(150 * seconds, (nth) => context.now - 29 * minute - 30_000 + (nth % seconds) * 1000);
      return rowsOf(walk(load('1h'), service(events)).value);
    };
    expect(read(1).rows).toHaveLength(100);
    const notes = Array.from({ length: 3 }, () => '100 or more in 11:30-11:31 UTC');
    expect([1, 3, 5].map((seconds) => read(seconds).notes?.filter((note) => note.startsWith('100')))).toEqual([
      notes.slice(0, 1),
      notes,
      [...notes, '100 or more in 2 further minutes'],
    ]);
  });

  /** 300 issues of the last minute, of five services. */
  const ofServices = (call: Call, isMatch: (service: string, query: string) => boolean) => {
    const all = Array.from({ length: 300 }, (_, nth) => ({ id: `i${nth}`, service: `shop-${nth % 5}`, at: nth * 200 }));
    const { from, to, query } = askingOf(call);
    const hits = all.filter(({ service, at }) => {
      const when = context.now - minute + at;
      return when >= from && when < to && isMatch(service, query);
    });
    const first = hits.slice(0, 100);
    return answered({
      data: first.map(({ id }) => result(id, 1)),
      included: first.map(({ id, service }) => issue(id, { service })),
    });
  };
  const bySearch = (service: string, query: string) =>
    query
      .split(/ (?=-?service:)/)
      .filter((term) => term.includes('service:'))
      .every((term) => term.startsWith('-') !== term.includes(service));
  const allOf = (value: ReturnType<typeof walk<unknown>>['value']) => {
    const { rows, notes } = rowsOf(value);
    expect([new Set(rows.map(({ id }) => id)).size, notes]).toEqual([300, []]);
    return rows;
  };

  test('issues of several services are searched by service, each with its whole count', () => {
    const { value, calls } = walk(load('1h', { query: 'x OR y' }), (call) => ofServices(call, bySearch));
    const rows = allOf(value);
    expect(rows.every(({ counts }) => counts.peopleAtLeast === undefined)).toBe(true);
    expect(askingOf(calls[1] as Call)).toMatchObject({
      query: expect.stringMatching(/^\(x OR y\) service:\(shop-\d OR /),
      from: context.now - 60 * minute,
      to: context.now,
    });
    expect(calls.length).toBeLessThan(10);
  });

  test('the next read begins with the parts by service, and asks each once; where it no longer may, anew', () => {
    const serve = (call: Call) => ofServices(call, bySearch);
    const first = walk(load(), serve);
    const next = walk(again(first.value), serve);
    const byId = (rows: readonly IssueRow[]) => rows.toSorted((one, other) => one.id.localeCompare(other.id));
    expect(byId(allOf(next.value))).toEqual(byId(allOf(first.value)));
    const parts = next.calls.map((call) => askingOf(call).query);
    expect(parts.every((query) => query.includes('service:'))).toBe(true);
    expect(new Set(parts).size).toBe(parts.length);
    expect([first.calls.length, next.calls.length]).toEqual([9, 5]);
    expect(walk(again(next.value), serve).calls.map(askingOf)).toEqual(next.calls.map(askingOf));
    expect(askingOf(walk(again(first.value, 4), serve).calls[0] as Call).query).toBe('*');
    const refusing = walk(again(first.value), (call) =>
      askingOf(call).query === '*' ? ofServices(call, () => true) : refused('invalid', 'no', 400),
    );
    expect(refusing.calls.slice(0, 2).map((call) => askingOf(call).query)).toEqual([parts[0], '*']);
    expect(askingOf(walk(again(refusing.value), serve).calls[0] as Call).query).toBe('*');
    expect(walk(again(first.value), () => refused('unreachable', 'gone')).calls).toHaveLength(1);
    const byPriority = { search: { ...initialSearch, order: 'PRIORITY' }, range: '24h' };
    const ordered = loadIssues(byPriority, context).plan(context, rowsOf(first.value));
    expect(askingOf(walk(ordered, serve).calls[0] as Call).query).toBe('*');
  });

  test('parts that have become few are one search again, and so are those that lack an issue of their whole', () => {
    const first = walk(load(), (call) => ofServices(call, bySearch));
    const few = walk(again(first.value), (_, nth) =>
      nth < 3 ? answered({ data: [result(`i${nth}`, 1)] }) : answered({ data: [] }),
    );
    const fewer = walk(again(few.value), () => answered({ data: [] }));
    expect(fewer.calls.length).toBeLessThan(few.calls.length);
    const unnamed = (call: Call) =>
      ofServices(call, (service, query) => query === '*' || (service !== 'shop-0' && bySearch(service, query)));
    const whole = walk(load(), unnamed);
    expect(askingOf(walk(again(whole.value), unnamed).calls[0] as Call).query).toBe('*');
  });

  test.each([
    ['does not search by service', (call: Call) => ofServices(call, () => true)],
    ['knows no terms with a minus', (call: Call) => ofServices(call, (_, query) => !query.includes('-service'))],
    ['finds nothing by service', (call: Call) => ofServices(call, (_, query) => !query.includes('service:'))],
    [
      'refuses the query',
      (call: Call) =>
        askingOf(call).query.includes('service:') ? refused('invalid', 'no', 400) : ofServices(call, () => true),
    ],
  ])('a deployment that %s is searched by time', (_, serve) => {
    allOf(walk(load('1h'), serve).value);
  });

  test('the search stops at its budget and says so', () => {
    const busy = Object.fromEntries(
      Array.from({ length: 200 }, (_, nth) => [
        `i${nth}`,
        Array.from({ length: 24 * 60 }, (_, at) => context.now - (at + 1) * minute),
      ]),
    );
    const { value, calls } = walk(load(), service(busy));
    expect(calls.length).toBeLessThanOrEqual(40);
    expect(rowsOf(value).notes).toContainEqual(`stopped after ${calls.length} requests: narrow the query or the range`);
    expect(rowsOf(value).missing).toContainEqual(expect.stringContaining('stopped after'));
    const few = walk(load('24h', {}, context, 5), service(busy));
    expect(few.calls).toHaveLength(5);
  });

  test('a failed part keeps the rows and is named; an unreachable service stops the rest', () => {
    const events = spread(320, (nth) => context.now - 24 * 60 * minute + nth * 4 * minute);
    const serve = service(events);
    const { value, calls } = walk(load(), (call, nth) => (nth === 2 ? refused('unreachable', 'gone') : serve(call)));
    expect(calls).toHaveLength(2);
    const { rows, notes } = rowsOf(value);
    expect(rows).toHaveLength(100);
    expect(notes).toContainEqual('2026-05-05 12:00-00:00 UTC was not read: gone');
  });

  test('an unreadable part does not stop the others', () => {
    const events = spread(150, (nth) => context.now - 24 * 60 * minute + nth * 9 * minute);
    const serve = service(events);
    const { value, calls } = walk(load(), (call, nth) => (nth === 2 ? refused('unreadable', 'odd') : serve(call)));
    expect(calls).toHaveLength(3);
    expect(rowsOf(value).rows.length).toBeGreaterThan(100);
  });

  test('a canceled search is a canceled result', () => {
    const events = spread(320, (nth) => context.now - 24 * 60 * minute + nth * 4 * minute);
    const serve = service(events);
    const { value } = walk(load(), (call, nth) => (nth === 2 ? refused('canceled', 'off') : serve(call)));
    expect(value).toMatchObject({ ok: false, problem: { kind: 'canceled' } });
  });

  test('people of an issue that lasts over both halves are told as the most in one, with a note', () => {
    const [early, late] = [context.now - 20 * 60 * minute, context.now - 60 * minute];
    const timesOf = (nth: number) =>
      nth < 60 ? [early, early, early] : nth < 120 ? [late, late, late] : [early, late];
    const events = Object.fromEntries(Array.from({ length: 150 }, (_, nth) => [`i${nth}`, timesOf(nth)]));
    const { rows, notes } = rowsOf(walk(load(), service(events)).value);
    expect([rows.length, rows.filter(({ counts }) => counts.peopleAtLeast).length]).toEqual([150, 30]);
    expect(notes).toEqual(['+ = highest value in one time slice, not a total']);
  });

  test('a service with three fifths of the results is searched apart, one with more with the others', () => {
    const window = openWindow(0, minute);
    const terms = (largest: number) => {
      window.results = Array.from({ length: 10 }, (_, nth) => result(`i${nth}`, 1));
      const values = new Map(window.results.map((one, at) => [one, at < largest ? 'a' : `b${at}`]));
      return splitBy(window, { field: 'service', values })?.map((part) => part.terms);
    };
    expect([terms(6), terms(7)].map((parts) => parts?.[0])).toEqual(['service:(a)', 'service:(b7 OR b8 OR b9)']);
  });

  test('results that could not be read count toward the hundred', () => {
    const data = Array.from({ length: 99 }, (_, nth) => result(`i${nth}`, 1));
    const { calls } = walk(load('1h'), (_, nth) =>
      nth === 1 ? answered({ data }, ['data[4]: expected an object']) : answered({ data: [] }),
    );
    expect(calls).toHaveLength(3);
  });
});

test('the title bar shows the search without its defaults', () => {
  expect(describeSearch(initialSearch)).toBe('state:OPEN,ACKNOWLEDGED');
  expect(describeSearch({ query: 'timeout', track: 'rum', order: 'FIRST_SEEN', states: '', assignee: 'me' })).toBe(
    'state:any track:rum assignee:me "timeout" by first seen',
  );
  expect(readIssueSearch({}).persona).toBe('ALL');
});
