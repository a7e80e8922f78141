import { expect, test } from 'vitest';
import { onStage, type Stage, threeMonitors } from '../support/dashboard.ts';
import type { Simulator } from '../support/simulator.ts';

const before = (service: Simulator) => {
  threeMonitors(service);
  service.has('monitor', { id: 4214, name: 'secret-project is down', priority: 1, overall_state: 'OK' });
};

/** What the terminal gets when a monitor of priority 1 goes to ALERT. */
async function heard({ pty, service }: Stage): Promise<string> {
  await pty.sees('live');
  pty.presses('2');
  await pty.sees('secret-project');
  await pty.settles();
  const mark = pty.mark();
  service.turns(4214, 'Alert');
  pty.presses('\u0012');
  await pty.sees(/ALERT.*secret-project/);
  await pty.settles();
  return pty.outputSince(mark);
}

const profiled = (notify: string) =>
  `printf '%s' '{"version":1,"profiles":[{"name":"acme","baseUrl":"https://api.acme.test","notify":"${notify}"}]}' ` +
  '> "$ORGDECK_CONFIG_DIR/profiles.json"; chmod 600 "$ORGDECK_CONFIG_DIR/profiles.json"; exec "$@"';
const acme = { before, flags: ['--profile', 'acme'] };

test.concurrent(
  'an urgent alert rings the bell once, unless the profile says otherwise',
  onStage(
    async (stage) => {
      expect((await heard(stage)).split('\u0007')).toHaveLength(2);
    },
    { before },
  ),
);

test.concurrent(
  'notify off sends nothing',
  onStage(
    async (stage) => {
      expect(await heard(stage)).not.toContain('\u0007');
    },
    { ...acme, script: profiled('off') },
  ),
);

test.concurrent(
  'a desktop notification has counts only and passes tmux, with a bell behind it',
  onStage(
    async (stage) => {
      const sequence = '\u001B\u001B]777;notify;orgdeck;acme: 1 alert\u0007';
      const output = await heard(stage);
      expect(output).toContain(`\u001BPtmux;${sequence}\u001B\\\u0007`);
      expect(output.split(';notify;')).toHaveLength(2);
    },
    { ...acme, script: profiled('osc777'), env: { TMUX: '/tmp/none,1,0' } },
  ),
);
