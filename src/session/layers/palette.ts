import { pop, swap } from '../change.ts';
import { leave, on } from '../keys/binding.ts';
import { matcher } from '../list/filter.ts';
import type { World } from '../world.ts';
import type { LayerKind } from './kind.ts';
import type { LayerOf, MenuItem } from './layer.ts';
import { ran } from './menu.ts';
import { stepKeys, typedLine } from './stepping.ts';

/** All commands, found by name. */
export const palette: LayerKind<LayerOf<'palette'>> = {
  keys: () => [on(['return'], 'do it', { do: 'choose' }, 1), ...stepKeys(false), leave(['esc'])],
  takesText: () => true,
  rows: (layer, world) => matchingPalette(layer.query.text, world),
  typed: (state, layer, typed) => ({
    state:
      layer.query.text === '' && typed.text === '' && typed.key === 'backspace'
        ? pop(state)
        : swap(state, { ...layer, query: typedLine(layer.query, typed), cursor: 0 }),
  }),
  update: {
    choose: (state, layer, _, world) => ran(state, matchingPalette(layer.query.text, world)[layer.cursor], world),
  },
};

/** The palette's items that match: every binding below the layers except moves. */
export function matchingPalette(query: string, world: World): readonly MenuItem[] {
  const items: MenuItem[] = world.below
    .filter(({ group, run }) => group !== 'move' && group !== 'here' && run.do !== 'palette')
    .map(({ title, help, keys, refused, doubt, run }) => ({
      id: title,
      label: title,
      hint: help,
      key: keys[0],
      refused,
      doubt,
      run,
    }));
  const typed = query.trim();
  if (typed === 'q' || typed === 'q!' || typed === 'quit') return items.filter((item) => item.run.do === 'quit');
  const test = matcher(query);
  if (!test) return items;
  const isLater = (item: MenuItem) => (item.label.toLowerCase().startsWith(typed.toLowerCase()) ? 0 : 1);
  return items
    .filter(({ label, hint = '' }) => test(`${label} ${hint}`.toLowerCase()))
    .sort((one, other) => isLater(one) - isLater(other));
}
