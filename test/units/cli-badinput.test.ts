import { expect, test } from 'vitest';
import { noonClock } from '../support/clock.ts';
import { servedCommands } from '../support/served-commands.ts';

const { simulator, there, machine, orgdeck } = servedCommands({ monitors: 3, issues: 3, clock: noonClock() });

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

test('a refused connection names the address and what to check', async () => {
  const keys = { ORGDECK_API_KEY: there.apiKey, ORGDECK_APP_KEY: there.appKey };
  const ran = await machine.orgdeck(['--base-url', 'http://127.0.0.1:9', 'monitors', 'mute', '1', '--for', '1h'], {
    env: keys,
  });
  expect(ran).toMatchObject({ exit: 1, out: '', err: expect.stringContaining('cannot connect to 127.0.0.1:9') });
});
