import { type Painted, plain } from '../lib/painted.ts';
import { currentCells, type StripEntry, stripSpans } from './screen-strip.ts';
import { cutSpans, fitSpans, type Span, spanCells } from './span.ts';
import type { Theme } from './theme.ts';

/**
 * The first line: the profile, the strip of screens, the host where there is room for it, freshness at the right. Of the
 * profile, spans marked `keep` stay whatever happens; the strip gets what they and the freshness leave. Where that is no room
 * for the screen in front, the freshness is its spans marked `keep`, if it has any.
 */
export function headerLine(props: HeaderProps): readonly Span[] {
  const { width, theme } = props;
  const { left, shown } = partsOf(props);
  return [...fitSpans(left, Math.max(0, width - spanCells(shown)), theme.glyphs.ellipsis), ...shown];
}

export interface HeaderProps {
  readonly profile: readonly Span[];
  readonly screens: readonly StripEntry[];
  readonly host: Painted;
  readonly right: readonly Span[];
  readonly width: number;
  readonly theme: Theme;
}

function partsOf({ profile, screens, host, right, width, theme }: HeaderProps) {
  const kept = spanCells(profile.filter((span) => span.keep));
  const short = right.filter((span) => span.keep);
  const isTight = spanCells(profile) + spanCells(right) + currentCells(screens, theme) > width;
  const fresh = isTight && short.length > 0 ? short : right;
  const shown = cutSpans(fresh, Math.max(0, width - kept - 1), theme.glyphs.ellipsis);
  const room = Math.max(0, width - spanCells(profile) - spanCells(shown));
  const least = stripSpans(screens, room, theme);
  // Not a part of a bracket where a long problem leaves no room.
  const strip = spanCells(least) > room ? [] : least;
  const at: Span = { text: host === '' ? host : plain`${host} `, tone: 'dim' };
  const isRoomy = spanCells([at, ...stripSpans(screens, 1000, theme)]) <= room;
  return { left: [...profile, ...(isRoomy ? [at] : []), ...strip], shown };
}
