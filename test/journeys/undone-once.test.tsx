import { expect, test } from 'vitest';
import { hasIssues, issueId, stateOf } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { hasDisk, hasMute, hour, silences } from '../support/monitors.ts';
import { offering } from '../support/offering.ts';
import { receiptOf } from '../support/receipts.ts';
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
    await user.presses('H', 'tab');
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
    await user.presses('H', 'tab');
    await user.sees(/> .*unmuted Disk/);
    service.delays(300, 'monitors.mute');
    await user.presses('u');
    await user.sees('sending 1');
    await user.presses('u');
    await user.sees(/Still being sent: .*unmuted Disk/);
    await user.sees(receiptOf.undo(receiptOf.unmute('Disk')));
    await user.loses('sending 1');
    await user.presses('q', 'u');
    await user.sees('Disk changed since. Undo anyway?');
    await user.presses('y');
    await user.sees('Nothing was sent, this was undone already: unmuted Disk');
    expect(silences(service, '77')).toHaveLength(1);
    await user.presses('u');
    await user.sees('nothing to undo');
  }, muted),
);

test(
  'the journal undoes nothing that somebody has changed since',
  journey(async (user, service) => {
    await user.presses('r');
    await user.sees(offering(receiptOf.resolve('E01 in web')));
    const issue = service.org.issues.get(issueId(1));
    if (issue) issue.state = 'IGNORED';
    await user.presses('H', 'tab');
    await user.sees(/> .*resolved E01 in web/);
    await user.presses('u');
    await user.sees('Not undone, someone has changed it since');
    expect(stateOf(service, 1)).toBe('IGNORED');
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
