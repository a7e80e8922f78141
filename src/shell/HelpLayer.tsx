import { Frame } from '../../components/Frame.tsx';
import { Help, helpLayout } from '../../components/Help.tsx';
import { cutPaletteHints, Palette } from '../../components/Palette.tsx';
import type { Glyphs } from '../../components/theme.ts';
import { wholeText } from '../../components/whole.ts';
import { paint } from '../lib/paint.ts';
import { type Painted, plain } from '../lib/painted.ts';
import { type Binding, sentenceOf } from '../session/keys/binding.ts';
import { keyName } from '../session/keys/names.ts';
import { matchingHelp } from '../session/layers/help.ts';
import type { LayerOf } from '../session/layers/layer.ts';
import { matchingPalette } from '../session/layers/palette.ts';
import { type LayerProps, placeIn } from './layerprops.ts';
import { Below } from './PanelLayers.tsx';

/** What the help shows, and its size inside of the frame. */
const helpOf = ({ layer, now, width, height, theme }: LayerProps<LayerOf<'help'>>) => ({
  groups: grouped(matchingHelp(layer.query.text, now.world)),
  cursor: layer.cursor,
  legend: legend(theme.glyphs),
  width: width - 2,
  height: height - 2,
  theme,
});

/** Place of the binding in a cell of the help, counted from its frame; undefined where none is. */
export function helpPlaceAt(props: LayerProps<LayerOf<'help'>>, line: number, column: number): number | undefined {
  const { columns, columnWidth } = helpLayout(helpOf(props));
  return columns[column > columnWidth ? 1 : 0]?.[line - 2]?.place;
}

/** All keys of the screen below, by group. */
export function HelpLayer(props: LayerProps<LayerOf<'help'>>) {
  const { layer, now, width, height, theme } = props;
  const help = helpOf(props);
  const { isCut } = helpLayout(help);
  const count = help.groups.reduce((sum, { rows }) => sum + rows.length, 0);
  return (
    <Frame
      title={[
        { text: plain`Help`, bold: true },
        { text: plain` ${theme.glyphs.dot} ${paint(now.view.screen.title)}`, tone: 'dim' },
      ]}
      footRight={isCut ? placeIn(count, layer.cursor, 0) : []}
      width={width}
      height={height}
      theme={theme}
      active
    >
      <Help {...help} query={layer.query.text} {...(layer.searching ? { cursorInQuery: layer.query.cursor } : {})} />
    </Frame>
  );
}

/** The signs of lists, header and title. */
const legend = ({ mark, fresh, pending, live, stale, paused, offline, up }: Glyphs) => [
  { sign: mark, meaning: plain`marked` },
  { sign: fresh, meaning: plain`new since you last looked` },
  { sign: pending, meaning: plain`being sent` },
  { sign: plain`[gone]`, meaning: plain`no longer listed` },
  { sign: plain`?`, meaning: plain`unknown` },
  { sign: live, meaning: plain`live` },
  { sign: stale, meaning: plain`loading or stale` },
  { sign: paused, meaning: plain`paused` },
  { sign: offline, meaning: plain`failed to load` },
  { sign: plain`8 new ${up}`, meaning: plain`out of sight: g goes there` },
];

/** The commands of a palette as they are drawn, and where the hint under the cursor is said in full. */
function paletteOf({ layer, now, width }: Pick<LayerProps<LayerOf<'palette'>>, 'layer' | 'now' | 'width'>) {
  const rows = matchingPalette(layer, now.world).map((item) => ({
    label: paint(item.label),
    hint: paint(item.refused ?? item.doubt ?? item.hint ?? ''),
    keys: item.key ? paint(keyName(item.key)) : plain``,
    disabled: (item.refused ?? item.doubt) !== undefined,
  }));
  return { rows, ...wholeText(cutPaletteHints(rows, width - 2), layer.cursor, width) };
}

/** Lines of a palette below its rows, without the border. */
export const paletteBelow = (props: Parameters<typeof paletteOf>[0]): number => paletteOf(props).below.length;

/** All commands, found by name. */
export function PaletteLayer(props: LayerProps<LayerOf<'palette'>>) {
  const { layer, width, height, theme } = props;
  const { rows, foot, below } = paletteOf(props);
  return (
    <Frame
      title={[{ text: plain`Palette`, bold: true }]}
      foot={foot === '' ? [] : [{ text: foot, tone: 'dim' }]}
      footRight={placeIn(rows.length, layer.cursor, height - 3 - below.length)}
      width={width}
      height={height}
      theme={theme}
      active
    >
      <Palette
        query={layer.query.text}
        cursorInQuery={layer.query.cursor}
        rows={rows}
        cursor={layer.cursor}
        width={width - 2}
        height={height - 2 - below.length}
        theme={theme}
      />
      <Below lines={below} width={width - 2} theme={theme} />
    </Frame>
  );
}

/** The help's rows by group, in the order of the cursor. */
function grouped(bindings: readonly Binding[]) {
  const groups = new Map<string, { keys: Painted; title: Painted; reason?: Painted }[]>();
  for (const binding of bindings) {
    const rows = groups.get(binding.group) ?? [];
    const reason = binding.refused ?? binding.doubt;
    rows.push({
      keys: paint(binding.keys.map(keyName).join(' ')),
      title: paint(sentenceOf(binding)),
      ...(reason === undefined ? {} : { reason: paint(reason) }),
    });
    groups.set(binding.group, rows);
  }
  return [...groups].map(([title, rows]) => ({
    title: paint(`${title.slice(0, 1).toUpperCase()}${title.slice(1)}`),
    rows,
  }));
}
