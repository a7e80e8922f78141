import type { Reporter, TestModule } from 'vitest/node';

/** Milliseconds between two lines of progress. */
const everyMs = 15_000;

/**
 * Prints progress every 15 seconds and ends the output with the line `N passed, N failed`. What was not tried because this
 * machine lacks something is listed before it.
 */
export function createReporter(write: (text: string) => void, now: () => number): Reporter {
  const run = { files: 0, done: 0, passed: 0, failed: 0, startedAt: 0, toldAt: 0 };
  return {
    onTestRunStart(files) {
      Object.assign(run, { files: files.length, done: 0, passed: 0, failed: 0, startedAt: now(), toldAt: now() });
    },
    onTestModuleEnd(module) {
      run.done += 1;
      run.passed += count([module], 'passed');
      run.failed += failures([module]);
      if (now() - run.toldAt < everyMs) return;
      run.toldAt = now();
      const seconds = Math.round((now() - run.startedAt) / 1000);
      const left = run.files - run.done;
      write(`${seconds} s: ${run.passed} passed, ${run.failed} failed, ${left} of ${run.files} files left\n`);
    },
    onTestRunEnd(modules) {
      // After the summary of the default reporter.
      process.on('exit', () => write(closing(modules)));
    },
  };
}

/** The last lines of a run. */
function closing(modules: readonly TestModule[]): string {
  const left = testsOf(modules).map((test) => {
    const result = test.result();
    return result.state === 'skipped' && result.note ? `not tried: ${test.fullName}: ${result.note}\n` : '';
  });
  return `${left.join('')}${count(modules, 'passed')} passed, ${failures(modules)} failed\n`;
}

const testsOf = (modules: readonly TestModule[]) => modules.flatMap((module) => [...module.children.allTests()]);

const count = (modules: readonly TestModule[], state: 'passed' | 'failed'): number =>
  testsOf(modules).filter((test) => test.result().state === state).length;

/** Tests that failed, and files that could not be run. */
const failures = (modules: readonly TestModule[]): number =>
  count(modules, 'failed') + modules.filter((module) => module.errors().length > 0).length;
