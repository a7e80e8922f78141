import { paint } from '../lib/paint.ts';
import { joinPainted, type Painted, plain, spaces } from '../lib/painted.ts';
import { cells, clip, graphemes } from '../lib/text.ts';
import { fitSpans, type Span } from './span.ts';
import type { Theme } from './theme.ts';

export interface Typing {
  /** As typed: it is painted here, so that the cursor counts what the person typed. */
  readonly text: string;
  /** Graphemes before the cursor. */
  readonly cursor: number;
  readonly secret?: boolean | undefined;
  readonly placeholder?: Painted | undefined;
}

/**
 * A line being typed, in exactly `width` cells, with an inverse cursor. What does not fit is scrolled so that the
 * cursor is always seen; marks at both ends tell that there is more.
 */
export function typing({ text, cursor, secret, placeholder = plain`` }: Typing, width: number, theme: Theme): Span[] {
  if (width <= 0) return [];
  const { mask, before, after } = theme.glyphs;
  if (text === '') return waiting(placeholder, width);
  const letters = graphemes(text).map((letter) => (secret ? mask : paint(letter)));
  const wide = letters.map(cells);
  const index = Math.max(0, Math.min(cursor, letters.length));
  const width1 = (index: number) => wide[index] ?? 1;
  // Going back from the cursor, keeping a cell for each mark that may be needed.
  let first = index;
  // A character wider than the whole field cannot be drawn, its cursor can, in one cell.
  const isTooWide = width1(index) > width;
  let used = isTooWide ? 1 : width1(index);
  const room = width - (index < letters.length - 1 ? 1 : 0);
  while (first > 0 && used + width1(first - 1) + (first > 1 ? 1 : 0) <= room) {
    first -= 1;
    used += width1(first);
  }
  const more = first > 0 && used < width;
  if (more) used += 1;
  let last = index + 1;
  while (last < letters.length && used + width1(last) + (last < letters.length - 1 ? 1 : 0) <= width) {
    used += width1(last);
    last += 1;
  }
  const hidden = last < letters.length && used < width;
  const line: Span[] = [
    { text: more ? before : plain``, tone: 'dim' },
    { text: joinPainted(letters.slice(first, index)) },
    { text: isTooWide ? plain` ` : (letters[index] ?? plain` `), inverse: true },
    { text: joinPainted(letters.slice(index + 1, last)) },
    { text: hidden ? after : plain``, tone: 'dim' },
  ];
  const rest = width - used - (hidden ? 1 : 0);
  return [...line, { text: spaces(rest) }].filter((span) => span.text !== '');
}

/** A text field that is empty or has the focus, in exactly `width` cells. */
export function fieldSpans(line: Typing, width: number, focused: boolean, theme: Theme): readonly Span[] {
  if (focused) return typing(line, width, theme);
  const { placeholder = plain`` } = line;
  return width <= 0 ? [] : fitSpans([{ text: placeholder, tone: 'dim' }], width, theme.glyphs.ellipsis);
}

function waiting(placeholder: Painted, width: number): Span[] {
  const [first = plain` `, ...others] = graphemes(placeholder);
  const shown = clip(joinPainted(others), Math.max(0, width - cells(first)));
  if (cells(first) > width) return [{ text: spaces(width), inverse: true }];
  return [
    { text: first, inverse: true },
    { text: shown.text, tone: 'dim' },
    { text: spaces(width - cells(first) - shown.cells) },
  ];
}
