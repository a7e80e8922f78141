import type { Pick } from '../../describe/action.ts';
import type { Binding } from '../keys/binding.ts';
import { matcher } from '../list/filter.ts';
import type { Layer, MenuItem, State } from '../state.ts';
import type { World } from '../world.ts';

const order: readonly Binding['group'][] = [
  'here',
  'move',
  'choose',
  'find',
  'write',
  'take along',
  'anywhere',
  'back',
];

/** Bindings of what lies below the help or the palette, those that the query matches. */
export function matchingHelp(_state: State, query: string, world: World): readonly Binding[] {
  const test = matcher(query);
  const ordered = [...world.below].sort((one, other) => order.indexOf(one.group) - order.indexOf(other.group));
  return ordered.filter(
    (it) => !test || test(`${it.keys.join(' ')} ${it.title} ${it.help ?? ''} ${it.group}`.toLowerCase()),
  );
}

/** What the palette offers: every binding that is not mere moving, and what has no key. */
export function matchingPalette(_state: State, query: string, world: World): readonly MenuItem[] {
  const items: MenuItem[] = world.below
    .filter((it) => it.group !== 'move' && it.group !== 'here' && it.run.do !== 'palette')
    .map((it) => ({ id: it.title, label: it.title, hint: it.help, key: it.keys[0], refused: it.refused, run: it.run }));
  const typed = query.trim();
  if (typed === 'q' || typed === 'q!' || typed === 'quit') return items.filter((it) => it.run.do === 'quit');
  const test = matcher(query);
  if (!test) return items;
  const starts = (it: MenuItem) => (it.label.toLowerCase().startsWith(typed.toLowerCase()) ? 0 : 1);
  return items
    .filter((it) => test(`${it.label} ${it.hint ?? ''}`.toLowerCase()))
    .sort((one, other) => starts(one) - starts(other));
}

/** What a picker shows: me and recent ones until something is typed, then the service's answer. */
export function pickRows(layer: Extract<Layer, { kind: 'pick' }>, answered: readonly Pick[]): readonly Pick[] {
  const test = matcher(layer.query.text);
  const first = layer.picker.first.filter((it) => !test || test(`${it.label} ${it.hint ?? ''}`.toLowerCase()));
  const taken = new Set(first.map((it) => it.id));
  // While the service has not yet answered this text, what it answered before is narrowed here.
  const rest = answered.filter(
    (it) =>
      !taken.has(it.id) &&
      (layer.asked === layer.query.text || !test || test(`${it.label} ${it.hint ?? ''}`.toLowerCase())),
  );
  return [...first, ...rest];
}
