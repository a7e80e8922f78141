import { expect } from 'vitest';
import { hasIssue } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { hasDisk, hasMute, hasSimple } from '../support/monitors.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const tags = ['service:shop'];

/** Four monitors of `shop`, one of them muted, one of another service; two issues of `shop`. */
function organization(service: Simulator): void {
  service.org.monitors.clear();
  service.org.issues.clear();
  hasSimple(service, 'Queue', { id: 70, priority: 1, tags });
  hasDisk(service, { id: 71, priority: 3, tags });
  hasSimple(service, 'Calm', { id: 72, tags, groups: { '*': 'OK' } });
  hasSimple(service, 'Idle', { id: 74, tags, groups: { '*': 'Skipped' } });
  hasSimple(service, 'Login', { id: 73, priority: 2, tags: ['service:auth'] });
  hasMute(service, '71', '*', 30 * 60_000);
  hasIssue(service, 1, { service: 'shop' });
  hasIssue(service, 2, { service: 'shop' });
  hasIssue(service, 3, { service: 'auth' });
}

const setting = { screen: 'monitors', monitors: 0, issues: 0, columns: 120, rows: 40, before: organization } as const;
const story = stories(journey, setting);

story(
  'beside a monitor stand its own edits, and the monitors, issues and mutes of its service that were read',
  async (user) => {
    await user.opens('issues');
    await user.sees('E01');
    await user.opens('monitors');
    await user.sees('Queue');
    await user.presses('/', 'queue', 'return', 'return');
    await user.sees(/Monitors of shop/);
    await user.sees(/ALERT \w+ +P3 · Disk · muted 30m left/);
    await user.sees(/1 monitor OK/);
    await user.sees(/1 monitor Skipped/);
    await user.sees(/Issues of shop \(2 listed\)/);
    await user.sees(/OPN .*E01.* · unassigned/);
    await user.sees(/Mutes of shop/);
    await user.sees(/30m left +Disk/);
    const screen = await user.screen();
    expect(screen).not.toMatch(/Login|E03|Done in this/);
    await user.presses('m', '1');
    await user.sees(/Done in this organization/);
    await user.sees(/\d\d:\d\d +muted/);
    // The edits of another monitor are not its own.
    await user.presses('q', 'q', '/', 'login', 'return', 'return');
    await user.sees(/┌ Login/);
    await user.neverSees('Done in this organization');
  },
);

story('beside an issue stand the monitors and the other issues of its service', { screen: 'issues' }, async (user) => {
  await user.opens('monitors');
  await user.sees('Queue');
  await user.opens('issues');
  await user.sees('E01');
  await user.presses('/', 'E01', 'return', 'return');
  await user.sees(/Monitors of shop/);
  await user.sees(/ALERT \w+ +P1 · Queue/);
  await user.sees(/Issues of shop \(1 listed\)/);
  await user.sees(/OPN .*E02/);
});

story('a narrow terminal shows the page alone', { columns: 100 }, async (user) => {
  await user.sees('Queue');
  await user.presses('return');
  await user.sees('What to do');
  await user.neverSees('Monitors of shop');
});
