import { type Painted, plain } from '../src/lib/painted.ts';
import { whileAlike } from '../src/lib/while-alike.ts';
import { OneLine } from './Lines.tsx';
import { type Span, spanCells } from './span.ts';
import type { Theme } from './theme.ts';

export interface Hint {
  readonly keys: Painted;
  readonly title: Painted;
  readonly disabled?: boolean;
  /** It leads to what has no room: it stays before the others. */
  readonly keep?: boolean;
}

/**
 * The line of hints: as many as fit, whole ones only. What the key at the end does (`q back`) stays longest, then the first
 * one, then those to keep (`x more`, `? help`), then the others in their order.
 */
export const footerLine = whileAlike(
  layoutHints,
  (before, after) =>
    before.width === after.width &&
    before.theme === after.theme &&
    before.hints.length === after.hints.length &&
    before.hints.every(({ keys, title, disabled }, at) => {
      const hint = after.hints[at] as Hint;
      return keys === hint.keys && title === hint.title && disabled === hint.disabled;
    }),
);

export const Footer = (props: FooterProps) => (
  <OneLine spans={footerLine(props)} width={props.width} theme={props.theme} />
);

interface FooterProps {
  readonly hints: readonly Hint[];
  readonly width: number;
  readonly theme: Theme;
}

function layoutHints({ hints, width }: FooterProps): readonly Span[] {
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
