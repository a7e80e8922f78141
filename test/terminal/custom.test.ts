import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { onStage, threeMonitors } from '../support/dashboard.ts';

/** Seconds that no other program sleeps. */
const asleep = `617.${process.pid}`;
const sleepers = (): string[] =>
  execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((args) => args.trim() === `sleep ${asleep}`);

const config = JSON.stringify(
  {
    version: 1,
    keys: { 'monitors.mute': 'Alt-m', 'monitors.unmute': '/' },
    commands: [
      { key: 'B', title: 'environment', argv: ['env'], screens: ['monitors'] },
      { key: 'L', title: 'long', argv: ['/bin/sh', '-c', `sleep ${asleep} & wait`], screens: ['monitors'] },
    ],
    mouse: true,
  },
  null,
  2,
);
const profiles = JSON.stringify({
  version: 1,
  profiles: [{ name: 'acme', baseUrl: 'https://api.acme.test', keys: { apiKey: { env: 'ACME_KEY' } } }],
});
/** Writes both files, and leaves keys in variables of other names. */
const script = `umask 077; printf '%s' '${config}' > "$ORGDECK_CONFIG_DIR/config.json"
printf '%s' '${profiles}' > "$ORGDECK_CONFIG_DIR/profiles.json"
export ACME_KEY=key-of-acme COPY="Bearer $ORGDECK_APP_KEY" PLAIN=stays
export EDITOR="sh -c 'env; read line'"
exec "$@"`;

test(
  'config.json in the built program: its mistake is told, its mouse, keys and commands work, and no key reaches a command or the editor',
  onStage(
    async ({ pty }) => {
      await pty.sees(/config\.json: line 5: monitors\.unmute cannot be on \//);
      expect(pty.outputSince(0)).toContain('\u001B[?1000h');
      pty.presses('2');
      await pty.sees('disk full');
      pty.presses('\u001Bm');
      await pty.sees('until');
      pty.presses('\u001B');
      await pty.settles(600);
      pty.presses('B');
      await pty.sees('PLAIN=stays');
      const frame = pty.screen().join('\n');
      expect(frame).not.toMatch(/ORGDECK|ACME_KEY|COPY|Bearer/);
      pty.presses('q');
      await pty.settles();
      pty.presses('n');
      await pty.sees('Monitor type');
      pty.presses('\r');
      await pty.sees(/> Name/);
      pty.presses('\t');
      await pty.sees(/> Query/);
      const before = pty.mark();
      pty.presses('\u0005');
      await pty.sees('PLAIN=stays');
      expect(pty.outputSince(before)).not.toMatch(/ORGDECK|ACME_KEY|COPY|Bearer/);
      pty.presses('\r');
      await pty.sees(/> Query/);
      pty.presses('\u001B');
      await pty.missesSoon(/> Query/);
      await pty.settles(600);
      pty.presses('L');
      await pty.sees('keep running');
      await expect.poll(sleepers).toHaveLength(1);
      pty.presses('q');
      await pty.settles();
      pty.presses('Q');
      await pty.sees('Still running: long');
      pty.presses('Q');
      for (let tries = 0; tries < 100 && sleepers().length > 0; tries += 1) await wait(50);
      expect(sleepers()).toEqual([]);
    },
    { before: threeMonitors, script, columns: 120, rows: 50 },
  ),
);

test(
  'with --kiosk a command is refused, and so is suspending',
  onStage(
    async ({ pty }) => {
      await pty.sees('live');
      pty.presses('2');
      await pty.sees('disk full');
      pty.presses('B');
      await pty.sees('Environment: off in kiosk mode');
      await pty.settles();
      await wait(400);
      pty.presses('\u001A');
      await pty.sees('Suspend: off in kiosk mode');
    },
    { before: threeMonitors, script, flags: ['--kiosk'] },
  ),
);
