import { Confirm, confirmLines } from '../../components/Confirm.tsx';
import { Frame } from '../../components/Frame.tsx';
import { Lines } from '../../components/Lines.tsx';
import { cutHints, Menu } from '../../components/Menu.tsx';
import { wholeText } from '../../components/whole.ts';
import { paint } from '../lib/paint.ts';
import { type Painted, plain } from '../lib/painted.ts';
import { present } from '../lib/present.ts';
import { keyName } from '../session/keys/names.ts';
import type { LayerOf } from '../session/layers/layer.ts';
import { type LayerProps, placeIn } from './layerprops.ts';

type ConfirmProps = LayerProps<LayerOf<'confirm'>>;

/** A question as it is drawn. */
function confirmOf({ confirm, typed }: LayerOf<'confirm'>) {
  return {
    question: paint(confirm.question),
    details: (confirm.details ?? []).map(paint),
    ...present({
      destructive: confirm.destructive,
      enter: confirm.enter === undefined ? undefined : paint(confirm.enter),
      typed: confirm.typed === undefined ? undefined : { wanted: paint(confirm.typed), ...typed },
    }),
  };
}

/** Lines that a question needs, frame included. */
export const confirmRows = ({ layer, width, theme }: Omit<ConfirmProps, 'height'>): number =>
  2 + confirmLines({ ...confirmOf(layer), width: width - 2, theme });

/** A question before an edit. */
export function ConfirmLayer({ layer, width, height, theme }: ConfirmProps) {
  return (
    <Frame
      title={[{ text: plain`Confirm`, tone: layer.confirm.destructive ? 'bad' : 'warn' }]}
      width={width}
      height={height}
      theme={theme}
      active
    >
      <Confirm {...confirmOf(layer)} width={width - 2} height={height - 2} theme={theme} />
    </Frame>
  );
}

/** The items of a menu as they are drawn, and where the hint under the cursor is said in full. */
function menuOf(layer: LayerOf<'menu'>, width: number) {
  const items = layer.items.map((item) => ({
    id: item.id,
    ...(item.key === undefined ? {} : { key: paint(keyName(item.key)) }),
    label: paint(item.label),
    hint: paint(item.refused ?? item.doubt ?? item.hint ?? ''),
    disabled: (item.refused ?? item.doubt) !== undefined,
  }));
  return { items, ...wholeText(cutHints(items, width - 2), layer.cursor, width) };
}

/** Lines of a menu below its items, without the border. */
export const menuBelow = (layer: LayerOf<'menu'>, width: number): number => menuOf(layer, width).below.length;

/** A menu: items with their keys; a refused item shows why. */
export function MenuLayer({ layer, width, height, theme }: LayerProps<LayerOf<'menu'>>) {
  const { items, foot, below } = menuOf(layer, width);
  const room = Math.max(1, height - 2 - below.length);
  return (
    <Frame
      title={[{ text: paint(layer.title), bold: true }]}
      foot={foot === '' ? [] : [{ text: foot, tone: 'dim' }]}
      footRight={placeIn(items.length, layer.cursor, room)}
      width={width}
      height={height}
      theme={theme}
      active
    >
      <Menu items={items} cursor={layer.cursor} width={width - 2} height={room} theme={theme} />
      <Below lines={below} width={width - 2} theme={theme} />
    </Frame>
  );
}

/** Lines at the foot of a frame that say the chosen row in full. */
export const Below = ({
  lines,
  width,
  theme,
}: Pick<LayerProps, 'width' | 'theme'> & { readonly lines: readonly Painted[] }) => (
  <Lines
    lines={lines.map((text) => [{ text: plain` ${text}`, tone: 'dim' as const }])}
    width={width}
    height={lines.length}
    theme={theme}
  />
);
