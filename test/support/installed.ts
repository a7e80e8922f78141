/**
 * Tries an installed program: `node installed.ts WHAT COMMAND [ARGUMENT…]`. It runs in an empty directory with an empty PATH:
 * `--version`, `query check`, and the demo's first frame in a pseudo-terminal. Ends with 1 at the first fault.
 */
import { deepEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTerminal } from './terminal.ts';

const [what = '', command = '', ...first] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const place = mkdtempSync(join(tmpdir(), 'orgdeck-installed-'));
const env = { PATH: '', HOME: place };

/** Exit code and output of one run. */
function ran(...rest: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(command, [...first, ...rest], { cwd: place, env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

try {
  deepEqual(ran('--version'), { status: 0, stdout: `${version}\n`, stderr: '' });
  const { status, stdout, stderr } = ran('query', 'check', '--type', 'composite', '1 & 2');
  deepEqual({ status, stderr, verdict: /wrong/.exec(stdout)?.[0] }, { status: 1, stderr: '', verdict: 'wrong' });

  const hidden = { PATH: '', XDG_CACHE_HOME: undefined, USER: undefined, SHELL: undefined };
  const pty = openTerminal({ command, args: [...first, '--demo'], cwd: place, env: { ...hidden, HOME: place } });
  await pty.sees('Needs me', { within: 20_000 });
  await pty.close();
  process.stdout.write(`${what}: version, query check, first frame\n`);
} finally {
  rmSync(place, { recursive: true, force: true });
}
