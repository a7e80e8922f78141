import { paint } from '../src/lib/paint.ts';
import { type Painted, plain } from '../src/lib/painted.ts';
import { plural } from '../src/lib/text.ts';
import { type Difference, type FormField, type FormRow, fieldRows, isOf, remarkRows, reviewRows } from './formrows.ts';
import { Lines } from './Lines.tsx';
import { fitSpans, type Span, windowAt } from './span.ts';
import type { Theme } from './theme.ts';
import { textField } from './typing.ts';

export type { FormField } from './formrows.ts';

export interface FormProps {
  readonly title?: Painted;
  readonly fields: readonly FormField[];
  /** Place of the field with the focus. */
  readonly focus: number;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
  /** The text while it is being sent. */
  readonly busy?: Painted;
  /** The service's error message. */
  readonly problem?: Painted;
  /** The review, drawn instead of the fields. */
  readonly review?: readonly Difference[];
  /** Lines of the review above the first that is drawn. */
  readonly reviewTop?: number | undefined;
  /** Doubtful findings about what would be sent. */
  readonly doubts?: readonly Painted[];
}

/** Labels, fields and their findings; scrolled so that the field with the focus is visible. */
export function Form(props: FormProps) {
  const { title, focus, width, height, theme } = props;
  if (height <= 0) return null;
  const head: FormRow[] = title ? [{ place: -1, spans: [{ text: title, tone: 'strong' }] }] : [];
  const { shown, said, room } = formRows(props);
  const blanks = Array.from({ length: room - shown.length }, (): FormRow => ({ place: -1, spans: [] }));
  const lines = [...head, ...shown, ...blanks, ...said].map((row) => rowSpans(row, focus, width, theme));
  return <Lines lines={lines} width={width} height={height} theme={theme} />;
}

/** The places of the first and the last field that are seen. */
export function fieldsSeen(props: FormProps): readonly [number, number] {
  const places = formRows(props).shown.flatMap(({ place, beside }) => (beside ? [place, beside.place] : [place]));
  return [Math.min(...places), Math.max(...places)];
}

function formRows(props: FormProps) {
  const { title, fields, focus, width, height, theme, review, reviewTop } = props;
  const head = title ? 1 : 0;
  const said = remarks(props)
    .slice(0, Math.max(0, height - head - 1))
    .map((spans): FormRow => ({ place: -1, spans }));
  const room = Math.max(0, height - head - said.length);
  const shown = review
    ? scrolled(padded(reviewRows(review, width - 1)), reviewTop, room, theme)
    : windowed(fieldRows(fields, focus, width, room, theme), focus, room);
  return { shown, said, room };
}

/** The rows that fit, with all rows of the focused field where possible. */
function windowed(rows: readonly FormRow[], place: number, room: number): readonly FormRow[] {
  const at = rows.findIndex((row) => isOf(row, place));
  if (at < 0) return rows.slice(0, room);
  const until = rows.findLastIndex((row) => isOf(row, place));
  const top = windowAt(at, room, rows.length, until);
  return rows.slice(top, top + room);
}

/** A blank cell before each, as all texts have inside a border. */
const padded = (rows: readonly FormRow[]): FormRow[] =>
  rows.map((row) => ({ ...row, spans: [{ text: plain` ` }, ...row.spans] }));

/** The rows from `top` on; where there are more, the last line says how many. */
function scrolled(rows: readonly FormRow[], top = 0, room: number, theme: Theme): readonly FormRow[] {
  const from = Math.max(0, Math.min(top, rows.length - room));
  const below = rows.length - from - room;
  const shown = rows.slice(from, from + room);
  if (below <= 0 || room < 2) return shown;
  const more = plain`  ${theme.glyphs.down} ${paint(plural(below + 1, 'more line'))}: j scrolls`;
  return [...shown.slice(0, -1), { place: -1, spans: [{ text: more, tone: 'dim' }] }];
}

/** The lines below the fields, the most important first; they do not scroll. */
function remarks({ problem, doubts = [], busy, width, theme }: FormProps): Span[][] {
  const { bad, warn, ellipsis } = theme.glyphs;
  return [
    ...doubts.flatMap((doubt) => remarkRows(doubt, warn, 'warn', 2, width, ellipsis)),
    ...remarkRows(problem, bad, 'bad', 4, width, ellipsis),
    ...remarkRows(busy, ellipsis, 'info', 1, width, ellipsis),
  ];
}

/** A row as it is drawn: of two fields side by side the right one begins at its cell. */
function rowSpans(
  { spans, typed, place, beside }: FormRow,
  focus: number,
  width: number,
  theme: Theme,
): readonly Span[] {
  const { ellipsis } = theme.glyphs;
  const own = typed
    ? [...spans, ...textField({ ...typed, focused: place === focus, theme }), { text: plain` ]`, tone: 'dim' as const }]
    : spans;
  if (!beside) return own;
  return [...fitSpans(own, beside.from, ellipsis), ...rowSpans(beside, focus, width - beside.from, theme)];
}
