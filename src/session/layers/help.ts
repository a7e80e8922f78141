import { pop, swap } from '../change.ts';
import { type Binding, leave, on } from '../keys/binding.ts';
import { matcher } from '../list/filter.ts';
import type { World } from '../world.ts';
import type { LayerKind } from './kind.ts';
import type { LayerOf } from './layer.ts';
import { ran } from './menu.ts';
import { stepKeys, typedLine } from './stepping.ts';

/** Every key with what it does, searched by words; Return does it. */
export const help: LayerKind<LayerOf<'help'>> = {
  keys: (layer) => [
    on(['return'], 'run', { do: 'choose' }, 1),
    ...(layer.searching ? [] : [on(['/'], 'search', { do: 'typing' }, 2)]),
    ...stepKeys(!layer.searching),
    leave(layer.searching ? ['esc'] : ['esc', 'q', '?', 'backspace']),
  ],
  takesText: (layer) => layer.searching,
  rows: (layer, world) => matchingHelp(layer.query.text, world),
  typed: (state, layer, typed) => ({
    state: swap(state, { ...layer, query: typedLine(layer.query, typed), cursor: 0 }),
  }),
  update: {
    typing: (state, layer) => ({ state: swap(state, { ...layer, searching: true, cursor: 0 }) }),
    pop: (state, layer) => ({
      state: layer.searching
        ? swap(state, { ...layer, searching: false, query: { text: '', cursor: 0 }, cursor: 0 })
        : pop(state),
    }),
    choose(state, layer, _, world) {
      const found = matchingHelp(layer.query.text, world)[layer.cursor];
      return ran(state, found && { ...found, label: found.title, key: found.keys[0] }, world);
    },
  },
};

const groupOrder: readonly Binding['group'][] = ['here', 'write', 'find', 'choose', 'copy', 'move', 'anywhere', 'back'];

/** Bindings of what lies below the layers, those that the query matches, group by group. */
export function matchingHelp(query: string, world: World): readonly Binding[] {
  const test = matcher(query);
  const place = ({ group }: Binding) => groupOrder.indexOf(group);
  return world.below
    .filter(({ group }) => group !== 'recent')
    .toSorted((one, other) => place(one) - place(other))
    .filter(
      ({ keys, title, help = '', group }) => !test || test(`${keys.join(' ')} ${title} ${help} ${group}`.toLowerCase()),
    );
}
