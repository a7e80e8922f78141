import type { Tone } from '../describe/column.ts';
import { paint, paintLines } from '../lib/paint.ts';
import { joinPainted, type Painted, plain, sliced, spaces, trimmed } from '../lib/painted.ts';
import { cells, cut, graphemes } from '../lib/text.ts';
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

/** The cells that something is drawn in, and its looks. */
export interface Room {
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
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
    // After a cut span no later span is drawn in the remaining cell.
    if (span.keep) keepRoom = Math.max(0, keepRoom - wide);
    else room = Math.max(0, room - wide);
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
  return [{ text: joinPainted(line.map((span) => span.text)), ...theme.selected }];
}

/** Tones that say how a row is. */
const telling: ReadonlySet<Tone> = new Set(['good', 'warn', 'bad', 'info']);

/**
 * The line of a row under the cursor, its marks first, in one look: of its tones the first that says how the row is, as its
 * state does, and none while an edit of it is pending.
 */
export function underCursor([marks, ...line]: readonly Span[], theme: Theme, pending: boolean): readonly Span[] {
  const state = line.findIndex(({ text, tone = 'plain' }) => telling.has(tone) && trimmed(text) !== '');
  const plainly = (spans: readonly (Span | undefined)[]): Span[] => {
    const text = joinPainted(spans.map((span) => span?.text ?? plain``));
    return text === '' ? [] : [{ text, ...theme.selected }];
  };
  const shown = line[state];
  if (shown === undefined || pending) return plainly([marks, ...line]);
  // Without the blanks around it, and without the next cells that have its tone: its color is behind its words alone.
  const [words = ''] = /[^ ]+(?: [^ ]+)*/.exec(shown.text) ?? [];
  const from = shown.text.indexOf(words);
  const until = from + words.length;
  return [
    ...plainly([marks, ...line.slice(0, state), { text: sliced(shown.text, 0, from) }]),
    { text: sliced(shown.text, from, until), tone: shown.tone, ...theme.selected },
    ...plainly([{ text: sliced(shown.text, until) }, ...line.slice(state + 1)]),
  ];
}

/** First line of a window of `height` that shows line `at` and the lines up to `until`. */
export function windowAt(at: number, height: number, total: number, until = at): number {
  const middle = Math.floor((at + until) / 2) - Math.floor(height / 2);
  return Math.max(0, Math.min(middle, at, total - height));
}

/** At most so many lines: what has no room runs on at the end of the last one. */
export const withinLines = (lines: readonly Painted[], most: number): readonly Painted[] =>
  lines.length > most ? [...lines.slice(0, most - 1), joinPainted(lines.slice(most - 1))] : lines;

/** One thing to say: said when it is new, and again only when its `token` is another one. */
export interface Remark {
  /** What it is about; one remark of a place for each. */
  readonly about: string;
  /** One line or several; an empty text is never said. */
  readonly text: Painted;
  /** What must differ for it to be said again; the text when absent. */
  readonly token?: string;
  /** A text that has changed under the same token is said again after so many milliseconds. */
  readonly everyMs?: number;
  /** Whether the remark is not about the place: said once, and not again when the person goes elsewhere. */
  readonly lasting?: boolean;
  /** Whether the remark says where the person is: repeated when a layer over its place has closed. */
  readonly orients?: boolean;
  /** Whether the remark came by itself: what is there when the place is entered is not said, and no more than `mostNews` at once. */
  readonly news?: boolean;
}

/** A pane as it is heard. */
export interface Speech {
  /** What tells its places apart, beside its kind: a form and its review. */
  readonly part?: string;
  /** Said first, once. */
  readonly title?: Painted;
  readonly remarks?: readonly Remark[];
  /** Rows to choose from: listed with their numbers, at most `most`, unless a text narrows them; then the one under the cursor. */
  readonly rows?: {
    readonly texts: readonly Painted[];
    readonly at: number;
    readonly most?: number;
    readonly narrowedBy?: string;
    readonly none?: Painted;
  };
  readonly prompt?: Painted | undefined;
}

/** Listed rows and the one under the cursor, as remarks. */
export function rowRemarks(rows: NonNullable<Speech['rows']>): readonly Remark[] {
  const { texts, at, most = 20, narrowedBy = '', none = plain`No match` } = rows;
  const place = Math.max(0, Math.min(at, texts.length - 1));
  const row = texts[place];
  const isListed = most > 0 && texts.length > 0 && narrowedBy === '';
  return [
    { about: 'rows', text: isListed ? numbered(texts, most) : plain``, token: isListed ? `${texts.length}` : '' },
    {
      about: 'row',
      text: row === undefined ? none : plain`${place + 1} of ${texts.length}: ${row}`,
      token: `${narrowedBy}\n${place}\n${row ?? none}`,
      orients: true,
      // The first row has just been listed.
      news: isListed,
    },
  ];
}

/** Texts one after the other, without those that are empty. */
export const listTexts = (texts: readonly Painted[]): Painted =>
  joinPainted(
    texts.filter((text) => text !== ''),
    plain`, `,
  );

/** What stands before a message in place of its color. */
export const toneWords: Readonly<Record<'good' | 'info' | 'warn' | 'bad', Painted>> = {
  good: plain``,
  info: plain``,
  warn: plain`Warning: `,
  bad: plain`Error: `,
};

/** Lines below each other. */
export const lined = (lines: readonly Painted[]): Painted => joinPainted(lines, plain`\n`);

/** A text of several lines, line breaks kept. */
export const paintedText = (text: string): Painted => lined(paintLines(text));

/** Rows with their numbers; beyond `most` only how many there are. */
export function numbered(rows: readonly Painted[], most = Number.POSITIVE_INFINITY): Painted {
  const rest = rows.length - most;
  return lined([
    ...rows.slice(0, most).map((row, at) => plain`${at + 1}. ${row}`),
    ...(rest > 0 ? [plain`and ${rest} more: Down goes on`] : []),
  ]);
}

/** A drawn line in words: its spans one after the other. */
export const spanText = (spans: readonly Span[]): Painted =>
  listTexts(spans.map(({ text }) => trimmed(sliced(text, text.search(/\S|$/)))));

export interface Typing {
  /** As typed: it is painted here, because the cursor counts what the person typed. */
  readonly text: string;
  /** UTF-16 units before the cursor. */
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
  if (text === '') return waiting(placeholder, width, theme);
  const letters = graphemes(text).map((letter) => (secret ? mask : paint(letter)));
  const wide = letters.map(cells);
  const index = Math.min(graphemes(text.slice(0, Math.max(0, cursor))).length, letters.length);
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
  return fitSpans([{ text: placeholder, tone: 'dim' }], width, theme.glyphs.ellipsis);
}

function waiting(placeholder: Painted, width: number, { glyphs }: Theme): Span[] {
  const [first = plain` `, ...others] = graphemes(placeholder);
  if (cells(first) > width) return [{ text: spaces(width), inverse: true }];
  return [
    { text: first, inverse: true },
    ...fitSpans([{ text: joinPainted(others), tone: 'dim' }], width - cells(first), glyphs.ellipsis),
  ];
}
