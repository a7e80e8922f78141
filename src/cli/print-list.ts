import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '../api/problem.ts';
import { createPace, failureOf } from '../cache/entries.ts';
import type { Client } from '../client/client.ts';
import { sleep } from '../client/hold-back.ts';
import { timestamp } from '../describe/column.ts';
import type { Context, Rows } from '../describe/context.ts';
import { detailTabs } from '../describe/list-detail.ts';
import { whoAmI } from '../describe/picks.ts';
import type { AnyList, Item } from '../describe/screen.ts';
import type { ParseResult } from '../lib/function-results.ts';
import type { Flags } from '../profiles/resolve-settings.ts';
import type { Ports } from './command-ports.ts';
import { factsFor, findRows } from './find-rows.ts';
import { complain, type Exit, endWith, exitCode, exits, failed, type Io, safeJson, usage } from './io.ts';
import { flagWord, jsonVersion, type OutputFlags, readOutputFlags } from './output/formats.ts';
import { itemsWanted, type ListReader, ordered, print, printablePage, printLines, themeFor } from './output/print.ts';
import { stopOnSignals, withProgress } from './output/progress.ts';
import { findPick, readSearch } from './search-flags.ts';
import { keepNames } from './session-files.ts';
import type { OpenConnection } from './start.ts';

/** One read of what is watched. */
type WatchRead =
  | { readonly ok: true; readonly items: ReadonlyMap<string, Item>; readonly missing: readonly string[] }
  | { readonly ok: false; readonly problem: Problem };

/**
 * Lines of JSON about what has changed since the read before; without one all rows are present. A row that a partial
 * read does not have is not removed: it may be among those that are missing.
 */
export function watchedChanges(
  before: ReadonlyMap<string, Item> | undefined,
  now: ReadonlyMap<string, Item>,
  { at, isWhole }: { readonly at: number; readonly isWhole: boolean },
): readonly string[] {
  const line = (change: string, item: Item, more: object = {}) =>
    safeJson({ version: jsonVersion, at: timestamp(at), change, ...more, item }, 0);
  const lines: string[] = [];
  for (const [id, item] of now) {
    const old = before?.get(id);
    if (!old) lines.push(line(before ? 'added' : 'present', item));
    else if (!isDeepStrictEqual(old, item)) {
      const fields = Object.keys(item).filter((name) => !isDeepStrictEqual(item[name], old[name]));
      lines.push(line('changed', item, { fields }));
    }
  }
  if (isWhole) for (const [id, item] of before ?? []) if (!now.has(id)) lines.push(line('removed', item));
  return lines;
}

/**
 * Reads again and again, at the pace of the dashboard's polls, and prints what changed, until `stop`. A read that fails is
 * told once and tried again, and so is the next that works; keys that are refused end it, and so does a first read that fails.
 */
export async function watch(
  io: Pick<Io, 'out' | 'err' | 'clock' | 'random'>,
  client: Pick<Client, 'holdBack' | 'slowdown' | 'keysRefused'>,
  {
    read,
    everyMs,
    stop,
  }: { readonly read: () => Promise<WatchRead>; readonly everyMs: number; readonly stop: AbortSignal },
): Promise<Exit> {
  const { clock, random } = io;
  // A person need not touch it to stay awake, as at a dashboard.
  const pace = createPace({ clock, random, holdBack: client.holdBack, slowdown: client.slowdown });
  let itemsById: ReadonlyMap<string, Item> | undefined;
  let told = '';
  const tellOnce = (trouble: string) => {
    if (trouble !== told) complain(io, trouble === '' ? 'everything is read again' : trouble);
    told = trouble;
  };
  while (!stop.aborted) {
    const now = await read();
    if (stop.aborted) break;
    if (now.ok) {
      const isWhole = now.missing.length === 0;
      for (const line of watchedChanges(itemsById, now.items, { at: clock.now(), isWhole })) io.out(`${line}\n`);
      itemsById = isWhole ? now.items : new Map([...(itemsById ?? []), ...now.items]);
      tellOnce(now.missing.join('; '));
    } else {
      if (!itemsById || client.keysRefused()) return failed(io, now.problem);
      tellOnce(now.problem.text);
    }
    pace.touch();
    await sleep(clock, pace.gap(everyMs, failureOf(now.ok ? undefined : now.problem)), stop);
  }
  return exits.interrupted;
}

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
    const isAll = query.limit === undefined && Object.values(selection.search).every((text) => text === undefined);
    if (isAll && missing.length === 0) await keepNames(connection, list, rows, io.clock.now());
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
  return told === '' ? undefined : endWith(io, exits.failed, `--fail-on ${failOn}: ${told}`);
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
        found.lacks,
      );
      return exitCode(io, found.lacks);
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
    return exitCode(io, found.lacks);
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
  if (selection.watch && selection.failOn !== undefined)
    return refused('--fail-on is about one read: leave --watch out');
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
  // In another order than the list's own, the first may be anywhere, and the states of all rows count.
  const limit = (wanted.value.sort ?? list.sorted ?? selection.failOn) ? undefined : wanted.value.limit;
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
