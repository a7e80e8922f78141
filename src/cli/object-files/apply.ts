import { problemResult } from '../../api/problem.ts';
import type { AnySendingAction } from '../../describe/action.ts';
import type { Context } from '../../describe/context.ts';
import { initialQuery } from '../../describe/screen.ts';
import { at, isSameJson, type JsonObject, present } from '../../lib/values.ts';
import { type Pending, withContext } from '../../session/send/pending-edit.ts';
import { type ReceiptValue, receiptValue } from '../actions/receipts.ts';
import { performAll } from '../actions/run-action.ts';
import { type KindChanges, wantedOf } from './compare.ts';
import type { ObjectFile } from './directory.ts';
import type { FileKind } from './file-kinds.ts';
import {
  mapIds,
  type Names,
  patiently,
  type Reading,
  readNames,
  readWhole,
  type StoredObject,
} from './organization-objects.ts';

/** The files that are created or edited from, each with its kind. */
const filesToSend = (changes: readonly KindChanges[]) =>
  changes.flatMap(({ kind, creates, edits: changed }) =>
    [...creates, ...changed.map(({ file }) => file)].map(({ stem, content }) => ({ kind, stem, content })),
  );

/** The words in the places of ids that are those of nothing in the organization, each with what it should name. */
const unknownWords = ({ ids }: FileKind, content: JsonObject, names: Names) =>
  Object.entries(ids).flatMap(([path, named]) =>
    [at(content, path) ?? []]
      .flat()
      .flatMap((word) => (names.toId(named, String(word)) === undefined ? [{ named, word: String(word) }] : [])),
  );

/** The names in files that nothing has, neither in the organization nor among what is created before. */
export function unknownNames(changes: readonly KindChanges[], names: Names): readonly string[] {
  const files = filesToSend(changes);
  const coming = files.map(({ kind, content }) => `${kind.id} name:${kind.nameIn(content)}`);
  return files.flatMap(({ kind, stem, content }) =>
    unknownWords(kind, content, names)
      .filter(({ named, word }) => !coming.includes(`${named} ${word}`))
      .map(({ named, word }) => `${kind.id}/${stem}: no object, or more than one, is ${word} of ${named}`),
  );
}

/** Why a file cannot be sent yet: something that it names was to be created before, and was not. */
function whyNotYet(kind: FileKind, { content }: ObjectFile, names: Names): string | undefined {
  const lost = unknownWords(kind, content, names).map(({ word }) => word);
  return lost.length > 0 ? `${lost.join(', ')} is not there yet` : undefined;
}

/** What of the files the service is sure to refuse. */
export const faultsIn = (changes: readonly KindChanges[]): readonly string[] =>
  filesToSend(changes).flatMap(({ kind, stem, content }) =>
    (kind.faults?.(content) ?? []).map((text) => `${kind.id}/${stem}: ${text}`),
  );

/** What of the files no edit can change. */
export const fixedIn = (changes: readonly KindChanges[]): readonly string[] =>
  changes.flatMap(({ kind, edits: changed }) =>
    changed.flatMap(({ file, object }) =>
      (kind.fixed ?? [])
        .filter((path) => !isSameJson(at(file.content, path), at(object.content, path)))
        .map((path) => `${kind.id}/${file.stem}: ${path} cannot be changed`),
    ),
  );

/** What a person is asked about edits and deletes besides. */
export function warningsOf(changes: readonly KindChanges[], names: Names, context: Context): readonly string[] {
  return changes.flatMap((one) =>
    edits(one, names).flatMap((pending) => {
      const confirm = pending.action.confirm?.(pending.rows, pending.values, withContext(context, pending));
      return confirm ? [confirm.question, ...(confirm.details ?? []).map((detail) => `  ${detail}`)] : [];
    }),
  );
}

/** What edits are sent with; aborted, none is begun any more. */
type Applying = Required<Reading>;

/**
 * Sends what makes the organization as the files say, kind by kind: creates, edits, the order; then deletes, the kinds that
 * name others first. An edit that fails stops no other.
 */
export async function applyChanges(work: Applying, changes: readonly KindChanges[]): Promise<readonly ReceiptValue[]> {
  const receipts: ReceiptValue[] = [];
  for (const changed of changes) {
    // What was created before has a name now.
    const names = await readNames(work, [changed.kind]);
    if (!names.ok) {
      const { kind, creates, edits: all, order } = changed;
      const named = creates.map(({ content }) => ({ name: kind.nameIn(content) }));
      const left = [...named, ...all.map(({ object }) => object), ...(order ? [{ name: kind.list.title }] : [])];
      receipts.push(...left.map((one) => unsent(work, kind, one, names.text)));
      continue;
    }
    const idOf = new Map(changed.idOf);
    for (const file of changed.creates) receipts.push(...(await createOne(work, changed, file, names.value, idOf)));
    const fresh = await readFresh(work, changed, names.value);
    receipts.push(...fresh.refused);
    for (const pending of edits({ ...changed, edits: fresh.edits }, names.value))
      receipts.push(...(await send(work, pending)).receipts);
    if (changed.order) receipts.push(...(await orderAll(work, changed, idOf)));
  }
  for (const changed of changes.toReversed())
    for (const object of changed.deletes) receipts.push(...(await deleteOne(work, changed, object)));
  return receipts;
}

/** The objects to edit, each as the form of its edit would be opened with it. */
async function readFresh(work: Applying, { kind, edits: all }: KindChanges, names: Names) {
  const fresh: KindChanges['edits'][number][] = [];
  const refused: ReceiptValue[] = [];
  for (const { file, object, differences } of all) {
    const why = whyNotYet(kind, file, names);
    const read = why === undefined ? await readWhole(work, kind, object.row) : problemResult('notFound', why);
    if (read.ok) fresh.push({ file, differences, object: { ...object, whole: read.value } });
    else refused.push(unsent(work, kind, object, read.problem.text));
  }
  return { edits: fresh, refused };
}

/** The edits of a kind, each of the object as it was read. */
const edits = ({ kind, edits: all }: KindChanges, names: Names): readonly Pending[] =>
  all.flatMap(({ file, object: { row, whole: stored } }) => {
    const now = kind.content(stored.attributes as JsonObject);
    const wanted = wantedOf(kind, now, withIds(kind, file, names));
    // What it names may have been renamed before.
    if (isSameJson(wanted, now)) return [];
    const values = kind.values(wanted, stored);
    const base = { action: kind.edit, list: kind.list, rows: [row] };
    const edit = { ...base, ...(kind.edit.needs && { known: stored }), values };
    return [...(Object.keys(values).length > 0 ? [edit] : []), ...extras(kind, row, wanted, now, names)];
  });

/** The members to add and to remove, each an edit of its own: added first, because without any nobody is shut out. */
function extras(
  { extra, list, ids }: FileKind,
  row: unknown,
  wanted: JsonObject,
  now: JsonObject,
  names: Names,
): readonly Pending[] {
  if (!extra) return [];
  const { path, add, remove } = extra;
  const [before, after] = [now, wanted].map((content) => [at(content, path) ?? []].flat().map(String));
  const named = ids[path];
  const each = (action: AnySendingAction, some: readonly string[] = [], others: readonly string[] = []) =>
    some
      .filter((id) => !others.includes(id))
      .map((id) => {
        const name = named === undefined ? id : names.toName(named, id).replace(/^name:/, '');
        return { action, list, rows: [row], values: extra.values(id, name), pickedAs: name };
      });
  return [...each(add, after, before), ...each(remove, before, after)];
}

const withIds = (kind: FileKind, { content }: ObjectFile, names: Names) =>
  mapIds(kind, content, (named, word) => names.toId(named, word) ?? word);

async function createOne(
  work: Applying,
  { kind }: KindChanges,
  file: ObjectFile,
  names: Names,
  idOf: Map<string, string>,
): Promise<readonly ReceiptValue[]> {
  const { create: action, list } = kind;
  const name = kind.nameIn(file.content);
  const why = whyNotYet(kind, file, names);
  if (why !== undefined) return [unsent(work, kind, { name }, why)];
  const values = kind.values(withIds(kind, file, names));
  const { receipts, madeId } = await send(work, {
    action,
    list,
    rows: [undefined],
    values,
    ...present({ picked: kind.picked }),
  });
  if (madeId !== undefined) idOf.set(file.stem, madeId);
  const made = { id: madeId ?? '', place: 0, attributes: file.content, unread: [] };
  const wanted = withIds(kind, file, names);
  const more = madeId === undefined ? [] : extras(kind, made, wanted, {}, names);
  for (const pending of more) receipts.push(...(await send(work, pending)).receipts);
  return receipts;
}

/** Puts what has a file in its order, into the places that these have now; what has none stays where it is. */
async function orderAll(work: Applying, { kind, order = [] }: KindChanges, idOf: ReadonlyMap<string, string>) {
  const { list, order: action } = kind;
  const read = await patiently(work, list.load(initialQuery(list), work.context).plan);
  if (!read.ok || !action) return [unsent(work, kind, { name: list.title }, read.ok ? '' : read.problem.text)];
  const { rows } = read.value;
  const before = rows.map(list.idOf);
  const wanted = order.flatMap((stem) => idOf.get(stem) ?? []).filter((id) => before.includes(id));
  const next = wanted.values();
  const after = before.map((id) => (wanted.includes(id) ? String(next.next().value) : id));
  const names = Object.fromEntries(rows.map((row) => [list.idOf(row), list.nameOf(row)]));
  return (await send(work, { action, list, rows: [undefined], values: { before, after, names } })).receipts;
}

async function deleteOne(work: Applying, { kind: { remove: action, list } }: KindChanges, { row }: StoredObject) {
  return (await send(work, { action, list, rows: [row], values: {} })).receipts;
}

async function send({ io, connection, context, stop }: Applying, pending: Pending) {
  const done = await performAll(io, connection, [pending], context, () => stop.aborted);
  const verb = { list: pending.list, action: pending.action };
  const outcomes = done.flatMap((performed) => performed.outcomes);
  return {
    receipts: outcomes.map((outcome) => receiptValue(verb, outcome, context)),
    madeId: outcomes[0]?.result.made?.id,
  };
}

function unsent(
  { context, stop }: Applying,
  { list, edit: action }: FileKind,
  { id = '', name }: { readonly id?: string; readonly name: string },
  why: string,
): ReceiptValue {
  const text = `${name}: not sent: ${why}`;
  const result = { id, name, row: undefined, ok: false, text, ...present({ isUnsent: stop.aborted || undefined }) };
  return receiptValue({ list, action }, { result }, context);
}
