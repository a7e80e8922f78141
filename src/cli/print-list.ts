import type { Context, Rows } from '../describe/context.ts';
import { detailTabs } from '../describe/list-detail.ts';
import { whoAmI } from '../describe/picks.ts';
import type { AnyList, Item } from '../describe/screen.ts';
import type { ParseResult } from '../lib/function-results.ts';
import type { Flags } from '../profiles/resolve-settings.ts';
import { findPick } from './actions/picks.ts';
import { factsFor } from './command-context.ts';
import { complain, exitCode, failed, usage } from './command-messages.ts';
import type { Ports } from './command-ports.ts';
import { keepNames } from './completion/kept-names.ts';
import { findRows } from './find-rows.ts';
import { type Exit, exits } from './io.ts';
import { flagWord, type OutputFlags, readOutputFlags } from './output/output-flags.ts';
import { printablePage } from './output/page.ts';
import { itemsWanted, type ListReader, ordered, print, printLines, themeFor } from './output/print.ts';
import { withProgress } from './output/progress.ts';
import { watch } from './output/watch.ts';
import { readSearch } from './search-flags.ts';
import type { OpenConnection } from './start.ts';
import { stopOnSignals } from './stop-signals.ts';

/** What a list command may ask: fields of the list's own search form, its range, and how it is printed. */
export interface Wanted extends OutputFlags {
  readonly search: Readonly<Record<string, string | undefined>>;
  readonly range?: string | undefined;
  readonly watch?: boolean | undefined;
  /** A state of the list: a row in it, or in one before it, is a failure. */
  readonly failOn?: string | undefined;
  /** False: never through a pager. */
  readonly pager?: boolean | undefined;
}

/** `orgdeck … list`: the rows of a list, as its screen reads them. */
export async function printList(ports: Ports, list: AnyList, flags: Flags, selection: Wanted): Promise<Exit> {
  const { io } = ports;
  return ports.with(flags, async (connection) => {
    const ready = await readerFor(ports, connection, list, selection);
    if ('exit' in ready) return ready.exit;
    const { reader, query } = ready;
    const { context } = reader;
    if (selection.watch) return watchList(reader, query);
    const { client } = connection;
    const result = await withProgress(io, list.title, (partial) =>
      client.run(list.load(query, context).plan(context), { partial }),
    );
    if (!result.ok) return failed(io, result.problem);
    const { rows, notes = [], missing = [] } = result.value as Rows<unknown>;
    for (const note of notes) complain(io, note);
    await print(reader, ordered(reader, rows), missing);
    const isWhole = missing.length === 0 && Object.values(selection.search).every((text) => text === undefined);
    if (isWhole) await keepNames(connection, list, rows, io.clock.now());
    return failing(reader, rows, selection.failOn) ?? exitCode(io, missing);
  });
}

/** Says how many rows are in a state, or in one that is worse; undefined where none is, or nobody asks. */
function failing(
  { ports: { io }, list: { states = [] }, context }: ListReader,
  rows: readonly unknown[],
  failOn?: string,
) {
  if (failOn === undefined) return undefined;
  const bad = states.slice(0, states.findIndex((state) => flagWord(state) === failOn) + 1);
  const counts = bad.map((state) => {
    const count = rows.filter((row) => states.find((one) => one.isIn(row, context)) === state).length;
    return count === 0 ? '' : `${count} ${state.label}`;
  });
  const told = counts.filter((text) => text !== '').join(', ');
  if (told === '') return undefined;
  complain(io, `--fail-on ${failOn}: ${told}`);
  return exits.failed;
}

/** `orgdeck … get`: rows by id or name, read as a whole: their pages, or their fields. */
export async function printRows(
  ports: Ports,
  list: AnyList,
  words: readonly string[],
  flags: Flags,
  selection: Wanted,
): Promise<Exit> {
  const { io } = ports;
  return ports.with(flags, async (connection) => {
    const ready = await readerFor(ports, connection, list, selection);
    if ('exit' in ready) return ready.exit;
    const { reader, query } = ready;
    const { context } = reader;
    const found = await findRows(io, connection, context, { list, words, asked: query });
    if (!found.ok) return found.exit;
    const wholes: { readonly row: unknown; readonly whole: unknown }[] = [];
    for (const row of found.rows) {
      const isFieldsOnly = reader.wanted.format !== undefined && found.alone.has(list.idOf(row));
      if (!list.detail?.load || isFieldsOnly) {
        wholes.push({ row, whole: undefined });
        continue;
      }
      const read = await connection.client.run(list.detail.load(row, context).plan(context));
      if (!read.ok) return failed(io, read.problem);
      wholes.push({ row: list.detail.inside?.get(read.value) ?? row, whole: read.value });
    }
    const { format } = reader.wanted;
    if (format !== undefined || !list.detail) {
      await print(
        reader,
        wholes.map(({ row }) => row),
        [],
      );
      return exits.done;
    }
    const theme = themeFor(io, connection);
    const pages = wholes.map(({ row, whole }) => {
      const [page] = list.detail ? detailTabs(list.detail, row, whole, context) : [];
      return printablePage(list.nameOf(row), page?.kind === 'page' ? page.sections : [], theme);
    });
    await printLines(
      reader,
      pages.flatMap((lines, at) => (at === 0 ? lines : ['', ...lines])),
    );
    return exits.done;
  });
}

async function readerFor(ports: Ports, connection: OpenConnection, list: AnyList, selection: Wanted) {
  const { io } = ports;
  const refused = (text: string) => ({ exit: usage(io, text) });
  const known = factsFor(io, connection);
  const facts = {
    ...known,
    keepsRaw: true,
    ascii: known.ascii || (io.isTerminal.stdout && themeFor(io, connection).ascii),
  };
  // Only who asks for their own rows pays for the request.
  const asksMe = Object.values(selection.search).includes('me');
  const me = asksMe ? await connection.client.run(whoAmI.plan(facts)) : undefined;
  const context: Context = me?.ok ? { ...facts, me: me.value } : facts;
  const search = await pickedIds(connection, list, selection.search, context);
  if (!search.ok) return refused(search.text);
  const query = readSearch(list, search.value, selection.range, context);
  if (!query.ok) return refused(query.text);
  const wanted = readOutputFlags(list, selection, context);
  if (!wanted.ok) return refused(wanted.text);
  const states = (list.states ?? []).map(flagWord);
  if (selection.failOn !== undefined && !states.includes(selection.failOn))
    return refused(`--fail-on: one of ${states.join(', ')}`);
  if (selection.watch && !['jsonl', 'json', undefined].includes(wanted.value.format))
    return refused('--watch prints lines of JSON: leave -o out');
  const reader: ListReader = {
    ports,
    connection,
    list,
    context,
    wanted: wanted.value,
    isPaged: selection.pager !== false,
  };
  // In another order than the list's own, the first may be anywhere.
  const limit = (wanted.value.sort ?? list.sorted) ? undefined : wanted.value.limit;
  return { reader, query: { ...query.value, limit } };
}

/** What was given with the ids of what was named: `--owner name:Kim`. */
async function pickedIds(
  connection: OpenConnection,
  { search }: AnyList,
  given: Wanted['search'],
  context: Context,
): Promise<ParseResult<Wanted['search']>> {
  const form = search?.form(search.initial, context) ?? {};
  const ids: Record<string, string | undefined> = { ...given };
  for (const [name, { picks, label }] of Object.entries(form)) {
    const word = given[name];
    if (!picks || !word) continue;
    const found = await findPick(connection, context, { noun: label.toLowerCase(), load: picks }, word);
    if (!found.ok) return found;
    ids[name] = found.value.id;
  }
  return { ok: true, value: ids };
}

async function watchList(reader: ListReader, query: Parameters<AnyList['load']>[0]): Promise<Exit> {
  const { ports, connection, list, wanted } = reader;
  const { io } = ports;
  const { client, settings } = connection;
  if (settings.isPaused) return usage(io, '--watch reads at the pace of --poll: give it seconds, not off');
  const stopping = stopOnSignals();
  const { signal } = stopping;
  try {
    const ended = await watch(io, client, {
      everyMs: Math.max(settings.pollSeconds, list.every ?? 0) * 1000,
      stop: signal,
      async read() {
        const context = { ...reader.context, now: io.clock.now() };
        const result = await client.run(list.load(query, context).plan(context), { signal });
        if (!result.ok) return result;
        const { rows, missing = [] } = result.value as Rows<unknown>;
        const now = ordered({ ...reader, context }, rows);
        const { items } = itemsWanted({ ...reader, context, wanted }, now);
        const known = new Map<string, Item>(now.map((row, at) => [list.idOf(row), items[at] ?? {}]));
        return { ok: true, items: known, missing };
      },
    });
    return stopping.exit() ?? ended;
  } finally {
    stopping.end();
  }
}
