import { capitalized } from '../../lib/text.ts';
import { flash, pop } from '../change.ts';
import { leave, on } from '../keys/binding.ts';
import type { State } from '../state.ts';
import type { Next, World } from '../world.ts';
import type { LayerKind } from './kind.ts';
import type { LayerOf, MenuItem } from './layer.ts';
import { stepKeys } from './stepping.ts';

/** A menu: items to choose from, each with its key. */
export const menu: LayerKind<LayerOf<'menu'>> = {
  keys({ items }) {
    const isFree = (key: string) => !items.some((item) => item.key === key);
    return [
      ...items.flatMap(({ key, label, refused }) =>
        key ? [on([key], label, { do: 'barKey', key }, undefined, { refused })] : [],
      ),
      on(['return'], 'select', { do: 'choose' }, 1),
      ...[...stepKeys(true), leave()].map((binding) => ({ ...binding, keys: binding.keys.filter(isFree) })),
    ];
  },
  takesText: () => false,
  rows: (layer) => layer.items,
  update: {
    choose: (state, layer, _, world) => ran(state, layer.items[layer.cursor], world),
    barKey: (state, layer, { key }, world) =>
      ran(
        state,
        layer.items.find((item) => item.key === key),
        world,
      ),
  },
};

/** What has a key is an action; other labels are names, which stay as they are. */
const refusalOf = ({ key, label, refused }: Pick<MenuItem, 'key' | 'label' | 'refused'>): string =>
  key === undefined ? `${label}: ${refused}` : capitalized(`${label}: ${refused}`);

/** Closes the layer and runs the chosen item, as if its key had been pressed; a refused item is only explained. */
export function ran(
  state: State,
  item: Pick<MenuItem, 'key' | 'label' | 'refused' | 'run'> | undefined,
  { context }: World,
): Next {
  if (!item) return { state };
  if (item.refused) return { state: flash(state, refusalOf(item), 'warn', context.now) };
  return { state: pop(state), effects: [{ ask: 'later', ms: 0, message: item.run }] };
}
