import { expect, test } from 'vitest';
import { onStage, threeMonitors } from '../support/dashboard.ts';
import type { Pty } from '../support/terminal.ts';

/** Opens the form of a new metric monitor with the focus in its query. */
async function writes(pty: Pty) {
  await pty.sees('● live');
  pty.presses('2');
  await pty.sees('disk full');
  pty.presses('n');
  await pty.sees('Monitor type');
  pty.presses('\r');
  await pty.sees(/> Name/);
  pty.presses('\t');
  await pty.sees(/> Query/);
}

/** The underlined text of each row. */
const underlined = (pty: Pty): string =>
  pty
    .screen()
    .map((line, row) =>
      Array.from(line, (letter, column) => (pty.cell(column, row).isUnderlined ? letter : '')).join(''),
    )
    .filter((text) => text !== '')
    .join('\n');

test.each([{}, { NO_COLOR: '1' }])(
  'a query is typed, its fault is underlined, and the keys of terminals work: %j',
  (env) =>
    onStage(
      async ({ pty }) => {
        await writes(pty);
        pty.presses('\u0015avg(last_5m):avg:system.disk.in_use{*} > 90 zap');
        await pty.sees('zap is not expected here');
        expect(underlined(pty)).toBe('');
        pty.presses('\u001B[D');
        await expect.poll(() => underlined(pty), { timeout: 20_000 }).toBe('zap');
        pty.presses('\u001F');
        await pty.missesSoon('zap');
        expect(underlined(pty)).toBe('');
        pty.presses('\u001B\r');
        await pty.sees(/\[ avg\(last_5m\):avg:system\.disk\.in_use\{\*\} > 90 *\] *│\n│ +\[ +\]/m);
        pty.presses('\u0015\u0015\u0015avg(last_5m):av');
        await pty.sees(/> avg/);
        pty.presses('\u001B');
        await pty.missesSoon(/> avg/);
        pty.presses('\u0000');
        await pty.sees(/> avg/);
        pty.presses('\t');
        await pty.sees(/avg\(last_5m\):avg/);
        await pty.missesSoon(/> avg/);
      },
      { before: threeMonitors, env },
    )(),
);

test(
  'the editor gets the query only, and its result is one undo step',
  onStage(
    async ({ pty }) => {
      await writes(pty);
      pty.presses('\u0015avg(last_5m):avg:system.disk.in_use{*} > 90');
      await pty.sees('disk.in_use{*} > 90');
      pty.presses('\u0005');
      await pty.sees('disk.in_use{env:prod} > 90');
      pty.presses('\u001Bu');
      await pty.sees('disk.in_use{*} > 90');
    },
    { before: threeMonitors, env: { EDITOR: "sed -i 's/[*]/env:prod/'" } },
  ),
);
