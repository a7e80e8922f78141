import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { bundledPackages, notices } from '../../package/notices.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { noticeFaults, type PackageManifest, type Packed, packageFaults, pictures, rewriteFaults } from './package.ts';
import { importsOf, root, sources } from './sources.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as PackageManifest & { devDependencies: Record<string, string> };

test('the tarball contains the bundle, its papers with the pages that they cite, and nothing else', () => {
  // Without scripts: the bundle is built already, and other tests run it.
  const said = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, stdio: 'pipe' });
  const [packed] = JSON.parse(said.toString()) as Packed[];
  expect(packed).toBeDefined();
  const pages = globSync('docs/**/*.md', { cwd: root, exclude: ['docs/pictures.md'] });
  expect(packageFaults(packed as Packed, manifest, pages)).toEqual([]);
  const shown = ['README.md', ...pages].flatMap((page) =>
    [...read(page).matchAll(/\(((?:docs\/)?[\w-]+\.svg)\)/g)].map(([, path = '']) => join('docs', basename(path))),
  );
  expect([...new Set(shown)].toSorted()).toEqual(pictures);
});

test('every package that the program imports passes on its license notice', () => {
  const product = sources().filter(({ path }) => /^(src|components|screens)\//.test(path));
  const imported = product
    .flatMap(importsOf)
    .filter(({ to, isType }) => !isType && /^(@[\w-]+\/)?[\w-]+(\/|$)/.test(to) && to in manifest.devDependencies);
  const names = new Set(imported.map(({ to }) => to));
  expect(names.size).toBeGreaterThan(10);
  // Packages of packages, and code that the build itself generates.
  for (const name of ['yoga-layout', 'react-reconciler', 'scheduler', 'peggy']) names.add(name);
  expect(noticeFaults(read('dist/THIRD-PARTY-NOTICES'), [...names])).toEqual([]);
});

test('what conf loads for schemas and versions is not in the bundle', () => {
  const bundled = [...read('dist/THIRD-PARTY-NOTICES').matchAll(/^(\S+) \d\S* \(/gm)].map(([, name]) => name);
  expect(bundled).toContain('conf');
  const unused = /^(ajv.*|semver|fast-(uri|deep-equal)|json-schema-.*|require-from-string)$/;
  expect(bundled.filter((name) => unused.test(name ?? ''))).toEqual([]);
});

test('the build rewrites no file of a package: what ships is what is tested', () => {
  expect(rewriteFaults(read('package/bundle.ts'))).toEqual([]);
});

test('the packages of a bundle are those with code in it, wherever they lie', () => {
  const inputs = {
    'src/main.tsx': { bytesInOutput: 9 },
    'node_modules/ink/build/index.js': { bytesInOutput: 9 },
    'node_modules/ink/build/render.js': { bytesInOutput: 9 },
    'node_modules/@scope/a/node_modules/b/index.js': { bytesInOutput: 9 },
    'node_modules/dropped/index.js': { bytesInOutput: 0 },
  };
  expect(bundledPackages({ outputs: { 'dist/main.js': { inputs } } })).toEqual([
    'node_modules/@scope/a/node_modules/b',
    'node_modules/ink',
  ]);
});

test('a package without a license text stops the build', async () => {
  const place = temporaryFolder();
  mkdirSync(join(place, 'a'));
  writeFileSync(join(place, 'LICENSE'), 'Permission is hereby granted');
  writeFileSync(join(place, 'a/package.json'), '{"name":"a","version":"1.2.3","license":"MIT"}');
  await expect(notices(`${place}/`, ['a'])).rejects.toThrow('a has no license notice');
  writeFileSync(join(place, 'a/LICENSE.md'), 'the license of a');
  expect(await notices(`${place}/`, ['a'])).toContain('a 1.2.3 (MIT)\n\nthe license of a\n');
});

test('the laws report each planted violation', () => {
  const texts = ['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md'];
  const papers = ['package.json', ...texts, ...pictures, 'dist/THIRD-PARTY-NOTICES'];
  const files = [...papers, 'dist/main.js', 'dist/orgdeck.js', 'dist/package.json', 'dist/start.js'];
  const some: PackageManifest = { bin: { orgdeck: 'dist/orgdeck.js' }, scripts: {} };
  const faults = (more: readonly string[], change: Partial<PackageManifest> = {}, unpackedSize = 1) =>
    packageFaults({ unpackedSize, files: [...files, ...more].map((path) => ({ path })) }, { ...some, ...change });
  expect(faults([])).toEqual([]);
  expect(faults(['dist/.cache/v24/1'])).toEqual([
    'dist/.cache/v24/1 is packed: name it in shipped, or in man of package.json',
  ]);
  expect(faults([], { man: ['dist/man/orgdeck.1'] })).toEqual(['dist/man/orgdeck.1 is missing from the tarball']);
  expect(faults([], {}, 3_500_001)).toHaveLength(1);
  expect(faults([], { dependencies: { ink: '1' } })).toHaveLength(1);
  expect(faults([], { scripts: { prepare: 'x' } })).toHaveLength(1);
  expect(faults([], { private: true })).toHaveLength(1);
  expect(noticeFaults('ink 8.0.0 (MIT)\n\nMIT License', ['ink', 'react'])).toEqual(['react has no notice']);
  expect(noticeFaults('ink 8.0.0 (MIT)\n\n', ['ink'])).toHaveLength(1);
  expect(rewriteFaults("to.onLoad({ filter: /ink/, namespace: 'file' }, read);")).toHaveLength(1);
  expect(rewriteFaults("import { readFileSync } from 'node:fs';")).toHaveLength(1);
});
