import { Box } from 'ink';
import { Frame } from '../../components/Frame.tsx';
import { Lines, OneLine } from '../../components/Lines.tsx';
import { cutHints, Menu } from '../../components/Menu.tsx';
import type { Span } from '../../components/span.ts';
import { typing } from '../../components/typing.ts';
import { paint } from '../lib/paint.ts';
import { plain } from '../lib/painted.ts';
import { wrap } from '../lib/text.ts';
import type { LayerOf } from '../session/layers/layer.ts';
import { pickRows } from '../session/layers/pick.ts';
import { type LayerProps, placeIn } from './layerprops.ts';

/** Cells for the names: most fit, so that what stands beside them does not jump while a person types. */
const nameCells = 20;

/** A picker: the query, and below it the fixed and found rows. */
export function PickLayer({ layer, now, width, height, theme }: LayerProps<LayerOf<'pick'>>) {
  const rows = pickRows(layer, now.world.picks(layer));
  const waits = layer.asked !== layer.query.text;
  const cursor = Math.max(0, Math.min(layer.cursor, rows.length - 1));
  const trouble = now.world.pickTrouble(layer);
  const items = rows.map((pick) => ({ id: pick.id, label: paint(pick.label), hint: paint(pick.hint ?? '') }));
  const notes = footOf(waits, now.world.pickNotes(layer));
  const cutHint = cutHints(items, width - 2, nameCells)[cursor] ?? plain``;
  const nobody = waits ? [plain`searching`] : wrap(paint(trouble ?? 'No match'), width - 4);
  return (
    <Frame
      title={[{ text: paint(layer.picker.title), bold: true }]}
      foot={notes.length === 0 && cutHint !== '' ? [{ text: cutHint, tone: 'dim' }] : notes}
      footRight={placeIn(rows.length, cursor, height - 3)}
      width={width}
      height={height}
      theme={theme}
      active
    >
      <Box flexDirection="column">
        <OneLine
          spans={
            layer.typing || layer.query.text !== ''
              ? [{ text: plain` name: `, tone: 'dim' }, ...typing(layer.query, Math.max(10, width - 12), theme)]
              : [
                  {
                    text: layer.waitsForMe
                      ? plain` reading who you are, then it is sent ${theme.glyphs.dot} any other key cancels`
                      : plain` type to filter`,
                    tone: 'dim',
                  },
                ]
          }
          width={width - 2}
          theme={theme}
        />
        {rows.length > 0 ? (
          <Menu
            items={items}
            cursor={cursor}
            width={width - 2}
            height={Math.max(1, height - 3)}
            theme={theme}
            leastLabel={nameCells}
          />
        ) : (
          <Lines
            lines={nobody.map((line) => [{ text: plain`  ${line}`, tone: trouble && !waits ? 'warn' : 'dim' }])}
            width={width - 2}
            height={Math.max(1, height - 3)}
            theme={theme}
          />
        )}
      </Box>
    </Frame>
  );
}

/** The foot of a picker: that it is searching, else that its rows are not all. */
export const footOf = (waits: boolean, notes: readonly string[]): readonly Span[] =>
  waits ? [{ text: plain`searching`, tone: 'dim' }] : notes.map((note) => ({ text: paint(note), tone: 'warn' }));
