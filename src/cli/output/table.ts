import { layoutColumns } from '../../../components/layout.ts';
import type { Theme } from '../../../components/theme.ts';
import type { Column } from '../../describe/column.ts';
import type { Context } from '../../describe/context.ts';
import { type AnyList, shownColumns } from '../../describe/screen.ts';
import { paint } from '../../lib/paint.ts';
import { cells, fit } from '../../lib/text.ts';
import { styled } from './style.ts';

type AnyColumn = AnyList['columns'][number];

/** Cells of an id that has room on every terminal. */
const shortId = 10;

/** The columns of a list for these rows: those of the screen, behind the id, which actions take. */
export function columnsFor(list: AnyList, rows: readonly unknown[]): readonly AnyColumn[] {
  const columns = list.columnsOf?.(rows) ?? shownColumns(list);
  const widest = Math.max(2, ...rows.map((row) => cells(paint(list.idOf(row)))));
  const id: Column<unknown> = {
    id: 'id',
    title: 'ID',
    min: widest,
    max: widest,
    // A long id leaves a narrow terminal before what a person decides by.
    priority: widest <= shortId ? 2 : 3,
    text: (row) => list.idOf(row),
    tone: () => 'dim',
  };
  return [id, ...columns];
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
  const columns = columnsFor(list, rows);
  const texts = rows.map((row) => columns.map((column) => paint(column.text(row, context))));
  const measured = columns.map((column, at) => {
    const title = paint(column.title);
    const content = texts.reduce((most, row) => Math.max(most, cells(row[at] ?? '')), cells(title));
    return { ...column, title, content };
  });
  const placed =
    width === undefined
      ? measured.map(({ content }, index) => ({ index, width: content, gap: index === 0 ? 0 : 2 }))
      : layoutColumns(measured, width, 0);
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
