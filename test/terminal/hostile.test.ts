import { execFileSync } from 'node:child_process';
import { expect, type TestContext, test } from 'vitest';
import { foreignBytes, tailsOf } from '../support/hostile.ts';
import { eventsOf, hostile } from '../support/hostile-organisation.ts';
import { createWalk, placesOf } from '../support/hostile-walk.ts';
import { isMissing } from '../support/ssh-server.ts';
import { openTerminal } from '../support/terminal.ts';

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

const onScreens =
  ({ columns, rows, many, walked, paged, wanted }: OnScreens) =>
  ({ expect }: TestContext) =>
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
        const output = pty.outputSince(checked.to);
        checked.to = pty.mark();
        expect(foreignBytes(Buffer.from(output))).toEqual([]);
        expect(await eventsOf(output, columns, rows)).toEqual([]);
      };
      try {
        await pty.sees('<h');
        const walk = createWalk(pty, expect);
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

test(
  'no text of the service drives the terminal from a screen, and none loses its tail',
  onScreens({ columns: 120, rows: 40, many: 200, walked: '', paged: '2', wanted: 101 }),
);

const whole = { columns: 200, rows: 50, many: 1000 };

test.concurrent(
  'on every screen, in every detail, form, picker, question and receipt: the same',
  { tags: ['long', 'faults'], timeout: 480_000 },
  onScreens({ ...whole, walked: '1234567890', paged: '', wanted: 0 }),
);

test.concurrent(
  '100,000 hostile texts in the rows of every screen: the same',
  { tags: ['long', 'faults'], timeout: 840_000 },
  onScreens({ ...whole, walked: '', paged: '1234567890', wanted: 100_000 }),
);

test.skipIf(isMissing('tmux'))(
  'tmux, too, neither rings, nor gets a title or a clipboard from a text of the service',
  { tags: ['long', 'faults'], timeout: 240_000 },
  () =>
    hostile(500, async ({ env, args }) => {
      const socket = `orgdeck-hostile-${process.pid}`;
      const tmux = (...words: readonly string[]) =>
        execFileSync('tmux', ['-L', socket, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
      const options = [
        'set-clipboard on',
        'allow-passthrough on',
        'allow-rename on',
        'automatic-rename off',
        'monitor-bell on',
      ];
      const settings = options.flatMap((option) => ['set', '-g', ...option.split(' '), ';']);
      const program = [process.execPath, ...args, '--screen', 'issues'];
      const pty = openTerminal({
        command: 'tmux',
        args: ['-L', socket, '-f', '/dev/null', ...settings, 'new-session', '-n', 'window', ...program],
        env,
        columns: 120,
        rows: 41,
        hasWideEmoji: true,
      });
      try {
        await pty.sees('<h');
        const facts = () => tmux('display', '-p', '#{window_name}|#{pane_title}|#{window_bell_flag}|#{pane_in_mode}');
        const before = facts();
        const walk = createWalk(pty, expect);
        for (const place of placesOf('1234567890')) await walk.throughRows(place);
        await walk.throughLayers();
        expect(walk.seen()).toBeGreaterThan(3000);
        expect(tailsOf(tmux('capture-pane', '-p').split('\n'))).toMatchObject({ lost: [] });
        expect(facts()).toBe(before);
        expect(before).toMatch(/^window\|/);
        expect(tmux('list-buffers')).toBe('');
      } finally {
        await pty.close();
        tmux('kill-server');
      }
    }),
);
