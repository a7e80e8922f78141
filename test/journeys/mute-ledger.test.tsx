import { expect } from 'vitest';
import { journey } from '../support/journey.tsx';
import { hasDisk, hasMute, hasSimple, hour, silences, silentUntil } from '../support/monitors.ts';
import { receiptOf } from '../support/receipts.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

/** Three muted monitors: two ends, and one without an end that hides an alert; a downtime of mine by tag. */
function organization(service: Simulator): void {
  hasDisk(service, { id: 77 });
  hasMute(service, '77', 'host:web-1', 2 * hour);
  hasSimple(service, 'Backup', { id: 78, groups: { '*': 'OK' } });
  hasMute(service, '78', '*', hour / 2);
  hasSimple(service, 'Flaky', { id: 79 });
  hasMute(service, '79', '*', null);
}

const place = { monitors: 0, columns: 120, rows: 24, before: organization } as const;
const story = stories(journey, place);
const order = (screen: string): string[] =>
  screen.split('\n').flatMap((line) => /(Backup|Disk|Flaky)/.exec(line)?.[1] ?? []);

story(
  'the tab Mutes lists every mute by its end, those without one last, and says what alerts under it',
  async (user) => {
    await user.opens('monitors');
    await user.presses('tab');
    await user.sees('Mutes 3');
    expect(order(await user.screen())).toEqual(['Backup', 'Disk', 'Flaky']);
    expect(await user.line('Backup')).toMatch(/30m +[A-Z][a-z]{2} \d\d:\d\d UTC/);
    expect(await user.line('host:web-1 of Disk')).toMatch(/2h.*1\/1/);
    expect(await user.line('Flaky')).toMatch(/∞ +forever.*1\/1/);
  },
);

story('+ extends the mute under the cursor, M ends it, u restores it', async (user, service) => {
  await user.opens('monitors');
  await user.presses('tab');
  await user.sees(/>.*Backup/);
  await user.presses('j', '+', '1');
  await user.sees(/3h.*host:web-1 of Disk/);
  const end = silentUntil(service, '77') ?? 0;
  expect(Math.round((end - service.now()) / hour)).toBe(3);
  await user.presses('M');
  await user.sees(receiptOf.unmute('host:web-1 of Disk'));
  // The row under the cursor stays until the cursor leaves it.
  await user.presses('k');
  await user.loses(/3h.*host:web-1 of Disk/);
  expect(silences(service, '77')).toEqual([]);
  await user.presses('u');
  await user.sees(receiptOf.undo(''));
  await user.sees(/3h.*host:web-1 of Disk/);
  expect(silentUntil(service, '77')).toBe(end);
});

story(
  'T shows the mutes that end within a time, or those that never do; the filter knows mine, forever and alerting',
  {
    before(service) {
      organization(service);
      const mine = [...service.org.users.values()].find((person) => person.name === 'Robin Vale');
      hasMute(service, '78', '*', 6 * hour);
      const last = [...service.org.silences.values()].at(-1);
      if (!last || !mine) throw new Error('no mute or nobody');
      Object.assign(last, {
        made: 'v1',
        monitor: null,
        monitorTags: ['team:core'],
        creator: mine.id,
        message: 'reindexing',
      });
    },
  },
  async (user) => {
    await user.opens('monitors');
    await user.presses('tab');
    await user.sees('Mutes 4');
    await user.presses('T');
    await user.sees('forever');
    await user.presses('2');
    await user.sees('Mutes 1');
    expect(order(await user.screen())).toEqual(['Backup']);
    await user.presses('T', '6');
    await user.sees(/∞.*Flaky/);
    expect(order(await user.screen())).toEqual(['Flaky']);
    await user.presses('T', '1');
    await user.sees('Mutes 4');
    await user.presses('/', ...'alerting', 'return');
    await user.sees('3 of 4');
    expect(order(await user.screen())).toEqual(['Disk', 'Flaky']);
    await user.presses('esc', '/', ...'mine', 'return');
    await user.sees('reindexing');
    expect(order(await user.screen())).toEqual([]);
  },
);

for (const [what, keys] of [
  ['Muted', ['m', '1']],
  ['Planned the mute of', ['m', 't', ...'tomorrow 22:00-23:30', 'return']],
] as const)
  story(`what was made on the monitors is no new one among the mutes: ${what}`, async (user, service) => {
    await user.opens('monitors');
    await user.presses('tab');
    await user.sees('Mutes 3');
    await user.presses('shift+tab');
    await user.sees(/>.*Disk/);
    await user.presses(...keys);
    await user.sees(`✓ ${what} Disk`);
    await user.presses('tab');
    await user.sees('Mutes 4');
    await user.neverSees('1 new');
    expect(order(await user.screen()).filter((name) => name === 'Disk')).toHaveLength(2);
    // A mute that somebody else makes later is.
    await user.presses('shift+tab');
    await user.presses('tab');
    hasMute(service, '77', 'host:web-3', 5 * hour);
    await user.polls();
    await user.sees('1 new');
  });

story('a downtime that an undo makes again is no new one among the mutes', async (user, service) => {
  for (const one of [...service.org.silences.values()].filter(({ monitor }) => monitor === '79'))
    Object.assign(one, { made: 'v1' });
  await user.opens('monitors');
  await user.presses('tab');
  await user.sees('Mutes 3');
  await user.presses('shift+tab');
  await user.sees(/>.*Disk/);
  await user.presses('j', 'M');
  await user.sees(receiptOf.unmute('Flaky'));
  await user.presses('u');
  await user.sees(receiptOf.undo(''));
  await user.presses('tab');
  await user.sees(/∞.*Flaky/);
  await user.neverSees('1 new');
});

const planned = {
  ...place,
  before(service: Simulator) {
    hasSimple(service, 'Backup', { id: 78, groups: { '*': 'OK' } });
  },
};
const rules = (service: Simulator) =>
  [...service.org.silences.values()].map(({ rule, canceled }) => [rule?.recurrences, canceled !== null]);
const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const noon = (service: Simulator, days: number) => day(service.now() + days * 24 * hour);

story(
  'what is to come is listed: M ends one window of a rule, or the rule, and u brings both back',
  planned,
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('m', 't', 'every day 00:00 for 1m', 'return');
    await user.sees('✓ Planned the mute of Backup: every day 00:00 for 1m');
    await user.presses('tab');
    await user.sees(/in \d+[hm].*Backup · every day 00:00 for 1m/);
    const before = rules(service);
    const rule = { duration: '1m', rrule: 'FREQ=DAILY' };
    expect(before).toEqual([[[{ ...rule, start: `${noon(service, 1)}T00:00:00` }], false]]);
    await user.presses('M');
    await user.sees(/one window, (tomorrow )?00:00 UTC: the rule begins with the next/);
    await user.sees('the rule, every day 00:00 for 1m');
    await user.presses('1');
    await user.sees(/✓ Ended one window of Backup, (tomorrow )?00:00 UTC; the rule goes on, next /);
    expect(rules(service)).toEqual([[[{ ...rule, start: `${noon(service, 2)}T00:00:00` }], false]]);
    await user.presses('u');
    await user.sees(receiptOf.undo('Ended one window'));
    expect(rules(service)).toEqual(before);
    await user.presses('M', 'a');
    await user.sees('✓ Ended the rule of Backup, every day 00:00 for 1m');
    expect(rules(service)).toEqual([[before[0]?.[0], true]]);
    await user.presses('u');
    await user.sees(receiptOf.undo('Ended the rule'));
    expect(rules(service)).toEqual([[before[0]?.[0], true], before[0]]);
  },
);

story('a rule whose window runs is one row, which no other key but M ends', planned, async (user, service) => {
  const start = new Date(service.now() - hour).toISOString().slice(11, 16);
  await user.opens('monitors');
  await user.presses('m', 't', `every day ${start} for 3h`, 'return');
  await user.sees('✓ Planned the mute of Backup');
  await user.polls();
  await user.presses('M');
  await user.sees('repeats: end it, or one window of it, in Mutes');
  await user.presses('tab');
  await user.sees(`Backup · every day ${start} for 3h`);
  await user.sees('Mutes 1');
  await user.presses('M', '1');
  await user.sees(/✓ Ended one window of Backup, .*; the rule goes on, next tomorrow/);
  await user.polls();
  await user.sees(/in \d+h.*Backup/);
  await user.sees('Mutes 1');
});

story('Enter opens the monitor of a mute; q comes back to the mutes', async (user) => {
  await user.opens('monitors');
  await user.presses('tab');
  await user.sees(/>.*Backup/);
  await user.presses('return');
  await user.sees('┌ Backup');
  await user.presses('q');
  await user.sees('Mutes 3');
  expect(user.session.now().view.list.id).toBe('mutes');
});

story(
  'M ends a downtime whose monitor is gone, where it is listed',
  {
    before(service) {
      organization(service);
      service.has('downtime', { id: 856, monitor_id: 77, scope: ['*'], end: Math.floor(service.now() / 1000) + 600 });
      service.org.monitors.delete('77');
    },
  },
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('tab');
    await user.sees(/>.*monitor 77/);
    await user.presses('M');
    await user.sees('✓ Unmuted monitor 77');
    expect(service.received('DELETE').map(({ path }) => path)).toEqual(['/api/v1/downtime/856']);
    await user.presses('j');
    await user.loses('downtime 856');
  },
);

story(
  'T shows what has ended or was canceled within a day, the last one first; M is refused there',
  planned,
  async (user, service) => {
    const ends = (scope: string, hours: number, canceled: number | null) => {
      hasMute(service, '78', scope, hours * hour);
      const last = [...service.org.silences.values()].at(-1);
      Object.assign(last ?? {}, { made: 'v2', start: service.now() - 50 * hour, canceled });
    };
    ends('host:a', -2, null);
    ends('host:b', 5, service.now() - hour);
    ends('host:old', -30, null);
    await user.opens('monitors');
    await user.presses('tab');
    await user.sees('No mutes');
    await user.presses('T', '8');
    await user.sees('Mutes 2 · ended');
    expect(
      [...(await user.screen()).matchAll(/(\dh ago) .*(host:\w+) of Backup/g)].map(([, ...found]) => found),
    ).toEqual([
      ['1h ago', 'host:b'],
      ['2h ago', 'host:a'],
    ]);
    await user.presses('M');
    await user.sees('already ended');
    expect(service.received('DELETE')).toEqual([]);
  },
);

story(
  'e gives a rule another time and reason, and the rest stays; u brings back what it was',
  planned,
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('m', 't', 'every Tue 22:00 for 2h', 'return');
    await user.sees('✓ Planned the mute of Backup');
    const rule = () => [...service.org.silences.values()].map((one) => [one.rule?.recurrences[0]?.rrule, one.message]);
    const was = rule();
    const [told] = [...service.org.silences.values()];
    Object.assign(told ?? {}, { notifyTypes: ['canceled'] });
    await user.presses('tab');
    await user.sees(/> .*Backup · every Tue 22:00/);
    await user.presses('e');
    await user.sees('every Tue 22:00 for 2h');
    await user.presses('ctrl+u', '9am tomorrow', 'ctrl+s');
    await user.sees('windows such as 22:00-23:30');
    await user.presses('ctrl+u', 'every Wed 21:00 for 1h', 'tab', 'tab', 'deploys', 'ctrl+s');
    await user.sees('- every Tue 22:00 for 2h');
    await user.presses('return');
    await user.sees('✓ Edited the mute of Backup: every Wed 21:00 for 1h');
    expect(rule()).toEqual([['FREQ=WEEKLY;BYDAY=WE', 'deploys']]);
    expect(told?.notifyTypes).toEqual(['canceled']);
    await user.presses('u');
    await user.sees('Undone: edited the mute of Backup');
    expect(rule()).toEqual(was);
  },
);

story('the form of a rule says in which zone its times are, where it is another', planned, async (user, service) => {
  await user.opens('monitors');
  await user.presses('m', 't', 'every Tue 22:00 for 2h', 'return');
  await user.sees('✓ Planned the mute of Backup');
  const rules = () =>
    [...service.org.silences.values()].map(({ rule }) => `${rule?.zone} ${rule?.recurrences[0]?.start}`);
  for (const { rule } of service.org.silences.values()) Object.assign(rule ?? {}, { zone: 'Asia/Tokyo' });
  await user.presses('tab');
  await user.sees('every Tue 22:00 for 2h (Asia/Tokyo)');
  await user.presses('e');
  await user.sees(/Time in Asia\/Tokyo .*every Tue 22:00 for 2h/);
  await user.presses('backspace', 'backspace', '3h', 'ctrl+s');
  await user.sees('+ every Tue 22:00 for 3h');
  await user.presses('return');
  await user.sees('✓ Edited the mute of Backup: every Tue 22:00 for 3h');
  expect(rules()).toEqual([expect.stringMatching(/^Asia\/Tokyo .*T22:00:00/)]);
});

/** Two monitors of a tag, and one without it. */
const tagged = {
  ...place,
  before(service: Simulator) {
    hasDisk(service, { id: 77, tags: ['service:shop'] });
    hasSimple(service, 'Cart', { id: 78, tags: ['service:shop'] });
    hasSimple(service, 'Other', { id: 79, tags: ['service:other'] });
  },
} as const;
const overTag = (service: Simulator) =>
  [...service.org.silences.values()].map(({ monitorTags, canceled }) => [monitorTags, canceled === null]);

story(
  's in the mute bar goes on to the tags of the row: the bar counts what would be hit, u ends the mute again',
  tagged,
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('/Disk', 'return', 'm', 's', 's', 's');
    await user.sees('scope every monitor tagged service:shop');
    await user.sees('2 monitors, 4 groups, 3 alerting as of now, and every future monitor with this tag');
    await user.presses('t', 'forever', 'return');
    await user.sees('a mute of a tag needs an end');
    expect(service.org.silences.size).toBe(0);
    await user.presses('m', 's', 's', 's', '1');
    await user.sees(/✓ Muted every monitor tagged service:shop until \d\d:\d\d UTC/);
    expect(overTag(service)).toEqual([[['service:shop'], true]]);
    await user.presses('esc');
    await user.sees(/Cart .*1h left/);
    expect(await user.line('Other')).not.toContain('left');
    await user.presses('u');
    await user.sees('Undone: muted every monitor tagged service:shop');
    expect(overTag(service)).toEqual([[['service:shop'], false]]);
  },
);

story(
  'n in Mutes mutes a tag: the form counts while the tag is typed, and refuses what never ends',
  tagged,
  async (user, service) => {
    await user.opens('monitors');
    await user.presses('tab');
    await user.sees('No mutes');
    await user.presses('n');
    await user.sees('New mute of a tag');
    await user.presses('service:sho');
    await user.sees('0 monitors, 0 alerting as of now');
    await user.presses('p', 'tab');
    await user.sees('2 monitors, 4 groups');
    await user.presses('forever', 'ctrl+s');
    await user.sees('a mute of a tag needs an end');
    await user.presses('ctrl+u', 'every Tue 22:00 for 2h', 'ctrl+s');
    await user.sees(/Planned the mute of every monitor tagged service:shop: every Tue 22:00 for 2h/);
    await user.sees(/>.*every monitor tagged service:shop · every T/);
    expect(overTag(service)).toEqual([[['service:shop'], true]]);
    // One window is listed under its id of the first version.
    await user.presses('n', 'service:shop', 'tab', '22:00-23:30', 'ctrl+s');
    await user.sees(/✓ Planned the mute of every monitor tagged service:shop: (tomorrow )?22:00/);
    await user.sees('Mutes 2 ·');
    expect(await user.line(/│ >/)).not.toContain('every Tue');
  },
);
