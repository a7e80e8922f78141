import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFrameWriter } from '../../src/terminal/frame/frame-writer.ts';
import { repeatsIn } from '../../src/terminal/frame/row-diff.ts';
import { isMissing } from '../support/ssh-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTerminal } from '../support/terminal.ts';

const [columns, rows] = [60, 8];
const esc = '\u001B';
const last = [
  `╭${'─'.repeat(58)}╮`,
  `│${' '.repeat(58)}│`,
  `│ ${'-'.repeat(40)} ${'='.repeat(15)} │`,
  `│ ${esc}[1m${'#'.repeat(12)}${esc}[22m${'#'.repeat(12)} ${esc}[41m${' '.repeat(20)}${esc}[49m            │`,
  `│ 漢漢漢漢漢漢 ${'e\u0301'.repeat(12)}${'.'.repeat(31)} │`,
  'x'.repeat(60),
  `╰${'─'.repeat(58)}╯`,
];
const frames = [last.toReversed(), last.map((line) => line.replaceAll('-', '=')), ['', ...last], last];

test.skipIf(isMissing('tmux'))(
  'tmux repeats what is known of it by its variables, and draws frames right',
  async () => {
    const home = temporaryFolder();
    const socket = `orgdeck-repeats-${process.pid}`;
    const tmux = (...words: readonly string[]) => execFileSync('tmux', ['-L', socket, ...words], { encoding: 'utf8' });
    const draw = join(home, 'draw.sh');
    const bytes = join(home, 'bytes');
    writeFileSync(draw, `printf '%s %s' "$TERM" "$TERM_PROGRAM"; read go; stty -echo; cat '${bytes}'; read go`);
    const pty = openTerminal({
      command: 'tmux',
      args: ['-L', socket, '-f', '/dev/null', 'set', '-g', 'status', 'off', ';', 'new-session', 'sh', draw],
      columns,
      rows,
    });
    try {
      await pty.sees(/^\S+ tmux/);
      const [TERM, TERM_PROGRAM] = (tmux('capture-pane', '-p').split('\n')[0] as string).split(' ');
      const repeats = repeatsIn({ TERM, TERM_PROGRAM });
      expect(repeats).toBe('ascii');
      const writer = createFrameWriter({ columns, rows }, repeats);
      const drawn = frames.map((lines) => writer.draw(lines.join('\n'))).join('');
      expect(drawn.split(/\u001B\[\d+b/).length).toBeGreaterThan(8);
      writeFileSync(bytes, drawn);
      pty.presses('\r');
      await pty.sees('╰');
      await pty.settles(200);
      const shown = tmux('capture-pane', '-p').split('\n');
      expect(shown.slice(0, last.length)).toEqual(last.map((line) => line.replaceAll(/\u001B\[\d+m/g, '').trimEnd()));
    } finally {
      await pty.close();
      tmux('kill-server');
    }
  },
);
