import type { Span } from '../../components/span.ts';
import type { Theme } from '../../components/theme.ts';
import { paint } from '../lib/paint.ts';
import { plain } from '../lib/painted.ts';
import type { View } from '../session/view.ts';

/** Title bar: the list in front between the other tabs of its screen. */
export function titleOf(view: View, theme: Theme): Span[] {
  const dot: Span = { text: plain` ${theme.glyphs.dot} `, tone: 'dim' };
  const spans = view.screen.lists.map((list): Span[] =>
    list === view.list ? frontTitle(view, theme) : [{ text: paint(list.title), tone: 'dim' }],
  );
  return spans.flatMap((title, at) => (at === 0 ? title : [dot, ...title]));
}

/** Of the list in front: filter, counts, what is asked, the order, what waits. */
function frontTitle(view: View, theme: Theme): Span[] {
  const { list, own, ids, total, waiting } = view;
  const sort = own.sort ?? list.sorted;
  const column = list.columns.find((column) => column.id === sort?.by);
  const asked = [list.search?.says(own.asked.search) ?? '', own.asked.range].filter((part) => part !== '').join(' ');
  return [
    { text: paint(list.title), bold: true, keep: true },
    ...(own.filter === '' ? [] : [{ text: plain` </${paint(own.filter)}>`, tone: 'info' as const, keep: true }]),
    { text: plain` [${ids.length === total ? total : plain`${ids.length}/${total}`}]`, keep: true },
    ...(own.moving
      ? [{ text: plain` new order, not saved: Ctrl-S saves, q drops`, tone: 'warn' as const, keep: true }]
      : []),
    ...(waiting > 0 ? [{ text: plain` ${waiting} new: Ctrl-R`, tone: 'warn' as const, keep: true }] : []),
    ...(asked === '' ? [] : [{ text: plain` ${paint(asked)}`, tone: 'dim' as const }]),
    ...(column
      ? [
          {
            text: plain` ${paint(column.title.toLowerCase() || column.id)}${sort?.down ? theme.glyphs.down : theme.glyphs.up}`,
            tone: 'dim' as const,
          },
        ]
      : []),
  ];
}
