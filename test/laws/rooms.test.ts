import { expect, test } from 'vitest';
import { importCycles, roomsOf, twiceExported } from './rooms.ts';
import { sources } from './sources.ts';

const ours = sources();
/** Names that files of a folder share, because each is loaded by its path and read under that name. */
const loadedByPath = { folder: 'test/support/sentences/', names: ['sentences'] };

test.each(roomsOf(ours))('no name is exported twice in %s', (room) => {
  const shared = loadedByPath.names.map((name) => `${name} is exported by ${loadedByPath.folder}`);
  expect(twiceExported(ours, room).filter((fault) => !shared.some((start) => fault.startsWith(start)))).toEqual([]);
});

test('no import cycles exist, types included', () => {
  expect(importCycles(ours)).toEqual([]);
});

test('the law reports a name that stands twice, and no other', () => {
  const files = [
    { path: 'src/lib/one.ts', text: 'export const undone = 1;\nexport interface Row {}\nconst own = 1;' },
    { path: 'src/lib/b/two.ts', text: 'export function undone() {}\nconst own = 2;' },
    { path: 'src/lib/c.ts', text: 'export const { merge, from: joined } = made;' },
    { path: 'src/lib/d.ts', text: 'export function* joined() {}\nexport const from = 1;' },
    { path: 'src/api/three.ts', text: 'export type Row = 1;' },
  ];
  expect(twiceExported(files, 'src/lib')).toEqual([
    'undone is exported by src/lib/one.ts and src/lib/b/two.ts',
    'joined is exported by src/lib/c.ts and src/lib/d.ts',
  ]);
});

test('a domain of the screens is a room with its folder and its file', () => {
  const files = [
    { path: 'screens/keys.ts', text: 'export const columns = [];' },
    { path: 'screens/keys/people.ts', text: 'export const columns = [];' },
    { path: 'screens/issues/columns.ts', text: 'export const columns = [];' },
    { path: 'src/main.tsx', text: '' },
  ];
  expect(roomsOf(files)).toEqual(['screens/issues', 'screens/keys']);
  expect(twiceExported(files, 'screens/keys')).toEqual([
    'columns is exported by screens/keys.ts and screens/keys/people.ts',
  ]);
});

test('the law reports a cycle of types', () => {
  const files = [
    { path: 'src/lib/a.ts', text: "import type { B } from './b.ts';" },
    { path: 'src/lib/b.ts', text: "import type { C } from './c.ts';" },
    { path: 'src/lib/c.ts', text: "import { a } from './a.ts';" },
    { path: 'src/lib/d.ts', text: "import { a } from './a.ts';" },
  ];
  expect(importCycles(files)).toEqual(['src/lib/a.ts src/lib/b.ts src/lib/c.ts']);
  expect(importCycles(files.slice(1))).toEqual([]);
});
