import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { digest, type Mutant, projectRoot } from './catalog.ts';
import type { Line } from './runner.ts';
import type { Workers } from './worker.ts';

/** Which test reaches which change, as seen when each test ran alone. */
export interface Reach {
  /** Runs the test files of a folder that are new or changed since the last time, and says what fails. */
  learn(folder: string, tell: (text: string) => void): Promise<void>;
  /** The tests of a folder that reach a change, those first that take little time and reach little else. */
  testsOf(mutant: Mutant, folder: string): readonly KnownTest[];
  /** Those that reach any change of its file, or import it: a test that reads a constant of it runs nothing there. */
  testsOfFile(mutant: Mutant, folder: string): readonly KnownTest[];
}

export interface KnownTest {
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly ms: number;
  readonly isSound: boolean;
  /** How many changes it reaches. */
  readonly breadth: number;
  /** A bit for each of them. */
  readonly bits: Uint8Array;
}

interface Stored {
  readonly keys: readonly string[];
  readonly files: Readonly<Record<string, { readonly hash: string; readonly tests: readonly StoredTest[] }>>;
}

type StoredTest = Omit<KnownTest, 'bits'> & { readonly bits: string };

/** Kept between runs: all tests together take minutes. `isFresh`: forgets them. */
export function createReach(mutants: readonly Mutant[], workers: Workers, isFresh: boolean): Reach {
  const path = join(projectRoot, 'node_modules/.cache/mutants.json');
  const files = isFresh ? new Map<string, KnownFile>() : readStored(path, mutants);
  return {
    async learn(folder, tell) {
      const hashes = new Map(
        workers.filesOf(folder).map((file) => [file, digest(readFileSync(join(projectRoot, file)))]),
      );
      for (const file of files.keys()) if (file.startsWith(`test/${folder}/`) && !hashes.has(file)) files.delete(file);
      const stale = [...hashes].filter(([file, hash]) => files.get(file)?.hash !== hash).map(([file]) => file);
      if (stale.length === 0) return;
      tell(`${stale.length} test files of ${folder} to run first, to learn what they reach`);
      mkdirSync(dirname(path), { recursive: true });
      // A few files at a time: what an interrupted run learned is kept.
      for (let at = 0; at < stale.length; at += 10) {
        const some = stale.slice(at, at + 10);
        for (const file of some) files.set(file, { hash: hashes.get(file) ?? '', tests: [] });
        await workers.run(folder, some, { tasks: 'learn' }, (line) => note(line, tell));
        writeFileSync(path, JSON.stringify(stored(mutants, files)));
      }
    },
    testsOf: ({ number }, folder) => testsOfFolder(folder, ({ bits }) => has(bits, number)),
    testsOfFile({ path: file }, folder) {
      const numbers = mutants.filter((mutant) => mutant.path === file).map(({ number }) => number);
      const imports = memoized((test) => readFileSync(join(projectRoot, test), 'utf8').includes(`/${file}'`));
      return testsOfFolder(
        folder,
        ({ path: test, bits }) => numbers.some((number) => has(bits, number)) || imports(test),
      );
    },
  };

  function testsOfFolder(folder: string, isWanted: (test: KnownTest) => boolean): readonly KnownTest[] {
    return [...files]
      .filter(([file]) => file.startsWith(`test/${folder}/`))
      .flatMap(([, { tests }]) => tests.filter(({ isSound }) => isSound))
      .filter(isWanted)
      .toSorted((a, b) => weight(a) - weight(b));
  }

  function note(line: Line, tell: (text: string) => void): void {
    if (line.kind === 'file' && line.error) {
      const unread = relative(projectRoot, line.path);
      tell(`cannot be loaded: ${unread}: ${line.error}`);
      // Learned the next time, when it can be.
      files.delete(unread);
    }
    if (line.kind !== 'test') return;
    const { id, name, ms, reached, fault } = line;
    const isSound = fault === undefined;
    const file = relative(projectRoot, line.path);
    if (!isSound) tell(`proves nothing, because it fails without a change: ${file}: ${name}: ${fault}`);
    files.get(file)?.tests.push({
      id,
      path: file,
      name,
      ms,
      isSound,
      breadth: reached.length,
      bits: bitsOf(reached, mutants.length),
    });
  }
}

interface KnownFile {
  readonly hash: string;
  readonly tests: KnownTest[];
}

function memoized(make: (text: string) => boolean): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    const is = known.get(text) ?? make(text);
    known.set(text, is);
    return is;
  };
}

const weight = ({ ms, breadth }: KnownTest): number => (ms + 1) * Math.sqrt(breadth);
const has = (bits: Uint8Array, number: number): boolean => (((bits[number >> 3] ?? 0) >> (number & 7)) & 1) === 1;

function bitsOf(numbers: Iterable<number>, length: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(length / 8));
  for (const number of numbers) bits[number >> 3] = (bits[number >> 3] ?? 0) | (1 << (number & 7));
  return bits;
}

const stored = (mutants: readonly Mutant[], files: ReadonlyMap<string, KnownFile>): Stored => ({
  keys: mutants.map(({ key }) => key),
  files: Object.fromEntries(
    [...files].map(([path, { hash, tests }]) => [
      path,
      { hash, tests: tests.map((test) => ({ ...test, bits: Buffer.from(test.bits).toString('base64') })) },
    ]),
  ),
});

/** What earlier runs learned, in today's numbers. A changed line is reached by whatever reached its file. */
function readStored(path: string, mutants: readonly Mutant[]): Map<string, KnownFile> {
  let known: Stored;
  try {
    known = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return new Map();
  }
  const numbers = new Map(known.keys.map((key, number) => [key, number]));
  const paths = new Map<string, number[]>();
  for (const { path: file, key } of mutants) {
    const number = numbers.get(key);
    if (number !== undefined) paths.set(file, [...(paths.get(file) ?? []), number]);
  }
  const restored = (test: StoredTest): KnownTest => {
    const bits = Buffer.from(test.bits, 'base64');
    const reaches = new Map<string, boolean>();
    const reachesFile = (file: string): boolean => {
      const isReached = reaches.get(file) ?? (paths.get(file) ?? []).some((number) => has(bits, number));
      reaches.set(file, isReached);
      return isReached;
    };
    const reached = mutants.filter(({ path: file, key }) => {
      const number = numbers.get(key);
      return number === undefined ? reachesFile(file) : has(bits, number);
    });
    return {
      ...test,
      bits: bitsOf(
        reached.map(({ number }) => number),
        mutants.length,
      ),
    };
  };
  return new Map(
    Object.entries(known.files).map(([file, { hash, tests }]) => [file, { hash, tests: tests.map(restored) }]),
  );
}
