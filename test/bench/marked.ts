import { join } from 'node:path';
import { longestBlock, probed } from './blocks.ts';
import { startLargeOrganization } from './large-organization.ts';
import { openDashboard, settlesPaused, unpolled } from './measured-program.ts';
import { quantile } from './quantile.ts';

/** A key while all rows are marked. */
export interface MarkedKey {
  readonly what: string;
  /** The longest stretch without a pause that it takes, CPU time of the main thread: of the first press, and of the middle one of the others. */
  readonly firstMs: number;
  readonly laterMs: number;
  /** From the key to the last byte, the middle one of all. */
  readonly answerMs: number;
}

interface MarkedKind {
  readonly what: string;
  /** Keys before it, and those that lead back, each pressed alone and not counted. */
  readonly before?: readonly string[];
  readonly key: string;
  readonly back: readonly string[];
  /** After a refused key the next ones are ignored for half a second. */
  readonly restMs?: number;
}

const esc = '\u001b';
const presses = 5;

/** Every key that looks at marked rows; the bar of the mute first, which nothing has prepared. */
const kinds: readonly MarkedKind[] = [
  { what: 'the bar of a mute', key: 'm', back: [esc] },
  { what: 'its length, which asks', before: ['m'], key: 'h', back: [esc, esc] },
  { what: 'a digit of the answer', before: ['m', 'h'], key: '1', back: [esc, esc] },
  { what: 'the reason of a mute', before: ['m'], key: 'r', back: [esc, esc] },
  { what: 'another end', before: ['m'], key: 't', back: [esc, esc] },
  { what: 'the end of a mute', key: 'M', back: [esc] },
  { what: 'a longer mute', key: '+', back: [esc] },
  { what: 'a length in it, which asks', before: ['+'], key: 'h', back: [esc, esc] },
  { what: 'edit, refused', key: 'e', back: [], restMs: 700 },
  { what: 'all actions', key: 'x', back: [esc] },
  { what: 'a move', key: 'j', back: ['k'] },
  { what: 'half a page', key: '\u0004', back: ['\u0015'] },
  { what: 'the end', key: 'G', back: ['g'] },
  { what: 'no mark, mark', key: ' ', back: ['k', ' ', 'k'] },
  { what: 'a range', key: 'v', back: [esc, '*'] },
  { what: 'mark all', before: [esc], key: '*', back: [] },
  { what: 'clear marks', key: esc, back: ['*'] },
  { what: 'watch', key: 'w', back: ['w'] },
  { what: 'copy the ids', key: 'y', back: [] },
  { what: 'copies, refused', key: 'Y', back: [], restMs: 700 },
  { what: 'links', key: 'o', back: [esc] },
  { what: 'the service', key: 'f', back: [esc] },
  { what: 'a filter', key: '/', back: [esc] },
  { what: 'a letter of a filter', before: ['/'], key: 'k', back: [esc] },
  { what: 'the orders', key: 'S', back: [esc] },
  { what: 'the palette', key: ':', back: [esc] },
  { what: 'a letter in it', before: [':'], key: 'm', back: [esc] },
  { what: 'the help', key: '?', back: [esc] },
  { what: 'open, close', key: '\r', back: ['q'] },
  { what: 'another screen', key: '4', back: ['2'] },
];

/** All keys of a list of so many thousand monitors, all of them marked. */
export async function measureMarked(thousands: number, home: string): Promise<readonly MarkedKey[]> {
  const organization = await startLargeOrganization(thousands, 'no text twice');
  const blocks = join(home, 'blocks-marked');
  const { url, apiKey, appKey } = organization;
  const large = {
    args: ['--base-url', url],
    env: { ORGDECK_API_KEY: apiKey, ORGDECK_APP_KEY: appKey, ...probed(blocks) },
    shows: new RegExp(`1-\\d+/${thousands}000\\b`),
    within: 120_000,
  };
  const program = await openDashboard([120, 40], home, 60, unpolled(large));
  const all = `${thousands}000 marked`;
  /** Waits until a stretch that has ended is written. */
  const written = () => program.pty.settles(30);
  try {
    await settlesPaused(program);
    await program.press('*');
    const keys: MarkedKey[] = [];
    for (const { what, before = [], key, back, restMs = 0 } of kinds) {
      const stretches: number[] = [];
      const answers: number[] = [];
      for (let press = 0; press < presses; press += 1) {
        for (const first of before) await program.press(first);
        await written();
        const since = Date.now();
        answers.push((await program.press(key)).ms);
        await written();
        stretches.push(longestBlock(blocks, since, Date.now()));
        await program.pty.settles(restMs);
        for (const last of back) await program.press(last);
        if (!program.pty.screen().join(' ').includes(all)) await program.press('*');
      }
      const [firstMs = 0, ...later] = stretches;
      keys.push({ what, firstMs, laterMs: quantile(later, 0.5), answerMs: quantile(answers, 0.5) });
    }
    return keys;
  } finally {
    await program.close();
    await organization.stop();
  }
}
