import type { Problem } from '../api/problem.ts';
import type { Context } from '../describe/context.ts';
import type { AnyList } from '../describe/screen.ts';
import type { ListQuery, Rows } from '../describe/source.ts';
import { plural } from '../lib/text.ts';
import { complain, failed } from './command-messages.ts';
import { type Exit, exits, type Io } from './io.ts';
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

/** The rows, or the exit code after what was told. */
type FoundRows =
  | {
      readonly ok: true;
      readonly rows: readonly unknown[];
      /** Ids of the rows that were read by themselves, and not in the list. */
      readonly alone: ReadonlySet<string>;
    }
  | { readonly ok: false; readonly exit: Exit };

/** More ids than this are looked for in the list before each is read by itself. */
const fewIds = 5;
/** Bytes of ids on standard input at most. */
const mostBytes = 4 * 1024 * 1024;

/**
 * The rows that the words name, in their order, each once. Nothing is found by halves: a word without a row, and a name of
 * several, is told on stderr, and then there are no rows.
 */
export async function findRows(
  io: Pick<Io, 'err' | 'stdin'>,
  { client }: Pick<OpenConnection, 'client'>,
  context: Context,
  { list, words, asked: search }: WantedRows,
): Promise<FoundRows> {
  const refused = (text: string, exit: Exit = exits.usage): FoundRows => {
    complain(io, text);
    return { ok: false, exit };
  };
  const given = await readWords(io, words);
  if (given === undefined) return refused('standard input is over 4 MB of ids');
  if (words.some((word) => word.trim() === '')) return refused('an id is empty: is a variable of the script not set?');
  // A script that found nothing has nothing to do, which is no failure.
  if (given.length === 0) return refused('no id came on standard input: there is nothing to do', exits.done);

  const found = new Map<string, unknown>();
  const alone = new Set<string>();
  const listed: { rows?: Rows<unknown> } = {};
  const keep = (rows: readonly unknown[]) => {
    for (const row of rows) if (!found.has(list.idOf(row))) found.set(list.idOf(row), row);
  };
  const readList = async () => {
    const result = await client.run(list.load(search, context).plan(context));
    if (result.ok) listed.rows = result.value;
    return result;
  };

  const ids = given.flatMap((word) => idIn(word) ?? []);
  if (ids.length < given.length || ids.length > fewIds || list.find === undefined) {
    const result = await readList();
    if (!result.ok) return { ok: false, exit: failed(io, result.problem) };
    keep(result.value.rows);
  }
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0 && list.find) {
    const result = await client.run(list.find(missing, search, context).plan(context));
    if (!result.ok) return { ok: false, exit: failed(io, naming(missing, result.problem)) };
    const { rows } = result.value as Rows<unknown>;
    keep(rows);
    for (const row of rows) alone.add(list.idOf(row));
  }

  const { rows, faults } = matchRows(list, given, found, listed.rows?.rows ?? []);
  if (faults.length === 0) return { ok: true, rows: [...rows.values()], alone };
  for (const note of listed.rows?.notes ?? []) complain(io, note);
  for (const fault of faults) complain(io, fault);
  return { ok: false, exit: exits.failed };
}

/** A service that refuses an id does not name it. */
const naming = (ids: readonly string[], problem: Problem): Problem =>
  problem.kind === 'invalid' ? { ...problem, text: `${ids.join(', ')}: ${problem.text}` } : problem;

/** The words, with the lines of standard input in place of `-`; undefined where those are too many. */
async function readWords(io: Pick<Io, 'stdin'>, words: readonly string[]): Promise<readonly string[] | undefined> {
  const given: string[] = [];
  for (const word of new Set(words)) {
    if (word !== '-') {
      given.push(word);
      continue;
    }
    const text = await io.stdin(mostBytes);
    if (text === undefined) return undefined;
    given.push(...linesOf(text));
  }
  return given;
}

/** The rows by id, where a word names exactly one of them; a sentence for each word that names none or several. */
function matchRows(
  list: AnyList,
  given: readonly string[],
  found: ReadonlyMap<string, unknown>,
  listed: readonly unknown[],
) {
  const rows = new Map<string, unknown>();
  const faults: string[] = [];
  for (const word of given) {
    const id = idIn(word);
    if (id !== undefined) {
      if (found.has(id)) rows.set(id, found.get(id));
      else faults.push(`${list.title}: nothing has the id ${id}`);
      continue;
    }
    const name = word.slice('name:'.length).trim();
    const matches = listed.filter((row) => list.nameOf(row) === name);
    const ids = matches.map((row) => list.idOf(row));
    const [only] = ids;
    if (only === undefined) faults.push(`${list.title}: nothing has the name ${name}`);
    else if (ids.length === 1) rows.set(only, matches[0]);
    else
      faults.push(
        `${plural(ids.length, 'row')} of ${list.title} have the name ${name}: give one of the ids ${ids.join(', ')}`,
      );
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
