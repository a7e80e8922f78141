import { expect } from 'vitest';
import { hasIssues, issueId, stateOf } from '../support/issues.ts';
import { journey, type User } from '../support/journey.tsx';
import { offering } from '../support/offering.ts';
import { receiptOf } from '../support/receipts.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const bare = { monitors: 0, issues: 0, columns: 80, rows: 24 } as const;
const story = stories(journey, bare);
const withState = (service: Simulator, state: string) =>
  [...service.org.issues.values()].filter((issue) => issue.state === state).map((issue) => Number(issue.id.slice(-3)));

story(
  'space, a range and "all matches" mark rows; actions apply to the marked rows only',
  { before: (service) => hasIssues(service, 12) },
  async (user, service) => {
    await user.presses('space', 'j', 'space');
    await user.sees('2 marked');
    await user.sees(/│\* {2}OPN .*E01/);
    await user.sees(/│ {3}OPN .*E02/);
    await user.sees(/│\* {2}OPN .*E03/);
    await user.presses('A');
    await user.sees(offering('Acknowledged 2 issues'));
    expect(withState(service, 'ACKNOWLEDGED')).toEqual([1, 3]);
    await user.presses('g', 'v', 'j', 'j', 'k', 'v');
    await user.sees('3 marked');
    await user.presses('esc');
    await user.loses('marked');
    await user.presses('/e1', 'return', '*');
    await user.sees('3 marked');
    await user.presses('i');
    await user.sees('Ignored 3 issues');
    // What one key cannot be done to is told, not dropped.
    await user.presses('esc', 'g', 'v', '2j', 'A');
    await user.sees(new RegExp(`${receiptOf.acknowledge('E02')} .*; 2 left out: already ACKNOWLEDGED`));
    await user.presses('g', 'v', '2j', 'E');
    await user.sees('Exclude 3 issues?');
    await user.presses('esc', 'esc');
    expect(withState(service, 'IGNORED')).toEqual([10, 11, 12]);
  },
);

story(
  'an edit of more than ten rows asks for the typed count',
  { before: (service) => hasIssues(service, 12) },
  async (user, service) => {
    await user.presses('*', 'A');
    await user.sees('Acknowledge 12 issues?');
    await user.sees('and 7 more');
    await user.sees('Type 12 and Enter');
    await user.presses('return');
    await user.sees('Type 12 to confirm, or Esc');
    await user.presses('13', 'return');
    expect(service.received('PUT')).toEqual([]);
    await user.presses('backspace', '2');
    // Keys in the same chunk were typed before the question was drawn.
    await user.sends('\r\r');
    await user.sees('Typed too early');
    expect(service.received('PUT')).toEqual([]);
    await user.presses('return');
    await user.sees(offering('Acknowledged 12 issues'));
    expect(withState(service, 'ACKNOWLEDGED')).toHaveLength(12);
    await user.presses('u');
    await user.sees(receiptOf.undo('acknowledged 12 issues'));
    expect(withState(service, 'OPEN')).toHaveLength(12);
  },
);

story(
  'a bulk edit that fails in part lists the result of each row, keeps the failed rows marked and retries only those',
  { before: (service) => hasIssues(service, 6) },
  async (user, service) => {
    const forbidden = { errors: [{ detail: 'issue is locked by another team and stays as it is' }] };
    service.refuses(409, { match: `${issueId(2)}/state`, body: forbidden });
    service.refuses(409, { match: `${issueId(4)}/state`, body: forbidden });
    await user.presses('v4j', 'r');
    await user.sees('Resolve: 2 of 5 failed');
    // What failed stands first, with the whole refusal of the row under the cursor below.
    await user.sees(
      new RegExp(
        `> ✗ E02 in web +issue is locked.*\\n.*✗ E04 in web +issue is locked.*\\n.*✓ ${receiptOf.resolve('E01 in web')}`,
      ),
    );
    await user.sees(/│ +issue is locked by another team and stays as it is/);
    expect(withState(service, 'RESOLVED')).toEqual([1, 3, 5]);
    service.forgets();
    await user.presses('r');
    await user.sees('Resolved 2 issues');
    expect(service.received('PUT').map((call) => call.path.split('/').at(-2))).toEqual([issueId(2), issueId(4)]);
    expect(withState(service, 'RESOLVED')).toEqual([1, 2, 3, 4, 5]);
  },
);

story(
  'closing the results keeps the failed rows marked; u undoes the successful ones',
  { before: (service) => hasIssues(service, 3) },
  async (user, service) => {
    service.refuses(409, { match: `${issueId(2)}/state`, body: { errors: [{ detail: 'locked' }] } });
    await user.presses('v2j', 'A');
    await user.sees('Acknowledge: 1 of 3 failed');
    await user.presses('q');
    await user.sees('1 marked');
    await user.sees(/│\* {2}OPN .*E02/);
    await user.presses('u');
    await user.sees(receiptOf.undo('acknowledged 2 issues'));
    expect(withState(service, 'OPEN')).toEqual([1, 2, 3]);
  },
);

story(
  'u in the results undoes the rows that were done, as the message there says, and closes them',
  { before: (service) => hasIssues(service, 3) },
  async (user, service) => {
    service.refuses(409, { match: `${issueId(2)}/state`, body: { errors: [{ detail: 'locked' }] } });
    await user.presses('v2j', 'A');
    await user.sees(offering('Acknowledge: 2 done, 1 failed', 'undoRest'));
    await user.presses('u');
    await user.sees(receiptOf.undo('acknowledged 2 issues'));
    await user.loses('Acknowledge: 1 of 3 failed');
    expect(withState(service, 'OPEN')).toEqual([1, 2, 3]);
    // Where nothing was done, there is nothing in it to undo, and no older edit takes its place.
    await user.presses('esc', 'g', 'i');
    await user.sees('[gone] E01');
    await user.presses('g');
    await user.sees('1-2/2');
    service.refuses(409, { times: 2, body: { errors: [{ detail: 'locked' }] }, match: '/state' });
    await user.presses('vj', 'A');
    await user.sees('Acknowledge: 2 of 2 failed');
    await user.presses('u');
    await user.sees('nothing in it to undo');
    expect(withState(service, 'IGNORED')).toEqual([1]);
  },
);

story(
  'quitting during a bulk edit asks for confirmation, and the edit continues meanwhile',
  { before: (service) => hasIssues(service, 7) },
  async (user, service) => {
    service.delays(120, 'issues.set-state');
    await user.presses('v5j', 'r');
    await user.sees(/sending \d\/6/);
    await user.presses('ctrl+c');
    await user.sees('An edit is still being sent. Ctrl-C again to quit anyway');
    expect(user.quit).toEqual([]);
    await user.sees('Resolved 6 issues');
    expect(withState(service, 'RESOLVED')).toHaveLength(6);
    // After the bulk edit, pressing once quits.
    await user.presses('ctrl+c');
    expect(user.quit).toEqual([130]);
  },
);

for (const [key, code] of [
  ['Q', 0],
  ['ctrl+c', 130],
] as const)
  story(
    `pressing ${key} twice during a bulk edit quits with ${code}`,
    { before: (service) => hasIssues(service, 7) },
    async (user, service) => {
      service.delays(200, 'issues.set-state');
      await user.presses('v5j', 'r');
      await user.sees(/sending \d\/6/);
      await user.presses(key);
      await user.sees('An edit is still being sent');
      await user.presses(key);
      expect(user.quit).toEqual([code]);
    },
  );

story(
  'a marked row that leaves the list is not edited',
  { before: (service) => hasIssues(service, 4) },
  async (user, service) => {
    await user.presses('space', 'space', 'space');
    await user.sees('3 marked');
    service.org.issues.delete(issueId(2));
    await user.polls();
    await user.loses(/E02/);
    await user.sees('2 marked, 1 marked but not shown');
    await user.presses('A');
    await user.sees('Acknowledged 2 issues');
    expect(service.received('PUT').map((call) => call.path.split('/').at(-2))).toEqual([issueId(1), issueId(3)]);
    expect(stateOf(service, 4)).toBe('OPEN');
  },
);

/** How many of its rows the edit under way has ended, as the header says. */
const endedRows = async (user: User) => Number(/ing (\d+)\/99/.exec(await user.screen())?.[1] ?? -1);

story(
  'an undo of 99 rows says how far it is, is stopped by Ctrl-X, names what is left, and u goes on with that',
  { before: (service) => hasIssues(service, 99), columns: 120 },
  async (user, service) => {
    await user.presses('*', 'A', '99', 'return');
    await user.sees(offering('Acknowledged 99 issues'));
    service.delays(120, 'issues.set-state');
    await user.presses('u');
    await user.sees('Ctrl-X stop sending');
    await expect.poll(() => endedRows(user)).toBeGreaterThan(4);
    // After a second it has a box, and the row under the cursor is still in sight.
    await user.sees(/┌ Undo: acknowledged 99 issues ─+ \ds ┐\n│ {2}█+░+ \d+% {2}\d+ of 99, \d+\/s, \d+s left/);
    await user.sees('Ctrl-X stops: rows already sent stay, the others stay marked');
    await user.sees(/│ ?> +(OPN|ACK) /);
    // Impatience undoes no earlier edit.
    await user.presses('u');
    await user.sees('Undo: the last undo is still being sent');
    await user.presses('ctrl+x');
    await user.sees(/Undo: \d+ done, \d+ left: .* and \d+ more \(not sent: stopped\)/);
    const open = withState(service, 'OPEN').length;
    expect(open).toBeGreaterThan(4);
    expect(open).toBeLessThan(99);
    await user.sees(`Undo: ${open} done, ${99 - open} left:`);
    service.delays(0, 'issues.set-state');
    await user.presses('u');
    await user.sees(receiptOf.undo(`acknowledged ${99 - open} issues`));
    expect(withState(service, 'OPEN')).toHaveLength(99);
    await user.presses('u');
    await user.sees('nothing to undo');
  },
);

story(
  'an edit of 99 rows that is stopped keeps the rest marked and unsent',
  { before: (service) => hasIssues(service, 99), columns: 120 },
  async (user, service) => {
    service.delays(60, 'issues.set-state');
    await user.presses('*', 'A', '99', 'return');
    await expect.poll(() => endedRows(user)).toBeGreaterThan(4);
    await user.presses('ctrl+x');
    await user.sees(/Acknowledge: \d+ of 99 not sent/);
    const done = withState(service, 'ACKNOWLEDGED').length;
    await user.sees(`Acknowledge: ${99 - done} of 99 not sent`);
    await user.presses('esc');
    await user.sees(`${99 - done} marked`);
    service.delays(0, 'issues.set-state');
    await user.presses('u');
    await user.sees(receiptOf.undo('acknowledged'));
    expect(withState(service, 'OPEN')).toHaveLength(99);
  },
);
