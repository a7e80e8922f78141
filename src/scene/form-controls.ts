import type { Tone } from '../describe/column.ts';
import { rowAt, type TextRow, textRows } from '../lib/form-text.ts';
import { paint } from '../lib/paint.ts';
import { joinPainted, type Painted, plain, spaces } from '../lib/painted.ts';
import { cells, fit, graphemeAfter, graphemeBoundary, graphemes, wrap } from '../lib/text.ts';
import { choosable, cutSpans, fitSpans, flow, type Span, windowAt } from './span.ts';
import type { Theme } from './theme.ts';

/** A text on several lines as it is being written. Places count UTF-16 units. */
export interface EditorView {
  /** As typed: it is painted here. */
  readonly text: string;
  /** Sentences for people: of these only handles and template variables are marked. */
  readonly isProse?: boolean | undefined;
  readonly cursor: number;
  /** Cells for a row: the keys that go up and down count the same rows. */
  readonly width: number;
  /** The ranges of the diagnostics. */
  readonly marks: readonly { readonly start: number; readonly end: number; readonly tone: Tone }[];
  /** Findings, the most severe first. */
  readonly remarks: readonly { readonly text: Painted; readonly tone: Tone }[];
  /** Completions. */
  readonly offers?:
    | { readonly items: readonly { readonly label: Painted; readonly hint: Painted }[]; readonly cursor: number }
    | undefined;
}

const mostOffers = 6;

/** The text in rows, each in brackets, with a sign where there is more above or below: at most `most` of them around the cursor. */
export function editorRows(view: EditorView, focused: boolean, most: number, theme: Theme): Span[][] {
  const { text, cursor, marks, width, isProse = false } = view;
  const rows = textRows(text, width);
  const height = Math.max(1, Math.min(rows.length, most));
  const index = rowAt(rows, cursor);
  const fault = marks[0] && rowAt(rows, marks[0].start);
  const top = topOf(focused ? index : (fault ?? 0), fault, height, rows.length);
  const { up, down, ellipsis } = theme.glyphs;
  const shown = rows.slice(top, top + height);
  const tones = [...(isProse ? called(text) : tokens(text)), ...marks.map((mark) => whole(text, mark))];
  return shown.map((row, place): Span[] => {
    const isLast = place === shown.length - 1 && top + place < rows.length - 1;
    const isFirst = place === 0 && top > 0;
    const drawn = rowSpans(text, row, focused && index === top + place ? cursor : -1, tones);
    if (!focused)
      return boxed(
        isFirst ? ellipsis : plain` `,
        isLast ? [...cutSpans(drawn, width - 2, ''), dim(plain` ${ellipsis}`)] : drawn,
        width,
      );
    return boxed(isFirst ? up : isLast ? down : plain` `, drawn, width);
  });
}

/** A mark on whole characters, on one at least. */
function whole(text: string, { start, end, tone }: EditorView['marks'][number]): Toned {
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

/** The first row to draw, so that row `at` is visible and, where there is room, the row of the diagnostic. */
function topOf(at: number, fault: number | undefined, height: number, total: number): number {
  const from = Math.min(at, fault ?? at);
  const until = Math.max(at, fault ?? at);
  return until - from < height ? windowAt(from, height, total, until) : windowAt(at, height, total);
}

interface Toned {
  readonly start: number;
  readonly end: number;
  readonly tone: Tone;
  readonly isMark?: boolean;
}

const strings = /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/.source;
const signs = /[<>]=?|[=!]=|&&|\|\|/.source;
const words = /\b(?:by|over|and|or|not|in|AND|OR|NOT|IN)\b/.source;
const token = new RegExp(`(${strings})|${signs}|${words}`, 'g');

/** The tokens that structure a query; all else is plain, so that diagnostics stand out. */
const tokens = (text: string): Toned[] =>
  Array.from(text.matchAll(token), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    tone: match[1] === undefined ? 'strong' : 'info',
  }));

const calls = /\{\{[^{}\n]*\}\}|(?<![\w.])@[\w.@-]+/g;

/** What the service fills in or notifies in a text for people. */
const called = (text: string): Toned[] =>
  Array.from(text.matchAll(calls), ({ index, 0: found }) => ({
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
/** Letter by letter, as it was measured. */
const painted = (text: string): Painted => (ascii.test(text) ? paint(text) : joinPainted(graphemes(text).map(paint)));

/** The diagnostics, on at most `most` lines, without the indent. */
export function editorRemarks({ remarks, width }: EditorView, most: number): Span[] {
  const lines = remarks.flatMap(({ text, tone }) =>
    wrap(text, width - 2).map((line, at): Span => ({ text: at === 0 ? line : plain`  ${line}`, tone })),
  );
  return lines.slice(0, most);
}

/** The completions, on at most `room` lines around the chosen one. */
export function offerLines({ offers, width }: EditorView, room: number, theme: Theme): Span[][] {
  if (!offers) return [];
  const { items, cursor } = offers;
  const height = Math.min(items.length, mostOffers, Math.max(1, room));
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
const mostLines = 3;

/**
 * The options of a field, wrapped to lines of `width` cells. Parentheses (a cross where several may be selected)
 * mark the selection, so that it does not depend on color; brackets are for what is typed or picked.
 */
export function controlLines(
  field: {
    readonly kind: 'choice' | 'toggle' | 'many' | 'text' | 'query';
    readonly text: string;
    readonly cursor: number;
    readonly options?: readonly DrawnOption[];
    /** What an empty text means; `none` when absent. */
    readonly placeholder?: Painted | undefined;
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
  if (lines.length <= mostLines) return lines;
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
