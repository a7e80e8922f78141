/**
 * Tries an installed program as somebody does who never saw it: `node installed.ts WHAT COMMAND [ARGUMENT…]`. It runs in an empty directory with
 * an empty PATH: what works at once, what each obstacle says and its exit code, and a profile from its first prompt to the first rows. Ends
 * with 1 at the first fault.
 */
import { deepEqual, match } from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openTerminal } from './terminal.ts';

const [what = '', command = '', ...first] = process.argv.slice(2);
const { version, man } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
  readonly man: readonly string[];
};
const place = mkdtempSync(join(tmpdir(), 'orgdeck-installed-'));
const env = { PATH: '', HOME: place };
const badKeys = { ORGDECK_API_KEY: 'a'.repeat(32), ORGDECK_APP_KEY: 'b'.repeat(40) };

/** Exit code and output of one run, with nothing to read and no terminal. */
function ran(rest: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(command, [...first, ...rest], {
    ...{ cwd: place, env: { ...env, ...more }, encoding: 'utf8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { status, stdout, stderr };
}

const inTerminal = (args: readonly string[], columns = 80, rows = 24) =>
  openTerminal({
    ...{ command, args: [...first, ...args], cwd: place, columns, rows },
    env: { PATH: '', XDG_CACHE_HOME: undefined, USER: undefined, SHELL: undefined, HOME: place },
  });

/** Each obstacle is told in a sentence that says what to do, and has an exit code of its own kind. */
function meetsObstacle(args: readonly string[], status: number, sentence: RegExp, more = {}) {
  const run = ran(args, more);
  match(run.stderr, sentence);
  deepEqual({ status: run.status, stdout: run.stdout }, { status, stdout: '' });
}

async function firstFrames() {
  const demo = inTerminal(['--demo']);
  await demo.sees('Needs me', { within: 20_000 });
  await demo.close();
  const small = inTerminal(['--demo'], 40, 10);
  await small.sees(/needs 60x16, has 40x10: enlarge it, or\s+start with --plain/, { within: 20_000 });
  await small.close();
}

/** A profile by prompts, on a simulator of the same program: its keys are good, others are refused. */
async function firstProfile() {
  const simulator = spawn(command, [...first, 'simulator', '--monitors', '5', '--issues', '2'], { cwd: place, env });
  try {
    let said = '';
    for await (const chunk of simulator.stdout) {
      said += chunk;
      if (said.includes('orgdeck --base-url')) break;
    }
    const [, url = '', apiKey = '', appKey = ''] =
      /base URL +(\S+)\s+API key +(\S+)\s+application key +(\S+)/.exec(said) ?? [];
    meetsObstacle(
      ['monitors', 'list', '--base-url', url],
      4,
      /^the keys were not accepted .* revoked or mistyped/,
      badKeys,
    );

    const adding = inTerminal(['profiles', 'add', 'acme']);
    await adding.sees('base URL of acme');
    adding.presses(`${url}\r`);
    await adding.sees('test it:  orgdeck profiles test acme');
    deepEqual(await adding.ends(), { code: 0, signal: 0 });
    meetsObstacle(['monitors', 'list', '--profile', 'acme'], 4, /is typed at each start: .* set ORGDECK_API_KEY\n$/);

    const dashboard = inTerminal(['--profile', 'acme']);
    await dashboard.sees('API key of acme');
    dashboard.presses(`${apiKey}\r`);
    await dashboard.sees('application key of acme');
    dashboard.presses(`${appKey}\r`);
    await dashboard.sees('Needs me');
    dashboard.presses('q');
    deepEqual(await dashboard.ends(), { code: 0, signal: 0 });
  } finally {
    simulator.kill();
  }
}

try {
  deepEqual(ran(['--version']), { status: 0, stdout: `${version}\n`, stderr: '' });
  const { status, stdout, stderr } = ran(['query', 'check', '--type', 'composite', '1 & 2']);
  deepEqual({ status, stderr, verdict: /wrong/.exec(stdout)?.[0] }, { status: 1, stderr: '', verdict: 'wrong' });
  match(ran(['--help']).stdout, /^Usage: orgdeck \[options\] \[command\]\n/);
  match(ran(['man', 'monitors']).stdout, /^\.TH ORGDECK-MONITORS 1 /);
  // npm links them beside the programs, where `man` looks for the pages of what is in PATH.
  const pages = join(dirname(first.at(-1) ?? command), '../share/man/man1');
  if (first.length > 0)
    deepEqual(
      man.filter((page) => !existsSync(join(pages, page.replace('dist/man/', '')))),
      [],
    );

  meetsObstacle([], 2, /^the dashboard needs a terminal \(over SSH: ssh -t\)/);
  meetsObstacle(['monitors', 'list'], 2, /^there is no profile yet: run {2}orgdeck profiles add /);
  meetsObstacle(['montors'], 2, /Did you mean monitors\?/);
  const closed = ['monitors', 'list', '--base-url', 'http://127.0.0.1:9'];
  meetsObstacle(
    closed,
    1,
    /^cannot connect to 127\.0\.0\.1:9 \(connection refused\): is the service running\?\n$/,
    badKeys,
  );
  await firstFrames();
  await firstProfile();
  process.stdout.write(`${what}: version, query check, help, manual, first frame, six obstacles, first profile\n`);
} finally {
  rmSync(place, { recursive: true, force: true });
}
