import { type Painted, plain } from '../src/lib/painted.ts';
import { whileAlike } from '../src/lib/while-alike.ts';
import { OneLine } from './Lines.tsx';
import { areSame, cutSpans, fitSpans, type Span, spanCells } from './span.ts';
import { currentCells, type StripEntry, stripPlaceAt, stripSpans } from './strip.ts';
import type { Theme } from './theme.ts';

/**
 * The first line: the profile, the strip of screens, the host where there is room for it, freshness at the right. Of the
 * profile, spans marked `keep` stay whatever happens; the strip gets what they and the freshness leave. Where that is no room
 * for the screen in front, the freshness is its spans marked `keep`, if it has any.
 */
export const headerLine = whileAlike(
  layoutHeader,
  (before, after) =>
    before.width === after.width &&
    before.theme === after.theme &&
    before.screens === after.screens &&
    before.host === after.host &&
    areSame(before.profile, after.profile) &&
    areSame(before.right, after.right),
);

export const Header = (props: HeaderProps) => (
  <OneLine spans={headerLine(props)} width={props.width} theme={props.theme} />
);

function layoutHeader(props: HeaderProps): readonly Span[] {
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

/** The place among the screens of the one that is drawn in this cell of the line. */
export function screenAt(props: HeaderProps, cell: number): number | undefined {
  const { left, strip, room } = partsOf(props);
  return stripPlaceAt(props.screens, room, props.theme, cell - spanCells(left) + spanCells(strip));
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
  return { left: [...profile, ...(isRoomy ? [at] : []), ...strip], shown, strip, room };
}
