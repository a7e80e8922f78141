import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kinds } from '../bench/kinds.ts';
import { openDashboard, settlesPaused, unpolled } from '../bench/measured-program.ts';

test.concurrent.each([
  [80, 24],
  [120, 40],
] as const)(
  'at %ix%i no key takes many more bytes than its change of the screen, and nothing blinks',
  async (...size) => {
    const home = mkdtempSync(join(tmpdir(), 'orgdeck-bytes-'));
    const program = await openDashboard(size, home, 150, unpolled());
    try {
      await settlesPaused(program);
      for (const kind of kinds) {
        const { judged } = await program.rounds(kind, 1, 0);
        const sum = (of: 'bytes' | 'fewest' | 'blink') => judged.reduce((all, answer) => all + answer[of], 0);
        expect(sum('fewest'), kind.what).toBeGreaterThan(0);
        expect(sum('bytes') / sum('fewest'), kind.what).toBeLessThanOrEqual(kind.budget);
        expect(sum('blink'), kind.what).toBe(0);
      }
    } finally {
      await program.close();
      rmSync(home, { recursive: true });
    }
  },
);
