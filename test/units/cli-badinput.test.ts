import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noonClock } from '../support/clock.ts';
import { hasDisk, silences } from '../support/monitors.ts';
import { receiptOf } from '../support/receipts.ts';
import { servedCommands } from '../support/served-commands.ts';

const { simulator, there, machine, orgdeck } = servedCommands({ monitors: 3, issues: 3, clock: noonClock() });
const edits = () => simulator.received().filter((request) => request.method !== 'GET');

test('a scope that matches nothing is muted, and the receipt warns', async () => {
  const id = hasDisk(simulator);
  const ran = await orgdeck(['monitors', 'mute', id, '--for', '1h', '--scope', 'host:nope']);
  expect(ran.exit).toBe(0);
  expect(ran.out).toMatch(
    new RegExp(
      `^${receiptOf.mute('host:nope of Disk')} .*; no group of the monitor matches host:nope: check the scope\n$`,
    ),
  );
  expect(silences(simulator, id)).toEqual(['host:nope mute']);
  const back = await orgdeck(['monitors', 'unmute', id, '--scope', 'host:web-1']);
  expect(back).toMatchObject({ exit: 3, err: expect.stringContaining('not muted on host:web-1') });
  expect(silences(simulator, id)).toEqual(['host:nope mute']);
});

test('--for with what is no length gives a message and exit code 2 without a request', async () => {
  const ran = await orgdeck(['monitors', 'mute', '1', '--for', '45']);
  expect(ran).toMatchObject({ exit: 2, out: '', err: expect.stringContaining('45 of what? type 45m') });
  expect(simulator.received()).toEqual([]);
});

test.each([
  [['archives', 'get', '-Xy_3'], '-Xy_3'],
  [['archives', 'delete', '--9fQ'], '--9fQ'],
])('%j: an id that begins with a dash is told how it is written', async (line, id) => {
  const ran = await orgdeck(line);
  expect(ran).toMatchObject({ exit: 2, out: '', err: expect.stringContaining(`(If it is an id, write id:${id})`) });
  expect((await orgdeck(['info', '-Xy_3'])).err).not.toContain('id:');
});

test('a missing monitor is reported', async () => {
  const ran = await orgdeck(['monitors', 'mute', '999999', '--for', '1h']);
  expect(ran).toMatchObject({ exit: 1, out: '', err: 'no monitor with ID 999999\n' });
  expect(edits()).toEqual([]);
});

test('an unknown user is refused with the words of the service, and the issue is unchanged', async () => {
  const [issue] = simulator.org.issues.values();
  const before = issue?.assignee;
  const nobody = '00000000-0000-4000-8000-00000000dead';
  const body = JSON.stringify({ data: { id: nobody, type: 'assignee' } });
  const ran = await orgdeck(['call', 'issues.assign', '--issue_id', issue?.id ?? '', '--body', body]);
  expect(ran).toMatchObject({ exit: 1, out: '' });
  expect(ran.err).toMatch(/user|assignee|not found/i);
  expect(issue?.assignee).toBe(before);
});

test('a revoked key gives exit code 4 and what to check, for reads and edits', async () => {
  const pair = simulator.keys.make();
  const env = { ORGDECK_API_KEY: pair.apiKey, ORGDECK_APP_KEY: pair.appKey };
  expect((await orgdeck(['monitors', 'list', '--json'], { env })).exit).toBe(0);
  simulator.keys.revoke(pair.appKey);
  for (const line of [
    ['monitors', 'list', '--json'],
    ['monitors', 'mute', '1', '--for', '1h'],
  ]) {
    const ran = await orgdeck(line, { env });
    expect(ran).toMatchObject({ exit: 4, out: '', err: expect.stringContaining('may be revoked or mistyped') });
    expect(ran.err).not.toContain(pair.appKey.slice(0, 8));
  }
});

test('a mute is not sent when the journal cannot be written', async () => {
  const id = hasDisk(simulator);
  symlinkSync('/dev/full', join(machine.directory, 'journal.jsonl'));
  const ran = await orgdeck(['monitors', 'mute', id, '--for', '1h']);
  expect(ran).toMatchObject({ exit: 1, out: '', err: expect.stringContaining('nothing was sent') });
  expect(silences(simulator, id)).toEqual([]);
});

test('a base URL that is no address gives a message before keys are read', async () => {
  const ran = await machine.orgdeck(['--base-url', 'https://kim:sekrit@api.acme.test', 'monitors', 'list']);
  expect(ran).toMatchObject({ exit: 2, out: '', err: expect.stringContaining('holds no user name or password') });
  expect(ran.err).not.toContain('sekrit');
});

test('a refused connection names the address and what to check', async () => {
  const keys = { ORGDECK_API_KEY: there.apiKey, ORGDECK_APP_KEY: there.appKey };
  const ran = await machine.orgdeck(['--base-url', 'http://127.0.0.1:9', 'monitors', 'mute', '1', '--for', '1h'], {
    env: keys,
  });
  expect(ran).toMatchObject({ exit: 1, out: '', err: expect.stringContaining('cannot connect to 127.0.0.1:9') });
});
