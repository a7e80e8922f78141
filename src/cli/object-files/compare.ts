import type { SettingTable } from '../../describe/setting.ts';
import { type ParseResult, unreadable } from '../../lib/function-results.ts';
import { stringifyExact } from '../../lib/json.ts';
import { firstThree, pluralNoun } from '../../lib/text.ts';
import { changedParts, changedWords } from '../../lib/text-matches.ts';
import { isObject, isSameJson, type JsonObject, sortedList } from '../../lib/values.ts';
import type { KindFiles, ObjectFile } from './directory.ts';
import type { FileKind } from './file-kinds.ts';
import type { StoredKind, StoredObject } from './organization-objects.ts';

/** What is said of a difference. */
type Lines = readonly [string, ...string[]];

/** What must change for the organization to be as the files of a kind say. */
export interface KindChanges {
  readonly kind: FileKind;
  readonly creates: readonly ObjectFile[];
  readonly edits: readonly {
    readonly file: ObjectFile;
    readonly object: StoredObject;
    readonly differences: readonly Lines[];
  }[];
  /** Objects without a file. */
  readonly deletes: readonly StoredObject[];
  /** What of the files is left out, and why. */
  readonly notes: readonly string[];
  /** The files in their wanted order, where it is another one. */
  readonly order?: readonly string[];
  /** The object that each file is about, by stem. */
  readonly idOf: ReadonlyMap<string, string>;
}

/**
 * Compares the files of a kind with its objects. A file is about the object with its id, else about the only one with its
 * name, so that the files of one organization fit another.
 */
export function compareKind(given: KindFiles, { objects }: StoredKind): ParseResult<KindChanges> {
  const { kind, order } = given;
  const strange = given.files.flatMap(({ stem, content }) =>
    strangeMember(kind, content).map((path) => `${kind.id}/${stem}: ${path} is not a setting`),
  );
  const alike = [...Map.groupBy(given.files, ({ id }) => id)].flatMap(([id, same]) =>
    id === undefined || same.length === 1
      ? []
      : [`${kind.id}: ${same.map(({ stem }) => stem).join(' and ')} have one id: the file of a new object has none`],
  );
  const wrong = [...strange, ...alike];
  if (wrong.length > 0) return unreadable(firstThree(wrong));
  // What says the value that is there without it says nothing.
  const files = given.files.map((file) => ({ ...file, content: kind.content(file.content) }));
  const left = new Map(objects.map((object) => [object.id, object]));
  const found = new Map<string, StoredObject>();
  const take = (file: ObjectFile, object: StoredObject) => {
    found.set(file.stem, object);
    left.delete(object.id);
  };
  for (const file of files) {
    const object = file.id === undefined ? undefined : left.get(file.id);
    if (object) take(file, object);
  }
  for (const file of files.filter(({ stem }) => !found.has(stem))) {
    const named = [...left.values()].filter(({ content }) => kind.nameIn(content) === kind.nameIn(file.content));
    const [object, ...others] = named;
    // Of equal ones any will do.
    if (object && others.some(({ content }) => !isSameJson(content, object.content)))
      return unreadable(
        `${kind.id}/${file.stem}: ${named.length} ${kind.id} have its name, and it has no id that counts here`,
      );
    if (object) take(file, object);
  }
  const edits = files.flatMap((file) => {
    const object = found.get(file.stem);
    const differences = object ? differencesOf(kind, object.content, wantedOf(kind, object.content, file.content)) : [];
    return object && differences.length > 0 ? [{ file, object, differences }] : [];
  });
  const missing = files.filter(({ stem }) => !found.has(stem));
  const creates = missing.filter(({ isBuiltIn, content }) => !isBuiltIn && kind.byHand?.(content) === undefined);
  const stemOf = new Map([...found].map(([stem, { id }]) => [id, stem]));
  const now = [...objects.flatMap(({ id }) => stemOf.get(id) ?? []), ...creates.map(({ stem }) => stem)];
  const kept = order?.filter((stem) => found.has(stem) || creates.some((file) => file.stem === stem));
  const wanted = kept && [...kept, ...now.filter((stem) => !kept.includes(stem))];
  return {
    ok: true,
    value: {
      ...{ kind, creates, edits, notes: notesOn({ kind, files, ...(order && { order }) }, missing) },
      deletes: [...left.values()].filter(({ isBuiltIn }) => !isBuiltIn),
      ...(wanted && kind.order && !isSameJson(now, wanted) && { order: wanted }),
      idOf: new Map([...found].map(([stem, { id }]) => [stem, id])),
    },
  };
}

/** What a file wants: what belongs to an object besides stays where the file does not have it. */
export const wantedOf = ({ extra }: FileKind, now: JsonObject, wanted: JsonObject): JsonObject =>
  extra && wanted[extra.path] == null ? { ...wanted, [extra.path]: now[extra.path] } : wanted;

/** Paths in a file that no form has; what is empty asks for nothing. */
const strangeMember = (kind: FileKind, content: JsonObject): readonly string[] =>
  leaves(kind.content(content), content).flatMap(([path]) => {
    const isSetting = Object.values((kind.edit.settings ?? {}) as SettingTable<unknown>).some(
      (setting) => setting.path === path && !setting.writeOnly,
    );
    return isSetting ? [] : [path];
  });

function notesOn({ kind, files, order = [] }: KindFiles, missing: readonly ObjectFile[]): readonly string[] {
  const stray = order.filter((stem) => !files.some((file) => file.stem === stem));
  return [
    ...missing
      .filter(({ isBuiltIn }) => isBuiltIn)
      .map(({ stem }) => `${kind.id}/${stem}: left out: it is built in, and this organization has none`),
    ...missing.flatMap(({ stem, content, isBuiltIn }) => {
      const why = isBuiltIn ? undefined : kind.byHand?.(content);
      return why === undefined ? [] : [`${kind.id}/${stem}: left out: ${why}`];
    }),
    ...(stray.length > 0 ? [`${kind.id}/_order: left out, without a file: ${firstThree(stray)}`] : []),
  ];
}

/** What differs, as a person says it: a line for each member, of a long text more. */
export function differencesOf(
  { edit }: Pick<FileKind, 'edit'>,
  before: JsonObject,
  after: JsonObject,
): readonly Lines[] {
  const table = Object.values((edit.settings ?? {}) as SettingTable<unknown>);
  const isSet = (path: string) => table.some((setting) => setting.path === path && setting.isSet);
  const label = (path: string) => table.find((setting) => setting.path === path)?.label ?? path;
  return leaves(before, after).flatMap(([path, from, to]) => {
    if (isSet(path) && isSameJson(sortedList(from), sortedList(to))) return [];
    if (typeof from === 'string' && typeof to === 'string' && `${from}${to}`.includes('\n'))
      return [[`${label(path)}:`, ...textChange(from, to)]];
    return [[`${label(path)}: ${changeText(from, to)}`]];
  });
}

type Leaf = readonly [path: string, from: unknown, to: unknown];

/** The members that differ, objects taken apart. */
function leaves(before: unknown, after: unknown, path = ''): readonly Leaf[] {
  // An empty list says what none says.
  if (isSameJson(before ?? [], after ?? [])) return [];
  if (!isObject(before ?? {}) || !isObject(after ?? {}) || (before == null && after == null))
    return [[path, before, after]];
  const [one, other] = [(before ?? {}) as JsonObject, (after ?? {}) as JsonObject];
  return Object.keys({ ...one, ...other })
    .toSorted()
    .flatMap((name) => leaves(one[name], other[name], path === '' ? name : `${path}.${name}`));
}

function changeText(from: unknown, to: unknown): string {
  const texts = (list: unknown) =>
    Array.isArray(list) && !list.some(isObject) ? list.map((one) => stringifyExact(one)) : undefined;
  const [before, after] = [texts(from ?? []), texts(to ?? [])];
  if (before && after) {
    const parts = [
      ...after.filter((one) => !before.includes(one)).map((one) => `+${one}`),
      ...before.filter((one) => !after.includes(one)).map((one) => `-${one}`),
    ];
    return parts.length > 0 ? parts.join(', ') : `in the order ${after.join(', ')}`;
  }
  if (from === undefined) return stringifyExact(to);
  const words = changedWords(stringifyExact(from), stringifyExact(to));
  return `${words.before} → ${words.after || 'not set'}`;
}

/** The lines of a text that differ, with some around them. */
const textChange = (from: string, to: string): string[] =>
  changedParts(from, to).flatMap(({ sign, text }) => text.split('\n').map((line) => `  ${sign} ${line}`.trimEnd()));

/** The lines that say what differs. */
export function changeLines({ kind, creates, edits, deletes, order }: KindChanges): readonly string[] {
  return [
    ...creates.map(({ stem }) => `+ ${kind.id}/${stem}: not in the organization`),
    ...edits.flatMap(({ file, differences }) =>
      differences.flatMap(([first, ...rest]) => [`~ ${kind.id}/${file.stem}: ${first}`, ...rest]),
    ),
    ...deletes.map(({ id, name }) => `- ${kind.id} ${name} (${id}): without a file`),
    ...(order ? [`~ ${kind.id}/_order: ${order.join(', ')}`] : []),
  ];
}

/** `2 creates, 1 edit`; empty where nothing differs. */
export function countText(changes: readonly KindChanges[]): string {
  const sum = (count: (one: KindChanges) => number) => changes.reduce((all, one) => all + count(one), 0);
  const counts: readonly (readonly [number, string])[] = [
    [sum(({ creates }) => creates.length), 'create'],
    [sum(({ edits }) => edits.length), 'edit'],
    [sum(({ deletes }) => deletes.length), 'delete'],
    [sum(({ order }) => (order ? 1 : 0)), 'new order'],
  ];
  return counts.flatMap(([count, noun]) => (count === 0 ? [] : [`${count} ${pluralNoun(count, noun)}`])).join(', ');
}
