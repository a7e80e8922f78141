import { Box } from 'ink';
import { memo, use } from 'react';
import { CanvasContext } from './canvas.ts';
import { drawnLine } from './line.ts';
import { areSame, type Span } from './span.ts';
import type { Theme } from './theme.ts';

interface LinesProps {
  readonly lines: readonly (readonly Span[])[];
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

/**
 * A block of exactly `height` lines of `width` cells: cut, and padded with blanks. All that is drawn is drawn by it. It stays as it
 * is while its lines are drawn alike.
 */
export const Lines = memo(
  drawLines,
  (before: LinesProps, after: LinesProps) =>
    before.width === after.width &&
    before.height === after.height &&
    before.theme === after.theme &&
    before.lines.length === after.lines.length &&
    before.lines.every((line, at) => areSame(line, after.lines[at] as readonly Span[])),
);

function drawLines({ lines, width, height, theme }: LinesProps) {
  const canvas = use(CanvasContext);
  const drawn = lines.slice(0, Math.max(0, height)).map((spans) => drawnLine(spans, width, theme));
  return (
    <Box
      ref={(box) => (box === null ? undefined : canvas?.put(box, drawn))}
      width={width}
      height={Math.max(0, height)}
      flexShrink={0}
    />
  );
}

/** One line of `width` cells at most, the rest left empty. */
export function OneLine({
  spans,
  width,
  theme,
}: {
  readonly spans: readonly Span[];
  readonly width: number;
  readonly theme: Theme;
}) {
  return <Lines lines={[spans]} width={width} height={1} theme={theme} />;
}
