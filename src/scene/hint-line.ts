import { type Painted, plain } from '../lib/painted.ts';
import { type Span, spanCells } from './span.ts';

export interface Hint {
  readonly keys: Painted;
  readonly title: Painted;
  readonly disabled?: boolean;
  /** It leads to what has no room: it stays before the others. */
  readonly keep?: boolean;
}

interface HintLineProps {
  readonly hints: readonly Hint[];
  readonly width: number;
}

/**
 * The line of hints: as many as fit, whole ones only. What the key at the end does (`q back`) stays longest, then the first
 * one, then those to keep (`x more`, `? help`), then the others in their order.
 */
export function hintLine({ hints, width }: HintLineProps): readonly Span[] {
  const spans = hints.map(hintSpans);
  const wide = spans.map((span) => spanCells(span) + 2);
  const first = [hints.length - 1, 0, ...hints.keys().filter((at) => hints[at]?.keep)];
  const order = new Set([...first, ...hints.keys()].filter((at) => at in spans));
  let room = width - 1 + 2;
  const fits = new Set<number>();
  for (const at of order) {
    if ((wide[at] ?? 0) > room && fits.size > 0) {
      if (first.includes(at)) continue;
      break;
    }
    room -= wide[at] ?? 0;
    fits.add(at);
  }
  const shown = spans.filter((_, at) => fits.has(at));
  return shown.flatMap((hint, at): Span[] => [{ text: at === 0 ? plain` ` : plain`  ` }, ...hint]);
}

/** One key and what it does. */
export function hintSpans({ keys, title, disabled }: Hint): Span[] {
  return [
    { text: keys, tone: disabled ? 'dim' : 'strong' },
    { text: plain` ${title}`, tone: disabled ? 'dim' : 'plain' },
  ];
}
