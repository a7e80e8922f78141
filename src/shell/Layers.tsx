import type { ReactElement } from 'react';
import { Frame } from '../../components/Frame.tsx';
import { Lines } from '../../components/Lines.tsx';
import { Reveal } from '../../components/Reveal.tsx';
import { paint } from '../lib/paint.ts';
import { plain } from '../lib/painted.ts';
import type { Layer as AnyLayer, LayerOf } from '../session/layers/layer.ts';
import { pickRows } from '../session/layers/pick.ts';
import { FormLayer, formRows } from './FormLayer.tsx';
import { HelpLayer, PaletteLayer } from './HelpLayer.tsx';
import { JournalLayer, MessagesLayer, ProfilesLayer, ResultsLayer } from './ListLayers.tsx';
import type { LayerProps } from './layerprops.ts';
import { JobLayer, SecretLayer } from './OnceLayer.tsx';
import { ConfirmLayer, confirmRows, MenuLayer, menuBelow } from './PanelLayers.tsx';
import { PickLayer } from './PickLayer.tsx';
import { TakeLayer } from './TakeLayer.tsx';

/** Where a layer is drawn: over the body, in a panel below the list (`rows`: its preferred height), or in the foot. */
type LayerView<L extends AnyLayer> =
  | { readonly place: 'body'; readonly draw: (props: LayerProps<L>) => ReactElement }
  | {
      readonly place: 'panel';
      readonly draw: (props: LayerProps<L>) => ReactElement;
      readonly rows: (props: Omit<LayerProps<L>, 'height'>) => number;
    }
  | { readonly place: 'foot' };

/** How each kind of layer is drawn. A missing kind does not compile. */
const views: { readonly [K in AnyLayer['kind']]: LayerView<LayerOf<K>> } = {
  form: { place: 'body', draw: (props) => <FormLayer {...props} /> },
  wait: { place: 'body', draw: (props) => <WaitLayer {...props} /> },
  take: { place: 'body', draw: (props) => <TakeLayer {...props} /> },
  secret: { place: 'body', draw: (props) => <SecretLayer {...props} /> },
  job: { place: 'body', draw: (props) => <JobLayer {...props} /> },
  help: { place: 'body', draw: (props) => <HelpLayer {...props} /> },
  palette: { place: 'body', draw: (props) => <PaletteLayer {...props} /> },
  text: {
    place: 'body',
    draw: ({ layer, width, height, theme }) => (
      <Reveal
        title={paint(layer.title)}
        lines={layer.lines.map(paint)}
        top={layer.top}
        width={width}
        height={height}
        theme={theme}
      />
    ),
  },
  results: { place: 'body', draw: (props) => <ResultsLayer {...props} /> },
  journal: { place: 'body', draw: (props) => <JournalLayer {...props} /> },
  messages: { place: 'body', draw: (props) => <MessagesLayer {...props} /> },
  profiles: { place: 'body', draw: (props) => <ProfilesLayer {...props} /> },
  confirm: { place: 'panel', draw: (props) => <ConfirmLayer {...props} />, rows: confirmRows },
  menu: {
    place: 'panel',
    draw: (props) => <MenuLayer {...props} />,
    rows: ({ layer, width }) => layer.items.length + 2 + menuBelow(layer, width),
  },
  pick: {
    place: 'panel',
    draw: (props) => <PickLayer {...props} />,
    // What a query leaves moves nothing.
    rows: ({ layer, now }) =>
      layer.typing ? pickHeight : Math.min(pickHeight, Math.max(5, pickRows(layer, now.world.picks(layer)).length + 3)),
  },
  // Drawn in the foot: see foot.ts.
  bar: { place: 'foot' },
  filter: { place: 'foot' },
  find: { place: 'foot' },
};

/** The most lines of a picker. */
const pickHeight = 12;

/** A search is a few fields about the list, which stays in sight. */
const search: LayerView<LayerOf<'form'>> = {
  place: 'panel',
  draw: (props) => <FormLayer {...props} />,
  rows: formRows,
};

/** The record pairs kinds and views; the compiler cannot follow that through a union. */
const viewOf = (layer: AnyLayer) =>
  (layer.kind === 'form' && layer.for.kind === 'search' ? search : views[layer.kind]) as LayerView<AnyLayer>;

/** Lines of list above a panel, at least. */
const listAbove = 5;

/**
 * Height of the panel below the list: what its content needs, and at most what leaves five lines of list; 0 for a layer in the
 * foot. Undefined for one that covers the body, as a form does that would have to scroll for a few rows of a list.
 */
export function panelHeight(props: Omit<LayerProps, 'height'>, bodyRows: number): number | undefined {
  const view = viewOf(props.layer);
  if (view.place !== 'panel') return view.place === 'body' ? undefined : 0;
  const rows = view.rows(props);
  if (props.layer.kind === 'form' && rows > bodyRows - listAbove) return undefined;
  return Math.min(Math.max(4, bodyRows - listAbove), rows);
}

/** Whether it is drawn in the foot, which no component does. */
export const isInFoot = (layer: AnyLayer): boolean => viewOf(layer).place === 'foot';

/** Draws a layer; nothing for one that is drawn in the foot. */
export function Layer(props: LayerProps) {
  const view = viewOf(props.layer);
  return view.place === 'foot' ? null : view.draw(props);
}

function WaitLayer({ layer, width, height, theme }: LayerProps<LayerOf<'wait'>>) {
  return (
    <Frame title={[{ text: paint(layer.title), bold: true }]} width={width} height={height} theme={theme} active>
      <Lines
        lines={[[{ text: layer.pending ? plain` Loading current values` : plain` Reading its keys`, tone: 'dim' }]]}
        width={width - 2}
        height={height - 2}
        theme={theme}
      />
    </Frame>
  );
}
