import { Box } from 'ink';
import { use } from 'react';
import type { Spans } from '../src/scene/scene.ts';
import type { Theme } from '../src/scene/theme.ts';
import { CanvasContext } from './canvas.ts';
import { drawnLine } from './line.ts';

/** Lines of at most `width` cells, one below the other. All that is drawn is drawn by it, or is a text that another package draws. */
export function Lines({
  lines,
  width,
  theme,
}: {
  readonly lines: readonly Spans[];
  readonly width: number;
  readonly theme: Theme;
}) {
  const canvas = use(CanvasContext);
  const drawn = lines.map((spans) => drawnLine(spans, width, theme));
  return (
    <Box
      ref={(box) => (box === null ? undefined : canvas?.put(box, drawn))}
      width={width}
      height={lines.length}
      flexShrink={0}
    />
  );
}
