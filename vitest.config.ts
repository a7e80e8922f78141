import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { createReporter } from './test/support/reporter.ts';
import { worded } from './test/support/vocabulary-journeys.ts';

// Ink and chalk behave otherwise where these are set; a test means the same on every machine.
for (const name of ['CI', 'CONTINUOUS_INTEGRATION', 'NO_COLOR', 'FORCE_COLOR']) delete process.env[name];
for (const name of Object.keys(process.env)) if (name.startsWith('ORGDECK_')) delete process.env[name];

// Where a started program keeps its compiled code: not in the home directory of whoever runs the tests.
process.env.XDG_CACHE_HOME = fileURLToPath(new URL('node_modules/.cache', import.meta.url));

/** The folders of test/. They run in the order of their names and share the workers. */
const folders: readonly Folder[] = [
  { name: 'laws' },
  { name: 'units' },
  { name: 'journeys' },
  // Those that show identifiers once more, on a service that has words of its own, and drawn by React's development build.
  { name: 'words', of: 'journeys', only: worded, warns: true, env: { ORGDECK_TEST_VOCABULARY: '1' } },
  { name: 'faults', keyless: true },
  { name: 'terminal', keyless: true },
];

/** How many files of the product a key enters, within bounds (`npm run flows`). */
const flows: Folder = { name: 'flows', of: 'bench' };

interface Folder {
  readonly name: string;
  /** The folder, where it is not called like the project. */
  readonly of?: string;
  /** Only files of these names. */
  readonly only?: readonly string[];
  /** What its programs write is searched for the keys of the tests. */
  readonly keyless?: boolean;
  /** Runs with React's development build, and a warning of it is a failure. */
  readonly warns?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

export default defineConfig(({ mode }) => ({
  // Components as they ship: React's development build takes twice the time.
  oxc: { jsx: { runtime: 'automatic', development: false } },
  test: {
    globalSetup: mode === 'faults' ? ['test/support/keyless-processes.ts'] : [],
    reporters: ['default', createReporter((text) => process.stdout.write(text), Date.now)],
    allowOnly: false,
    tags: [
      { name: 'long', description: 'takes seconds: npm run test:all has it, npm test does not' },
      {
        name: 'stored',
        description: 'a long test that the mutation tool runs, too: it compares with test/support/stored',
      },
      { name: 'faults', description: 'one of the long tests of docs/trust.md, which npm run test:faults runs' },
    ],
    projects: [...folders, ...(mode === 'flows' ? [flows] : [])].map(
      ({ name, of = name, only, keyless = false, warns = false, env = {} }) => ({
        test: {
          name,
          include: only?.map((file) => `test/${of}/${file}.test.tsx`) ?? [`test/${of}/**/*.test.{ts,tsx}`],
          pool: 'forks' as const,
          // No module holds state of its own, so that a worker imports the product once and not for each file.
          isolate: false,
          // Tests wait a third of the time, for processes, sockets and timeouts; the long ones of faults most of it.
          maxWorkers: Math.ceil((mode === 'faults' ? 2 : 1.5) * availableParallelism()),
          // A test that fails now and then is a defect: no second try hides it.
          retry: 0,
          setupFiles: [
            'test/support/seed.ts',
            ...(keyless ? ['test/support/no-keys.ts'] : []),
            ...(warns ? ['test/support/no-warnings.ts'] : []),
          ],
          // Where the tests run there is no terminal, but what they draw is for one with colors.
          env: {
            FORCE_COLOR: '1',
            NODE_ENV: warns ? 'development' : 'production',
            TEST_QUICK: mode === 'quick' ? '1' : '0',
            ...env,
          },
          testTimeout: 60_000,
          // A program starts in seconds where many share the machine.
          expect: { poll: { timeout: 8000 } },
          hookTimeout: 60_000,
        },
      }),
    ),
  },
}));
