import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { hasIssue, issueId, stateOf } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { hasDisk } from '../support/monitors.ts';
import { receiptOf } from '../support/receipts.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

/** Where the session keeps its files, once it has begun. */
const files = { directory: '' };
const setting = {
  columns: 120,
  rows: 40,
  monitors: 0,
  issues: 0,
  before: (service: Simulator) => {
    hasIssue(service, 1);
    hasIssue(service, 2);
    hasDisk(service, { id: 77, name: 'Disk [prod]' });
  },
  leaves: async (directory: string) => {
    files.directory = directory;
  },
} as const;
const story = stories(journey, setting);

story(
  'the handover is seen before it is copied or saved: mutes as they are now, issues, what is open, undone pairs folded',
  async (user) => {
    await user.presses('A');
    await user.sees(receiptOf.acknowledge('E01'));
    await user.presses('j', 'r');
    await user.sees(receiptOf.resolve('E02'));
    await user.presses('u');
    await user.sees(/undid|undone/i);
    await user.opens('monitors');
    await user.presses('m', '4');
    await user.sees(`✓ ${receiptOf.mute('Disk [prod]')}`);
    await user.presses('H');
    await user.sees('Handover of test');
    await user.sees('muted Disk [prod]');
    await user.sees(/Open, not assigned {2}1 +>?E02 in web \(/);
    expect(user.copied).toEqual([]);
    await user.presses('y');
    await user.sees('Copied the handover');
    const report = user.copied.at(-1) ?? '';
    expect(report).toMatch(
      /^- \d\d:\d\d muted \*\*Disk \\\[prod\\\]\*\* · now ALERT, muted \(all groups\) until \d\d:\d\d \S+$/m,
    );
    expect(report).toMatch(/^- \d\d:\d\d acknowledged \*\*E01 in web\*\* · now ACKNOWLEDGED, unassigned$/m);
    expect(report).toMatch(/^## Done and undone\n\n- E02 in web: \d\d:\d\d resolved$/m);
    expect(report).toMatch(/^## Open, not assigned \(1\)\n\n- \*\*E02 in web\*\* \(\d+ errors\)$/m);
    await user.presses('ctrl+s');
    await user.sees('saved as');
    const name = readdirSync(files.directory).find((file) => file.startsWith('handover-test-')) ?? '';
    expect(readFileSync(join(files.directory, name), 'utf8')).toBe(`${report}\n`);
    expect(statSync(join(files.directory, name)).mode & 0o777).toBe(0o600);
  },
);

story(
  'the shift is chosen; Enter on an entry opens its row; an entry with a way back is undone',
  { pollMs: 300_000 },
  async (user, service, clock) => {
    await user.presses('A');
    await user.sees(receiptOf.acknowledge('E01'));
    clock.sleeps('9h');
    await user.presses('2', 'H');
    await user.sees('Handover of test');
    await user.neverSees('acknowledged ');
    await user.presses('T');
    await user.sees('last week');
    await user.presses('2');
    await user.sees('acknowledged E01 in web');
    await user.sees('· last 12h ·');
    await user.presses('G', 'return');
    await user.settles();
    expect(user.session.now().view).toMatchObject({ screen: { id: 'issues' }, detail: { row: { id: issueId(1) } } });
    await user.presses('H', 'T', '2', 'G', 'u');
    await user.sees('Undo: acknowledged E01 in web?');
    await user.presses('y');
    await user.sees(receiptOf.undo(receiptOf.acknowledge('E01 in web')));
    expect(stateOf(service, 1)).toBe('OPEN');
  },
);

story(
  'the shift begins at a typed moment: what it means is shown with the zone, a bad one is explained, Esc keeps the old',
  { pollMs: 300_000 },
  async (user, _, clock) => {
    await user.presses('A');
    await user.sees(receiptOf.acknowledge('E01'));
    clock.sleeps('9h');
    await user.presses('H', 'T', 't', ...'tomorrow 9:00');
    await user.presses('return');
    await user.sees('that is not in the past: type 22:00, yesterday 22:00 or 6h');
    await user.presses('esc');
    await user.sees('· last 8h ·');
    await user.presses('T', 't', ...'since 10h');
    await user.sees(/since \d\d:\d\d UTC(?:[+-]\d+)?(?: yesterday)?, 10h ago/);
    await user.presses('return');
    await user.sees(/Handover of test · \d{4}/);
    await user.sees('acknowledged E01 in web');
    await user.presses('T', '1');
    await user.sees('· last 8h ·');
    await user.neverSees('acknowledged E01 in web');
  },
);

story(
  'keys typed before the handover is read do not reach the list behind it; Tab shows the timeline, and Shift-Tab leads back',
  async (user) => {
    await user.sends('Hy');
    await user.sees('Handover of test');
    expect(user.copied).toEqual([]);
    await user.presses('tab');
    await user.sees('Nothing has happened yet');
    await user.presses('tab');
    await user.sees('No edits yet');
    await user.presses('shift+tab', 'shift+tab');
    await user.sees(/Open, not assigned {2}2 +E01 in web/);
  },
);
