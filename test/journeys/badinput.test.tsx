import { open } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openJournalFile } from '../../src/journal/journal-file.ts';
import { createTestClock } from '../support/clock.ts';
import { journey } from '../support/journey.tsx';
import { hasDisk, silences } from '../support/monitors.ts';
import { seated } from '../support/person.ts';
import { receiptOf } from '../support/receipts.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

const withDisk = {
  columns: 80,
  rows: 24,
  monitors: 0,
  before: (service: Simulator) => void hasDisk(service, { id: 77 }),
} as const;
const story = stories(journey, withDisk);
const edits = (service: Simulator) =>
  service.received().filter((call) => /mute|downtime/.test(call.path) && call.method !== 'GET');

story('an invalid mute duration shows an error, keeps the typed text and sends nothing', async (user, service) => {
  await user.opens('monitors');
  await user.presses('m', 't', '45', 'return');
  await user.sees('✗ 45 of what? type 45m, 45h or 45d');
  await user.sees('Duration, end time or windows: 45');
  expect(edits(service)).toEqual([]);
  await user.presses('ctrl+u', '45m', 'return');
  await user.sees(`✓ ${receiptOf.mute('Disk')}`);
  expect(edits(service)).toHaveLength(1);
});

test("when the journal's disk is full, an edit is not sent, a message says so, and the program continues", async () => {
  const disk = { full: true };
  await journey(
    async (user, service) => {
      await user.opens('monitors');
      await user.presses('m', '1');
      await user.sees(/✗ .* not sent:/);
      await user.presses('!', 'return');
      await user.sees(/the disk is full/);
      await user.sees(/Kind +unrecorded/);
      expect(edits(service)).toEqual([]);
      await user.presses('q', 'q');
      expect(await user.line(/^│.>/)).not.toMatch(/\d\d:\d\d/);
      await user.polls();
      await user.sees('● live');
      disk.full = false;
      await user.presses('.');
      await user.sees(`✓ ${receiptOf.mute('Disk')}`);
      expect(silences(service, '77')).toEqual(['* mute']);
    },
    { ...withDisk, openJournal: (path) => (disk.full ? open('/dev/full', 'r+') : openJournalFile(path)) },
  )();
});

test('when the base URL refuses connections, both screens name the address and what to check, and q works', async () => {
  const at = { url: 'http://127.0.0.1:9', apiKey: 'a'.repeat(32), appKey: 'b'.repeat(40) };
  await seated(
    at,
    createTestClock(),
    async (user) => {
      await user.sees('✗ offline');
      await user.sees('Not loaded: cannot connect to 127.0.0.1:9 (connection refused): is the');
      await user.presses('2');
      await user.sees('cannot connect to 127.0.0.1:9');
      await user.presses('m', '1', 'q', 'y');
      expect(user.quit).toEqual([0]);
    },
    { columns: 80, rows: 24 },
  );
});

story('a mistyped base URL is reported in the form before the keys are asked for, and the text stays', async (user) => {
  await user.presses('P', 'n', 'acme', 'tab', 'htps://api.acme.test', 'tab');
  await user.sees('htps://api.acme.test');
  await user.sees('"htps://", not with https://: type it as');
  await user.presses('shift+tab', 'ctrl+u', 'http://api.acme.test', 'tab');
  await user.sees('plain http');
  await user.presses('shift+tab', 'ctrl+u', 'https://api.acme.test', 'tab');
  await user.neverSees('plain http');
});
