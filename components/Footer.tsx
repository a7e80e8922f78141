import { type Painted, plain } from '../src/lib/painted.ts';
import { OneLine } from './Lines.tsx';
import { type Span, spanCells } from './span.ts';
import type { Theme } from './theme.ts';

export interface Hint {
  readonly keys: Painted;
  readonly title: Painted;
  readonly disabled?: boolean;
}

/** Hints at the end that stay when the line gets narrow: `? help` and `q back`. */
const lasting = 2;

/** The line of hints: as many as fit, whole ones only, and always the last two. */
export function Footer({
  hints,
  width,
  theme,
}: {
  readonly hints: readonly Hint[];
  readonly width: number;
  readonly theme: Theme;
}) {
  const spans = hints.map(hintSpans);
  const wide = spans.map((span) => spanCells(span) + 2);
  const from = Math.max(0, hints.length - lasting);
  let room = width - 1 + 2 - wide.slice(from).reduce((sum, width) => sum + width, 0);
  let fits = 0;
  while (fits < from && (wide[fits] ?? 0) <= room) {
    room -= wide[fits] ?? 0;
    fits += 1;
  }
  const shown = [...spans.slice(0, fits), ...spans.slice(from)];
  const line = shown.flatMap((hint, at): Span[] => [{ text: at === 0 ? plain` ` : plain`  ` }, ...hint]);
  return <OneLine spans={line} width={width} theme={theme} />;
}

/** One key and what it does. */
export function hintSpans({ keys, title, disabled }: Hint): Span[] {
  return [
    { text: keys, tone: disabled ? 'dim' : 'strong' },
    { text: plain` ${title}`, tone: disabled ? 'dim' : 'plain' },
  ];
}
