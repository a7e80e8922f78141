import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fewestBytes } from '../bench/fewest-bytes.ts';
import { createTerminalModel } from '../bench/terminal-model.ts';
import { hasIssue, hasIssues, searches } from '../support/issues.ts';
import { journey } from '../support/journey.tsx';
import { ages, hasSimple } from '../support/monitors.ts';
import { offering } from '../support/offering.ts';
import { stories } from '../support/stories.ts';

const bare = { monitors: 0, issues: 0, columns: 80, rows: 24 } as const;
const three = { ...bare, before: (service: Parameters<typeof hasIssues>[0]) => hasIssues(service, 3) };
const story = stories(journey, three);

story('every size from 60x16 shows the whole frame, whatever the size before', async (user) => {
  for (const [columns, rows] of [
    [60, 16],
    [200, 50],
    [100, 24],
    [80, 30],
    [140, 16],
    [80, 24],
  ] as const) {
    await user.resizes(columns, rows);
    await user.sees(/> OPN .*E01/);
    await user.sees(/\? help {2}q quit/);
    const lines = (await user.screen()).split('\n');
    expect(lines).toHaveLength(rows);
    expect(lines[0]).toContain(' test ▌DEV▐');
    expect(lines[1]).toContain('┌ Issues 3 ·');
    expect(lines.at(-1)).toMatch(/q quit/);
  }
});

story('a smaller terminal names the minimum size; q works, and enlarging restores the screen', async (user) => {
  await user.presses('/e0', 'return', 'j', 's');
  await user.sees('Query');
  await user.presses('words');
  await user.resizes(59, 24);
  await user.sees('needs 60x16, has 59x24');
  await user.resizes(80, 15);
  await user.sees('needs 60x16, has 80x15');
  await user.resizes(1, 1);
  await user.resizes(80, 24);
  await user.sees(/Query +\[ words/);
  await user.presses('esc', 'esc');
  await user.sees(/<\/e0> 3\b/);
  await user.resizes(40, 10);
  await user.sees(/needs 60x16, has 40x10: enlarge it, or\s+start with --plain/);
  await user.presses('q');
  expect(user.quit).toEqual([0]);
});

story('--ascii draws nothing but ASCII around the rows', { columns: 120, ascii: true }, async (user) => {
  await user.presses('?', 'q', 'return', ']', 'q', 'x', 'q', 'space');
  await user.sees('1 marked');
  expect(await user.screen()).toMatch(/^[\x20-\x7e\n]*$/);
});

story('without colors, cursor, marks and states are distinguishable', { noColor: true }, async (user) => {
  await user.presses('space');
  await user.sees(/│\* {2}OPN .*E01/);
  await user.sees(/│.> OPN .*E02/);
  expect(await user.colors()).toBe(0);
  await user.presses('E');
  await user.sees('Confirm');
  expect(await user.colors()).toBe(0);
});

story('the default theme uses colors', async (user) => {
  expect(await user.colors()).toBeGreaterThan(0);
});

const hostile = '\x1b[2J\x1b]52;c;ZXZpbA==\x07\x1b[31mRED\u202eevil\u200b\r\nnext\x9b5n 型👩‍👩‍👧';

test(
  'escape sequences in names do not reach the terminal: list, detail, receipts, questions, pickers',
  journey(
    async (user, service, clock) => {
      await user.sees(/Issues 2\b/);
      await user.presses('return');
      await user.sees('[Overview]');
      await user.presses(']');
      await user.sees('[Raw]');
      await user.presses('q', 'A');
      await user.sees(offering(''));
      await user.presses('E');
      await user.sees('[y] Yes');
      await user.presses('n', 'a', 'evil');
      await clock.passes(260);
      await user.sees('RED');
      await user.presses('esc', '/RED', 'return');
      await user.sees(/1 of 2\b/);
      await user.presses('H');
      await user.sees('Handover of');
      const frame = await user.screen();
      expect(frame.split('\n')).toHaveLength(24);
      expect(frame).not.toMatch(/[\u202e\u200b\x00-\x09\x0b-\x1f\x7f-\x9f]/);
      await user.presses('q');
      // Each control character becomes one visible mark; the rest is kept.
      await user.sees(/RED␦evil/);
      expect(user.quit).toEqual([]);
      expect(service.received('PUT')).toHaveLength(1);
    },
    {
      ...bare,
      columns: 120,
      before(service) {
        hasIssue(service, 1, { error_type: hostile, error_message: hostile, service: hostile, file_path: hostile });
        hasIssue(service, 2);
        service.has('users', { name: hostile, email: 'evil@example.test' });
      },
    },
  ),
);

test(
  'two polls without changes write no byte',
  journey(
    async (user, service, clock) => {
      await user.polls();
      const { length } = searches(service);
      const bytes = user.bytes();
      await user.polls();
      await user.polls();
      expect(searches(service).length).toBe(length + 2);
      expect(user.bytes()).toBe(bytes);
      // An age is drawn again only when its unit changes.
      await clock.passes('40m');
      await user.sees(/E01 .*\b4\dm/);
      expect(user.bytes()).toBeGreaterThan(bytes);
    },
    {
      ...bare,
      before(service) {
        for (const n of [1, 2, 3])
          hasIssue(service, n, { first_seen: service.now() - 7_200_000, last_seen: service.now() - 125_000 });
      },
    },
  ),
);

const kept = { directory: '' };
const keptAt = () => statSync(join(kept.directory, 'snapshot-test.json'), { throwIfNoEntry: false })?.mtimeMs;

// Whole frames are written by the writer that it is compared with.
test.skipIf(process.env.TEST_PLAIN_WRITER === '1')(
  'ten polls without changes of forty monitors write and keep nothing, one that changes two rows writes their cells',
  journey(
    async (user, service, clock) => {
      const reads = () => service.received('GET', '/monitor').length;
      await user.polls();
      await expect.poll(keptAt).toBeGreaterThan(0);
      const [firstKept, polled] = [keptAt(), reads()];
      const quiet = user.output().length;
      for (let poll = 0; poll < 10; poll += 1) await user.polls();
      expect(reads()).toBeGreaterThanOrEqual(polled + 10);
      expect(user.output().slice(quiet)).toBe('');

      // Rows keep their places while keys come.
      await user.presses('j', 'k');
      await user.settles();
      const mark = user.output().length;
      const model = createTerminalModel(120, 40);
      await model.take(user.output());
      const before = model.screen();
      service.turns('101', 'Alert');
      service.turns('119', 'Warn');
      await user.polls();
      await user.sees(/ALERT 1 · WARN 1/);
      const bytes = user.output().slice(mark);
      // What changes on the way and ends as it was.
      expect(await model.take(bytes)).toBe(0);
      expect(Buffer.byteLength(bytes) / fewestBytes(before, model.screen(), 'none')).toBeLessThanOrEqual(1.15);
      const after = model.screen().cells;
      const lines = (await user.screen()).split('\n');
      const changed = lines.filter((_, y) => JSON.stringify(after[y]) !== JSON.stringify(before.cells[y]));
      expect(changed).toHaveLength(5);
      for (const [at, text] of [
        '2 monitors 1!',
        'Monitors 40 · ALERT 1',
        'Queue 0 ',
        'Queue 18 ',
        '│ ALERT ',
      ].entries())
        expect(changed[at]).toContain(text);
      model.dispose();

      await clock.passes('11m');
      await expect.poll(keptAt).toBeGreaterThan(firstKept ?? 0);
      const lastKept = keptAt();
      await clock.passes('22m');
      expect(keptAt()).toBe(lastKept);
    },
    {
      ...bare,
      columns: 120,
      rows: 40,
      screen: 'monitors',
      leaves: async (directory) => void Object.assign(kept, { directory }),
      before(service) {
        for (let n = 0; n < 40; n += 1)
          hasSimple(service, `Queue ${n}`, { id: String(101 + n), groups: { '*': 'OK' } });
        ages(service);
      },
    },
  ),
);

story('a paused dashboard sends no polls and says so', async (user, service, clock) => {
  await user.presses(':', 'pause', 'return');
  await user.sees('Polling paused · :pause resumes');
  await user.sees('‖ paused');
  const { length } = searches(service);
  await clock.passes('2m');
  expect(searches(service).length).toBe(length);
  await user.presses(':', 'pause', 'return');
  await user.sees('● live');
  expect(searches(service).length).toBe(length + 1);
});

story('a hidden screen is not polled', async (user, service, clock) => {
  await user.presses('2');
  await user.sees(/Monitors \d/);
  const { length } = searches(service);
  await clock.passes('2m');
  expect(searches(service).length).toBe(length);
  await user.presses('1');
  await user.sees(/Issues 3\b/);
  await user.sees('● live');
  expect(searches(service).length).toBe(length + 1);
});

test(
  'the row under the cursor stays on screen at every size, with the preview below, right and off',
  journey(
    async (user) => {
      await user.opens('monitors');
      await user.presses(...'jjjjjjjjjjjjjjjjjjjj');
      const chosen = user.session.now().view.cursor;
      for (const [columns, rows] of [
        [200, 50],
        [60, 16],
        [160, 30],
        [80, 24],
        [120, 40],
        [60, 20],
      ] as const) {
        await user.resizes(columns, rows);
        for (const _ of ['below', 'right', 'off']) {
          await user.presses('p');
          await user.sees(/│.> \S/);
          expect(user.session.now().view.cursor).toBe(chosen);
        }
      }
    },
    { columns: 200, rows: 50, monitors: 40 },
  ),
);

test(
  'p moves the preview of this list from the right to nowhere to below; another list keeps its own',
  journey(
    async (user) => {
      await user.opens('monitors');
      const { room } = user.session.now().view;
      expect([room.previewWidth, room.previewRows]).toEqual([70, 0]);
      await user.presses('p');
      expect(user.session.now().view.room).toMatchObject({ previewWidth: 0, previewRows: 0, listWidth: 200 });
      await user.presses('p');
      expect(user.session.now().view.room).toMatchObject({ previewWidth: 0, previewRows: 20 });
      await user.opens('issues');
      expect(user.session.now().view.room.previewWidth).toBe(50);
    },
    { columns: 200, rows: 50 },
  ),
);

test(
  'a panel takes lines that the preview does not need before rows of a short list, and then rows of both',
  journey(
    async (user) => {
      const listed = async () => (await user.screen()).match(/│.{3}OPN /g)?.length;
      await user.opens('issues');
      await user.presses('E');
      await user.sees('[y] Yes');
      expect(await listed()).toBe(9);
      await user.sees('unassigned');
      await user.resizes(120, 30);
      expect(await listed()).toBe(9);
      await user.resizes(80, 30);
      await user.presses('n', 'a');
      await user.sees('type to filter');
      expect(await listed()).toBe(6);
      await user.presses('esc');
      await user.resizes(80, 26);
      await user.presses('E');
      await user.sees('[y] Yes');
      expect(await listed()).toBe(9);
    },
    { ...bare, columns: 120, rows: 40, before: (service) => hasIssues(service, 9) },
  ),
);
