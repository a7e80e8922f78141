import { expect, test } from 'vitest';
import { hasIssues, issueId, stateOf } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { hasDisk, hasMute, hour, silences } from '../support/monitors.ts';
import { offering } from '../support/offering.ts';
import type { User } from '../support/person.ts';
import { receiptOf } from '../support/receipts.ts';
import { untilSent } from '../support/sent.ts';
import type { Simulator } from '../support/simulator.ts';

// The undo of an unmute makes a new mute: one that is sent twice leaves two.
const muted = {
  ...{ columns: 100, rows: 24, monitors: 0 },
  before: (service: Simulator) => {
    hasDisk(service, { id: 77 });
    hasMute(service, '77', '*', 2 * hour);
  },
} as const;
const unmuted = {
  ...{ columns: 100, rows: 24, monitors: 0 },
  before: (service: Simulator) => {
    hasDisk(service, { id: 77 });
    service.has('api_keys', { name: 'pager bridge' });
  },
} as const;
const two = {
  ...{ columns: 100, rows: 24, monitors: 0, issues: 0 },
  before: (service: Simulator) => hasIssues(service, 2),
} as const;

test(
  'what u has undone is not undone again in the journal',
  journey(async (user, service) => {
    await user.opens('monitors');
    await user.presses('M');
    await user.sees(offering(`✓ ${receiptOf.unmute('Disk')}`));
    await user.presses('u');
    await user.sees(`✓ ${receiptOf.undo(receiptOf.unmute('Disk'))}`);
    await user.presses('H', 'tab', 'tab');
    await user.sees(/applied +undid: unmuted Disk/);
    await user.presses('j', 'u');
    await user.sees('no undo recorded');
    expect(silences(service, '77')).toHaveLength(1);
  }, muted),
);

test(
  'what the journal has undone is not undone again by u; pressed twice, it is undone once',
  journey(async (user, service) => {
    await user.opens('monitors');
    await user.presses('M');
    await user.sees(offering(`✓ ${receiptOf.unmute('Disk')}`));
    await user.presses('H', 'tab', 'tab');
    await user.sees(/> .*unmuted Disk/);
    service.delays(2_000, 'monitors.mute');
    await user.presses('u', 'y');
    await user.sees('sending 1');
    await user.presses('u', 'y');
    await user.sees(/Still being sent: .*unmuted Disk/);
    await user.sees(receiptOf.undo(receiptOf.unmute('Disk')));
    await user.loses('sending 1');
    await user.presses('q', 'u');
    await user.sees('nothing to undo');
    expect(silences(service, '77')).toHaveLength(1);
  }, muted),
);

test(
  'the journal undoes nothing that somebody has changed since',
  journey(async (user, service) => {
    await user.presses('r');
    await user.sees(offering(receiptOf.resolve('E01 in web')));
    const issue = service.org.issues.get(issueId(1));
    if (issue) issue.state = 'IGNORED';
    await user.presses('H', 'tab', 'tab');
    await user.sees(/> .*resolved E01 in web/);
    await user.presses('u', 'y');
    await user.sees('Not undone, someone has changed it since');
    expect(stateOf(service, 1)).toBe('IGNORED');
  }, two),
);

async function resolvesBothAndUndoesOne(user: User): Promise<void> {
  await user.presses('r');
  await user.sees(offering(receiptOf.resolve('E01 in web')));
  await user.presses('j', 'r');
  await user.sees(offering(receiptOf.resolve('E02 in web')));
  await user.presses('u');
  await user.sees(offering(receiptOf.undo(receiptOf.resolve('E02 in web')), 'redo'));
}

test(
  'u asks after a redo that was only asked about, and after an edit that failed',
  journey(async (user, service) => {
    await resolvesBothAndUndoesOne(user);
    await user.opens('monitors');
    await user.presses('ctrl+y');
    await user.sees('Redo the last edit on Issues?');
    await user.presses('esc');
    await user.opens('issues');
    await user.presses('u');
    await user.sees('Undo the last edit?');
    await user.presses('y');
    await user.sees(receiptOf.undo(receiptOf.resolve('E01 in web')));
    await user.presses('r');
    await user.sees(offering(receiptOf.resolve('E02 in web')));
    service.refuses(403, { times: 1, match: 'issues.set-state' });
    await user.presses('k', 'r');
    await user.sees('403');
    await user.presses('u');
    await user.sees('Undo the last edit?');
    expect([stateOf(service, 1), stateOf(service, 2)]).toEqual(['OPEN', 'RESOLVED']);
  }, two),
);

test(
  'u after an edit without a way back says so, and asks before it undoes the one before it',
  journey(async (user, service, clock) => {
    await user.opens('monitors');
    await user.presses('m', '1');
    await user.sees(`✓ ${receiptOf.mute('Disk')}`);
    await clock.passes(1000);
    await user.opens('keys');
    await user.presses(']', ']');
    await user.sees(/● live.*API keys \[?\d/s);
    await user.presses('/', 'pager bridge', 'return', 'd', 'pager bridge', 'return');
    await user.sees('✓ Deleted API key pager bridge');
    await user.presses('u');
    await user.sees(/The last edit cannot be undone: deleted API key pager bridge/);
    await user.sees(
      new RegExp(
        `Enter: undo the one before it \\(${receiptOf.clause(receiptOf.mute('Disk'))} \\d\\d:\\d\\d UTC\\) · Esc`,
      ),
    );
    expect(silences(service, '77')).toHaveLength(1);
    await user.presses('esc', 'u');
    await user.sees('The last edit cannot be undone');
    await user.presses('y');
    expect(silences(service, '77')).toHaveLength(1);
    await user.presses('return');
    await user.sees(receiptOf.undo(receiptOf.mute('Disk')));
    expect(silences(service, '77')).toHaveLength(0);
    await user.presses('u');
    await user.sees('Undo: the last edit cannot be undone: deleted API key pager bridge');
  }, unmuted),
);

async function resolvesAndCreatesKey(user: User): Promise<void> {
  await user.presses('r');
  await user.sees(offering(receiptOf.resolve('E01 in web')));
  await user.opens('keys');
  await user.presses(']', ']');
  await user.sees(/● live.*API keys \[?\d/s);
  await user.presses('n', 'deploy', 'ctrl+s', 'return');
  await user.sees('Secret of deploy');
  await user.presses('esc', 'esc');
  await user.sees(/>.? .*deploy/);
}

async function undoesTheOneBefore(user: User, service: Simulator): Promise<void> {
  await user.sees(/Enter: undo the one before it \(resolved E01 in web/i);
  await user.presses('return');
  await user.sees(receiptOf.undo(receiptOf.resolve('E01 in web')));
  expect(stateOf(service, 1)).toBe('OPEN');
}

test(
  'an undo that is refused for certain makes way: it is named with its reason, and the edit before it is asked for',
  journey(async (user, service) => {
    await resolvesAndCreatesKey(user);
    const [made] = [...service.org.apiKeys].find(([, { name }]) => name === 'deploy') ?? [''];
    service.org.apiKeys.delete(made);
    await user.presses('u');
    await user.sees(/Undo failed: /);
    await user.presses('u');
    await user.sees(/cannot be undone: created API key deploy/);
    await undoesTheOneBefore(user, service);
  }, two),
);

test(
  'the undo of what was deleted since is not offered: it is named with the reason',
  journey(async (user, service) => {
    await resolvesAndCreatesKey(user);
    await user.presses('d', 'deploy', 'return');
    await user.sees('✓ Deleted API key deploy');
    await user.presses('u');
    await user.sees(/cannot be undone: deleted API key deploy/);
    await user.sees(/Created API key deploy.* \(deploy was deleted since\): cannot be undone either/s);
    await undoesTheOneBefore(user, service);
  }, two),
);

test(
  'an undo that the service cannot do now keeps its place',
  journey(async (user, service, clock) => {
    await user.presses('r');
    await user.sees(offering(receiptOf.resolve('E01 in web')));
    service.refuses(429, { times: 50, match: 'issues.set-state' });
    clock.stops();
    await user.presses('u');
    await user.sees('sending 1');
    await untilSent(user, clock, '4s');
    await user.sees('Undo failed');
    service.recovers();
    await user.presses('u');
    await untilSent(user, clock);
    await user.sees(receiptOf.undo(receiptOf.resolve('E01 in web')));
    expect(stateOf(service, 1)).toBe('OPEN');
  }, two),
);

test(
  'u after a restart asks about the last edit of the run before, and names who made it, when and where',
  journey(
    async (user) => {
      await user.presses('r');
      await user.sees(offering(receiptOf.resolve('E01 in web')));
    },
    {
      ...two,
      async restarted(user, service) {
        await user.opens('keys');
        await user.presses('u');
        await user.sees(/Undo what a dashboard did at \d\d:\d\d UTC on Issues\?/);
        await user.sees('Resolved E01 in web');
        expect(stateOf(service, 1)).toBe('RESOLVED');
        await user.presses('y');
        await user.sees('Undone: resolved E01 in web');
        expect(stateOf(service, 1)).toBe('OPEN');
        await user.presses('u');
        await user.sees('Undo: nothing to undo');
      },
    },
  ),
);

test(
  'nothing is undone before an edit whose outcome is unknown is checked',
  journey(async (user, service, clock) => {
    await user.presses('A');
    await user.sees(offering(receiptOf.acknowledge('E01 in web')));
    service.appliesThenFails(20, { match: 'issues.set-state', status: 0 });
    service.refuses(500, { times: 200, match: 'issues.get' });
    clock.stops();
    await user.presses('j', 'r');
    await user.sees('sending 1');
    await untilSent(user, clock, '4s');
    await user.sees('Resolve: outcome unknown');
    service.recovers();
    await user.presses('u');
    await user.sees('The outcome of an edit is unknown: resolve E02 in web.');
    await user.sees('Enter: check it');
    expect(stateOf(service, 1)).toBe('ACKNOWLEDGED');
    await user.presses('return');
    await user.sees(/E02 in web: it was applied.* H/);
    await user.presses('u');
    await user.sees('cannot be undone: resolved E02 in web');
    await user.sees(/Enter: undo the one before it \(.*E01 in web/i);
  }, two),
);
