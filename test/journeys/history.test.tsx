import { journey } from '../support/journey.tsx';
import { hasDisk } from '../support/monitors.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const seat = {
  columns: 120,
  rows: 40,
  monitors: 0,
  issues: 0,
  before: (service: Simulator) => {
    hasDisk(service, { id: 77, priority: 1 });
    service.has('monitor', { id: 78, name: 'Web', priority: 2, overall_state: 'OK' });
  },
} as const;
const story = stories(journey, seat);

story(
  'the detail of a monitor shows the course of its state as seen, and says when it flaps',
  async (user, service, clock) => {
    await user.opens('monitors');
    await user.presses('/', 'web', 'return', 'return');
    await user.sees('State');
    await user.loses('As seen');
    for (const state of ['Alert', 'OK', 'Alert']) {
      service.turns(78, state);
      await clock.passes('2m');
    }
    await user.sees(/As seen +\d\d:\d\d .+ \d\d:\d\d/);
    await user.loses('FLAPPING');
    service.turns(78, 'OK');
    await clock.passes('2m');
    await user.sees('FLAPPING');
  },
);

story(
  'a notification within the minute after a mute was seen to end says so; one after a mute that somebody ended does not',
  async (user, _, clock) => {
    await user.opens('monitors');
    await user.presses('/', 'disk', 'return', 'm', 't', '10m', 'return');
    await user.sees('Muted Disk');
    await clock.passes('2m');
    await user.presses('M');
    await user.sees('Unmuted Disk');
    await clock.passes('10m');
    await user.presses('return');
    await user.sees('State');
    await user.neverSees('Notified again');
    await user.presses('m', 't', '10m', 'return');
    await user.sees('Muted Disk');
    await clock.passes('8m');
    await user.neverSees('Notified again');
    await clock.passes('4m');
    await user.sees(/Notified again because a mute ended at \d\d:\d\d UTC/);
  },
);

story(
  'the timeline has edits and changes of states together; Enter goes to the monitor, and both are there after a restart',
  {
    async restarted(user) {
      await user.presses('H');
      await user.sees(/Note +cable is cut/);
      await user.presses('tab', 'tab', 'tab');
      await user.sees(/state +OK → ALERT +Web/);
    },
  },
  async (user, service, clock) => {
    await user.opens('monitors');
    await user.sees('Disk');
    service.turns(78, 'Alert');
    await clock.passes('2m');
    await user.presses('/', 'disk', 'return', 'm', '4');
    await user.sees('Muted Disk');
    await user.presses('H');
    await user.sees('Handover of test');
    await user.presses('e', 'cable is cut', 'return');
    // With the cursor on it: it may be out of sight.
    await user.sees(/Note +> ?cable is cut/);
    await user.presses('tab');
    await user.sees(/applied +muted Disk/);
    await user.presses('j');
    await user.sees(/> \S+ +state +OK → ALERT +Web/);
    await user.presses('return');
    await user.sees(/As seen/);
    // Back is where Enter came from, on the same line.
    await user.presses('q');
    await user.sees(/> \S+ +state +OK → ALERT +Web/);
    await user.presses('esc');
    await user.sees(/Monitors .* 1 of 2/);
  },
);
