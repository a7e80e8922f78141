import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../src/simulator/server/random.ts';
import { argumentsOf } from '../support/aftermath.ts';
import { PROGRAM, sevenIssues, threeMonitors } from '../support/dashboard.ts';
import { createSimulator, type Simulator } from '../support/simulator.ts';
import { isMissing, type SshServer, startSshServer } from '../support/ssh-server.ts';
import { openTerminal, type Pty } from '../support/terminal.ts';

/** The recipe of docs/ssh.md, for this account and the built program. */
function recipe(folder: string, variables: Readonly<Record<string, string>>): readonly string[] {
  const block = /```text\n(Match User[\s\S]*?)```/.exec(readFileSync('docs/ssh.md', 'utf8'))?.[1] ?? '';
  const set = Object.entries(variables).map(([name, value]) => ` "${name}=${value}"`);
  const lines = block
    .trimEnd()
    .replace('User oncall', `User ${userInfo().username}`)
    .replace('/usr/local/bin/orgdeck', `${process.execPath} ${resolve(PROGRAM)}`)
    .replace('/var/lib/oncall', `${folder}${set.join('')}`);
  expect(lines).toContain(`CONFIG_DIR=${folder} `);
  expect(lines).toContain(`exec ${process.execPath}`);
  return lines.split('\n');
}

/** Programs that a way out would run; here they only note that they were. */
const traps = ['vi', 'vim', 'nano', 'less', 'more', 'pager', 'sh', 'bash', 'env', 'tmux', 'xdg-open', 'open', 'git'];

describe.skipIf(isMissing('sshd', 'ssh', 'ssh-keygen'))('an account with ForceCommand orgdeck --kiosk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orgdeck-kiosk-'));
  const place = join(folder, 'state');
  const trapped = join(folder, 'trapped');
  let server: SshServer;
  let service: Simulator;
  let other: Simulator;
  let otherAt: string;

  beforeAll(async () => {
    mkdirSync(join(folder, 'bin'), { recursive: true });
    mkdirSync(place, { mode: 0o700 });
    for (const name of traps) {
      writeFileSync(join(folder, 'bin', name), `#!/bin/sh\necho "${name} $*" >> ${trapped}\n`);
      chmodSync(join(folder, 'bin', name), 0o755);
    }
    const made = () => createSimulator({ seed: 7, monitors: 0, issues: 0, lively: false, rate: 0 });
    [service, other] = [made(), made()];
    sevenIssues(service);
    threeMonitors(service);
    const [one, two] = [await service.start(), await other.start()];
    otherAt = new URL(two.url).host;
    const profileOf = (name: string, at: typeof one) => ({
      name,
      baseUrl: at.url,
      keys: { apiKey: { stored: at.apiKey }, appKey: { stored: at.appKey } },
    });
    const write = (name: string, value: unknown) =>
      writeFileSync(join(place, name), JSON.stringify(value), { mode: 0o600 });
    write('profiles.json', { version: 1, profiles: [profileOf('acme', one), profileOf('other', two)] });
    write('config.json', {
      version: 1,
      commands: [{ key: 'B', title: 'environment', argv: ['sh', '-c', 'env'], output: 'view' }],
    });
    const variables = {
      HOME: folder,
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      EDITOR: join(folder, 'bin/vi'),
      VISUAL: join(folder, 'bin/vi'),
      PAGER: join(folder, 'bin/less'),
      XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? '',
      TZ: 'UTC',
    };
    server = await startSshServer(['AcceptEnv LANG LC_*', 'Subsystem sftp internal-sftp', ...recipe(place, variables)]);
  });
  afterAll(async () => {
    await server.close();
    await service.stop();
    await other.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What else the account would have reached. */
  function nothingElse() {
    expect(existsSync(trapped) ? readFileSync(trapped, 'utf8') : '').toBe('');
    expect(other.received()).toEqual([]);
    const ours = /^(?:profiles|config)\.json$|^journal|^(?:state|snapshot)-acme/;
    expect(readdirSync(place).filter((name) => !ours.test(name))).toEqual([]);
    const strangers = server
      .processes()
      .map(argumentsOf)
      .filter(
        (args) =>
          args !== '' &&
          !/^sshd: |orgdeck-watcher|^sleep \d+$|^\S*node\S* \S*orgdeck\.js --kiosk --profile acme$/.test(args),
      );
    expect(strangers).toEqual([]);
  }

  const opens = async (options: readonly string[] = [], ...command: readonly string[]): Promise<Pty> => {
    const link = await server.link({ options: ['-tt', ...options] });
    return openTerminal({ command: 'ssh', args: [...link.args, ...command], columns: 120, rows: 40 });
  };

  test('no other command, no file transfer, no forwarding, no variable of the client', async () => {
    const without = async (options: readonly string[], ...command: readonly string[]) => {
      const link = await server.link({ options });
      return new Promise<{ readonly code: unknown; readonly out: string; readonly err: string }>((settle) => {
        const child = execFile('ssh', [...link.args, ...command], (error, out, err) =>
          settle({ code: error?.code ?? 0, out, err }),
        );
        child.stdin?.end();
      });
    };
    const help = { code: 2, out: '', err: expect.stringContaining('the dashboard needs a terminal') };
    expect(await without(['-T'], 'sh', '-c', 'id')).toEqual(help);
    expect(await without(['-T'], 'profiles', 'list')).toEqual(help);
    expect(await without(['-T', '-s'], 'sftp')).toMatchObject({ code: 2, out: '' });
    expect(await without(['-W', otherAt])).toMatchObject({ code: 255, out: '' });

    const pty = await opens(
      ['-o', 'SetEnv=ORGDECK_PROFILE=other NODE_OPTIONS=--inspect ORGDECK_BASE_URL=http://127.0.0.1:9'],
      'orgdeck',
      '--profile',
      'other',
    );
    await pty.sees('acme');
    nothingElse();
    await pty.close();
  });

  test('no key leads to a shell, an editor, a file, a command or another profile', {
    tags: ['long', 'faults'],
  }, async () => {
    const pty = await opens();
    const says = async (keys: readonly string[], words: string | RegExp = 'off in kiosk mode') => {
      for (const key of keys) {
        pty.presses(key);
        await pty.settles(100);
      }
      await pty.sees(words);
      nothingElse();
      for (const back of ['\u001B', '\u001B', '\u001B']) {
        pty.presses(back);
        await pty.settles(120);
      }
    };
    await pty.sees('acme');
    pty.presses('1');
    await pty.sees(/> .*TypeError/);
    await says(['\u001A'], 'Suspend: off in kiosk mode');
    await says(['P'], 'Profiles: off in kiosk mode');
    await says(['2', 'B'], 'Environment: off in kiosk mode');
    await says(['2', 'e', '\u0005']);
    await says(['H', '\u0013']);
    // No form opens: neither is a file read nor a folder listed.
    await says(['7', ':', 'upload file', '\r'], /off in kiosk mode/i);
    expect(pty.outputSince(0)).not.toContain('File *');
    expect(pty.outputSince(0)).not.toContain('passwd-');
    for (const words of ['profiles', 'suspend', 'environment', 'profile other'])
      await says([':', words, '\r'], /off in kiosk mode|no command|nothing matches|unknown/i);
    pty.presses('QQ');
    expect((await pty.ends()).code).toBe(0);
    await expect.poll(() => server.processes()).toEqual([]);
    nothingElse();
  });

  test('neither do random keys', { tags: ['long', 'faults'], timeout: 240_000 }, async () => {
    const seed = Number(process.env.TEST_SEED ?? 20_261_122);
    process.stdout.write(`seed ${seed}\n`);
    const random = createRandom(seed);
    const keys = [
      ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
      ...Array.from({ length: 31 }, (_, at) => String.fromCharCode(1 + at)),
      ...['\u001B[A', '\u001B[B', '\u001B[C', '\u001B[D', '\u001B[Z', '\u001B\r', '\u001B[200~/etc/passwd\u001B[201~'],
    ];
    let pty = await opens();
    let isOpen = true;
    const watch = () =>
      void pty.ends({ within: 60_000 }).then(
        () => {
          isOpen = false;
        },
        () => undefined,
      );
    watch();
    for (let turn = 0; turn < 300; turn += 1) {
      if (!isOpen) {
        isOpen = true;
        pty = await opens();
        watch();
        await pty.sees('acme');
      }
      for (let key = 0; key < 10; key += 1) pty.presses(random.pick(keys));
      await wait(60);
      if (turn % 10 === 0) nothingElse();
    }
    await pty.close();
    nothingElse();
  });
});
