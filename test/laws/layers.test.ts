import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { layerFaults, sessionFaults } from './layers.ts';
import { sources } from './sources.ts';

const plant = (path: string, text: string) => [{ path, text }];

test('the laws read the files of every part of the project', () => {
  const parts = new Set(sources().map(({ path }) => path.split('/')[0]));
  expect([...parts]).toEqual(expect.arrayContaining(['components', 'package', 'screens', 'src', 'test', 'build.mjs']));
  expect(sources('screens').map(({ path }) => path)).toContain('screens/index.ts');
});

test('the laws leave files alone that git does not track', () => {
  const project = temporaryFolder();
  const git = (...parts: string[]) => execFileSync('git', parts, { cwd: project });
  for (const name of ['kept.ts', 'deleted.ts', 'scratch.ts']) writeFileSync(join(project, name), '');
  git('init', '--quiet');
  git('add', 'kept.ts', 'deleted.ts');
  rmSync(join(project, 'deleted.ts'));
  expect(sources('', project)).toEqual([{ path: 'kept.ts', text: '' }]);
});

test('every import is allowed by its layer, and every file is in a layer', () => {
  expect(layerFaults(sources())).toEqual([]);
});

test('in the session no import goes up from a room to one above it', () => {
  expect(sessionFaults(sources())).toEqual([]);
});

test('the law reports an import that goes up in the session, of types too, and a folder without a place', () => {
  const type = "import type { Next } from '../edit/begin.ts';";
  expect(sessionFaults(plant('src/session/state/state-changes.ts', type))).toHaveLength(1);
  expect(sessionFaults(plant('src/session/watch/watching.ts', "import { update } from '../update.ts';"))).toHaveLength(
    1,
  );
  expect(sessionFaults(plant('src/session/layers/pick.ts', type))).toEqual([]);
  expect(sessionFaults(plant('src/session/helpers/all.ts', ''))).toHaveLength(1);
});

test('the law reports every form of import of the client by a screen', () => {
  for (const text of [
    "import { createClient } from '../src/client/client.ts';",
    "import type { Client } from '../src/client/client.ts';",
    "export * from '../src/client/client.ts';",
    "import '../src/client/client.ts';",
    "const { createClient } = await import('../src/client/client.ts');",
    "import {\n  type Client,\n  createClient,\n} from '../src/client/client.ts';",
  ])
    expect(layerFaults(plant('screens/keys.ts', text))).toHaveLength(1);
});

test('the law allows components the types of the vocabulary, not its values', () => {
  const from = "from '../src/describe/column.ts';";
  expect(layerFaults(plant('components/Table.tsx', `import type { Column } ${from}`))).toEqual([]);
  expect(layerFaults(plant('components/Table.tsx', `import { type Column, type Line } ${from}`))).toEqual([]);
  expect(layerFaults(plant('components/Table.tsx', `import { pair } ${from}`))).toHaveLength(1);
});

test('the law reports a new folder, and a program file that imports a test', () => {
  expect(layerFaults(plant('src/helpers/all.ts', ''))).toHaveLength(1);
  expect(layerFaults(plant('src/main.tsx', "import '../test/support/terminal.ts';"))).toHaveLength(1);
});

test('the law ignores comments', () => {
  expect(layerFaults(plant('screens/a.ts', "// import { x } from '../src/client/client.ts';"))).toEqual([]);
  expect(layerFaults(plant('screens/a.ts', "/* import { x } from '../src/client/client.ts'; */"))).toEqual([]);
});
