import { Confirm, confirmLines } from '../../components/Confirm.tsx';
import { Frame } from '../../components/Frame.tsx';
import { hintWhereCut, Menu } from '../../components/Menu.tsx';
import { paint } from '../lib/paint.ts';
import { plain } from '../lib/painted.ts';
import { present } from '../lib/present.ts';
import { keyName } from '../session/keys/names.ts';
import type { LayerOf } from '../session/layers/layer.ts';
import type { LayerProps } from './layerprops.ts';

type ConfirmProps = LayerProps<LayerOf<'confirm'>>;

/** A question as it is drawn. */
function confirmOf({ confirm, typed }: LayerOf<'confirm'>) {
  return {
    question: paint(confirm.question),
    details: (confirm.details ?? []).map(paint),
    ...present({
      destructive: confirm.destructive,
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

/** A menu: items with their keys; a refused item shows why. */
export function MenuLayer({ layer, width, height, theme }: LayerProps<LayerOf<'menu'>>) {
  const items = layer.items.map((item) => ({
    id: item.id,
    ...(item.key === undefined ? {} : { key: paint(keyName(item.key)) }),
    label: paint(item.label),
    hint: paint(item.refused ?? item.doubt ?? item.hint ?? ''),
    disabled: (item.refused ?? item.doubt) !== undefined,
  }));
  const cutHint = hintWhereCut(items, layer.cursor, width - 2);
  return (
    <Frame
      title={[{ text: paint(layer.title), bold: true }]}
      foot={cutHint === '' ? [] : [{ text: cutHint, tone: 'dim' }]}
      width={width}
      height={height}
      theme={theme}
      active
    >
      <Menu items={items} cursor={layer.cursor} width={width - 2} height={height - 2} theme={theme} />
    </Frame>
  );
}
