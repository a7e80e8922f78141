import type { Tone } from '../describe/column.ts';
import { joinPainted, type Painted, plain, spaces } from '../lib/painted.ts';
import { cells, cut, fit, wrap } from '../lib/text.ts';
import type { Range } from '../lib/text-matches.ts';
import { asLines, type Line, type Spans } from './scene.ts';
import { fitSpans, markedLine, type Room, type Span, underCursor } from './span.ts';
import type { Theme } from './theme.ts';

/** What the layout of a list needs to know of a column; the words are those of `Column`. */
export interface ColumnShape {
  readonly min: number;
  readonly max?: number;
  readonly flex?: boolean;
  readonly align?: 'left' | 'right';
  readonly priority: number;
  /** Empty or short in most rows: see `layoutColumns`. */
  readonly sparse?: boolean;
  /** What stands above it while it is narrower than its title; absent where it is not shown so. */
  readonly shortTitle?: Painted;
  /** Cells of the widest text that is measured, the title included; unknown where nothing was measured. */
  readonly content?: number;
}

/** A column that is shown: its place among all columns, and its cells. */
export interface PlacedColumn {
  readonly index: number;
  readonly width: number;
  /** Blank cells before it. */
  readonly gap: number;
}

/** Cells between two columns at least. */
const columnGap = 1;

/** Cells that a flex column gets before columns of a priority over 2 are shown: with a `max` always, else as it needs. */
const roomy = 44;

/** Cells that the flex column gets before a column beside it grows over `modest`. */
const readable = 36;

/** Cells that a column beside the flex column grows to while that is not yet `readable`: one long cell takes no names away. */
const modest = 16;

/** Cells that a sparse column grows to as soon as the flex column is `readable`: a short cell is whole before names are longer. */
const short = 12;

/** Cells of a flex column from which on wider gaps serve more than more of it. */
const ample = 56;

/** Blank cells after the content of a flex column at most: the eye has to find the next cell of the row. */
const mostBlank = 24;

/** The highest priority number of columns that are shown before the flex column is `roomy`. */
const essential = 2;

/** Cells that a column without a `max` grows to at most. */
const defaultMost = 20;

/**
 * Which columns are shown in `width` cells and how wide. Columns take what their content needs, up to their `max`; what is
 * left goes to the `flex` column. The claims on the width are served one after the other, each wholly before the next:
 *
 * 1. columns of priority 1 with their least width, and the flex column with its `min`;
 * 2. columns of priorities 1 and 2, from left to right: each is shown, then grows to its content, up to 16 cells, a `sparse` one
 *    to its least width; so are columns with a short title, to theirs;
 * 3. the flex column grows to its content, up to 36; then those columns grow to theirs, the sparse ones up to 12;
 * 4. the flex column grows to its content, from 44 cells up to its `max` where it has one, else up to 44; then the sparse columns
 *    of priorities 1 and 2 to theirs, up to 16;
 * 5. the other columns by priority, of equals from left to right, the sparse ones up to 16;
 * 6. a gap between two columns whose texts meet in it, one aligned right and one left, gets a second cell, then the flex
 *    column grows to its content, up to 56;
 * 7. each other gap gets a second cell, those at the right first;
 * 8. the flex column grows to its whole content, then each other column to its own, whatever its `max`;
 * 9. the flex column takes the rest, but at most 24 cells more than its content, where that is known.
 *
 * Since the order of the claims does not depend on the width, no column is narrower in a greater width, and none that
 * is shown leaves. Cells that are too few for the next column widen the gaps in the same order. Columns of priority 1 are never dropped
 * while each can have a cell: where they have no room, they get narrower from the right. `hscroll` skips that many
 * columns from the left, but never one of priority 1 nor the flex column.
 */
export function layoutColumns(columns: readonly ColumnShape[], width: number, hscroll: number): PlacedColumn[] {
  const shown = scrolled(columns, hscroll);
  const flex = shown.find(({ column }) => column.flex);
  const first = shown.filter(({ column }) => column.priority <= 1 || isEarlyFlex(column));
  // Each column has a gap before it; that of the first one is beyond the width.
  const left = first.reduce((cells, { column }) => cells - columnGap - least(column), width + columnGap);
  if (left < 0) return squeezed(first, width);

  const widths = new Map(first.map(({ index, column }) => [index, least(column)]));
  const room: WidthLeft = { widths, cells: left, isFull: false };
  for (const [column, to] of firstClaims(shown)) serve(room, column, to);
  const meeting = Math.min(room.cells, shown.filter(meets).length);
  room.cells -= meeting;
  if (flex) serve(room, flex, Math.min(known(flex), ample));
  if (!flex || room.isFull) return placed(shown, widths, meeting + room.cells);
  const wider = Math.min(meeting + room.cells, widths.size - 1);
  room.cells -= wider - meeting;
  for (const one of [flex, ...shown.toSorted(byPriority)]) serve(room, one, known(one));
  serve(room, flex, flex.column.content === undefined ? width : flex.column.content + mostBlank);
  return placed(shown, widths, wider);
}

const known = ({ column: { content, min } }: Indexed): number => content ?? min;

interface Indexed {
  readonly column: ColumnShape;
  readonly index: number;
}

/** What is left of the width while columns are served. */
interface WidthLeft {
  /** Cells of each column that is shown. */
  readonly widths: Map<number, number>;
  cells: number;
  /** A column got less than it claimed: none after it gets anything. */
  isFull: boolean;
}

/** Shows a column, and lets it grow to `to` cells, as far as there is room. */
function serve(room: WidthLeft, { column, index }: Indexed, to: number): void {
  if (room.isFull) return;
  const now = room.widths.get(index) ?? 0;
  const gap = now > 0 ? 0 : columnGap;
  const min = Math.max(now, least(column));
  const width = Math.min(Math.max(min, to), now + room.cells - gap);
  room.isFull = width < Math.max(min, to);
  if (width < min) return;
  room.widths.set(index, width);
  room.cells -= width + gap - now;
}

/** The claims 2 to 5 on the width: columns, and to how many cells each of them grows. */
function firstClaims(shown: readonly Indexed[]): readonly (readonly [Indexed, number])[] {
  const sorted = shown.toSorted(byPriority);
  const flex = sorted.filter(({ column }) => isEarlyFlex(column));
  const before = sorted.filter(({ column }) => column.priority <= essential && !column.flex);
  const sparse = before.filter(({ column }) => column.sparse);
  const claim = (columns: readonly Indexed[], cells: (column: ColumnShape) => number) =>
    columns.map((one) => [one, cells(one.column)] as const);
  const upTo = (most: number) => (column: ColumnShape) => Math.min(need(column), most);
  return [
    ...claim(before, (column) => (column.sparse ? least(column) : upTo(modest)(column))),
    ...claim(
      sorted.filter(({ column }) => column.shortTitle !== undefined),
      least,
    ),
    ...claim(flex, ({ content = readable }) => Math.min(content, readable)),
    ...claim(
      before.filter(({ column }) => !column.sparse),
      need,
    ),
    ...claim(sparse, upTo(short)),
    ...claim(flex, roomyNeed),
    ...claim(sparse, upTo(modest)),
    ...claim(sorted, (column) =>
      column.flex ? roomyNeed(column) : column.sparse ? upTo(modest)(column) : need(column),
    ),
  ];
}

const byPriority = (one: Indexed, other: Indexed): number => one.column.priority - other.column.priority;
const isEarlyFlex = ({ flex, priority }: ColumnShape): boolean => flex === true && priority <= essential;
const need = ({ min, max, content }: ColumnShape): number =>
  Math.min(max ?? Math.max(min, defaultMost), Math.max(1, content ?? min));
const roomyNeed = ({ min, max, content = roomy }: ColumnShape): number =>
  Math.max(min, max === undefined ? Math.min(roomy, content) : Math.min(max, Math.max(roomy, content)));
const least = (column: ColumnShape): number => (column.flex ? column.min : Math.min(column.min, need(column)));

function scrolled(columns: readonly ColumnShape[], hscroll: number): readonly Indexed[] {
  const all = columns.map((column, index) => ({ column, index }));
  const loose = all.filter(isLoose);
  const gone = new Set(loose.slice(0, Math.max(0, Math.min(hscroll, mostSkipped(columns)))));
  return all.filter((other) => !gone.has(other));
}

/** How many columns may be skipped from the left. */
export const mostSkipped = (columns: readonly Pick<ColumnShape, 'priority' | 'flex'>[]): number =>
  Math.max(0, columns.filter((column) => isLoose({ column })).length - 1);

const isLoose = ({ column }: { readonly column: Pick<ColumnShape, 'priority' | 'flex'> }): boolean =>
  column.priority > 1 && !column.flex;

/** Whether its texts meet those of the column before it. */
const meets = ({ column }: Indexed, at: number, all: readonly Indexed[]): boolean =>
  column.align !== 'right' && all[at - 1]?.column.align === 'right';

/** The columns in their order, with the cells that no column could use in the gaps: where texts meet first, each from the right. */
function placed(shown: readonly Indexed[], widths: ReadonlyMap<number, number>, spare: number): PlacedColumn[] {
  const columns = shown.flatMap((one) => {
    const width = widths.get(one.index);
    return width === undefined ? [] : [{ ...one, width }];
  });
  const gaps = columns.slice(1).toReversed();
  const first = gaps.filter((one) => meets(one, columns.indexOf(one), columns));
  const wider = new Set([...new Set([...first, ...gaps])].slice(0, spare));
  return columns.map((one, at) => ({
    ...{ index: one.index, width: one.width },
    gap: at === 0 ? 0 : columnGap + (wider.has(one) ? 1 : 0),
  }));
}

/** As many columns as can have a cell each, narrower from the right until they fit. */
function squeezed(columns: readonly Indexed[], width: number): PlacedColumn[] {
  const fitting = columns.slice(0, Math.max(1, Math.floor((width + columnGap) / (1 + columnGap))));
  const total = fitting.reduce((sum, { column }) => sum + least(column), 0) + columnGap * (fitting.length - 1);
  let over = Math.max(0, total - width);
  return fitting
    .toReversed()
    .map(({ index, column }, fromRight): PlacedColumn => {
      const less = Math.min(over, least(column) - 1);
      over -= less;
      return { index, width: least(column) - less, gap: fromRight === fitting.length - 1 ? 0 : columnGap };
    })
    .toReversed();
}

export interface TableColumn extends ColumnShape {
  readonly id: string;
  readonly title: Painted;
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

/** `height`: the lines with the one of the column titles. */
export interface TableProps extends Room {
  readonly columns: readonly TableColumn[];
  /** Only those that can be seen. */
  readonly rows: readonly TableRow[];
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

/** A list: the line of column titles, then one line a row, or what is said in their place. `send`: what choosing one of the rows does. */
export function listLines<Message>(
  props: TableProps & { send?(at: number): Message | undefined },
): readonly Line<Message>[] {
  const { columns, rows, width, height, theme, hscroll, highlight, active = true, send } = props;
  const layout = layoutColumns(columns, width - markCells, hscroll);
  return [
    { spans: titles(columns, layout, theme), role: 'heads' },
    ...rows.slice(0, Math.max(0, height - 1)).map((row, at): Line<Message> => {
      const spans = rowSpans({ row, columns, layout, width, theme, highlight, active });
      return { spans, role: 'row', isCursor: row.cursor, send: send?.(at) };
    }),
    ...asLines(rows.length > 0 ? [] : inPlaceOfRows(props)),
  ];
}

function titles(columns: readonly TableColumn[], layout: readonly PlacedColumn[], theme: Theme): Span[] {
  const { up, down } = theme.glyphs;
  const line: Span[] = [{ text: spaces(markCells) }];
  for (const place of layout) {
    const column = columns[place.index];
    if (column === undefined) continue;
    line.push({ text: spaces(place.gap) });
    const arrow = column.sorted === 'up' ? up : column.sorted === 'down' ? down : plain``;
    // The title is cut rather than the arrow.
    const whole = (isShort(column, place) && column.shortTitle) || column.title;
    const title = arrow === '' ? whole : plain`${cut(whole, place.width - 1, '')}${arrow}`;
    line.push({ text: fit(title, place.width, column.align, plain``), tone: arrow === '' ? 'dim' : 'strong' });
  }
  return line;
}

const isShort = ({ title }: TableColumn, { width }: PlacedColumn): boolean => width < cells(title);

const nothing = (text: Painted, tone: Tone, width: number): Span[][] =>
  wrap(text, width - markCells - 1).map((line) => [{ text: plain`${spaces(markCells)}${line}`, tone }]);

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
    const text = joinPainted([spaces(place.gap), cell]);
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
