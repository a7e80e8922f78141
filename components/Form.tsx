import { Box } from 'ink';
import { paint } from '../src/lib/paint.ts';
import { type Painted, plain } from '../src/lib/painted.ts';
import { plural } from '../src/lib/text.ts';
import {
  type Difference,
  type FormField,
  type FormRow,
  fieldEnd,
  fieldRows,
  isOf,
  remarkRows,
  reviewRows,
} from './formrows.ts';
import { Lines, OneLine } from './Lines.tsx';
import { type Span, spanCells, windowAt } from './span.ts';
import { TextField } from './TextField.tsx';
import type { Theme } from './theme.ts';

export type { FormField } from './formrows.ts';

export interface FormProps {
  /** Said above the fields. */
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
  /** What sending the form would do, where no pane beside it says so: below the fields, as far as there is room. */
  readonly outlook?: { readonly title: Painted; readonly lines: readonly (readonly Span[])[] } | undefined;
}

/** Labels, fields and their findings; scrolled so that the field with the focus is visible. `laid`: as `layoutForm` has laid them out. */
export function Form({ laid, ...props }: FormProps & { readonly laid?: LaidForm }) {
  const { title, focus, width, height, theme } = props;
  if (height <= 0) return null;
  const head: FormRow[] = title ? [{ place: -1, spans: [{ text: title, tone: 'warn' }] }] : [];
  const { shown, ahead, said, room } = laid ?? layoutForm(props);
  const blanks = Array.from({ length: room - shown.length - ahead.length }, (): FormRow => ({ place: -1, spans: [] }));
  return (
    <Box flexDirection="column" width={width} height={height} flexShrink={0}>
      {inBlocks([...head, ...shown, ...ahead, ...blanks, ...said]).map(({ at, rows }) => {
        const [first] = rows;
        return first && !isPlain(first) ? (
          <Row key={at} row={first} focus={focus} width={width} theme={theme} />
        ) : (
          <Lines key={at} lines={rows.map(({ spans }) => spans)} width={width} height={rows.length} theme={theme} />
        );
      })}
    </Box>
  );
}

const isPlain = ({ beside, typed }: FormRow): boolean => beside === undefined && typed === undefined;

/** Rows without a field of their own are one block as far as they follow each other: a long query has many. */
function inBlocks(rows: readonly FormRow[]) {
  const blocks: { readonly at: number; readonly rows: FormRow[] }[] = [];
  for (const [at, row] of rows.entries()) {
    const last = blocks.at(-1);
    if (isPlain(row) && last?.rows.every(isPlain)) last.rows.push(row);
    else blocks.push({ at, rows: [row] });
  }
  return blocks;
}

/** The places of the first and the last field that are seen. */
export function fieldsSeen({ shown }: LaidForm): readonly [number, number] {
  const places = shown.flatMap(({ place, beside }) => (beside ? [place, beside.place] : [place]));
  return [Math.min(...places), Math.max(...places)];
}

export type LaidForm = ReturnType<typeof layoutForm>;

/** The rows of a form that are shown, what sending it would do, the remarks at its end, and how many lines the first two have. */
export function layoutForm(props: FormProps) {
  const { title, fields, focus, width, height, theme, review, reviewTop } = props;
  const head = title ? 1 : 0;
  const said = remarks(props)
    .slice(0, Math.max(0, height - head - 1))
    .map((spans): FormRow => ({ place: -1, spans }));
  const room = Math.max(0, height - head - said.length);
  const shown = review
    ? scrolled(padded(reviewRows(review, width - 1)), reviewTop, room, theme)
    : windowed(fieldRows(fields, focus, width, room, theme), focus, room);
  return { shown, ahead: outlookRows(props, room - shown.length), said, room };
}

/** The outlook, below a blank line. Where there is little room its title leaves first. */
function outlookRows({ outlook, theme }: FormProps, room: number): FormRow[] {
  const left = room - 1;
  if (!outlook || left < 1) return [];
  const { title, lines } = outlook;
  const whole: (readonly Span[])[] = [[{ text: title, tone: 'strong' }], ...lines];
  const told = whole.length > left && left < 4 ? lines : whole;
  const isCut = told.length > left && left > 1;
  const shown = isCut ? [...told.slice(0, left - 1), [{ text: theme.glyphs.ellipsis, tone: 'dim' as const }]] : told;
  return [[], ...shown.slice(0, left)].map((spans) => ({ place: -1, spans: [{ text: plain` ` }, ...spans] }));
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

interface RowProps {
  readonly row: FormRow;
  /** Place of the field with the focus. */
  readonly focus: number;
  readonly width: number;
  readonly theme: Theme;
}

function Row({ row, focus, width, theme }: RowProps) {
  if (row.beside) {
    const { beside, ...left } = row;
    return (
      <Box width={width} height={1} flexShrink={0}>
        <Row row={left} focus={focus} width={beside.from} theme={theme} />
        <Row row={beside} focus={focus} width={width - beside.from} theme={theme} />
      </Box>
    );
  }
  if (row.typed === undefined) return <OneLine spans={row.spans} width={width} theme={theme} />;
  return (
    <Box width={width} height={1} flexShrink={0}>
      <OneLine spans={row.spans} width={spanCells(row.spans)} theme={theme} />
      <TextField
        text={row.typed.text}
        cursor={row.typed.cursor}
        width={row.typed.width}
        focused={row.place === focus}
        secret={row.typed.secret}
        placeholder={row.typed.placeholder}
        theme={theme}
      />
      <OneLine spans={[fieldEnd]} width={2} theme={theme} />
    </Box>
  );
}
