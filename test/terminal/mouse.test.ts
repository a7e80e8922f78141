import { expect, test } from 'vitest';
import { onStage, sevenIssues } from '../support/dashboard.ts';

/** What a terminal sends in mode 1006 for a press of the left button at a cell, counted from 0. */
const click = (column: number, row: number) => `\u001B[<0;${column + 1};${row + 1}M\u001B[<0;${column + 1};${row + 1}m`;
const wheelDown = '\u001B[<65;10;10M';

test(
  'bytes of a mouse do nothing until it is turned on; then wheel, rows and screens act, and it is off again at the end',
  onStage(
    async ({ pty }) => {
      await pty.sees(/> .*TypeError/);
      const before = pty.screen().findIndex((line) => line.includes('> '));
      pty.presses(wheelDown + click(10, 5));
      await pty.settles(300);
      expect(pty.screen().findIndex((line) => line.includes('> '))).toBe(before);
      expect(pty.outputSince(0)).not.toContain('\u001B[?1000h');
      pty.presses(':mouse');
      await pty.sees(/> mouse/);
      pty.presses('\r');
      await pty.sees('Mouse on');
      expect(pty.outputSince(0)).toContain('\u001B[?1000h\u001B[?1006h');
      pty.presses(click(10, before + 2));
      await expect.poll(() => pty.screen().findIndex((line) => /^│.?> /.test(line))).toBe(before + 2);
      pty.presses(wheelDown);
      await expect.poll(() => pty.screen().findIndex((line) => /^│.?> /.test(line))).toBe(before + 5);
      const strip = pty.screen()[0] ?? '';
      pty.presses(click(strip.search(/ 4 /) + 1, 0));
      // Titles in the strip are shorter where it has counts.
      await pty.sees(/\[4 rol(es)?\]/);
      pty.presses('Q');
      await expect.poll(() => pty.outputSince(0).lastIndexOf('\u001B[?1000l')).toBeGreaterThan(0);
      const output = pty.outputSince(0);
      expect(output.lastIndexOf('\u001B[?1000l')).toBeGreaterThan(output.lastIndexOf('\u001B[?1000h'));
      expect(output.lastIndexOf('\u001B[?1006l')).toBeGreaterThan(output.lastIndexOf('\u001B[?1006h'));
    },
    { before: sevenIssues },
  ),
);
