import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { filled } from '../support/markdown.ts';
import { generated, keysTable } from '../support/readme.ts';
import { layers } from './layers.ts';
import {
  dependencyFaults,
  fileFaults,
  headingFaults,
  idleFaults,
  lawFaults,
  type Manifest,
  messageFaults,
  nameFaults,
  promiseFaults,
  roomFaults,
  variableFaults,
} from './readme.ts';
import { root, sources } from './sources.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');
const manifest = JSON.parse(read('package.json')) as Manifest;

/** Packages that are run by name or read by the compiler. */
const tools = ['@biomejs/biome', '@types/node', '@types/react', 'knip', 'node', 'typescript'];

test('the generated tables are up to date (npm run readme writes them)', () => {
  for (const [path, parts] of Object.entries(generated)) expect(filled(read(path), parts()), path).toBe(read(path));
});

test('the README is a page of at most 120 lines', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(121);
});

test('CONTRIBUTING gives a reason for every package', () => {
  expect(dependencyFaults(read('CONTRIBUTING.md'), manifest)).toEqual([]);
});

test('the journey of CONTRIBUTING is part of one that runs', () => {
  const [, example = ''] = /## Write a journey[\s\S]*?```ts\n([\s\S]*?)```/.exec(read('CONTRIBUTING.md')) ?? [];
  const lines = read('test/journeys/retention.test.tsx').split('\n');
  expect(example).toContain('story(');
  expect(example.split('\n').filter((line) => !lines.includes(line))).toEqual([]);
});

test('every package is used', () => {
  expect(idleFaults(sources(), manifest, tools)).toEqual([]);
});

test('docs/environment.md documents every environment variable', () => {
  expect(variableFaults(read('docs/environment.md'), sources())).toEqual([]);
});

test('docs/troubleshooting.md quotes messages as the program says them', () => {
  expect(messageFaults(read('docs/troubleshooting.md'), sources())).toEqual([]);
});

test('test/README.md names every law', () => {
  const laws = readdirSync(import.meta.dirname).filter((name) => name.includes('.test.'));
  expect(lawFaults(read('test/README.md'), laws)).toEqual([]);
});

test('src/README.md names every room and what it may import', () => {
  expect(roomFaults(read('src/README.md'), layers)).toEqual([]);
});

test.each(globSync(['*.md', '{components,docs,screens,src,test}/*.md', '{docs,test}/*/*.md'], { cwd: root }))(
  'the commands, files and links of %s exist',
  (page) => {
    const text = read(page);
    expect(promiseFaults(text, manifest, (path) => existsSync(join(root, dirname(page), path)))).toEqual([]);
    expect(headingFaults(text, (path) => read(join(dirname(page), path)))).toEqual([]);
    expect(fileFaults(text, sources())).toEqual([]);
  },
);

test.each(globSync(['{components,screens,src,test}/*.md', 'docs/decisions.md'], { cwd: root }))(
  'the code has the names that %s uses',
  (page) => {
    expect(nameFaults(read(page), sources(), ['incrementalRendering', 'useInput'])).toEqual([]);
  },
);

test('the minimum Node version is the same everywhere', () => {
  const oldest = manifest.engines.node.replace('>=', '');
  const [major, minor] = oldest.split('.');
  expect(read('src/launch.js')).toContain(`major < ${major} || (major === ${major} && minor < ${minor})`);
  const targets = read('package/bundle.ts').match(/target: '[^']*'/g);
  expect(new Set(targets)).toEqual(new Set([`target: 'node${oldest}'`]));
  expect(readme).toContain(`Node ${oldest} or newer`);
});

test('the laws report each planted violation', () => {
  const some: Manifest = {
    devDependencies: { ink: '1', vitest: '1' },
    engines: { node: '' },
    scripts: {},
  };
  const rows = (...names: string[]) =>
    ['| package | why |', '| --- | --- |', ...names.map((name) => `| \`${name}\` | x |`)].join('\n');
  expect(dependencyFaults(rows('ink', 'vitest'), some)).toEqual([]);
  expect(dependencyFaults(rows('ink'), some)).toEqual(['vitest has no reason in CONTRIBUTING']);
  expect(dependencyFaults(rows('ink', 'vitest', 'left'), some)).toHaveLength(1);
  expect(dependencyFaults(rows('ink', 'vitest').replace('| x |', '| |'), some)).toHaveLength(1);
  expect(idleFaults([], some, ['vitest'])).toEqual(['nothing uses ink']);
  expect(idleFaults([{ path: 'test/a.ts', text: "import 'ink/x';" }], some, [])).toEqual(['nothing uses vitest']);
  const asks = [{ path: 'src/a.ts', text: 'env.ORGDECK_THEME' }];
  expect(variableFaults('', asks)).toEqual(['ORGDECK_THEME is not documented']);
  expect(variableFaults('| `ORGDECK_THEME` | x |', [])).toHaveLength(1);
  expect(promiseFaults('npm run paint, [a](b.md)', some, () => false)).toHaveLength(2);
  const tests = { ...some, scripts: { test: 'vitest', 'test:all': 'vitest' } };
  expect(promiseFaults('npm run test:all, npm run test:none', tests, () => true)).toEqual([
    'npm run test:none does not exist',
  ]);
  expect(fileFaults('`a.ts`, `b/c.tsx` and `d.json`', [{ path: 'src/b/a.ts' }])).toEqual(['there is no b/c.tsx']);
  const page = '| message | what to do |\n| --- | --- |\n| gone: … of … | x |\n| never | x |\n\n| more | x |';
  expect(messageFaults(page, [{ path: 'src/a.ts', text: "'gone: ' + n + ' of '" }])).toEqual(['nothing says "never"']);
  const linked = '# A page\n[here](#a-page) [there](b.md#one-two) [gone](b.md#three)';
  expect(headingFaults(linked, () => '## One, two')).toEqual(['b.md has no heading three']);
  const names = '`isGone`, `gone`, `isTold(…)`\n```ts\nlost(here); // and a word\n```';
  expect(nameFaults(names, [{ path: 'src/a.ts', text: 'isTold(here)' }], [])).toEqual([
    'there is no lost',
    'there is no isGone',
    'nothing exports isTold()',
  ]);
  const laws = '| `a.test.ts` | x |\n| `gone.test.tsx` | x |\n| `empty.test.ts` | |';
  expect(lawFaults(laws, ['a.test.ts', 'empty.test.ts', 'new.test.ts'])).toEqual([
    'the law empty.test.ts is not in the table',
    'the law new.test.ts is not in the table',
    'there is no law gone.test.tsx',
  ]);
  const room = { reaches: ['src/lib'], types: ['src/a'] };
  expect(roomFaults('| `src/b` | x | lib, types of a |', { 'src/b': room })).toEqual([]);
  expect(roomFaults('| `src/b` | x | lib |', { 'src/b': room, 'src/c': { reaches: 'everything' } })).toHaveLength(2);
  expect(filled('<!-- a:begin --> old <!-- a:end -->', { a: 'new' })).toContain('new');
  expect(() => filled('', { a: 'new' })).toThrow('markers');
  expect(keysTable([{ where: 'Find', keys: ['|', 'ctrl+d'], does: 'x' }])).toContain('| Find | `\\|` `Ctrl-D` | x |');
});
