import { appendFileSync } from 'node:fs';
import {
  inject,
  type RunnerTask,
  type RunnerTestCase,
  type RunnerTestFile,
  type RunnerTestSuite,
  TestRunner,
} from 'vitest';

/** What a worker has to do, and where it writes what came of it: lines of JSON. */
export interface Work {
  readonly results: string;
  /** Each test alone, to see what it reaches; or the tests of each change until one fails. */
  readonly tasks: 'learn' | readonly Attempt[];
  /** A change that is on from the start, while modules are loaded. */
  readonly fromStart?: number;
}

/** A change, and the tests to run, in this order: their ids, `file: name`, or a file with all its tests. */
export interface Attempt {
  readonly number: number;
  readonly tests: readonly string[];
  readonly limitMs: number;
}

/** A line of the results. */
export type Line =
  | { readonly kind: 'file'; readonly path: string; readonly onLoad: readonly number[]; readonly error?: string }
  | ({ readonly kind: 'test' } & Learned)
  | { readonly kind: 'began'; readonly number: number; readonly limitMs: number }
  | { readonly kind: 'ended'; readonly number: number; readonly hasTests: boolean; readonly killer?: string }
  /** Only a test failed that now fails without the change as well: something stayed behind of what ran before. */
  | { readonly kind: 'spoilt'; readonly number: number; readonly killer: string };

/** What one test reaches. */
export interface Learned {
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly ms: number;
  /** What fails without a change, or when the test runs a second time. */
  readonly fault?: string;
  readonly reached: readonly number[];
}

declare module 'vitest' {
  interface ProvidedContext {
    work: Work;
  }
}

/** A loop that its change made endless ends here. */
const longest = 2_000_000;

/**
 * Collects the test files of a worker without running them. In the last one, driver.ts, it runs single tests of all of them,
 * with one change on at a time: product and tests are loaded once.
 */
export default class extends TestRunner {
  readonly #work = inject('work');
  readonly #tests = new Map<string, RunnerTestCase>();
  readonly #failures: unknown[] = [];
  /** Tests that fail in this worker without a change. */
  readonly #spoilt = new Set<RunnerTestCase>();
  readonly #switch = switchboard(this.#work.fromStart);

  constructor(...given: ConstructorParameters<typeof TestRunner>) {
    super(...given);
    for (const event of ['uncaughtException', 'unhandledRejection'])
      process.on(event, (error: unknown) => this.#failures.push(error));
  }

  onCollected([file]: RunnerTestFile[]): void {
    if (file === undefined || isDriver(file)) return;
    for (const test of testsOf(file)) this.#tests.set(test.id, test);
    const error = file.result?.errors?.[0]?.message;
    this.#write({ kind: 'file', path: file.filepath, onLoad: this.#switch.reached(), ...(error && { error }) });
  }

  override async onBeforeRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onBeforeRunSuite(suite);
    if (!isDriver(suite.file)) suite.mode = 'skip';
  }

  /** Keeps the snapshots of the file, for its tests run later. */
  override onAfterRunFiles(): void {}

  /** Runs inside the test of driver.ts, and of no other. */
  async runTask(driver: RunnerTestCase): Promise<void> {
    const { tasks } = this.#work;
    if (tasks === 'learn') {
      for (const test of this.#tests.values()) if (test.mode === 'run') await this.#learn(test, driver);
      return;
    }
    for (const attempt of tasks) await this.#attempt(attempt, driver);
  }

  async #learn(test: RunnerTestCase, driver: RunnerTestCase): Promise<void> {
    const { id } = test;
    this.#switch.reached();
    const started = performance.now();
    const failure = await this.#run(test, driver, 120_000);
    const ms = Math.round((performance.now() - started) * 10) / 10;
    const reached = this.#switch.reached();
    // A test that needs a fresh worker would seem to notice every change; journeys make everything anew.
    const again = failure ?? (ms > 400 ? undefined : await this.#run(test, driver, 120_000));
    const [name, path] = [test.fullTestName, test.file.filepath];
    this.#write({ kind: 'test', id, path, name, ms, reached, ...(again !== undefined && { fault: String(again) }) });
  }

  /** Runs tests with one change on until one of them fails that passes without it. */
  async #attempt({ number, tests, limitMs }: Attempt, driver: RunnerTestCase): Promise<void> {
    this.#write({ kind: 'began', number, limitMs });
    const wanted = tests.flatMap((id) => this.#named(id));
    const ended = (killer?: string) =>
      this.#write({ kind: 'ended', number, hasTests: wanted.length > 0, ...(killer && { killer }) });
    const run = async (test: RunnerTestCase, active: number) => {
      this.#switch.turn(active);
      const failure = await this.#run(test, driver, test.file.projectName === 'units' ? 3_000 : 15_000);
      this.#switch.turn(-1);
      return failure;
    };
    let unsure: string | undefined;
    for (const test of wanted) {
      // In another worker it may notice the change.
      if (this.#spoilt.has(test)) unsure ??= test.fullTestName;
      if (this.#spoilt.has(test)) continue;
      const failure = await run(test, number);
      if (failure === undefined) continue;
      // Over real sockets a failure may be chance: it counts where the test fails again.
      const isSure = test.file.projectName === 'units' && failure !== outside;
      if (!isSure && (await run(test, number)) === undefined) continue;
      const killer = `${test.file.name}: ${test.fullTestName}${failure === late ? ' (no end)' : ''}`;
      if (this.#work.fromStart !== undefined || (await run(test, -1)) === undefined) return ended(killer);
      this.#spoilt.add(test);
      unsure ??= killer;
    }
    if (unsure === undefined) ended();
    else this.#write({ kind: 'spoilt', number, killer: unsure });
  }

  #named(name: string): readonly RunnerTestCase[] {
    const test = this.#tests.get(name);
    if (test) return [test];
    const isNamed = ({ file, fullTestName }: RunnerTestCase) =>
      file.name === name || `${file.name}: ${fullTestName}` === name;
    return [...this.#tests.values()].filter((one) => one.mode === 'run' && isNamed(one));
  }

  /** Runs one test with the hooks around it; what failed. */
  async #run(test: RunnerTestCase, driver: RunnerTestCase, limitMs: number): Promise<unknown> {
    const suites = suitesOf(test);
    const cleanups: (() => unknown)[] = [];
    const whole = async () => {
      delete test.promises;
      for (const suite of suites) {
        const { beforeAll, afterAll } = TestRunner.getSuiteHooks(suite);
        for (const hook of beforeAll) await hook(suite);
        // Without the one, the other would remove what is made when the file is loaded.
        if (beforeAll.length > 0) cleanups.unshift(...afterAll.map((hook) => () => hook(suite)));
      }
      this.onBeforeTryTask(test, { retry: 0, repeats: 0 });
      for (const suite of suites) {
        const { beforeEach, afterEach } = TestRunner.getSuiteHooks(suite);
        for (const hook of beforeEach) {
          const cleanup = await hook(test.context, suite);
          if (typeof cleanup === 'function') cleanups.unshift(cleanup as () => unknown);
        }
        cleanups.unshift(...afterEach.map((hook) => () => hook(test.context, suite)));
      }
      await TestRunner.getTestFn(test)();
      this.onAfterTryTask(test);
    };
    this.#failures.length = 0;
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(() => timeout.reject(late), limitMs);
    try {
      await Promise.race([whole(), timeout.promise]);
    } catch (error) {
      return error ?? 'nothing';
    } finally {
      clearTimeout(timer);
      for (const task of [test, driver] as readonly Finishing[]) {
        for (const done of task.onFinished?.toReversed() ?? []) await quietly(() => done(test.context));
        delete task.onFinished;
        delete task.onFailed;
      }
      for (const cleanup of cleanups) await quietly(cleanup);
    }
    await new Promise((done) => setImmediate(done));
    return this.#failures.length > 0 ? outside : undefined;
  }

  #write(line: Line): void {
    appendFileSync(this.#work.results, `${JSON.stringify(line)}\n`);
  }
}

/** Where vitest keeps what `onTestFinished` was given. */
interface Finishing {
  onFinished?: ((context: unknown) => unknown)[];
  onFailed?: unknown;
}

const late = new Error('no end');
const outside = new Error('an error outside of the test');

const isDriver = (file: RunnerTestFile): boolean => file.filepath.endsWith('/mutants/driver.ts');

const testsOf = (suite: RunnerTestSuite): readonly RunnerTestCase[] =>
  suite.tasks.flatMap((task: RunnerTask) => (task.type === 'suite' ? testsOf(task) : [task]));

/** The suites around a test, the file first. */
function suitesOf(test: RunnerTestCase): readonly RunnerTestSuite[] {
  const suites: RunnerTestSuite[] = [];
  for (let suite = test.suite; suite; suite = suite.suite) suites.unshift(suite);
  return suites[0] === test.file ? suites : [test.file, ...suites];
}

async function quietly(run: () => unknown): Promise<void> {
  try {
    await run();
  } catch {
    // The test has failed already, or what it made is gone.
  }
}

/** Gives the code the function that each changed place asks. */
function switchboard(fromStart: number | undefined) {
  const state = { active: fromStart ?? -1, times: 0 };
  /** More places than there are changes. */
  const reached = new Uint8Array(1 << 17);
  Object.assign(globalThis, {
    __orgdeckMutant(number: number): boolean {
      reached[number] = 1;
      if (number !== state.active) return false;
      if (++state.times > longest) throw new Error('an endless loop');
      return true;
    },
  });
  return {
    turn(active: number): void {
      Object.assign(state, { active: fromStart ?? active, times: 0 });
    },
    /** What ran since the last call. */
    reached(): readonly number[] {
      const numbers: number[] = [];
      for (let at = reached.indexOf(1); at >= 0; at = reached.indexOf(1, at + 1)) numbers.push(at);
      reached.fill(0);
      return numbers;
    },
  };
}
