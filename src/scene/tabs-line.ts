import { type Painted, plain } from '../lib/painted.ts';
import { cells } from '../lib/text.ts';
import { cutSpans, type Span } from './span.ts';
import type { Theme } from './theme.ts';

export interface TabsProps {
  readonly tabs: readonly { readonly id: string; readonly title: Painted }[];
  /** Place of the open one. */
  readonly tab: number;
  readonly width: number;
  readonly theme: Theme;
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
