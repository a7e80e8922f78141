import { expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import { sources } from './sources.ts';
import { bannedFaults, capitalFaults } from './words.ts';

test('no text of a description uses a banned phrase', () => {
  expect(bannedFaults(sources())).toEqual([]);
});

test('titles, help and empty texts begin with a capital; column heads are capitals', () => {
  expect(capitalFaults(screens)).toEqual([]);
});

test('the law finds a banned phrase, a small letter and a small column head', () => {
  const text = "const help = 'muted for ever';";
  expect(bannedFaults([{ path: 'screens/one.ts', text }])).toHaveLength(1);
  expect(bannedFaults([{ path: 'src/lib/one.ts', text }])).toEqual([]);
  const [list] = screens[0]?.lists ?? [];
  if (!list) throw new Error('there is no list');
  const column = { ...list.columns[0], id: 'x', title: 'State', min: 1, priority: 1, text: () => '' };
  const lower = { ...list, title: 'issues', empty: 'nothing', columns: [column], actions: [] };
  expect(capitalFaults([{ id: 'one', title: 'One', lists: [lower] }])).toHaveLength(3);
});
