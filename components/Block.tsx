import { Box } from 'ink';
import { type SceneBlock as BlockValue, framedLines, type Spans } from '../src/scene/scene.ts';
import { spanCells } from '../src/scene/span.ts';
import type { Theme } from '../src/scene/theme.ts';
import { FieldInput } from './Field.tsx';
import { Lines } from './Lines.tsx';
import { Menu } from './Menu.tsx';

export interface BlockProps {
  readonly block: BlockValue<unknown>;
  readonly theme: Theme;
}

/** Rows of a block that follow each other and are drawn in one way. */
interface Run {
  readonly how: 'lines' | 'menu' | 'fields';
  readonly from: number;
  readonly rows: Spans[];
}

/** A block where it stands, with its border: rows of a menu and fields at rest by their packages, all else as lines. */
export function Block({ block, theme }: BlockProps) {
  const { x, y, width, height, lines } = block;
  return (
    <Box position="absolute" left={x} top={y} flexDirection="column" width={width} height={height}>
      {runsOf(block, theme).map(({ how, from, rows }) => {
        if (how === 'menu') {
          const cursor = lines.findIndex(({ isCursor }) => isCursor) + 1 - from;
          return <Menu key={from} rows={rows} cursor={cursor} width={width} theme={theme} />;
        }
        if (how === 'fields') return <Fields key={from} spans={rows[0] ?? []} theme={theme} />;
        return <Lines key={from} lines={rows} width={width} theme={theme} />;
      })}
    </Box>
  );
}

function runsOf(block: BlockProps['block'], theme: Theme): readonly Run[] {
  const runs: Run[] = [];
  for (const [index, spans] of framedLines(block, theme).entries()) {
    // A menu has a border around it.
    const isMenu = block.lines[index - 1]?.role === 'choice';
    const how = isMenu ? 'menu' : spans.some(({ field }) => field) ? 'fields' : 'lines';
    const last = runs.at(-1);
    if (last?.how === how && how !== 'fields') last.rows.push(spans);
    else runs.push({ how, from: index, rows: [spans] });
  }
  return runs;
}

/** A line with text fields at rest in it. */
function Fields({ spans, theme }: { readonly spans: Spans; readonly theme: Theme }) {
  return (
    <Box height={1} flexShrink={0}>
      {spans.map((span, index) =>
        span.field ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a span is known by its place
          <FieldInput key={index} span={span} theme={theme} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a span is known by its place
          <Lines key={index} lines={[[span]]} width={spanCells([span])} theme={theme} />
        ),
      )}
    </Box>
  );
}
