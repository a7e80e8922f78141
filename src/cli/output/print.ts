import { spawn } from 'node:child_process';
import type { Column, DetailLine, LineFact, Section } from '../../describe/column.ts';
import type { Context } from '../../describe/context.ts';
import { type AnyList, outputFields, outputItems, shownColumns, spokenNames } from '../../describe/screen.ts';
import { paint } from '../../lib/paint.ts';
import { cells, fit } from '../../lib/text.ts';
import { commandWords } from '../../profiles/keyring.ts';
import type { ResolvedSettings } from '../../profiles/resolve-settings.ts';
import { type ColumnShape, layoutColumns, type PlacedColumn } from '../../scene/list-lines.ts';
import { createTheme, type TextStyle, type Theme } from '../../scene/theme.ts';
import { customized } from '../../session/custom/customized.ts';
import { sorted } from '../../session/rows/list-state.ts';
import { terminalCapabilities } from '../../terminal/terminal-capabilities.ts';
import type { Ports } from '../command-ports.ts';
import { programEnvironment } from '../config.ts';
import { complain, type Io } from '../io.ts';
import type { OpenConnection } from '../start.ts';
import { compareValues, type OutputWanted, outputNames, picked, rendered } from './formats.ts';

/** The pager that shows a text longer than the screen: that of PAGER, else less; none for an empty PAGER and for `cat`. */
export function pagerWords(env: Readonly<Record<string, string | undefined>>): readonly string[] | undefined {
  if (env.PAGER === undefined) return ['less'];
  const words = commandWords(env.PAGER);
  return words.ok && words.value[0] !== 'cat' ? words.value : undefined;
}

/**
 * Shows a text in a pager and waits for its end; false where it could not be started. No shell reads its words. Ctrl-C is
 * the pager's: this process stays until it has given the terminal back.
 */
export function pageThrough(
  [program = '', ...rest]: readonly string[],
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const stays = () => {};
  process.on('SIGINT', stays);
  return new Promise<boolean>((settle) => {
    // As git and gh do: leave at once where all fits, keep colors, do not clear the screen.
    const child = spawn(program, rest, {
      env: { LESS: 'FRX', LV: '-c', ...env },
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    child.on('error', () => settle(false));
    child.on('close', () => settle(true));
    // A pager that is left early reads no further.
    child.stdin.on('error', () => {});
    child.stdin.end(text);
  }).finally(() => process.off('SIGINT', stays));
}

const colors = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/** The codes of a color that a theme names: `red`, `redBright`. */
function colorCode(name: string): number | undefined {
  const at = colors.indexOf(name.replace('Bright', ''));
  return at < 0 ? undefined : (name.endsWith('Bright') ? 90 : 30) + at;
}

/** A painted text in a look of the theme, reset behind it. */
export function styled(text: string, { color, bold, dimColor, inverse, underline }: TextStyle): string {
  const codes = [
    bold && 1,
    dimColor && 2,
    underline && 4,
    inverse && 7,
    color !== undefined && colorCode(color),
  ].filter((code) => typeof code === 'number');
  return codes.length === 0 || text.trim() === '' ? text : `\u001b[${codes.join(';')}m${text}\u001b[0m`;
}

type AnyColumn = AnyList['columns'][number];

/** Cells of an id that has room on every terminal. */
const shortId = 10;
/** Leaves a narrow terminal before every column of the screen. */
const last = 99;

/** The columns of a list for these rows: those of the screen, behind the id, which actions take. */
function columnsFor(list: AnyList, rows: readonly unknown[]): readonly [AnyColumn, ...AnyColumn[]] {
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
  const ids = textsOf(id);
  // What the rows leave empty takes no room, and an id that is a column of its own is not shown twice.
  const filled = own
    .map((column) => ({ column, texts: textsOf(column) }))
    .filter(({ column, texts }) => column.priority === 1 || texts.some((text) => text.trim() !== ''));
  const isTold = filled.some(({ texts }) => texts.every((text, at) => text === ids[at]));
  const shown = isTold ? filled : [{ column: id, texts: ids }, ...filled];
  const measured = shown.map(({ column, texts }) => {
    const title = paint(column.title);
    const content = texts.reduce((most, text) => Math.max(most, cells(text)), cells(title));
    return { ...column, title, texts, content };
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
          fit(measured[index]?.texts[at] ?? '', cellsOf, measured[index]?.align, ellipsis),
          theme.props(measured[index]?.tone?.(row, context) ?? 'plain'),
        ),
      ),
    ),
  ];
}

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
  const names = (wanted.fields ?? outputNames(list)).map((name) => said.get(name) ?? name);
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

/** The sections of a detail as lines: heads, and what belongs to a label under each other. Nothing is cut. */
export function printablePage(name: string, sections: readonly Section[], theme: Theme): readonly string[] {
  const strong = (text: string) => styled(paint(text), theme.props('strong'));
  const shown = sections.filter(({ lines }) => lines.length > 0);
  return [
    strong(name),
    ...shown.flatMap(({ title, lines }) => {
      const label = Math.max(...lines.map((line) => cells(paint(line.kind === 'pair' ? line.label : ''))));
      return [...(title === '' ? [] : ['', strong(title)]), ...lines.map((line) => textOf(line, label, theme))];
    }),
  ];
}

function textOf(line: DetailLine, label: number, theme: Theme): string {
  switch (line.kind) {
    case 'gap':
      return '';
    case 'head':
      return styled(paint(line.text), theme.props('strong'));
    case 'text':
      return styled(paint(line.text), theme.props(line.tone ?? 'plain'));
    case 'facts':
      return line.facts.map((fact) => factOf(fact, theme)).join(` ${theme.glyphs.dot} `);
    case 'pair': {
      const name = paint(line.label);
      const gap = ' '.repeat(label - cells(name) + 2);
      return `${styled(name, theme.props('dim'))}${gap}${styled(paint(line.value), theme.props(line.tone ?? 'plain'))}`;
    }
  }
}

const factOf = ({ label, text, tone }: LineFact, theme: Theme): string =>
  `${label === undefined ? '' : `${paint(label)} `}${styled(paint(text), theme.props(tone ?? 'plain'))}`;
