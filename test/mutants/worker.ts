import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest, type TestSequencer, type TestSpecification } from 'vitest/node';
import { type Catalog, projectRoot } from './catalog.ts';
import type { Line, Work } from './runner.ts';

/** Runs test files in a worker of its own, on the code with all changes in it. */
export interface Workers {
  /** The paths of the test files of a folder of test/. */
  filesOf(folder: string): readonly string[];
  /** Runs until all is done or a change has taken longer than its limit; tells each line as it comes. */
  run(folder: string, files: readonly string[], work: Omit<Work, 'results'>, told: (line: Line) => void): Promise<void>;
  close(): void;
}

export async function createWorkers(catalog: Catalog): Promise<Workers> {
  const room = mkdtempSync(join(tmpdir(), 'orgdeck-mutants-'));
  process.env.TMPDIR = room;
  process.env.NODE_NO_WARNINGS = '1';
  // What was made without a change would hide it.
  const changed = (path: string, text: string) =>
    path === 'src/lib/bounded-cache.ts'
      ? 'export const memoized = (size, make) => make;'
      : catalog.switched(path, text);
  const vitest = await createVitest(
    'test',
    {
      root: projectRoot,
      watch: false,
      reporters: [{}],
      passWithNoTests: true,
      tagsFilter: ['!long or stored'],
      teardownTimeout: 500,
      fsModuleCache: false,
      sequence: { sequencer: InGivenOrder },
    },
    {
      plugins: [
        {
          name: 'mutants',
          enforce: 'pre',
          transform: (text, id) => changed(relative(projectRoot, id.split('?')[0] ?? id), text),
        },
      ],
    },
  );
  // Vitest has its files in the room by now. Tests have a folder of their own in it, which a change may empty; all goes at the end.
  process.env.TMPDIR = join(room, 'tests');
  const all = await vitest.globTestSpecifications();
  for (const project of vitest.projects) {
    project.config.runner = fileURLToPath(new URL('runner.ts', import.meta.url));
    project.config.maxWorkers = 1;
  }

  return {
    filesOf: (folder) =>
      all.filter(({ project }) => project.name === folder).map(({ moduleId }) => relative(projectRoot, moduleId)),
    async run(folder, files, work, told) {
      const project = vitest.projects.find(({ name }) => name === folder);
      if (!project) throw new Error(`no such folder: test/${folder}`);
      const results = join(room, 'results.jsonl');
      mkdirSync(join(room, 'tests'), { recursive: true });
      const reader = createReader(results, told);
      vitest.provide('work', { ...work, results });
      const watch = setInterval(() => {
        reader.read();
        if (reader.isLate()) endWorkers();
      }, 200);
      try {
        vitest.state.clearErrors();
        const driver = join(projectRoot, 'test/mutants/driver.ts');
        const { testModules } = await vitest.runTestSpecifications(
          [...files.map((path) => join(projectRoot, path)), driver].map((path) => project.createSpecification(path)),
        );
        const run = testModules.find(({ moduleId }) => moduleId === driver);
        const [test] = run?.children.allTests('failed') ?? [];
        const [error] = test?.result().errors ?? run?.errors() ?? [];
        if (error) throw new Error(`the worker of ${folder} fails: ${error.stack ?? error.message}`);
      } finally {
        clearInterval(watch);
        reader.read();
        rmSync(results, { force: true });
      }
    },
    close() {
      endWorkers();
      rmSync(room, { recursive: true, force: true });
    },
  };
}

/** Vitest's own order puts first what failed or took long before. */
class InGivenOrder implements TestSequencer {
  sort = async (files: TestSpecification[]) => files;
  shard = this.sort;
}

/** Reads the lines of a file as they are added. */
function createReader(path: string, told: (line: Line) => void) {
  const state = { lines: 0, limit: Number.POSITIVE_INFINITY };
  return {
    read(): void {
      const lines = readOr(path, '').split('\n').slice(state.lines, -1);
      state.lines += lines.length;
      for (const text of lines) {
        const line = JSON.parse(text) as Line;
        state.limit = line.kind === 'began' ? performance.now() + line.limitMs : Number.POSITIVE_INFINITY;
        told(line);
      }
    },
    isLate: () => performance.now() > state.limit,
  };
}

/** Ends the test processes that this one started: a loop without an end does not hear a polite request. */
function endWorkers(): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const [, parent] = readOr(`/proc/${pid}/stat`, '').split(') ')[1]?.split(' ') ?? [];
    if (Number(parent) === process.pid) process.kill(Number(pid), 'SIGKILL');
  }
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}
