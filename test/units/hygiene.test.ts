import { describe, expect, test } from 'vitest';
import { organizationFindings } from '../../screens/monitors/hygiene.ts';
import { readMonitor } from '../../screens/monitors/row.ts';
import { contextOf } from '../support/plans.ts';
import { servedCommands } from '../support/served-commands.ts';

const now = Date.UTC(2026, 4, 6, 12);
const day = 86_400_000;
const context = contextOf({ now, lastLook: now });
const ago = (days: number): string => new Date(now - days * day).toISOString();

/** A monitor without a fault. */
const fine = {
  ...{ id: 7, name: 'Disk', type: 'query alert', query: 'avg(last_5m):avg:disk.used{*} > 90' },
  message: 'See https://runbooks.example.test/disk @oncall',
  ...{ tags: ['team:core'], priority: 2, overall_state: 'OK', overall_state_modified: ago(100) },
};
const forever = (scope: string) => ({ options: { silenced: { [scope]: null } } });
const alerting = {
  overall_state: 'Alert',
  overall_state_modified: ago(1),
  state: { groups: { 'host:a': { status: 'Alert', name: 'host:a' } } },
};

/** What is found: `error wrong query of Disk`. */
function found(feeds: Readonly<Record<string, readonly unknown[]>>): readonly string[] {
  const told = Object.fromEntries(Object.entries(feeds).map(([name, rows]) => [name, { rows, notes: [] }]));
  return organizationFindings(told, context, { isThorough: true }).map(
    ({ level, what, row: { name }, why }) => `${level} ${what} of ${name}${why === '' ? '' : `: ${why}`}`,
  );
}
const monitors = (...members: readonly object[]): readonly string[] =>
  found({ monitors: members.map((more) => readMonitor({ ...fine, ...more }, now)) });
const key = (attributes: object, more: object = {}) => ({
  id: 'k',
  attributes: { name: 'ci', ...attributes },
  ...more,
});

describe('of a monitor', () => {
  test.each([
    ['nothing where nothing is wrong', {}, []],
    ['a mute without an end', forever('*'), ['warning muted forever of Disk']],
    ['one that hides an alert', { ...alerting, ...forever('*') }, ['error alerting, muted forever of Disk']],
    [
      'one of another group than the one that alerts',
      { ...alerting, ...forever('host:b') },
      ['warning muted forever of Disk: host:b'],
    ],
    [
      'of several the one that hides an alert',
      { ...alerting, options: { silenced: { 'host:b': null, 'host:a': null } } },
      ['error alerting, muted forever of Disk: host:a'],
    ],
    [
      'an alert that has lasted for weeks',
      { ...alerting, overall_state_modified: ago(14) },
      ['warning alerting for weeks of Disk'],
    ],
    ['not one of the last two weeks', { ...alerting, overall_state_modified: ago(13) }, []],
    [
      'no data for weeks',
      { overall_state: 'No Data', overall_state_modified: ago(14) },
      ['warning without data for weeks of Disk'],
    ],
    [
      'a message without an @name',
      { message: 'https://runbooks.example.test' },
      ['warning no recipients of Disk: its message has no @name'],
    ],
    ['not one behind a template tag', { message: 'https://a.test {{#is_alert}}@oncall.{{/is_alert}}' }, []],
    ['a deprecated option', { options: { locked: true } }, ['warning deprecated option of Disk: locked']],
    ['not one that is off', { options: { locked: false, device_ids: null, synthetics_check_id: '' } }, []],
    ['nor one that is empty', { options: { device_ids: [] } }, []],
    [
      'what is missing, once',
      { message: '@oncall', tags: [], priority: null },
      ['advice incomplete of Disk: no runbook in its message, no priority, no team'],
    ],
  ])('%s', (_, more, expected) => {
    expect(monitors(more).filter((text) => !text.startsWith('error wrong query'))).toEqual(expected);
  });

  test('a query that cannot be read', () => {
    expect(monitors({ query: 'avg(last_5m):avg:disk.used{* > 90' })).toEqual([
      expect.stringMatching(/^error wrong query of Disk: ./),
    ]);
  });

  test('the same query under two names, not of two types', () => {
    // One type has two names.
    for (const type of ['query alert', 'metric alert'])
      expect(monitors({}, { id: 8, name: 'Disk again', type })).toEqual([
        'warning duplicate query of Disk again: Disk: the same metric query',
      ]);
    expect(monitors({}, { id: 8, type: 'event alert' }).join()).not.toContain('duplicate');
  });
});

describe('of the rest of the organization', () => {
  test.each([
    [
      'a key that nothing has used for 90 days',
      'orgKeys',
      key({ last_used_at: ago(90) }),
      ['warning unused key of ci'],
    ],
    ['not one that was used since', 'orgKeys', key({ last_used_at: ago(89), created_at: ago(500) }), []],
    [
      'one that was never used',
      'apiKeys',
      key({ date_last_used: null, created_at: ago(90) }),
      ['warning unused key of ci: never used'],
    ],
    ['not one that is new', 'apiKeys', key({ date_last_used: null, created_at: ago(1) }), []],
    ['not one of which the service does not tell it', 'apiKeys', key({ created_at: ago(500) }), []],
    [
      'a role without users',
      'roles',
      { id: 'r', attributes: { name: 'Gone', user_count: 0 } },
      ['advice role without users of Gone'],
    ],
    ['not one that is built in', 'roles', { id: 'r', attributes: { name: 'x', user_count: 0, managed: true } }, []],
    [
      'a mapping to nothing',
      'mappings',
      { id: 'm', attributes: { attribute_key: 'team', attribute_value: 'sre' } },
      ['warning mapping to nothing of team = sre: neither role nor team'],
    ],
    [
      'an archive that fails',
      'archives',
      { id: 'a', attributes: { name: 'old', state: 'FAILING' } },
      ['error failing archive of old'],
    ],
    [
      'a table that lacks rows',
      'tables',
      { id: 't', attributes: { table_name: 'vat', status: 'DONE_WITH_ERRORS' } },
      ['warning incomplete table of vat'],
    ],
  ])('%s', (_, feed, row, expected) => {
    expect(found({ [feed]: [row] })).toEqual(expected);
  });

  test('a mapping to a role that is gone, where all roles were read', () => {
    const mapping = { id: 'm', attributes: { attribute_key: 'team', attribute_value: 'sre', role: 'r1' } };
    const gone = 'warning mapping to nothing of team = sre: role r1 is gone';
    expect(found({ mappings: [mapping], roles: [{ id: 'r2', attributes: { name: 'x' } }] })).toEqual([gone]);
    expect(found({ mappings: [mapping], roles: [{ id: 'r1', attributes: { name: 'x' } }] })).toEqual([]);
    expect(found({ mappings: [mapping] })).toEqual([]);
  });

  test('a downtime that covers no monitor, where all monitors were read', () => {
    const downtime = { monitor: '9', by: 'v2', id: 'd', scope: '*', end: now + day, wide: false };
    const among = (listed: object) =>
      organizationFindings({ downtimes: { rows: [downtime], notes: [] }, ...listed }, context, { isThorough: true });
    const read = { rows: [], notes: [] };
    expect(among({ monitors: read })).toMatchObject([{ what: 'mute without a monitor', row: { name: 'monitor 9' } }]);
    expect(among({ monitors: { ...read, isPartial: true } })).toEqual([]);
    expect(among({ monitors: { ...read, missing: ['1 monitor could not be read'] } })).toEqual([]);
    expect(among({ monitors: { notes: [] } })).toEqual([]);
  });

  test('one key that two lists have, once', () => {
    const rows = [key({ last_used_at: ago(90) })];
    expect(found({ ownKeys: rows, orgKeys: rows })).toHaveLength(1);
  });
});

describe('orgdeck hygiene', () => {
  const { simulator, orgdeck } = servedCommands({ monitors: 0, issues: 0, seed: 7 });

  test('prints the worst first, with what to do, and ends as --fail-on says', async () => {
    simulator.has('monitor', { ...fine, groups: { '*': 'OK' } });
    simulator.has('monitor', { ...fine, id: 8, name: 'Bad', query: 'avg(', groups: { '*': 'OK' }, message: '' });
    const { exit, out } = await orgdeck(['hygiene', '--json']);
    expect(exit).toBe(0);
    const items = JSON.parse(out).items.filter(({ about }: { about: { list: string } }) => about.list === 'monitors');
    expect(items).toMatchObject([
      { level: 'error', finding: 'wrong query', about: { id: '8', name: 'Bad' }, mend: 'fix its query' },
      { level: 'warning', finding: 'no recipients' },
      { level: 'advice', finding: 'incomplete', why: 'no runbook in its message' },
    ]);
    expect(await orgdeck(['hygiene', '--fail-on', 'error'])).toMatchObject({
      exit: 1,
      err: expect.stringMatching(/^--fail-on error: \d+ ERROR$/m),
    });
    simulator.org.monitors.delete('8');
    expect(await orgdeck(['monitors', 'list', '--fail-on', 'no-data'])).toMatchObject({ exit: 0, err: '' });
    expect((await orgdeck(['monitors', 'list', '--watch', '--fail-on', 'alert'])).exit).toBe(2);
    expect(await orgdeck(['hygiene', '--fail-on', 'alert'])).toMatchObject({
      exit: 2,
      err: expect.stringContaining('--fail-on: one of error, warning, advice'),
    });
  });
});
