import { Box } from 'ink';
import { use } from 'react';
import { CanvasContext } from './canvas.ts';
import { drawnLines, type LinesProps } from './Lines.tsx';

/** A block, and where it is on the drawing. */
export interface PlacedBlock extends LinesProps {
  readonly x: number;
  readonly y: number;
}

/**
 * Blocks in one box. They are asked for at each frame: for others no component is drawn again, which a `changed` of the canvas
 * tells.
 */
export function Drawing({
  width,
  height,
  blocks,
}: {
  readonly width: number;
  readonly height: number;
  readonly blocks: () => readonly PlacedBlock[];
}) {
  const canvas = use(CanvasContext);
  return (
    <Box
      ref={(box) =>
        box === null
          ? undefined
          : canvas?.draw(box, () => blocks().map(({ x, y, ...block }) => ({ x, y, lines: drawnLines(block) })))
      }
      width={width}
      height={Math.max(0, height)}
      flexShrink={0}
    />
  );
}
