import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isRead } from '../../src/api/endpoint.ts';
import { stopOnSignals, untilSignal } from '../../src/cli/output/progress.ts';
import { servedCommands } from '../support/served-commands.ts';

const ours = process.listeners('SIGINT');
/** Ids of the operations that have arrived. */
const arrived: (string | undefined)[] = [];
/** Each edit that arrives is followed by Ctrl-C. */
const { simulator, machine, orgdeck } = servedCommands({
  monitors: 0,
  issues: 0,
  around(incoming, _, next) {
    arrived.push(incoming.endpoint?.id);
    if (incoming.endpoint && !isRead(incoming.endpoint))
      for (const hear of process.listeners('SIGINT')) if (!ours.includes(hear)) hear('SIGINT');
    return next(incoming);
  },
});

test.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s calls work off once, and is the exit code; a second one ends the program', (name, code) => {
  const before = process.listeners(name);
  const stopping = stopOnSignals();
  const [hear] = process.listeners(name).filter((listener) => !before.includes(listener));
  expect([stopping.signal.aborted, stopping.exit()]).toEqual([false, undefined]);
  hear?.(name);
  expect([stopping.signal.aborted, stopping.exit()]).toEqual([true, code]);
  expect(process.listeners(name)).toEqual(before);
});

test('after the work no signal is heard', async () => {
  const before = process.listeners('SIGINT');
  expect(await untilSignal({ err() {} }, async () => 0)).toBe(0);
  expect(process.listeners('SIGINT')).toEqual(before);
});

test('a signal between two edits begins none any more; what was done is told, and can be undone', async () => {
  const ids = Array.from({ length: 8 }, (_, at) => simulator.has('monitor', { name: `web ${at}` }));
  const muted = await orgdeck(['monitors', 'mute', ...ids, '--for', '1h', '--json']);
  const outcomes = JSON.parse(muted.out).items.map(({ outcome }: { readonly outcome: string }) => outcome);
  const done = outcomes.indexOf('notSent');
  expect(outcomes).toEqual(ids.map((_, at) => (at < done ? 'done' : 'notSent')));
  expect([muted.exit, muted.err]).toEqual([
    130,
    `stopping: waiting for requests already sent\n${done} of ${ids.length} were done\n`,
  ]);
  expect([...simulator.org.silences.values()]).toHaveLength(done);
  const undone = await orgdeck(['undo', '--yes']);
  expect([undone.exit, undone.out.split('\n').length, undone.err]).toEqual([
    130,
    2,
    `stopping: waiting for requests already sent\n${done - 1} rows left as before\n`,
  ]);
});

test('after a signal an apply neither sends nor reads any more, and each change has its receipt', async () => {
  const directory = mkdtempSync(join(machine.directory, 'org-'));
  const run = (command: string, ...more: string[]) =>
    orgdeck([command, directory, '--kind', 'retention,archives', ...more]);
  await run('export');
  const path = (name: string) => join(directory, `${name}.json`);
  const content = (name: string) => JSON.parse(readFileSync(path(name), 'utf8'));
  const change = (name: string, more: object) =>
    writeFileSync(path(name), JSON.stringify({ ...content(name), ...more }));
  change('retention/staging', { rate: 0.5 });
  change('retention/slow-search', { rate: 0.75 });
  writeFileSync(path('retention/_order'), JSON.stringify(content('retention/_order').toReversed()));
  writeFileSync(
    path('archives/new'),
    JSON.stringify({ ...content('archives/audit-trail'), id: undefined, name: 'new' }),
  );
  change('archives/audit-trail', { query: 'source:audit env:prod' });
  rmSync(path('archives/warehouse'));
  const before = arrived.length;
  const applied = await run('apply', '--delete', '--yes', '--json');
  const items: readonly { target: { name: string }; outcome: string }[] = JSON.parse(applied.out).items;
  expect(items.map(({ target, outcome }) => `${target.name}: ${outcome}`)).toEqual([
    'Slow search: done',
    ...['Staging', 'Retention filters', 'new', 'audit trail', 'warehouse'].map((name) => `${name}: notSent`),
  ]);
  expect([applied.exit, applied.err]).toEqual([130, expect.stringContaining('1 of 6 were done')]);
  expect(arrived.slice(before).at(-1)).toBe('retention.update');
});

test('the answer to a call that a signal has met is printed', async () => {
  const body = JSON.stringify({ data: { type: 'roles', attributes: { name: 'night' } } });
  expect(await orgdeck(['call', 'roles.create', '--body', body])).toEqual({
    ...{ exit: 130, err: 'stopping: waiting for requests already sent\n' },
    out: expect.stringContaining('"name": "night"'),
  });
});

test('a key whose creation a signal has met keeps its secret, and the old key stays', async () => {
  const key = ['--name', 'night job', '--scopes', 'monitors_read', '--reveal'];
  const created = await orgdeck(['keys-own', 'create', ...key]);
  expect(created).toMatchObject({ exit: 130, out: expect.stringMatching(/^Created .*\n\S{32,}\n$/) });
  const rotated = await orgdeck(['keys-own', 'rotate', 'name:night job', '--reveal', '--yes']);
  expect(rotated).toMatchObject({ exit: 130, out: expect.stringMatching(/^Created .*\n\S{32,}\n$/) });
  expect(rotated.err).toContain('the old key stays beside the new one: stopped');
});
