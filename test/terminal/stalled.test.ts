import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { isAlive, pidOf } from '../support/aftermath.ts';
import { onStage, PROGRAM, sevenIssues, statesIn } from '../support/dashboard.ts';

const folder = mkdtempSync(join(tmpdir(), 'orgdeck-stalled-'));
const measured = join(folder, 'bytes');
afterAll(() => rmSync(folder, { recursive: true }));

/** Bytes that the program uses and cannot free, as it says itself. */
async function usedBy(program: number): Promise<number> {
  rmSync(measured, { force: true });
  process.kill(program, 'SIGUSR2');
  await expect.poll(() => existsSync(measured) && readFileSync(measured, 'utf8')).toMatch(/^\d+$/);
  return Number(readFileSync(measured, 'utf8'));
}

/** Seconds that the reader stays away. */
const away = 60;

test(
  'a reader that stops for a minute: timers, edits and signals go on, memory grows by 5 MB at most',
  { tags: ['long', 'faults'], timeout: 240_000 },
  onStage(
    async ({ pty, service }) => {
      await pty.sees(/> .*TypeError/);
      const program = pidOf(pty, PROGRAM);
      // Every second key draws the whole screen.
      const keys = async (seconds: number) => {
        for (let step = 0; step < seconds * 20; step += 1) {
          pty.presses(step % 2 === 0 ? '\u000C' : step % 4 === 1 ? 'j' : 'k');
          await wait(50);
        }
      };
      await keys(20);
      const before = await usedBy(program);
      const requests = service.received().length;

      pty.reads(false);
      await keys(away / 2);
      pty.presses('A');
      await expect.poll(() => statesIn(service)).toContain('ACKNOWLEDGED');
      await keys(away / 2);
      expect((await usedBy(program)) - before).toBeLessThan(5 * 1024 * 1024);
      // Two readings in a minute at the least, and those of the edit.
      expect(service.received().length).toBeGreaterThan(requests + 3);

      // What it draws afterward is the state of now.
      pty.reads(true);
      await pty.sees('ACK');
      pty.reads(false);
      await keys(2);
      process.kill(program, 'SIGTERM');
      await expect.poll(() => isAlive(program), { timeout: 5000 }).toBe(false);
      pty.reads(true);
      // The watcher restores the screen of a terminal that took nothing, perhaps after the shell has written.
      await expect.poll(() => pty.outputSince(0)).toContain('ended 143');
    },
    {
      before(service) {
        sevenIssues(service);
        for (let at = 0; at < 60; at += 1)
          service.has('issue', {
            error_type: `Error${at}`,
            error_message: 'm'.repeat(150),
            total_count: at,
            state: 'OPEN',
          });
      },
      script: '"$@"; echo "ended $?"; read -r line',
      columns: 200,
      rows: 50,
      env: {
        NODE_OPTIONS: `--expose-gc --import=${new URL('../support/fail-on-signal.mjs', import.meta.url)}`,
        TEST_FAULT: 'measure',
        TEST_MEASURED: measured,
      },
    },
  ),
);
