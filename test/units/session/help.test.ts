import { expect, test } from 'vitest';
import { filterList } from '../../../screens/retention.ts';
import { help } from '../../../src/session/layers/help.ts';
import { bindingSentence } from '../../../src/session/state/binding.ts';
import type { LayerOf } from '../../../src/session/state/layer.ts';
import type { Moment } from '../../../src/session/state/moment.ts';
import { initial, type State } from '../../../src/session/state/state.ts';

const bare = initial([{ id: 'retention', title: 'Retention', key: '1', lists: [filterList] }], {
  columns: 100,
  rows: 30,
});
const found: LayerOf<'help'> = { kind: 'help', query: { text: 'mute', cursor: 4 }, cursor: 3, searching: true };
const state: State = { ...bare, layers: [found] };
const noWorld = {} as Moment;

test('Esc ends the search of the help: everything is listed again from its first line; / begins it at the first line', () => {
  const left = help.update.closeLayer?.(state, found, { type: 'closeLayer' }, noWorld);
  expect(left?.state.layers).toEqual([{ kind: 'help', query: { text: '', cursor: 0 }, cursor: 0, searching: false }]);
  const reading = { ...found, searching: false };
  const begun = help.update.startTyping?.({ ...state, layers: [reading] }, reading, { type: 'startTyping' }, noWorld);
  expect(begun?.state.layers).toEqual([{ ...found, cursor: 0 }]);
});

test('the keys of the help: Return runs, / searches while nothing is typed', () => {
  const names = (layer: LayerOf<'help'>) => help.keys(layer, state).flatMap(({ keys }) => keys);
  expect(names({ ...found, searching: false })).toEqual(expect.arrayContaining(['return', '/', 'esc', 'q', '?']));
  expect(names(found)).toContain('return');
  for (const letter of ['/', 'q', '?', 'j']) expect(names(found), letter).not.toContain(letter);
});

test('a key is said by its help where that names it, else by its title and its help', () => {
  expect(bindingSentence({ title: 'mute', help: 'Mute the monitor; you choose for how long' })).toBe(
    'Mute the monitor; you choose for how long',
  );
  expect(bindingSentence({ title: 'time range', help: 'Change the time range; it is 1h now' })).toBe(
    'Change the time range; it is 1h now',
  );
  expect(bindingSentence({ title: 'new', help: 'Create a renewal' })).toBe('New: Create a renewal');
  expect(bindingSentence({ title: 'quit' })).toBe('Quit');
});
