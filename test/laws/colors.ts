import type { Column, Tone } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import type { AnyList } from '../../src/describe/screen.ts';

/** Tones that call for a look. */
const calling: ReadonlySet<Tone> = new Set(['warn', 'bad', 'info']);

/** Rows from which on a list is long enough to have an eye-catcher. */
const fewest = 6;

/** Columns that call for a look in most rows of a list, so that none catches the eye (docs/design/screens.md#color). */
export function colorFaults(
  list: Pick<AnyList, 'id'> & { readonly columns: readonly Column<never>[] },
  rows: readonly never[],
  context: Context,
): string[] {
  if (rows.length < fewest) return [];
  return list.columns.flatMap(({ id, text, tone }) => {
    const told = rows.filter((row) => text(row, context) !== '' && calling.has(tone?.(row, context) ?? 'plain'));
    return told.length * 2 > rows.length
      ? [`${list.id}: ${id} is colored in ${told.length} of ${rows.length} rows`]
      : [];
  });
}
