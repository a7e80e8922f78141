import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { journey } from '../support/journey.tsx';
import { receiptOf } from '../support/receipts.ts';
import { filterNamed, hasFilters } from '../support/retention.ts';
import { stories } from '../support/stories.ts';

const mine = { columns: 100, rows: 24, monitors: 0, issues: 0, before: hasFilters } as const;
const story = stories(journey, mine);

story('a form that was closed keeps its draft; the foot says so, and the next one offers it', async (user) => {
  await user.opens('retention');
  await user.presses('n', 'slow spans', 'esc');
  await user.sees('Esc again closes, the draft is kept');
  await user.presses('esc');
  await user.loses('slow spans');
  await user.presses('n');
  await user.sees(/│ Draft of \d\d:\d\d UTC, \d+s old: Enter continues it, n starts over · [A-Z]/);
  // Typing does nothing yet, so no field has the cursor.
  await user.neverSees('> Name');
  await user.presses('return');
  await user.sees('> Name');
  await user.sees('slow spans');
  await user.sees(/draft saved \d\d:\d\d UTC/);
  await user.presses('esc', 'esc', 'n', 'n');
  await user.loses('slow spans');
  await user.presses('esc', 'n');
  await user.neverSees('Draft of');
});

story('a draft that cannot be written is not called saved, and quitting says so', async (user, _, clock) => {
  await user.opens('retention');
  // Where a file cannot be replaced, as on a full disk.
  const file = join(dirname(user.journal.path), 'state-test.json');
  rmSync(file, { force: true });
  mkdirSync(file);
  await user.presses('n', 'slow spans');
  await clock.passes('1s');
  await user.sees(/✗ Drafts, views and the note: .*state-test\.json/);
  await user.sees('draft not on the disk');
  await user.presses('esc', 'esc', 'Q');
  await user.sees('Drafts are not on the disk. Press again to quit anyway');
  rmdirSync(file);
  await user.presses('n', 'return', 'x');
  await clock.passes('1s');
  await user.sees(/draft saved \d\d:\d\d UTC/);
});

story('the draft of a form that was sent is gone', async (user, service) => {
  await user.opens('retention');
  await user.presses('j', 'e', 'tab', 'tab', 'ctrl+u', '0.25', 'ctrl+s');
  await user.sees('Review changes');
  await user.presses('return');
  await user.sees(`✓ ${receiptOf.save('checkout')}`);
  expect(filterNamed(service, 'checkout')).toMatchObject({ rate: 0.25 });
  await user.presses('e');
  await user.sees('Edit retention filter checkout');
  await user.neverSees('Draft of');
});

const kept = { mode: 0, directory: '' };
const written = () => readdirSync(kept.directory).filter((name) => /^state-.*json$/.test(name));
const leaves = async (directory: string) => {
  kept.directory = directory;
};

story(
  'a form that was cut off in the middle is offered after a restart, over what others changed meanwhile',
  {
    leaves,
    async restarted(user) {
      expect(kept.mode).toBe(0o600);
      await user.opens('retention');
      await user.presses('e');
      await user.sees('Draft of');
      await user.presses('return');
      await user.sees('checkout-v2');
      await user.presses('ctrl+s');
      await user.sees('+ checkout-v2');
      await user.neverSees('0.5');
    },
  },
  async (user, service, clock) => {
    await user.opens('retention');
    await user.presses('j', 'e', 'end', '-v2');
    await user.sees('checkout-v2');
    await clock.passes(1100);
    await expect.poll(written).toHaveLength(1);
    const [file = ''] = written();
    await expect.poll(() => readFileSync(join(kept.directory, file), 'utf8')).toContain('checkout-v2');
    kept.mode = statSync(join(kept.directory, file)).mode & 0o777;
    const filter = filterNamed(service, 'checkout');
    if (filter) Object.assign(filter, { rate: 0.75 });
  },
);

story('quitting names an order that is not saved, and quits at the second key', async (user) => {
  await user.opens('retention');
  await user.presses('J', 'Q');
  await user.sees(/Unsaved order of .* \(Ctrl-S saves it\)\. Press again to quit/);
  expect(user.quit).toEqual([]);
  // The question is over once a person has done something else.
  await user.presses('n', 'esc', 'ctrl+c');
  await user.sees(/Unsaved order of .* Ctrl-C again to quit/);
  expect(user.quit).toEqual([]);
  await user.presses('ctrl+c');
  expect(user.quit).toEqual([130]);
});

test(
  'a secret is in no draft, and the question before leaving names it',
  journey(
    async (user, _, clock) => {
      await user.opens('integrations');
      await user.presses('n', 'tenant-draft', 'tab', 'client-draft', 'tab', 'tab', 'very-secret-text', 'esc');
      await user.sees(/Esc again closes, loses .*secret.*; the rest is kept as a draft/);
      await clock.passes(1100);
      await expect.poll(written).toHaveLength(1);
      const [file = ''] = written();
      await expect.poll(() => readFileSync(join(kept.directory, file), 'utf8')).toContain('draft');
      expect(readFileSync(join(kept.directory, file), 'utf8')).not.toContain('very-secret-text');
      await user.presses('ctrl+c');
      await user.sees(/Not saved in a draft: .*secret/);
      expect(user.quit).toEqual([]);
    },
    { columns: 120, rows: 30, monitors: 0, issues: 0, leaves },
  ),
);
