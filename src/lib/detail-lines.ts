import { paint, paintLines } from './paint.ts';
import { type Painted, plain, spaces } from './painted.ts';
import { cells, fit, wrap } from './text.ts';

/** A line to read, as descriptions give it (src/describe/column.ts); `T` is what a tone may be. */
type Prose<T> =
  | { readonly kind: 'pair'; readonly label: string; readonly value: string; readonly tone?: T | undefined }
  | { readonly kind: 'text'; readonly text: string; readonly tone?: T | undefined }
  | {
      readonly kind: 'facts';
      readonly facts: readonly {
        readonly label?: string | undefined;
        readonly text: string;
        readonly tone?: T | undefined;
      }[];
    }
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
    case 'facts':
      return layoutFacts(line.facts, width);
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

const between = plain` · `;

/** Facts one after the other; one that does not fit begins a line, and is wrapped where it is longer than that. */
function layoutFacts<T>(facts: Extract<Prose<T>, { kind: 'facts' }>['facts'], width: number): Piece<T>[][] {
  const lines: Piece<T>[][] = [];
  let used = 0;
  for (const { label, text, tone } of facts) {
    const said = paint(text);
    const labelled = label === undefined ? plain`` : plain`${paint(label)} `;
    const wide = cells(labelled) + cells(said);
    const line = lines.at(-1);
    const piece: Piece<T>[] = [
      ...(labelled === '' ? [] : [{ text: labelled, tone: 'dim' as const }]),
      { text: said, tone },
    ];
    if (line && used + cells(between) + wide <= width) {
      line.push({ text: between, tone: 'dim' }, ...piece);
      used += cells(between) + wide;
    } else if (wide <= width) {
      lines.push(piece);
      used = wide;
    } else {
      lines.push(...wrap(plain`${labelled}${said}`, width).map((part) => [{ text: part, tone }]));
      used = width;
    }
  }
  return lines;
}

/** Plain texts on lines of at most `width` cells, for a view that is made to be copied from. */
export function layoutText(lines: readonly Painted[], width: number): Painted[] {
  return lines.flatMap((line) => wrap(line, width));
}
