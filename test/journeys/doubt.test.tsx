import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { call } from '../../src/api/endpoint.ts';
import { setIssueState } from '../../src/api/error-tracking.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { keyHints } from '../../src/session/state/state-changes.ts';
import { hasIssues, issueId, knowsMe, searches, stateOf } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { offering } from '../support/offering.ts';
import { receiptOf } from '../support/receipts.ts';
import { untilSent } from '../support/sent.ts';
import { stories } from '../support/stories.ts';

const bare = { monitors: 0, issues: 0, columns: 100, rows: 24 } as const;
const two = { ...bare, before: (service: Parameters<typeof hasIssues>[0]) => hasIssues(service, 2) };
const story = stories(journey, two);

const stateBody = (state: string) => ({
  data: { id: issueId(1), type: 'error_tracking_issue' as const, attributes: { state } },
});

/** An open edit of an earlier run: `state` of the first issue, from OPEN. */
const left = (state: string) => async (journal: Journal) => {
  const body = stateBody(state);
  const target = { id: issueId(1), name: 'E01 in web' };
  await journal.intent(call(setIssueState, { issue_id: issueId(1), body }), {
    action: 'issues.resolve',
    target,
    before: { id: issueId(1), state: 'OPEN' },
  });
  // Rewrites the entry as one of a process that no longer runs.
  const text = readFileSync(journal.path, 'utf8');
  writeFileSync(journal.path, text.replace(/"pid":\d+,"began":"[^"]*"/, '"pid":999999999,"began":"long ago"'));
};

story(
  'an edit that was applied despite an error response is reported as done after a read-back',
  async (user, service, clock) => {
    service.appliesThenFails(1, { match: 'issues.set-state' });
    clock.stops();
    await user.presses('r');
    await user.sees('sending 1');
    await untilSent(user, clock);
    await user.sees(offering(receiptOf.resolve('E01 in web')));
    expect(stateOf(service, 1)).toBe('RESOLVED');
    expect(service.received('PUT')).toHaveLength(1);
  },
);

story('u does not undo the edit before the one that is still being sent', async (user, service, clock) => {
  await user.presses('r');
  await user.sees(offering(receiptOf.resolve('E01 in web')));
  service.refuses(503, { times: 3, match: 'issues.set-state' });
  clock.stops();
  await user.presses('j', 'r');
  await user.sees('sending 1');
  await user.presses('u');
  await user.sees('the last edit is still being sent: u undoes it when it has been applied');
  expect([stateOf(service, 1), stateOf(service, 2)]).toEqual(['RESOLVED', 'OPEN']);
  await untilSent(user, clock);
  await user.sees(offering(receiptOf.resolve('E02 in web')));
  await user.presses('u');
  await user.sees(offering(receiptOf.undo(receiptOf.resolve('E02 in web')), 'redo'));
  expect([stateOf(service, 1), stateOf(service, 2)]).toEqual(['RESOLVED', 'OPEN']);
  // While the next undo is being sent, Ctrl-Y does not repeat the one before it.
  service.refuses(503, { times: 3, match: 'issues.set-state' });
  await user.presses('u');
  await user.sees('Undo the last edit?');
  await user.presses('y');
  await user.sees('sending 1');
  await user.presses('ctrl+y');
  await user.sees('nothing to redo');
  await untilSent(user, clock);
  await user.sees(offering(receiptOf.undo(receiptOf.resolve('E01 in web')), 'redo'));
  expect([stateOf(service, 1), stateOf(service, 2)]).toEqual(['OPEN', 'OPEN']);
});

story(
  'an edit whose outcome stays unclear is reported as unknown, and its row shows what was read',
  async (user, service, clock) => {
    await knowsMe(user);
    service.appliesThenFails(20, { match: 'issues.assign', status: 0 });
    service.refuses(500, { times: 200, match: 'issues.get' });
    clock.stops();
    await user.presses('a', 'return');
    await user.sees('sending 1');
    await user.presses('H');
    await user.sees('assign E01 in web · being sent');
    await user.neverSees('may have happened');
    await user.presses('q');
    await untilSent(user, clock, '4s');
    await user.sees('Assign: outcome unknown');
    await user.loses('sending 1');
    service.recovers();
    await user.presses('H', 'tab', 'tab');
    await user.sees(/unknown +assign E01 in web/);
    await user.presses('q', 'ctrl+r');
    await user.sees(/> ACK .*E01/);
  },
);

story(
  'an edit in doubt is not repeated when another user has changed the row, and a message says so',
  async (user, service, clock) => {
    service.refuses(503, { match: 'issues.set-state' });
    clock.stops();
    await user.presses('r');
    await user.sees('sending 1');
    const issue = service.org.issues.get(issueId(1));
    if (issue) issue.state = 'IGNORED';
    await untilSent(user, clock);
    await user.sees('another user has changed it since');
    expect(stateOf(service, 1)).toBe('IGNORED');
    expect(service.received('PUT')).toHaveLength(1);
  },
);

story('the journal lists edits with their outcomes, undoes one, and copies a report', async (user, service) => {
  await user.presses('H', 'tab', 'tab');
  await user.sees('No edits yet');
  await user.presses('q', 'A');
  await user.sees(receiptOf.acknowledge('E01'));
  service.refuses(403, { match: 'issues.set-state' });
  await user.presses('j', 'r');
  await user.sees(keyHints.messages);
  await user.presses('H', 'tab', 'tab');
  await user.sees(/> \S+ +refused +resolve E02 in web/);
  await user.sees(/\d\d:\d\d:\d\d +applied +acknowledged E01 in web/);
  await user.presses('u');
  await user.sees('no undo recorded');
  await user.presses('j', 'u');
  await user.sees('Undo: acknowledged E01 in web?');
  await user.presses('y');
  await user.sees(receiptOf.undo(receiptOf.acknowledge('E01 in web')));
  expect(stateOf(service, 1)).toBe('OPEN');
  await user.presses('[', '[', 'y');
  await user.sees('Copied the handover');
  expect(user.copied[0]).toContain('E01 in web');
  await user.presses('q');
  await user.sees(/> OPN .*E02/);
});

test(
  'the start offers an edit that an earlier run left open; re-check finds that it was applied',
  journey(
    async (user, service) => {
      await user.sees('Edits of an earlier run without an outcome');
      await user.sees(/open +resolve E01 in web/);
      await user.presses('x', 'c');
      await user.sees('E01 in web: it was applied');
      await user.sees('Every edit has an outcome');
      expect(service.received('PUT')).toEqual([]);
      await user.presses('q', 'H', 'tab', 'tab');
      await user.sees(/applied +resolved E01 in web/);
    },
    {
      ...bare,
      earlier: left('RESOLVED'),
      before(service) {
        hasIssues(service, 2, { state: 'RESOLVED' });
      },
    },
  ),
);

story(
  're-check finds that an open edit was not applied, and repeats it',
  { earlier: left('RESOLVED') },
  async (user, service) => {
    await user.sees('Edits of an earlier run without an outcome');
    await user.presses('x', 'c');
    await user.sees('it was not applied. x: retry or dismiss it');
    await user.sees(/refused +resolve E01 in web +not applied, as a later read showed/);
    const open = await user.journal.openEdits();
    expect(open.ok && open.value).toEqual([]);
    await user.presses('x', 'r');
    await user.sees('E01 in web: sent again');
    await user.sees('Every edit has an outcome');
    expect(stateOf(service, 1)).toBe('RESOLVED');
    expect(service.received('PUT')).toHaveLength(1);
    await user.presses('q');
    await user.sees(/Issues \d/);
  },
);

story('an open edit that is dismissed is not offered again', { earlier: left('RESOLVED') }, async (user, service) => {
  await user.sees('Edits of an earlier run without an outcome');
  await user.presses('x', 'f');
  await user.sees('Dismissed E01 in web');
  await user.presses('q');
  const open = await user.journal.openEdits();
  expect(open.ok && open.value).toEqual([]);
  expect(service.received('PUT')).toEqual([]);
});

story(
  'after a sleep, rows are marked stale and edits wait until the rows are read again',
  async (user, service, clock) => {
    await user.sees('● live');
    const before = searches(service).length;
    service.delays(200, 'issues.search');
    clock.sleeps('8h');
    const issue = service.org.issues.get(issueId(1));
    if (issue) issue.state = 'RESOLVED';
    await user.presses('r');
    await user.sees('The rows are from before the sleep');
    await user.sees(/○ stale 8h/);
    expect(service.received('PUT')).toEqual([]);
    await user.sees('● live');
    expect(searches(service).length).toBe(before + 1);
    await user.presses('j');
    await user.loses('E01');
    await user.presses('r');
    await user.sees(receiptOf.resolve('E02 in web'));
  },
);

story(
  'a journal that other users can open is refused: the start says so, and H says why',
  {
    async earlier(journal) {
      await left('RESOLVED')(journal);
      chmodSync(journal.path, 0o644);
    },
  },
  async (user) => {
    await user.sees('✗ Edits without an outcome could not be listed: the journal');
    await user.presses('H');
    await user.sees(/can be opened by others \(mode 0644\)/);
    await user.sees('chmod 600');
  },
);
