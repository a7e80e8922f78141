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
