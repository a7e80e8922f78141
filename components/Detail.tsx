import type { Tone } from '../src/describe/column.ts';
import { areAlike } from '../src/lib/alike.ts';
import type { LaidLine } from '../src/lib/detail-lines.ts';
import { type LaidPage, pageGap } from '../src/lib/detail-page.ts';
import type { Spot } from '../src/lib/matches.ts';
import { plain, repeated, spaces } from '../src/lib/painted.ts';
import { cutSpans, fitSpans, markedSpans, type Span, spanCells } from './span.ts';
import { type TabsProps, tabsLine } from './Tabs.tsx';
import type { Theme } from './theme.ts';

export interface DetailProps extends TabsProps {
  readonly page: LaidPage<Tone>;
  /** First line shown. */
  readonly top: number;
  /** What a search has found, and which of it the person is at; -1 for none. */
  readonly found: readonly { readonly spots: readonly Spot[] }[];
  readonly foundAt: number;
  /** With the line of the tabs. */
  readonly height: number;
}

const known = new WeakMap<LaidPage<Tone>, { readonly of: DetailProps; readonly lines: readonly (readonly Span[])[] }>();

/** The lines of a page; the same while nothing of them changes, also when the detail was closed meanwhile. */
export function detailLines(props: DetailProps): readonly (readonly Span[])[] {
  const before = known.get(props.page);
  if (before && areAlike(Object.values(before.of), Object.values(props))) return before.lines;
  const lines = pageLines(props);
  known.set(props.page, { of: props, lines });
  return lines;
}

/**
 * The lines of a page of a detail below its tabs, with a blank cell on both sides: headed sections, in columns where it is
 * wide.
 */
function pageLines(props: DetailProps): readonly (readonly Span[])[] {
  const { tabs, tab, page, top, found, foundAt, width, height, theme } = props;
  const room = Math.max(0, height - 1);
  const shown = Array.from({ length: Math.max(0, Math.min(room, page.height - top)) }, (_, at) => top + at);
  const spots = found.flatMap(({ spots }, at) => spots.map((spot) => ({ ...spot, isHere: at === foundAt })));
  const lines = shown.map((line) => {
    const here = spots.filter((spot) => spot.line === line);
    return page.columns.flatMap(({ lines }, column): readonly Span[] => {
      const pieces = lines[line] ?? [];
      const spans = drawn(
        pieces,
        here.filter((spot) => spot.column === column),
        page.width,
        theme,
      );
      const isLast = column === page.columns.length - 1;
      return isLast ? spans : [...fitSpans(spans, page.width, theme.glyphs.ellipsis), { text: spaces(pageGap) }];
    });
  });
  const inside = Math.max(0, width - 2);
  return [tabsLine({ tabs, tab, width: inside, theme }), ...lines]
    .slice(0, Math.max(0, height))
    .map((line) => [{ text: plain` ` }, ...cutSpans(line, inside, theme.glyphs.ellipsis)]);
}

/** The spans of a line: matches marked, the current one inverse; a section's title with a rule up to the column's end. */
function drawn(
  pieces: LaidLine<Tone>,
  spots: readonly (Spot & { readonly isHere: boolean })[],
  width: number,
  theme: Theme,
): Span[] {
  const spans = pieces.flatMap(({ text, tone }, piece): Span[] => {
    const here = spots.filter((spot) => spot.piece === piece);
    if (here.length === 0) return [{ text, tone }];
    const marked = here.find(({ isHere }) => isHere);
    let at = 0;
    return markedSpans({ text, tone }, here).map((span) => {
      const isHere = marked?.start === at && span.underline === true;
      at += span.text.length;
      return isHere ? { ...span, inverse: true } : span;
    });
  });
  if (!pieces.some(({ isTitle }) => isTitle)) return spans;
  const rest = width - spanCells(spans) - 1;
  return [...spans, { text: plain` ${repeated(theme.glyphs.box.top, rest)}`, tone: 'dim' }];
}
