import { paint } from '../lib/paint.ts';
import { type Painted, plain } from '../lib/painted.ts';
import type { Span } from '../scene/span.ts';
import type { Theme } from '../scene/theme.ts';
import type { Moment } from '../session/state/moment.ts';

/**
 * `▲ 1 ALERT P1`, `▼ 9 ALERT P2`: rows that need a person and are not among those from `top` to `end`, above them or not in their
 * place yet, and below them; with what matters most of them. What is muted, and what a filter leaves out, is not told.
 */
export function edgeSpans({ view, context }: Moment, { glyphs }: Theme, top: number, end: number): readonly Span[] {
  const { list, listState, counts, places, rows } = view;
  const unplaced = listState.filter === '' ? -1 : top;
  const side = (arrow: Painted, isThere: (place: number) => boolean): Span[] => {
    const unseen = [...counts.needPerson].flatMap((id) => {
      if (!isThere(places.get(id) ?? unplaced)) return [];
      const state = list.states?.find(({ label }) => label === counts.labels.get(id));
      const row = rows.get(id);
      return !state || state.aside?.isSo(row, context) ? [] : [{ label: state.label, rank: state.rank?.(row) ?? '' }];
    });
    const [rank] = unseen.flatMap((one) => one.rank || []).sort();
    const words = [`${unseen.length}`, unseen[0]?.label ?? '', ...(rank ? [rank] : [])].join(' ');
    return unseen.length === 0 ? [] : [{ text: plain`${arrow} ${paint(words)} `, tone: 'bad' }];
  };
  return [...side(glyphs.up, (place) => place < top), ...side(glyphs.down, (place) => place >= end)];
}
