import { expect, test } from 'vitest';
import { longLivedPronouns, repeatedExports } from './names.ts';
import { sources } from './sources.ts';

test('a name is exported by one file', () => {
  expect(repeatedExports(sources())).toEqual([]);
});

test('a local that is used over more than five lines is a noun or a verb', () => {
  expect(longLivedPronouns(sources())).toEqual([]);
});

test('the law finds a name that is exported twice, and a pronoun that lives long', () => {
  const files = ['src/a.ts', 'screens/b.ts'].map((path) => ({ path, text: 'export const shape = 1;\n' }));
  expect(repeatedExports(files)).toEqual(['shape: rename it in src/a.ts or screens/b.ts']);
  const body = (lines: number) => `function f({ own }: A) {\n${'  g();\n'.repeat(lines)}  return own;\n}\n`;
  expect(longLivedPronouns([{ path: 'src/a.ts', text: body(5) }])).toEqual(['src/a.ts:1: own is used over 7 lines']);
  expect(longLivedPronouns([{ path: 'src/a.ts', text: body(2) }])).toEqual([]);
});
