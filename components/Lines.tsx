import { Box } from 'ink';
import { memo, use } from 'react';
import { CanvasContext } from './canvas.ts';
import { borderedLine, type DrawnLine, drawnLine } from './line.ts';
import { areSame, type Span } from './span.ts';
import type { Theme } from './theme.ts';

/** A block of exactly `height` lines of `width` cells. */
export interface LinesProps {
  readonly lines: readonly (readonly Span[])[];
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
  /** A border at the left, and at the right: around all lines but the first and the last, which are the border's own. */
  readonly sides?: readonly [Span, Span?];
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
    areSame((before.sides ?? []) as readonly Span[], (after.sides ?? []) as readonly Span[]) &&
    before.lines.every((line, at) => areSame(line, after.lines[at] as readonly Span[])),
);

/** The lines of a block as they are written. */
export function drawnLines({ lines, width, height, theme, sides }: LinesProps): readonly DrawnLine[] {
  const shown = lines.length > height ? lines.slice(0, Math.max(0, height)) : lines;
  if (!sides) return shown.map((spans) => drawnLine(spans, width, theme));
  const left = drawnLine([sides[0]], 1, theme);
  const right = sides[1] && drawnLine([sides[1]], 1, theme);
  const inside = width - left.cells - (right?.cells ?? 0);
  return shown.map((spans, at) =>
    at === 0 || at === lines.length - 1
      ? drawnLine(spans, width, theme)
      : borderedLine(spans, inside, theme, left, right),
  );
}

function drawLines(props: LinesProps) {
  const { width, height } = props;
  const canvas = use(CanvasContext);
  const drawn = drawnLines(props);
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
