import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { onStage, PROGRAM, sevenIssues, statesIn } from '../support/dashboard.ts';
import { createSimulator, type Started } from '../support/simulator.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Whether this account may mount a disk for its own processes. */
const canMount = spawnSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs none /mnt']).status === 0;
if (!canMount) process.stderr.write('NOT TESTED: full and read-only disks, which only root may mount\n');

const simulator = createSimulator({ seed: 7, monitors: 0, issues: 0, lively: false, rate: 0 });
let there: Started;
let place = '';
beforeAll(async () => {
  simulator.has('monitor', { id: 4211, name: 'disk full', overall_state: 'Alert' });
  there = await simulator.start();
});
afterAll(() => simulator.stop());
beforeEach(() => {
  place = temporaryFolder();
  simulator.forgets();
});

/** Runs a shell script in which `orgdeck …` is the built program; gives all that was written, both streams in turn. */
const shell = (script: string, under: readonly string[] = []): Promise<string> => {
  const { PATH, XDG_CACHE_HOME } = process.env;
  const keys = { ORGDECK_API_KEY: there.apiKey, ORGDECK_APP_KEY: there.appKey, ORGDECK_CONFIG_DIR: place };
  const whole = `orgdeck() { timeout 10 "${process.execPath}" "${PROGRAM}" --base-url ${there.url} "$@" 2>&1; echo "exit $?"; }\n${script}`;
  const [command = '', ...args] = [...under, 'sh', '-c', whole];
  return new Promise((done) =>
    execFile(command, args, { env: { PATH, XDG_CACHE_HOME, ...keys }, encoding: 'utf8' }, (_, out, err) =>
      done(out + err),
    ),
  );
};
const mute = 'orgdeck monitors mute 4211 --for 1h --add';
const addProfile = 'orgdeck profiles add acme --base-url https://api.acme.test --api-key-env A --app-key-env B';

describe.runIf(canMount)('a disk of the system', { tags: ['long'] }, () => {
  const mounted = ['unshare', '-m'];

  test('that is full refuses an edit and a profile with a sentence; once there is room, both work', async () => {
    const said = await shell(
      `mount -t tmpfs -o size=64k,mode=700 none "${place}"
       dd if=/dev/zero of="${place}/filler" bs=1k 2>/dev/null
       ${mute}; ${addProfile}; ls -A "${place}"; orgdeck monitors list --json id | head -c 40
       rm "${place}/filler"; ${mute}; ${addProfile}; ls -A "${place}"`,
      mounted,
    );
    expect(said).toMatch(/nothing was sent: .*the disk is full: make room[^\n]*\nexit 1\n/);
    expect(said).toMatch(/profiles\.json cannot be written \(the disk is full: make room\)\nexit 2\n/);
    const [full = '', roomy = ''] = said.split('"version"');
    expect(full).toMatch(/filler\njournal\.jsonl\n/);
    expect(full).not.toContain('.new');
    expect(roomy).toMatch(/exit 0[\s\S]*profile acme added[\s\S]*exit 0\njournal\.jsonl\nprofiles\.json\n$/);
    expect(simulator.received('POST')).toHaveLength(1);
  });

  test('that has no room for a new secret: it is printed instead, and the receipt says so', async () => {
    const said = await shell(
      `mkdir "${place}/small"; mount -t tmpfs -o size=4k none "${place}/small"
       dd if=/dev/zero of="${place}/small/filler" bs=1k 2>/dev/null
       orgdeck keys-own create --name night --scopes monitors_read --secret-file "${place}/small/secret" --json`,
      mounted,
    );
    expect(said).toMatch(/the disk is full: make room\): the secret was printed instead[^\n]*\nexit 1\n/);
    const secret = [...simulator.org.applicationKeys.values()].find(({ name }) => name === 'night')?.secret;
    expect(JSON.parse(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1))).toMatchObject({
      items: [{ secret: { where: 'shown', value: secret } }],
    });
  });

  test('that is read-only: lists are read, edits are refused', async () => {
    const said = await shell(
      `mount -t tmpfs -o ro,mode=700 none "${place}"
       orgdeck monitors list --json id | head -c 40; ${mute}; ${addProfile}`,
      mounted,
    );
    expect(said).toContain('"version"');
    expect(said).toMatch(/nothing was sent: .*the disk is read-only: [^\n]*\nexit 1\n/);
    expect(said).toMatch(/the disk is read-only: [^\n]*\nexit 2\n/);
    expect(simulator.received('POST')).toEqual([]);
  });

  test(
    'that is read-only under the dashboard: it opens, says that an edit was not sent, and leaves',
    onStage(
      async ({ pty, service }) => {
        await pty.sees('TypeError');
        const before = statesIn(service);
        pty.presses('r');
        await pty.sees(/is read-only: give another/);
        expect(statesIn(service)).toEqual(before);
        pty.presses('Q');
        await pty.ends();
        expect(pty.buffer()).toBe('normal');
      },
      {
        before: sevenIssues,
        columns: 120,
        script: `exec unshare -m sh -c 'mount -t tmpfs -o ro,mode=700 none "$ORGDECK_CONFIG_DIR"; exec "$@"' stage "$@"`,
      },
    ),
  );
});

test.runIf(process.geteuid?.() === 0)(
  'under an umask that takes everything away, files are 0600 and read again',
  { tags: ['long'] },
  async () => {
    chownSync(place, 65534, 65534);
    chmodSync(place, 0o700);
    const said = await shell(`umask 0777; ${mute}; ${addProfile}; ${mute}; orgdeck profiles list; orgdeck journal`, [
      'setpriv',
      '--reuid',
      '65534',
      '--regid',
      '65534',
      '--clear-groups',
    ]);
    expect(said).not.toMatch(/exit [^0]/);
    for (const name of readdirSync(place))
      expect([name, statSync(join(place, name)).mode & 0o777]).toEqual([name, 0o600]);
  },
);
