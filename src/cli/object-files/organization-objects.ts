import type { Plan } from '../../api/endpoint.ts';
import { problemResult, type Result, toResult } from '../../api/problem.ts';
import { sleep } from '../../client/hold-back.ts';
import type { Context, Source } from '../../describe/context.ts';
import { whoAmI } from '../../describe/picks.ts';
import type { Resource } from '../../describe/resource-spec.ts';
import { initialQuery } from '../../describe/screen.ts';
import { type ParseResult, unreadable } from '../../lib/function-results.ts';
import { at, type JsonObject, put } from '../../lib/values.ts';
import { complain, type Io } from '../io.ts';
import type { OpenConnection } from '../start.ts';
import { type FileKind, fileKinds, type NamedKind, namedKinds } from './file-kinds.ts';

/** What reads of an organization need. */
export interface Reading {
  readonly io: Io;
  readonly connection: OpenConnection;
  readonly context: Context;
  /** Aborted: nothing more is read. */
  readonly stop?: AbortSignal;
}

/** An object of the organization, as a file would have it. */
export interface StoredObject {
  readonly id: string;
  readonly name: string;
  /** It came with the organization: no operation creates or deletes it. */
  readonly isBuiltIn: boolean;
  readonly row: unknown;
  /** As its form is opened with it. */
  readonly whole: Resource;
  /** What a person can set of it, with names for ids. */
  readonly content: JsonObject;
}

/** The objects of a kind, in their order where they have one. */
export interface StoredKind {
  readonly kind: FileKind;
  readonly objects: readonly StoredObject[];
}

/** What was read of an organization. */
export interface Organization {
  /** Its id, where the service tells it. */
  readonly id: string | undefined;
  readonly kinds: readonly StoredKind[];
  readonly names: Names;
}

/** Names for ids, and back. An id whose name is missing, or is that of several, stays an id. */
export interface Names {
  toName(kind: NamedKind, id: string): string;
  /** Undefined: nothing has the id, or the name. */
  toId(kind: NamedKind, word: string): string | undefined;
}

const namePrefix = 'name:';
/** Objects that are read at the same time. */
const atOnce = 6;

/** Every object of these kinds, read as a whole. Where anything is missing it is a sentence, because a comparison would lie. */
export async function readOrganization(work: Reading, kinds: readonly FileKind[]): Promise<ParseResult<Organization>> {
  const me = await patiently(work, whoAmI.plan);
  const names = await readNames(work, kinds);
  if (!names.ok) return names;
  const read: StoredKind[] = [];
  for (const kind of kinds) {
    const objects = await readKind(work, kind, names.value);
    if (!objects.ok) return objects;
    read.push({ kind, objects: objects.value });
  }
  return { ok: true, value: { id: me.ok ? me.value.organization : undefined, kinds: read, names: names.value } };
}

/** Runs a read; a limit of the service is waited for, and said. */
export async function patiently<T>(
  { io, connection, context, stop = new AbortController().signal }: Reading,
  plan: (context: Context) => Plan<Result<T>, T>,
): Promise<Result<T>> {
  for (;;) {
    if (stop.aborted) return problemResult('conflict', 'stopped');
    const read = await connection.client.run(plan(context));
    if (read.ok || read.problem.waitMs === undefined) return read;
    complain(io, read.problem.text);
    await sleep(io.clock, read.problem.waitMs, stop);
  }
}

async function wholeList(
  work: Reading,
  { plan }: Source<unknown>,
  title: string,
): Promise<ParseResult<readonly unknown[]>> {
  const read = await patiently(work, plan);
  if (!read.ok) return unreadable(`${title}: ${read.problem.text}`);
  const { rows, missing = [] } = read.value;
  return missing.length === 0 ? { ok: true, value: rows } : unreadable(`${title}: ${missing.join('; ')}`);
}

/** The names of what the kinds name. */
export async function readNames(work: Reading, kinds: readonly FileKind[]): Promise<ParseResult<Names>> {
  const words = new Map<NamedKind, readonly (readonly [id: string, name: string])[]>();
  for (const named of new Set(kinds.flatMap(({ ids }) => Object.values(ids)))) {
    const { load, nameOf } = namedKinds[named](work.context);
    const rows = await wholeList(work, load, named);
    if (!rows.ok) return rows;
    words.set(
      named,
      rows.value.map((row) => [(row as Resource).id, nameOf(row)]),
    );
  }
  const all = (kind: NamedKind) => words.get(kind) ?? [];
  const single = (kind: NamedKind, name: string) => {
    const [found, ...others] = all(kind).filter((one) => one[1] === name);
    return others.length === 0 ? found : undefined;
  };
  return {
    ok: true,
    value: {
      toName(kind, id) {
        const name = all(kind).find((one) => one[0] === id)?.[1];
        return name !== undefined && single(kind, name) ? `${namePrefix}${name}` : id;
      },
      toId: (kind, word) =>
        word.startsWith(namePrefix)
          ? single(kind, word.slice(namePrefix.length))?.[0]
          : all(kind).find((one) => one[0] === word)?.[0],
    },
  };
}

/** An object as the form of its edit is opened with it, and what belongs to it besides. */
export async function readWhole(work: Reading, { edit, extra }: FileKind, row: unknown): Promise<Result<Resource>> {
  const stored: Result<Resource> = edit.needs
    ? await patiently(work, edit.needs(row, work.context).plan)
    : toResult(row as Resource);
  if (!stored.ok || !extra) return stored;
  const more = await patiently(work, () => extra.read(stored.value));
  if (!more.ok) return more;
  return {
    ...stored,
    value: { ...stored.value, attributes: { ...stored.value.attributes, [extra.path]: more.value } },
  };
}

async function readKind(work: Reading, kind: FileKind, names: Names): Promise<ParseResult<readonly StoredObject[]>> {
  const { list, edit } = kind;
  const { context } = work;
  const listed = await wholeList(work, list.load(initialQuery(list), context), list.title);
  if (!listed.ok) return listed;
  const rows = listed.value.filter((row) => (edit.enabled?.(row, context) ?? true) === true);
  return readObjects(work, kind, rows, names);
}

/** The objects of rows, in their order. */
export async function readObjects(
  work: Reading,
  kind: FileKind,
  rows: readonly unknown[],
  names: Names,
): Promise<ParseResult<readonly StoredObject[]>> {
  const { list, remove } = kind;
  const objects: StoredObject[] = [];
  for (let from = 0; from < rows.length; from += atOnce) {
    const read = rows.slice(from, from + atOnce).map(async (row) => {
      const isWhole = kind.isWhole?.(row) ?? false;
      return { row, found: isWhole ? toResult(row as Resource) : await readWhole(work, kind, row) };
    });
    for (const { row, found } of await Promise.all(read)) {
      const name = list.nameOf(row);
      if (!found.ok) return unreadable(`${name}: ${found.problem.text}`);
      const lost = found.value.unread ?? [];
      if (lost.length > 0) return unreadable(`${name}: ${lost.slice(0, 2).join('; ')}`);
      const content = mapIds(kind, kind.content(found.value.attributes as JsonObject), names.toName);
      const isBuiltIn = (remove.enabled?.(row, work.context) ?? true) !== true;
      objects.push({ id: list.idOf(row), name, isBuiltIn, row, whole: found.value, content });
    }
  }
  return { ok: true, value: objects };
}

/** The content with other words in the places of ids; lists of them are sorted, because their order means nothing. */
export function mapIds(
  { ids }: FileKind,
  content: JsonObject,
  word: (kind: NamedKind, id: string) => string,
): JsonObject {
  return Object.entries(ids).reduce((mapped, [path, named]) => {
    const value = at(mapped, path);
    if (value == null) return mapped;
    const words = Array.isArray(value)
      ? value.map((id) => word(named, String(id))).toSorted()
      : word(named, String(value));
    return put(mapped, path, words);
  }, content);
}

/** The kinds that `--kind` names; a sentence where there is no such kind. */
export function wantedKinds(words: readonly string[] | undefined): ParseResult<readonly FileKind[]> {
  const all = fileKinds.map(({ id }) => id);
  // All of `integrations` by that word.
  const isNamed = (word: string, id: string) => id === word || id.startsWith(`${word}.`);
  const stranger = words?.find((word) => !all.some((id) => isNamed(word, id)));
  if (stranger !== undefined) return unreadable(`--kind ${stranger}: there are ${all.join(', ')}`);
  return { ok: true, value: fileKinds.filter(({ id }) => words?.some((word) => isNamed(word, id)) ?? true) };
}
