import { expect, test } from 'vitest';
import { hasIssues } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { hasDisk } from '../support/monitors.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const seat = {
  columns: 120,
  rows: 30,
  monitors: 0,
  issues: 0,
  before: (service: Simulator) => {
    hasIssues(service, 2);
    hasDisk(service, { id: 77, priority: 3 });
    service.has('monitor', { id: 78, name: 'Web', priority: 1, overall_state: 'OK' });
  },
} as const;
const story = stories(journey, seat);

story(
  'w watches a row: each change of its state is told, also on another screen, and the row is marked',
  { isNotified: true },
  async (user, service, clock) => {
    await user.opens('monitors');
    await user.presses('/', 'web', 'return', 'w');
    await user.sees(/\[w\] Web/);
    await user.presses('1');
    await user.settles();
    service.turns(78, 'Warn');
    await clock.passes('2m');
    await user.sees('OK → WARN: Web');
    expect(user.rung).toEqual(['test: 1 changed watched row']);
    await user.presses('2', 'w');
    await user.sees('No longer watching Web');
    await user.loses('[w]');
  },
);

story(
  'an urgent alert is told of on another screen; one of a lower priority is not',
  { isNotified: true },
  async (user, service, clock) => {
    await clock.passes('2m');
    expect(user.rung).toEqual([]);
    service.turns(78, 'Alert');
    await clock.passes('2m');
    expect(user.rung).toEqual(['test: 1 alert']);
    service.turns(77, 'OK');
    await clock.passes('2m');
    service.turns(77, 'Alert');
    await clock.passes('2m');
    expect(user.rung).toHaveLength(1);
  },
);

story('where nothing is to be notified of, only the list in front is read', async (_, service, clock) => {
  await clock.passes('5m');
  expect(service.received('GET', '/monitor')).toEqual([]);
});

test('what is to be notified of is read once the list in front is there', async () => {
  const answerMs = 300;
  const seenAt = new Map<string, number>();
  const looking = { timer: undefined as NodeJS.Timeout | undefined };
  const before = (service: Simulator) => {
    seat.before(service);
    service.delays(answerMs, 'issues.search');
    looking.timer = setInterval(() => {
      for (const { operation } of service.received())
        if (!seenAt.has(operation)) seenAt.set(operation, performance.now());
    }, 2);
  };
  try {
    await journey((user) => user.sees('1-2/2'), { ...seat, isNotified: true, before })();
  } finally {
    clearInterval(looking.timer);
  }
  const at = (operation: string) => seenAt.get(operation) ?? Number.NaN;
  expect(at('monitors.list') - at('issues.search')).toBeGreaterThan(answerMs - 50);
});
