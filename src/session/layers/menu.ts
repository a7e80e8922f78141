import { paint } from '../../lib/paint.ts';
import { type Painted, plain } from '../../lib/painted.ts';
import { capitalized } from '../../lib/text.ts';
import { asLines, type Line, type MenuEntry, menuRows, wholeText } from '../../scene/scene.ts';
import { listTexts } from '../../scene/span.ts';
import { keyLabel } from '../keyboard/keyboard.ts';
import { chooses, type LayerKind, menuLines, placeIn, stepKeys } from '../stack/kind.ts';
import { leave, type Moment, type Next, on } from '../state/moment.ts';
import type { LayerOf, MenuItem, State } from '../state/state.ts';
import { flash, pop, withLayers } from '../state/state-changes.ts';

/** A menu: items to choose from, each with its key. */
export const menu: LayerKind<LayerOf<'menu'>> = {
  keys({ items }) {
    const isFree = (key: string) => !items.some((item) => item.key === key);
    return [
      ...items.flatMap(({ key, label, refused }) =>
        key ? [on([key], label, { type: 'pressBarKey', key }, undefined, { refused })] : [],
      ),
      on(['return'], 'select', { type: 'choose' }, 1),
      ...[...stepKeys(true), leave()].map((binding) => ({ ...binding, keys: binding.keys.filter(isFree) })),
    ];
  },
  place: 'panel',
  lines({ title, items, cursor }, now, room) {
    const { width, height, theme } = room;
    const { rows, cutHints } = menuRows(items.map(entryOf), width, theme.glyphs.ellipsis);
    const { foot, below } = wholeText(cutHints, cursor, width + 2);
    const menu = { ...room, height: height - below.length };
    return {
      title: [{ text: paint(title), bold: true }],
      foot: foot === '' ? [] : [{ text: foot, tone: 'dim' }],
      footRight: placeIn(items.length, cursor, menu.height),
      lines: [...menuLines({ rows, cursor, choose: chooses(items[cursor]) }, now, menu), ...belowLines(below)],
      needs: items.length + below.length,
      speech: () => ({
        title: plain`${paint(title)}. Type a key, or move and press Enter; Esc goes back`,
        rows: { texts: items.map(itemWords), at: cursor, most: Number.POSITIVE_INFINITY },
      }),
    };
  },
  takesText: () => false,
  rowKeys: (layer) => layer.items.map(({ id }) => id),
  // Items that end in an edit are made of rows; those of other menus mean the same without it.
  choice: ({ items }) => (items.some(({ run }) => run.type === 'valuesChosen') ? items : undefined),
  update: {
    choose: (state, layer, _, world) => ran(state, layer.items[layer.cursor], world),
    pressBarKey: (state, layer, { key }, world) =>
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

/** Says that no row is there to choose. */
export const noMatch = (state: State, { context }: Pick<Moment, 'context'>): State =>
  flash(state, 'Nothing matches what is typed: change it, or Esc', 'warn', context.now);

/** Closes the layer and runs the chosen item, as if its key had been pressed; a refused item is only explained. */
export function ran(
  state: State,
  item: Pick<MenuItem, 'key' | 'label' | 'refused' | 'run'> | undefined,
  world: Moment,
): Next {
  if (!item) return { state: noMatch(state, world) };
  if (item.refused) return { state: flash(state, refusalOf(item), 'warn', world.context.now) };
  return { state: pop(state), effects: [{ ask: 'later', ms: 0, message: item.run }] };
}

/** The same from a layer that lists what the list in front does: those below it are closed, too. */
export function ranOnList(...chosen: Parameters<typeof ran>): Next {
  const next = ran(...chosen);
  return next.effects ? { ...next, state: withLayers(next.state, []) } : next;
}

const entryOf = ({ key, label, hint, refused, doubt }: MenuItem): MenuEntry => ({
  key: key === undefined ? undefined : paint(keyLabel(key)),
  label: paint(label),
  hint: paint(refused ?? doubt ?? hint ?? ''),
  isRefused: (refused ?? doubt) !== undefined,
});

/** An item in words. */
export const itemWords = ({ key, label, hint, refused }: MenuItem): Painted =>
  listTexts([
    key === undefined ? paint(label) : plain`${paint(keyLabel(key))}: ${paint(label)}`,
    refused === undefined ? paint(hint) : plain`not now: ${paint(refused)}`,
  ]);

/** Lines at the foot that say the chosen row in full. */
export const belowLines = (lines: readonly Painted[]): Line<never>[] =>
  asLines(lines.map((text) => [{ text: plain` ${text}`, tone: 'dim' as const }]));
