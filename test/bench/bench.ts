import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { filled } from '../support/markdown.ts';
import { measureChecks } from './checks.ts';
import { measureFloor } from './floor.ts';
import { measureLoads, measureTexts } from './loads.ts';
import { measureMarked } from './marked.ts';
import { type Keys, measureRows, measureSize, type RowKeys, type Size } from './measure.ts';
import { measureNetwork, measurePages } from './network.ts';
import { budgetOf, overRowBounds, pages, type Results, resultsFolder, tablesFor, tablesOf } from './page.ts';
import { measurePeers, rivalsAhead } from './peers.ts';
import { measureRest } from './rest.ts';
import { measureWays } from './ways.ts';

const program = fileURLToPath(new URL('../../dist/orgdeck.js', import.meta.url));
const sizes = [
  [80, 24],
  [120, 40],
  [200, 50],
] as const;

const isOver = ({ kind, ratio, blink }: Keys): boolean => blink > 0 || ratio > budgetOf(kind);

const { values: given } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const parts = [
  'checks',
  'sizes',
  'resting',
  'rows',
  'loads',
  'texts',
  'marked',
  'network',
  'pages',
  'ways',
  'peers',
] as const;
type Part = (typeof parts)[number];
const asked: readonly string[] = given.only?.split(',') ?? parts;
if (asked.some((name) => !parts.some((one) => one === name)))
  throw new Error(`--only takes parts of the results, with commas: ${parts.join(', ')}`);
const kept = given.only === undefined ? undefined : lastKept();

/** The results of the last run that was kept. */
function lastKept(): Results {
  const [last] = readdirSync(resultsFolder).sort().reverse();
  if (last === undefined) throw new Error('--only needs the results of an earlier run: npm run bench -- --keep');
  return JSON.parse(readFileSync(new URL(last, resultsFolder), 'utf8'));
}

/** A part of the results: measured, or as it was kept last where others are asked for. */
const part = async <T>(name: Part, measured: () => Promise<T>): Promise<T> =>
  kept?.[name] !== undefined && !asked.includes(name) ? (kept[name] as T) : measured();

/**
 * `npm run bench`: the built dashboard on the demo organization in a pseudo-terminal, through SSH and inside tmux,
 * beside the machine's floor and the full-screen programs that are installed. Prints the tables of docs/performance.md and of README.md here, with `--json` the results for a program.
 * `--keep` writes them to `results/` and the tables to these pages. `--check` exits with 1 where a kind of key is over
 * its budget of bytes, 10,000 rows are over a bound, or a move at 80x24 is not below htop and tig. `--only sizes,resting` measures these parts of the results again, and the floor; the others stay as they were
 * kept last. Bytes are exact; compare times with the floor of the same run only.
 */
const home = mkdtempSync(join(tmpdir(), 'orgdeck-bench-'));
try {
  const all: Results = {
    date: new Date().toISOString().slice(0, 10),
    floor: await measureFloor(home),
    checks: await part('checks', () => measureChecks(program, home)),
    sizes: await part('sizes', async () => {
      const measured: Size[] = [];
      for (const size of sizes) measured.push(await measureSize(size, home));
      return measured;
    }),
    resting: await part('resting', () => measureRest(home)),
    rows: await part('rows', async () => {
      const measured: RowKeys[] = [];
      for (const thousands of [10, 25]) measured.push(await measureRows(thousands, home));
      return measured;
    }),
    loads: await part('loads', () => measureLoads(home)),
    texts: await part('texts', () => measureTexts(home)),
    marked: await part('marked', () => measureMarked(10, home)),
    network: await part('network', () => measureNetwork(home)),
    pages: await part('pages', () => measurePages(home)),
    ways: await part('ways', () => measureWays(home)),
    peers: await part('peers', () => measurePeers()),
  };
  const json = JSON.stringify(all, undefined, 2);
  if (given.keep) {
    writeFileSync(new URL(`${all.date}.json`, resultsFolder), `${json}\n`);
    for (const path of Object.keys(pages)) {
      const page = new URL(`../../${path}`, import.meta.url);
      writeFileSync(page, filled(readFileSync(page, 'utf8'), tablesFor(path, all)));
    }
  }
  process.stdout.write(given.json ? `${json}\n` : `${Object.values(tablesOf(all)).join('\n\n')}\n`);
  const over = all.sizes.flatMap(({ keys, size }) => keys.filter(isOver).map(({ kind }) => `${kind} at ${size}`));
  if (given.check && over.length > 0) {
    process.stderr.write(`over the budget of bytes: ${over.join(', ')}\n`);
    process.exitCode = 1;
  }
  const overRows = overRowBounds(all);
  if (given.check && overRows.length > 0) {
    process.stderr.write(`over the bounds of 10,000 rows: ${overRows.join(', ')}\n`);
    process.exitCode = 1;
  }
  const ahead = rivalsAhead(all.sizes.find(({ size }) => size === '80x24')?.keys ?? [], all.peers);
  if (given.check && ahead.length > 0) {
    process.stderr.write(`a move at 80x24 takes no fewer bytes than with: ${ahead.join(', ')}\n`);
    process.exitCode = 1;
  }
} finally {
  rmSync(home, { recursive: true });
}
