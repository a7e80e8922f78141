import { expect, test } from 'vitest';
import { keyHints } from '../../src/session/state/state-changes.ts';
import { hasIssues, searches, stateOf } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { receiptOf } from '../support/receipts.ts';
import { stories } from '../support/stories.ts';

const bare = { monitors: 0, issues: 0, columns: 80, rows: 24 } as const;
const two = { ...bare, before: (service: Parameters<typeof hasIssues>[0]) => hasIssues(service, 2) };
const story = stories(journey, two);

story(
  'a read-only profile shows a badge, refuses every action with the reason and sends nothing',
  { readOnly: true },
  async (user, service) => {
    await user.sees('DEV RO');
    for (const key of ['a', 'A', 'r', 'i', 'E', 'X']) {
      await user.presses(key);
      await user.sees('profile test is read-only');
      await user.presses('y');
      await user.sees('Copied the id');
    }
    await user.presses('x');
    await user.sees(/r +resolve +profile test is read-only/);
    await user.presses('r', 'q');
    // The search is a POST that only reads.
    await user.presses('ctrl+r');
    await user.sees('● live');
    expect(service.received('PUT')).toEqual([]);
    expect(service.received('DELETE')).toEqual([]);
  },
);

story(
  'what no row takes anyway has no key in the footer of a read-only profile',
  { readOnly: true, monitors: 1 },
  async (user) => {
    await user.opens('monitors');
    await user.sees(/Enter open {2}m mute {2}(?!M unmute)/);
  },
);

story(
  'production shows a badge and asks before each edit, undo included',
  { production: true },
  async (user, service) => {
    await user.sees('▌PROD▐');
    await user.presses('A');
    await user.sees('Acknowledge E01 in web in production (test)?');
    await user.presses('return');
    await user.loses('in production');
    expect(service.received('PUT')).toEqual([]);
    await user.presses('A', 'y');
    await user.sees(receiptOf.acknowledge('E01 in web'));
    await user.presses('v', 'j', 'r');
    await user.sees('Resolve 2 issues in production (test)?');
    await user.sees('E02 in web');
    await user.presses('n', 'q', 'q');
    await user.loses('marked');
    expect(service.received('PUT')).toHaveLength(1);
    await user.presses('u');
    await user.sees('Undo the last edit in production (test)?');
    await user.presses('return');
    await user.loses('in production');
    await user.presses('u', 'y');
    await user.sees(receiptOf.undo(receiptOf.acknowledge('E01')));
    await user.presses('A', 'y');
    await user.sees(`${receiptOf.acknowledge('E02 in web')} ·`);
    await user.presses('H');
    await user.sees('Handover of');
    await user.presses('G', 'k', 'u');
    await user.sees('Undo in production (test): acknowledged E02 in web?');
    await user.presses('y');
    await user.sees(receiptOf.undo(receiptOf.acknowledge('E02 in web')));
    expect(stateOf(service, 2)).toBe('OPEN');
  },
);

story(
  'a refusal names the missing permission and restores the row; ! shows all of it',
  { columns: 120 },
  async (user, service) => {
    service.refuses(403, { match: 'issues.set-state', body: { errors: [{ detail: 'permission denied' }] } });
    await user.presses('r');
    await user.sees(
      new RegExp(
        `Resolve failed: your keys or role lack error_tracking_read.*permission denied.*${keyHints.messages}`,
        's',
      ),
    );
    await user.sees(/> OPN .*E01/);
    expect(stateOf(service, 1)).toBe('OPEN');
    await user.presses('!', 'return');
    await user.sees(/^ ?Message/m);
    await user.sees(/Status +403/);
    await user.sees(/Requires +error_tracking_read, error_tracking_write/);
    await user.sees(/Server +permission denied/);
    await user.presses('q', 'q', 'u');
    await user.sees('nothing to undo');
  },
);

story(
  'when the keys are revoked, rows stay, the header says why, and polling recovers',
  async (user, service, clock) => {
    service.refuses(403, { times: 1, match: 'issues.search', body: { errors: ['Forbidden'] } });
    await user.polls();
    await user.sees('✗ refused: keys or role');
    await user.sees(/> OPN .*E01/);
    await user.sees(new RegExp(`✗ Not refreshed: the keys were not accepted.*${keyHints.messages}`, 's'));
    await user.presses('!', 'return');
    await user.sees(/revoked\s+or mistyped|revoked or\s+mistyped/);
    await user.presses('q');
    await clock.passes('30s');
    await user.sees('● live');
  },
);

test(
  'a start with refused keys shows the reason in place of the rows',
  journey(
    async (user) => {
      await user.sees('the keys were not accepted (Unauthorized)');
      await user.presses('!', 'return');
      await user.sees(/Status +401/);
    },
    {
      ...bare,
      before(service) {
        service.refuses(401, { times: 50, body: { errors: ['Unauthorized'] } });
      },
    },
  ),
);

story(
  'when rate-limited, the header counts it, the poll waits as long as the service says, then recovers',
  async (user, service, clock) => {
    service.refuses(429, {
      times: 1,
      match: 'issues.search',
      body: { errors: ['Rate limit of 10 requests reached'] },
      headers: {
        'X-RateLimit-Limit': '10',
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': '40',
        'X-RateLimit-Period': '60',
      },
    });
    const before = searches(service).length;
    await clock.passes('16s');
    await user.sees(/throttled [1-3]x/);
    await user.sees(/> OPN .*E01/);
    const then = searches(service).length;
    await clock.passes('20s');
    expect(searches(service).length).toBe(then);
    expect(then).toBeLessThanOrEqual(before + 1);
    for (let at = 0; at < 12; at += 1) await clock.passes('20s');
    expect(searches(service).length).toBeGreaterThan(then);
    // Polls are slower for some minutes; what a person asks for is not.
    await user.presses('ctrl+r');
    await user.sees('● live');
  },
);

story(
  'after three refusals with "wait 3s" the header tells the next try, half a minute later at most',
  async (user, service, clock) => {
    service.refuses(429, {
      times: 3,
      match: 'issues.search',
      headers: {
        'Retry-After': '3',
        'X-RateLimit-Limit': '100',
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': '3',
        'X-RateLimit-Period': '10',
      },
    });
    const refused = searches(service).length + 3;
    for (let at = 0; at < 60 && searches(service).length < refused; at += 1) await clock.passes('2s');
    await user.sees(/throttled 3x \d+[sm], next \d\d:\d\d:\d\d/);
    const then = searches(service).length;
    for (let at = 0; at < 11; at += 1) await clock.passes('3s');
    expect(searches(service).length).toBeGreaterThan(then);
    await user.sees('● live');
  },
);

story('offline, rows stay and are marked stale with their age; polling recovers', async (user, service, clock) => {
  const { port } = new URL(user.session.client.origin);
  await service.stop();
  for (let at = 0; at < 6; at += 1) await clock.passes('20s');
  await user.sees(/✗ offline: [a-z ]+ \dm/);
  await user.sees(/> OPN .*E01/);
  await user.sees(
    new RegExp(`✗ Not refreshed: (cannot connect to|the connection to) 127\\.0\\.0\\.1.*${keyHints.messages}`, 's'),
  );
  await user.presses('r');
  await user.sees('sending 1');
  await clock.passes('10s');
  await user.loses('sending 1');
  await user.sees(/> OPN .*E01/);
  await service.start(Number(port));
  for (let at = 0; at < 3; at += 1) await clock.passes('20s');
  await user.sees('● live');
  expect(stateOf(service, 1)).toBe('OPEN');
  await user.presses('r');
  await user.sees(receiptOf.resolve('E01 in web'));
});
