import { describe, expect, test } from 'vitest';
import { groupsText, isSilent, mutedText } from '../../screens/monitors/columns.ts';
import { downtimes } from '../../screens/monitors/downtimes.ts';
import { muteList } from '../../screens/monitors/ledger.ts';
import { ledgerRows } from '../../screens/monitors/ledger-row.ts';
import { initialSearch, monitorsSource, searchSays } from '../../screens/monitors/load.ts';
import { type MonitorRow, readMonitor } from '../../screens/monitors/row.ts';
import { readMonitorWhole } from '../../screens/monitors/whole-monitor.ts';
import type { Call } from '../../src/api/endpoint.ts';
import { problemResult, type Result } from '../../src/api/problem.ts';
import type { Rows } from '../../src/describe/context.ts';
import { answered, contextOf, refused, walk } from '../support/plans.ts';
import { there } from '../support/there.ts';

const context = contextOf();
const many = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => ({ id: from + at, name: `m${from + at}` }));

function load(search: Record<string, string>, answer: (call: Call, nth: number) => Result<unknown>) {
  const source = monitorsSource({ search: { ...initialSearch, ...search }, range: '' });
  return walk(source.plan(context), answer);
}

function rowsIn(value: Result<Rows<MonitorRow>>): Rows<MonitorRow> {
  if (!value.ok) throw new Error(value.problem.text);
  return value.value;
}

describe('reading every monitor', () => {
  test('does not loop where every page is the whole list', () => {
    const { value, calls } = load({}, () => answered(many(1, 2500)));
    expect(rowsIn(value).rows).toHaveLength(2500);
    expect(calls.length).toBeLessThanOrEqual(2);
  });

  test('continues where pages are smaller than requested', () => {
    const { value } = load({}, (call) => {
      const after = Number(call.query.id_offset);
      return answered(many(after + 1, Math.min(after + 100, 250)));
    });
    expect(rowsIn(value).rows).toHaveLength(250);
  });

  test('of more than 10,000 what alerts is read first; of more than 25,000 the first are listed, with how many there are', () => {
    const found = (monitors: readonly object[], total: number) => ({
      ...answered({ monitors, metadata: { total_count: total } }),
    });
    const alerting = [...Array(100).keys(), 29_000].map((id) => ({ id: id + 1, name: `m${id}`, status: 'Alert' }));
    const answer = ({ query }: Call) => {
      const page = alerting.slice(100 * Number(query.page), 100 * Number(query.page) + 100);
      if ('query' in query) return query.query === '' ? found([], 30_000) : found(page, 101);
      const after = Number(query.id_offset);
      return answered(many(after + 1, Math.min(30_000, after + 1000)));
    };
    const { value, calls, partials } = load({}, answer);
    const shown = partials.map((partial) => (partial as Rows<MonitorRow>).rows.length);
    expect(shown).toEqual(shown.toSorted((one, other) => one - other));
    const asked = calls.map(({ query }) => ('query' in query ? `search "${query.query}"` : `${query.id_offset}`));
    expect(asked.slice(10, 14)).toEqual(['10000', ...Array(2).fill('search "status:Alert"'), '11000']);
    expect(asked.slice(-2)).toEqual(['24000', 'search ""']);
    const { rows, notes, missing } = rowsIn(value);
    expect(rows).toHaveLength(25_001);
    const byId = new Map(rows.map((row) => [row.id, row]));
    // What was found by search is read whole where its page is read.
    expect([byId.get('5'), byId.get('29001')]).toMatchObject([{ partial: false }, { state: 'Alert', partial: true }]);
    const says = 'the first 25,000 of 30,000 monitors by ID and all that alert (1 more): s searches the others';
    expect([notes, missing]).toEqual([[says], [says]]);
    const printed = walk(
      monitorsSource({ search: initialSearch, range: '' }).plan(contextOf({ keepsRaw: true })),
      answer,
    );
    expect(rowsIn(printed.value).rows).toHaveLength(30_000);
  });

  test('of more than 25,000 a poll of a part keeps to those that are listed, and what alerts besides', () => {
    const service = { alerting: ['29001'] };
    const answer = ({ query }: Call) => {
      const found = service.alerting.map((id) => ({ id, name: `m${id}`, status: 'Alert' }));
      if ('query' in query) {
        const monitors = query.query === '' ? [] : found;
        return answered({ monitors, metadata: { total_count: query.query === '' ? 30_000 : found.length } });
      }
      const after = Number(query.id_offset);
      const page = many(after + 1, Math.min(30_000, after + Number(query.page_size)));
      const stateOf = (id: number) => (service.alerting.includes(String(id)) ? 'Alert' : 'OK');
      return answered(page.map((one) => ({ ...one, overall_state: stateOf(one.id) })));
    };
    const source = monitorsSource({ search: initialSearch, range: '' });
    let at = context.now;
    const next = (before?: Rows<MonitorRow>) => {
      at += 15_000;
      const read = rowsIn(walk(source.plan(contextOf({ now: at }), before), answer).value);
      return { read, beyond: read.rows.filter(({ id }) => Number(id) > 25_000) };
    };
    const first = next();
    expect(first.beyond).toMatchObject([{ id: '29001', partial: true }]);
    const nearEnd = { ...first.read, memory: { ...(first.read.memory as object), after: '24900' } };
    const second = next(nearEnd);
    expect(second.beyond).toMatchObject([{ id: '29001', state: 'Alert', partial: false }]);
    expect(second.read).toMatchObject({ notes: first.read.notes, memory: { after: '0' } });
    service.alerting = [];
    const { read, beyond } = next(second.read);
    expect([read.rows.length, beyond, (read.memory as { after: string }).after]).toEqual([25_000, [], '250']);
  });

  test('continues past elements that could not be read', () => {
    const { value } = load({}, (_, nth) =>
      nth === 1 ? answered(many(2, 1000), ['[0]: expected an object']) : answered(many(1001, 1003)),
    );
    expect(rowsIn(value).rows).toHaveLength(1002);
    expect(rowsIn(value).notes).toEqual(['1 monitor could not be read: [0]: expected an object']);
  });

  test('names unreadable elements', () => {
    const { value } = load({}, () => answered([{ id: 1 }, null, 'x', { name: 'without id' }]));
    expect(rowsIn(value)).toMatchObject({
      rows: [{ id: '1' }],
      notes: ['3 monitors could not be read: number 2, number 3, without id'],
    });
  });

  test('keeps ids beyond 2^53 exact', () => {
    const big = 9007199254740993n;
    const { calls } = load({}, (_, nth) => answered(nth === 1 ? [...many(1, 999), { id: big }] : []));
    expect(calls[1]?.query.id_offset).toBe('9007199254740993');
  });

  test('has each row once, as it was read last, and continues from the highest id whatever the order', () => {
    const texts = ['0010', '9', '2'].map((id) => ({ id, name: `m${id}` }));
    const { value, calls } = load({}, (_, nth) =>
      answered(nth === 1 ? [...many(11, 1007), ...texts, { id: 11, name: 'again' }] : [...many(3000, 3001), { id: 9 }]),
    );
    expect(calls[1]?.query.id_offset).toBe('1007');
    const { rows } = rowsIn(value);
    expect(rows).toHaveLength(1002);
    expect(rows.filter(({ id }) => ['11', '9'].includes(id)).map(({ name }) => name)).toEqual([
      'again',
      '(no name) #9',
    ]);
    const odd = Array.from({ length: 1000 }, (_, at) => ({ id: at === 0 ? '9' : `00${at % 8}` }));
    expect(load({}, (_, nth) => answered(nth === 1 ? odd : [])).calls[1]?.query.id_offset).toBe('9');
  });

  /** A service that holds ids 1 to `count`, and whose page is too big above `most` monitors, or at all with `giant`. */
  const bulky =
    (count: number, most: number, giant = 0) =>
    (call: Call): Result<unknown> => {
      const { id_offset, page_size, group_states } = call.query;
      const from = Number(id_offset) + 1;
      const to = Math.min(count, from + Number(page_size) - 1);
      const isGiant = from <= giant && giant <= to && group_states !== undefined;
      return isGiant || to - from + 1 > most
        ? problemResult('unreadable', 'too long', { tooBig: true })
        : answered(many(from, to));
    };

  test('reads a page that is too large again in smaller ones', () => {
    const { value, calls, partials } = load({}, bulky(1000, 300));
    expect(rowsIn(value).rows).toHaveLength(1000);
    expect(rowsIn(value).notes).toEqual([]);
    expect(calls.map((call) => [call.query.id_offset, call.query.page_size])).toEqual([
      ['0', 1000],
      ['0', 250],
      ['250', 250],
      ['500', 250],
      ['750', 250],
      ['1000', 250],
    ]);
    expect(partials[0]).toMatchObject({ rows: { length: 250 } });
  });

  test('continues with smaller pages where a later one is too large', () => {
    const { value } = load({}, (call) => bulky(2000, Number(call.query.id_offset) < 1000 ? 1000 : 60)(call));
    expect(rowsIn(value).rows).toHaveLength(2000);
  });

  test('reads a monitor that is too large without its groups, with a note', () => {
    const { value, calls } = load({}, bulky(7, 1000, 3));
    expect(rowsIn(value).rows.map((row) => row.id)).toEqual(['1', '2', '3', '4', '5', '6', '7']);
    expect(rowsIn(value).notes).toEqual(['m3 is shown without its groups: they are too large to read']);
    const bare = calls.filter(({ query }) => query.group_states === undefined);
    expect(bare.map(({ query }) => query.page_size)).toEqual([1]);
    expect(calls.at(-1)?.query.page_size).toBeGreaterThan(1);
    const lost = load({}, (call) =>
      call.query.group_states === undefined ? refused('unreachable', 'gone') : bulky(7, 1000, 3)(call),
    );
    expect(lost.value).toMatchObject({ ok: false, problem: { kind: 'unreachable' } });
  });

  test('ends with a note at an unreadable monitor, with the problem if that is the first', () => {
    const hopeless = (giant: number) => (call: Call) =>
      Number(call.query.id_offset) + 1 <= giant && giant <= Number(call.query.id_offset) + Number(call.query.page_size)
        ? problemResult('unreadable', 'too long', { tooBig: true })
        : bulky(7, 1000)(call);
    const { value } = load({}, hopeless(3));
    expect(rowsIn(value).rows.map((row) => row.id)).toEqual(['1', '2']);
    expect(rowsIn(value).notes).toEqual(['the list ends at 2: the next monitor is too large to read']);
    expect(load({}, hopeless(1)).value).toMatchObject({ ok: false, problem: { text: 'too long' } });
  });

  test('keeps monitors in the requested state, or with a group in it, and misses none that a service leaves out', () => {
    const source = monitorsSource({ search: { ...initialSearch, groups: 'no data' }, range: '' });
    const { value, calls } = walk(source.plan(contextOf({ keepsRaw: true })), ({ query }) =>
      'query' in query
        ? answered({ monitors: [], metadata: { total_count: 340 } })
        : answered([
            { id: 1, overall_state: 'No Data' },
            { id: 2, overall_state: 'Alert', state: { groups: { a: { status: 'No Data' } } } },
            { id: 3, overall_state: 'OK', state: {} },
          ]),
    );
    expect(rowsIn(value).rows.map((row) => row.id)).toEqual(['1', '2']);
    expect(rowsIn(value).missing).toBeUndefined();
    expect(calls[0]?.query.group_states).toBe('no data');
    expect(searchSays({ groups: 'no data', query: '' })).toBe('groups:no data');
  });
});

describe('the search', () => {
  const counts = {
    status: [
      { name: 'Warn', count: 3 },
      { name: 'Alert', count: 12 },
      { name: 'OK', count: 0 },
    ],
    muted: [
      { name: false, count: 205 },
      { name: true, count: 9 },
    ],
  };
  const page = (from: number, to: number) =>
    answered({ monitors: many(from, to), counts, metadata: { total_count: 214 } });

  test('reads every page and has the counts over all matches', () => {
    const { value, calls, partials } = load({ query: 'status:Alert' }, (_, nth) =>
      page((nth - 1) * 100 + 1, Math.min(nth * 100, 214)),
    );
    expect(rowsIn(value)).toMatchObject({ rows: { length: 214 }, notes: ['214 match: 12 alert, 3 warn; 9 muted'] });
    const searches = calls.filter((call) => call.endpoint.id === 'monitors.search');
    expect(searches.map((call) => call.query.page)).toEqual([0, 1, 2]);
    expect(partials).toHaveLength(2);
  });

  test('does not loop where the page number is ignored', () => {
    const { value, calls } = load({ query: 'x' }, () => page(1, 100));
    expect(calls.filter((call) => call.endpoint.id === 'monitors.search')).toHaveLength(2);
    expect(rowsIn(value).missing).toEqual(['100 of 214 monitors']);
  });

  test('ends with its total, of which one may not be readable', () => {
    const { value, calls } = load({ query: 'x' }, (call) =>
      call.endpoint.id === 'monitors.search'
        ? answered({ monitors: many(1, 2), metadata: { total_count: 3 } }, ['monitors[2]: expected an object'])
        : answered([]),
    );
    expect(calls.filter((call) => call.endpoint.id === 'monitors.search')).toHaveLength(1);
    expect(rowsIn(value).rows).toHaveLength(2);
  });

  const silent = { id: 4211, name: 'Disk', overall_state: 'Alert', options: { silenced: { '*': null } } };
  const found = (ids: readonly number[]) =>
    answered({ monitors: ids.map((id) => ({ id, status: 'Alert', muted_until_ts: null })) });

  test('shows of a monitor what the list shows: mutes without an end, and groups', () => {
    const groups = { 'host:a': { status: 'Alert' }, 'host:b': { status: 'OK' } };
    const listed = answered([
      silent,
      { ...silent, id: 5000, options: {}, state: { groups } },
      { id: 9000, name: 'not asked for' },
    ]);
    const { value, calls } = load({ query: 'muted:true' }, (call) =>
      call.endpoint.id === 'monitors.search' ? found([5000, 4211, 70_000]) : listed,
    );
    // The page that begins at the first monitor that was found.
    expect(calls.at(-1)?.query).toMatchObject({ id_offset: '4210', with_downtimes: true, group_states: 'all' });
    expect(rowsIn(value).rows.map((row) => [row.id, row.partial, mutedText(row, context), groupsText(row)])).toEqual([
      ['5000', false, '', '1/2'],
      ['4211', false, 'forever', ''],
      ['70000', true, '?', '?'],
    ]);
  });

  test('shows what it does not know as unknown where the list cannot be read', () => {
    const { value } = load({ query: 'muted:true' }, (call) =>
      call.endpoint.id === 'monitors.search' ? found([4211]) : refused('forbidden', 'no', 403),
    );
    expect(
      rowsIn(value).rows.map((row) => [mutedText(row, context), groupsText(row), isSilent(row, context.now)]),
    ).toEqual([['?', '?', undefined]]);
  });

  test.each([[null], [{}], [{ monitors: null, counts: [], metadata: null }], ['x']])(
    'reads %j as an empty result',
    (answer) => {
      expect(rowsIn(load({ query: 'x' }, () => answered(answer)).value).rows).toEqual([]);
    },
  );

  test('has one key for each question', () => {
    const key = (search: Record<string, string>) =>
      monitorsSource({ search: { ...initialSearch, ...search }, range: '' }).key;
    expect(key({})).toBe(key({}));
    expect(new Set([key({}), key({ query: 'a' }), key({ groups: 'ok' }), key({ query: 'a', groups: 'ok' })]).size).toBe(
      4,
    );
  });
});

describe('one monitor with its mutes', () => {
  const end = '2026-05-06T13:00:00Z';
  const answers: Record<string, Result<unknown>> = {
    'monitors.get': answered({
      id: 1,
      name: 'Disk',
      options: {},
      matching_downtimes: [{ id: 812, scope: ['env:prod'], end: null, monitor_id: null }],
    }),
    'monitors.downtime-matches': answered({
      data: [{ id: 'aa-1', type: 'downtime_match', attributes: { scope: 'host:a', end } }, { id: null }, 7],
    }),
    'downtimes-v1.list': answered([
      {
        id: 812,
        monitor_id: null,
        monitor_tags: ['team:core'],
        message: 'patching',
        creator: { name: null, handle: 'kim@example.test' },
      },
    ]),
    'downtimes.list': answered({
      data: [
        {
          id: 'aa-1',
          attributes: { monitor_identifier: { monitor_id: '1' }, message: 'release', notify_end_types: [] },
          relationships: { created_by: { data: { id: 'u1', type: 'users' } } },
        },
      ],
      included: [{ id: 'u1', type: 'users', attributes: { name: 'Kim' } }],
    }),
  };
  const whole = (more: Record<string, Result<unknown>> = {}, offered: (id: string) => boolean = () => true) =>
    walk(
      readMonitorWhole('1', { ...context, offered }),
      (call) => ({ ...answers, ...more })[call.endpoint.id] as Result<unknown>,
    );

  test.each([
    [{}, ['alert', 'no data', 'warn']],
    [{ notify_end_types: ['expired'], notify_end_states: ['Alert'] }, ['alert']],
    [{ notify_end_types: ['canceled'] }, []],
    [{ notify_end_states: [] }, []],
  ])('knows of a downtime with %j in which states its end notifies', (settings, tells) => {
    const attributes = { monitor_identifier: { monitor_id: '1' }, ...settings };
    const { value } = whole({ 'downtimes.list': answered({ data: [{ id: 'aa-1', attributes }] }) });
    const mutes = value.ok ? value.value.row.mutes : [];
    expect(mutes.find(({ id }) => id === 'aa-1')?.tells).toEqual(tells);
  });

  test('has the mutes of both versions, with creator, reason and other muted monitors', () => {
    const { value } = whole();
    expect(value).toMatchObject({
      ok: true,
      value: {
        notes: [],
        row: {
          mutes: [
            {
              by: 'v1',
              id: '812',
              wide: true,
              over: 'every monitor tagged team:core',
              why: 'patching',
              who: 'kim@example.test',
            },
            {
              by: 'v2',
              id: 'aa-1',
              scope: 'host:a',
              wide: false,
              why: 'release',
              who: 'Kim',
              tells: [],
              end: Date.parse(end),
            },
          ],
        },
      },
    });
  });

  test('has what is told of a downtime of the second version behind the first hundred of the organization', () => {
    const others = Array.from({ length: 100 }, (_, at) => ({ id: `b-${at}`, attributes: {} }));
    const told = answers['downtimes.list'] as Result<{ data: readonly object[] }>;
    const own = told.ok ? told.value.data : [];
    const { value } = walk(readMonitorWhole('1', context), ({ endpoint, query }) =>
      endpoint.id === 'downtimes.list'
        ? answered({ data: Number(query['page[offset]'] ?? 0) === 0 ? others : own })
        : (answers[endpoint.id] as Result<unknown>),
    );
    expect(value.ok && value.value.row.mutes.at(-1)).toMatchObject({ id: 'aa-1', wide: false, why: 'release' });
  });

  test('has the downtimes of the second version that match it behind the first hundred, and a note on those that cannot be read', () => {
    const matches = (from: number, to: number) =>
      answered({
        data: Array.from({ length: to - from }, (_, at) => ({ id: `m-${from + at}`, attributes: { scope: 'host:a' } })),
        meta: { page: { total_filtered_count: 250 } },
      });
    const read = (third: Result<unknown>) => {
      const { value } = walk(readMonitorWhole('1', context), ({ endpoint, query }) => {
        if (endpoint.id !== 'monitors.downtime-matches') return answers[endpoint.id] as Result<unknown>;
        const from = Number(query['page[offset]'] ?? 0);
        return from === 200 ? third : matches(from, from + 100);
      });
      return value.ok ? [value.value.row.mutes.length, value.value.notes] : [];
    };
    expect(read(matches(200, 250))).toEqual([251, []]);
    expect(read(matches(0, 0))).toEqual([201, ['some downtimes could not be read: 200 of 250']]);
    const note = 'its downtimes (second version) could not be read: no connection';
    expect(read(refused('unreachable', 'no connection'))).toEqual([201, [note]]);
  });

  test('has a note for a later read that fails, none for an operation that is not offered', () => {
    const failed = whole({
      'monitors.downtime-matches': refused('forbidden', 'needs monitors_downtime', 403),
      'downtimes-v1.list': refused('notOffered', 'gone', 404),
    });
    expect(failed.value).toMatchObject({
      ok: true,
      value: {
        notes: ['its downtimes (second version) could not be read: needs monitors_downtime'],
        row: { mutes: [{ by: 'v1', wide: true }] },
      },
    });
    const less = whole({}, (id) => !id.startsWith('downtimes') && id !== 'monitors.downtime-matches');
    expect(less.calls.map((call) => call.endpoint.id)).toEqual(['monitors.get']);
  });

  test('is a problem for a missing monitor or an unusable response', () => {
    expect(whole({ 'monitors.get': refused('notFound', 'Monitor not found', 404) }).value).toMatchObject({
      ok: false,
      problem: { kind: 'notFound' },
    });
    for (const unusable of [null, { id: 2, name: 'Another', options: {} }])
      expect(whole({ 'monitors.get': answered(unusable) }).value).toMatchObject({
        ok: false,
        problem: { kind: 'unreadable' },
      });
  });
});

describe('deployments without a list of monitors', () => {
  const none = refused('notOffered', 'this deployment does not offer it', 404);
  const by = (given: Record<string, Result<unknown>>) => (call: Call) => given[call.endpoint.id] ?? none;

  test('list every monitor by search, and say so', () => {
    const found = answered({ monitors: [{ id: 1, name: 'a', status: 'OK' }], metadata: { total_count: 1 } });
    const { value, calls } = load({}, by({ 'monitors.search': found }));
    expect(rowsIn(value)).toMatchObject({ rows: [{ id: '1', partial: true }] });
    expect(rowsIn(value).notes?.[0]).toBe('found by search: this deployment does not list monitors');
    expect(calls.map((call) => call.query.query)).toEqual([undefined, '']);
  });

  test('without a search say what to do, and find a monitor by id', () => {
    expect(load({}, by({})).value).toMatchObject({
      problem: {
        kind: 'notOffered',
        text: expect.stringMatching(/: in Monitors, s and the ID of a monitor find that one$/),
      },
    });
    for (const query of ['4211', '#4211', 'id:4211']) {
      expect(
        rowsIn(load({ query }, by({ 'monitors.get': answered({ id: 4211, name: 'Disk' }) })).value).rows,
      ).toMatchObject([{ id: '4211', name: 'Disk' }]);
      expect(rowsIn(load({ query }, by({})).value).rows).toMatchObject([{ id: '4211', bare: true, partial: true }]);
    }
    expect(load({ query: 'disk' }, by({})).value).toMatchObject({ problem: { kind: 'notOffered' } });
    const missing = refused('notFound', 'Monitor not found', 404);
    expect(load({ query: '4211' }, by({ 'monitors.get': missing })).value).toMatchObject({
      problem: { kind: 'notFound' },
    });
  });

  test('do not count a repeated page twice', () => {
    const page = answered([{ id: 1 }, { name: 'no id' }], ['[2]: expected an object']);
    const read = rowsIn(load({}, () => page).value);
    expect(read.missing).toEqual(['2 monitors could not be read: no id, [2]: expected an object']);
    expect(read.notes).toEqual(read.missing);
  });
});

test('current downtimes of both versions are read, those of the second one page after the other', () => {
  const second = (nth: number) => ({
    id: `d${nth}`,
    attributes: { monitor_identifier: { monitor_id: nth }, scope: 'env:a', schedule: {} },
  });
  const { value, calls } = walk(downtimes.plan(contextOf()), ({ endpoint, query }) => {
    if (endpoint.id === 'downtimes-v1.list') return answered([{ id: 1, monitor_id: 1000, scope: ['env:a'] }]);
    const from = Number(query['page[offset]']);
    return answered({ data: Array.from({ length: Math.min(100, 250 - from) }, (_, at) => second(from + at)) });
  });
  expect(value.ok && value.value.rows.map(({ monitor }) => monitor)).toHaveLength(251);
  expect(calls.map(({ query }) => query['page[offset]'])).toEqual([undefined, 0, 100, 200]);
  expect(calls.map(({ query }) => query.current_only)).toEqual([true, true, true, true]);
});

test('the list of mutes that have ended says where it could not be read, instead of having none', () => {
  const answer = ({ endpoint: { id }, query }: Call) =>
    id.startsWith('downtimes') && query.current_only === false
      ? refused('unreachable', 'no answer')
      : answered(id === 'downtimes.list' ? { data: [] } : []);
  const read = ({ range }: { range: string }) =>
    rowsIn(walk(muteList.load({ search: {}, range }, context).plan(context), answer).value as never);
  const says = 'what has ended cannot be read: no answer';
  expect(['any time', 'ended'].map((range) => read({ range }).notes)).toEqual([[], [says]]);
});

test.each([
  ['ended', {}, true],
  ['ended', { end: '2026-05-06T11:00:00Z' }, true],
  ['canceled', { end: '2026-05-06T13:00:00Z' }, true],
  ['active', { end: '2026-05-06T13:00:00Z' }, undefined],
])('a downtime that is not listed, %s with %j, has ended: %s', (status, schedule, isOver) => {
  const id = '0f0e0d0c-0000-4000-8000-000000000001';
  const answer = ({ endpoint }: Call) =>
    answered(endpoint.id === 'downtimes.get' ? { data: { id, attributes: { scope: '*', status, schedule } } } : []);
  const found = there(muteList.find?.([id], { search: {}, range: 'any time' }, context));
  const { value } = walk(found.plan(context), answer);
  expect(value.ok && value.value.rows.map((row) => row.isOver)).toEqual([isOver]);
});

describe('downtimes of the same scope and end that both versions tell', () => {
  const end = '2026-05-06T13:00:00Z';
  const first = (id: number, uuid: string | null, tag: string) => ({
    ...{ id, uuid, monitor_tags: [tag], scope: ['*'], end: Date.parse(end) / 1000 },
  });
  const second = (id: string, tag: string, schedule: object = { end }) => ({
    ...{ id, attributes: { monitor_identifier: { monitor_tags: [tag] }, scope: '*', schedule } },
  });
  const read = (firsts: readonly object[], seconds: readonly object[]) => {
    const { value } = walk(downtimes.plan(context), ({ endpoint }) =>
      answered(endpoint.id === 'downtimes-v1.list' ? firsts : { data: seconds }),
    );
    return value.ok ? value.value.rows : [];
  };
  const rule = {
    ...{ timezone: 'UTC', current_downtime: { end } },
    recurrences: [{ start: '2026-05-06T11:00:00', duration: '2h', rrule: 'FREQ=DAILY' }],
  };

  test('are known by the id that the first version tells; one that it does not tell is another', () => {
    const rows = read(
      [first(1, 'aa', 'team:a'), first(2, 'bb', 'team:b')],
      [second('bb', 'team:b'), second('cc', 'team:c'), second('aa', 'team:a')],
    );
    expect(rows.map(({ id, twin }) => [id, twin])).toEqual([
      ['1', 'aa'],
      ['2', 'bb'],
      ['cc', undefined],
    ]);
    // Older answers tell no id of the second version.
    expect(read([first(1, null, 'team:a')], [second('aa', 'team:a')]).map(({ id }) => id)).toEqual(['1']);
  });

  test.each(['told', 'not told'])('a window is one of its own rule, its id in the second version being %s', (how) => {
    const uuid = (id: string) => (how === 'told' ? id : null);
    const rules = read(
      [first(1, uuid('aa'), 'team:a'), first(2, uuid('bb'), 'team:b')],
      [second('aa', 'team:a', rule), second('bb', 'team:b', rule)],
    );
    const shown = [{ id: 2, scope: ['*'], end: Date.parse(end) / 1000, monitor_id: null }];
    const monitor = readMonitor({ id: 9, name: 'Disk', matching_downtimes: shown }, context.now);
    const listed = ledgerRows(monitor ? [monitor] : [], rules, context.now);
    expect(listed.map(({ id, monitors }) => `${id} ${monitors.length}`)).toEqual(
      how === 'told' ? ['aa 0', 'bb 1'] : ['2 1', 'aa 0', 'bb 0'],
    );
  });
});
