import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PROGRAM } from '../support/dashboard.ts';

test('compiled code is kept in the cache of the account, unless others can write there', () => {
  const home = mkdtempSync(join(tmpdir(), 'orgdeck-launch-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const start = (variables: NodeJS.ProcessEnv = {}) => {
    const ran = spawnSync(process.execPath, [PROGRAM, '--version'], { env: { HOME: home, ...variables } });
    expect({ status: ran.status, err: ran.stderr.toString() }).toEqual({ status: 0, err: '' });
  };
  const own = join(home, 'cache/orgdeck');
  const [old, recent] = [join(own, 'code-old'), join(own, 'code-recent')];
  for (const place of [old, recent]) mkdirSync(place, { recursive: true, mode: 0o700 });
  utimesSync(old, new Date(0), new Date(0));

  start({ XDG_CACHE_HOME: join(home, 'cache') });
  expect(existsSync(old)).toBe(false);
  expect(existsSync(recent)).toBe(true);
  const place = join(own, readdirSync(own).find((name) => name !== 'code-recent') ?? '');
  expect(statSync(place).mode & 0o777).toBe(0o700);
  const [version = ''] = readdirSync(place);
  expect(version).toContain(process.version);
  expect(readdirSync(join(place, version)).length).toBeGreaterThan(2);
  expect(existsSync(join(dirname(PROGRAM), '.cache'))).toBe(false);

  // Another account could have written there: the program starts, and neither reads nor writes it.
  rmSync(join(place, version), { recursive: true });
  chmodSync(own, 0o777);
  start({ XDG_CACHE_HOME: join(home, 'cache') });
  expect(readdirSync(place)).toEqual([]);

  // Without a variable; and where nothing can be written.
  start();
  if (process.platform === 'linux') expect(readdirSync(join(home, '.cache/orgdeck'))).toHaveLength(1);
  start({ XDG_CACHE_HOME: PROGRAM });
});
