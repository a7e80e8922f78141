import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { attempt, attemptFromStart, type Outcome, type Trial } from './attempts.ts';
import { changedFiles, type Mutant, readCatalog, shuffled } from './catalog.ts';
import { createReach, type KnownTest } from './reach.ts';
import { createWorkers } from './worker.ts';

/**
 * `npm run mutants`: makes small changes to the code, one at a time and in memory only, and says which of them no test
 * notices: the number of tests that may be asked is bounded by `--budget 10`, seconds for each change and folder. `--file src/client`:
 * only files whose path contains this; `--line 12`: only that line; `--count 10`: so many of them; `--seed 7`: which;
 * `--from units,faults`: only tests of these folders; `--learn`: forget which test reaches what; `--warm`: without what runs only
 * while modules are loaded; `--keep`: what unit tests noticed becomes part of noticed.json. `--ten`: ten of noticed.json, on
 * the tests named there. Ends with 1 where a change survives that equivalent.json does not explain.
 */
const { values: given } = parseArgs({
  options: {
    file: { type: 'string', multiple: true, default: [] },
    line: { type: 'string' },
    count: { type: 'string', default: '20' },
    seed: { type: 'string' },
    from: { type: 'string', default: 'units,faults,journeys' },
    learn: { type: 'boolean', default: false },
    warm: { type: 'boolean', default: false },
    budget: { type: 'string', default: '10' },
    keep: { type: 'boolean', default: false },
    ten: { type: 'boolean', default: false },
  },
});

/** Milliseconds of tests of one folder that one change may cost: those first that reach little else. */
const mostMs = Number(given.budget) * 1000;
const say = (text: string) => process.stdout.write(`${text}\n`);

interface Equivalent {
  readonly file: string;
  readonly line: string;
  readonly change: string;
  readonly reason: string;
}

const readHere = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const isWanted = (path: string) => given.file.length === 0 || given.file.some((part) => path.includes(part));
const nothing = 'there is nothing to change: no file of the product with such a path and line';
if (!changedFiles().some(isWanted)) {
  say(nothing);
  process.exit(1);
}
const catalog = readCatalog();

const equivalents: readonly Equivalent[] = readHere('equivalent.json');
/** Keys of changes by the unit test that is known to notice them: its file and its name. */
const noticed: Record<string, string[]> = readHere('noticed.json');

const isOf = ({ path, text, site }: Mutant, { file, line, change }: Equivalent): boolean =>
  file === path && line === text && change === site.change;
const isEquivalent = (mutant: Mutant): boolean => equivalents.some((each) => isOf(mutant, each));

/** An entry whose code has gone would explain the next code that happens to read so. */
function tellStale(): boolean {
  const stale = equivalents.filter((each) => !catalog.mutants.some((mutant) => isOf(mutant, each)));
  for (const { file, line, change } of stale)
    say(`equivalent.json names code that is gone: ${file} ${change}\n    ${line}`);
  return stale.length > 0;
}

/** Ten of the changes that unit tests are known to notice; one whose test has gone or changed its name is left out. */
async function tryTen(): Promise<boolean> {
  const seed = given.seed ?? process.env.TEST_SEED ?? '20261122';
  const files = workers.filesOf('units');
  const known = new Map(
    Object.entries(noticed).flatMap(([test, keys]) => keys.map((key): readonly [string, string] => [key, test])),
  );
  const drawn = shuffled(
    catalog.mutants.filter((mutant) => known.has(mutant.key)),
    seed,
  ).map((mutant): Trial => {
    const test = known.get(mutant.key) ?? '';
    return { mutant, tests: [test], files: files.filter((file) => test.startsWith(`${file}: `)), ms: 0 };
  });
  const outcomes: Outcome[] = [];
  for (let at = 0; outcomes.length < 10 && at < drawn.length; ) {
    const trials = drawn.slice(at, at + 10 - outcomes.length);
    at += trials.length;
    await attempt(workers, 'units', trials, (outcome) => outcome.hasTests && outcomes.push(outcome));
  }
  const survivors = outcomes.filter(({ killer }) => killer === undefined).map(({ mutant }) => mutant);
  tellSurvivors(survivors);
  say(`${outcomes.length - survivors.length} of ${outcomes.length} changes noticed; seed ${seed}`);
  return survivors.length === 0 && outcomes.length === 10 && !tellStale();
}

async function trySample(): Promise<boolean> {
  const seed = given.seed ?? String(Date.now() % 100_000);
  const wanted = catalog.mutants.filter(
    ({ path, site }) => isWanted(path) && (given.line === undefined || site.line === Number(given.line)),
  );
  if (wanted.length === 0) {
    say(nothing);
    return false;
  }
  const folders = given.from.split(',');
  const reach = createReach(catalog.mutants, workers, given.learn);
  for (const folder of folders) await reach.learn(folder, say);
  const chosen = shuffled(given.warm ? wanted.filter(({ site }) => !site.onLoad) : wanted, seed).slice(
    0,
    Number(given.count),
  );
  const open = new Set(chosen.filter((mutant) => !isEquivalent(mutant)));
  const tried = open.size;
  const took: number[] = [];
  const told = ({ mutant, killer, seconds }: Outcome) => {
    took.push(seconds);
    if (killer !== undefined) open.delete(mutant);
    say(`${tried - open.size}/${tried} ${seconds.toFixed(1)} s ${named(mutant)} (${killer ?? 'not noticed yet'})`);
    if (killer === undefined) return;
    if (given.keep && !mutant.site.onLoad && killer.startsWith('test/units/') && seconds < cheap)
      keep(killer, mutant.key);
  };
  for (const folder of folders) {
    const trials = [...open]
      .filter(({ site }) => !site.onLoad)
      .map((mutant) => toTrial(mutant, affordable(reach.testsOf(mutant, folder))))
      .filter(({ tests }) => tests.length > 0);
    await attempt(workers, folder, trials, told);
  }
  // What runs only while modules are loaded needs a worker of its own each time: seconds, not milliseconds.
  for (const mutant of given.warm ? [] : open) {
    for (const folder of folders) {
      if (!open.has(mutant) || (!mutant.site.onLoad && reach.testsOf(mutant, folder).length > 0)) continue;
      const tests = affordable(reach.testsOfFile(mutant, folder));
      if (tests.length > 0) told(await attemptFromStart(workers, folder, toTrial(mutant, tests)));
    }
  }
  if (given.keep) writeNoticed();
  report(chosen, open);
  const middle = took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)] ?? 0;
  say(`${middle.toFixed(2)} s per change (median); ${wanted.length} possible changes; seed ${seed}`);
  return open.size === 0;
}

function affordable(tests: readonly KnownTest[]): readonly KnownTest[] {
  let ms = 0;
  return tests.filter((test) => {
    ms += test.ms;
    return ms <= mostMs;
  });
}

const toTrial = (mutant: Mutant, tests: readonly KnownTest[]): Trial => ({
  mutant,
  tests: tests.map(({ id }) => id),
  files: [...new Set(tests.map(({ path }) => path))],
  ms: tests.reduce((sum, { ms }) => sum + ms, 0),
});

const named = ({ path, site }: Mutant): string => `${path}:${site.line} ${site.change}`;

/** Seconds: what takes longer is no part of noticed.json. */
const cheap = 0.2;

function keep(test: string, key: string): void {
  if (!Object.values(noticed).some((keys) => keys.includes(key))) noticed[test] = [...(noticed[test] ?? []), key];
}

/** Without the changes to code that is gone. */
function writeNoticed(): void {
  const keys = new Set(catalog.mutants.map(({ key }) => key));
  const kept = Object.entries(noticed)
    .map(([test, all]) => [test, all.filter((key) => keys.has(key))] as const)
    .filter(([, all]) => all.length > 0);
  writeFileSync(new URL('noticed.json', import.meta.url), `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}

function report(chosen: readonly Mutant[], open: ReadonlySet<Mutant>): void {
  const rooms = Map.groupBy(chosen, ({ path }) => path.split('/').slice(0, 2).join('/'));
  for (const [room, mutants] of [...rooms, ['all', chosen] as const]) {
    const tried = mutants.filter((mutant) => !isEquivalent(mutant));
    const killed = tried.filter((mutant) => !open.has(mutant)).length;
    const percent = tried.length === 0 ? 100 : Math.round((killed / tried.length) * 100);
    say(`${room}: ${killed} of ${tried.length} killed (${percent} %), ${mutants.length - tried.length} equivalent`);
  }
  tellSurvivors([...open]);
}

function tellSurvivors(survivors: readonly Mutant[]): void {
  for (const mutant of survivors) say(`survived: ${named(mutant)}\n    ${mutant.text}`);
}

const workers = await createWorkers(catalog);
try {
  process.exitCode = (await (given.ten ? tryTen() : trySample())) ? 0 : 1;
} finally {
  workers.close();
}
process.exit();
