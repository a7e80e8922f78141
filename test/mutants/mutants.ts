import { createHash } from 'node:crypto';
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createVitest, type TestSpecification } from 'vitest/node';
import { findSites, type Site, withSites } from './sites.ts';

/**
 * `npm run mutants`: makes small changes to the code, one at a time and in memory only, and says which of them no test
 * notices. `--file src/client`: only files whose path contains this, `--line 12` only that line; `--count 10`: so many of them; `--seed 7`: which;
 * `--workers 2`; `--from units,faults`: only tests of these folders. Ends with 1 where a change survives that
 * equivalent.json does not explain.
 */
const { values: given } = parseArgs({
  options: {
    file: { type: 'string', multiple: true, default: [] },
    line: { type: 'string' },
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    workers: { type: 'string', default: '2' },
    from: { type: 'string', default: 'units,faults,journeys' },
  },
});

const root = fileURLToPath(new URL('../..', import.meta.url));
const rooms = [
  'src/client/**',
  'src/session/**',
  'src/journal/**',
  'src/cache/**',
  'src/upload/**',
  'src/lib/paint.ts',
];
const folders = given.from.split(',');

/** A change with the file that has it; `number` is its number in the files that hold it. */
interface Mutant {
  readonly path: string;
  readonly site: Site;
  readonly number: number;
  /** The line of the file, without its indentation. */
  readonly text: string;
}

interface Equivalent {
  readonly file: string;
  readonly line: string;
  readonly change: string;
  readonly reason: string;
}

const equivalents: readonly Equivalent[] = JSON.parse(
  readFileSync(new URL('equivalent.json', import.meta.url), 'utf8'),
);

const code = new Map<string, string>();
const first = new Map<string, number>();
const sites = new Map<string, readonly Site[]>();
const mutants: Mutant[] = [];
for (const path of globSync(
  rooms.map((room) => (room.endsWith('**') ? `${room}/*.{ts,tsx}` : room)),
  { cwd: root },
).sort()) {
  const text = readFileSync(join(root, path), 'utf8');
  const found = findSites(path, text);
  const lines = text.split('\n');
  code.set(path, text);
  sites.set(path, found);
  first.set(path, mutants.length);
  for (const site of found)
    mutants.push({ path, site, number: mutants.length, text: lines[site.line - 1]?.trim() ?? '' });
}

/** A number from 0 to below 1 for each seed and name: the order of the changes. */
const drawn = (name: string): number =>
  createHash('sha256').update(`${given.seed} ${name}`).digest().readUInt32BE() / 2 ** 32;

const wanted = mutants.filter(
  ({ path, site }) =>
    (given.file.length === 0 || given.file.some((part) => path.includes(part))) &&
    (given.line === undefined || site.line === Number(given.line)),
);
const chosen = wanted
  .map((mutant) => ({ mutant, at: drawn(`${mutant.path} ${mutant.number - (first.get(mutant.path) ?? 0)}`) }))
  .toSorted((a, b) => a.at - b.at)
  .slice(0, Number(given.count))
  .map(({ mutant }) => mutant);

const vitest = await createVitest(
  'test',
  { root, watch: false, reporters: [{}], passWithNoTests: true, tagsFilter: ['!long'] },
  {
    plugins: [
      {
        name: 'mutants',
        enforce: 'pre',
        transform(text, id) {
          const path = relative(root, id.split('?')[0] ?? id);
          const found = sites.get(path);
          return found && withSites(text, found, first.get(path) ?? 0);
        },
      },
    ],
  },
);
const folder = mkdtempSync(join(tmpdir(), 'orgdeck-mutants-'));
const reachedFile = join(folder, 'reached.jsonl');
const setup = fileURLToPath(new URL('setup.ts', import.meta.url));
for (const project of vitest.projects) {
  project.config.setupFiles = [setup, ...project.config.setupFiles];
  project.config.maxWorkers = Number(given.workers);
}

/** Runs test files with one change on; what failed, in words. A run without an end fails too. */
async function failures(
  specifications: readonly TestSpecification[],
  number: number,
  limitMs: number,
): Promise<ReadonlyMap<string, string>> {
  vitest.provide('mutant', number);
  vitest.provide('reached', reachedFile);
  const limit = { isOver: false };
  const timer = setTimeout(() => {
    limit.isOver = true;
    endWorkers();
  }, limitMs);
  try {
    vitest.state.clearErrors();
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications([...specifications]);
    const failed = new Map<string, string>();
    const asked = new Set(specifications.map(({ moduleId }) => moduleId));
    for (const module of testModules) {
      // Vitest lists those of earlier runs as well.
      if (module.ok() || !asked.has(module.moduleId)) continue;
      const [test] = module.children.allTests('failed');
      failed.set(module.moduleId, test?.fullName ?? module.errors()[0]?.message ?? 'the file');
    }
    if (limit.isOver) failed.set('', 'no end');
    else if (failed.size === 0 && unhandledErrors.length > 0) failed.set('', 'an error outside of tests');
    return failed;
  } finally {
    clearTimeout(timer);
  }
}

/** Ends the test processes that this one started: a loop without an end does not hear a polite request. */
function endWorkers(): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      if (Number(parent) === process.pid) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It ended in between.
    }
  }
}

/** Numbers of no change: what is reached is written down; nothing is. */
const learning = -1;
const none = mutants.length;

const all = (await vitest.globTestSpecifications()).filter(({ project }) => folders.includes(project.name));
const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16);

/** What each test file reaches; kept between runs, as long as neither the test nor the code it reaches has changed. */
interface Reach {
  readonly hash: string;
  readonly ms: number;
  readonly files: Readonly<Record<string, { readonly hash: string; readonly at: readonly number[] }>>;
}
const kept = join(root, 'node_modules/.cache/mutants.json');
const reach = new Map<string, Reach>(Object.entries(readKept()));

function readKept(): Record<string, Reach> {
  try {
    return JSON.parse(readFileSync(kept, 'utf8'));
  } catch {
    return {};
  }
}

function isCurrent({ moduleId }: TestSpecification): boolean {
  const known = reach.get(relative(root, moduleId));
  if (known?.hash !== hashOf(moduleId)) return false;
  return Object.entries(known.files).every(([path, { hash }]) => code.has(path) && hash === hashOf(join(root, path)));
}

/** Runs the test files that were changed, or whose code was, and writes down what they reach. */
async function learn(): Promise<void> {
  const stale = all.filter((specification) => !isCurrent(specification));
  if (stale.length === 0) return;
  process.stdout.write(`${stale.length} test files to run first, to learn what they reach\n`);
  writeFileSync(reachedFile, '');
  const failed = await failures(stale, learning, 3_600_000);
  for (const line of readFileSync(reachedFile, 'utf8').split('\n')) {
    if (!line) continue;
    const { test, ms, reached } = JSON.parse(line) as { test: string; ms: number; reached: number[] };
    const files: Record<string, { hash: string; at: number[] }> = {};
    for (const number of reached) {
      const path = mutants[number]?.path;
      if (path === undefined) continue;
      files[path] ??= { hash: hashOf(join(root, path)), at: [] };
      files[path].at.push(number - (first.get(path) ?? 0));
    }
    if (failed.has(test)) reach.delete(relative(root, test));
    else reach.set(relative(root, test), { hash: hashOf(test), ms, files });
  }
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
  writeFileSync(kept, JSON.stringify(Object.fromEntries(reach)));
  for (const [test, name] of failed)
    process.stdout.write(`fails without a change, so it proves nothing: ${relative(root, test)}: ${name}\n`);
}

/** The test files that reach a change, quick ones first. What runs on loading belongs to whoever uses the file. */
function testsOf({ path, number, site }: Mutant): readonly TestSpecification[] {
  const index = number - (first.get(path) ?? 0);
  const ms = ({ moduleId }: TestSpecification) => reach.get(relative(root, moduleId))?.ms ?? 0;
  return all
    .filter(({ moduleId }) => {
      const at = reach.get(relative(root, moduleId))?.files[path]?.at;
      return at !== undefined && (site.onLoad || at.includes(index));
    })
    .toSorted((a, b) => ms(a) - ms(b));
}

await learn();
for (const project of vitest.projects) project.config.bail = 1;

// A test that fails here without a change would seem to notice every one.
const [sound] = chosen.map(testsOf).filter((tests) => tests.length > 0);
const faults = sound ? [...(await failures(sound, none, 600_000)).values()] : [];
if (faults.length > 0) throw new Error(`fails without a change: ${faults.join(', ')}`);

const survivors: Mutant[] = [];
const counts = new Map<string, { killed: number; survived: number; equivalent: number }>();
for (const [index, mutant] of chosen.entries()) {
  const { path, site, text, number } = mutant;
  const started = performance.now();
  const known = equivalents.some(({ file, line, change }) => file === path && line === text && change === site.change);
  const tests = known ? [] : testsOf(mutant);
  const ms = tests.reduce((sum, { moduleId }) => sum + (reach.get(relative(root, moduleId))?.ms ?? 0), 0);
  let killer: string | undefined;
  // Quick ones alone first: most changes fall there.
  for (const group of [tests.slice(0, 4), tests.slice(4, 12), tests.slice(12)]) {
    if (killer !== undefined || group.length === 0) continue;
    [killer] = (await failures(group, number, 20_000 + 5 * ms)).values();
  }
  const room = path.split('/').slice(0, 2).join('/');
  const count = counts.get(room) ?? { killed: 0, survived: 0, equivalent: 0 };
  counts.set(room, count);
  const outcome = known ? 'equivalent' : killer === undefined ? 'survived' : 'killed';
  count[outcome] += 1;
  if (outcome === 'survived') survivors.push(mutant);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const by = killer === undefined ? `${tests.length} test files reach it` : `by "${killer}"`;
  process.stdout.write(
    `${index + 1}/${chosen.length} ${outcome} ${path}:${site.line} ${site.change} (${by}, ${seconds} s)\n`,
  );
}

let killed = 0;
for (const [room, count] of counts) {
  killed += count.killed;
  const tried = count.killed + count.survived;
  process.stdout.write(`${room}: ${count.killed} of ${tried} killed, ${count.equivalent} equivalent\n`);
}
for (const { path, site, text } of survivors)
  process.stdout.write(`survived: ${path}:${site.line} ${site.change}\n    ${text}\n`);
const tried = killed + survivors.length;
process.stdout.write(
  `${killed} of ${tried} killed (${tried ? Math.round((killed / tried) * 100) : 100} %), of ${wanted.length} possible changes; seed ${given.seed}\n`,
);
rmSync(folder, { recursive: true });
await vitest.close();
process.exit(survivors.length > 0 ? 1 : 0);
