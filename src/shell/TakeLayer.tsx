import { Frame } from '../../components/Frame.tsx';
import { Lines } from '../../components/Lines.tsx';
import { choosable, type Span, windowAt } from '../../components/span.ts';
import { typing } from '../../components/typing.ts';
import { paint } from '../lib/paint.ts';
import { plain } from '../lib/painted.ts';
import { cells, fit, wrap } from '../lib/text.ts';
import type { LayerOf } from '../session/layers/layer.ts';
import { takeRows } from '../session/layers/take.ts';
import { type LayerProps, placeIn } from './layerprops.ts';
import { footOf } from './PickLayer.tsx';

/** The pick list of a form field: taken rows have a cross, offered ones are below. */
export function TakeLayer({ layer, now, width, height, theme }: LayerProps<LayerOf<'take'>>) {
  const rows = takeRows(layer, now.world.picks(layer));
  const waits = layer.asked !== layer.query.text;
  const cursor = Math.max(0, Math.min(layer.cursor, rows.length - 1));
  const ids = new Set(layer.taken.map((pick) => pick.id));
  const room = height - 3;
  const top = windowAt(cursor, room, rows.length);
  const query: Span[] =
    layer.typing || layer.query.text !== ''
      ? [{ text: plain` /`, tone: 'info' }, ...typing(layer.query, Math.max(10, width - 8), theme)]
      : [{ text: plain` type to filter`, tone: 'dim' }];
  // Hints stand below each other where no label is so long that they would be far from theirs.
  const label = Math.max(...rows.map((pick) => cells(paint(pick.label))).filter((wide) => wide <= width / 2), 0);
  const lines = rows.slice(top, top + room).map((pick, at) => {
    const box = layer.several ? plain`[${ids.has(pick.id) ? plain`x` : plain` `}] ` : plain``;
    const spans: Span[] = [
      { text: box },
      { text: pick.hint && cells(paint(pick.label)) < label ? fit(paint(pick.label), label) : paint(pick.label) },
      { text: pick.hint ? plain`  ${paint(pick.hint)}` : plain``, tone: 'dim' },
    ];
    return [...choosable(spans, width - 2, top + at === cursor, theme)];
  });
  const trouble = now.world.pickTrouble(layer);
  const why = waits ? [plain`searching`] : wrap(paint(trouble ?? 'No match'), width - 4);
  const empty: Span[][] = why.map((line) => [{ text: plain`  ${line}`, tone: trouble && !waits ? 'warn' : 'dim' }]);
  return (
    <Frame
      title={[
        { text: paint(layer.title), bold: true },
        { text: layer.several ? plain` ${layer.taken.length} selected` : plain``, tone: 'dim' },
      ]}
      foot={footOf(waits, now.world.pickNotes(layer))}
      footRight={placeIn(rows.length, cursor, room)}
      width={width}
      height={height}
      theme={theme}
      active
    >
      <Lines
        lines={[query, ...(rows.length > 0 ? lines : empty)]}
        width={width - 2}
        height={height - 2}
        theme={theme}
      />
    </Frame>
  );
}
