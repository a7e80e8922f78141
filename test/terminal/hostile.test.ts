import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { tailsOf } from '../support/hostile.ts';
import { hostile } from '../support/hostile-organization.ts';
import { onScreens } from '../support/hostile-screens.ts';
import { createWalk, placesOf } from '../support/hostile-walk.ts';
import { isMissing } from '../support/ssh-server.ts';
import { openTerminal } from '../support/terminal.ts';

test(
  'no text of the service drives the terminal from a screen, and none loses its tail',
  onScreens({ columns: 120, rows: 40, many: 200, walked: '', paged: '2', wanted: 101 }),
);

test(
  'on every screen, in every detail, form, picker, question and receipt: the same',
  { tags: ['long', 'faults'], timeout: 480_000 },
  onScreens({ columns: 200, rows: 50, many: 1000, walked: '1234567890', paged: '', wanted: 0 }),
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
        const walk = createWalk(pty);
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
