import { expect, test } from 'vitest';
import { knots, twiceExported } from './rooms.ts';
import { sources } from './sources.ts';

const rooms = ['src/session', 'src/shell', 'src/cache', 'src/journal'];
const ours = sources().filter(({ path }) => rooms.some((room) => path.startsWith(`${room}/`)));

test.each(rooms)('no name is exported twice in %s', (room) => {
  expect(twiceExported(ours, room)).toEqual([]);
});

test('no files of the session, the shell, the cache and the journal need each other in a circle, types included', () => {
  expect(knots(ours)).toEqual([]);
});

test('the law sees a name that stands twice, and no other', () => {
  const files = [
    { path: 'src/a/one.ts', text: 'export const undone = 1;\nexport interface Row {}\nconst own = 1;' },
    { path: 'src/a/b/two.ts', text: 'export function undone() {}\nconst own = 2;' },
    { path: 'src/other/three.ts', text: 'export type Row = 1;' },
  ];
  expect(twiceExported(files, 'src/a')).toEqual(['undone is exported by src/a/one.ts and src/a/b/two.ts']);
});

test('the law sees a circle of types', () => {
  const files = [
    { path: 'src/a/a.ts', text: "import type { B } from './b.ts';" },
    { path: 'src/a/b.ts', text: "import type { C } from './c.ts';" },
    { path: 'src/a/c.ts', text: "import { a } from './a.ts';" },
    { path: 'src/a/d.ts', text: "import { a } from './a.ts';" },
  ];
  expect(knots(files)).toEqual(['src/a/a.ts src/a/b.ts src/a/c.ts']);
  expect(knots(files.slice(1))).toEqual([]);
});
