import { paint, paintLines } from './paint.ts';
import { type Painted, plain, spaces } from './painted.ts';
import { cells, fit, wrap } from './text.ts';

/** A line to read, as descriptions give it (src/describe/column.ts); `T` is what a tone may be. */
type Prose<T> =
  | { readonly kind: 'pair'; readonly label: string; readonly value: string; readonly tone?: T | undefined }
  | { readonly kind: 'text'; readonly text: string; readonly tone?: T | undefined }
  | { readonly kind: 'head'; readonly text: string }
  | { readonly kind: 'gap' };

interface Piece<T> {
  readonly text: Painted;
  readonly tone?: T | 'dim' | 'strong' | undefined;
}

const widestLabel = 24;
const laidOut = new WeakMap<object, { readonly width: number; readonly lines: readonly (readonly Piece<never>[])[] }>();

/**
 * Lays out the lines of a detail in `width` cells: painted, labels in their own column, long values wrapped. The
 * result's length is the scroll height. The last result per array is cached.
 */
export function layoutLines<T>(lines: readonly Prose<T>[], width: number): readonly (readonly Piece<T>[])[] {
  const known = laidOut.get(lines);
  if (known?.width === width) return known.lines;
  const longest = lines.reduce(
    (most, line) => (line.kind === 'pair' ? Math.max(most, cells(paint(line.label))) : most),
    0,
  );
  const label = Math.max(0, Math.min(longest, widestLabel, Math.floor(width / 3)));
  const made = lines.flatMap((line) => layoutLine(line, label, width));
  laidOut.set(lines, { width, lines: made as never });
  return made;
}

function layoutLine<T>(line: Prose<T>, label: number, width: number): Piece<T>[][] {
  switch (line.kind) {
    case 'gap':
      return [[]];
    case 'head':
      return wrap(paint(line.text), width).map((text) => [{ text, tone: 'strong' }]);
    case 'text':
      return paintLines(line.text)
        .flatMap((part) => wrap(part, width))
        .map((text) => [{ text, tone: line.tone }]);
    case 'pair':
      return wrap(paint(line.value), Math.max(1, width - label - 2)).map((text, at) => [
        { text: plain`${at === 0 ? fit(paint(line.label), label) : spaces(label)}  `, tone: 'dim' },
        { text, tone: line.tone },
      ]);
  }
}

/** Plain texts on lines of at most `width` cells, for a view that is made to be copied from. */
export function layoutText(lines: readonly Painted[], width: number): Painted[] {
  return lines.flatMap((line) => wrap(line, width));
}
