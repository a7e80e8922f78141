import { inputParts, textRows } from '../lib/form-text.ts';
import { paint } from '../lib/paint.ts';
import { type Painted, paintedLines, plain, repeated, sliced, spaces } from '../lib/painted.ts';
import { cells, cut, fit, graphemes, wrap } from '../lib/text.ts';
import {
  controlLines,
  type DrawnOption,
  type EditorView,
  editorRemarks,
  editorRows,
  offerLines,
} from './form-controls.ts';
import type { Spans } from './scene.ts';
import { fieldSpans, fitSpans, type Span, spanCells, type Typing, withinLines } from './span.ts';
import type { Theme } from './theme.ts';

/** `text`: as typed, or the chosen value; of `many`, the values joined by commas, and `cursor` the place of the option under it. */
export interface FormField extends Typing {
  readonly name: string;
  readonly label: Painted;
  readonly kind: 'text' | 'choice' | 'toggle' | 'many' | 'query';
  readonly options?: readonly DrawnOption[];
  readonly hint?: Painted;
  /** The error: a sentence, and perhaps lines that say what to do. */
  readonly error?: Painted;
  /** A warning of the query, where there is no error. */
  readonly doubt?: Painted;
  /** Empty text is refused. */
  readonly required?: boolean | undefined;
  /** Cells of the longest text that is expected. */
  readonly cells?: number | undefined;
  /** Of a toggle that shows further fields: how many. It is drawn as one line that opens. */
  readonly further?: number | undefined;
  /** Of `query`: the text on several lines, in place of `text` and `cursor`. */
  readonly query?: EditorView | undefined;
}

/** One value that an edit would change. */
export interface Difference {
  readonly label: Painted;
  /** What is removed, added (by its sign) or stays beside it, with line breaks. */
  readonly parts: readonly { readonly sign: Painted; readonly text: Painted }[];
  /** Of several values or lines. Else an empty part is a value that is nothing. */
  readonly several?: boolean | undefined;
}

/** A line of a form. */
export interface FormRow {
  /** Place of the field that it belongs to; -1 for none. */
  readonly place: number;
  readonly spans: Spans;
  /** Place of the second field on the line. */
  readonly beside?: number;
}

/** Whether a field has this line. */
export const hasChoice = (row: FormRow, place: number): boolean => row.place === place || row.beside === place;

/**
 * The fields as lines: label and control, then what is wrong, or the hint of the field with the focus. Two numbers, toggles
 * or short choices that follow each other share a line where the form is wide enough. Texts on several lines are
 * cut at rest where the form has no room for all of them. What is offered at one lies over the fields below it: nothing moves
 * when it opens and closes.
 */
export function fieldRows(
  fields: readonly FormField[],
  focus: number,
  width: number,
  height: number,
  theme: Theme,
): FormRow[] {
  const each = rowsByField(fields, focus, width, height, theme, rowsAtRest(fields, focus, width, height, theme));
  const rows = each.flat();
  const view = fields[focus]?.query;
  if (!view?.offers) return rows;
  const from = each.slice(0, focus + 1).flat().length;
  const room = height - (each[focus]?.length ?? 0);
  const indent: Span = { text: spaces(inputParts(fields.map(labelOf), width).label + 4) };
  const offers = offerLines(view, room, theme).map((spans) => ({ place: focus, spans: [indent, ...spans] }));
  return rows.toSpliced(from, offers.length, ...offers);
}

/** Rows of a text at rest where the form has no room for more. */
const restRows = 3;
/** Lines that the field with the focus has more than at rest, at most. */
const mostSaid = 5;

/** The most rows that texts may have at rest while all fields fit. Counted without a focus, so that nothing moves with it. */
function rowsAtRest(fields: readonly FormField[], focus: number, width: number, height: number, theme: Theme): number {
  const texts = fields.map(({ query }) => (query ? textRows(query.text, query.width).length : 0));
  // Of the text with the focus more is drawn.
  if (texts.every((own, at) => own <= restRows || at === focus)) return Math.min(restRows, editorHeight(height));
  const rows = (each: number) => texts.reduce((sum, own) => sum + Math.min(own, each), 0);
  const others = rowsByField(fields, -1, width, height, theme, 1).flat().length - rows(1);
  let most = editorHeight(height);
  while (most > restRows && others + rows(most) + mostSaid > height) most -= 1;
  return Math.min(most, editorHeight(height));
}

/** The rows of each field; texts at rest have `atRest` of theirs at most. */
function rowsByField(
  fields: readonly FormField[],
  focus: number,
  width: number,
  height: number,
  theme: Theme,
  atRest: number,
): (readonly FormRow[])[] {
  const { label: labelCells, input } = inputParts(fields.map(labelOf), width);
  const pairs = paired(fields, labelCells, width, theme);
  const rightCells = Math.max(...fields.flatMap((field, at) => (pairs.has(at - 1) ? [cells(labelOf(field))] : [])));
  return fields.map(rowsOf);

  function rowsOf(field: FormField, place: number): FormRow[] {
    const focused = place === focus;
    if (field.further !== undefined) return [{ place, spans: furtherSpans(field, field.further, focused, theme) }];
    const label = labelSpans(field, labelCells, focused, theme);
    const indent: Span = { text: spaces(labelCells + 4) };
    if (field.query) {
      return queryRows(field, field.query, focused, height, atRest, theme).map((line, at) => ({
        place,
        spans: [...(at === 0 ? label : [indent]), ...line],
      }));
    }
    if (pairs.has(place - 1)) return [];
    const controls = controlRows(field, place, focused, label, input, theme);
    const below = belowField(field, focused, input, theme).map((span) => ({ place, spans: [indent, span] }));
    const right = place + 1;
    const second = pairs.has(place) ? fields[right] : undefined;
    if (!second || !controls[0]) return [...controls, ...below];
    const from = Math.floor(width / 2);
    const rightLabel = labelSpans(second, rightCells, right === focus, theme);
    const [beside] = controlRows(second, right, right === focus, rightLabel, input, theme);
    const left = fitSpans(controls[0].spans, from, theme.glyphs.ellipsis);
    // What is said of the field on the right stands below its label, where it has more cells than below its input.
    const said = belowField(second, right === focus, width - from - 3, theme);
    return [
      { place, spans: [...left, ...(beside?.spans ?? [])], beside: right },
      ...below,
      ...said.map((span) => ({ place: right, spans: [{ text: spaces(from + 2) }, span] })),
    ];
  }
}

/** Stands behind a text field. */
const fieldEnd: Span = { text: plain` ]`, tone: 'dim' };

/** The lines of a field's control, the first after its label. */
function controlRows(
  field: FormField,
  place: number,
  focused: boolean,
  label: readonly Span[],
  input: number,
  theme: Theme,
): FormRow[] {
  if (field.kind === 'text') {
    const typed = typedSpans(field, Math.min(field.cells ?? input, input) - 4, focused, theme);
    return [{ place, spans: [...label, { text: plain`[ `, tone: 'dim' }, ...typed, fieldEnd] }];
  }
  const indent: Span = { text: spaces(spanCells(label)) };
  return controlLines(field, focused, input, theme).map((line, at) => ({
    place,
    spans: [...(at === 0 ? label : [indent]), ...line],
  }));
}

/** The text of a field in exactly `width` cells: with its cursor, or at rest. */
function typedSpans(field: FormField, width: number, isFocused: boolean, theme: Theme): Spans {
  const { text, secret = false } = field;
  const { mask, ellipsis } = theme.glyphs;
  if (isFocused || text === '') return fieldSpans(field, width, isFocused, theme);
  const shown = secret ? repeated(mask, Math.min(width, graphemes(text).length)) : paint(text);
  return [{ text: fit(shown, width, 'left', ellipsis), field: { secret } }];
}

/** Cells of a control that may share its line; undefined for what wants a line of its own. */
function shortCells(field: FormField, theme: Theme): number | undefined {
  if (field.further !== undefined) return undefined;
  if (field.kind === 'text') return field.cells;
  if (field.kind === 'query' || field.kind === 'many' || !field.options?.length) return undefined;
  return spanCells(controlLines(field, false, Number.POSITIVE_INFINITY, theme).flat());
}

/** Cells of a form from which on two fields may share a line. */
const leastShared = 68;

/** The places of fields that share their line with the next one: both fit, each in its half. */
function paired(fields: readonly FormField[], labelCells: number, width: number, theme: Theme): ReadonlySet<number> {
  const pairs = new Set<number>();
  const half = Math.floor(width / 2);
  const fits = (at: number, label: number) => {
    const own = fields[at] && shortCells(fields[at], theme);
    return own !== undefined && label + 5 + own <= half;
  };
  const longest = (at: number) => (fields[at] ? cells(labelOf(fields[at])) : 0);
  for (const at of width >= leastShared ? fields.keys() : [])
    if (!pairs.has(at - 1) && fits(at, labelCells) && fits(at + 1, longest(at + 1))) pairs.add(at);
  // The labels on the right are as wide as the longest: all have room for it, or none shares a line.
  const most = Math.max(...[...pairs].map((left) => longest(left + 1)));
  for (const left of pairs) if (!fits(left + 1, most)) pairs.delete(left);
  return pairs;
}

/** Rows for the text in focus: half of the form, at least five, and one for its label and one for what is said of it. */
const editorHeight = (height: number): number => Math.max(1, Math.min(height - 2, Math.max(5, Math.floor(height / 2))));

/** A text on several lines, without its label. Lines are kept free for what is said of it. */
function queryRows(
  field: FormField,
  view: EditorView,
  focused: boolean,
  height: number,
  atRest: number,
  theme: Theme,
): Span[][] {
  const text = editorRows(view, focused, focused ? editorHeight(height) : atRest, theme);
  const error = field.error ? [{ text: plain`${theme.glyphs.bad} ${field.error}`, tone: 'bad' as const }] : [];
  const most = focused ? Math.max(0, Math.min(view.offers ? 2 : 4, height - 1 - text.length)) : 1;
  // The error of the save may repeat a diagnostic that is shown already.
  const others = view.remarks.filter((remark) => !field.error || !remark.text.includes(field.error));
  const isSilent = error.length + others.length === 0;
  const hint = isSilent && focused && field.hint ? [{ text: field.hint, tone: 'dim' as const }] : [];
  const said = editorRemarks({ ...view, width: view.width + 4, remarks: [...error, ...others, ...hint] }, most);
  const kept = focused ? Math.min(2, most) : 0;
  const below = Array.from({ length: Math.max(kept, said.length) }, (_, at): Span => said[at] ?? { text: plain`` });
  return [...text, ...below.map((span) => [span])];
}

/** The label as it is drawn, with its mark where the field is required. */
const labelOf = ({ label, required }: FormField): Painted => (required ? plain`${label} *` : label);

/** `▸ More options (12)`, and with them `▾ Fewer options`. */
function furtherSpans(field: FormField, further: number, focused: boolean, { glyphs }: Theme): Span[] {
  const isOpen = field.text === 'yes';
  const sign = isOpen ? glyphs.open : glyphs.shut;
  const text = isOpen ? plain`Fewer options` : plain`${field.label} (${further})`;
  return [
    { text: focused ? plain`${glyphs.cursor} ` : plain`  ` },
    { text: plain`${sign} ${text}`, tone: focused ? 'strong' : 'info', inverse: focused },
  ];
}

function labelSpans(field: FormField, labelCells: number, focused: boolean, theme: Theme): Span[] {
  const { cursor, ellipsis } = theme.glyphs;
  return [
    { text: focused ? plain`${cursor} ` : plain`  ` },
    { text: plain`${fit(labelOf(field), labelCells, 'left', ellipsis)}  `, tone: focused ? 'strong' : 'dim' },
  ];
}

function belowField(field: FormField, focused: boolean, width: number, theme: Theme): Span[] {
  const { bad, warn } = theme.glyphs;
  const remark = (text: Painted, mark: Painted, tone: Span['tone']): Span[] =>
    paintedLines(text)
      .flatMap((line, nth) => wrap(line, width - 2).map((line) => ({ it: line, tone: nth === 0 ? tone : 'dim' })))
      .map(({ it, tone: own }, at) => ({ text: plain`${at === 0 ? mark : plain` `} ${it}`, tone: own }) as Span);
  if (field.error) return remark(field.error, bad, 'bad');
  if (field.doubt) return remark(field.doubt, warn, 'warn');
  return focused && field.hint ? wrap(field.hint, width).map((line) => ({ text: line, tone: 'dim' })) : [];
}

/** The rows of a text, without the blank that a row is broken after where that has no room: cutting it would cut a letter. */
const textLines = (text: Painted, width: number): Painted[] =>
  textRows(text, width).map(({ start, end }) => {
    const row = sliced(text, start, end);
    return row.endsWith(' ') && cells(row) >= width ? sliced(row, 0, row.length - 1) : row;
  });

/** The diff of an edit, as lines. */
export function reviewRows(review: readonly Difference[], width: number): FormRow[] {
  const room = Math.max(1, width - 4);
  const side = (text: Painted, sign: Painted): Span[] =>
    textLines(text, room + 1).map((line) => ({
      text: plain`  ${sign} ${line}`,
      tone: sign === '-' ? 'bad' : sign === '+' ? 'good' : 'dim',
    }));
  if (review.length === 0)
    return [
      {
        place: 0,
        spans: [{ text: plain`  No changes to save`, tone: 'dim' }],
      },
    ];
  return review.flatMap((change, place) => {
    const lines: Span[] = [
      { text: change.label, tone: 'strong' },
      ...change.parts.flatMap(({ sign, text }) => side(text === '' && !change.several ? plain`(nothing)` : text, sign)),
    ];
    return lines.map((span) => ({ place, spans: [span] }));
  });
}

/** A remark below the fields, on at most `most` lines, with its mark at the first. */
export function remarkRows(
  text: Painted | undefined,
  mark: Painted,
  tone: Span['tone'],
  most: number,
  width: number,
  ellipsis: Painted,
): Span[][] {
  if (!text) return [];
  const room = Math.max(1, width - 2);
  return withinLines(wrap(text, room), most).map((line, at) => [
    { text: plain`${at === 0 ? mark : plain` `} ${cut(line, room, ellipsis)}`, tone },
  ]);
}
