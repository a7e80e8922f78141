import { spaces } from '../src/lib/painted.ts';
import { OneLine } from './Lines.tsx';
import { cutSpans, fitSpans, type Span, spanCells } from './span.ts';
import type { Theme } from './theme.ts';

/**
 * The first line: profile and screen at the left, freshness at the right. The left is cut before the right;
 * spans marked `keep` stay whatever happens.
 */
export function Header({
  left,
  right,
  width,
  theme,
}: {
  readonly left: readonly Span[];
  readonly right: readonly Span[];
  readonly width: number;
  readonly theme: Theme;
}) {
  const { ellipsis } = theme.glyphs;
  const kept = spanCells(left.filter((span) => span.keep));
  const gap = right.length > 0 ? 1 : 0;
  const shown = cutSpans(right, Math.max(0, width - kept - gap), ellipsis);
  const room = Math.max(0, width - spanCells(shown) - gap);
  const line = [...fitSpans(left, room, ellipsis), { text: spaces(gap) }, ...shown];
  return <OneLine spans={line} width={width} theme={theme} />;
}
