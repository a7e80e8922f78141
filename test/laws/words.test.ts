import { expect, test } from 'vitest';
import { screens } from '../../screens/index.ts';
import { sources } from './sources.ts';
import { bannedFaults, capitalFaults, layerTitleFaults } from './words.ts';

test('no text of a description uses a banned phrase', () => {
  expect(bannedFaults(sources())).toEqual([]);
});

test('titles, help and empty texts begin with a capital; column heads are capitals', () => {
  expect(capitalFaults(screens)).toEqual([]);
});

test('the law finds a banned phrase, a small letter and a small column head', () => {
  const text = "const help = 'muted for ever';";
  expect(bannedFaults([{ path: 'screens/one.ts', text }])).toHaveLength(1);
  expect(bannedFaults([{ path: 'src/simulator/one.ts', text }])).toEqual([]);
  const [list] = screens[0]?.lists ?? [];
  if (!list) throw new Error('there is no list');
  const column = { ...list.columns[0], id: 'x', title: 'State', min: 1, priority: 1, text: () => '' };
  const lower = { ...list, title: 'issues', empty: 'nothing', columns: [column], actions: [] };
  expect(capitalFaults([{ id: 'one', title: 'One', lists: [lower] }])).toHaveLength(3);
});

test('titles of layers begin with a capital', () => {
  expect(layerTitleFaults(sources())).toEqual([]);
  const planted = [
    "push(state, { kind: 'menu', title: 'copy', items })",
    'return <Frame title={[{ text: plain`palette`, bold: true }]} />',
    "formLayer('search', fields)",
  ].map((text, at) => ({ path: `src/session/${at}.tsx`, text }));
  expect(layerTitleFaults(planted)).toHaveLength(3);
});
