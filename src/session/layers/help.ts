import { paint } from '../../lib/paint.ts';
import { plain } from '../../lib/painted.ts';
import type { Speech } from '../../scene/speech.ts';
import { keyName } from '../keyboard/names.ts';
import { matcher } from '../rows/filter.ts';
import type { LayerKind } from '../stack/kind.ts';
import { placeIn } from '../stack/row-lines.ts';
import { stepKeys, typedLine } from '../stack/stepping.ts';
import { type Binding, leave, on } from '../state/binding.ts';
import { pop, swap } from '../state/change.ts';
import type { LayerOf } from '../state/layer.ts';
import type { Now, World } from '../state/world.ts';
import { helpLines } from './help-lines.ts';
import { ran } from './menu.ts';

/** Every key with what it does, searched by words; Return does it. */
export const help: LayerKind<LayerOf<'help'>> = {
  keys: (layer) => [
    on(['return'], 'run', { do: 'choose' }, 1),
    ...(layer.searching ? [] : [on(['/'], 'search', { do: 'typing' }, 2)]),
    ...stepKeys(!layer.searching),
    leave(layer.searching ? ['esc'] : ['esc', 'q', '?', 'backspace']),
  ],
  place: 'body',
  lines(layer, now, room) {
    const bindings = matchingHelp(layer.query.text, now.world);
    const { lines, isCut } = helpLines(layer, bindings, now, room);
    return {
      title: [
        { text: plain`Help`, bold: true },
        { text: plain` ${room.theme.glyphs.dot} ${paint(now.view.screen.title)}`, tone: 'dim' },
      ],
      footRight: isCut ? placeIn(bindings.length, layer.cursor, 0) : [],
      lines,
      speech: () => helpSpeech(layer, bindings, now),
    };
  },
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

function helpSpeech(
  { query, cursor, searching }: LayerOf<'help'>,
  bindings: readonly Binding[],
  { view }: Now,
): Speech {
  const { title } = view.screen;
  return {
    title: plain`Help, ${paint(title)}. Up and Down move, Enter runs the line, / searches, Esc goes back`,
    rows: {
      texts: bindings.map(({ keys, title, help = title, refused }) => {
        const reason = refused === undefined ? plain`` : plain` (not now: ${paint(refused)})`;
        return plain`${paint(keys.map(keyName).join(' or '))}: ${paint(help)}${reason}`;
      }),
      at: cursor,
      most: Number.POSITIVE_INFINITY,
      narrowedBy: query.text,
    },
    prompt: searching ? plain`Search: ${paint(query.text)}` : undefined,
  };
}

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
