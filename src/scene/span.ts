import type { Tone } from '../describe/column.ts';
import { joinPainted, type Painted, plain, sliced, spaces, trimmed } from '../lib/painted.ts';
import { cells, cut } from '../lib/text.ts';
import type { Range } from '../lib/text-matches.ts';
import type { TextStyle, Theme } from './theme.ts';

/** A piece of one line; it has no line break. */
export interface Span {
  readonly text: Painted;
  readonly tone?: Tone | undefined;
  readonly inverse?: boolean;
  readonly bold?: boolean;
  readonly underline?: boolean;
  /** What it stands for, where choosing it does something of its own: the key of a screen, the id of a tab. */
  readonly target?: string | undefined;
  /** A text field at rest. */
  readonly field?: { readonly secret: boolean };
  /** Never dropped where the line gets narrow, for example the badge of a production profile. */
  readonly keep?: boolean;
}

/** Cells that the spans take together. */
export function spanCells(spans: readonly Span[]): number {
  return spans.reduce((sum, span) => sum + cells(span.text), 0);
}

/** The style of a span: its tone and its own attributes. */
export function resolveLook(span: Span, theme: Theme): TextStyle {
  const look = theme.props(span.tone ?? 'plain');
  if (!span.inverse && !span.bold && !span.underline) return look;
  return {
    ...look,
    // Inverse is for the cursor where something is underlined: in a tone that is inverse it would not be seen.
    ...(span.inverse || span.underline ? { inverse: span.inverse ?? false } : {}),
    ...(span.bold ? { bold: true } : {}),
    ...(span.underline ? { underline: true } : {}),
  };
}

/** At most `width` cells: cut from the end, spans marked `keep` last. */
export function cutSpans(spans: readonly Span[], width: number, ellipsis: Painted | '' = plain`…`): readonly Span[] {
  if (spanCells(spans) <= width) return spans;
  const kept = spanCells(spans.filter((span) => span.keep));
  let room = Math.max(0, width - kept);
  let keepRoom = Math.max(0, Math.min(width, kept));
  const out: Span[] = [];
  for (const span of spans) {
    const wide = cells(span.text);
    const text = cut(span.text, span.keep ? keepRoom : room, ellipsis);
    if (span.keep) keepRoom -= Math.min(keepRoom, wide);
    // After a cut span no later span is drawn in the remaining cell.
    else room = wide > room ? 0 : room - wide;
    if (text !== '') out.push({ ...span, text });
  }
  return out;
}

/** Exactly `width` cells: cut as `cutSpans` does, or padded with spaces. */
export function fitSpans(spans: readonly Span[], width: number, ellipsis: Painted | '' = plain`…`): readonly Span[] {
  const kept = cutSpans(spans, width, ellipsis);
  const rest = width - spanCells(kept);
  return rest > 0 ? [...kept, { text: spaces(rest) }] : kept;
}

const isDim = (tone: Tone = 'plain'): boolean => tone === 'dim' || tone === 'quiet' || tone === 'label';

/**
 * A span in parts: these ranges of it are marked, bold and underlined, so that color is not needed to see them, and never
 * dim, which cannot be read once it is inverse.
 */
export function markedSpans(span: Span, ranges: readonly Range[]): Span[] {
  const marked: Span = { ...span, tone: isDim(span.tone) ? 'plain' : span.tone, bold: true, underline: true };
  const parts: Span[] = [];
  let index = 0;
  for (const { start, end } of ranges) {
    if (start > index) parts.push({ ...span, text: sliced(span.text, index, start) });
    parts.push({ ...marked, text: sliced(span.text, start, end) });
    index = end;
  }
  if (index < span.text.length) parts.push({ ...span, text: sliced(span.text, index) });
  return parts;
}

/** A line in parts, with these ranges of its whole text marked. */
export function markedLine(line: readonly Span[], ranges: readonly Range[]): readonly Span[] {
  let from = 0;
  return line.flatMap((span) => {
    const to = from + span.text.length;
    const here = ranges.flatMap(({ start, end }) =>
      start < to && end > from ? [{ start: Math.max(start, from) - from, end: Math.min(end, to) - from }] : [],
    );
    from = to;
    return here.length === 0 ? [span] : markedSpans(span, here);
  });
}

/** Groups of spans put on as few lines as they need, each at most `width` cells, a gap between two on a line. */
export function flow(groups: readonly (readonly Span[])[], width: number, gap: number, ellipsis: Painted): Span[][] {
  const lines: Span[][] = [];
  let line: Span[] = [];
  let used = 0;
  for (const group of groups) {
    const wide = spanCells(group);
    if (used > 0 && used + gap + wide > width) {
      lines.push(line);
      line = [];
      used = 0;
    }
    if (used > 0) line.push({ text: spaces(gap) });
    used += (used > 0 ? gap : 0) + Math.min(wide, width);
    line.push(...cutSpans(group, width, ellipsis));
  }
  if (line.length > 0) lines.push(line);
  return lines;
}

/** The line under the cursor: its text mark, and the look of what is chosen over the whole width. */
export function choosable(spans: readonly Span[], width: number, chosen: boolean, theme: Theme): readonly Span[] {
  const { cursor, ellipsis } = theme.glyphs;
  const line = fitSpans([{ text: chosen ? plain`${cursor} ` : plain`  ` }, ...spans], width, ellipsis);
  if (!chosen) return line;
  const { inverse, bold } = theme.selected;
  return [{ text: joinPainted(line.map((span) => span.text)), inverse: inverse ?? false, bold: bold ?? false }];
}

/** Tones that say how a row is. */
const telling: ReadonlySet<Tone> = new Set(['good', 'warn', 'bad', 'info']);

/**
 * The line of a row under the cursor, its marks first, in one look: of its tones the first that says how the row is, as its
 * state does, and none while an edit of it is pending.
 */
export function underCursor([marks, ...line]: readonly Span[], theme: Theme, pending: boolean): readonly Span[] {
  const { inverse = false, bold = false } = theme.selected;
  const state = line.findIndex(({ text, tone = 'plain' }) => telling.has(tone) && trimmed(text) !== '');
  const plainly = (spans: readonly (Span | undefined)[]): Span[] => {
    const text = joinPainted(spans.map((span) => span?.text ?? plain``));
    return text === '' ? [] : [{ text, inverse, bold }];
  };
  const shown = line[state];
  if (shown === undefined || pending) return plainly([marks, ...line]);
  // Without the blanks around it, and without the next cells that have its tone: its color is behind its words alone.
  const from = shown.text.search(/[^ ]/);
  const until = from + (shown.text.trim().split('  ', 1)[0]?.length ?? 0);
  return [
    ...plainly([marks, ...line.slice(0, state), { text: sliced(shown.text, 0, from) }]),
    { text: sliced(shown.text, from, until), tone: shown.tone, inverse, bold },
    ...plainly([{ text: sliced(shown.text, until) }, ...line.slice(state + 1)]),
  ];
}

/** First line of a window of `height` that shows line `at` and the lines up to `until`. */
export function windowAt(at: number, height: number, total: number, until = at): number {
  if (total <= height) return 0;
  const middle = Math.floor((at + until) / 2) - Math.floor(height / 2);
  return Math.max(0, Math.min(Math.min(middle, at), total - height));
}
