import uFuzzy from '@leeoniya/ufuzzy';
import { once } from '../../lib/once.ts';
import { pop, swap } from '../change.ts';
import { type Binding, leave, on } from '../keys/binding.ts';
import { matcher } from '../list/filter.ts';
import type { World } from '../world.ts';
import { profileItems, typedCommand, wordCommands } from './commands.ts';
import type { LayerKind } from './kind.ts';
import type { LayerOf, MenuItem } from './layer.ts';
import { ran } from './menu.ts';
import { stepKeys, typedLine } from './stepping.ts';

/** All commands, found by name. */
export const palette: LayerKind<LayerOf<'palette'>> = {
  keys: () => [on(['return'], 'run', { do: 'choose' }, 1), ...stepKeys(false), leave(['esc'])],
  takesText: () => true,
  rows: (layer, world) => matchingPalette(layer, world),
  typed: (state, layer, typed) => ({
    state:
      layer.query.text === '' && typed.text === '' && typed.key === 'backspace'
        ? pop(state)
        : swap(state, { ...layer, query: typedLine(layer.query, typed), cursor: 0 }),
  }),
  update: {
    choose: (state, layer, _, world) => ran(state, matchingPalette(layer, world)[layer.cursor], world),
  },
};

/** Not what only a key does: moving, and further keys that quit. */
const isCommand = ({ group, title, run, refused }: Binding): boolean =>
  group !== 'move' &&
  group !== 'here' &&
  (group !== 'back' || (refused === undefined && title !== 'quit')) &&
  run.do !== 'palette' &&
  run.do !== 'interrupt';

/** Letters of every language; the words of a query in any order. */
const fuzzy = once(
  () =>
    new uFuzzy({
      unicode: true,
      interSplit: "[^\\p{L}\\d']+",
      intraSplit: '\\p{Ll}\\p{Lu}',
      intraBound: '\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}',
      intraChars: "[\\p{L}\\d']",
      intraContr: "'\\p{L}{1,2}\\b",
    }),
);

/** The palette's items that match: a command with words behind it first, then by rank, those that match in their help last. */
export function matchingPalette(layer: LayerOf<'palette'>, world: World): readonly MenuItem[] {
  const { profiles } = layer;
  const query = layer.query.text;
  const keyed: MenuItem[] = world.below.filter(isCommand).map(({ title, help, keys, refused, doubt, run }) => ({
    id: title,
    label: title,
    hint: help,
    key: keys[0],
    refused,
    doubt,
    run,
  }));
  const items = [...keyed, ...wordCommands, ...profileItems(profiles, world)];
  const typed = query.trim();
  if (typed === '') return items;
  if (typed === 'q' || typed === 'q!' || typed === 'quit') return items.filter((item) => item.run.do === 'quit');
  const command = typedCommand(typed, world, profiles);
  const [found, info, order] = fuzzy().search(
    items.map(({ label }) => label),
    typed,
    1,
  );
  const places = order && info ? order.flatMap((at) => info.idx[at] ?? []) : (found ?? []);
  const named = places.flatMap((at) => items[at] ?? []);
  const test = matcher(query) ?? (() => true);
  const others = items.filter(
    (item) => !named.includes(item) && test(`${item.label} ${item.hint ?? ''}`.toLowerCase()),
  );
  // Words that mean nothing may be the beginning of a name: `theme li`.
  const [first, last] = command?.refused === undefined ? [command, undefined] : [undefined, command];
  return [first, ...[...named, ...others].filter(({ label }) => label !== command?.label), last].filter(
    (item) => item !== undefined,
  );
}
