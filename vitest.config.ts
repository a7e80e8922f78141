import { defineConfig } from 'vitest/config';
import type { Reporter } from 'vitest/node';

// Ink and chalk behave otherwise where these are set; a test means the same on every machine.
for (const name of ['CI', 'CONTINUOUS_INTEGRATION', 'NO_COLOR', 'FORCE_COLOR']) delete process.env[name];
for (const name of Object.keys(process.env)) if (name.startsWith('ORGDECK_')) delete process.env[name];

/** Ends the output with one plain line; what passed only at the second try is named before it. */
const closing: Reporter = {
  onTestRunEnd(modules) {
    const tests = modules.flatMap((it) => [...it.children.allTests()]);
    const again = tests.filter((it) => it.result().state === 'passed' && (it.diagnostic()?.retryCount ?? 0) > 0);
    const named = again.map((it) => `passed at the second try: ${it.fullName}\n`).join('');
    const passed = tests.filter((it) => it.result().state === 'passed').length;
    const broken = modules.filter((it) => it.errors().length > 0).length;
    const failed = tests.filter((it) => it.result().state === 'failed').length + broken;
    process.on('exit', () => process.stdout.write(`${named}${passed} passed, ${failed} failed\n`));
  },
};

/**
 * The folders of test/, in the order in which they run; what needs the machine for itself runs alone. Where processes and
 * sockets meet real time, a machine that stops for a second is no fault: such a test may have a second try.
 */
const folders: readonly { name: string; of?: string; alone: boolean; retry: number; env?: Record<string, string> }[] = [
  { name: 'laws', alone: false, retry: 0 },
  { name: 'units', alone: false, retry: 0 },
  { name: 'faults', alone: true, retry: 1 },
  { name: 'journeys', alone: false, retry: 1 },
  // The same stories with a service that has words of its own.
  { name: 'words', of: 'journeys', alone: false, retry: 1, env: { ORGDECK_TEST_VOCABULARY: '1' } },
  { name: 'terminal', alone: true, retry: 1 },
];

export default defineConfig({
  test: {
    reporters: ['default', closing],
    allowOnly: false,
    projects: folders.map(({ name, of = name, alone, retry, env = {} }, place) => ({
      test: {
        name,
        include: [`test/${of}/**/*.test.{ts,tsx}`],
        pool: 'forks' as const,
        maxWorkers: alone ? 1 : 2,
        retry,
        setupFiles: retry === 0 || name === 'faults' ? ['test/support/seed.ts'] : [],
        sequence: { groupOrder: place },
        // The person of a journey sits at a terminal with colours; there is none where the tests run.
        env: { ...(of === 'journeys' ? { FORCE_COLOR: '1' } : {}), ...env },
        testTimeout: 60_000,
        hookTimeout: 60_000,
      },
    })),
  },
});
