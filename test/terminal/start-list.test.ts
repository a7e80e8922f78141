import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { bundleOptions } from '../../package/bundle.ts';
import { PROGRAM } from '../support/dashboard.ts';
import list from '../support/fixtures/start-list.json' with { type: 'json' };
import { served } from '../support/served.ts';
import { bytesByChunk, loadedParts, startFaults } from '../support/start-list.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTerminal } from '../support/terminal.ts';

test('what is loaded before the first rows is in the list with its size, and no tables of ICU', async () => {
  const home = temporaryFolder();
  // The bundle in parts, which are loaded where the one that ships evaluates what lies in it.
  const { metafile } = await build({
    ...bundleOptions(`${process.cwd()}/`),
    outdir: home,
    splitting: true,
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  });
  writeFileSync(join(home, 'package.json'), '{"type":"module"}');
  const loaded = join(home, 'loaded');
  const pty = openTerminal({
    command: process.execPath,
    args: ['--import', './test/support/loaded-modules.mjs', join(home, 'main.js'), '--demo', '--screen', 'monitors'],
    env: { ORGDECK_CONFIG_DIR: home, LOADED_MODULES: loaded },
  });
  try {
    await pty.sees(/1-\d+\/\d+ /, { within: 30_000 });
    await pty.settles();
  } finally {
    await pty.close();
  }
  const bundle = bytesByChunk(metafile);
  const asked = readFileSync(loaded, 'utf8');
  expect(asked.match(/^Intl.*$/gm)).toBeNull();
  const chunks = asked.match(/[^/]+\.js$/gm) ?? [];
  const own = [...new Set(chunks)].filter((chunk) => chunk in bundle);
  expect(own).toContain('main.js');
  expect(startFaults(loadedParts(bundle, own), list.parts, list.totalKb)).toEqual([]);
});

test('other letters and emoji are drawn without the tables of ICU', async () => {
  const home = temporaryFolder();
  const loaded = join(home, 'loaded');
  const { env } = await served({
    seed: 1,
    monitors: 20,
    around(incoming, _, next) {
      const answer = next(incoming);
      if (incoming.endpoint?.id !== 'monitors.list' || !Array.isArray(answer.body)) return answer;
      return { ...answer, body: answer.body.map((row: object) => ({ ...row, name: 'Оплата 値 🔥 👍🏽 👩‍💻 🇩🇪' })) };
    },
  });
  const pty = openTerminal({
    command: process.execPath,
    args: ['--import', './test/support/loaded-modules.mjs', PROGRAM, '--screen', 'monitors'],
    env: { ORGDECK_CONFIG_DIR: home, LOADED_MODULES: loaded, ...env },
    columns: 120,
  });
  try {
    await pty.sees('Оплата 値', { within: 30_000 });
    pty.presses('jk');
    await pty.settles();
  } finally {
    await pty.close();
  }
  expect(readFileSync(loaded, 'utf8').match(/^Intl.*$/gm)).toBeNull();
});

test('a start keeps its compiled code, also when it is killed; the next one takes it, V8 does not collect all garbage before its first frame, and no cryptography is loaded before its rows', async () => {
  const home = temporaryFolder();
  const loaded = join(home, 'loaded');
  const start = () =>
    openTerminal({
      command: process.execPath,
      args: ['--import', './test/support/loaded-modules.mjs', PROGRAM, '--demo', '--screen', 'monitors'],
      env: { ORGDECK_CONFIG_DIR: home, XDG_CACHE_HOME: home, LOADED_MODULES: loaded },
    });
  const kept = () =>
    readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('dashboard'));
  const pty = start();
  try {
    await pty.sees(/1-\d+\/\d+ /, { within: 30_000 });
    await expect.poll(kept, { timeout: 10_000 }).toHaveLength(1);
  } finally {
    await pty.close();
  }
  rmSync(loaded);
  const next = start();
  try {
    const rowsAt = performance.timeOrigin + (await next.sees(/1-\d+\/\d+ /, { within: 30_000 }));
    const cryptoAt = () => Number(/^node:crypto (\d+)$/m.exec(readFileSync(loaded, 'utf8'))?.[1]);
    await expect.poll(cryptoAt, { timeout: 10_000 }).toBeGreaterThan(rowsAt);
    const timesOf = (what: string) =>
      readFileSync(loaded, 'utf8')
        .split('\n')
        .flatMap((line) => (line.startsWith(`${what} `) ? Number(line.slice(what.length)) : []));
    const [drawnAt = 0] = timesOf('Frame');
    expect(drawnAt).toBeGreaterThan(0);
    // Because the launcher collects while the heap is almost empty.
    expect(timesOf('Collection').filter((at) => at < drawnAt)).toEqual([]);
  } finally {
    await next.close();
  }
  const [file = ''] = kept();
  expect(statSync(join(home, file)).mode & 0o777).toBe(0o600);
  // V8 refuses what was kept under other flags than those of the start.
  const take = `
    const { Script } = require('node:vm'), { readFileSync } = require('node:fs');
    // Behind the code stands its digest.
    const code = { cachedData: readFileSync(process.argv[1]).subarray(0, -9 - require('node:path').basename(process.argv[1]).length) };
    process.stdout.write(String(new Script(readFileSync('dist/main.js', 'latin1'), code).cachedDataRejected));`;
  expect(execFileSync(process.execPath, ['-e', take, join(home, file)], { encoding: 'utf8' })).toBe('false');
});

test('the list reports what is new, larger, smaller and gone', () => {
  const bundle = {
    'dist/main.js': {
      'src/main.tsx': 1500,
      'src/lib/text.ts': 6000,
      'node_modules/a/node_modules/@b/c/index.js': 9000,
    },
    'dist/parts/x.js': { 'node_modules/new/index.js': 2000, 'node_modules/tiny/index.js': 900 },
    'dist/parts/later.js': { 'node_modules/later/index.js': 50_000 },
  };
  const parts = loadedParts(bundle, ['dist/main.js', 'dist/parts/x.js']);
  expect(startFaults(parts, { 'src/main.tsx': 2, 'src/lib': 5, '@b/c': 20, gone: 7 }, 19)).toEqual([
    '6000 bytes of src/lib are loaded at the start, start-list.json allows 5 kB',
    'only 9000 bytes of @b/c are loaded at the start: lower its 20 kB in the list',
    'new is loaded before the first frame, 2000 bytes, and is not in the list',
    'gone is no longer loaded at the start: take it off the list',
    '19400 bytes are loaded at the start, start-list.json allows 19 kB',
  ]);
});
