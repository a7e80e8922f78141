import { expect } from 'vitest';
import { happens, hasIssue, hasIssues, issueId, searches } from '../support/issues.ts';
import { journey, type User } from '../support/journey.tsx';
import { receiptOf } from '../support/receipts.ts';
import { stories } from '../support/stories.ts';

const bare = { monitors: 0, issues: 0 } as const;
const story = stories(journey, bare);
/** The types in the list, from the top, as they are drawn. */
const order = async (user: User): Promise<string[]> =>
  (await user.screen())
    .split('\n')
    .map((line) => /^│.{3}(?:OPN|ACK) .*?(E\d\d)/.exec(line)?.[1] ?? '')
    .filter((id) => id !== '');

story(
  'the list shows open and acknowledged issues, those with the most errors first',
  {
    columns: 80,
    rows: 24,
    before(service) {
      hasIssue(service, 2, { state: 'ACKNOWLEDGED' });
      hasIssue(service, 1);
      hasIssue(service, 3);
      hasIssue(service, 4, { state: 'RESOLVED' });
    },
  },
  async (user, service) => {
    expect(await order(user)).toEqual(['E01', 'E02', 'E03']);
    await user.sees(/Issues 3\b.* state:OPEN,ACKNOWLEDGED 24h/);
    expect(await user.line('E01')).toMatch(/> OPN +990 +(– +)?web +E01: message of E01 +(– +)?.*2m/);
    expect(await user.line('E02')).toMatch(/ACK/);
    await user.neverSees('E04');
    expect(searches(service)).toHaveLength(1);
  },
);

story(
  'the cursor stays on its issue while polls re-sort; new issues wait for Ctrl-R',
  { columns: 80, rows: 24, before: (service) => hasIssues(service, 6) },
  async (user, service) => {
    await user.presses('jjj');
    await user.sees(/│.> OPN.*E04/);
    happens(service, 5, 5000);
    hasIssue(service, 7, { total_count: 7000 });
    await user.polls();
    await user.sees(/6 of 7.* 1 new ▲/);
    expect(await order(user)).toEqual(['E01', 'E02', 'E03', 'E04', 'E05', 'E06']);
    await user.sees(/5950 .*E05/);
    await user.sees(/│.> OPN.*E04/);

    await user.presses('ctrl+r');
    await user.sees(/Issues 7\b/);
    expect(await order(user)).toEqual(['E07', 'E05', 'E01', 'E02', 'E03', 'E04', 'E06']);
    await user.sees(/│.> OPN.*E04/);
    await user.presses('r');
    await user.sees(receiptOf.resolve('E04 in web'));
    expect(service.received('PUT').map((call) => call.path.slice(-8))).toEqual(['04/state']);
  },
);

story(
  'new issues are marked until they have been looked at',
  { columns: 80, rows: 24, before: (service) => hasIssues(service, 3) },
  async (user, service) => {
    await user.presses('k');
    hasIssue(service, 8);
    hasIssue(service, 9);
    await user.polls();
    await user.sees(/2 new ▲/);
    await user.presses('ctrl+r');
    await user.sees(/Issues 5\b/);
    await user.sees(/│• {2}OPN.*E08/);
    await user.sees(/│• {2}OPN.*E09/);
    await user.sees(/│ {3}OPN.*E02/);
    // A key shows that somebody has seen what was on the screen.
    await user.polls();
    await user.sees(/│• {2}OPN.*E08/);
    await user.presses('j');
    await user.sees(/│ {3}OPN.*E08/);
    await user.sees(/│ {3}OPN.*E09/);
    await user.neverSees(/\d new\b/);
  },
);

story(
  'who has an issue is said by initials at 80 columns, and by name where there is room',
  {
    columns: 80,
    rows: 24,
    before(service) {
      service.has('user', { id: issueId(900), name: 'Ines van Brook' });
      service.has('user', { id: issueId(901), name: 'zed' });
      hasIssue(service, 1, { assignee: issueId(900) });
      hasIssue(service, 2, { assignee: issueId(901) });
      hasIssue(service, 3);
    },
  },
  async (user) => {
    await user.sees(/TYPE: MESSAGE +WHO +LAST/);
    expect(await user.line('E01')).toMatch(/ IB +2m/);
    expect(await user.line('E02')).toMatch(/ zed +2m/);
    expect(await user.line('E03')).toMatch(/ – +2m/);
    await user.resizes(120, 40);
    await user.sees(/ASSIGNEE/);
    expect(await user.line('E01')).toMatch(/ Ines van Brook +2h +2m/);
    // A preview beside the list takes no column of those at 120 columns.
    await user.resizes(160, 40);
    await user.sees(/TREND +USERS .*ASSIGNEE/);
  },
);

story(
  'the trend of an issue has the last count of each two and a half minutes',
  { columns: 160, rows: 24, before: (service) => hasIssues(service, 2) },
  async (user, service, clock) => {
    for (const more of [500, 4000]) {
      await clock.passes('3m');
      happens(service, 2, more);
      await user.polls();
    }
    await user.sees(/5480 +▁▂█/);
    // A count that never changed has none, so that a poll without news draws nothing.
    expect(await user.line(/990.*E01/)).toMatch(/990 +– +(– +)*web/);
  },
);

story(
  'changing the time range searches again and moves the cursor to the top',
  {
    columns: 80,
    rows: 24,
    before(service) {
      const day = 86_400_000;
      hasIssue(service, 1, { first_seen: service.now() - 3 * 3_600_000, last_seen: service.now() - 2 * 3_600_000 });
      hasIssue(service, 2);
      hasIssue(service, 3, { first_seen: service.now() - 9 * day, last_seen: service.now() - 8 * day });
    },
  },
  async (user, service) => {
    await user.presses('jT');
    await user.sees('Time range');
    await user.sees(/> 4 +24h +current/);
    await user.presses('2');
    await user.sees(/Issues 1\b.* state:OPEN,ACKNOWLEDGED 1h/);
    await user.sees(/│.> OPN.*E02/);
    const asked = searches(service).map((search) => Number(search.to) - Number(search.from));
    expect(asked).toEqual([86_400_000, 3_600_000]);
    await user.presses('T', 'G', 'return');
    await user.sees(/Issues 3\b.* state:OPEN,ACKNOWLEDGED 30d/);
  },
);
