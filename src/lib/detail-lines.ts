import { paint, paintLines } from './paint.ts';
import { joinPainted, type Painted, plain, sliced } from './painted.ts';
import { cells, fit, wrap } from './text.ts';

/** A line to read, as descriptions give it (src/describe/column.ts); `T` is what a tone may be. */
export type Prose<T> =
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

/** A part of a line as it is drawn. */
interface Piece<T> {
  readonly text: Painted;
  readonly tone?: T | 'dim' | 'label' | 'strong' | undefined;
  /** Whether the piece continues the last one of the line above, which was too long for one line. */
  readonly continues?: boolean;
  /** Whether the piece is the title of a section. */
  readonly isTitle?: boolean;
}

/** A line as it is drawn. */
export type LaidLine<T> = readonly Piece<T>[];

const widestLabel = 32;
/** Cells before a value that stands on lines of its own, under its label. */
const indent = plain`  `;

/**
 * Lays out the lines of a detail in `width` cells: painted, labels in their own column, long values wrapped.
 */
export function layoutLines<T>(lines: readonly Prose<T>[], width: number): readonly LaidLine<T>[] {
  return byHead(lines).flatMap((part) => layoutProse(part, labelCells([part], width), width));
}

/** The lines above the first head, and those from each head on: a short label stands near its value whatever another part needs. */
function byHead<T>(lines: readonly Prose<T>[]): readonly (readonly Prose<T>[])[] {
  const heads = lines.flatMap(({ kind }, at) => (kind === 'head' ? [at] : []));
  return [0, ...heads].map((from, at) => lines.slice(from, heads[at] ?? lines.length));
}

/**
 * Cells for the labels of these lines, so that their values stand below each other: all that the longest label needs where it is
 * short or the longest value still fits beside it, else at most 45 % of the width.
 */
export function labelCells(groups: readonly (readonly Prose<unknown>[])[], width: number): number {
  const pairs = groups.flatMap((lines) => lines.filter((line) => line.kind === 'pair'));
  const longest = longestOf(pairs.map(({ label }) => label));
  const most = Math.max(0, Math.min(widestLabel, Math.floor(width * 0.45)));
  if (longest <= most) return longest;
  return longest + 2 + longestOf(pairs.map(({ value }) => value)) <= width ? longest : most;
}

const longestOf = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, cells(paint(text))), 0);

/** Lays out lines of a detail with labels of this width in cells; not cached. */
export const layoutProse = <T>(lines: readonly Prose<T>[], label: number, width: number): LaidLine<T>[] =>
  lines.flatMap((line) => layoutLine(line, label, width));

function layoutLine<T>(line: Prose<T>, label: number, width: number): LaidLine<T>[] {
  switch (line.kind) {
    case 'gap':
      return [[]];
    case 'head':
      return wrapped<T>(paint(line.text), width, 'strong');
    case 'facts':
      return layoutFacts(line.facts, width);
    case 'text':
      return paintLines(line.text).flatMap((part) => wrapped(part, width, line.tone));
    case 'pair': {
      const value = paint(line.value);
      const room = Math.max(1, width - label - 2);
      const labels = label > 0 ? wrap(paint(line.label), label) : [];
      // An id or an address is read, and selected with the mouse, in one piece.
      const word = longestWord(value);
      if (word > room && word <= width) {
        const before = word <= width - cells(indent) ? indent : plain``;
        return [
          ...labels.map((text) => [{ text, tone: 'label' as const }]),
          ...wrapped<T>(value, width - cells(before), line.tone).map((pieces) => [{ text: before }, ...pieces]),
        ];
      }
      const values = wrapped<T>(value, room, line.tone);
      return Array.from({ length: Math.max(values.length, labels.length) }, (_, at) => [
        { text: plain`${fit(labels[at] ?? plain``, label)}  `, tone: 'label' },
        ...(values[at] ?? []),
      ]);
    }
  }
}

const longestWord = (text: string): number => text.split(' ').reduce((most, word) => Math.max(most, cells(word)), 0);

const wrapped = <T>(text: Painted, width: number, tone: Piece<T>['tone']): LaidLine<T>[] =>
  wrap(text, width).map((part, at) => [{ text: part, tone, ...(at > 0 ? { continues: true } : {}) }]);

const between = plain` · `;

/** Facts one after the other; one that does not fit begins a line, and is wrapped where it is longer than that. */
function layoutFacts<T>(facts: Extract<Prose<T>, { kind: 'facts' }>['facts'], width: number): Piece<T>[][] {
  const lines: Piece<T>[][] = [];
  let used = 0;
  for (const { label, text, tone } of facts) {
    const painted = paint(text);
    const labeled = label === undefined ? plain`` : plain`${paint(label)} `;
    const wide = cells(labeled) + cells(painted);
    const line = lines.at(-1);
    const piece: Piece<T>[] = [
      ...(labeled === '' ? [] : [{ text: labeled, tone: 'label' as const }]),
      { text: painted, tone },
    ];
    if (line && used + cells(between) + wide <= width) {
      line.push({ text: between, tone: 'dim' }, ...piece);
      used += cells(between) + wide;
    } else if (wide <= width) {
      lines.push(piece);
      used = wide;
    } else {
      const [first = [], ...rest] = wrapped(joinPainted([labeled, painted]), width, tone);
      lines.push(withLabel(first, labeled), ...rest.map((line) => [...line]));
      used = width;
    }
  }
  return lines;
}

/** The label at the beginning of a wrapped fact looks like that of any other. */
const withLabel = <T>([{ text, ...piece } = { text: plain`` }, ...rest]: LaidLine<T>, label: string): Piece<T>[] =>
  label === ''
    ? [{ text, ...piece }, ...rest]
    : [{ text: sliced(text, 0, label.length), tone: 'label' }, { ...piece, text: sliced(text, label.length) }, ...rest];

/** The lines that `room` has place for. A heading is not the last of them: its text is more than it. */
export function firstLines<T>(lines: readonly LaidLine<T>[], room: number): readonly LaidLine<T>[] {
  if (lines.length <= room) return lines;
  const last = lines.slice(0, room).findLastIndex(([piece]) => piece !== undefined && piece.tone !== 'strong');
  return lines.slice(0, last + 1);
}

/** Plain texts on lines of at most `width` cells, for a view that is made to be copied from. */
export function layoutText(lines: readonly Painted[], width: number): Painted[] {
  return lines.flatMap((line) => wrap(line, width));
}
