import { Box } from 'ink';
import { Frame } from '../../components/Frame.tsx';
import { Lines, OneLine } from '../../components/Lines.tsx';
import { Menu } from '../../components/Menu.tsx';
import { typing } from '../../components/typing.ts';
import { paint } from '../lib/paint.ts';
import { plain } from '../lib/painted.ts';
import { wrap } from '../lib/text.ts';
import type { LayerOf } from '../session/layers/layer.ts';
import { pickRows } from '../session/layers/pick.ts';
import type { LayerProps } from './layerprops.ts';

/** A picker: the query, and below it the fixed and found rows. */
export function PickLayer({ layer, now, width, height, theme }: LayerProps<LayerOf<'pick'>>) {
  const rows = pickRows(layer, now.world.picks(layer));
  const waits = layer.asked !== layer.query.text;
  const cursor = Math.max(0, Math.min(layer.cursor, rows.length - 1));
  const quick = layer.picker.quick;
  const trouble = now.world.pickTrouble(layer);
  const none = layer.picker.things ? 'nothing' : 'nobody';
  const nobody = waits ? [plain`…`] : wrap(paint(trouble ?? `${none} found: other letters?`), width - 4);
  return (
    <Frame
      title={[{ text: paint(layer.picker.title), bold: true }]}
      foot={waits ? [{ text: plain`asking`, tone: 'dim' }] : []}
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
                    text: layer.isQuickPending
                      ? plain` asking who you are: then it is done ${theme.glyphs.dot} type to search instead`
                      : plain` ${quick ? plain`${paint(`${quick.key} ${quick.title}`)} ${theme.glyphs.dot} ` : plain``}type to search ${theme.glyphs.dot} Enter takes`,
                    tone: 'dim',
                  },
                ]
          }
          width={width - 2}
          theme={theme}
        />
        {rows.length > 0 ? (
          <Menu
            items={rows.map((pick) => ({ id: pick.id, label: paint(pick.label), hint: paint(pick.hint ?? '') }))}
            cursor={cursor}
            width={width - 2}
            height={Math.max(1, height - 3)}
            theme={theme}
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
