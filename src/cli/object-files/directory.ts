import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AnySchema, entriesOf, schemaParts } from '../../api/endpoint.ts';
import { readNotes } from '../../api/envelope.ts';
import { attributesIn } from '../../describe/column.ts';
import type { SettingTable } from '../../describe/setting.ts';
import { type ParseResult, unreadable } from '../../lib/function-results.ts';
import { parsedJson, stringifyExact } from '../../lib/json.ts';
import { errorCode, readErrorText } from '../../lib/private-file.ts';
import { at, isObject, type JsonObject, put, sortedMembers } from '../../lib/values.ts';
import { optionRules } from '../../query/option-rules.ts';
import { readTextFile } from '../files.ts';
import { fileSchema } from '../json-schema.ts';
import type { FileKind } from './file-kinds.ts';
import { mapIds, type StoredKind, type StoredObject } from './organization-objects.ts';

/** The JSON schema of the files of a kind: what can be set, as the service's answers have it, names in the places of ids. */
function objectSchema({ id, ids, edit, create, shape, members = [] }: FileKind): JsonObject {
  const known = entriesOf(attributesIn(shape) ?? shape);
  const settings = [create, edit].flatMap((action) => Object.values((action.settings ?? {}) as SettingTable<unknown>));
  const paths = settings.flatMap(({ path, writeOnly }) => (path === undefined || writeOnly ? [] : [path]));
  const tops = new Set([...paths, ...Object.keys(ids), ...members].map((path) => path.split('.')[0] ?? ''));
  const properties = Object.fromEntries([...tops].toSorted().map((name) => [name, wireSchema(known[name])]));
  const named = Object.keys(ids).reduce<JsonObject>((all, path) => {
    const word = { type: ['string', 'null'], description: 'an ID, or name: and a name' };
    // Lists are called by the plural.
    return put(all, path, path.endsWith('s') ? { type: ['array', 'null'], items: word } : word);
  }, properties);
  return fileSchema(`${id} of orgdeck export`, {
    type: 'object',
    properties: {
      id: { type: 'string' },
      built_in: { type: 'boolean' },
      ...(id === 'monitors' ? ruled(named) : named),
    },
    additionalProperties: false,
  });
}

/** The limits and words of options, as the table of their rules has them. */
const ruled = (properties: JsonObject): JsonObject =>
  Object.entries<Limits>(optionRules as Readonly<Record<string, Limits>>).reduce<JsonObject>((all, [option, rule]) => {
    const { min, max, words } = rule;
    const path = `options.properties.${option.replaceAll('.', '.properties.')}`;
    const before = at(all, path);
    if (before === undefined || option.startsWith('thresholds')) return all;
    const isList = at(before, 'items') !== undefined;
    const limits = min === undefined ? {} : { minimum: min, ...(max !== undefined && { maximum: max }) };
    return words && !isList
      ? put(all, path, { enum: [...words, null] })
      : put(all, path, { ...(before as object), ...limits });
  }, properties);

interface Limits {
  readonly min?: number;
  readonly max?: number;
  readonly words?: readonly string[];
}

/** What a schema of the service's answers says to an editor; what a deployment may have otherwise is free. */
function wireSchema(schema: AnySchema | undefined): JsonObject {
  if (!schema) return {};
  const { type, entries, item, value, options, wrapped, pipe } = schemaParts(schema);
  if (wrapped) return wireSchema(wrapped);
  const { words = [] } = readNotes(schema);
  if (words.length > 0) return { type: ['string', 'null'], examples: words };
  if (pipe && pipe[0] !== schema) return wireSchema(pipe[0]);
  if (item) return { type: ['array', 'null'], items: wireSchema(item) };
  if (entries)
    return {
      type: ['object', 'null'],
      properties: Object.fromEntries(Object.entries(entries).map(([name, inner]) => [name, wireSchema(inner)])),
    };
  if (value) return { type: ['object', 'null'], additionalProperties: wireSchema(value) };
  if (type === 'union') return isNumber(options) ? { type: ['number', 'null'] } : {};
  return ['string', 'number', 'boolean'].includes(type) ? { type: [type, 'null'] } : {};
}

/** A number that may arrive as a text; ids, which may be texts, are free. */
const isNumber = (options: readonly unknown[] = []): boolean =>
  options.some((one) => schemaParts(one as AnySchema).type === 'number') &&
  options.some((one) => schemaParts(one as AnySchema).pipe !== undefined);

/** A file of an object, or what one would say. */
export interface ObjectFile {
  /** Its name without folder and ending. */
  readonly stem: string;
  /** Of the object as it was exported; undefined in a file that a person wrote for a new one. */
  readonly id: string | undefined;
  readonly isBuiltIn: boolean;
  readonly content: JsonObject;
}

/** The files of a kind, and the order of their objects by the stems, where there is one. */
export interface KindFiles {
  readonly kind: FileKind;
  readonly files: readonly ObjectFile[];
  readonly order?: readonly string[];
}

const orderStem = '_order';
const mostBytes = 1024 * 1024;

/** Members that files have beside the content. */
const own = { id: 'id', isBuiltIn: 'built_in', schema: '$schema' } as const;

const schemas = '_schemas';

export const organizationFile = '_organization.json';

/** The organization whose files these are, by its id or address: the ids in them mean nothing in another one. Undefined: no file tells it. */
export async function organizationOfFiles(directory: string): Promise<string | undefined> {
  const text = await readTextFile(join(directory, organizationFile), mostBytes);
  const id = at(text.ok ? parsedJson(text.value) : undefined, 'id');
  return typeof id === 'string' ? id : undefined;
}

/** The stems of objects: their names in small letters, with the id where two would be the same; no two are. */
function stems(objects: readonly StoredObject[]): readonly string[] {
  const plain = objects.map(({ name, id }) => slug(name) || slug(id));
  const taken = new Set(plain);
  return plain.map((stem, at) => {
    if (plain.indexOf(stem) === plain.lastIndexOf(stem)) return stem;
    let longer = `${stem}-${slug(objects[at]?.id ?? '')}`;
    while (taken.has(longer)) longer += '-2';
    taken.add(longer);
    return longer;
  });
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+/, '')
    .slice(0, 80)
    .replace(/-+$/, '');

/** The files that the objects of a kind make. */
export function filesOf({ kind, objects }: StoredKind): KindFiles {
  const names = stems(objects);
  const files = objects.map(({ id, isBuiltIn, content }, at) => ({ stem: names[at] ?? id, id, isBuiltIn, content }));
  return { kind, files, ...(kind.order && { order: names }) };
}

/** The text of a file: members by name, so that a change of the organization is a change of few lines. */
const textOf = (value: unknown): string => `${stringifyExact(sortedMembers(value), 2)}\n`;

/**
 * Writes the files of a kind and whose they are, and removes those of objects that are gone: only files with the
 * id of an object. Gives back how many were written and removed.
 */
export async function writeKind(
  directory: string,
  organization: string,
  { kind, files, order }: KindFiles,
): Promise<ParseResult<{ readonly written: number; readonly removed: number }>> {
  const folder = join(directory, kind.id);
  const before = await readKindFiles(directory, kind);
  if (!before.ok) return before;
  const gone = before.value.files.filter(
    ({ id, stem }) => id !== undefined && !files.some((file) => file.stem === stem),
  );
  try {
    await mkdir(folder, { recursive: true });
    await mkdir(join(directory, schemas), { recursive: true });
    await writeFile(join(directory, organizationFile), textOf({ id: organization }));
    await writeFile(join(directory, schemas, `${kind.id}.json`), textOf(objectSchema(kind)));
    for (const { stem, id, isBuiltIn, content } of files) {
      const about = {
        [own.schema]: `../${schemas}/${kind.id}.json`,
        [own.id]: id,
        ...(isBuiltIn && { [own.isBuiltIn]: true }),
      };
      await writeFile(join(folder, `${stem}.json`), textOf({ ...about, ...content }));
    }
    if (order) await writeFile(join(folder, `${orderStem}.json`), textOf(order));
    for (const { stem } of gone) await rm(join(folder, `${stem}.json`));
  } catch (error) {
    const { path = folder } = error as NodeJS.ErrnoException;
    return unreadable(`${path}: cannot be written (${errorCode(error)})`);
  }
  return { ok: true, value: { written: files.length, removed: gone.length } };
}

/** What stands in a directory; nothing where there is none. */
export const foldersIn = (directory: string): Promise<readonly string[]> => readdir(directory).catch(() => []);

/** The files of a kind, none where there is no folder of it; without ids those of another organization. One that cannot be read is a sentence. */
export async function readKindFiles(
  directory: string,
  kind: FileKind,
  isStrange = false,
): Promise<ParseResult<KindFiles>> {
  const folder = join(directory, kind.id);
  const names = await readdir(folder).catch((error: unknown) => error as Error);
  if (names instanceof Error)
    return errorCode(names) === 'ENOENT'
      ? { ok: true, value: { kind, files: [] } }
      : unreadable(readErrorText(names, folder));
  const files: ObjectFile[] = [];
  const state: { order?: readonly string[] } = {};
  for (const name of names.filter((one) => one.endsWith('.json')).toSorted()) {
    const path = join(folder, name);
    const text = await readTextFile(path, mostBytes);
    if (!text.ok) return text;
    const stem = name.slice(0, -'.json'.length);
    const value = parsedJson(text.value);
    if (stem === orderStem && Array.isArray(value) && value.every((one) => typeof one === 'string'))
      state.order = value;
    else if (stem !== orderStem && isObject(value)) files.push(fileIn(kind, stem, value, isStrange));
    else return unreadable(`${path}: ${stem === orderStem ? 'not a list of names of files' : 'not a JSON object'}`);
  }
  return { ok: true, value: { kind, files, ...state } };
}

function fileIn(kind: FileKind, stem: string, value: JsonObject, isStrange: boolean): ObjectFile {
  const { [own.id]: id, [own.isBuiltIn]: isBuiltIn, [own.schema]: _, ...content } = value;
  return {
    stem,
    id: typeof id === 'string' && !isStrange ? id : undefined,
    isBuiltIn: isBuiltIn === true,
    content: mapIds(kind, content, (_, word) => word),
  };
}
