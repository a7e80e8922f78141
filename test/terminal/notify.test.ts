import { expect, test } from 'vitest';
import { onStage, threeMonitors } from '../support/dashboard.ts';

const profile = { name: 'acme', baseUrl: 'https://api.acme.test', notify: 'osc777' };

test(
  'a desktop notification has counts only and passes tmux, with a bell behind it',
  onStage(
    async ({ pty, service }) => {
      await pty.sees('live');
      pty.presses('2');
      await pty.sees('secret-project');
      await pty.settles();
      const mark = pty.mark();
      service.turns(4214, 'Alert');
      pty.presses('\u0012');
      await pty.sees(/ALERT.*secret-project/);
      await pty.settles();
      const sequence = '\u001B\u001B]777;notify;orgdeck;acme: 1 alert\u0007';
      expect(pty.outputSince(mark)).toContain(`\u001BPtmux;${sequence}\u001B\\\u0007`);
      expect(pty.outputSince(mark).split(';notify;')).toHaveLength(2);
    },
    {
      before(service) {
        threeMonitors(service);
        service.has('monitor', { id: 4214, name: 'secret-project is down', priority: 1, overall_state: 'OK' });
      },
      flags: ['--profile', 'acme'],
      script: `(umask 077; printf '%s' '${JSON.stringify({ version: 1, profiles: [profile] })}' > "$ORGDECK_CONFIG_DIR/profiles.json"); exec "$@"`,
      env: { TMUX: '/tmp/none,1,0' },
    },
  ),
);
