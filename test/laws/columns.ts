import type { Column } from '../../src/describe/column.ts';
import type { AnyList } from '../../src/describe/screen.ts';
import { layoutColumns, markCells } from '../../src/scene/list-lines.ts';
import { geometry, previewRoom } from '../../src/session/rows/geometry.ts';

type Columns = readonly Column<never>[];

/** Columns of the terminals that the law looks at. */
const terminals = [60, 80, 100, 120, 140, 160, 200, 240] as const;

/** How much the rows of a list need of each column: nothing but the title, some cells, all that they can get. */
const contents: Readonly<Record<string, (column: Column<never>) => number>> = {
  'no row': ({ title }) => title.length,
  'short rows': ({ title, min }) => Math.max(title.length, min),
  'rows of 30 cells': () => 30,
  'endless rows': () => 10_000,
};

/** Cells of each column, by its id, of a list with this content on a terminal with these columns. */
function widthsOn(list: { readonly columns: Columns }, terminal: number, place: 'below' | 'right', rows: string) {
  const { listWidth } = geometry({ columns: terminal, rows: 50 }, { place, lines: 4 });
  const content = contents[rows] ?? (() => 0);
  const shapes = list.columns.map((column) => ({ ...column, content: content(column) }));
  const placed = layoutColumns(shapes, listWidth - 2 - markCells, 0);
  return new Map(placed.map(({ index, width }) => [list.columns[index]?.id ?? '', width]));
}

/** Columns that are narrower, or not there, on a wider terminal with the preview in the same place. */
export function narrowerFaults(list: Pick<AnyList, 'id'> & { readonly columns: Columns }): string[] {
  return (['below', 'right'] as const).flatMap((place) =>
    Object.keys(contents).flatMap((rows) => {
      const sizes = terminals.filter(
        (columns) => place === 'below' || previewRoom({ columns, rows: 50 }, { lines: 0 }).includes(place),
      );
      return sizes.slice(1).flatMap((terminal, at) => {
        const before = widthsOn(list, sizes[at] ?? 0, place, rows);
        const now = widthsOn(list, terminal, place, rows);
        return [...before]
          .filter(([id, width]) => (now.get(id) ?? 0) < width)
          .map(
            ([id, width]) => `${list.id}: ${id} has ${now.get(id) ?? 0} of ${width} cells at ${terminal} with ${rows}`,
          );
      });
    }),
  );
}

/** Lists whose flex column, or one of priority 1, is missing on the smallest terminal; lists without exactly one flex column. */
export function flexFaults(list: Pick<AnyList, 'id'> & { readonly columns: Columns }): string[] {
  const flex = list.columns.filter((column) => column.flex);
  const smallest = widthsOn(list, 60, 'below', 'endless rows');
  return [
    ...(flex.length === 1 ? [] : [`${list.id} has ${flex.length} flex columns`]),
    ...list.columns
      .filter((column) => column.priority === 1 && (smallest.get(column.id) ?? 0) < Math.min(column.min, 3))
      .map((column) => `${list.id}: ${column.id} has no room on the smallest terminal`),
  ];
}

/** Cells of the flex column at 100 and 120 columns, whatever the rows need. */
export function flexWidths(list: { readonly columns: Columns }): number[] {
  const flex = list.columns.find((column) => column.flex)?.id ?? '';
  return [100, 120].flatMap((terminal) =>
    Object.keys(contents).map((rows) => widthsOn(list, terminal, 'below', rows).get(flex) ?? 0),
  );
}
