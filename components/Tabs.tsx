import { type Painted, plain } from '../src/lib/painted.ts';
import { cells } from '../src/lib/text.ts';
import { OneLine } from './Lines.tsx';
import type { Span } from './span.ts';
import type { Theme } from './theme.ts';

export interface TabsProps {
  readonly tabs: readonly { readonly id: string; readonly title: Painted }[];
  /** Place of the open one. */
  readonly tab: number;
  readonly width: number;
  readonly theme: Theme;
}

/** One line of tabs, the open one in brackets. Where not all fit, those before the open one leave first. */
export function Tabs({ tabs, tab, width, theme }: TabsProps) {
  const widths = tabs.map((tab) => cells(tab.title) + 3);
  let first = 0;
  const needed = () => widths.slice(first, tab + 1).reduce((sum, width) => sum + width, first > 0 ? 1 : 0);
  while (first < tab && needed() > width) first += 1;
  const line: Span[] = first > 0 ? [{ text: theme.glyphs.before, tone: 'dim' }] : [];
  tabs.slice(first).forEach((shown, at) => {
    const open = at + first === tab;
    line.push(
      { text: open ? plain`[${shown.title}]` : plain` ${shown.title} `, tone: open ? 'strong' : 'dim' },
      { text: plain` ` },
    );
  });
  return <OneLine spans={line} width={width} theme={theme} />;
}
