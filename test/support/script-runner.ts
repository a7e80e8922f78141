import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { PROGRAM } from './dashboard.ts';

/** Runs scripts with the built program as `orgdeck`, each in a home of its own. */
export function createScriptRunner() {
  const place = mkdtempSync(join(tmpdir(), 'orgdeck-scripts-'));
  mkdirSync(join(place, 'bin'));
  const wrapper = `#!/bin/sh\nexec '${process.execPath}' '${resolve(PROGRAM)}' "$@"\n`;
  writeFileSync(join(place, 'bin/orgdeck'), wrapper, { mode: 0o755 });
  return {
    home: () => mkdtempSync(join(place, 'home-')),
    /** Runs a script without a terminal. */
    async bash(script: string, home: string, env: Readonly<Record<string, string>> = {}, args: readonly string[] = []) {
      const child = spawn('bash', ['-c', script, 'bash', ...args], {
        cwd: home,
        env: {
          PATH: `${join(place, 'bin')}:${process.env.PATH}`,
          HOME: home,
          XDG_CACHE_HOME: process.env.XDG_CACHE_HOME,
          LANG: 'C.UTF-8',
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const exit = new Promise<number | null>((done) => child.once('close', done));
      const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return { exit: await exit, out, err };
    },
    ends: () => rmSync(place, { recursive: true, force: true }),
  };
}

/** Those of these programs that this machine lacks. */
export const lackingPrograms = (names: readonly string[]): readonly string[] =>
  names.filter((name) => spawnSync(name, ['--version']).error !== undefined);
