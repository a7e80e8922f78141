import { expect } from 'vitest';
import { hasIssue, searches } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { hasDisk, hasMute, hasSimple, silences, silentUntil } from '../support/monitors.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const minute = 60_000;
const tags = ['service:shop', 'team:core'];

/** Three alerting monitors of `shop`, one of them muted, one of another service; two issues of `shop`. */
function organization(service: Simulator): void {
  service.org.issues.clear();
  hasSimple(service, 'Queue', { id: 70, priority: 2, tags, message: 'see https://runbooks.test/shop @oncall-shop' });
  hasDisk(service, { id: 71, tags });
  hasSimple(service, 'Flaky', { id: 72, tags });
  hasMute(service, '72', '*', 30 * minute);
  hasSimple(service, 'Login', { id: 73, priority: 1, tags: ['service:auth'] });
  hasIssue(service, 1, { service: 'shop' });
  hasIssue(service, 2, { service: 'shop', first_seen: service.now() - minute, first_seen_version: '4.12.0' });
  hasIssue(service, 3, { service: 'auth' });
}

const place = { screen: 'home', monitors: 0, issues: 0, columns: 120, rows: 40, before: organization } as const;
const story = stories(journey, place);

story(
  'f on an alert opens the page of its service: alerts, issues, mutes and edits; q comes back to the same line',
  async (user) => {
    await user.sees(/> +ALERT +P1.*Login/);
    await user.presses('j');
    await user.sees(/> +ALERT +P2 +●●●○ +3\/4.*shop: 2 monitors/);
    expect(await user.screen()).not.toMatch(/Queue|Disk/);
    await user.presses('f');
    await user.sees(/┌ shop · 3 alerting since .* · 1 muted · 2 issues, 1 new · team core/);
    await user.sees(/ALERT +P2 +● +1\/1 .*Queue +yes/);
    await user.sees(/ALERT +●●○ +2\/3 .*Disk/);
    await user.sees(/alert .*Flaky .*30m left/);
    await user.sees(/Issues 24h 2 · 1 new since the first alert · 2 unassigned/);
    await user.sees(/E02.*new in 4\.12\.0 \d\d:\d\d/);
    await user.sees(/Mutes \(UTC\) 1 now/);
    await user.sees(/30m +.*Flaky/);
    await user.sees(/Edits, last day/);
    expect(await user.screen()).not.toContain('Login');
    await user.presses('q');
    await user.sees(/> +ALERT +P2.*shop: 2 monitors/);
    await user.presses('return');
    await user.sees(/┌ shop ·/);
    await user.presses('q');
    await user.sees(/> +ALERT +P2.*shop: 2 monitors/);
    expect(user.quit).toEqual([]);
  },
);

story(
  'the issues of the page are one search of the service, and Enter opens one with the same search',
  async (user, service) => {
    await user.presses(':', 'service shop', 'return');
    await user.sees(/E02.*new in 4\.12\.0/);
    const asked = () => searches(service).filter(({ query }) => query === 'service:"shop"').length;
    expect(asked()).toBe(1);
    await user.presses('tab', 'return');
    await user.sees(/┌ E02/);
    await user.presses('q');
    await user.sees(/┌ shop ·/);
    await user.presses('q');
    await user.sees('Mutes that end next');
    await user.opens('issues');
    await user.sees('E03');
  },
);

story(
  'f, *, m and 1 mute what alerts in the service and is not muted: four keys; u brings all back',
  async (user, service) => {
    await user.presses('j', 'f');
    await user.sees(/┌ shop ·/);
    await user.presses('*', 'm');
    await user.sees(/Mute 2 monitors/);
    await user.sees(/1h: until .*, 2 monitors, 4 groups, 3 alerting; none is muted yet/);
    await user.presses('1');
    await user.sees(/✓ Muted 2 monitors until/);
    expect(silentUntil(service, '70')).not.toBeNull();
    expect(silentUntil(service, '71')).not.toBeNull();
    expect(silences(service, '73')).toEqual([]);
    await user.presses('u');
    await user.sees(/✓ Undone/);
  },
);

story(
  'a monitor that is opened on the page leads back to it, and the page to the detail that it was opened from',
  async (user) => {
    await user.opens('monitors');
    await user.sees('Queue');
    await user.presses('/', 'queue', 'return', 'return');
    await user.sees(/┌ Queue/);
    await user.presses('f');
    await user.sees(/┌ shop ·/);
    await user.presses('j', 'return');
    await user.sees(/┌ Disk/);
    await user.presses('q');
    await user.sees(/┌ shop ·/);
    await user.presses('q');
    await user.sees(/┌ Queue/);
  },
);

story(
  'a monitor that is edited on the page has its query checked, and completed by words of all monitors',
  async (user) => {
    await user.presses('j', 'f');
    await user.sees(/┌ shop ·/);
    await user.presses('e');
    await user.sees('Notifies @oncall-shop');
    expect(await user.screen()).not.toContain('Not checked');
  },
);

story('a team and a tag have a page, too, and say that issues are searched by service alone', async (user) => {
  await user.presses(':', 'team core', 'return');
  await user.sees(/┌ team core · 3 alerting/);
  await user.sees('Issues can be searched by service only');
  await user.presses('q', ':', 'tag service:auth', 'return');
  await user.sees(/┌ auth · 1 alerting/);
  await user.presses('q', ':', 'tag nothing', 'return');
  await user.sees('write a tag as key:value');
});

story(
  'of several services f asks which; a row without one is refused with a sentence',
  {
    screen: 'monitors',
    before(service) {
      organization(service);
      service.org.monitors.clear();
      hasSimple(service, 'Both', { id: 80, priority: 1, tags: ['service:shop', 'service:auth'] });
      hasSimple(service, 'None', { id: 81, priority: 2, tags: [] });
    },
  },
  async (user) => {
    await user.sees('Both');
    await user.presses('f');
    await user.sees('Everything about');
    await user.presses('2');
    await user.sees(/┌ auth ·/);
    await user.presses('q', 'j', 'f');
    await user.sees('this row has no service');
  },
);
