import { describe, expect, test } from 'vitest';
import { columns, monitorStateTone, mutedText } from '../../screens/monitors/columns.ts';
import { detail } from '../../screens/monitors/detail.ts';
import { leftText, muteList } from '../../screens/monitors/ledger.ts';
import { isOwnMute, ledgerRows } from '../../screens/monitors/ledger-row.ts';
import {
  findMutes,
  isLater,
  type Mute,
  mutesRowId,
  muteUnder,
  pagesAgainAt,
  silencedScope,
} from '../../screens/monitors/mutes.ts';
import { again } from '../../screens/monitors/preview.ts';
import { type MonitorRow, readFound, readMonitor } from '../../screens/monitors/row.ts';
import { monitorList } from '../../screens/monitors.ts';
import { commandLine } from '../../src/describe/action.ts';
import type { LoggedEdit } from '../../src/describe/context.ts';
import { detailTabs } from '../../src/describe/list-detail.ts';
import { receipt } from '../../src/describe/receipt.ts';
import type { AnyList } from '../../src/describe/screen.ts';
import { createTheme } from '../../src/scene/theme.ts';
import { sorted } from '../../src/session/rows/list-state.ts';
import type { RowNotice } from '../../src/session/state/message.ts';
import { noticeText } from '../../src/session/state/state-changes.ts';
import { contextOf } from '../support/plans.ts';
import { there } from '../support/there.ts';

const context = contextOf();
const hour = 3_600_000;
const epoch = (ms: number) => Math.round(ms / 1000);

/** The row of a monitor; throws when there is none. */
const row = (value: unknown): MonitorRow => there(readMonitor(value, context.now));

describe('a row of the list', () => {
  test('has the values of a whole object', () => {
    const monitor = row({
      id: 4211,
      name: 'Disk almost full',
      type: 'query alert',
      query: 'avg(last_5m):avg:disk{*} by {host} > 90',
      overall_state: 'Alert',
      overall_state_modified: '2026-05-06T11:00:00.123456+00:00',
      tags: ['team:core'],
      priority: '2',
      creator: { id: { handle: 'ops@example.test' }, name: null },
      options: {
        silenced: {
          'host:web-1': epoch(context.now + hour),
          'host:web-2': epoch(context.now - hour),
          'host:web-3': null,
        },
      },
      state: {
        groups: {
          'host:web-1': { status: 'alert', last_triggered_ts: 1760000000 },
          total: { name: 'total', status: 'OK' },
        },
      },
    });
    expect(monitor).toMatchObject({
      id: '4211',
      name: 'Disk almost full',
      state: 'Alert',
      priority: 2,
      creator: 'ops@example.test',
    });
    expect(monitor.stateSince).toBe(Date.UTC(2026, 4, 6, 11, 0, 0, 123));
    expect(monitor.mutes.map((mute) => [mute.scope, mute.end])).toEqual([
      ['host:web-1', context.now + hour],
      ['host:web-3', null],
    ]);
    expect(monitor.worst.map((group) => [group.name, group.state])).toEqual([
      ['host:web-1', 'Alert'],
      ['*', 'OK'],
    ]);
  });

  test.each([
    [{ id: 1 }],
    [{ id: 1, name: null, options: null, state: null, tags: null, creator: null, matching_downtimes: null }],
    [{ id: 1, name: '  ', state: {}, options: { silenced: null } }],
    [{ id: 1, name: 7, state: { groups: [] }, options: [], tags: 'team:core', overall_state: 3, creator: 'ann' }],
  ])('has a row and a name for %j', (value) => {
    const monitor = row(value);
    expect(monitor).toMatchObject({
      id: '1',
      name: '(no name) #1',
      named: false,
      state: 'Unknown',
      mutes: [],
      groups: { all: 0, red: [], states: [] },
    });
    for (const column of columns) expect(typeof column.text(monitor, context)).toBe('string');
    for (const tab of detailTabs(detail, monitor, undefined, context)) expect(tab.title).not.toBe('');
  });

  test('keeps ids exact and refuses an object without one', () => {
    expect(row({ id: 9007199254740993n }).id).toBe('9007199254740993');
    expect(row({ id: '77' }).id).toBe('77');
    for (const value of [null, 'x', [], {}, { id: null }, { id: 1.5 }, { id: '' }])
      expect(readMonitor(value, 0)).toBeUndefined();
  });

  test('keeps unknown words', () => {
    const monitor = row({ id: 1, overall_state: 'Sleeping', type: 'tea-kettle alert' });
    expect(monitor.state).toBe('Sleeping');
    expect(columns.find((column) => column.id === 'type')?.text(monitor, context)).toBe('tea-kettle');
    expect(monitorStateTone('Sleeping')).toBe('info');
  });

  test('reads a search object, whose units differ', () => {
    const row = readFound(
      {
        id: 5,
        status: 'no data',
        type: 'composite',
        overall_state_modified: 1760000000,
        muted_until_ts: epoch(context.now + hour),
        restricted_roles: [],
      },
      context.now,
    );
    expect(row).toMatchObject({
      id: '5',
      state: 'No Data',
      partial: true,
      stateSince: 1760000000000,
      mutedUntil: context.now + hour,
    });
    expect(row && mutedText(row, context)).toBe('1h left');
  });
});

describe('the mutes of a row', () => {
  const end = context.now + 2 * hour;
  const both = {
    id: 1,
    options: { silenced: { '*': epoch(end) } },
    matching_downtimes: [{ id: 812, scope: ['*'], start: 1, end: epoch(end), monitor_id: 1 }],
  };

  test('are counted once when a downtime appears in both places', () => {
    expect(findMutes(row(both), context.now)).toMatchObject([{ by: 'v1', id: '812', scope: '*', wide: false }]);
  });

  test('are two when the ends differ', () => {
    const monitor = row({ ...both, options: { silenced: { '*': epoch(end + hour) } } });
    expect(findMutes(monitor, context.now).map((mute) => mute.by)).toEqual(['mute', 'v1']);
  });

  test('apply to several monitors unless the downtime is for this one', () => {
    const wide = (downtime: object, silenced = {}) =>
      findMutes(row({ id: 1, options: { silenced }, matching_downtimes: [downtime] }), context.now).find(
        (mute) => mute.by !== 'mute',
      )?.wide;
    expect(wide({ id: 8, scope: ['env:prod'], end: null, monitor_id: null })).toBe(true);
    expect(wide({ id: 8, scope: ['env:prod'], end: null, monitor_id: 2 })).toBe(true);
    expect(wide({ id: 8, scope: ['env:prod'], end: null, monitor_id: 1 })).toBe(false);
    // The specification's form names no monitor; the key in `silenced` decides.
    expect(wide({ id: 8, scope: ['env:prod'], end: null })).toBe(true);
    expect(wide({ id: 8, scope: ['env:prod'], end: epoch(end) }, { 'env:prod': epoch(end + hour) })).toBe(false);
  });

  test('count without a readable end; one with the end 0 is over', () => {
    expect(row({ id: 1, options: { silenced: { a: 'soon', b: 0, c: String(epoch(end)) } } }).mutes).toMatchObject([
      { scope: 'a', end: null },
      { scope: 'c', end },
    ]);
  });

  test('have their scopes in one spelling', () => {
    expect(silencedScope(['env:prod', 'host:a'])).toBe('env:prod,host:a');
    expect(silencedScope('env:prod AND host:a')).toBe('env:prod,host:a');
    expect(silencedScope('env:(prod OR stage) AND x:y')).toBe('env:(prod OR stage) AND x:y');
    for (const text of [null, undefined, [], '', 'total', '*']) expect(silencedScope(text)).toBe('*');
  });

  test('say "will notify again" only where that is true', () => {
    const at = (mutes: object[], group = '*', state?: string) =>
      pagesAgainAt(
        mutes.map((mute) => ({ monitor: '1', by: 'mute' as const, scope: '*', end, wide: false, ...mute })),
        group,
        context.now,
        state,
      );
    expect(at([{}])).toBe(end);
    expect(at([{}, { end: end + hour }])).toBe(end + hour);
    expect(at([{}, { end: null }])).toBeUndefined();
    expect(at([{ tells: [] }])).toBeUndefined();
    expect(at([{ tells: ['alert', 'no data'] }])).toBe(end);
    expect(at([{ tells: ['alert', 'no data'] }], '*', 'No Data')).toBe(end);
    expect(at([{ tells: ['alert', 'no data'] }], '*', 'Warn')).toBeUndefined();
    expect(at([{ end: end - hour }, { tells: ['alert'] }], '*', 'Warn')).toBeUndefined();
    expect(at([{ scope: 'host:a' }])).toBeUndefined();
    expect(at([{ scope: 'host:a' }], 'host:a,env:b')).toBe(end);
    expect(at([])).toBeUndefined();
    expect(at([{}, { start: end - hour / 2, end: end + hour }])).toBe(end + hour);
    expect(at([{}, { start: end, end: null }])).toBeUndefined();
    expect(at([{}, { start: end + 2000, end: end + hour }])).toBe(end);
    expect(at([{ start: context.now + hour / 4 }])).toBeUndefined();
    // A service may round an end to a minute.
    expect([60_000, 60_001].map((ms) => isLater(end + ms, end))).toEqual([false, true]);
    expect([isLater(null, end), isLater(end, null), isLater(null, null)]).toEqual([true, false, false]);
  });

  test('are described in the detail', () => {
    // No list tells whether the end of a downtime notifies.
    expect(again(row({ ...both, overall_state: 'Alert' }), context)).toEqual([
      'May notify again at 14:00 UTC if still alerting',
    ]);
    const plain = { ...both, matching_downtimes: [], overall_state: 'Alert' };
    expect(again(row(plain), context)).toEqual(['Will notify again at 14:00 UTC if still alerting']);
    const long = row({ ...both, overall_state: 'Alert', options: { silenced: { '*': epoch(end + 24 * hour) } } });
    expect(again(long, context)).toEqual(['Will notify again tomorrow 14:00 UTC if still alerting']);
    const calm = row({ ...both, overall_state: 'OK' });
    expect(again(calm, context)).toEqual([]);
    const part = row({
      id: 1,
      overall_state: 'Alert',
      options: { silenced: { 'host:a': epoch(end) } },
      state: { groups: { 'host:a': { status: 'Alert' }, 'host:b': { status: 'Alert' } } },
    });
    expect(again(part, context)).toEqual(['host:a: will notify again at 14:00 UTC if still alerting']);
    const downtime = { by: 'v2' as const, id: 'd' };
    const told = (more: Partial<Mute>) =>
      again({ ...part, mutes: part.mutes.map((mute) => ({ ...mute, ...downtime, ...more })) }, context);
    expect(told({})).toEqual(['host:a: may notify again at 14:00 UTC if still alerting']);
    expect(told({ tells: ['alert'] })).toEqual(['host:a: will notify again at 14:00 UTC if still alerting']);
    expect(told({ tells: ['warn'] })).toEqual([]);
    const alerts = (names: string) => Object.fromEntries([...names].map((name) => [name, { status: 'Alert' }]));
    const silenced = { a: epoch(end), b: epoch(end), c: epoch(end), d: epoch(end) };
    const many = row({ id: 1, overall_state: 'Alert', options: { silenced }, state: { groups: alerts('abcde') } });
    expect(again(many, context)).toEqual(['a, b, c and 1 more: will notify again at 14:00 UTC if still alerting']);
    const next: Mute = { monitor: '1', by: 'v2', id: 'd', scope: '*', start: end, end: null, wide: false };
    expect(again({ ...part, mutes: [...part.mutes, next] }, context)).toEqual([]);
  });

  test('are told to a colleague beside the state, as far as they are known', () => {
    const told = monitorList.now ?? expect.fail();
    const alerting = { id: 1, overall_state: 'Alert' };
    const [plain, muted] = [
      row(alerting),
      row({ ...alerting, options: { silenced: { '*': null, 'host:a': epoch(end) } } }),
    ];
    const [first = expect.fail(), second = expect.fail()] = muted.mutes;
    const found = (more: object) => there(readFound({ id: 1, status: 'Alert', ...more }, context.now));
    const rows = [
      ...[plain, muted, { ...muted, mutes: [{ ...second, who: 'Kim', why: 'deploy' }] }, { ...muted, mutes: [first] }],
      ...[found({}), found({ muted_until_ts: epoch(end) })],
    ];
    expect(rows.map((one) => told(one, context))).toEqual([
      'ALERT, not muted',
      'ALERT, muted (all groups) forever; muted (host:a) until 14:00 UTC',
      'ALERT, muted (host:a) until 14:00 UTC, reason: deploy, set by Kim',
      'ALERT, muted (all groups) forever',
      'ALERT, mutes not read',
      'ALERT, muted',
    ]);
  });

  test('are open ends of a shift where their end notifies: no longer mute is left, and what alerts is under them', () => {
    const [first, later] = [epoch(end), epoch(end + hour / 2)];
    const ends = (...all: object[]) =>
      monitorList
        .openEnds?.(
          all.map((silenced) => row({ ...alerting, options: { silenced } })),
          contextOf({ now: end - hour }),
        )[1]
        ?.named.map(({ lead }) => lead);
    const groups = { 'host:a': { status: 'Alert' }, 'host:b': { status: 'OK' } };
    const alerting = { id: 1, name: 'Disk', overall_state: 'Alert', state: { groups } };
    expect(ends({ '*': later }, { 'host:a': first })).toEqual(['14:00 UTC', '14:30 UTC']);
    expect(ends({ 'host:a': first, '*': null }, { 'host:b': first })).toEqual([]);
    expect(ends({ 'host:a': first, '*': later })).toEqual(['14:30 UTC']);
  });

  test('have a value in the detail where there are no groups, with what it is compared with', () => {
    const values = (groups: object) => {
      const options = { thresholds: { critical: 20, warning: null } };
      const monitor = row({ id: 1, overall_state: 'Alert', options, state: { groups } });
      const [state] = detail.sections(monitor, undefined, context);
      return state?.lines.flatMap((line) => (line.kind === 'pair' && line.label === 'Value' ? [line.value] : []));
    };
    const valued = (value: number) => ({ status: 'Alert', triggering_value: { value } });
    expect(values({ '*': valued(29) })).toEqual(['29 · critical 20']);
    expect(values({ 'host:a': valued(29), 'host:b': valued(3) })).toEqual([]);
    expect(values({ '*': { status: 'Alert' } })).toEqual([]);
  });

  test('have rows in the detail that carry the mute', () => {
    const tab = detailTabs(detail, row(both), undefined, context).find((tab) => tab.id === 'mutes');
    const subRowId = tab?.kind === 'rows' ? tab.rows[0]?.id : undefined;
    expect(muteUnder({ subRowId: subRowId as string })).toMatchObject({ by: 'v1', id: '812', monitor: '1' });
    expect(muteUnder({ subRowId: 'host:web-1' })).toBeUndefined();
    const mute = findMutes(row(both), context.now)[0];
    expect(mute && muteUnder({ subRowId: mutesRowId(mute) })).toEqual(mute);
  });
});

describe('the list', () => {
  test.each([
    ['state', true, 'P1 P2 early late none muted warn nodata okP1 ok'],
    ['state', false, 'okP1 ok nodata warn muted P1 P2 early late none'],
    ['priority', false, 'P1 okP1 P2 muted early late none warn nodata ok'],
    ['priority', true, 'early late P2 muted P1 okP1 none warn nodata ok'],
    ['name', false, 'P1 P2 early late none muted warn nodata okP1 ok'],
  ])('by %s, downward %s: equal ones by state, those that notify first, then priority, then age', (by, down, order) => {
    const of = (id: string, overall_state: string, priority: number | null, day: number, silenced = {}) =>
      row({ id, name: 'n', overall_state, priority, overall_state_modified: `2026-05-0${day}`, options: { silenced } });
    const rows = [
      of('okP1', 'OK', 1, 6),
      of('none', 'Alert', null, 6),
      of('ok', 'OK', null, 6),
      of('late', 'Alert', 3, 1),
      of('nodata', 'No Data', null, 6),
      of('early', 'Alert', 3, 6),
      of('muted', 'Alert', 2, 6, { '*': null }),
      of('warn', 'Warn', null, 5),
      of('P2', 'Alert', 2, 1),
      of('P1', 'Alert', 1, 1),
    ];
    expect(sorted(monitorList, rows, { by, down }, context).join(' ')).toBe(order);
  });

  test('sorts MUTED by the end, the soonest first and for ever last; what is not muted, or not known to be, comes after', () => {
    const muted = (id: number, map: object) => row({ id, options: { silenced: map } });
    const rows = [
      muted(1, {}),
      muted(2, { '*': null }),
      muted(3, { '*': epoch(context.now + 2 * hour) }),
      muted(4, { 'host:a': epoch(context.now + 1.5 * hour), 'host:b': epoch(context.now + 3 * hour) }),
      muted(5, { '*': epoch(context.now + hour) }),
      readFound({ id: 6, muted_until_ts: null }, context.now) as MonitorRow,
    ];
    const column = columns.find(({ id }) => id === 'muted');
    expect(column?.downward).toBeUndefined();
    const by = (down: boolean) => {
      const list = { columns, idOf: (one: MonitorRow) => one.id, sorted: { by: 'muted', down } };
      return sorted(list as unknown as AnyList, rows, list.sorted, context).join('');
    };
    expect(by(false)).toBe('543216');
    expect(by(true)).toBe('234516');
  });

  test('distinguishes partly muted rows, and keeps alerting groups red while any of them notifies', () => {
    const end = epoch(context.now + 2 * hour);
    const of = (map: object) =>
      row({
        id: 1,
        name: 'Disk',
        overall_state: 'Alert',
        options: { silenced: map },
        state: { groups: { 'host:a': { status: 'Alert' }, 'host:b': { status: 'Warn' }, 'host:c': { status: 'OK' } } },
      });
    const seen = (map: object) => {
      const tones = ['state', 'name', 'groups'].map((id) =>
        columns.find((column) => column.id === id)?.tone?.(of(map), context),
      );
      return [mutedText(of(map), context), ...tones];
    };
    const [loud, still] = [
      ['plain', 'plain', 'bad'],
      ['quiet', 'plain', 'dim'],
    ] as const;
    expect(seen({})).toEqual(['', ...loud]);
    expect(seen({ '*': end })).toEqual(['2h left', ...still]);
    expect(seen({ '*': null })).toEqual(['forever', ...still]);
    expect(seen({ 'host:a': end })).toEqual(['1/3 2h left', ...loud]);
    // Of several groups the end that comes first: until then all of them are muted.
    expect(seen({ 'host:a': end, 'host:b': null })).toEqual(['2/3 2h left', ...still]);
    expect(seen({ 'host:a': end, 'host:a,env:b': epoch(context.now + hour) })[0]).toBe('1/3 2h left');
    expect(seen({ 'host:a': null, 'host:b': null })[0]).toBe('2/3 forever');
  });

  test('the groups of a monitor tell until when each is muted, also forever and where its end tells nobody', () => {
    const muted = row({
      id: 1,
      options: { silenced: { 'host:a': null, 'host:b': epoch(context.now + hour) } },
      state: {
        groups: { 'host:a': { status: 'Alert' }, 'host:b': { status: 'Alert' }, 'host:c': { status: 'Alert' } },
      },
    });
    const quiet = { ...muted, mutes: muted.mutes.map((mute) => ({ ...mute, tells: [] })) };
    const [tab] = detail.tabs?.(quiet, undefined, context) ?? [];
    const cells = tab?.kind === 'rows' ? tab.rows.map(({ cells }) => cells.muted) : [];
    expect(cells).toEqual(['forever', 'Wed 13:00 UTC', '']);
  });

  test('the time left of a mute is the same in its cell, on Home and in the notice', () => {
    const left = (minutes: number) => {
      const end = context.now + minutes * 60_000;
      const muted = row({ id: 1, name: 'Disk', overall_state: 'Alert', options: { silenced: { '*': epoch(end) } } });
      const [ledger] = ledgerRows([muted], [], context.now);
      const notice = { subject: receipt`Mute`, ends: end, end: 'then' } as RowNotice;
      return [mutedText(muted, context), ledger && leftText(ledger, context), noticeText(notice, context.now)];
    };
    expect(left(7.4)).toEqual(['7m left', '7m', 'Mute ends in 7 min (then)']);
    expect(left(7.6)).toEqual(['8m left', '8m', 'Mute ends in 8 min (then)']);
    expect(left(0.1)).toEqual(['1m left', '1m', 'Mute ends in 1 min (then)']);
    expect(left(60).slice(0, 2)).toEqual(['1h left', '1h']);
    expect(left(90).slice(0, 2)).toEqual(['90m left', '90m']);
    expect(left(100).slice(0, 2)).toEqual(['2h left', '2h']);
  });

  test('has the tone of an alert on a mute from the first group that alerts under it', () => {
    const muted = row({ id: 1, overall_state: 'Alert', options: { silenced: { '*': epoch(context.now + hour) } } });
    const [ledger = expect.fail()] = ledgerRows([muted], [], context.now);
    const column = muteList.columns.find(({ id }) => id === 'alerting');
    expect([0, 1].map((alerting) => column?.tone?.({ ...ledger, alerting }, context))).toEqual(['good', 'bad']);
    // What ends within the hour is yellow.
    const left = muteList.columns.find(({ id }) => id === 'left');
    const tones = [0, 1000].map((ms) => left?.tone?.(ledger, { ...context, now: context.now + ms }));
    expect(tones).toEqual(['plain', 'warn']);
  });

  test('lists a downtime once, under whichever id its monitor shows it', () => {
    const end = context.now + hour;
    const muted = row({ id: 1, name: 'Disk', options: { silenced: { 'host:a': epoch(end) } } });
    const told = (id: string, more: Partial<Mute> = {}): Mute => ({
      ...{ monitor: '1', by: 'v2', id, scope: 'host:a', end, wide: false },
      ...more,
    });
    const listed = (...downtimes: Mute[]) => ledgerRows([muted], downtimes, context.now).map(({ mute }) => mute.id);
    const alone = listed();
    expect(alone).toHaveLength(1);
    expect(listed(told('same'))).toEqual(alone);
    expect(listed(told('rounded', { end: end + 1999 }))).toEqual(alone);
    expect(listed(told('longer', { end: end + 2000 }))).toEqual([...alone, 'longer']);
    expect(listed(told('b', { scope: 'host:b' }), told('b too', { scope: 'host:b', by: 'v1' }))).toHaveLength(2);
    expect(listed(told('other', { monitor: '2' }))).toHaveLength(2);
    const tagged = (tag: string) =>
      told(tag, { monitor: '', scope: '*', wide: true, over: `every monitor tagged ${tag}` });
    expect(listed(tagged('team:a'), tagged('team:b'))).toHaveLength(3);
    expect(listed(told('over', { scope: 'host:c', end: context.now }))).toEqual(alone);
  });

  test('rings ten minutes before a mute ends, not for mutes of several monitors or without end', () => {
    const end = context.now + hour;
    const alarms = (silenced: object, downtimes: object[] = []) =>
      monitorList.alarms?.(
        [row({ id: 1, name: 'Disk', options: { silenced }, matching_downtimes: downtimes })],
        context,
      );
    expect(alarms({ 'host:a': epoch(end) })).toEqual([
      {
        key: `1 host:a ${end}`,
        at: end - 600_000,
        ends: end,
        end: '13:00 UTC',
        subject: { parts: ['Mute on ', { name: 'host:a of Disk' }] },
        rowId: '1',
        subRowId: expect.stringContaining('host:a'),
        action: 'monitors.extend',
        one: 'expiring mute',
        isUrgent: false,
        isOwn: expect.any(Function),
      },
    ]);
    expect(alarms({ '*': null }, [{ id: 1, scope: ['*'], end: epoch(end), monitor_id: null }])).toEqual([]);
    // What alerts under a mute that is about to end is named first.
    const soon = epoch(context.now + 600_000);
    const groups = { 'host:a': { status: 'Alert' }, 'host:b': { status: 'OK' } };
    const urgent = (overall_state: string, silenced: object) =>
      monitorList
        .alarms?.([row({ id: 1, name: 'Disk', overall_state, options: { silenced }, state: { groups } })], context)
        .map(({ isUrgent }) => isUrgent);
    expect(urgent('Alert', { '*': soon })).toEqual([true]);
    expect(urgent('Alert', { 'host:a': soon })).toEqual([true]);
    expect(urgent('Alert', { 'host:b': soon })).toEqual([false]);
    expect(urgent('Alert', { '*': null, 'host:a': soon })).toEqual([false]);
    expect(urgent('OK', { '*': soon })).toEqual([false]);
  });

  test('a mute is mine where the service says so, else where my last edit of that monitor set it', () => {
    const mute: Mute = { monitor: '1', by: 'mute', scope: '*', end: 1, wide: false };
    const edit = (operation: string, more: Partial<LoggedEdit> = {}): LoggedEdit => {
      return {
        id: operation,
        at: 0,
        operation,
        did: operation,
        target: 'Disk',
        targetId: '1',
        outcome: 'applied',
        ...more,
      };
    };
    const me = { id: 'u', name: 'Kim' };
    const cases: readonly [Mute, LoggedEdit[], boolean][] = [
      [{ ...mute, who: 'Kim' }, [], true],
      [{ ...mute, who: 'Aiko' }, [edit('monitors.mute')], false],
      [mute, [], false],
      [mute, [edit('monitors.edit'), edit('monitors.mute')], true],
      [mute, [edit('monitors.extend')], true],
      [mute, [edit('monitors.mute', { targetId: '2' })], false],
      [mute, [edit('monitors.mute', { outcome: 'refused' })], false],
      [mute, [edit('monitors.unmute'), edit('monitors.mute')], false],
      [mute, [edit('undo'), edit('monitors.mute')], false],
    ];
    for (const [one, edits, isOwn] of cases) expect(isOwnMute(one, edits, { me }), JSON.stringify(edits)).toBe(isOwn);
    expect(isOwnMute({ ...mute, who: 'Kim' }, [], {})).toBe(false);
  });

  test('say whether they have a runbook, and which for a program; what no answer tells stays open', () => {
    const field = there(monitorList.output?.()?.fields.find(({ name }) => name === 'runbooks'));
    const column = there(columns.find(({ id }) => id === 'runbook'));
    const shown = (fields: object) => {
      const one = row({ id: 1, ...fields });
      return [column.text(one, context), column.says?.(one, context), field.value(one, context)];
    };
    const [named, unnamed] = [
      { name: 'Disk', url: 'https://wiki.test/disk' },
      { name: '', url: 'https://a.test/b' },
    ];
    const message = 'see https://a.test/b';
    expect(shown({})).toEqual(['', '', null]);
    expect(shown({ assets: [] })).toEqual(['–', 'no runbook', []]);
    expect(shown({ message })).toEqual(['yes', 'has a runbook', [unnamed]]);
    expect(shown({ message, assets: [named, { name: 'no address' }, null] })).toEqual([
      'yes',
      'has a runbook',
      [named, unnamed],
    ]);
    expect(shown({ message, assets: [unnamed] })[2]).toEqual([unnamed]);
  });

  test('tell a program who created them, when, and whether they alert for each group', () => {
    const names = ['creator', 'creator_handle', 'created_at', 'draft_status', 'multi'];
    const told = (one: MonitorRow) =>
      names.map((name) =>
        there(monitorList.output?.().fields.find((field) => field.name === name)).value(one, context),
      );
    const creator = { name: 'Ada', handle: 'ada@example.test' };
    const created = '2026-05-06T11:00:00Z';
    const one = { id: 1, creator, created, draft_status: 'draft', multi: true };
    expect(told(row(one))).toEqual(['Ada', creator.handle, Date.parse(created), 'draft', true]);
    expect(told(there(readFound(one, context.now)))).toEqual(['Ada', null, null, null, null]);
  });

  test('links and commands carry the id', () => {
    const one = row({ id: 4211 });
    expect(monitorList.link?.(one, { ...context, web: 'https://web.test' })).toBe('https://web.test/monitors/4211');
    expect(monitorList.link?.(one, context)).toBeUndefined();
    expect(commandLine(monitorList.command?.(one) ?? '', context)).toBe(
      'orgdeck call monitors.get --monitor_id 4211 --group_states all --with_downtimes true --with_assets true',
    );
  });
});

test('a filter finds what the row shows as signs or under a title: muted, the priority', () => {
  const words = (more: object) => monitorList.words?.(row({ id: 1, ...more }), context) ?? '';
  expect(words({ options: { silenced: { '*': null } } })).toContain('muted');
  expect(words({ options: { silenced: { 'host:a': epoch(context.now + hour) } } })).toContain('muted');
  expect(words({ priority: 2 })).toMatch(/\bP2$/);
  expect(words({ priority: 2 })).not.toContain('muted');
});

test.each(['default', 'light', 'high-contrast'] as const)(
  'in the theme %s, no state that needs a look is drawn as another',
  (name) => {
    const theme = createTheme({ name, noColor: false, ascii: false });
    const looks = ['Alert', 'Warn', 'No Data', 'OK'].map((state) =>
      JSON.stringify(theme.props(monitorStateTone(state))),
    );
    expect(new Set(looks).size).toBe(4);
  },
);
