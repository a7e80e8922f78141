import { Box } from 'ink';
import { memo } from 'react';
import { Spans } from './Spans.tsx';
import { areSame, cutSpans, type Span } from './span.ts';
import type { Theme } from './theme.ts';

interface LineProps {
  readonly spans: readonly Span[];
  readonly width: number;
  readonly theme: Theme;
}

/** One line of `width` cells at most, the rest left empty, drawn again only when its spans are others. */
export const OneLine = memo(
  function OneLine({ spans, width, theme }: LineProps) {
    return <Spans spans={cutSpans(spans, width, theme.glyphs.ellipsis)} theme={theme} />;
  },
  (one, other) => one.width === other.width && one.theme === other.theme && areSame(one.spans, other.spans),
);

const blank: readonly Span[] = [];

/** Exactly `height` lines of exactly `width` cells: padded with blanks, and cut. */
export function Lines({
  lines,
  width,
  height,
  theme,
}: {
  readonly lines: readonly (readonly Span[])[];
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}) {
  const shown = Array.from({ length: Math.max(0, height) }, (_, at) => lines[at] ?? blank);
  return (
    <Box flexDirection="column" width={width} height={Math.max(0, height)} flexShrink={0}>
      {shown.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        <OneLine key={at} spans={line} width={width} theme={theme} />
      ))}
    </Box>
  );
}
