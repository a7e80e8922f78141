import type { Tone } from '../describe/column.ts';
import { joinPainted, type Painted, plain, spaces } from '../lib/painted.ts';
import { cells, cut, fit, wrap } from '../lib/text.ts';
import type { Range } from '../lib/text-matches.ts';
import { type ColumnShape, layoutColumns, type PlacedColumn } from './column-layout.ts';
import type { Spans } from './scene.ts';
import { fitSpans, markedLine, type Span, underCursor } from './span.ts';
import type { Theme } from './theme.ts';

export interface TableColumn extends ColumnShape {
  readonly id: string;
  readonly title: Painted;
  readonly align?: 'left' | 'right';
  readonly sorted?: 'up' | 'down';
}

/** One row, ready to be drawn: `cells` and `tones` are in the order of the columns. */
export interface TableRow {
  readonly id: string;
  readonly cells: readonly Painted[];
  readonly tones: readonly Tone[];
  /** What stands in a column that is narrower than its title, where it has something for that. */
  readonly shorts?: readonly (Painted | undefined)[];
  readonly cursor: boolean;
  readonly marked: boolean;
  /** New since the list was last looked at. */
  readonly fresh: boolean;
  /** An edit of it is unconfirmed. */
  readonly pending: boolean;
}

export interface TableProps {
  readonly columns: readonly TableColumn[];
  /** Only those that can be seen. */
  readonly rows: readonly TableRow[];
  readonly width: number;
  /** Lines with the one of the column titles. */
  readonly height: number;
  readonly theme: Theme;
  /** Columns skipped from the left. */
  readonly hscroll: number;
  readonly loading: boolean;
  /** Which parts of a cell a filter or search has found. */
  readonly highlight?: Highlight | undefined;
  /** Said when there are no rows and none are being read. */
  readonly empty: Painted;
  /** That text is why there are none. */
  readonly failed?: boolean;
  /** What happens next, and which keys help: below that text. */
  readonly next?: Painted;
  /** Keys go elsewhere where it is false: the row under the cursor then is bold, and no bar. */
  readonly active?: boolean;
}

type Highlight = (cell: string) => readonly Range[];

/** Cells at the left of a row: mark, cursor, and a gap. Selection is never shown by color alone. */
export const markCells = 3;

/** A list: the line of column titles, then one line a row, or what is said in their place. */
export function listLines(props: TableProps): {
  readonly heads: Spans;
  readonly rows: readonly Spans[];
  readonly said: readonly Spans[];
} {
  const { columns, rows, width, height, theme, hscroll, highlight, active = true } = props;
  const layout = layoutColumns(columns, Math.max(0, width - markCells), hscroll);
  const shown = rows
    .slice(0, Math.max(0, height - 1))
    .map((row) => rowSpans({ row, columns, layout, width, theme, highlight, active }));
  return { heads: titles(columns, layout, theme), rows: shown, said: rows.length > 0 ? [] : inPlaceOfRows(props) };
}

function titles(columns: readonly TableColumn[], layout: readonly PlacedColumn[], theme: Theme): Span[] {
  const { up, down } = theme.glyphs;
  const line: Span[] = [{ text: spaces(markCells) }];
  for (const place of layout) {
    const column = columns[place.index];
    if (column === undefined) continue;
    if (place.gap > 0) line.push({ text: spaces(place.gap) });
    const arrow = column.sorted === 'up' ? up : column.sorted === 'down' ? down : plain``;
    // The title is cut rather than the arrow.
    const { shortTitle } = column;
    const whole = shortTitle !== undefined && isShort(column, place) ? shortTitle : column.title;
    const title = arrow === '' ? whole : plain`${cut(whole, place.width - 1, '')}${arrow}`;
    line.push({ text: fit(title, place.width, column.align, plain``), tone: arrow === '' ? 'dim' : 'strong' });
  }
  return line;
}

/** Whether a column is too narrow for its title, and has a short form. */
const isShort = ({ title, shortTitle }: TableColumn, { width }: PlacedColumn): boolean =>
  shortTitle !== undefined && width < cells(title);

const nothing = (text: Painted, tone: Tone, width: number): Span[][] =>
  wrap(text, Math.max(1, width - markCells - 1)).map((line) => [{ text: plain`${spaces(markCells)}${line}`, tone }]);

/** What stands in place of rows: that they are being read, or why there are none; then what happens next. */
function inPlaceOfRows({ loading, empty, failed, next, width, theme }: TableProps): readonly Spans[] {
  const text = loading ? plain`Loading${theme.glyphs.ellipsis}` : empty;
  return [...nothing(text, failed ? 'bad' : 'dim', width), ...(next ? [[], ...nothing(next, 'plain', width)] : [])];
}

interface RowProps extends Required<Pick<TableProps, 'columns' | 'width' | 'theme' | 'highlight' | 'active'>> {
  readonly row: TableRow;
  readonly layout: readonly PlacedColumn[];
}

/** The text marks of a row: what is true of it, the cursor, and a gap before its first cell. */
function marks(row: TableRow, { cursor, mark, fresh, pending }: Theme['glyphs']): Painted {
  const state = row.marked ? mark : row.pending ? pending : row.fresh ? fresh : plain` `;
  return plain`${state}${row.cursor ? cursor : plain` `} `;
}

/** Adds text to a line: to its last span where that has the same tone. */
function addText(line: Span[], text: Painted, tone: Tone): void {
  const last = line.at(-1);
  if (last?.tone === tone) line[line.length - 1] = { text: joinPainted([last.text, text]), tone };
  else line.push({ text, tone });
}

function cellText({ cells, shorts }: TableRow, columns: readonly TableColumn[], place: PlacedColumn): Painted {
  const column = columns[place.index];
  const short = column && isShort(column, place) ? shorts?.[place.index] : undefined;
  return short ?? cells[place.index] ?? plain``;
}

function rowSpans({ row, columns, layout, width, theme, highlight, active }: RowProps): Spans {
  const { ellipsis } = theme.glyphs;
  const found: Range[] = [];
  let index = markCells;
  const line: Span[] = [{ text: marks(row, theme.glyphs), tone: row.fresh && !row.marked ? 'info' : 'plain' }];
  for (const place of layout) {
    const cell = fit(cellText(row, columns, place), place.width, columns[place.index]?.align, ellipsis);
    const text = place.gap > 0 ? joinPainted([spaces(place.gap), cell]) : cell;
    const tone = row.pending ? 'dim' : (row.tones[place.index] ?? 'plain');
    index += text.length;
    const from = index - cell.length;
    if (highlight) for (const { start, end } of highlight(cell)) found.push({ start: from + start, end: from + end });
    addText(line, text, tone);
  }
  const isBar = row.cursor && active;
  const other = row.cursor ? line.map((span) => ({ ...span, bold: true })) : line;
  const drawn = isBar ? underCursor(fitSpans(line, width, ellipsis), theme, row.pending) : other;
  return found.length === 0 ? drawn : markedLine(drawn, found);
}
