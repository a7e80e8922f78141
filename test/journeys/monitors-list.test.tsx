import { expect, test } from 'vitest';
import { journey } from '../support/journey.tsx';
import { hasDisk, hasMute, hasSimple } from '../support/monitors.ts';
import { stories } from '../support/stories.ts';

const narrow = { columns: 80, rows: 24 } as const;
const story = stories(journey, narrow);
const mine = { ...narrow, monitors: 0 } as const;
const pages = '/api/v1/monitor';

story(
  'every page is read by the last id, and the rows so far are shown meanwhile',
  { monitors: 1300 },
  async (user, service) => {
    service.delays(250, `GET ${pages}`);
    await user.presses('2');
    await user.sees('Loading…');
    await user.sees(/\[2 mon\w* \d+\+!\][\s\S]*Monitors 1000\+ · ALERT \d+\+[\s\S]*\/1000\+ /);
    await user.sees('○ loading more');
    await user.presses('j');
    const chosen = await user.line(/^│.>/);
    service.recovers();
    await user.sees(/Monitors 1300\b/);
    await user.sees('● live');
    // The other rows are in place, and the cursor has not moved.
    expect((await user.line(/^│.>/)).slice(0, 40)).toBe(chosen.slice(0, 40));
    const asked = service.received('GET').filter((call) => call.path === pages);
    expect(asked.map((call) => call.query.page_size)).toEqual(asked.map(() => '1000'));
    const offsets = asked.map((call) => Number(call.query.id_offset));
    expect(offsets[0]).toBe(0);
    expect(offsets).toEqual([...new Set(offsets)].toSorted((one, other) => one - other));
  },
);

story(
  'a search shows the counts of all matches at the foot; an invalid query is reported and stays',
  {
    ...mine,
    before: (service) => {
      hasDisk(service);
      hasSimple(service, 'Load');
      hasSimple(service, 'Calm', { groups: { '*': 'OK' } });
      hasSimple(service, 'Warm', { groups: { '*': 'Warn' } });
    },
  },
  async (user, service) => {
    await user.opens('monitors');
    await user.sees(/Monitors 4\b/);
    await user.presses('s', 'status:Alert', 'return', 'return');
    await user.sees(/Monitors 2\b.* status:Alert/);
    await user.sees('2 match: 2 alert');
    expect(service.received('GET', '/search').at(-1)?.query.query).toBe('status:Alert');
    await user.presses('s', 'backspace', 'backspace', 'ms', 'return', 'return');
    await user.sees("'Alems' is not a valid monitor status");
    await user.sees('✗ request refused');
    await user.presses('s');
    expect(await user.line('> Search')).toContain('status:Alems');
    await user.presses('ctrl+u', 'return', 'return');
    await user.sees(/Monitors 4\b.* state/);
    await user.sees('● live');
  },
);

story(
  'the page of a monitor has its query, message and options; groups, mutes and the object are tabs',
  {
    ...mine,
    before: (service) =>
      void hasDisk(service, {
        message: 'free some room\n\n@oncall-core',
        options: { thresholds: { critical: 90 }, renotify_interval: 60 },
      }),
  },
  async (user, service) => {
    await user.opens('monitors');
    await user.sees('Disk');
    await user.presses('return');
    await user.sees(/State +Alerting for/);
    await user.sees('free some room');
    await user.sees(/Notifies +@oncall-core/);
    await user.sees('avg(last_5m):avg:disk.used{*} by {host} > 90');
    await user.presses('G');
    await user.sees(/Thresholds +critical 90/);
    await user.sees(/Renotify interval +60m/);
    await user.presses(']');
    expect(await user.line('host:web-1')).toMatch(/> ALERT/);
    expect(await user.line('host:web-3')).toMatch(/ OK /);
    await user.presses(']');
    await user.sees('[Mutes]');
    await user.sees('No mutes');
    await user.presses(']');
    await user.sees('"type": "query alert"');
    await user.presses(']');
    await user.sees('[Overview]');
    await user.presses('q');
    expect(await user.line('Disk')).toMatch(/^│.> ALERT +– +Disk/);
    expect(service.received().every((call) => call.method === 'GET' || call.path.endsWith('/search'))).toBe(true);
  },
);

story('each screen keeps cursor, filter and marks while the other is open', async (user) => {
  await user.opens('monitors');
  await user.sees(/Monitors 24\b/);
  await user.presses('/', 'cpu', 'return', 'space', 'j');
  await user.sees('</cpu>');
  const monitor = await user.line(/^│.>/);
  await user.presses('1');
  await user.sees(/Issues \d+ .*state/);
  await user.presses('j', 'j', 'space');
  const issue = await user.line(/^│.>/);
  await user.presses('2');
  await user.sees('</cpu>');
  expect(await user.line(/^│.>/)).toBe(monitor);
  await user.sees('1 marked');
  await user.presses('1');
  expect(await user.line(/^│.>/)).toBe(issue);
  await user.sees('1 marked');
  await user.neverSees('</cpu>');
});

story('the important hints fit 80 columns, and a preview that does not fit says why', async (user) => {
  await user.sees(/Issues \d+ .*state/);
  await user.sees('Enter open  a assign  r resolve  f service  / filter  x more  ? help  q quit');
  await user.opens('monitors');
  await user.sees('Enter open  m mute  f service  / filter  x more  s search  ? help  q quit');
  await user.presses('p');
  await user.sees('Preview: needs 80 columns and 30 rows, or 160 columns');
  await user.presses('m');
  await user.sees('1 1h  4 4h  h 12h  d 1 day  w 1 week  t other…  r reason  s scope  Esc back');
  // What is foreseen is that of the first key.
  await user.sees(/^ 1h: until \d\d:\d\d UTC, /m);
  await user.resizes(60, 24);
  for (const choice of ['1 1h', 'w 1 week', 't other…', 'r reason', 's scope', 'Esc back']) await user.sees(choice);
  await user.presses('esc');
  await user.resizes(80, 40);
  await user.presses('p');
  await user.neverSees('Preview: needs');
});

story(
  'new alerts are counted in the title at once, g takes the first of them, and a range from there mutes what is on screen',
  {
    ...mine,
    before(service) {
      hasSimple(service, 'old alert');
      for (let at = 0; at < 11; at += 1) hasSimple(service, `calm ${at}`, { groups: { '*': 'OK' } });
      for (let at = 0; at < 8; at += 1) hasSimple(service, `late ${at}`, { groups: { '*': 'OK' } });
    },
  },
  async (user, service) => {
    await user.opens('monitors');
    await user.sees(/Monitors 20\b.* ALERT 1\b/);
    await user.presses('jj');
    for (const { id, name } of [...service.org.monitors.values()]) if (/late/.test(name)) service.turns(id, 'Alert');
    await user.polls();
    await user.sees(/ALERT 9 .*8 new alerts/);
    await user.sees(/│• +ALERT .*late/);
    // One chunk: the rows that g brings are not on the terminal yet, so no range of them is begun.
    await user.sends('gv9jm');
    await user.sees('Ignored v9jm: typed before the screen was drawn');
    expect(await user.line(/^│.>/)).toContain('late');
    await user.presses('v7j', 'm');
    await user.sees(/8 monitors/);
  },
);

story(
  'a search shows of a monitor what the list shows: a mute without an end, and how many groups are red',
  {
    ...mine,
    before(service) {
      const id = hasDisk(service);
      hasMute(service, id, '*', null);
      hasSimple(service, 'Load');
    },
  },
  async (user) => {
    await user.opens('monitors');
    const cells = async () => (await user.line('Disk')).slice(4).replace(/ +/g, ' ');
    await user.sees(/ALERT .*Disk .*2\/3 +forever/);
    const listed = await cells();
    await user.presses('s', 'muted:true', 'ctrl+s');
    await user.sees(/Monitors 1\b.* ALERT 1 \(1 muted\)/);
    await user.sees('● live');
    // The strip counts the organization.
    await user.sees(/\[2 mon\w* 2!\]/);
    expect(await cells()).toBe(listed);
  },
);

story(
  'a list that was left before it was read has no new rows, and the help says what the signs of rows mean',
  { ...mine, before: (service) => void [hasDisk(service), hasSimple(service, 'Load')] },
  async (user, service) => {
    service.delays(150, 'monitors.list');
    await user.presses('21');
    service.recovers();
    await user.presses('2');
    await user.sees(/Monitors 2\b/);
    await user.neverSees(/\d new/);
    await user.neverSees('│•');
    await user.presses('?');
    await user.sees('• new since you last looked');
    await user.sees('~ being sent');
  },
);

test(
  'a list is sorted when its screen or tab is entered, not on return from a detail, and by itself when nobody uses it',
  journey(
    async (user, service, clock) => {
      await user.opens('monitors');
      await user.sees(/> ALERT .*Disk/);
      await user.presses('j');
      const chosen = await user.line(/^│.>/);
      hasSimple(service, 'Burning', { priority: 1 });
      await clock.passes(16_000);
      await user.sees(/Monitors 40 of 41.* 1 new alert ▲/);
      await user.sees('▲ 1 ALERT P1 · 1-');
      await user.presses('return', 'q');
      await user.sees(/Monitors 40 of 41.* 1 new alert ▲/);
      await user.opens('issues');
      await user.opens('monitors');
      await user.sees(/▼[^\n]*\n[^\n]*ALERT +1 +Burning/);
      // The cursor stays on its row, and what has come since is read at once. It is new until a key comes that follows it.
      expect(await user.line(/^│.>/)).toBe(chosen);
      await user.neverSees('▲ 1 ALERT');
      await user.sees('1 new alert');
      await clock.passes(1_000);
      await user.presses('0', '2');
      await user.neverSees('1 new alert');
      await user.presses(']');
      hasSimple(service, 'Ablaze', { priority: 1 });
      await clock.passes(20_000);
      await user.presses('[');
      await user.sees(/ALERT +1 +Ablaze/);
      expect(await user.line(/^│.>/)).toBe(chosen);
      hasSimple(service, 'Aflame', { priority: 1 });
      await clock.passes(16_000);
      await user.sees('▲ 1 ALERT P1 · 1-');
      await clock.passes(16_000);
      await user.sees(/▼[^\n]*\n[^\n]*ALERT +1 +Aflame/);
      expect((await user.line(/^│.>/)).slice(0, 40)).toBe(chosen.slice(0, 40));
    },
    {
      ...{ columns: 100, rows: 24, monitors: 0 },
      before(service) {
        hasDisk(service, { id: 77 });
        for (let at = 1; at < 40; at += 1)
          hasSimple(service, `Load ${String(at).padStart(2, '0')}`, { groups: { '*': 'OK' } });
      },
    },
  ),
);

story(
  'a monitor is copied as JSON as its detail has read it',
  { before: (service) => void hasDisk(service) },
  async (user) => {
    await user.opens('monitors');
    await user.presses('/', 'disk', 'return', 'return');
    await user.sees('Definition');
    await user.settles();
    await user.presses('Y', 'r');
    await user.sees('Copied row as JSON');
    expect(JSON.parse(user.copied.at(-1) ?? '')).toMatchObject({ name: 'Disk', raw: { name: 'Disk', options: {} } });
  },
);
