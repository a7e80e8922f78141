import { paint } from '../lib/paint.ts';
import { type Painted, plain } from '../lib/painted.ts';
import type { Span } from '../scene/span.ts';
import type { Theme } from '../scene/theme.ts';
import { isPart } from '../session/rows/counts.ts';
import type { Moment } from '../session/state/moment.ts';

/**
 * `▲ 1 ALERT P1 · `, `▼ 9 ALERT P2 · `: rows that need a person and are not among those from `top` to `end`, above them or not
 * in their place yet, and below them; with what matters most of them. What is muted, and what a filter leaves out, is not told.
 */
export function edgeSpans({ view }: Moment, { glyphs }: Theme, top: number, end: number): readonly Span[] {
  const { listState, counts, places } = view;
  const unplaced = listState.filter === '' ? -1 : top;
  const side = (arrow: Painted, isThere: (place: number) => boolean): Span[] => {
    let count = 0;
    let word = '';
    let highest = '';
    for (const [id, { label, rank }] of counts.unmuted) {
      if (!isThere(places.get(id) ?? unplaced)) continue;
      count += 1;
      word ||= label;
      if (rank !== '' && (highest === '' || rank < highest)) highest = rank;
    }
    const words = [`${count}${isPart(view.read) ? '+' : ''}`, word, highest].filter(Boolean).join(' ');
    return count === 0
      ? []
      : [
          { text: plain`${arrow} ${paint(words)}`, tone: 'bad' },
          { text: plain` ${glyphs.dot} `, tone: 'dim' },
        ];
  };
  return [...side(glyphs.up, (place) => place < top), ...side(glyphs.down, (place) => place >= end)];
}
