import type { Tone } from '../describe/column.ts';
import { rowAt, type TextRow, textRows } from '../lib/form-text.ts';
import { paint } from '../lib/paint.ts';
import { joinPainted, type Painted, plain, spaces } from '../lib/painted.ts';
import { cells, fit, graphemeAfter, graphemeBoundary, graphemes, wrap } from '../lib/text.ts';
import { choosable, cutSpans, fitSpans, flow, type Span, type Typing, windowAt } from './span.ts';
import type { Theme } from './theme.ts';

/** A text on several lines as it is being written. `cursor`, `start` and `end` count UTF-16 units. */
export interface EditorView {
  /** As typed, not painted. */
  readonly text: string;
  /** Whether it is for people and no query: only handles and template variables have a color. */
  readonly isProse?: boolean | undefined;
  readonly cursor: number;
  /** Cells of a row: the keys that go up and down count the same rows. */
  readonly width: number;
  /** The ranges of the diagnostics. */
  readonly marks: readonly { readonly start: number; readonly end: number; readonly tone: Tone }[];
  /** The diagnostics, the most severe first. */
  readonly remarks: readonly { readonly text: Painted; readonly tone: Tone }[];
  /** Completions. */
  readonly offers?:
    | { readonly items: readonly { readonly label: Painted; readonly hint: Painted }[]; readonly cursor: number }
    | undefined;
}

const maxOffers = 6;

/**
 * At most `maxRows` rows of the text, each in brackets, with a sign where there is more above or below: those around the cursor, or
 * without focus those around the first diagnostic.
 */
export function editorRows(view: EditorView, focused: boolean, maxRows: number, theme: Theme): Span[][] {
  const { text, cursor, marks, width, isProse = false } = view;
  const rows = textRows(text, width);
  const height = Math.max(1, Math.min(rows.length, maxRows));
  const cursorRow = rowAt(rows, cursor);
  const markedRow = marks[0] && rowAt(rows, marks[0].start);
  const top = topOf(focused ? cursorRow : (markedRow ?? 0), markedRow, height, rows.length);
  const { up, down, ellipsis } = theme.glyphs;
  const shown = rows.slice(top, top + height);
  const tones = [...(isProse ? proseTones(text) : queryTones(text)), ...marks.map((mark) => markTone(text, mark))];
  return shown.map((row, place): Span[] => {
    const isLast = place === shown.length - 1 && top + place < rows.length - 1;
    const isFirst = place === 0 && top > 0;
    const drawn = rowSpans(text, row, focused && cursorRow === top + place ? cursor : -1, tones);
    if (!focused)
      return boxed(
        isFirst ? ellipsis : plain` `,
        isLast ? [...cutSpans(drawn, width - 2, ''), dim(plain` ${ellipsis}`)] : drawn,
        width,
      );
    return boxed(isFirst ? up : isLast ? down : plain` `, drawn, width);
  });
}

/** A mark, widened to whole characters, and to one at least. */
function markTone(text: string, { start, end, tone }: EditorView['marks'][number]): Toned {
  const from = graphemeBoundary(text, start);
  const next = from < text.length ? graphemeAfter(text, from) : from + 1;
  return { start: from, end: Math.max(graphemeBoundary(text, end), next), tone, isMark: true };
}

const dim = (text: Painted): Span => ({ text, tone: 'dim' });

/** A row of `width` cells and one for the cursor, in brackets. */
const boxed = (sign: Painted, row: readonly Span[], width: number): Span[] => [
  dim(plain`[${sign}`),
  ...fitSpans(row, width + 1, ''),
  dim(plain`]`),
];

/** The first row to draw, so that `row` is visible and, where there is room, the row of the diagnostic. */
function topOf(row: number, markedRow = row, height: number, total: number): number {
  const from = Math.min(row, markedRow);
  const until = Math.max(row, markedRow);
  return until - from < height ? windowAt(from, height, total, until) : windowAt(row, height, total);
}

/** A part of the text, in UTF-16 units, and how it is drawn. */
interface Toned {
  readonly start: number;
  readonly end: number;
  readonly tone: Tone;
  readonly isMark?: boolean;
}

const stringLiterals = /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/.source;
const operators = /[<>]=?|[=!]=|&&|\|\|/.source;
const keywords = /\b(?:by|over|and|or|not|in|AND|OR|NOT|IN)\b/.source;
const token = new RegExp(`(${stringLiterals})|${operators}|${keywords}`, 'g');

/** The tokens that structure a query; all else is plain, so that diagnostics stand out. */
const queryTones = (text: string): Toned[] =>
  Array.from(text.matchAll(token), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    tone: match[1] === undefined ? 'strong' : 'info',
  }));

const handlesAndVariables = /\{\{[^{}\n]*\}\}|(?<![\w.])@[\w.@-]+/g;

/** `@ops`, which the service notifies, and `{{value}}`, which it fills in. */
const proseTones = (text: string): Toned[] =>
  Array.from(text.matchAll(handlesAndVariables), ({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
    tone: 'info',
  }));

function rowSpans(text: string, row: TextRow, cursor: number, tones: readonly Toned[]): Span[] {
  const inside = tones.filter(({ start, end }) => start <= row.end && end > row.start);
  const around = cursor < row.start ? [] : [{ start: cursor, end: graphemeAfter(text, cursor) }];
  const cuts = [row, ...inside, ...around].flatMap(({ start, end }) => [start, end]);
  const places = [...new Set(cuts.map((at) => Math.max(row.start, Math.min(row.end, at))))].sort((a, b) => a - b);
  const look = (at: number): Pick<Span, 'tone' | 'underline'> => {
    const over = inside.filter((token) => token.start <= at && at < token.end);
    const mark = over.find((token) => token.isMark);
    return mark ? { tone: mark.tone, underline: true } : { tone: over[0]?.tone };
  };
  const spans = places.slice(0, -1).map((from, index): Span => {
    const part = text.slice(from, places[index + 1]);
    return { ...look(from), text: painted(part), inverse: from === cursor };
  });
  // Behind the last character: the cursor, or what is missing there.
  const behind = look(row.end);
  const isCursor = cursor === row.end;
  if (isCursor || (behind.underline && row.end === text.length))
    spans.push({ ...behind, text: plain` `, inverse: isCursor });
  return spans;
}

const ascii = /^[\x20-\x7e]*$/;

/** Painted character by character, as the rows were measured. */
const painted = (text: string): Painted => (ascii.test(text) ? paint(text) : joinPainted(graphemes(text).map(paint)));

/** The diagnostics, on at most `maxLines` lines. */
export function editorRemarks({ remarks, width }: EditorView, maxLines: number): Span[] {
  const lines = remarks.flatMap(({ text, tone }) =>
    wrap(text, width - 2).map((line, at): Span => ({ text: at === 0 ? line : plain`  ${line}`, tone })),
  );
  return lines.slice(0, maxLines);
}

/** The completions, on at most `maxLines` lines around the chosen one. */
export function offerLines({ offers, width }: EditorView, maxLines: number, theme: Theme): Span[][] {
  if (!offers) return [];
  const { items, cursor } = offers;
  const height = Math.min(items.length, maxOffers, Math.max(1, maxLines));
  const top = windowAt(cursor, height, items.length);
  const shown = items.slice(top, top + height);
  const widest = Math.min(Math.floor(width * 0.6), Math.max(...shown.map((offer) => cells(offer.label))));
  return shown.map((offer, place) => {
    const gap = spaces(Math.max(0, widest - cells(offer.label)) + 2);
    const spans: Span[] = [{ text: offer.label }, dim(joinPainted([gap, offer.hint]))];
    return [...choosable(spans, width + 2, top + place === cursor, theme)];
  });
}

/** A value to choose: the value as the service knows it, the label as it is drawn. */
export interface DrawnOption {
  readonly value: string;
  readonly label: Painted;
}

/** A choice that needs more lines is drawn as its selected option alone. */
const maxChoiceLines = 3;

/**
 * The options of a field, wrapped to lines of `width` cells; of a field without options its text. Parentheses (a cross where
 * several may be selected) mark the selection, so that it does not depend on color; brackets are for what is typed or picked.
 */
export function controlLines(
  field: Pick<Typing, 'text' | 'cursor' | 'placeholder'> & {
    readonly kind: 'choice' | 'toggle' | 'many' | 'text' | 'query';
    readonly options?: readonly DrawnOption[];
  },
  focused: boolean,
  width: number,
  theme: Theme,
): Span[][] {
  const options = field.options ?? [];
  const { ellipsis, before, after } = theme.glyphs;
  if (options.length === 0)
    return [
      [
        { text: plain`[ `, tone: 'dim' },
        field.text === ''
          ? { text: fit(field.placeholder || plain`none`, width - 4, 'left', ellipsis), tone: 'dim', inverse: focused }
          : { text: fit(paint(field.text), width - 4, 'left', ellipsis), inverse: focused },
        { text: plain` ]`, tone: 'dim' },
      ],
    ];
  if (field.kind === 'many') {
    const selected = new Set(field.text.split(',').map((part) => part.trim()));
    const groups = options.map((option, index): Span[] => {
      const on = selected.has(option.value);
      return [
        {
          text: plain`[${on ? plain`x` : plain` `}] ${option.label}`,
          tone: on ? 'plain' : 'dim',
          inverse: focused && index === field.cursor,
        },
      ];
    });
    return flow(groups, width, 2, ellipsis);
  }
  const index = options.findIndex((option) => option.value === field.text);
  // Where one of them has several words, blanks alone do not tell where the next begins.
  const isDivided = options.some(({ label }) => label.includes(' '));
  const divider: Span = { text: theme.glyphs.separator, tone: 'dim' };
  const groups = options.map((option, place): Span[] => [
    place === index
      ? { text: plain`(${option.label})`, tone: 'strong', inverse: focused }
      : { text: plain` ${option.label} `, tone: 'dim' },
    ...(isDivided && place < options.length - 1 ? [divider] : []),
  ]);
  // An unknown value of the service is still the value.
  if (index < 0 && field.text !== '')
    groups.unshift([{ text: plain`(${paint(field.text)})`, tone: 'warn', inverse: focused }]);
  const lines = flow(groups, width, 0, ellipsis).map((line) => (line.at(-1) === divider ? line.slice(0, -1) : line));
  if (lines.length <= maxChoiceLines) return lines;
  const chosen = groups[Math.max(0, index)]?.slice(0, 1) ?? [];
  const place = plain`${index + 1}/${options.length}`;
  const room = Math.max(1, width - place.length - 5);
  return [
    [
      { text: plain`${before} ` },
      ...cutSpans(chosen, room, ellipsis),
      { text: plain` ${after} ` },
      { text: place, tone: 'dim' },
    ],
  ];
}
