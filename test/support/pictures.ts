import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { picture } from './picture.ts';
import { openTerminal, type Pty } from './terminal.ts';

/** `npm run pictures`: the README's pictures from a real run of the built dashboard on the demo organisation. */
interface Scene {
  readonly name: string;
  readonly columns: number;
  readonly rows: number;
  play(pty: Pty): Promise<void>;
}

/** A window over the limit, far from the cursor. */
const long =
  'avg(last_8d):( sum:checkout.requests.errors{env:prod,service:checkout-api,!host:canary-1} by {host}.as_count() / ' +
  'sum:checkout.requests.total{env:prod,service:checkout-api,!host:canary-1} by {host}.as_count() ) * 100 > 5';

const scenes: readonly Scene[] = [
  {
    name: 'issues',
    columns: 120,
    rows: 40,
    async play(pty) {
      pty.presses('1');
      await pty.sees(/Issues .*\[\d+/);
      await pty.settles(400);
      for (const key of ['j', ' ', 'j', 'j']) {
        pty.presses(key);
        await pty.settles(120);
      }
    },
  },
  {
    name: 'monitors',
    columns: 120,
    rows: 40,
    async play(pty) {
      pty.presses('2');
      await pty.sees(/Monitors .*\[\d+/);
      await pty.settles(400);
      pty.presses('j');
      await pty.settles(120);
      pty.presses('m');
      await pty.settles(300);
    },
  },
  {
    name: 'query',
    columns: 80,
    rows: 24,
    async play(pty) {
      pty.presses('2');
      await pty.sees(/Monitors .*\[\d+/);
      pty.presses('n');
      await pty.sees('metric against a threshold');
      pty.presses('\r');
      await pty.sees('more options');
      await pty.settles(300);
      pty.presses('\t');
      pty.presses('\u0015');
      pty.presses(`\u001B[200~${long}\u001B[201~`);
      await pty.sees('over the 1w limit');
      await pty.settles(300);
    },
  },
  {
    name: 'small',
    columns: 80,
    rows: 24,
    async play(pty) {
      pty.presses('1');
      await pty.sees(/Issues .*\[\d+/);
      await pty.settles(400);
    },
  },
];

await mkdir('docs', { recursive: true });
for (const { name, columns, rows, play } of scenes) {
  const place = mkdtempSync(join(tmpdir(), 'orgdeck-pictures-'));
  const pty = openTerminal({
    command: process.execPath,
    args: ['dist/orgdeck.js', '--demo'],
    columns,
    rows,
    env: { ORGDECK_CONFIG_DIR: place, TZ: 'UTC' },
  });
  try {
    await pty.sees('demo');
    await play(pty);
    await writeFile(`docs/${name}.svg`, picture(pty, columns, rows));
    process.stdout.write(`docs/${name}.svg\n`);
  } finally {
    await pty.close();
    rmSync(place, { recursive: true, force: true });
  }
}
