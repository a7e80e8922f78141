import { expect, test } from 'vitest';
import { keyHints } from '../../src/session/state/state-changes.ts';
import { ears } from '../support/ears.ts';
import { hasIssues } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { everyLayer } from '../support/layers.ts';
import { hasDisk } from '../support/monitors.ts';
import { receiptOf } from '../support/receipts.ts';
import { hasFilters } from '../support/retention.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';
// Loads the grammar first, so that no journey types before it is loaded.
import '../../src/query/check-query.ts';

const seat = {
  monitors: 0,
  issues: 0,
  before: (service: Simulator) => {
    hasIssues(service, 2);
    hasDisk(service, { id: 77, priority: 3 });
    hasFilters(service);
    service.has('monitor', { id: 78, name: 'Web', priority: 1, overall_state: 'OK' });
  },
} as const;
const story = stories(journey, seat);

story(
  'a list is its title, its counts and the row; a move is one sentence, a poll without news nothing',
  async (user, _, clock) => {
    const hear = ears(user.session);
    await user.opens('monitors');
    const entered = hear();
    expect(entered).toContain(
      'Monitors, sorted by state, worst first, other tabs: Mutes, Hygiene\n2 monitors, ALERT 1\n',
    );
    expect(entered).toMatch(/^Row 1 of 2: ALERT, P3, Disk, \d of \d groups alerting, not muted/m);
    expect(hear()).toBe('');
    await user.presses('j');
    expect(hear()).toMatch(/^Row 2 of 2: OK, P1, Web, 0 of 1 group alerting, not muted, [^\n]*\n$/);
    await user.presses('space');
    expect(hear()).toContain('1 marked');
    await clock.passes('3m');
    expect(hear()).toBe('');
    await user.opens('retention');
    const elsewhere = hear();
    expect(elsewhere).toMatch(/^Row 1 of \d: position 1, on, name /m);
    expect(elsewhere).toMatch(/^Screen 2, monitors: 1 needs a person$/m);
  },
);

story('a save that was stopped is heard with its fault, also where that is at the end of the text', async (user) => {
  const hear = ears(user.session);
  await user.opens('monitors');
  await user.presses('n', 'return', 'Load', 'tab', 'ctrl+u');
  await user.pastes('avg(last_5m):avg:disk.used{*} > 5)');
  hear();
  await user.presses('ctrl+s');
  expect(hear()).toMatch(/^Not saved: \) was never opened\. Ctrl-S again: save anyway$/m);
});

story(
  'an alert that comes is one line, its counts follow after a minute at most, and nothing is repeated',
  async (user, service, clock) => {
    const hear = ears(user.session);
    await user.opens('monitors');
    hear();
    service.turns(78, 'Alert');
    await user.polls();
    const heard = hear();
    expect(heard).toMatch(/^New: ALERT, P1, Web, /m);
    expect(heard).not.toContain('2 monitors');
    await clock.passes('60s');
    expect(hear()).toContain('2 monitors, ALERT 2');
    await clock.passes('3m');
    expect(hear()).toBe('');
  },
);

story('m is a prompt with its keys, its answer and u are said as they end', async (user) => {
  const hear = ears(user.session);
  await user.opens('monitors');
  hear();
  await user.presses('m');
  expect(hear()).toMatch(/Disk\. Type a key\. 1: 1h, 4: 4h, .*t: other,.* Esc goes back\n/);
  await user.presses('1');
  await user.sees(receiptOf.mute('Disk'));
  expect(hear()).toMatch(
    new RegExp(
      `^Row 1 of 2: ALERT, P3, Disk, .*muted 1h left.*\\n(?:.*\\n)*${receiptOf.mute('Disk')} \\d\\d:\\d\\d UTC\\. ${keyHints.undo}\\n`,
      'm',
    ),
  );
  await user.presses('H');
  await user.sees('Handover of');
  const report = hear();
  expect(report).toMatch(/^\d\. Alerting, mute ends soon: .* Disk$/m);
  expect(report).toMatch(/^\d\. Done: \d\d:\d\d muted Disk, now ALERT, muted \(all groups\) until/m);
  await user.presses('q', 'u');
  await user.sees(receiptOf.undo(receiptOf.mute('Disk')));
  expect(hear()).toMatch(new RegExp(`^${receiptOf.undo(receiptOf.mute('Disk'))} .*${keyHints.redo}`, 'm'));
});

story('a picker reads out the first few, and how many there are: the others are found by typing', async (user) => {
  const hear = ears(user.session);
  await user.opens('issues');
  hear();
  await user.presses('a');
  await user.settles();
  const heard = hear();
  expect(heard).toMatch(/^\d+ more: type to search\n1\. .*, you\n(?:\d\. .*\n){4}and \d+ more: Down goes on\n/m);
});

story('a production question is read out, and a refused key says why each time', { production: true }, async (user) => {
  const hear = ears(user.session);
  await user.opens('monitors');
  hear();
  await user.presses('m', '1');
  expect(hear()).toMatch(/in production \(test\)\? 3 groups, 2 alerting\n(?:.*\n)*y: yes\. n, Enter or Esc: no\n/);
  await user.presses('n');
  hear();
  await user.presses('F');
  expect(hear()).toBe('Warning: F does nothing here\n');
  await user.presses('F');
  expect(hear()).toContain('Warning: F does nothing here');
});

story('every kind of layer is said in text alone, whatever the service wrote', async ({ session }) => {
  const { list } = session.now().view;
  for (const [kind, layer] of everyLayer(list)) {
    session.store.setState({ state: { ...session.now().state, layers: [layer] } });
    const heard = ears(session)();
    expect(heard, kind).not.toContain('this cannot be shown');
    expect(heard, kind).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/);
    expect(heard.split('\n').length, kind).toBeGreaterThan(1);
  }
});

test(
  'every screen, with its details, is said without a fault',
  journey(
    async (user) => {
      const hear = ears(user.session);
      for (const { id } of user.session.screens) {
        user.session.send({ type: 'openScreen', id });
        await user.settles();
        hear();
        user.session.send({ type: 'openCurrent' });
        await user.settles();
        const heard = hear();
        expect(heard, id).not.toMatch(/this cannot be shown|\(unreadable\)|undefined|\[object/);
        user.session.send({ type: 'goBack' });
      }
    },
    { monitors: 5, issues: 3 },
  ),
);
