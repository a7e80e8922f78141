import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import headless from '@xterm/headless';
import { expect, test } from 'vitest';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { PROGRAM } from '../support/dashboard.ts';
import { put } from '../support/fixtures/put.ts';
import { createHostileTexts, foreignBytes, tailsOf, withHostileTexts } from '../support/hostile.ts';
import { createWalk, placesOf } from '../support/hostile-walk.ts';
import { isMissing } from '../support/ssh-server.ts';
import { openTerminal } from '../support/terminal.ts';

/** Where a dashboard or a command meets an organisation in which every free text of every answer is a hostile one. */
interface Place {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Kinds of which an organisation has more rows than its seed. */
const kinds = ['users', 'roles', 'api_keys', 'application_keys', 'authn_mappings', 'apm_retention_filter'];

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
  for (const kind of kinds)
    for (let row = 0; row < rows; row += 1) put(service.world, kind, { name: `${kind} ${row}` }, service.now());
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
        const output = pty.outputSince(checked.to);
        checked.to = pty.mark();
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

test(
  'no text of the service drives the terminal from a screen, and none loses its tail',
  onScreens({ columns: 120, rows: 40, many: 200, walked: '', paged: '2', wanted: 101 }),
);

test(
  '100,000 hostile texts on every screen: the same',
  { tags: ['long', 'faults'], timeout: 840_000 },
  onScreens({ columns: 200, rows: 50, many: 1000, walked: '1234567890', paged: '1234567890', wanted: 100_000 }),
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
