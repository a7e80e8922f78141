import { expect, test } from 'vitest';
import { onStage, sevenIssues, statesIn } from '../support/dashboard.ts';
import { hasIssue } from '../support/issues.ts';
import { served } from '../support/served.ts';

/** The program on the first of two profiles; the second one is in production. */
const withTwoProfiles = [
  '"$1" "$2" profiles add acme --base-url "$4" --api-key-env ORGDECK_API_KEY --app-key-env ORGDECK_APP_KEY >/dev/null',
  '"$1" "$2" profiles add beta --base-url "$BETA_URL" --production --fleet --api-key-env BETA_API_KEY --app-key-env BETA_APP_KEY >/dev/null',
  // What others may read is not taken up, and the start says so.
  'install -m 644 /dev/null "$ORGDECK_CONFIG_DIR/state-acme.json"',
  'exec "$1" "$2" --profile acme --screen issues',
].join(' && ');

test('P shows how the organization of a marked profile stands, and P and Return turn to another profile: its rows alone are shown, and edits go to it alone', async () => {
  const { service: beta, at } = await served({ seed: 8 });
  hasIssue(beta, 1, { error_type: 'BetaError', total_count: 99_000 });
  await onStage(
    async ({ pty, service, types }) => {
      // A light background, which counts for both profiles: the border is blue.
      await expect.poll(() => pty.outputSince(0), { timeout: 8000, interval: 5 }).toContain('\u001B]11;?\u001B\\');
      pty.presses('\u001B]11;rgb:ffff/ffff/ffff\u0007');
      await pty.sees(/> .*TypeError/);
      await pty.sees('Starting anew');
      await pty.settles(300);
      await types('P');
      await pty.sees(/PROFILE +ALERTING +ISSUES/);
      await pty.sees(/ beta +0 +1 .*production/);
      // The fleet stands first, the cursor on the profile in use.
      await types('k\r');
      await pty.sees(/^ beta .{0,3}PROD/m);
      await types('1');
      await pty.sees(/> .*BetaError/);
      await pty.missesSoon('TypeError');
      expect(pty.cell(0, 1).foreground).toBe('4');
      await pty.settles(300);
      pty.presses('r');
      await pty.sees('in production (beta)?');
      await pty.settles(500);
      pty.presses('y');
      await expect.poll(() => statesIn(beta)).toEqual(['RESOLVED']);
      expect(service.received('PUT')).toEqual([]);
    },
    {
      before: sevenIssues,
      script: withTwoProfiles,
      columns: 120,
      rows: 30,
      env: { BETA_URL: at.url, BETA_API_KEY: at.apiKey, BETA_APP_KEY: at.appKey },
    },
  )();
});

test('a quit soon after another profile was opened waits for the edit of the one before', async () => {
  const { at } = await served({ seed: 8 });
  await onStage(
    async ({ pty, types }) => {
      await pty.sees(/> .*TypeError/);
      await pty.settles(300);
      await types('rP');
      await pty.sees(/PROFILE +ALERTING/);
      await types('k\r');
      await pty.sees('An edit is still being sent. Change to beta now?');
      await pty.settles(500);
      await types('y');
      await pty.sees(/^ beta .{0,3}PROD/m);
      await types('Q');
      await pty.sees('outcomes: 1');
    },
    {
      before(service) {
        sevenIssues(service);
        service.delays(1100, 'issues.set-state');
      },
      script: `${withTwoProfiles.replace('exec ', '')}; echo "outcomes: $(grep -c applied "$ORGDECK_CONFIG_DIR"/journal*)"`,
      columns: 120,
      rows: 30,
      env: { BETA_URL: at.url, BETA_API_KEY: at.apiKey, BETA_APP_KEY: at.appKey },
    },
  )();
});
