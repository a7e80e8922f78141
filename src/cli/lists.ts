import type { AnyList } from '../describe/screen.ts';
import type { Rows } from '../describe/source.ts';
import { rowsInWords } from '../describe/vocabulary-words.ts';
import { paint } from '../lib/paint.ts';
import { cells, fit } from '../lib/text.ts';
import type { Flags } from '../profiles/resolve-settings.ts';
import { askedOf } from './asked.ts';
import { factsFor } from './facts.ts';
import type { House } from './house.ts';
import { type Exit, exits } from './io.ts';
import { complain, exitOf, failed, safeJson, tell } from './say.ts';

/** What a list command may ask: fields of the list's own search form, and its range. */
export interface Wanted {
  readonly search: Readonly<Record<string, string | undefined>>;
  readonly range?: string | undefined;
  readonly json?: boolean | undefined;
}

/** Prints the rows of a screen's list, as the dashboard reads them: as JSON, or one line for each row. */
export async function printList(house: House, list: AnyList, flags: Flags, wanted: Wanted): Promise<Exit> {
  const { io } = house;
  return house.with(flags, async (connection) => {
    const context = factsFor(io, connection);
    const asked = askedOf(list, wanted.search, wanted.range, context);
    if (!asked.ok) {
      complain(io, asked.text);
      return exits.usage;
    }
    const source = list.load(asked.value, context);
    const result = await connection.client.run(source.plan(context));
    if (!result.ok) return failed(io, result.problem);
    const { rows, notes = [], missing = [] } = result.value as Rows<unknown>;
    for (const note of notes) complain(io, note);
    if (wanted.json) {
      io.out(`${safeJson(rowsInWords(list, rows, context))}\n`);
      return exitOf(io, missing);
    }
    const cellsOf = (row: unknown) => [list.idOf(row), ...list.columns.map((column) => column.text(row, context))];
    tell(io, inColumns(['id', ...list.columns.map((column) => column.id)], rows.map(cellsOf)));
    return exitOf(io, missing);
  });
}

/** No column takes more than this of a line; a full text is in the JSON. */
const widest = 60;

/** Lines with the texts under each other; a column that is empty in every row is left out. */
function inColumns(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const kept = titles.map((_, at) => at).filter((at) => rows.length === 0 || rows.some((row) => row[at]?.trim()));
  const painted = [titles, ...rows].map((row) => kept.map((at) => paint(row[at] ?? '')));
  const widths = kept.map((_, at) => Math.min(widest, Math.max(...painted.map((row) => cells(row[at] ?? '')))));
  return painted.map((row) =>
    row
      .map((text, at) => fit(text, widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
