import { expect, test } from 'vitest';
import { isRead } from '../../src/api/endpoint.ts';
import { stopOnSignals } from '../../src/cli/output/progress.ts';
import { servedCommands } from '../support/served-commands.ts';

const ours = process.listeners('SIGINT');
/** The first edit that arrives is followed by Ctrl-C. */
const { simulator, orgdeck } = servedCommands({
  monitors: 0,
  issues: 0,
  around(incoming, _, next) {
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

test('after the work no signal is heard', () => {
  const before = process.listeners('SIGINT');
  stopOnSignals().end();
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
    `stopping: what was sent is waited for\n${done} of ${ids.length} were done\n`,
  ]);
  expect([...simulator.org.silences.values()]).toHaveLength(done);
  const undone = await orgdeck(['undo', '--yes']);
  expect([undone.exit, undone.out.split('\n').length, undone.err]).toEqual([
    130,
    2,
    `stopping: what was sent is waited for\n${done - 1} rows left as before\n`,
  ]);
});

test('a key whose creation a signal has met keeps its secret, and the old key stays', async () => {
  const key = ['--name', 'night job', '--scopes', 'monitors_read', '--reveal'];
  const created = await orgdeck(['keys-own', 'create', ...key]);
  expect(created).toMatchObject({ exit: 130, out: expect.stringMatching(/^Created .*\n\S{32,}\n$/) });
  const rotated = await orgdeck(['keys-own', 'rotate', 'name:night job', '--reveal', '--yes']);
  expect(rotated).toMatchObject({ exit: 130, out: expect.stringMatching(/^Created .*\n\S{32,}\n$/) });
  expect(rotated.err).toContain('the old key stays beside the new one: stopped');
});
