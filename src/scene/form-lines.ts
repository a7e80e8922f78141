import { remarkLines } from '../lib/form-text.ts';
import { type Painted, plain } from '../lib/painted.ts';
import {
  type Difference,
  type FormField,
  type FormRow,
  fieldRows,
  hasChoice,
  remarkRows,
  reviewRows,
} from './form-rows.ts';
import { asLines, type Line } from './scene.ts';
import { type Room, type Span, windowAt } from './span.ts';

export type { FormField } from './form-rows.ts';

export interface FormProps extends Room {
  /** Said above the fields. */
  readonly title?: Painted;
  readonly fields: readonly FormField[];
  /** Place of the field with the focus. */
  readonly focus: number;
  /** The text while it is being sent. */
  readonly busy?: Painted;
  /** The service's error message. */
  readonly problem?: Painted;
  /** The review, drawn instead of the fields. */
  readonly review?: readonly Difference[];
  /** Lines of the review above the first that is drawn. */
  readonly reviewTop?: number | undefined;
  /** Warnings about what would be sent. */
  readonly doubts?: readonly Painted[];
  /**
   * What sending the form would do, where no pane beside it says so: below the fields, as far as there is room, or below the
   * changes of a review, scrolled with them.
   */
  readonly outlook?: { readonly title: Painted; readonly lines: readonly (readonly Span[])[] } | undefined;
}

/** Labels, fields and their diagnostics; scrolled so that the field with the focus is visible. */
export function formLines(props: FormProps, laid: LaidForm): Line<never>[] {
  const { title, focus, height } = props;
  const { shown, ahead, said: remarkRows, room } = laid;
  const blanks = Array.from(
    { length: Math.max(0, room - shown.length - ahead.length) },
    (): FormRow => ({ place: -1, spans: [] }),
  );
  return [
    ...asLines(title ? [[{ text: title, tone: 'warn' }]] : []),
    ...[...shown, ...ahead, ...blanks].map(
      (row): Line<never> => ({
        spans: row.spans,
        role: row.place < 0 ? 'text' : 'field',
        isCursor: hasChoice(row, focus),
      }),
    ),
    ...asLines(remarkRows, 'problem'),
  ].slice(0, Math.max(0, height));
}

/** Which of the lines of a review are seen, as `1-19/34`; nothing where all are. */
export const linesSeen = ({ first, last, count }: Seen): Painted =>
  first === 1 && last === count ? plain`` : plain`${first}-${last}/${count}`;

/** The places of the first and the last field that are seen. */
export function fieldsSeen({ shown }: LaidForm): readonly [number, number] {
  const places = shown.flatMap(({ place, beside }) => (beside === undefined ? [place] : [place, beside]));
  return [Math.min(...places), Math.max(...places)];
}

export type LaidForm = ReturnType<typeof layoutForm>;

/** The rows of a form that are shown, what sending it would do, the remarks at its end, and how many lines the first two have. */
export function layoutForm(props: FormProps) {
  const { title, fields, focus, width, height, theme, review, reviewTop } = props;
  const head = title ? 1 : 0;
  const remarkRows = remarks(props).slice(0, Math.max(0, height - head - 1));
  const room = Math.max(0, height - head - remarkRows.length);
  if (review) {
    const { shown, ...seen } = scrolled(reviewLines(props, review), reviewTop, room);
    return { shown, ahead: [], said: remarkRows, room, seen };
  }
  const shown = windowed(fieldRows(fields, focus, width, room, theme), focus, room);
  return { shown, ahead: outlookRows(props, room - shown.length), said: remarkRows, room };
}

/** The changes, and below a blank line what will be sent; a blank cell before each, as all texts have inside a border. */
function reviewLines({ outlook, width }: FormProps, review: readonly Difference[]): FormRow[] {
  const sent = outlook ? [[], [{ text: outlook.title, tone: 'strong' as const }], ...outlook.lines] : [];
  return [...reviewRows(review, width - 1), ...sent.map((spans) => ({ place: -1, spans }))].map((row) => ({
    ...row,
    spans: [{ text: plain` ` }, ...row.spans],
  }));
}

/** The outlook, below a blank line. Where there is little room its title leaves first. */
function outlookRows({ outlook, theme }: FormProps, room: number): FormRow[] {
  const left = room - 1;
  if (!outlook || left < 1) return [];
  const { title, lines } = outlook;
  const whole: (readonly Span[])[] = [[{ text: title, tone: 'strong' }], ...lines];
  const texts = whole.length > left && left < 4 ? lines : whole;
  const isCut = texts.length > left && left > 1;
  // The mark that there is more stands below a line, not below a gap.
  const last = texts.slice(0, left - 1).findLastIndex((line) => line.length > 0);
  const more = [{ text: theme.glyphs.ellipsis, tone: 'dim' as const }];
  const shown = isCut ? [...texts.slice(0, last + 1), more] : texts;
  return [[], ...shown.slice(0, left)].map((spans) => ({ place: -1, spans: [{ text: plain` ` }, ...spans] }));
}

/** The rows that fit, with all rows of the focused field where possible. */
function windowed(rows: readonly FormRow[], place: number, room: number): readonly FormRow[] {
  const at = rows.findIndex((row) => hasChoice(row, place));
  const until = rows.findLastIndex((row) => hasChoice(row, place));
  const top = windowAt(at, room, rows.length, until);
  return rows.slice(top, top + room);
}

/** The first and the last of the lines that are shown, counted from 1, and how many there are. */
export interface Seen {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/** The lines that fit from `top` on, at most the last ones, and which they are. */
export function scrolled<T>(lines: readonly T[], top = 0, room: number): Seen & { readonly shown: readonly T[] } {
  const from = Math.max(0, Math.min(top, lines.length - room));
  const shown = lines.slice(from, from + Math.max(0, room));
  return { shown, first: from + 1, last: from + shown.length, count: lines.length };
}

/** The lines below the fields, the most important first; they do not scroll. */
function remarks({ problem, doubts = [], busy, width, theme }: FormProps): Span[][] {
  const { bad, warn, ellipsis } = theme.glyphs;
  return [
    ...doubts.flatMap((doubt) => remarkRows(doubt, warn, 'warn', remarkLines.doubt, width, ellipsis)),
    ...remarkRows(problem, bad, 'bad', remarkLines.problem, width, ellipsis),
    ...remarkRows(busy, ellipsis, 'info', remarkLines.busy, width, ellipsis),
  ];
}
