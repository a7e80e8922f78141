import { expect } from 'vitest';
import { hasIssues, searches, stateOf } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { offering } from '../support/offering.ts';
import { receiptOf } from '../support/receipts.ts';
import { stories } from '../support/stories.ts';

const bare = { monitors: 0, issues: 0, columns: 80, rows: 24 } as const;
const story = stories(journey, bare);

story(
  'one key sets each state, u undoes it, and the receipt shows the state of the response',
  { before: (service) => hasIssues(service, 2) },
  async (user, service) => {
    await user.presses('s', 'tab', 'tab', 'tab', 'space', 'right', 'space', 'ctrl+s');
    await user.sees('state:any');
    await user.sees(/> OPN .*E01/);
    const steps = [
      ['A', 'issues.acknowledge', 'ACK', 'ACKNOWLEDGED'],
      ['r', 'issues.resolve', 'RES', 'RESOLVED'],
      ['i', 'issues.ignore', 'IGN', 'IGNORED'],
      ['O', 'issues.reopen', 'OPN', 'OPEN'],
    ] as const;
    for (const [key, action, short, state] of steps) {
      await user.presses(key);
      await user.sees(offering(`✓ ${receiptOf.state(action, 'E01 in web')}`));
      await user.sees(new RegExp(`> ${short} .*E01`));
      expect(stateOf(service, 1)).toBe(state);
    }
    await user.presses('u');
    await user.sees(receiptOf.undo('reopened E01 in web'));
    expect(stateOf(service, 1)).toBe('IGNORED');
    // The edit that was told last is undone at once, each one before it asks.
    for (const before of ['issues.ignore', 'issues.resolve', 'issues.acknowledge']) {
      await user.presses('u');
      await user.sees('Undo the last edit?');
      await user.presses('y');
      await user.sees(receiptOf.undo(receiptOf.state(before, 'E01 in web')));
    }
    expect(stateOf(service, 1)).toBe('OPEN');
    await user.presses('u');
    await user.sees('nothing to undo');
  },
);

story(
  'exclude asks for confirmation, and only y confirms',
  { before: (service) => hasIssues(service, 2) },
  async (user, service) => {
    for (const no of ['return', 'space', 'n', 'q', 'esc']) {
      await user.presses('E');
      await user.sees('Exclude E01 in web?');
      await user.sees('Stops collecting this error until its state is changed');
      await user.presses(no);
      await user.loses('[y] Yes');
    }
    expect(stateOf(service, 1)).toBe('OPEN');
    await user.presses('Ey');
    await user.sees(offering('Excluded E01 in web'));
    expect(stateOf(service, 1)).toBe('EXCLUDED');
    await user.presses('j');
    await user.sees(/Issues 1\b/);
  },
);

story(
  'four keys resolve five issues, and one u undoes all',
  { before: (service) => hasIssues(service, 7) },
  async (user, service) => {
    await user.presses('v4j');
    await user.sees('5 marked');
    await user.presses('r');
    await user.sees(offering('Resolved 5 issues'));
    await user.loses('marked');
    // The row under the cursor stays until the cursor leaves it.
    await user.presses('j');
    await user.sees(/Issues 2\b/);
    expect([1, 2, 3, 4, 5, 6].map((n) => stateOf(service, n))).toEqual([...Array(5).fill('RESOLVED'), 'OPEN']);
    await user.presses('u');
    await user.sees(receiptOf.undo('resolved 5 issues'));
    await user.sees(/Issues 7\b/);
    expect([1, 2, 3, 4, 5].map((n) => stateOf(service, n))).toEqual(Array(5).fill('OPEN'));
    expect(service.received('PUT')).toHaveLength(10);
  },
);

story(
  'two keys repeat the last action on the next row',
  { before: (service) => hasIssues(service, 3) },
  async (user, service) => {
    await user.presses('.');
    await user.sees('nothing to repeat');
    await user.presses('A');
    await user.sees(receiptOf.acknowledge('E01'));
    await user.presses('j.');
    await user.sees(offering(receiptOf.acknowledge('E02 in web')));
    expect(stateOf(service, 2)).toBe('ACKNOWLEDGED');
    expect(stateOf(service, 3)).toBe('OPEN');
  },
);

story(
  'undo asks before it overwrites a later change by another user',
  { before: (service) => hasIssues(service, 1) },
  async (user, service) => {
    await user.presses('A');
    await user.sees(receiptOf.acknowledge('E01'));
    await user.polls();
    const issue = [...service.org.issues.values()][0];
    if (issue) issue.state = 'IGNORED';
    await user.presses('s', 'tab', 'tab', 'tab', 'space', 'right', 'space', 'ctrl+s');
    await user.sees(/> IGN .*E01/);
    await user.presses('u');
    await user.sees('E01 in web changed since. Undo anyway?');
    await user.presses('return');
    await user.loses('Undo anyway?');
    expect(stateOf(service, 1)).toBe('IGNORED');
    await user.presses('u', 'y');
    await user.sees(receiptOf.undo(receiptOf.acknowledge('E01 in web')));
    expect(stateOf(service, 1)).toBe('OPEN');
  },
);

story(
  'a row shows its edit at once, marked as pending, then the state of the latest read',
  { before: (service) => hasIssues(service, 2) },
  async (user, service) => {
    service.delays(250, 'issues.set-state');
    await user.presses('A');
    await user.sees(/~> ACK .*E01/);
    await user.sees('sending 1');
    await user.sees(receiptOf.acknowledge('E01 in web'));
    await user.sees(/> ACK .*E01/);
    await expect.poll(() => user.session.now().view.read.asking).toBe(false);
    const before = searches(service).length;
    await user.polls();
    expect(searches(service).length).toBeGreaterThan(before);
    await user.sees(/> ACK .*E01/);
  },
);
