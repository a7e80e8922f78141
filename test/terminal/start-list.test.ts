import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PROGRAM } from '../support/dashboard.ts';
import list from '../support/fixtures/start-list.json' with { type: 'json' };
import { type Bundle, loadedParts, startFaults } from '../support/start-list.ts';
import { openTerminal } from '../support/terminal.ts';

test('what is loaded before the first frame is in the list with its size, and compiled for the next start', async () => {
  const home = mkdtempSync(join(tmpdir(), 'orgdeck-start-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const loaded = join(home, 'loaded');
  const pty = openTerminal({
    command: process.execPath,
    args: ['--import', './test/support/loaded-modules.mjs', PROGRAM, '--demo', '--screen', 'issues'],
    env: { ORGDECK_CONFIG_DIR: home, LOADED_MODULES: loaded, XDG_CACHE_HOME: join(home, 'cache') },
  });
  try {
    await pty.sees(/1-\d+\/\d+ /, { within: 30_000 });
    await pty.settles();
    // A start that follows a killed one finds its code compiled.
    const compiled = () => readdirSync(join(home, 'cache'), { recursive: true }).length;
    await expect.poll(compiled, { timeout: 10_000 }).toBeGreaterThan(50);
  } finally {
    await pty.close();
  }
  const chunks = readFileSync(loaded, 'utf8').match(/dist\/(main\.js|parts\/.*)$/gm) ?? [];
  const bundle = JSON.parse(readFileSync('node_modules/.cache/bundle.json', 'utf8')) as Bundle;
  expect(chunks.filter((chunk) => !(chunk in bundle))).toEqual([]);
  expect(startFaults(loadedParts(bundle, [...new Set(chunks)]), list.parts, list.totalKb)).toEqual([]);
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
    '6000 bytes of src/lib are loaded at the start, 5 kB are allowed',
    'only 9000 bytes of @b/c are loaded at the start: lower its 20 kB in the list',
    'new is loaded before the first frame, 2000 bytes, and is not in the list',
    'gone is no longer loaded at the start: take it off the list',
    '19400 bytes are loaded at the start, 19 kB are allowed',
  ]);
});
