import { describe, expect, test } from 'vitest';
import { isAbout, servicesOf } from '../../screens/monitors/columns.ts';
import { type MonitorRow, readMonitor } from '../../screens/monitors/row.ts';
import { neighbors } from '../../screens/service/neighbors.ts';
import type { LoggedEdit } from '../../src/describe/context.ts';
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
  const issues = [
    ...[issue('None', { counts: {} }), issue('Few', { counts: { total: 3 } }), issue('One', {})],
    issue('Many', { counts: { total: 1200 }, told: false }),
  ];
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
      "Issues of shop (4 listed)",
      "OPN 1200: Many",
      "OPN 3: Few · unassigned",
      "OPN 1: One · unassigned",
      "OPN: None · unassigned",
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
