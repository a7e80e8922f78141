import type { Problem } from '../api/problem.ts';
import type { Context, ListQuery, Rows } from '../describe/context.ts';
import { type AnyList, rowNoun } from '../describe/screen.ts';
import type { ParseResult } from '../lib/function-results.ts';
import { plural } from '../lib/text.ts';
import { present } from '../lib/values.ts';
import { readStandardInput } from './files.ts';
import { complain, type Exit, emptyId, endWith, exits, failed, type Io } from './io.ts';
import type { OpenConnection } from './start.ts';

/** Which rows are wanted of a list. */
interface WantedRows {
  readonly list: AnyList;
  /**
   * Each an id, `id:` and an id, `name:` and the name of exactly one row, or `-` for lines of standard input: of each line
   * what stands before its first tab, so that the lines of `list` can be given.
   */
  readonly words: readonly string[];
  /** Where names, and ids that cannot be read alone, are looked for. */
  readonly asked: ListQuery;
}

/** Rows that were found. */
interface Found {
  readonly ok: true;
  readonly rows: readonly unknown[];
  /** Ids of the rows that were read by themselves, and not in the list. */
  readonly alone: ReadonlySet<string>;
  /** What of these could not be read, as sentences that were told. */
  readonly lacks: readonly string[];
  /** Words that name no row, or several. */
  readonly faults: readonly WordFault[];
}

/** A word that names no row, and why, as a sentence that holds what it names. */
export interface WordFault {
  /** The id, empty where it is a name. */
  readonly id: string;
  readonly name: string;
  readonly text: string;
  /** There is none, as far as can be seen. */
  readonly isMissing?: boolean;
  /** The service refused it. */
  readonly problem?: Problem;
}

/** The rows, or the exit code after what was told. */
export type FoundRows = Found | { readonly ok: false; readonly exit: Exit };

/** More ids than this are looked for in the list before each is read by itself. */
const fewIds = 5;
/** Bytes of ids on standard input at most. */
const mostBytes = 4 * 1024 * 1024;

/** The rows that the words name, where each names one; else what is wrong with the others is told on stderr. */
export async function findRows(
  io: Pick<Io, 'err' | 'pieces'>,
  connection: Pick<OpenConnection, 'client'>,
  context: Context,
  wanted: WantedRows,
): Promise<FoundRows> {
  const found = await findSome(io, connection, context, wanted);
  if (!found.ok || found.faults.length === 0) return found;
  for (const { text } of found.faults) complain(io, text);
  return { ok: false, exit: exits.failed };
}

/** The rows that the words name, in their order, each once, and the words that name none or several. */
export async function findSome(
  io: Pick<Io, 'err' | 'pieces'>,
  { client }: Pick<OpenConnection, 'client'>,
  context: Context,
  { list, words, asked: search }: WantedRows,
): Promise<FoundRows> {
  const refused = (text: string, exit: Exit = exits.usage): FoundRows => ({ ok: false, exit: endWith(io, exit, text) });
  const typed = await readWords(io, words);
  if (!typed.ok) return refused(typed.text);
  const given = typed.value;
  if (given.some((word) => word.replace(/^(id|name):/, '').trim() === '')) return refused(emptyId);
  // A script that found nothing has nothing to do, which is no failure.
  if (given.length === 0) return refused('no ID on standard input: nothing to do', exits.done);

  const found = new Map<string, unknown>();
  const alone = new Set<string>();
  const lacks: string[] = [];
  const keep = (rows: readonly unknown[]) => {
    for (const row of rows) if (!found.has(list.idOf(row))) found.set(list.idOf(row), row);
  };

  const ids = given.flatMap((word) => idIn(word) ?? []);
  const isListed = ids.length < given.length || ids.length > fewIds || list.find === undefined;
  const read = isListed ? await client.run(list.load(search, context).plan(context)) : undefined;
  if (read?.ok === false) return { ok: false, exit: failed(io, read.problem) };
  const listed: Rows<unknown> = read?.value ?? { rows: [] };
  keep(listed.rows);
  /** Why rows may be there that were not read. */
  const unread = [...(listed.missing ?? [])];
  const refusals: WordFault[] = [];
  /** Reads rows by themselves. A service that refuses several ids does not say which, so each is asked for alone then. */
  const readAlone = async (missing: readonly string[]): Promise<Problem | undefined> => {
    if (missing.length === 0 || !list.find) return undefined;
    const result = await client.run(list.find(missing, search, context).plan(context));
    if (result.ok) {
      const { rows, notes = [], missing: lost = [] } = result.value as Rows<unknown>;
      keep(rows);
      unread.push(...lost);
      lacks.push(...(rows.length > 0 ? notes : []));
      for (const row of rows) alone.add(list.idOf(row));
      return undefined;
    }
    const [id = ''] = missing;
    const { problem } = result;
    if (problem.kind !== 'invalid') return problem;
    if (missing.length === 1) {
      const text = `${id}: ${problem.text}`;
      refusals.push({ id, name: id, text, problem: { ...problem, text } });
      return undefined;
    }
    for (const one of missing) {
      const stopped = await readAlone([one]);
      if (stopped) return stopped;
    }
    return undefined;
  };
  const problem = await readAlone(ids.filter((id) => !found.has(id)));
  for (const note of lacks) complain(io, note);
  if (problem) return { ok: false, exit: failed(io, problem) };

  const { rows, faults } = matchRows(list, given, found, { listed: { ...listed, missing: unread }, refusals });
  if (faults.length > 0) for (const note of listed.notes ?? []) complain(io, note);
  return { ok: true, rows: [...rows.values()], alone, lacks, faults };
}

/** The words, with the lines of standard input in place of `-`. */
async function readWords(io: Pick<Io, 'pieces'>, words: readonly string[]): Promise<ParseResult<readonly string[]>> {
  const given: string[] = [];
  for (const word of new Set(words)) {
    if (word !== '-') {
      given.push(word);
      continue;
    }
    const text = await readStandardInput(io, mostBytes);
    if (!text.ok) return text;
    given.push(...linesOf(text.value));
  }
  return { ok: true, value: given };
}

/** The rows by id, where a word names exactly one of them; a sentence for each word that names none or several. */
function matchRows(
  list: AnyList,
  given: readonly string[],
  found: ReadonlyMap<string, unknown>,
  { listed, refusals }: { readonly listed: Rows<unknown>; readonly refusals: readonly WordFault[] },
) {
  const rows = new Map<string, unknown>();
  const faults: WordFault[] = [];
  const { missing = [] } = listed;
  const unsure = (what: string) => `${list.title}: rows are missing, so ${what} is unknown`;
  for (const word of given) {
    const id = idIn(word);
    if (id !== undefined) {
      if (found.has(id)) rows.set(id, found.get(id));
      else
        faults.push(
          refusals.find((fault) => fault.id === id) ??
            (missing.length > 0
              ? { id, name: id, text: unsure(`whether one has the ID ${id}`) }
              : { id, name: id, text: `no ${rowNoun(list)} with ID ${id}`, isMissing: true }),
        );
      continue;
    }
    const name = word.slice('name:'.length).trim();
    const matches = listed.rows.filter((row) => list.nameOf(row) === name);
    const ids = matches.map((row) => list.idOf(row));
    const several = `${plural(ids.length, 'row')} of ${list.title} have the name ${name}: give one of the ids ${ids.join(', ')}`;
    if (missing.length > 0) faults.push({ id: '', name, text: `${unsure(`what has the name ${name}`)}: give the id` });
    else if (ids.length > 1) faults.push({ id: '', name, text: several });
    else if (ids[0] !== undefined) rows.set(ids[0], matches[0]);
    else faults.push({ id: '', name, text: `${list.title}: nothing has the name ${name}`, isMissing: true });
  }
  return { rows, faults };
}

const idIn = (word: string): string | undefined =>
  word.startsWith('name:') ? undefined : word.startsWith('id:') ? word.slice('id:'.length) : word;

/** An id may begin with a space, so nothing is trimmed. */
const linesOf = (text: string): readonly string[] =>
  text
    .split(/\r\n|\n/)
    .map((line) => line.split('\t')[0] ?? '')
    .filter((word) => word.trim() !== '');

/** The context of descriptions without a dashboard: no trends, no recent people, no cursor. */
export function factsFor(io: Io, { client, settings }: OpenConnection): Context {
  return {
    now: io.clock.now(),
    zone: io.zone,
    recent: [],
    profile: { name: settings.name, production: settings.production, readOnly: settings.readOnly },
    origin: client.origin,
    ...present({ web: settings.webUrl }),
    vocabulary: client.vocabulary,
    ends: client.ends(),
    offered: client.offered,
    trend: () => [],
    ascii: settings.ascii,
  };
}
