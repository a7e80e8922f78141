import { expect, test } from 'vitest';
import { kinds } from '../bench/kinds.ts';
import { openDashboard, settlesPaused, unpolled } from '../bench/measured-program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const staysWithin = (columns: number, rows: number) => async () => {
  const program = await openDashboard([columns, rows], temporaryFolder(), 150, unpolled());
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
  }
};

test('at 80x24 no key takes many more bytes than its change of the screen, and nothing blinks', staysWithin(80, 24));
test('at 120x40 the same', { tags: ['long'] }, staysWithin(120, 40));
