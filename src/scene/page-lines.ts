import type { Tone } from '../describe/column.ts';
import { type LaidLine, type LaidPage, pageGap } from '../lib/detail-page.ts';
import { type Painted, plain, repeated, spaces } from '../lib/painted.ts';
import { cells } from '../lib/text.ts';
import type { Spot } from '../lib/text-matches.ts';
import { cutSpans, fitSpans, markedSpans, type Room, type Span, spanCells } from './span.ts';
import type { Theme } from './theme.ts';

interface PageProps extends Room {
  readonly page: LaidPage<Tone>;
  /** First line shown. */
  readonly top: number;
  /** What a search has found, and which of it the person is at; -1 for none. */
  readonly found: readonly { readonly spots: readonly Spot[] }[];
  readonly foundAt: number;
}

/** The lines of a page of a detail, with a blank cell on both sides: headed sections, in columns where it is wide. */
export function pageLines(props: PageProps): readonly (readonly Span[])[] {
  const { page, top, found, foundAt, width, height, theme } = props;
  const shown = Array.from({ length: Math.max(0, Math.min(height, page.height - top)) }, (_, at) => top + at);
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
  return lines.map((line) => [{ text: plain` ` }, ...cutSpans(line, inside, theme.glyphs.ellipsis)]);
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
  return [...spans, { text: plain` ${repeated(theme.glyphs.box.horizontal, rest)}`, tone: 'dim' }];
}

export interface TabsProps extends Pick<Room, 'width' | 'theme'> {
  readonly tabs: readonly { readonly id: string; readonly title: Painted }[];
  /** Place of the open one. */
  readonly tab: number;
}

/** Cells of a tab with its brackets, and one behind it. */
const tabCells = ({ title }: TabsProps['tabs'][number]): number => cells(title) + 3;

/** Place of the first tab that is drawn. */
function firstTab({ tabs, tab, width }: Omit<TabsProps, 'theme'>): number {
  const widths = tabs.map(tabCells);
  let first = 0;
  const needed = () => widths.slice(first, tab + 1).reduce((sum, width) => sum + width, first > 0 ? 1 : 0);
  while (first < tab && needed() > width) first += 1;
  return first;
}

/** One line of tabs, the open one in brackets. Where not all fit, those before the open one leave first. */
export function tabsLine({ tabs, tab, width, theme }: TabsProps): readonly Span[] {
  const first = firstTab({ tabs, tab, width });
  const line: Span[] = first > 0 ? [{ text: theme.glyphs.before, tone: 'dim' }] : [];
  tabs.slice(first).forEach((shown, at) => {
    const open = at + first === tab;
    line.push(
      {
        text: open ? plain`[${shown.title}]` : plain` ${shown.title} `,
        tone: open ? 'strong' : 'dim',
        target: shown.id,
      },
      { text: plain` ` },
    );
  });
  return cutSpans(line, width, theme.glyphs.ellipsis);
}
