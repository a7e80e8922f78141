import { expect, test } from 'vitest';
import { rewritten, unshipped } from './shipped.ts';
import { sources } from './sources.ts';

test('every file of the product is reached from its entry, so that the bundle contains what is tested', () => {
  expect(unshipped(sources())).toEqual([]);
});

test('the build rewrites no file of the product', () => {
  const ours = sources();
  const build = ours.find(({ path }) => path === 'build.mjs');
  expect(rewritten(build?.text ?? '', ours)).toEqual([]);
});

test('the law reports a plugin of the build that rewrites a file of the product', () => {
  const files = ['src/lib/one.ts', 'src/lib/two.ts'].map((path) => ({ path, text: '' }));
  const plugin = (call: string) => rewritten(`const plugin = { setup(to) { ${call} } };`, files);
  expect(plugin('to.onLoad({ filter: /[\\\\/]lib[\\\\/]one\\.ts$/ }, load);')).toEqual(['src/lib/one.ts']);
  expect(plugin("patch(/two\\.ts$/, ['a', 'b']);")).toEqual(['src/lib/two.ts']);
  expect(plugin("to.onLoad({ filter: /.*/, namespace: 'nothing' }, load);")).toEqual([]);
});

test('the law reports a file that only a test imports', () => {
  const files = [
    { path: 'src/main.tsx', text: "import { a } from './lib/a.ts';\nawait import('./cli/b.ts');" },
    { path: 'src/lib/a.ts', text: '' },
    { path: 'src/cli/b.ts', text: '' },
    { path: 'src/lib/c.ts', text: '' },
    { path: 'test/units/c.test.ts', text: "import { c } from '../../src/lib/c.ts';" },
  ];
  expect(unshipped(files)).toEqual(['src/lib/c.ts']);
});
