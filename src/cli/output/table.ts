import type { Column } from '../../describe/column.ts';
import type { Context } from '../../describe/context.ts';
import { type AnyList, outputFields, shownColumns } from '../../describe/screen.ts';
import { paint } from '../../lib/paint.ts';
import { cells, fit } from '../../lib/text.ts';
import { type ColumnShape, layoutColumns, type PlacedColumn } from '../../scene/list-lines.ts';
import type { Theme } from '../../scene/theme.ts';
import { styled } from './style.ts';

type AnyColumn = AnyList['columns'][number];

/** Cells of an id that has room on every terminal. */
const shortId = 10;
/** Leaves a narrow terminal before every column of the screen. */
const last = 99;

/** The columns of a list for these rows: those of the screen, behind the id, which actions take. */
function columnsFor(list: AnyList, rows: readonly unknown[]): readonly AnyColumn[] {
  const widest = rows.reduce<number>((most, row) => Math.max(most, cells(paint(list.idOf(row)))), 2);
  const id: Column<unknown> = {
    id: 'id',
    title: 'ID',
    min: widest,
    max: widest,
    priority: widest <= shortId ? 2 : last,
    text: (row) => list.idOf(row),
    tone: () => 'dim',
  };
  return [id, ...(list.board ? boardColumns(list) : (list.columnsOf?.(rows) ?? shownColumns(list)))];
}

/** A screen of blocks has no columns: the block, and the line as it is drawn. */
const boardColumns = (list: AnyList): readonly AnyColumn[] =>
  outputFields(list).flatMap(({ name, value }) =>
    name === 'block' || name === 'text'
      ? {
          id: name,
          title: name.toUpperCase(),
          min: 6,
          priority: 1,
          text: (row: unknown, context: Context) => String(value(row, context) ?? ''),
          ...(name === 'text' ? { flex: true as const } : {}),
        }
      : [],
  );

/** Where the columns are; a long id that has no room leaves its cells to the others. */
function placedIn(
  measured: readonly (ColumnShape & { readonly content: number })[],
  width: number | undefined,
): readonly PlacedColumn[] {
  if (width === undefined) return measured.map(({ content }, index) => ({ index, width: content, gap: index && 2 }));
  const placed = layoutColumns(measured, width, 0);
  if (measured[0]?.priority !== last || placed[0]?.index === 0) return placed;
  return layoutColumns(measured.slice(1), width, 0).map((place) => ({ ...place, index: place.index + 1 }));
}

interface Looks {
  /** Cells of a line; every column with its whole text when absent. */
  readonly width?: number;
  readonly theme: Theme;
}

/** The rows as the list's screen shows them: a line of titles, then one line for each row, fitted to the width. */
export function tableLines(
  list: AnyList,
  rows: readonly unknown[],
  context: Context,
  { width, theme }: Looks,
): readonly string[] {
  const [id, ...own] = columnsFor(list, rows);
  const textsOf = (column: AnyColumn) => rows.map((row) => paint(column.text(row, context)));
  const ids = rows.map((row) => paint(list.idOf(row)));
  // What the rows leave empty takes no room, and an id that is a column of its own is not shown twice.
  const filled = own
    .map((column) => ({ column, texts: textsOf(column) }))
    .filter(({ column, texts: of }) => column.priority === 1 || of.some((text) => text.trim() !== ''));
  const isTold = filled.some(({ texts: of }) => of.every((text, at) => text === ids[at]));
  const shown = id && !isTold ? [{ column: id, texts: ids }, ...filled] : filled;
  const columns = shown.map(({ column }) => column);
  const texts = rows.map((_, at) => shown.map((column) => column.texts[at] ?? ''));
  const measured = columns.map((column, at) => {
    const title = paint(column.title);
    const content = texts.reduce((most, row) => Math.max(most, cells(row[at] ?? '')), cells(title));
    return { ...column, title, content };
  });
  const placed = placedIn(measured, width);
  const line = (cell: (index: number, width: number) => string) =>
    placed
      .map((place) => ' '.repeat(place.gap) + cell(place.index, place.width))
      .join('')
      .trimEnd();
  const ellipsis = theme.glyphs.ellipsis;
  return [
    line((index, cellsOf) =>
      styled(fit(measured[index]?.title ?? '', cellsOf, measured[index]?.align, ''), theme.props('dim')),
    ),
    ...rows.map((row, at) =>
      line((index, cellsOf) =>
        styled(
          fit(texts[at]?.[index] ?? '', cellsOf, measured[index]?.align, ellipsis),
          theme.props(columns[index]?.tone?.(row, context) ?? 'plain'),
        ),
      ),
    ),
  ];
}
