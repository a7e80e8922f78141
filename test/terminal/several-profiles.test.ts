import { expect, test } from 'vitest';
import { onStage, sevenIssues, statesIn } from '../support/dashboard.ts';
import { hasIssue } from '../support/issues.ts';
import { createSimulator } from '../support/simulator.ts';

/** The program on the first of two profiles; the second one is in production. */
const withTwoProfiles = [
  '"$1" "$2" profiles add acme --base-url "$4" --api-key-env ORGDECK_API_KEY --app-key-env ORGDECK_APP_KEY >/dev/null',
  '"$1" "$2" profiles add beta --base-url "$BETA_URL" --production --api-key-env BETA_API_KEY --app-key-env BETA_APP_KEY >/dev/null',
  'exec "$1" "$2" --profile acme --screen issues',
].join(' && ');

test('P, Space, Space, Return opens two profiles together, each edit goes to its own, and P with one leaves', async () => {
  const beta = createSimulator({ seed: 8, monitors: 0, issues: 0, lively: false, rate: 0 });
  hasIssue(beta, 1, { error_type: 'BetaError', total_count: 99_000 });
  const at = await beta.start();
  try {
    await onStage(
      async ({ pty, service, types }) => {
        await pty.sees(/> .*TypeError/);
        await pty.settles(300);
        await types('P');
        await pty.sees('Profiles');
        await pty.settles(300);
        await types('  ');
        await pty.sees('Profiles · 2 marked');
        await types('\r');
        await pty.sees('acme + beta');
        await types('1');
        await pty.sees(/> .*beta .*BetaError/);
        await pty.sees(/acme .*TypeError/);
        await pty.settles(300);
        pty.presses('r');
        await pty.sees('in production (beta)?');
        await pty.settles(500);
        pty.presses('y');
        await expect.poll(() => statesIn(beta)).toEqual(['RESOLVED']);
        await pty.missesSoon('in production (beta)?');
        expect(service.received('PUT')).toEqual([]);
        await types('jr');
        await expect.poll(() => statesIn(service)[0]).toBe('RESOLVED');
        expect(beta.received('PUT')).toHaveLength(1);
        await types('P');
        await pty.sees('Profiles');
        await pty.settles(300);
        await types('gj\r');
        await pty.missesSoon('acme + beta');
        await pty.sees('beta');
      },
      {
        before: sevenIssues,
        script: withTwoProfiles,
        columns: 120,
        rows: 30,
        env: { BETA_URL: at.url, BETA_API_KEY: at.apiKey, BETA_APP_KEY: at.appKey },
      },
    )();
  } finally {
    await beta.stop();
  }
});
