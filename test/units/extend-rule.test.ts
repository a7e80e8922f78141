import { expect, test } from 'vitest';
import { servedCommands } from '../support/served-commands.ts';

/** Downtimes that repeat, by commands: made over a tag, extended, and what no form shows of them. */

const { simulator, orgdeck } = servedCommands({ monitors: 3, issues: 0 });

const silences = () => [...simulator.org.silences.values()];
const lengths = () => silences().map(({ rule }) => rule?.recurrences.map(({ duration }) => duration));

const tuesdays = ['--every', 'Tue', '--from', '22:00', '--for', '2h'];

async function madeOver(command: readonly string[]) {
  simulator.org.silences.clear();
  const made = await orgdeck([...command, ...tuesdays, '--json', '--yes']);
  expect([made.exit, made.err]).toEqual([0, '']);
  return silences()[0];
}

test.each([[['mutes', 'create']], [['monitors', 'mute']]])(
  '%j --tag makes the same downtime over a tag',
  async (verb) => {
    const made = await madeOver([...verb, '--tag', 'service:shop']);
    expect(made).toMatchObject({ monitorTags: ['service:shop'], rule: { recurrences: [{ duration: '2h' }] } });
    const both = await orgdeck([...verb, '41001', '--tag', 'service:shop', '--for', '1h', '--yes']);
    expect([both.exit, both.err]).toEqual([2, expect.stringContaining('mutes create takes no argument')]);
  },
);

test('the help of monitors mute lists --tag, and completion offers it', async () => {
  expect((await orgdeck(['monitors', 'mute', '--help'])).out).toMatch(
    /--tag <text> +instead of IDs: all monitors with this tag/,
  );
  expect((await orgdeck(['__complete', 'orgdeck monitors mute --ta'])).out).toContain('--tag\tinstead of IDs');
});

test('+ on a rule makes every window longer, keeps what no form shows, and is undone', async () => {
  const made = await madeOver(['mutes', 'create', '--tag', 'service:shop']);
  const kept = { notifyTypes: ['canceled'], notifyStates: ['warn'], muteFirstRecovery: true };
  Object.assign(made ?? {}, kept);
  const further = { start: '2026-12-01T04:00:00', duration: '30m', rrule: 'FREQ=MONTHLY;BYMONTHDAY=28' };
  Object.assign(made?.rule ?? {}, { recurrences: [...(made?.rule?.recurrences ?? []), further] });
  const extended = await orgdeck(['mutes', 'extend', made?.uuid ?? '', '--for', '1h', '--yes']);
  expect(extended).toMatchObject({ exit: 0, err: '' });
  expect(extended.out).toContain('every window of its rule lasts 3h now');
  expect(lengths()).toEqual([['180m', '30m']]);
  expect(made).toMatchObject(kept);
  expect(await orgdeck(['undo', '--yes'])).toMatchObject({ exit: 0 });
  expect(lengths()).toEqual([['2h', '30m']]);
  expect(made).toMatchObject(kept);
});

test('another time of a rule is in the zone of the rule, whoever edits it', async () => {
  const made = await madeOver(['--tz', 'Asia/Tokyo', 'mutes', 'create', '--tag', 'service:shop']);
  const line = ['mutes', 'edit', made?.uuid ?? '', '--time', 'every Wed 21:00 for 1h', '--yes'];
  const edited = await orgdeck(['--tz', 'Europe/Berlin', ...line]);
  expect(edited.out).toMatch(/every wed 21:00 for 1h; next Wed 21:00, .*\(Asia\/Tokyo\)/i);
  expect(made?.rule).toMatchObject({ zone: 'Asia/Tokyo', recurrences: [{ rrule: 'FREQ=WEEKLY;BYDAY=WE' }] });
  const once = await orgdeck(['--tz', 'Europe/Berlin', ...line.with(4, '2027-01-05 21:00 for 1h')]);
  expect(once.out).toContain('UTC+9');
  expect(new Date(made?.start ?? 0).toISOString()).toBe('2027-01-05T12:00:00.000Z');
});

test('a rule over one monitor is extended by its id of the first version too', async () => {
  const [monitor = ''] = simulator.org.monitors.keys();
  const made = await madeOver(['monitors', 'mute', monitor]);
  simulator.passes((made?.start ?? 0) - simulator.now() + 60_000);
  const extended = await orgdeck([
    'monitors',
    'extend',
    monitor,
    '--downtime',
    String(made?.id),
    '--for',
    '30m',
    '--yes',
  ]);
  expect([extended.exit, extended.err]).toEqual([0, '']);
  expect(lengths()).toEqual([['150m']]);
  const end = ['mutes', 'end', String(made?.id), '--yes'];
  expect((await orgdeck(end)).out).toContain('Ended the rule of');
});

test('a scope that is an expression is told as it was written, and its downtime is ended by either id', async () => {
  const [monitor = ''] = simulator.org.monitors.keys();
  const made = await madeOver(['monitors', 'mute', monitor]);
  Object.assign(made ?? {}, {
    start: simulator.now() - 60_000,
    rule: null,
    scopeText: 'env:(a OR b)',
    scope: ['env:a'],
  });
  const { out } = await orgdeck(['mutes', 'list', '--json']);
  expect(JSON.parse(out).items).toMatchObject([{ scope: 'env:(a OR b)', monitors: [{ id: monitor }] }]);
  const end = ['monitors', 'unmute', monitor, '--downtime', String(made?.id), '--yes'];
  expect(await orgdeck(end)).toMatchObject({ exit: 0, err: '' });
  expect(made?.canceled).not.toBeNull();
});

test('what repeats needs a zone by its name: an offset would not follow changes of clocks', async () => {
  const line = ['mutes', 'create', '--tag', 'service:shop', ...tuesdays, '--yes'];
  const refused = await orgdeck(['--tz', '+02:00', ...line]);
  expect([refused.exit, refused.err]).toEqual([2, expect.stringContaining('needs a named zone, not +02:00')]);
  expect(await orgdeck(['--tz', 'Europe/Berlin', ...line])).toMatchObject({ exit: 0 });
});

test('the journal says who was made a reader', async () => {
  const archive = JSON.parse((await orgdeck(['archives', 'list', '--limit', '1', '--json'])).out).items[0];
  const roles = JSON.parse((await orgdeck(['roles', 'list', '--json'])).out).items as { id: string; name: string }[];
  const [role = { id: '', name: '' }] = roles.filter(({ name }) => /^[\w ]+$/.test(name));
  await orgdeck(['archives', 'remove-reader', archive.id, role.id, '--yes']);
  expect(await orgdeck(['archives', 'add-reader', archive.id, role.id, '--yes'])).toMatchObject({ exit: 0 });
  const journal = await orgdeck(['journal', '--since', '30d']);
  expect(journal.out).toContain(`added reader ${role.name} to ${archive.name}: applied`);
});
