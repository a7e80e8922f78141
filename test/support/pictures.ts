import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { offering } from './offering.ts';
import { type Moment, moment, movingPicture, picture } from './picture.ts';
import { openTerminal, type Pty } from './terminal.ts';

/**
 * `npm run pictures`: the pictures of docs/ from real runs of the built dashboard on the demo organization; names of pictures
 * behind `--` draw these alone.
 */
interface Scene {
  readonly name: string;
  readonly columns: number;
  readonly rows: number;
  readonly flags: readonly string[];
  /** Presses keys. What it shows on the way becomes a moving picture; without any the screen is drawn as it is then. */
  play(pty: Pty, shows: (caption: string, seconds: number) => void): Promise<void>;
}

/** A window over the limit, far from the cursor. */
const long =
  'avg(last_8d):( sum:checkout.requests.errors{env:prod,service:checkout-api,!host:canary-1} by {host}.as_count() / ' +
  'sum:checkout.requests.total{env:prod,service:checkout-api,!host:canary-1} by {host}.as_count() ) * 100 > 5';

const at = (
  name: string,
  columns: number,
  rows: number,
  play: Scene['play'],
  flags: readonly string[] = [],
): Scene => ({
  name,
  columns,
  rows,
  flags,
  play,
});

async function presses(pty: Pty, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    pty.presses(key);
    await pty.settles(400);
  }
}

async function home(pty: Pty): Promise<void> {
  await pty.sees(/Needs me \d/);
  await pty.settles(1500);
}

async function issues(pty: Pty): Promise<void> {
  pty.presses('1');
  await pty.sees(/1-\d+\/100/);
  await presses(pty, ['j', ' ', 'j', 'j']);
}

async function monitors(pty: Pty): Promise<void> {
  pty.presses('2');
  await pty.sees(/1-\d+\/340/);
  await presses(pty, ['j', 'm']);
}

async function detail(pty: Pty): Promise<void> {
  pty.presses('2');
  await pty.sees(/1-\d+\/340/);
  await presses(pty, ['j', '\r']);
  await pty.settles(1000);
}

async function query(pty: Pty): Promise<void> {
  pty.presses('2');
  await pty.sees(/1-\d+\/340/);
  pty.presses('n');
  await pty.sees('metric against a threshold');
  await presses(pty, ['\r', '\t', '\u0015', `\u001B[200~${long}\u001B[201~`]);
  await pty.sees('over the 1w limit');
  await pty.settles(300);
}

/** A screen, and the keys after its first row was read. */
const screen = (key: string, ...keys: readonly string[]): Scene['play'] =>
  async function turned(pty) {
    pty.presses(key);
    await pty.sees(/\d-\d+\/\d/);
    await pty.settles(700);
    await presses(pty, keys);
    await pty.settles(700);
  };

/** Two edits, and the journal of them. */
async function journal(pty: Pty): Promise<void> {
  await screen('2')(pty, () => {});
  for (const keys of ['m1', 'jm4']) {
    pty.presses(keys);
    await pty.sees(offering(/✓ Muted .*/));
    await pty.settles(900);
  }
  await presses(pty, ['H']);
}

/** A mute and what comes of it: keys, what is said of them, and what the screen shows then. */
const tour: Scene['play'] = async (pty, shows) => {
  await home(pty);
  shows('0  what alerts, what ends next, what needs you', 3);
  await screen('2', 'j')(pty, shows);
  shows('2  monitors, what alerts first', 2);
  await presses(pty, ['m']);
  shows('m  how long? and what the mute would hit', 3);
  pty.presses('1');
  await pty.sees(offering(/✓ Muted .*/));
  await pty.settles(500);
  shows('1  for one hour: what the service did', 2.5);
  await presses(pty, ['u']);
  await pty.settles(1000);
  shows('u  take it back', 2.5);
  await presses(pty, ['f']);
  await pty.settles(1500);
  shows('f  everything about the service of this row', 3.5);
};

const light = ['--theme', 'light'];
/** What a terminal sends for Return and Tab. */
const [enter, tab] = ['\r', '\t'];

const scenes: readonly Scene[] = [
  at('tour', 100, 28, tour),
  at('home', 120, 40, home),
  at('home-small', 80, 24, home),
  at('home-wide', 200, 50, home),
  at('home-light', 120, 40, home, ['--theme', 'light']),
  at('issues', 120, 40, issues),
  at('issues-small', 80, 24, issues),
  at('issues-wide', 200, 50, issues),
  at('monitors', 120, 40, monitors),
  at('monitors-small', 80, 24, monitors),
  at('monitors-light', 120, 40, monitors, ['--theme', 'light']),
  at('detail', 120, 40, detail),
  at('service', 120, 40, screen('2', 'f')),
  at('service-small', 80, 24, screen('1', 'f')),
  at('query', 120, 40, query),
  at('home-least', 60, 20, home),
  at('issues-low', 100, 20, issues),
  at('issues-light', 120, 40, screen('1', 'x'), light),
  at('issue', 80, 24, screen('1', enter)),
  at('assign', 80, 24, screen('1', 'a')),
  at('search', 120, 40, screen('1', 's')),
  at('monitors-wide', 160, 30, screen('2', 'j')),
  at('filter', 80, 24, screen('2', '/', 'error prod')),
  at('mute', 80, 24, screen('2', 'j', 'm')),
  at('mutes', 120, 40, screen('2', tab)),
  at('hygiene', 120, 40, screen('2', tab, tab)),
  at('confirm', 80, 24, screen('1', 'E')),
  at('delete', 80, 24, screen('2', 'd')),
  at('keys', 120, 40, screen('3')),
  at('roles', 120, 40, screen('4')),
  at('mappings', 80, 24, screen('5')),
  at('integrations', 120, 40, screen('6')),
  at('tables', 120, 40, screen('7')),
  at('retention', 80, 24, screen('8')),
  at('archives', 120, 40, screen('9')),
  at('archive-form', 120, 40, screen('9', 'n')),
  at('help', 120, 40, screen('2', '?')),
  at('palette', 80, 24, screen('2', ':')),
  at('journal', 120, 40, journal),
  at('profile', 80, 24, screen('0', 'P', 'n')),
  at('high-contrast', 120, 40, screen('2', 'j'), ['--theme', 'high-contrast']),
  at('mono', 80, 24, screen('2', 'j'), ['--theme', 'mono']),
];

await mkdir('docs', { recursive: true });
const named = process.argv.slice(2);
for (const { name, columns, rows, flags, play } of scenes) {
  if (named.length > 0 && !named.includes(name)) continue;
  const place = mkdtempSync(join(tmpdir(), 'orgdeck-pictures-'));
  const pty = openTerminal({
    command: process.execPath,
    args: ['dist/orgdeck.js', '--demo', ...flags],
    columns,
    rows,
    hasWideEmoji: true,
    env: { ORGDECK_CONFIG_DIR: place, TZ: 'UTC' },
  });
  try {
    await pty.sees('demo');
    const moments: Moment[] = [];
    await play(pty, (caption, seconds) => void moments.push(moment(pty, columns, rows, caption, seconds)));
    const isLight = flags.includes('light');
    const drawing = moments.length > 0 ? movingPicture(moments, columns, rows) : picture(pty, columns, rows, isLight);
    await writeFile(`docs/${name}.svg`, drawing);
    process.stdout.write(`docs/${name}.svg\n`);
  } finally {
    await pty.close();
    rmSync(place, { recursive: true, force: true });
  }
}
