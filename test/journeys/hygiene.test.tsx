import { expect } from 'vitest';
import { journey } from '../support/journey.tsx';
import { hasDisk, hasMute, silences } from '../support/monitors.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

/** A monitor that is muted without an end while it alerts. */
function forgotten(service: Simulator): void {
  hasDisk(service, { id: 77, message: '@oncall https://runbooks.example.test' });
  hasMute(service, '77', '*', null);
}

const story = stories(journey, { monitors: 0, columns: 120, rows: 24, before: forgotten });

story(
  'the name of what is wrong is whole before it is said why, on 100 columns',
  {
    columns: 100,
    before(service: Simulator) {
      hasDisk(service, { id: 77, name: 'Pipeline of courier-app is red on main [staging]', message: 'nobody' });
    },
  },
  async (user) => {
    await user.opens('monitors');
    await user.presses('tab', 'tab');
    await user.sees(/ADVICE +incomplete +Pipeline of courier-app is red on main \[staging\]/);
  },
);

story(
  'the tab Hygiene lists what is wrong, the worst first; M mends it there, Enter opens what it is about',
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('tab', 'tab');
    await user.sees('ERROR');
    await user.sees(/> ERROR +alerting, muted forever .*Disk/);
    await user.sees(/ADVICE +incomplete +Disk +no priority/);
    await user.presses('M');
    await user.sees('Unmuted Disk');
    expect(silences(service, '77')).toEqual([]);
    await user.loses('muted forever');
    await user.presses('/', ...'priority', 'return', 'return');
    await user.sees(/┌ Disk/);
  },
);
