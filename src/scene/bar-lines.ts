import { type Painted, plain, trimmed } from '../lib/painted.ts';
import { cells, wrap } from '../lib/text.ts';
import { type Hint, hintSpans } from './hint-line.ts';
import { flow, type Span } from './span.ts';
import type { Theme } from './theme.ts';
import { typing } from './typing.ts';

export interface BarLineProps {
  readonly title: Painted;
  /** Values that apply to every choice: `scope host:web-1`. */
  readonly settings: readonly { readonly name: Painted; readonly value: Painted }[];
  /** What the values would do, below the title. */
  readonly foresight?: { readonly text: Painted; readonly isWarning: boolean } | undefined;
  /** A text being typed: the title stands above it, or what is wrong with it. */
  readonly input?: {
    readonly label: Painted;
    readonly text: string;
    readonly cursor: number;
    readonly placeholder?: Painted | undefined;
    readonly error?: Painted | undefined;
    /** What the text means so far, beside the title above it; empty while it means nothing. */
    readonly means?: Painted | undefined;
  };
  /** Every choice with its key; none is left out, because a hidden prompt looks like a freeze. */
  readonly hints: readonly Hint[];
  readonly width: number;
  readonly theme: Theme;
}

/**
 * The lines that a bar takes in `width` cells, two where that is enough: what is asked, and the keys. What is wrong
 * with a typed text, or what it means, stands above it, so that the text is not shortened.
 */
export function layoutBar({
  title,
  settings,
  foresight,
  input,
  hints,
  width,
  theme,
}: BarLineProps): (readonly Span[])[] {
  const { bad, dot, ellipsis } = theme.glyphs;
  const inner = Math.max(1, width - 1);
  const keys = flow(hints.map(hintSpans), inner, 2, ellipsis).map((line): Span[] => [{ text: plain` ` }, ...line]);
  const ahead = foresight ? wrap(foresight.text, inner) : [];
  const tone = foresight?.isWarning ? 'warn' : 'plain';
  const lines = ahead.map((line): Span[] => [{ text: plain` ${trimmed(line)}`, tone }]);
  if (input) {
    const label = plain` ${input.label}: `;
    const wrong = input.error === undefined ? [] : wrap(plain`${bad} ${input.error}`, inner);
    const { means = plain`` } = input;
    const about: Span[] = [
      { text: plain` ${title}`, tone: 'dim' },
      { text: means === '' ? plain`` : plain` ${dot} ${means}`, tone: 'strong', keep: true },
    ];
    return [
      ...(wrong.length > 0 ? [] : [about]),
      ...lines,
      ...wrong.map((line): Span[] => [{ text: plain` ${trimmed(line)}`, tone: 'bad' }]),
      [{ text: label, tone: 'info', keep: true }, ...typing(input, Math.max(8, width - cells(label) - 1), theme)],
      ...keys,
    ];
  }
  const asked: Span[] = [
    { text: plain` ${title}`, tone: 'info' },
    ...settings.flatMap(({ name, value }): Span[] => [
      { text: plain` ${dot} ${name} `, tone: 'dim', keep: true },
      { text: value, tone: 'strong', keep: true },
    ]),
  ];
  return [asked, ...lines, ...keys];
}
