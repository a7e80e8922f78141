import { expect } from 'vitest';
import { hasIssues, issueId, knowsMe, stateOf } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { offering } from '../support/offering.ts';
import { receiptOf } from '../support/receipts.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const bare = { monitors: 0, issues: 0, columns: 80, rows: 24 } as const;
const story = stories(journey, bare);
const assignee = (service: Simulator, n: number) => service.org.issues.get(issueId(n))?.assignee;
/** The searches for people that the service received, oldest first. */
const asked = (service: Simulator) => service.received('GET', '/users').map((call) => call.query.filter ?? '');

story(
  'two keys assign an issue to me, and u unassigns it',
  { before: (service) => hasIssues(service, 3) },
  async (user, service) => {
    const me = await knowsMe(user);
    await user.presses('a', 'return');
    await user.sees(offering('Assigned E01 in web to you and acknowledged it'));
    await user.sees(/> ACK .*E01/);
    expect(assignee(service, 1)).toBe(me);
    await user.presses('u');
    await user.sees(receiptOf.undo('assigned E01 in web to you'));
    await user.sees(/> OPN .*E01/);
    expect(assignee(service, 1)).toBeNull();
    expect(stateOf(service, 1)).toBe('OPEN');
  },
);

/** The current user is returned on the second read, seconds later; everything else at once. */
const hesitates = (service: Simulator) => {
  hasIssues(service, 3);
  service.refuses(429, { match: 'current-user.get', headers: { 'retry-after': '5' } });
};

story(
  '"assign to me" pressed before the current user is known runs once it is known',
  { before: hesitates },
  async (user, service, clock) => {
    await user.sees('E01');
    await user.presses('a', 'return');
    await user.sees('reading your user, then it is sent');
    expect(assignee(service, 1)).toBeNull();
    await clock.passes('8s');
    await user.sees(offering('Assigned E01 in web to you and acknowledged it'));
    expect(assignee(service, 1)).toBe(await knowsMe(user));
  },
);

story(
  'a name being typed stays when the current user becomes known, and no pending "assign to me" runs',
  {
    before(service) {
      hesitates(service);
      service.has('users', {
        id: issueId(900),
        attributes: { name: 'Zenobia Quark', email: 'zenobia@example.test' },
      });
    },
  },
  async (user, service, clock) => {
    await user.sees('E01');
    await user.presses('a', 'return');
    await user.sees('reading your user, then it is sent');
    await user.presses('/', 'zen');
    await user.sees('name: zen');
    await clock.passes('8s');
    await knowsMe(user);
    await user.sees(/> Zenobia Quark/);
    await user.sees('name: zen');
    await user.presses('return');
    await user.sees('Assigned E01 in web to Zenobia Quark');
    expect(service.received('PUT', '/assignee')).toHaveLength(1);
  },
);

story(
  'when the current user arrives, the open picker lists me first and keeps its selection',
  { before: hesitates },
  async (user, service, clock) => {
    await user.sees('E01');
    await user.presses('a');
    await user.sees(/> \S/);
    await user.presses('down');
    const before = (await user.line(/│ *> /)).trim();
    await clock.passes('8s');
    await user.sees('you');
    expect((await user.line(/│ *> /)).trim()).toBe(before);
    await user.presses('up', 'return');
    await user.sees('Assigned E01 in web to you');
    expect(assignee(service, 1)).toBe(await knowsMe(user));
  },
);

story(
  '"assign to me" says so when the service does not report the current user',
  { before: hesitates },
  async (user, service, clock) => {
    await user.sees('E01');
    await user.presses('a', 'return');
    await user.sees('reading your user, then it is sent');
    service.withdraws(['current-user.get']);
    await clock.passes('8s');
    await user.sees('Nothing was done: ');
    await user.sees('set your handle in the profile');
    expect(service.received('PUT')).toEqual([]);
  },
);

story(
  'typing searches people after a pause; recent assignees come first next time',
  {
    before(service) {
      hasIssues(service, 3);
      service.has('users', { id: issueId(900), name: 'Zenobia Quark', email: 'zenobia@example.test' });
    },
  },
  async (user, service, clock) => {
    await knowsMe(user);
    await user.presses('a');
    await user.sees('Assign E01 in web to');
    await user.sees(/> \S+ \S+ +you/);
    service.forgets();
    await user.presses('zen');
    expect(asked(service)).toEqual([]);
    await clock.passes(260);
    await user.sees(/> Zenobia Quark +zenobia@example\.test/);
    expect(asked(service)).toEqual(['zen']);
    await user.presses('return');
    await user.sees('Assigned E01 in web to Zenobia Quark');
    expect(assignee(service, 1)).toBe(issueId(900));

    await user.presses('ja');
    await user.sees(/Zenobia Quark +recent/);
    await user.presses('down', 'return');
    await user.sees('Assigned E02 in web to Zenobia Quark');
    // `.` repeats the assignment without a question.
    await user.presses('j.');
    await user.sees('Assigned E03 in web to Zenobia Quark');
    expect(assignee(service, 3)).toBe(issueId(900));
  },
);

story(
  'a late response to an earlier search does not replace that of the current one',
  {
    before(service) {
      hasIssues(service, 1);
      service.has('users', { id: issueId(900), name: 'Zenobia Quark', email: 'zenobia@example.test' });
      service.has('users', { id: issueId(901), name: 'Zen Master', email: 'master@example.test' });
    },
  },
  async (user, service, clock) => {
    await user.presses('a');
    await user.sees('Assign E01 in web to');
    service.delays(300, 'users.list');
    await user.presses('zen');
    await clock.passes(260);
    service.delays(0);
    await user.presses('o');
    await clock.passes(260);
    await user.sees(/> Zenobia Quark/);
    await user.neverSees('Zen Master');
    await user.settles();
    await user.neverSees('Zen Master');
    await user.presses('backspace');
    await clock.passes(260);
    await user.sees('Zen Master');
    await user.sees('Zenobia Quark');
  },
);

story(
  'a search without results, closed with Esc, changes nothing',
  { before: (service) => hasIssues(service, 1) },
  async (user, service, clock) => {
    await user.presses('a', 'xyzzy');
    await clock.passes(260);
    await user.sees('No match');
    service.forgets();
    await user.presses('return');
    await user.sees('No match');
    await user.presses('esc');
    await user.sees(/Issues 1\b/);
    await user.loses('No match');
    expect(service.received('PUT')).toEqual([]);
  },
);

story(
  'unassigning removes the assignee; u restores assignee and state',
  { before: (service) => hasIssues(service, 1) },
  async (user, service) => {
    const me = await knowsMe(user);
    await user.presses('X');
    await user.sees('Unassign: not assigned');
    await user.presses('a', 'return');
    await user.sees('to you');
    await user.presses('X');
    await user.sees('Unassigned E01 in web, was you');
    expect(assignee(service, 1)).toBeNull();
    expect(stateOf(service, 1)).toBe('ACKNOWLEDGED');
    await user.presses('u');
    await user.sees(receiptOf.undo('unassigned'));
    expect(assignee(service, 1)).toBe(me);
    expect(stateOf(service, 1)).toBe('ACKNOWLEDGED');
  },
);

for (const status of [404, 405] as const)
  story(
    `after one refusal (${status}), unassign is reported as not offered`,
    { before: (service) => hasIssues(service, 1) },
    async (user, service) => {
      await knowsMe(user);
      await user.presses('a', 'return');
      await user.sees('to you');
      service.withdraws(['issues.unassign'], status);
      await user.presses('X');
      await user.sees('this deployment cannot unassign');
      expect(service.received('DELETE')).toHaveLength(1);
      await user.presses('X');
      await user.sees('this deployment cannot unassign issues');
      await user.presses('x');
      await user.sees(/X +unassign +this deployment cannot unassign/);
      expect(service.received('DELETE')).toHaveLength(1);
      expect(assignee(service, 1)).not.toBeNull();
    },
  );
