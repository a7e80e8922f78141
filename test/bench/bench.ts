import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filled } from '../support/markdown.ts';
import { measureChecks } from './checks.ts';
import { measureFloor } from './floor.ts';
import { measureLoads } from './loads.ts';
import { type Keys, measureLarge, measureSize, type Size } from './measure.ts';
import { budgetOf, type Results, resultsFolder, tablesOf } from './page.ts';
import { measurePeers } from './peers.ts';
import { measureRest } from './rest.ts';
import { measureWays } from './ways.ts';

const program = fileURLToPath(new URL('../../dist/orgdeck.js', import.meta.url));
const page = new URL('../../docs/performance.md', import.meta.url);
const sizes = [
  [80, 24],
  [120, 40],
  [200, 50],
] as const;

const isOver = ({ kind, ratio, blink }: Keys): boolean => blink > 0 || ratio > budgetOf(kind);

/**
 * `npm run bench`: the built dashboard on the demo organisation in a pseudo-terminal, through SSH and inside tmux,
 * beside the machine's floor and the full-screen programs that are installed. Prints the tables of docs/performance.md, with `--json` the results for a program.
 * `--keep` writes them to `results/` and the tables to the page. `--check` exits with 1 where a kind of key is over
 * its budget of bytes. Bytes are exact; compare times with the floor of the same run only.
 */
const home = mkdtempSync(join(tmpdir(), 'orgdeck-bench-'));
try {
  const floor = await measureFloor(home);
  const checks = await measureChecks(program, home);
  const measured: Size[] = [];
  for (const size of sizes) measured.push(await measureSize(size, home));
  const all: Results = {
    date: new Date().toISOString().slice(0, 10),
    floor,
    checks,
    sizes: measured,
    resting: await measureRest(home),
    large: await measureLarge(home),
    loads: await measureLoads(home),
    ways: await measureWays(home),
    peers: await measurePeers([120, 40]),
  };
  const json = JSON.stringify(all, undefined, 2);
  if (process.argv.includes('--keep')) {
    writeFileSync(new URL(`${all.date}.json`, resultsFolder), `${json}\n`);
    writeFileSync(page, filled(readFileSync(page, 'utf8'), tablesOf(all)));
  }
  process.stdout.write(
    process.argv.includes('--json') ? `${json}\n` : `${Object.values(tablesOf(all)).join('\n\n')}\n`,
  );
  const over = measured.flatMap(({ keys, size }) => keys.filter(isOver).map(({ kind }) => `${kind} at ${size}`));
  if (process.argv.includes('--check') && over.length > 0) {
    process.stderr.write(`over the budget of bytes: ${over.join(', ')}\n`);
    process.exitCode = 1;
  }
} finally {
  rmSync(home, { recursive: true });
}
