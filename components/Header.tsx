import { type Painted, plain } from '../src/lib/painted.ts';
import { OneLine } from './Lines.tsx';
import { cutSpans, fitSpans, type Span, spanCells } from './span.ts';
import { type StripEntry, stripSpans } from './strip.ts';
import type { Theme } from './theme.ts';

/**
 * The first line: the profile, the strip of screens, the host where there is room for it, freshness at the right. Of the
 * profile, spans marked `keep` stay whatever happens; the strip gets what they and the freshness leave.
 */
export function Header({
  profile,
  screens,
  host,
  right,
  width,
  theme,
}: {
  readonly profile: readonly Span[];
  readonly screens: readonly StripEntry[];
  readonly host: Painted;
  readonly right: readonly Span[];
  readonly width: number;
  readonly theme: Theme;
}) {
  const { ellipsis } = theme.glyphs;
  const kept = spanCells(profile.filter((span) => span.keep));
  const shown = cutSpans(right, Math.max(0, width - kept - 1), ellipsis);
  const room = Math.max(0, width - spanCells(profile) - spanCells(shown));
  const strip = stripSpans(screens, room, theme);
  const at: Span = { text: host === '' ? host : plain`${host} `, tone: 'dim' };
  const isRoomy = spanCells([at, ...stripSpans(screens, 1000, theme)]) <= room;
  const left = [...profile, ...(isRoomy ? [at] : []), ...strip];
  const line = [...fitSpans(left, Math.max(0, width - spanCells(shown)), ellipsis), ...shown];
  return <OneLine spans={line} width={width} theme={theme} />;
}
