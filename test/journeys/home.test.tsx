import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { hasIssue } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { hasDisk, hasMute, hasSimple, hour, silentUntil } from '../support/monitors.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const minute = 60_000;

/** Two alerting monitors, two muted ones, three issues of two services. */
function organization(service: Simulator): void {
  service.org.issues.clear();
  hasSimple(service, 'Queue', { id: 70, priority: 2 });
  hasSimple(service, 'Login', { id: 71, priority: 1 });
  hasDisk(service, { id: 77, priority: 1 });
  hasMute(service, '77', '*', 30 * minute);
  hasSimple(service, 'Flaky', { id: 78 });
  hasMute(service, '78', '*', null);
  hasIssue(service, 1);
  hasIssue(service, 2);
  hasIssue(service, 3, { service: 'api' });
}

const place = { screen: 'home', monitors: 0, issues: 0, columns: 120, rows: 40, before: organization } as const;
const story = stories(journey, place);
const blockOf = (screen: string, title: string): string => {
  const lines = screen.split('\n');
  const at = lines.findIndex((line) => line.includes(title));
  return lines.slice(at, at + 6).join('\n');
};

story(
  'Home shows what alerts by priority, muted last, with the counts of all states; what is muted there does not move the cursor',
  async (user) => {
    await user.sees(/Now 4 ALERT \(2 muted\)/);
    const lines = (await user.screen()).split('\n').filter((line) => /alert +(P\d)? .*5m /i.test(line));
    const shown = lines.map((line) => /(Login|Queue|Disk|Flaky)/.exec(line)?.[1]);
    expect(shown).toEqual(['Login', 'Queue', 'Disk', 'Flaky']);
    await user.sees(/alert +P1 +●●○ +2\/3.*Disk.*left/);
    // What is muted ranks last, and keeps its place while keys come.
    await user.presses('m', '1');
    await user.sees(/> +alert +P1.*Login.*left[\s\S]*ALERT +P2.*Queue[\s\S]*Disk/);
    await user.presses('j');
    await user.sees(/alert +P1.*Login[\s\S]*> +ALERT +P2.*Queue/);
    await user.polls();
    await user.polls();
    await user.sees(/> +ALERT +P2.*Queue[\s\S]*alert +P1.*Login/);
  },
);

story(
  'the mutes stand in the order of their ends; one without an end that hides an alert stands out; + extends the one under the cursor',
  async (user, service) => {
    await user.sees(/Mutes that end next \(UTC\) 2 mutes 1 alerting forever/);
    await user.sees(/30m ██░░ Disk +2\/3 alerting · notifies \d\d:\d\d/);
    await user.sees(/∞ +Flaky +1\/1 alerting · forever/);
    // They have columns, and so more room than the sentences beside them.
    const band = (await user.screen()).split('\n').find((line) => line.includes('Needs me')) ?? '';
    expect(band.indexOf('Needs me')).toBeGreaterThan(65);
    const end = silentUntil(service, '77') ?? 0;
    await user.presses('tab', 'tab');
    expect(await user.line(/>.*30m .*Disk/)).toBeDefined();
    await user.presses('+', '1');
    await user.sees(/✓ .*Disk/);
    expect(silentUntil(service, '77')).toBe(end + hour);
    await user.sees(/90m █+ Disk/);
    await user.presses('u');
    await user.sees(/30m █+░+ Disk/);
    await expect.poll(() => silentUntil(service, '77')).toBe(end);
  },
);

story('Enter on a service opens its issues; q drops the filter and comes back in one step', async (user) => {
  await user.sees(/web +1970/);
  await user.presses('tab');
  expect(await user.line(/>.*web/)).toContain('2 of 2');
  await user.presses('return');
  await user.sees('/web');
  await user.sees('E01');
  await user.neverSees('E03');
  await user.presses('q');
  await user.sees('Mutes that end next');
});

story('what waits for the person stands in Needs me, and Enter opens the failing row', async (user) => {
  await user.sees('1 leaked API key: browser SDK proxy');
  await user.presses('tab', 'tab', 'tab');
  for (let step = 0; step < 6 && !/> 1 leaked API key/.test(await user.screen()); step += 1) await user.presses('j');
  await user.presses('return');
  await user.sees(/LEAKED/i);
  expect(user.session.now().view.list.id).toBe('api-keys');
  await user.presses('q');
  await user.sees('Needs me');
});

story(
  'a part that fails says so in its block, and the others stay',
  {
    before(service) {
      organization(service);
      service.refuses(403, { times: 99, match: 'issues/search' });
    },
  },
  async (user) => {
    await user.sees('issues cannot be read: ');
    const screen = await user.screen();
    expect(blockOf(screen, 'Now 4 ALERT')).toContain('Login');
    await user.sees(/30m █+░+ Disk/);
    await user.sees(/● live/);
  },
);

story(
  'without the monitors the header says so, and what the other reads tell stays',
  {
    before(service) {
      organization(service);
      service.refuses(403, { times: 99, match: 'api/v1/monitor' });
    },
  },
  async (user) => {
    await user.sees(/Now[^\n]*\n│ +monitors cannot be read: /);
    await user.sees('✗ refused: keys or role');
    await user.sees(/web +1970/);
    await user.sees('1 leaked API key');
  },
);

story(
  'what changed since the last look is marked until the cursor was on it',
  { pollMs: 15_000 },
  async (user, service, clock) => {
    await user.sees('Now 4 ALERT');
    await user.neverSees('new since');
    await clock.passes('1m');
    service.turns('70', 'OK');
    await user.polls();
    await user.sees('Now 3 ALERT');
    await clock.passes('1m');
    service.turns('70', 'Alert');
    await user.polls();
    await user.sees(/1 new since \d\d:\d\d UTC/);
    await user.sees(/• +ALERT +P2.*Queue/);
    await user.presses('g');
    await user.loses('new since');
    await user.neverSees('•');
  },
);

story(
  'the three searches are polled; the lists that can wait are read once, one after the other',
  async (user, service, clock) => {
    await user.sees('Needs me');
    await user.settles();
    const lists = () => service.received('GET', 'archives').length + service.received('GET', 'tables').length;
    await expect.poll(lists).toBeGreaterThan(0);
    for (let before = 0; lists() > before; await new Promise((go) => setTimeout(go, 300))) before = lists();
    service.forgets();
    await clock.passes('2m');
    await user.settles();
    expect(lists()).toBe(0);
    const monitors = service.received('GET', '/api/v1/monitor').length;
    expect(monitors).toBeGreaterThan(4);
    expect(monitors).toBeLessThan(13);
    expect(service.received('POST', 'issues/search').length).toBeLessThan(7);
    expect(service.received('GET', 'downtime').length).toBeLessThan(7);
  },
);

story(
  'a poll that changes nothing writes nothing',
  { before: (service) => service.org.issues.clear() },
  async (user) => {
    await user.sees('No alerts');
    await user.settles();
    // The lists that can wait are read one after the other.
    for (let poll = 0; poll < 4; poll += 1) await user.polls();
    const bytes = user.bytes();
    await user.polls();
    await user.polls();
    expect(user.bytes()).toBe(bytes);
  },
);

story(
  'what changed while nobody was there is marked at the next start',
  {
    leaves: async (directory, origin) => {
      const yesterday = Date.now() - 86_400_000;
      const value = { place: { lastKey: yesterday, screen: 'home', tabs: {} } };
      const text = JSON.stringify({ version: 1, profile: 'test', origin, value });
      await writeFile(join(directory, 'state-test.json'), text, { mode: 0o600 });
    },
  },
  async (user) => {
    await user.sees(/2 new since \d{4}-\d\d-\d\d \d\d:\d\d/);
    await user.sees(/• +ALERT P2 .*5m Queue/);
    await user.presses('j', 'k');
    await user.sees(/> ALERT P1 .*5m Login/);
    await user.sees(/^│ {2}ALERT P2 .*5m Queue/m);
    await user.sees(/• web/);
    await user.presses('g');
    await user.neverSees('•');
  },
);

story(
  'the curve of what alerts goes on after a restart',
  {
    pollMs: 15_000,
    async restarted(user) {
      await user.sees(/3 ALERT.*last \d+m █▁/);
    },
  },
  async (user, service, clock) => {
    await user.sees('Now 4 ALERT');
    await clock.passes('3m');
    service.turns('70', 'OK');
    await user.polls();
    await user.sees(/3 ALERT.*last \d+m █▁/);
  },
);
