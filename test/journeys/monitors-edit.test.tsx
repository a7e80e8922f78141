import { expect } from 'vitest';
import { createMonitor, updateMonitor, validateExistingMonitor, validateMonitor } from '../../src/api/monitors.ts';
import { journey } from '../support/journey.tsx';
import { hasDisk, hasSimple } from '../support/monitors.ts';
import { offering } from '../support/offering.ts';
import { receiptOf } from '../support/receipts.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';
// Loads the grammars first, so that no journey types before they are loaded.
import '../../src/query/check-query.ts';
import '../../src/query/query-help.ts';

/** A monitor with thresholds, a mute, and unknown options. */
function hasDiskWithOptions(service: Simulator): void {
  hasDisk(service, {
    id: 77,
    message: 'look at it',
    options: {
      thresholds: { critical: 90, warning: 80 },
      avalanche_window: 10,
      tide: { high: ['noon'] },
      locked: true,
      new_host_delay: 60,
      silenced: { 'host:web-1': null },
    },
  });
}

const options = { columns: 100, rows: 30, monitors: 0, issues: 0, before: hasDiskWithOptions } as const;
const story = stories(journey, options);

const sent = (service: Simulator, operation: string) =>
  service
    .received()
    .filter((call) => call.operation === operation)
    .map((call) => call.body as Record<string, unknown>);

story(
  'e sends the changed settings and keeps unknown members; the review shows the difference, u restores it',
  async (user, service) => {
    await user.opens('monitors');
    const before = structuredClone(service.org.monitors.get('77')?.options);
    await user.presses('e');
    await user.sees('Old: locked');
    await user.presses('shift+tab', 'shift+tab', 'shift+tab');
    await user.sees('Deprecated, use only these roles');
    await user.presses('shift+tab', 'x', 'ctrl+s');
    await user.sees('Old: mutes stays as it is: deprecated, m and M mute and unmute');
    await user.presses('backspace', 'tab', 'tab', 'tab', 'tab');
    await user.sees('> Name');
    await user.presses('tab', 'backspace', 'backspace', '95', 'tab', 'ctrl+u', '85');
    await user.presses('tab', 'tab', 'tab', 'right', 'right', 'ctrl+s');
    await user.sees('Review changes');
    const review = await user.screen();
    expect(review).toMatch(/Query/);
    expect(review).toMatch(/Warning\s[\s\S]*- 80[\s\S]*\+ 85/);
    expect(review).toMatch(/Priority\s[\s\S]*- none[\s\S]*\+ P2/);
    expect(sent(service, updateMonitor.id)).toEqual([]);
    await user.presses('return');
    await user.sees(offering('✓ Saved Disk'));
    const [body] = sent(service, updateMonitor.id);
    expect(body).toEqual({
      query: 'avg(last_5m):avg:disk.used{*} by {host} > 95',
      priority: 2,
      options: expect.objectContaining({
        thresholds: { critical: 95, warning: 85 },
        avalanche_window: 10,
        tide: { high: ['noon'] },
        locked: true,
        new_host_delay: 60,
      }),
    });
    expect(body?.options).not.toHaveProperty('silenced');
    expect(sent(service, validateExistingMonitor.id)).toMatchObject([
      { type: 'query alert', name: 'Disk', message: 'look at it' },
    ]);
    await user.presses('u');
    await user.sees(`✓ ${receiptOf.undo('saved Disk')}`);
    expect(service.org.monitors.get('77')).toMatchObject({
      query: 'avg(last_5m):avg:disk.used{*} by {host} > 90',
      priority: null,
      options: before,
    });
  },
);

story(
  'the review of a long message shows two far lines that were changed, and not those between',
  async (user, service) => {
    const steps = Array.from({ length: 200 }, (_, at) => `step ${at + 1}`);
    service.has('monitor', { id: 78, name: 'Long', message: steps.join('\n') });
    await user.opens('monitors');
    await user.presses('/', 'Long', 'return', 'e');
    await user.sees('Name');
    await user.presses('tab', 'tab', 'tab');
    await user.sees('> Message');
    await user.presses(' and last');
    await user.sends('\u001B[1;5H');
    await user.presses('first ', 'ctrl+s');
    await user.sees('Review changes');
    const lines = (await user.screen()).split('\n').map((line) => line.replace(/^│ | *│$/g, ''));
    const start = lines.indexOf('Message');
    expect(lines.slice(start + 1, start + 10)).toEqual([
      ...['  - step 1', '  + first step 1', '    step 2', '    step 3', '    … 194 lines …', '    step 198'],
      ...['    step 199', '  - step 200', '  + step 200 and last'],
    ]);
  },
);

story('turning on more options changes nothing; an option behind it shows once it is set', async (user, service) => {
  await user.opens('monitors');
  await user.presses('e');
  await user.sees('More options');
  expect(await user.screen()).not.toContain('Resolves after');
  await user.presses('shift+tab', 'right');
  await user.sees('Resolves after');
  await user.presses('ctrl+s', 'return');
  await user.sees('Nothing was changed, nothing was sent');
  await user.presses('e');
  await user.sees('More options');
  await user.presses('shift+tab', 'right', 'tab', 'tab', 'tab', '30', 'ctrl+s');
  await user.sees('Resolves after (h) must be 0 to 24');
  await user.presses('backspace', 'ctrl+s');
  await user.sees('Review changes');
  expect(await user.screen()).not.toContain('ore options');
  await user.presses('return');
  await user.sees('✓ Saved Disk');
  expect(sent(service, updateMonitor.id)[0]).toMatchObject({ options: { timeout_h: 3, tide: { high: ['noon'] } } });
  await user.presses('e');
  await user.sees('Resolves after');
});

story(
  'members are picked for a new composite; its query follows them until it is edited',
  {
    before(service) {
      hasDisk(service, { id: 77 });
      hasSimple(service, 'Queue', { id: 78, groups: { '*': 'OK' } });
      hasSimple(service, 'Both of them', { id: 79, type: 'composite', query: '77 && 78' });
    },
  },
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('n', '/', 'composite');
    await user.sees('> composite');
    await user.presses('return');
    await user.sees('Alerts when');
    await user.presses('Disk and queue', 'tab', 'return');
    await user.sees(/\[ \] Disk +Alert · metric · 77/);
    await user.sees(/\[ \] Queue +OK · metric · 78/);
    expect(await user.screen()).not.toContain('Both of them');
    await user.presses('space', 'down', 'space', 'return');
    await user.sees('77 && 78');
    await user.presses('tab', 'right');
    await user.sees('77 || 78');
    await user.presses('tab', 'end', ' || 78', 'tab', 'shift+tab', 'shift+tab', 'right');
    await user.sees('77 || 78 || 78');
    await user.presses('ctrl+s', 'return');
    await user.sees(/✓ Created monitor \d+ Disk and queue/);
    expect(sent(service, createMonitor.id)).toEqual([
      { type: 'composite', name: 'Disk and queue', query: '77 || 78 || 78' },
    ]);
  },
);

story(
  'certain errors are reported before anything is sent; refusals of the service appear at their field',
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('n', 'return');
    await user.sees('> Name');
    await user.presses('Load', 'tab', 'tab', '95', 'ctrl+s');
    await user.sees('warning 95 is not below critical 90');
    await user.sees('Ctrl-S again: save anyway');
    expect(await user.screen()).toMatch(/> Warning +\[ 95/);
    // Another fault of the same query is refused again.
    await user.presses('9', 'ctrl+s');
    await user.sees('warning 959 is not below critical 90');
    await user.sees('Ctrl-S again: save anyway');
    expect(sent(service, validateMonitor.id)).toEqual([]);
    await user.presses('backspace', 'ctrl+s');
    await user.sees('warning 95 is not below critical 90');
    expect(sent(service, validateMonitor.id)).toEqual([]);
    await user.presses('ctrl+s', 'return');
    await user.sees('alert and warning criteria are such that');
    expect(await user.screen()).toMatch(/> Warning +\[ 95/);
    expect(sent(service, createMonitor.id)).toEqual([]);
    await user.presses('ctrl+u', '70', 'ctrl+s', 'return');
    await user.sees(/✓ Created monitor \d+ Load/);
    expect(sent(service, createMonitor.id)).toMatchObject([{ options: { thresholds: { critical: 90, warning: 70 } } }]);
  },
);

story(
  'a log monitor needs a key without scopes, and a message says so',
  { keys: { scopes: ['monitors_read', 'monitors_write'] } },
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('n', '/');
    await user.pastes('logs of a search');
    await user.sees('> logs');
    await user.presses('return');
    await user.sees('> Name');
    await user.presses('Errors', 'ctrl+s', 'return');
    await user.sees('log monitors need an application key without scopes');
    expect([...service.org.monitors.keys()]).toEqual(['77']);
  },
);

story(
  'where the key in use is known to have scopes, the form of a log monitor says so, new and stored',
  {
    keys: { scopes: ['monitors_read', 'monitors_write', 'user_app_keys'] },
    before: (service) =>
      void hasSimple(service, 'Errors', {
        id: 77,
        type: 'log alert',
        query: 'logs("*").index("*").rollup("count").last("5m") > 9',
      }),
  },
  async (user) => {
    const says = /logs need a key without scopes; yours has scopes/i;
    await user.opens('monitors');
    await user.presses('e', 'tab');
    await user.sees('> Query');
    await user.neverSees(says);
    await user.presses('esc');
    await user.opens('keys');
    await user.sees('this session');
    await user.opens('monitors');
    await user.presses('e', 'tab');
    await user.sees(says);
    await user.presses('esc', 'n', '/');
    await user.pastes('logs of a search');
    await user.presses('return', 'tab');
    await user.sees(says);
  },
);

story(
  'a monitor of a synthetic test is edited without its query and cannot be copied',
  { before: (service) => void hasSimple(service, 'Browser', { id: 77, type: 'synthetics alert', query: 'no_query' }) },
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('c');
    await user.sees('! Copy: it belongs to a synthetic test, which creates it');
    await user.presses('e');
    await user.sees('Failing for');
    expect(await user.screen()).not.toMatch(/Query/);
    await user.presses('shift+tab');
    await user.presses('ctrl+s');
    await user.presses('return');
    await user.sees('Nothing was changed');
    expect(service.received('PUT')).toEqual([]);
  },
);

story(
  'a role out of $EDITOR that does not exist is not called valid, and is refused at its field before anything is sent',
  {
    columns: 160,
    rows: 50,
    edits: (text) => JSON.stringify({ ...JSON.parse(text), more: 'yes', restricted_roles: 'no-such-role' }),
  },
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('e', 'ctrl+e');
    await user.sees('Only these roles: no-such-role was not looked up');
    await user.neverSees('✓ valid');
    await user.presses('ctrl+s', 'return');
    await user.sees('✗ only these roles: no role has the ID');
    expect(sent(service, updateMonitor.id)).toEqual([]);
  },
);
