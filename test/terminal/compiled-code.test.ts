import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { PROGRAM } from '../support/dashboard.ts';
import { runs } from '../support/runs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What the program prints where planted code runs in place of its own. */
const planted = 'planted code has run';

/** Starts the built program, which must end well, and gives what it prints. */
function start(env: NodeJS.ProcessEnv, ...nodeFlags: string[]): string {
  const ran = spawnSync(process.execPath, [...nodeFlags, PROGRAM, '--version'], {
    env,
    encoding: 'utf8',
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  expect({ status: ran.status, signal: ran.signal, err: ran.stderr }).toEqual({ status: 0, signal: null, err: '' });
  return ran.stdout;
}

/** A cache in which one start has kept the code that it compiled. */
function keptCode() {
  const cache = temporaryFolder();
  const again = (...nodeFlags: string[]) => start({ HOME: cache, XDG_CACHE_HOME: cache }, ...nodeFlags);
  const version = again();
  const folder = join(cache, 'orgdeck');
  const [name = ''] = readdirSync(folder);
  return { cache, folder, name, file: join(folder, name), again, version };
}

/** A whole file, with the right digest, of code that V8 takes for that of the bundle: it compares the length of the source alone. */
function plantedFile(name: string): Buffer {
  const make = `
    const source = '(function(){process.stdout.write("${planted}")})';
    const script = new (require('vm').Script)(source.padEnd(require('fs').statSync('dist/main.js').size));
    process.stdout.write(script.createCachedData());`;
  const code = spawnSync(process.execPath, ['-e', make]).stdout;
  return Buffer.concat([code, Buffer.from(`${crc32(code).toString(16).padStart(8, '0')} ${name}`)]);
}

test('compiled code is kept in the cache of the account, and taken by the next start', () => {
  const home = temporaryFolder();
  const cached = { HOME: home, XDG_CACHE_HOME: join(home, 'cache') };
  const folder = join(home, 'cache/orgdeck');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const others = [
    'code-0123456789ab-v24.1.0-x64-command',
    'code-0123456789ab-v24.1.0-x64-dashboard.77',
    'code-of-somebody',
  ];
  for (const name of others) {
    writeFileSync(join(folder, name), '');
    utimesSync(join(folder, name), new Date(0), new Date(0));
  }
  const recent = 'code-ba9876543210-v24.1.0-x64-command';
  writeFileSync(join(folder, recent), '');

  start(cached);
  // What is old and has no name of ours may be anything.
  const names = readdirSync(folder).filter((name) => name !== recent && name !== 'code-of-somebody');
  expect(names).toEqual([expect.stringMatching(/^code-[0-9a-f]{12}-.*-command$/)]);
  expect(readdirSync(folder)).toHaveLength(3);
  const file = join(folder, names[0] ?? '');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const before = statSync(file).mtimeMs;
  start(cached);
  expect(statSync(file).mtimeMs, 'the second start takes it').toBe(before);

  // Without a variable; and where nothing can be written.
  start({ HOME: home });
  if (process.platform === 'linux') expect(readdirSync(join(home, '.cache/orgdeck'))).toHaveLength(1);
  start({ HOME: home, XDG_CACHE_HOME: PROGRAM });
  if (process.platform === 'linux') start({ HOME: home, XDG_CACHE_HOME: '/proc/nope' });
});

test('damaged code is compiled anew and kept again, wherever a byte is wrong', () => {
  const { file, again, version } = keptCode();
  const whole = readFileSync(file);
  const tried = runs(12);
  const places = Array.from({ length: tried }, (_, at) => Math.floor(((whole.length - 1) * at) / (tried - 1)));
  for (const place of places) {
    const damaged = Buffer.from(whole);
    damaged[place] = (whole[place] ?? 0) ^ 0x41;
    writeFileSync(file, damaged);
    expect(again(), `byte ${place}`).toBe(version);
    expect(readFileSync(file).equals(damaged)).toBe(false);
  }
  truncateSync(file, 5000);
  expect(again()).toBe(version);
  expect(statSync(file).size).toBeGreaterThan(5000);
});

test('code that another account has written, or could have, is not run', () => {
  const { cache, folder, file, name, again, version } = keptCode();
  const plant = (): void => {
    rmSync(file, { force: true });
    writeFileSync(file, plantedFile(name), { mode: 0o600 });
  };
  plant();
  expect(again(), 'only this account has written it').toBe(planted);

  const doubts: Record<string, () => void> = {
    'others may write it': () => chmodSync(file, 0o660),
    'others may read it': () => chmodSync(file, 0o604),
    'it has a second name': () => linkSync(file, join(cache, 'second')),
    'it is a link': () => {
      renameSync(file, join(cache, 'target'));
      symlinkSync(join(cache, 'target'), file);
    },
    'it is the code of another build': () => {
      writeFileSync(file, plantedFile(name.replace(/code-\w/, 'code-x')));
    },
    ...(process.geteuid?.() === 0 ? { 'it belongs to another account': () => chownSync(file, 65_534, 65_534) } : {}),
  };
  for (const [doubt, make] of Object.entries(doubts)) {
    plant();
    make();
    expect(again(), doubt).toBe(version);
  }

  plant();
  const before = readFileSync(file);
  chmodSync(folder, 0o770);
  expect(again(), 'others may write in its folder').toBe(version);
  expect(readFileSync(file).equals(before), 'and nothing is kept there').toBe(true);
  chmodSync(folder, 0o700);
  renameSync(folder, join(cache, 'other'));
  symlinkSync(join(cache, 'other'), folder);
  expect(again(), 'its folder is a link').toBe(version);
});

// Elsewhere files have no name below an open folder: what keeps planted code from running is the check of the file.
test.runIf(process.platform === 'linux')('a folder that is exchanged after it was checked changes nothing', () => {
  const { cache, folder, name, again, version } = keptCode();
  const other = join(cache, 'other');
  mkdirSync(other);
  writeFileSync(join(other, name), plantedFile(name), { mode: 0o600 });
  const exchange = join(cache, 'exchange.cjs');
  writeFileSync(
    exchange,
    `const fs = require('fs'), { openSync } = fs;
    fs.openSync = (path, ...given) => {
      if (path.endsWith(${JSON.stringify(name)})) {
        fs.renameSync(${JSON.stringify(folder)}, ${JSON.stringify(join(cache, 'away'))});
        fs.renameSync(${JSON.stringify(other)}, ${JSON.stringify(folder)});
      }
      return openSync(path, ...given);
    };`,
  );
  expect(again('--require', exchange)).toBe(version);
  expect(existsSync(other), 'it was exchanged').toBe(false);
  expect(again(), 'the next start runs it: nobody else could have put it there').toBe(planted);
});
