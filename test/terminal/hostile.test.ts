import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import headless from '@xterm/headless';
import { expect, test } from 'vitest';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { PROGRAM } from '../support/dashboard.ts';
import { createHostileTexts, foreignBytes, tailsOf, withHostileTexts } from '../support/hostile.ts';
import { isMissing } from '../support/ssh-server.ts';
import { openTerminal, type Pty } from '../support/terminal.ts';

/** Where a dashboard or a command meets an organisation in which every free text of every answer is a hostile one. */
interface Place {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

async function hostile(rows: number, story: (place: Place) => Promise<void>) {
  const texts = createHostileTexts(Number(process.env.TEST_SEED ?? 20_261_122));
  const service = createSimulator({
    seed: 7,
    monitors: rows,
    issues: 60,
    lively: false,
    rate: 0,
    intercept(incoming, _world, next) {
      const answer = next(incoming);
      return { ...answer, body: withHostileTexts(answer.body, texts) };
    },
  });
  const { url, apiKey, appKey } = await service.start();
  const folder = mkdtempSync(join(tmpdir(), 'orgdeck-hostile-'));
  // The program itself rings the bell.
  writeFileSync(join(folder, 'config.json'), '{"version":1,"notify":"off"}', { mode: 0o600 });
  const env = { ORGDECK_CONFIG_DIR: folder, ORGDECK_API_KEY: apiKey, ORGDECK_APP_KEY: appKey, TZ: 'UTC', PAGER: 'cat' };
  try {
    await story({ env, args: [PROGRAM, '--base-url', url] });
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a terminal emulator does at these bytes besides drawing. */
async function eventsOf(bytes: string, columns: number, rows: number): Promise<readonly string[]> {
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });
  const events: string[] = [];
  const notes = (what: string) => (data: unknown) => {
    events.push(`${what} ${JSON.stringify(data)}`);
    return false;
  };
  terminal.onBell(() => void events.push('bell'));
  terminal.onTitleChange(notes('title'));
  terminal.onData(notes('reply'));
  for (const code of [0, 1, 2, 4, 7, 9, 10, 12, 52, 104, 133, 777, 1337])
    terminal.parser.registerOscHandler(code, notes(`OSC ${code}`));
  for (const final of ['t', 'n', 'c', 'q', 'p'])
    terminal.parser.registerCsiHandler({ final }, (of) => notes(`CSI ${final}`)(of));
  for (const final of ['q', 'p', 'r', '|']) terminal.parser.registerDcsHandler({ final }, notes(`DCS ${final}`));
  // The frames set margins to scroll a window, and take them back.
  const margins = { last: '0' };
  terminal.parser.registerCsiHandler({ final: 'r' }, (of) => {
    margins.last = of.join(';');
    return false;
  });
  await new Promise<void>((done) => terminal.write(bytes, done));
  terminal.dispose();
  if (margins.last !== '0') events.push(`margins ${margins.last} are left`);
  return events;
}

/** Keys that go through the screens, their tabs, rows and layers; and how many texts the pages of the monitors show at least. */
interface Walk {
  readonly screens: string;
  readonly wanted: number;
}

/** Looks at each frame on the way; says how many hostile texts it has seen. */
async function walk(pty: Pty, { screens, wanted }: Walk): Promise<number> {
  const seen = new Set<number>();
  const presses = async (...keys: readonly string[]) => {
    for (const key of keys) {
      pty.presses(key);
      await pty.settles(60);
      // A large frame may still be on its way.
      await expect.poll(() => tailsOf(pty.screen()).lost, { timeout: 5000 }).toEqual([]);
      const found = tailsOf(pty.screen());
      for (const number of found.seen) seen.add(number);
    }
  };
  const esc = '\u001B';
  await pty.sees('<h');
  const home = Array<string>(5).fill(esc);
  for (const screen of screens) {
    await presses(
      screen,
      'j',
      '\r',
      ']',
      ']',
      ...home,
      screen,
      'm',
      ...home,
      screen,
      'e',
      ...home,
      screen,
      'Y',
      ...home,
    );
    await presses(screen, '\t', 'j', '\r', ']', ']', ...home, screen, '\t', '\t', 'j', '\r', ...home);
  }
  for (const layer of ['H', 'L', '?', '/h']) await presses(layer, ...home);
  while (seen.size < wanted) {
    // Leaving the screen and coming back reads the rows again.
    await presses(...home, '1', '2', 'g', 'g');
    const before = seen.size;
    for (let page = 0; page < 80; page += 1) await presses('\u001B[6~');
    expect(seen.size, pty.screen().join('\n')).toBeGreaterThan(before);
  }
  return seen.size;
}

const onScreens = (size: { readonly columns: number; readonly rows: number }, monitors: number, wanted: Walk) => () =>
  hostile(monitors, async ({ env, args }) => {
    const pty = openTerminal({
      command: process.execPath,
      args: [...args, '--screen', 'issues'],
      env,
      ...size,
      hasWideEmoji: true,
    });
    try {
      const seen = await walk(pty, wanted);
      const output = pty.outputSince(0);
      expect(foreignBytes(Buffer.from(output))).toEqual([]);
      expect(await eventsOf(output, size.columns, size.rows)).toEqual([]);
      // On a busy machine some frames pass before they are looked at.
      expect(seen).toBeGreaterThan(20);
    } finally {
      await pty.close();
    }
  });

test(
  'no text of the service drives the terminal from a screen, and none loses its tail',
  onScreens({ columns: 120, rows: 40 }, 60, { screens: '2', wanted: 0 }),
);

test(
  '3,000 hostile texts on every screen: the same',
  { tags: ['long', 'faults'], timeout: 480_000 },
  onScreens({ columns: 200, rows: 50 }, 3000, { screens: '1234567890', wanted: 3000 }),
);

const lists = [
  ...['home', 'issues', 'monitors', 'mutes', 'keys-own', 'keys-org', 'api-keys', 'api-keys-v1', 'people', 'roles'],
  ...['permissions', 'role-templates', 'mappings', 'integrations', 'tables', 'retention', 'archives'],
];
const formats = ['table', 'wide', 'json', 'jsonl', 'yaml', 'csv', 'tsv'];
const others = [
  'call users.list',
  'call monitors.get --monitor_id 1',
  'call monitors.list',
  'issues get nobody',
  'monitors mute nobody --for 1h --yes',
  'info',
  'doctor',
  'journal',
  'undo --dry-run',
];

/** Runs command lines one after the other in one terminal, wide enough that tables cut little. */
const inCommands = (monitors: number, wanted: number, lines: readonly string[]) => () =>
  hostile(monitors, async ({ env, args }) => {
    const [columns, rows] = [400, 50];
    const script = `${lines.map((line) => `"$0" "$@" ${line} </dev/null`).join('\n')}\necho all of it is done`;
    const pty = openTerminal({
      command: '/bin/sh',
      args: ['-c', script, process.execPath, ...args],
      env,
      columns,
      rows,
      hasWideEmoji: true,
    });
    try {
      await pty.exited;
      await pty.settles();
      const output = pty.outputSince(0);
      expect(output).toContain('all of it is done');
      // The program itself writes tabs between the cells of tsv.
      expect(foreignBytes(Buffer.from(output.replaceAll('\t', ' ')))).toEqual([]);
      expect(await eventsOf(output, columns, rows)).toEqual([]);
      const { seen, lost } = tailsOf(output.split('\n'), 50);
      expect(lost.slice(0, 5)).toEqual([]);
      expect(new Set(seen).size).toBeGreaterThan(wanted);
    } finally {
      await pty.close();
    }
  });

test(
  'no text of the service drives the terminal from the output of a command, and none loses its tail',
  inCommands(60, 300, ['monitors list --output json', 'issues list', 'call monitors.get --monitor_id 1']),
);

test(
  '200,000 hostile texts in the output of every command: the same',
  { tags: ['long', 'faults'], timeout: 480_000 },
  inCommands(3000, 200_000, [
    ...lists.flatMap((list) => formats.map((format) => `${list} list --output ${format}`)),
    ...others,
  ]),
);

test.skipIf(isMissing('tmux'))(
  'tmux, too, neither rings, nor gets a title or a clipboard from a text of the service',
  { tags: ['long', 'faults'], timeout: 240_000 },
  () =>
    hostile(60, async ({ env, args }) => {
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
        await walk(pty, { screens: '1234567890', wanted: 0 });
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
