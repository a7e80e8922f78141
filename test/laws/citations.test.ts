import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { endpoints } from '../../src/api/all-endpoints.ts';
import { citationFaults, operationFaults, unknownFiles, untitledPromises } from './citations.ts';
import { root, sources } from './sources.ts';

const read = (path: string): string | undefined =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
const pages = globSync(['*.md', '{components,docs,screens,src,test}/*.md', '{docs,test}/*/*.md', 'src/**/*.peggy'], {
  cwd: root,
});

test('every page and heading that code and documents cite exists', () => {
  const files = [...sources(), ...pages.map((path) => ({ path, text: read(path) ?? '' }))];
  const others = files.filter(({ path }) => !path.startsWith('test/laws/citations.'));
  expect(others.flatMap((file) => citationFaults(file, read))).toEqual([]);
});

test('every file of code that a comment of the product names exists', () => {
  const all = sources();
  const names = new Set(all.map(({ path }) => basename(path)));
  const product = all.filter(({ path }) => /^(?:src|screens|components)\//.test(path));
  expect(product.flatMap((file) => unknownFiles(file, names))).toEqual([]);
  expect(unknownFiles({ path: 'src/a.ts', text: '/** As b.ts does. */' }, names)).toEqual([
    'src/a.ts:1 names b.ts, which does not exist',
  ]);
});

test('every operation cites the page of the contract that names its path and permissions', () => {
  expect(operationFaults(endpoints, read)).toEqual([]);
});

test('every promise of docs/trust.md names tests by file and title, which are there', () => {
  const page = read('docs/trust.md') ?? '';
  expect(untitledPromises(page, read)).toEqual([]);
  const promises = page.split('\n').filter((line) => /^\| (?!---|Promise )/.test(line));
  expect(promises.filter((line) => !line.includes('`test/'))).toEqual([]);
});

test('the law reports each planted violation', () => {
  const page = (path: string) => (path === 'docs/design/a.md' ? '# A\n## One, two\n## Three' : undefined);
  const faults = (text: string) => citationFaults({ path: 'src/a.ts', text }, page);
  expect(faults('/** See docs/design/a.md#one-two, #three. */ and (docs/design/a.md)')).toEqual([]);
  expect(faults('/** docs/design/b.md */')).toEqual(['src/a.ts cites docs/design/b.md, which does not exist']);
  expect(faults('// docs/design/a.md#four')).toEqual([
    'src/a.ts cites docs/design/a.md#four, which is no heading there',
  ]);
  expect(faults('// docs/design/a.md#three, #five')).toHaveLength(1);
  for (const form of ['design/a.md', '(spec: Limits)', '(design: polling)', '(contract, 4)', 'contract section 4'])
    expect(faults(`// ${form}`), form).toHaveLength(1);
  const promised = (tests: string) => untitledPromises(`| a | b | ${tests} |`, () => "test('one is two', …)");
  expect(promised('`test/a.test.ts` *one is*, *two*; `test/b.test.ts` *one*')).toEqual([]);
  expect(promised('`test/a.test.ts` *one*, *three*')).toEqual(['test/a.test.ts has no test "three"']);
  expect(promised('`test/a.test.ts`, `test/b.test.ts` *one*')).toEqual([
    'test/a.test.ts is named without the title of a test',
  ]);
  const operation = { id: 'a.get', path: '/a/{a_id}', permission: ['a_read'], source: 'docs/contract/a.md#one' };
  const named = (text: string) => operationFaults([operation], () => text);
  expect(named('`GET /a/{a_id}` needs a_read')).toEqual([]);
  expect(named('`GET /a/{a_id}`')).toEqual(['docs/contract/a.md does not name a_read of a.get']);
  expect(named('`GET /a` needs a_read')).toHaveLength(1);
  expect(operationFaults([{ ...operation, source: 'elsewhere' }], () => '')).toEqual([
    'a.get cites no page of the contract',
  ]);
});
