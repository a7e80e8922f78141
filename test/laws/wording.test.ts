import { expect, test } from 'vitest';
import { sources } from './sources.ts';
import { doorFaults, leftovers, longFaults, secretFaults, wordFaults } from './wording.ts';

const files = sources();
const plant = (path: string, text: string) => [{ path, text }];

test('restricted words stand only in their allowed files', () => {
  expect(wordFaults(files)).toEqual([]);
});

test('restricted packages are imported only in their allowed files', () => {
  expect(doorFaults(files)).toEqual([]);
});

test('no notes to oneself are left, and every test runs', () => {
  expect(leftovers(files)).toEqual([]);
});

test('no file contains a text that looks like a secret', () => {
  expect(secretFaults(files)).toEqual([]);
});

test('no file is over 400 lines', () => {
  expect(longFaults(files)).toEqual([]);
});

test('the laws report each planted violation', () => {
  for (const [path, text] of [
    ['src/shell/show.tsx', "process.stdout.write('x');"],
    ['src/cli/call.ts', 'console.log(1);'],
    ['src/session/session.ts', 'setTimeout(go, 5);'],
    ['screens/issues.ts', 'const now = Date.now();'],
    ['src/cache/cache.ts', 'const now = new Date();'],
    ['src/client/send.ts', "await fetch('http://127.0.0.1');"],
    ['screens/issues.ts', 'const place = encodeURIComponent(id);'],
    ['src/cache/cache.ts', 'let count = 0;'],
    ['src/cache/cache.ts', '// @ts-expect-error'],
    ['src/shell/show.tsx', 'const title = name as Painted;'],
    ['src/shell/show.tsx', 'return <Text>{name}</Text>;'],
  ] as const)
    expect(wordFaults(plant(path, text)), text).toHaveLength(1);
  expect(wordFaults(plant('src/terminal/output.ts', 'process.stdout.write(frame);'))).toEqual([]);
  expect(wordFaults(plant('src/session/session.ts', '/** setTimeout( would be wrong here. */'))).toEqual([]);
  expect(doorFaults(plant('src/session/a.ts', "import { request } from 'undici';"))).toHaveLength(1);
  expect(doorFaults(plant('src/session/a.ts', "import type { Dispatcher } from 'undici';"))).toEqual([]);
  expect(leftovers(plant('a.ts', `// ${'TO'}${'DO'}: later`))).toHaveLength(1);
  expect(leftovers(plant('a.ts', `test${'.skip'}('x', () => {});`))).toHaveLength(1);
  expect(secretFaults(plant('a.ts', `const key = '${['9c2f71e8', 'b04ad653'].join('').repeat(2)}';`))).toHaveLength(1);
  expect(secretFaults(plant('a.ts', `const key = '${'abcd0000'.repeat(4)} ${'a0b1c2d3e4f5a6b7'.repeat(2)}';`))).toEqual(
    [],
  );
  expect(longFaults(plant('a.ts', '\n'.repeat(401)))).toHaveLength(1);
  expect(longFaults(plant('a.test.ts', '\n'.repeat(401)))).toEqual([]);
});
