import uFuzzy from '@leeoniya/ufuzzy';
import { once } from '../../lib/once.ts';
import { paint } from '../../lib/paint.ts';
import { type Painted, plain } from '../../lib/painted.ts';
import { cells, cutAfterPart, fit } from '../../lib/text.ts';
import { wholeText } from '../../scene/menu-rows.ts';
import { asLines, type Line, type Spans } from '../../scene/scene.ts';
import { typing } from '../../scene/typing.ts';
import { keyLabel } from '../keyboard/names.ts';
import { matcher, nearestFirst } from '../rows/filter.ts';
import type { LayerKind } from '../stack/kind.ts';
import { chooses, placeIn, rowLines } from '../stack/row-lines.ts';
import { stepKeys, typedLine } from '../stack/stepping.ts';
import { type Binding, leave, on } from '../state/binding.ts';
import type { LayerOf, MenuItem } from '../state/layer.ts';
import type { Moment } from '../state/moment.ts';
import { pop, swap } from '../state/state-changes.ts';
import { profileItems, subjectItems, typedCommand, wordCommands } from './commands.ts';
import { belowLines, itemWords, ranOnList } from './menu.ts';

/** All commands, found by name. */
export const palette: LayerKind<LayerOf<'palette'>> = {
  keys: () => [on(['return'], 'run', { type: 'choose' }, 1), ...stepKeys(false), leave(['esc'])],
  place: 'body',
  lines(layer, now, room) {
    const { query, cursor } = layer;
    const { width, height, theme } = room;
    const items = matchingPalette(layer, now);
    const { rows, cutHints } = paletteRows(items, width, theme.glyphs.ellipsis, paletteItems(layer, now));
    const { foot, below } = wholeText(cutHints, cursor, width + 2);
    const list = { ...room, height: Math.max(0, height - 1 - below.length) };
    const prompt: Line<never> = {
      spans: [{ text: plain` :`, tone: 'strong' }, ...typing(query, Math.max(1, width - 2), theme)],
      role: 'prompt',
    };
    const shown =
      rows.length > 0
        ? rowLines({ rows, cursor, choose: chooses(items[cursor]) }, now, list)
        : asLines([[{ text: plain`  No match`, tone: 'dim' }]]);
    const blanks = asLines(Array.from({ length: Math.max(0, list.height - shown.length) }, () => []));
    return {
      title: [{ text: plain`Palette`, bold: true }],
      foot: foot === '' ? [] : [{ text: foot, tone: 'dim' }],
      footRight: placeIn(rows.length, cursor, list.height),
      lines: [prompt, ...shown, ...blanks, ...belowLines(below)],
      speech: () => ({
        title: plain`Palette. Type the name of a command, Enter runs it, Esc goes back`,
        rows: { texts: items.map(itemWords), at: cursor, most: 0 },
        prompt: plain`Command: ${paint(query.text)}`,
      }),
    };
  },
  takesText: () => true,
  rows: (layer, world) => matchingPalette(layer, world),
  typed: (state, layer, typed) => ({
    state:
      layer.query.text === '' && typed.text === '' && typed.key === 'backspace'
        ? pop(state)
        : swap(state, { ...layer, query: typedLine(layer.query, typed), cursor: 0 }),
  }),
  update: {
    choose: (state, layer, _, world) => ranOnList(state, matchingPalette(layer, world)[layer.cursor], world),
  },
};

/** Not what only a key does: moving, marking and sorting, and further keys that quit. */
const isCommand = ({ group, title, run, refused }: Binding): boolean =>
  group !== 'move' &&
  group !== 'choose' &&
  run.type !== 'openSortMenu' &&
  group !== 'here' &&
  (group !== 'back' || (refused === undefined && title !== 'quit')) &&
  run.type !== 'openPalette' &&
  run.type !== 'interrupt';

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

/** All that the palette can find. */
function paletteItems({ profiles }: LayerOf<'palette'>, world: Moment): readonly MenuItem[] {
  const keyed: MenuItem[] = world.below.filter(isCommand).map(({ title, help, keys, refused, doubt, run }) => ({
    id: title,
    label: title,
    hint: help,
    key: keys[0],
    refused,
    doubt,
    run,
  }));
  return [...keyed, ...wordCommands, ...profileItems(profiles, world)];
}

/** The palette's items that match: a command with words behind it first, then by rank, those that match in their help last. */
function matchingPalette(layer: LayerOf<'palette'>, world: Moment): readonly MenuItem[] {
  const { profiles } = layer;
  const query = layer.query.text;
  const items = paletteItems(layer, world);
  const typed = query.trim();
  if (typed === '') return items;
  if (typed === 'q' || typed === 'q!' || typed === 'quit') return items.filter((item) => item.run.type === 'askQuit');
  const command = typedCommand(typed, world, profiles);
  const subjects = subjectItems(query, world);
  if (subjects.length > 0) return [...subjects, ...(command ? [command] : [])];
  const [found, info, order] = fuzzy().search(
    items.map(({ label }) => label),
    typed,
    1,
  );
  const places = order && info ? order.flatMap((at) => info.idx[at] ?? []) : (found ?? []);
  const named = nearestFirst(
    places.flatMap((at) => items[at] ?? []),
    typed,
  );
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

/** Labels up to so many cells, or up to two fifths of the width, have their hints below each other. */
const widestLabel = 24;
/** Cells of a row in a wide terminal, where no hint needs more: its keys would stand too far from its label. */
const usualRow = 140;

type Item = Omit<MenuItem, 'run' | 'id'>;

const paintedItem = ({ label, hint, key, refused, doubt }: Item) => ({
  label: paint(label),
  hint: paint(refused ?? doubt ?? hint ?? ''),
  keys: key ? paint(keyLabel(key)) : plain``,
  tone: (refused ?? doubt) === undefined ? undefined : ('dim' as const),
});

/**
 * Items as rows: label and hint from the left, the keys in a column at the right; and the hint of each row that cuts it. `all`:
 * those that may be among the items at another time, so that hints and keys stay where they are while the items change.
 */
export function paletteRows(items: readonly Item[], width: number, ellipsis: Painted, all: readonly Item[] = []) {
  const entries = items.map(paintedItem);
  const measured = [...entries, ...all.map(paintedItem)];
  const most = (texts: readonly string[]) => texts.reduce((wide, text) => Math.max(wide, cells(text)), 0);
  const keyCells = most(measured.map(({ keys }) => keys));
  const longest = most(measured.map(({ hint }) => hint));
  const labels = measured.map(({ label }) => label);
  const labelCells = most(labels.filter((label) => cells(label) <= Math.max(widestLabel, width * 0.4)));
  const rowCells = Math.min(width, Math.max(usualRow, labelCells + longest + keyCells + 6));
  const room = Math.max(0, rowCells - 2 - (keyCells > 0 ? keyCells + 2 : 0));
  // A label over that is cut where its hint needs the cells; no further than the labels below each other.
  const cellsOf = ({ label, hint }: (typeof entries)[number]) => {
    const left = hint === '' ? room : Math.max(room - cells(hint) - 2, Math.floor(room * 0.4), labelCells);
    return Math.min(Math.max(labelCells, cells(label)), left, room);
  };
  const rows = entries.map((entry): Spans => {
    const label = fit(entry.label, cellsOf(entry), 'left', ellipsis);
    const rest = Math.max(0, room - cells(label));
    const hint = entry.hint === '' ? plain`` : plain`  ${cutAfterPart(entry.hint, rest - 2, ellipsis)}`;
    return [
      { text: label, tone: entry.tone ?? 'plain' },
      { text: fit(hint, rest), tone: 'dim' },
      { text: keyCells > 0 ? plain`  ${fit(entry.keys, keyCells)}` : plain``, tone: entry.tone ?? 'info' },
    ];
  });
  return { rows, cutHints: entries.map((one) => (cells(one.hint) > room - cellsOf(one) - 2 ? one.hint : plain``)) };
}
