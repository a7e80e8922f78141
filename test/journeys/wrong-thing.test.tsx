import { expect, test } from 'vitest';
import { hasIssues, issueId, knowsMe, stateOf } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { endClock, hasDisk } from '../support/monitors.ts';
import { receiptOf } from '../support/receipts.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const bare = { monitors: 0, issues: 0, columns: 80, rows: 24 } as const;
const assignee = (service: Simulator, n: number) => service.org.issues.get(issueId(n))?.assignee;
const hasAiko = (service: Simulator) => {
  hasIssues(service, 3);
  service.has('users', { id: issueId(900), name: 'Aiko Jobim', email: 'aiko@example.test' });
};
const withAiko = { ...bare, before: hasAiko };
const story = stories(journey, withAiko);

story(
  'letters in the assign picker are text from the first one: a name that begins with a assigns its person',
  async (user, service, clock) => {
    await knowsMe(user);
    await user.presses('a', 'aiko');
    await user.sees('aiko');
    await clock.passes(260);
    expect(service.received('PUT')).toEqual([]);
    await user.sees(/> Aiko Jobim/);
    await user.presses('return');
    await user.sees('Assigned E01 in web to Aiko Jobim');
    expect(service.received('PUT')).toHaveLength(1);
    expect(stateOf(service, 1)).toBe('ACKNOWLEDGED');
  },
);

story(
  'letters that are left over when a picker closes in the same burst do not reach the list',
  async (user, service) => {
    const me = await knowsMe(user);
    await user.sends('a\riA0');
    await user.sees('Assigned E01 in web to you');
    await user.settles();
    expect(assignee(service, 1)).toBe(me);
    expect(stateOf(service, 1)).toBe('ACKNOWLEDGED');
    expect(service.received('PUT')).toHaveLength(1);
    await user.sees(/Issues 3\b/);
    // As soon as the list is drawn, a key counts again.
    await user.presses('j', 'r');
    await user.sees(receiptOf.resolve('E02 in web'));
  },
);

story('Enter takes no row of a picker that was not on the screen under the cursor', async (user, service, clock) => {
  await knowsMe(user);
  await user.presses('a', 'aiko');
  await clock.passes(260);
  await user.presses('return');
  await user.sees('Assigned E01 in web to Aiko Jobim');
  await user.presses('j');
  await user.sends('aai\r');
  await user.sees('Enter was pressed before the row was drawn: press it again');
  await user.settles();
  expect(service.received('PUT')).toHaveLength(1);
  await user.presses('return');
  await user.sees('Assigned E02 in web to Aiko Jobim');
});

for (const [layer, keys] of [
  ['a menu', 'xA'],
  ['a confirmation', 'qn'],
  ['the palette', ':ackn\r'],
  ['the help', '?q'],
  ['a filter', '/E0\r'],
] as const)
  story(
    `letters that are left over when ${layer} closes in the same burst do not reach the list`,
    async (user, service) => {
      await user.sends(`${keys}i`);
      await user.settles();
      expect(stateOf(service, 1)).not.toBe('IGNORED');
      await user.presses('r');
      await user.sees(receiptOf.resolve('E01 in web'));
    },
  );

test(
  'keys after a refused key in the same burst are ignored with a message, and count after a pause',
  journey(
    async (user, _, clock) => {
      await user.opens('monitors');
      clock.stops();
      await user.sends('m45r');
      await user.sees('no row selected');
      await user.sees('ignored: 45r');
      await user.sees(/┌ Monitors/);
      await clock.passes(400);
      await user.sends('4');
      await user.sees('ignored: 45r4');
      await clock.passes(500);
      await user.sends('4');
      await user.sees(/┌ Roles/);
    },
    { monitors: 0, issues: 0 },
  ),
);

story('an unknown key discards the rest of its chunk: m1 on issues does not open another screen', async (user) => {
  await user.presses('4');
  await user.sees(/┌ Roles/);
  await user.sends('m1');
  await user.sees('ignored: 1');
  await user.sees(/┌ Roles/);
  await user.presses('1');
  await user.sees(/Issues 3\b/);
});

story('Esc, arrows and Ctrl keys count at once after a refused key', async (user) => {
  await user.sees('E03');
  await user.sends('X');
  await user.sees('Unassign: ');
  await user.sends('\x1b[B');
  await user.sees(/> .*E02/);
  await user.sends('X');
  await user.sends('\x10');
  await user.sees('Palette');
});

for (const [value, wanted] of [
  ['CN=platform-operators,OU=groups,DC=example,DC=test', undefined],
  ['exactly-24-letters-long!', 'exactly-24-letters-long!'],
  ['öffentlich', undefined],
] as const)
  test(
    `a delete of ${value} wants ${wanted ?? 'four letters that the question shows'} typed`,
    journey(
      async (user, service) => {
        await user.opens('mappings');
        await user.presses('d');
        const line = await user.line(/Type .* and Enter/);
        const text = /Type (.*) and Enter/.exec(line)?.[1] ?? '';
        if (wanted === undefined) expect(text).toMatch(/^[a-hj-km-np-z]{4}$/);
        else expect(text).toBe(wanted);
        await user.presses(`${text}x`, 'return');
        expect(service.received('DELETE')).toEqual([]);
        await user.presses('backspace', 'return');
        await user.sees('Deleted mapping groups = ');
        expect(service.received('DELETE')).toHaveLength(1);
      },
      {
        monitors: 0,
        issues: 0,
        before(service) {
          service.org.mappings.clear();
          const [role] = service.org.roles.keys();
          service.has('authn_mappings', { attribute_key: 'groups', attribute_value: value, role });
        },
      },
    ),
  );

const withDisk = { ...bare, before: (service: Simulator) => void hasDisk(service, { id: 77 }) };

for (const [bar, key, receipt] of [
  ['mute', 'm', new RegExp(`${receiptOf.mute('Disk')} 16:\\d\\d UTC`)],
  ['extend', '+', /Muted until 17:\d\d UTC: Disk/],
] as const)
  test(
    `the ${bar} bar reads 45m in one chunk and key by key alike; a digit alone chooses after a pause`,
    journey(async (user, service, clock) => {
      await user.opens('monitors');
      await user.presses('m1');
      await user.sees(receiptOf.mute('Disk'));
      const sent = service.received('POST').length;
      const typed = bar === 'mute' ? /until 12:4\d UTC, in 45m/ : /until 13:4\d UTC, in 1h/;
      await user.sends(`${key}45m`);
      await user.sees(typed);
      await user.presses('esc', 'esc');
      for (const one of [key, '4', '5', 'm']) await user.sends(one);
      await user.sees(typed);
      await user.presses('esc', 'esc', key);
      // Esc and Backspace take the digit back.
      for (const taken of ['\x7f', '\x1b']) {
        await user.sends('4');
        await user.sees(/ · \+?4h unless you keep typing/);
        await user.sends(taken);
        await user.loses('unless you keep typing');
        await clock.passes(400);
      }
      expect(service.received('POST')).toHaveLength(sent);
      await user.presses(key);
      await user.sends('4');
      expect(service.received('POST')).toHaveLength(sent);
      await clock.passes(400);
      await user.sees(receipt);
      // Another key than one of a time chooses at once, and is not taken for the list.
      await user.sends(`${key}1x`);
      await user.sees(bar === 'mute' ? 'SHORTENED from 16' : 'Muted until 18');
      expect(service.received('POST')).toHaveLength(sent + 2);
      expect(user.session.now().state.layers).toEqual([]);
    }, withDisk),
  );

for (const [bar, keys] of [
  ['mute', 'm'],
  ['extend', '+'],
] as const)
  test(
    `the ${bar} bar takes digits as text where they choose nothing, and says live when the mute ends`,
    journey(async (user, service) => {
      await user.opens('monitors');
      await user.presses('m1');
      await user.sees(receiptOf.mute('Disk'));
      const before = endClock(service, '77');
      await user.presses(keys, '30');
      await user.presses('m');
      await user.sees(bar === 'mute' ? /until 12:3\d UTC, in 30m/ : /until 13:3\d UTC, in 1h/);
      const bottom = (await user.screen()).split('\n').slice(-6).join('\n');
      expect(bottom.match(/until 1[23]:3\d UTC/g)).toHaveLength(1);
      await user.presses('ctrl+u', 'until 9am tomorrow');
      await user.sees('until tomorrow 09:00 UTC, in 21h');
      await user.presses('ctrl+u', 'until 9');
      await user.loses('until tomorrow');
      await user.presses(':00 tomorrow', 'return');
      await user.sees(/✓ .*09:00/);
      expect([before, endClock(service, '77')]).toEqual(['13:00', '09:00']);
    }, withDisk),
  );
