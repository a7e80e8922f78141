import { expect } from 'vitest';
import { foreignBytes } from './hostile.ts';
import { eventsOf, hostile } from './hostile-organization.ts';
import { createWalk, placesOf } from './hostile-walk.ts';
import { openTerminal } from './terminal.ts';

interface OnScreens {
  readonly columns: number;
  readonly rows: number;
  /** Rows of each kind. */
  readonly many: number;
  /** Keys of the screens that are walked through, and of those whose rows are paged through until `wanted` texts were seen. */
  readonly walked: string;
  readonly paged: string;
  readonly wanted: number;
}

/** Walks through a dashboard whose every text is hostile: no byte may be foreign, nothing may happen besides drawing, and no text may lose its end. */
export const onScreens =
  ({ columns, rows, many, walked, paged, wanted }: OnScreens) =>
  () =>
    hostile(many, async ({ env, args }) => {
      const pty = openTerminal({
        command: process.execPath,
        args: [...args, '--screen', 'issues'],
        env,
        columns,
        rows,
        hasWideEmoji: true,
      });
      const checked = { to: 0 };
      /** What was written since the last look at it. */
      const looks = async () => {
        await pty.settles();
        const written = pty.outputSince(checked.to);
        // A frame may still be on its way, and end inside a sequence.
        const torn = /\u001B(?:\[[\d;?<>=]*)?$/.exec(written)?.[0].length ?? 0;
        const output = written.slice(0, written.length - torn);
        checked.to = pty.mark() - torn;
        expect(foreignBytes(Buffer.from(output))).toEqual([]);
        expect(await eventsOf(output, columns, rows)).toEqual([]);
      };
      try {
        await pty.sees('<h');
        const walk = createWalk(pty);
        for (const place of placesOf(walked)) {
          await walk.throughPlace(place);
          await looks();
        }
        await walk.throughLayers();
        while (walk.seen() < wanted) {
          const before = walk.seen();
          for (const place of placesOf(paged)) {
            await walk.throughRows(place);
            await looks();
          }
          expect(walk.seen(), pty.screen().join('\n')).toBeGreaterThan(before);
        }
        await looks();
      } finally {
        await pty.close();
      }
    });
