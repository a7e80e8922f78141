import type { Mutant } from './catalog.ts';
import type { Attempt } from './runner.ts';
import type { Workers } from './worker.ts';

/** What came of one change: the test that failed, or none. */
export interface Outcome {
  readonly mutant: Mutant;
  readonly killer?: string;
  /** False where none of the wanted tests exists. */
  readonly hasTests: boolean;
  readonly seconds: number;
}

/** A change with the tests to try, ids or files, and the files that hold them. */
export interface Trial {
  readonly mutant: Mutant;
  readonly tests: readonly string[];
  readonly files: readonly string[];
  /** Milliseconds that its tests take without it. */
  readonly ms: number;
}

/**
 * Tries each change on tests of one folder, in one worker as long as that works: where it ended, or something stayed
 * behind in it, another follows with what is left.
 */
export async function attempt(
  workers: Workers,
  folder: string,
  trials: readonly Trial[],
  told: (outcome: Outcome) => void,
): Promise<void> {
  const open = new Map(trials.map((trial) => [trial.mutant.number, trial]));
  let idle = 0;
  while (open.size > 0) {
    const run = { began: undefined as number | undefined, at: 0, done: 0 };
    const end = (number: number, killer: string | undefined, hasTests = true) => {
      const trial = open.get(number);
      open.delete(number);
      Object.assign(run, { began: undefined, done: run.done + 1 });
      const seconds = (performance.now() - run.at) / 1000;
      if (trial) told({ mutant: trial.mutant, hasTests, seconds, ...(killer && { killer }) });
    };
    const tasks = [...open.values()].map(toAttempt);
    const files = [...new Set([...open.values()].flatMap((trial) => trial.files))].sort();
    await workers.run(folder, files, { tasks }, (line) => {
      if (line.kind === 'began') Object.assign(run, { began: line.number, at: performance.now() });
      if (line.kind === 'ended') end(line.number, line.killer, line.hasTests);
      if (line.kind !== 'spoilt') return;
      // In a fresh worker nothing but the change itself can have stayed behind; others are tried once more in one.
      if (run.done === 0) end(line.number, line.killer);
      else Object.assign(run, { began: undefined, done: run.done + 1 });
    });
    if (run.began !== undefined) end(run.began, 'no end');
    // The one after a worker that was killed ends at once at times.
    idle = run.done === 0 ? idle + 1 : 0;
    if (idle > 2) throw new Error(`the worker of ${folder} ended before its first change`);
  }
}

/** Tries one change that is on from the start, while the modules are loaded, in a worker of its own. */
export async function attemptFromStart(workers: Workers, folder: string, trial: Trial): Promise<Outcome> {
  const started = performance.now();
  let killer: string | undefined;
  const run = { hasEnded: false };
  const { number } = trial.mutant;
  await workers.run(folder, trial.files, { tasks: [toAttempt(trial)], fromStart: number }, (line) => {
    if (line.kind === 'file' && line.error) killer ??= `${line.path} cannot be loaded: ${line.error}`;
    if (line.kind === 'ended') killer ??= line.killer;
    if (line.kind === 'ended') run.hasEnded = true;
  });
  if (!run.hasEnded) killer ??= 'no end';
  const seconds = (performance.now() - started) / 1000;
  return { mutant: trial.mutant, hasTests: true, seconds, ...(killer && { killer }) };
}

const toAttempt = ({ mutant, tests, ms }: Trial): Attempt => ({
  number: mutant.number,
  tests,
  limitMs: 30_000 + 10 * ms,
});
