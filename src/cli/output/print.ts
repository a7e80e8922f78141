import type { Context } from '../../describe/context.ts';
import { type AnyList, outputFields, outputItems, spokenNames } from '../../describe/screen.ts';
import type { ResolvedSettings } from '../../profiles/resolve-settings.ts';
import { createTheme, type Theme } from '../../scene/theme.ts';
import { customized } from '../../session/custom/customized.ts';
import { sorted } from '../../session/rows/list-state.ts';
import { terminalCapabilities } from '../../terminal/terminal-capabilities.ts';
import { complain } from '../command-messages.ts';
import type { Ports } from '../command-ports.ts';
import { programEnvironment } from '../config.ts';
import type { Io } from '../io.ts';
import type { OpenConnection } from '../start.ts';
import { rendered } from './formats.ts';
import { compareValues, type OutputWanted, picked } from './output-flags.ts';
import { pagerWords } from './pager.ts';
import { tableLines } from './table.ts';

/** A list with what was asked of it, on a connection. */
export interface ListReader {
  readonly ports: Ports;
  readonly connection: OpenConnection;
  readonly list: AnyList;
  readonly context: Context;
  readonly wanted: OutputWanted;
  readonly isPaged: boolean;
}

/** In the order and number asked for: that of the screen where nothing was. */
export function ordered({ list, context, wanted }: ListReader, rows: readonly unknown[]): readonly unknown[] {
  const { sort, limit } = wanted;
  const inOrder = () => {
    if (sort && !sort.isColumn) {
      const items = outputItems(list, rows, context);
      const name = spokenNames(list, context).get(sort.by) ?? sort.by;
      return rows
        .map((row, at) => ({ row, value: items[at]?.[name] }))
        .toSorted((one, other) => compareValues(one.value, other.value, sort.down))
        .map(({ row }) => row);
    }
    const byId = new Map(rows.map((row) => [list.idOf(row), row]));
    // Rows may share an id where the service tells none.
    if (byId.size < rows.length) return rows;
    return sorted(list, rows as Parameters<typeof sorted>[1], sort ?? list.sorted, context).map((id) => byId.get(id));
  };
  return limit === undefined ? inOrder() : inOrder().slice(0, limit);
}

/** Prints rows in the format asked for; without one a table on a terminal, elsewhere `tsv` without the line of names. */
export async function print(reader: ListReader, rows: readonly unknown[], missing: readonly string[]): Promise<void> {
  const { ports, connection, list, context, wanted } = reader;
  const { io } = ports;
  const format = wanted.format ?? (io.isTerminal.stdout ? 'table' : 'tsv');
  if (format === 'table' || format === 'wide') {
    if (rows.length === 0) complain(io, `${list.title}: none`);
    else {
      const isFitted = format === 'table' && io.isTerminal.stdout;
      const theme = themeFor(io, connection);
      const width = isFitted ? { width: sizeOf(io).columns } : {};
      await printLines(reader, tableLines(await asShown(reader), rows, context, { theme, ...width }));
    }
  } else {
    const { names, items } = itemsWanted(reader, rows);
    const text = rendered[format]({ list: list.id, names, items, missing, isBare: wanted.isBare });
    // Lines with tabs of no rows are none, not an empty one.
    if (text !== '') await printLines(reader, [text]);
  }
}

/** The list with the columns that a person has chosen for it; a pipe has those of everybody. */
async function asShown({ ports, list }: ListReader): Promise<AnyList> {
  const [{ screens }, { config }] = await Promise.all([import('../../../screens/index.ts'), ports.config()]);
  const own = customized(screens, config).screens.flatMap(({ lists }) => lists);
  return own.find(({ id }) => id === list.id) ?? list;
}

/** The fields asked for, under the deployment's names. */
export function itemsWanted({ list, context, wanted }: ListReader, rows: readonly unknown[]) {
  const said = spokenNames(list, context);
  const names = (wanted.fields ?? outputFields(list).map(({ name }) => name)).map((name) => said.get(name) ?? name);
  return { names, items: outputItems(list, rows, context).map((item) => picked(item, names)) };
}

/** Writes text: through the pager where it is longer than the terminal. */
export async function printLines({ ports, isPaged }: ListReader, lines: readonly string[]): Promise<void> {
  const { io } = ports;
  const text = lines.map((line) => (line.endsWith('\n') ? line : `${line}\n`)).join('');
  const words = isPaged && io.page && io.isTerminal.stdout && io.isTerminal.stdin ? pagerWords(io.env) : undefined;
  const isLong = text.split('\n').length > sizeOf(io).rows;
  if (words && isLong && (await io.page?.(words, text, await programEnvironment(ports, io.env)))) return;
  io.out(text);
}

const sizeOf = ({ size }: Io) => size?.() ?? { columns: 80, rows: 24 };

/** The profile's theme, as the dashboard has it; without looks where nobody sees them. */
export function themeFor(
  io: Io,
  { settings }: { readonly settings: Pick<ResolvedSettings, 'theme' | 'ascii'> },
): Theme {
  const able = terminalCapabilities(io.env, { stdin: {}, stdout: {} });
  const theme = createTheme({ name: settings.theme, noColor: !able.color, ascii: settings.ascii || able.ascii });
  return io.isTerminal.stdout && io.env.TERM !== 'dumb' ? theme : { ...theme, props: () => ({}) };
}
