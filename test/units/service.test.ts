import { describe, expect, test } from 'vitest';
import type { IssueRow } from '../../screens/issues/row.ts';
import { isAbout, servicesOf } from '../../screens/monitors/columns.ts';
import type { Mute } from '../../screens/monitors/mutes.ts';
import { type MonitorRow, readMonitor } from '../../screens/monitors/row.ts';
import { neighbors } from '../../screens/service/neighbors.ts';
import { service } from '../../screens/service.ts';
import type { LoggedEdit } from '../../src/describe/context.ts';
import { type BoardLine, isPiece } from '../../src/describe/derived.ts';
import { contextOf } from '../support/plans.ts';

const now = Date.UTC(2026, 4, 6, 12);
const minute = 60_000;
const context = contextOf({ now, lastLook: now });

/** A monitor of `shop` in this state since so many minutes. */
function monitor(id: number, state: string, ago: number, more: object = {}): MonitorRow {
  const told = { id, name: `m${id}`, overall_state: state, overall_state_modified: now - ago * minute };
  const row = readMonitor({ ...told, tags: ['service:shop'], ...more }, now);
  if (!row) throw new Error('no row');
  return row;
}

const textOf = ({ cells }: BoardLine): string =>
  (isPiece(cells) ? [cells] : Object.values(cells))
    .map(({ text }) => text.trim())
    .filter(Boolean)
    .join(' ');

interface Read {
  readonly monitors?: MonitorRow[];
  readonly issues?: object[];
  readonly downtimes?: Mute[];
  readonly edits?: LoggedEdit[];
}

/** The page of `shop`: the head and the lines of each block. */
function page({ monitors = [], issues = [], downtimes = [], edits }: Read, subject = 'shop') {
  const told = {
    monitors: { rows: monitors, notes: [] },
    issues: { rows: issues as IssueRow[], notes: [] },
    downtimes: { rows: downtimes, notes: [] },
  };
  const material = { told, changes: [], ...(edits && { edits }) };
  const blocks = service.lists[0]?.board?.blocks(material, context, { search: { subject }, range: '' }) ?? [];
  return Object.fromEntries(
    blocks.map(({ id, title, head, lines, empty }) => [
      id,
      { head: [title, ...head.map(({ text }) => text)].join(' '), lines: lines.map(textOf), empty },
    ]),
  );
}

const silenced = { options: { silenced: { '*': null } } };
const issue = (id: string, more: object): object => ({
  ...{ id, told: true, state: 'OPEN', type: id, line: '', service: 'shop', counts: { total: 1 } },
  ...more,
});

describe('a monitor is about', () => {
  const groups = { state: { groups: { 'service:cart,env:prod': { status: 'Alert' } } } };
  test.each([
    ['its tags', {}, '', ['shop']],
    ['the group under the cursor first', groups, 'service:cart,env:prod', ['cart']],
    [
      'the scope of its query, not what that leaves out',
      { tags: [], query: 'avg:x{service:a,!service:b} > 1' },
      '',
      ['a'],
    ],
    ['its groups', { tags: [], ...groups }, '', ['cart']],
    ['nothing', { tags: ['team:a'] }, '', []],
  ])('%s', (_, more, subRowId, expected) => {
    expect(servicesOf(monitor(1, 'Alert', 1, more), { subRowId })).toEqual(expected);
  });

  test('a tag as a whole', () => {
    const row = monitor(1, 'Alert', 1, { query: 'avg:x{service:shop-api} > 1', tags: [] });
    expect([isAbout(row, 'service:shop'), isAbout(row, 'service:shop-api')]).toEqual([false, true]);
  });
});

test('the head counts from the first alert that is not muted, and issues are new from shortly before it on', () => {
  const { alerts, issues } = page({
    monitors: [monitor(1, 'Alert', 600, silenced), monitor(2, 'Alert', 30), monitor(3, 'OK', 1)],
    issues: [
      issue('Old', { firstSeen: now - 50 * minute, firstVersion: '1' }),
      issue('Cause', { firstSeen: now - 45 * minute, firstVersion: '2' }),
      issue('Back', { firstSeen: 0, regression: { at: String(now - 5 * minute), version: '3', resolvedAt: '' } }),
    ],
  });
  expect(alerts?.head).toMatch(/^shop · 2 alerting since 11:30 UTC · 1 muted · 3 issues, 2 new/);
  expect(issues?.head).toContain('2 new since the first alert');
  expect(issues?.lines.map((line) => /(new|again|since) .*\d/.exec(line)?.[0])).toEqual([
    'new in 2 11:15',
    'again in 3 11:55',
    'since 1',
  ]);
});

test('a value stands beside what it is compared with; more than eight groups are numbers', () => {
  const groups = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `h:${at}`,
        { status: at === 0 ? 'Alert' : 'OK', triggering_value: { value: at === 0 ? 9.12345 : 1 } },
      ]),
    );
  const { alerts } = page({
    monitors: [
      monitor(2, 'Alert', 5, { state: { groups: groups(9) } }),
      monitor(1, 'Alert', 4, { query: 'avg:x{*} by {h} > 5', state: { groups: groups(8) } }),
    ],
  });
  // In the order of Home.
  expect(alerts?.lines[0]).toMatch(/^ALERT ●○{7} 1\/8 4m m1 9\.123 > 5$/);
  expect(alerts?.lines[1]).toMatch(/^ALERT 1\/9 5m m2/);
});

test('a change without an entry of the journal is of others; without a journal nobody is named', () => {
  const at = (ago: number) => ({ modified: new Date(now - ago * minute).toISOString() });
  const monitors = [monitor(1, 'OK', 1, at(8.1)), monitor(2, 'OK', 1, at(10)), monitor(3, 'OK', 1, at(24 * 60))];
  const own: LoggedEdit = {
    ...{ id: 'e', at: now - 10 * minute, operation: 'monitors.mute', did: 'muted' },
    ...{ target: 'm1', targetId: '1', outcome: 'applied' },
  };
  const linesOf = (...edits: LoggedEdit[]) => page({ monitors, edits }).edits?.lines;
  expect(linesOf(own)).toEqual(['11:50 muted m1', '11:50 edited by others m2']);
  // Two minutes apart it is another one; entries are told for a day.
  expect(linesOf({ ...own, at: now - 6 * minute })).toEqual([
    ...['11:54 muted m1', '11:51 edited by others m1', '11:50 edited by others m2'],
  ]);
  expect(linesOf({ ...own, at: now - 24 * 60 * minute })).toHaveLength(2);
  expect(page({ monitors }).edits?.lines).toEqual(['11:51 edited m1', '11:50 edited m2']);
});

test('its mutes are those of its monitors and of its tag, those that begin later after those of now', () => {
  const hour = 60 * minute;
  const coming = (id: string, hours: number, more: Partial<Mute>): Mute => ({
    ...{ monitor: '', by: 'v2', id, scope: '*', wide: true, start: now + hours * hour, end: now + 9 * hour },
    ...more,
  });
  const { mutes } = page({
    monitors: [monitor(1, 'Alert', 5, silenced), monitor(2, 'OK', 5)],
    downtimes: [
      coming('a', 3, { over: 'every monitor tagged service:shop', who: 'Kim', why: 'deploy' }),
      coming('b', 2, { monitor: '2', wide: false }),
      coming('c', 1, { scope: 'service:shop,env:prod', over: 'every monitor of the organization' }),
      coming('d', 1, { over: 'every monitor tagged service:shopping' }),
      coming('e', 1 / 3600, { monitor: '2', wide: false }),
      coming('f', 30, { monitor: '1', wide: false, end: null }),
    ],
  });
  expect([mutes?.head, ...(mutes?.lines ?? [])]).toMatchInlineSnapshot(`
    [
      "Mutes (UTC) 1 now · 4 to come",
      "∞ m1 1/1 alerting · forever",
      "in 1h service:shop,env:prod by downtime c until 21:00 UTC, which mutes every monitor of the organization from 13:00",
      "in 2h all groups by downtime b until 21:00 UTC from 14:00",
      "in 3h all groups by downtime a until 21:00 UTC, which mutes every monitor tagged service:shop from 15:00 · Kim · "deploy"",
      "in 30h all groups by downtime f forever from Thu 18:00",
    ]
  `);
});

test('beside a monitor stand its own edits, each with what became of it', () => {
  const edit = (did: string, more: Partial<LoggedEdit>): LoggedEdit => ({
    ...{ id: did, at: now - minute, operation: 'monitors.mute', did, target: 'm1', targetId: '1', outcome: 'applied' },
    ...more,
  });
  const edits = [
    edit('muted', {}),
    edit('extended', { isPartlyUndone: true, at: now - 30 * 60 * minute }),
    edit('deleted', { outcome: 'refused' }),
    edit('edited', { targetId: '2' }),
  ];
  const lines = neighbors({ id: '1', services: [] }, { ...context, edits: () => edits })[0]?.lines;
  expect(lines?.map((line) => line.kind === 'pair' && [line.label, line.value, line.tone])).toEqual([
    ['11:59', 'muted', undefined],
    ['5 May 06:00', 'extended (undone in part)', 'warn'],
    ['11:59', 'deleted (refused)', 'bad'],
  ]);
});

test('beside it stand the alerts, issues and mutes of its service, those that matter most first', () => {
  const until = (ms: number) => ({ options: { silenced: { 'host:a': (now + ms) / 1000 } } });
  const monitors = [
    monitor(1, 'Alert', 1, silenced),
    monitor(2, 'OK', 1, until(90 * minute)),
    monitor(3, 'Warn', 9),
    monitor(4, 'Alert', 5, { priority: 2, ...silenced }),
    monitor(5, 'Alert', 6),
    monitor(6, 'OK', 1, until(30 * minute)),
    monitor(7, 'Alert', 1, { tags: ['service:other'] }),
  ];
  const issues = [issue('Few', { counts: { total: 3 } }), issue('Many', { counts: { total: 1200 }, told: false })];
  const loaded = (list: string) => (list === 'monitors' ? monitors : [...issues, issue('Other', { service: 'b' })]);
  const all = neighbors({ id: '1', services: ['shop'] }, { ...context, loaded });
  const lines = all.flatMap(({ title, lines }) => [
    title,
    ...lines.map((line) => (line.kind === 'pair' ? `${line.label}: ${line.value}` : 'text' in line && line.text)),
  ]);
  expect(lines).toMatchInlineSnapshot(`
    [
      "Done in this organization",
      "Monitors of shop",
      "ALERT 6m: m5",
      "WARN 9m: m3",
      "ALERT 5m: P2 · m4 · muted forever",
      "2 monitors OK",
      "Issues of shop (2 listed)",
      "OPN 1200: Many",
      "OPN 3: Few · unassigned",
      "Mutes of shop",
      "30m left: host:a of m6",
      "90m left: host:a of m2",
      "forever: m4",
    ]
  `);
  const many = Array.from({ length: 9 }, (_, at) => monitor(at + 2, 'Alert', at, silenced));
  const cut = neighbors(
    { id: '1', services: ['shop'] },
    { ...context, loaded: (list) => (list === 'monitors' ? many : []) },
  );
  expect(cut.map((section) => section.lines.length)).toEqual([0, 8, 0, 8]);
});

test('what cannot be known is said: of nothing, of no monitor, of a team', () => {
  expect(page({}, '').alerts?.empty).toContain('No service is chosen');
  expect(page({}).alerts?.empty).toBe('no monitor is about service:shop');
  expect(page({ monitors: [monitor(1, 'OK', 1)] }).alerts?.empty).toBe('No alerts · 1 monitor');
  expect(page({}, 'team:core').issues?.empty).toContain('by service only');
});
