import { addReader, listReaders, removeReader } from '../../src/api/archives.ts';
import { ask, type Call, call, mayNotRead, type Plan } from '../../src/api/endpoint.ts';
import { isWholeItem } from '../../src/api/paging.ts';
import { problemResult, type Result, toResult } from '../../src/api/problem.ts';
import { listRoles } from '../../src/api/roles.ts';
import { action } from '../../src/describe/action.ts';
import type { Rows, Source } from '../../src/describe/context.ts';
import { type Pick, type Picker, rolePicks } from '../../src/describe/picks.ts';
import { ignored, namePart, receipt, receiptSubject } from '../../src/describe/receipt.ts';
import { missingNotes } from '../../src/describe/resource-spec.ts';
import { plural } from '../../src/lib/text.ts';
import { selectedDetailRow } from '../roles/kind.ts';
import { type ArchiveRow, archiveKind } from './kind.ts';

const { nameOf } = archiveKind;

/** A role that may rehydrate from an archive. */
export interface ArchiveReader {
  readonly id: string;
  readonly name: string;
}

/** The roles that may rehydrate from it; an empty list restricts no user. */
export function* readersOf(id: string): Plan<Result<readonly ArchiveReader[]>> {
  const answer = yield* ask(call(listReaders, { archive_id: id }));
  if (!answer.ok) return answer;
  const roles = answer.value?.data ?? [];
  // Without one of them an archive would look open to everyone, and be so where it is created again.
  const lost =
    answer.unread.find(isWholeItem) ?? (roles.some(({ id }) => id == null) ? 'a role without an ID' : undefined);
  if (lost !== undefined) return problemResult('unreadable', lost);
  const readers = roles.map(({ id, attributes }): ArchiveReader => {
    const name = attributes?.name?.trim() ? attributes.name : `role ${String(id).slice(0, 8)}`;
    return { id: String(id), name };
  });
  return { ...answer, value: readers };
}

/** The readers of an archive, or a note on why they could not be read. */
export interface Readers {
  readonly readers: readonly ArchiveReader[];
  readonly notes: readonly string[];
}

/** The readers for the detail; a failed read becomes a note. */
export function* readersTold({ id }: ArchiveRow): Plan<Result<Readers>> {
  const read = yield* readersOf(id);
  return toResult({ readers: read.ok ? read.value : [], notes: missingNotes('readers', read) });
}

interface RoleValues {
  readonly role: string;
  readonly name: string;
}

const readerBody = (role: string) => ({ data: { type: 'roles' as const, id: role } });
/** The request that adds a role to the readers. */
export const adding = (row: ArchiveRow, role: string) =>
  call(addReader, { archive_id: row.id, body: readerBody(role) });
const removing = (row: ArchiveRow, role: string) => call(removeReader, { archive_id: row.id, body: readerBody(role) });

/** The readers before and after an edit; undefined where they could not be read. */
interface Changed {
  readonly before: readonly ArchiveReader[] | undefined;
  readonly now: readonly ArchiveReader[] | undefined;
}

/** Sends the edit, which answers 204, between two reads; nothing where the role is already what it `wants`, a reader or none. */
function* changing(archive: string, role: string, write: Call, wants: boolean): Plan<Result<Changed>> {
  const before = yield* readersOf(archive);
  if (!before.ok && !mayNotRead(before.problem) && before.problem.kind !== 'unreadable') return before;
  const readers = valueIn(before);
  if (isReader(readers, role) === wants) return toResult({ before: readers, now: readers });
  const sent = yield* ask(write);
  if (!sent.ok) return sent;
  const now = yield* readersOf(archive);
  return { ...sent, value: { before: readers, now: valueIn(now) } };
}

const valueIn = <T>(read: Result<T>): T | undefined => (read.ok ? read.value : undefined);

/** How many readers there are after an edit, for the receipt. */
function restricted(readers: readonly ArchiveReader[] | undefined): string {
  if (readers === undefined) return '';
  return readers.length === 0 ? '; open to everyone now' : `; ${plural(readers.length, 'reader')}`;
}

const isReader = (readers: readonly ArchiveReader[] | undefined, role: string): boolean | undefined =>
  readers?.some((reader) => reader.id === role);

/** `a`: adds a role that may rehydrate from the archive. */
export const addReaderAction = action({
  id: 'archives.add-reader',
  key: 'a',
  title: 'add reader',
  preposition: 'to',
  line: { asks: 'pick', noun: 'role' },
  help: 'Add a role that may rehydrate from the archive; without one, everyone may',
  uses: [addReader, removeReader, listReaders, listRoles],
  pick: (rows: readonly ArchiveRow[]): Picker<RoleValues> => ({
    title: `Add reader to ${receiptSubject(rows, nameOf, 'archive')}`,
    first: [],
    things: true,
    load: rolePicks,
    values: (pick) => ({ role: pick.id, name: pick.label }),
  }),
  send: (row, values) => changing(row.id, values.role, adding(row, values.role), true),
  done(row, { role, name }, { before, now }) {
    if (isReader(now, role) === false)
      return ignored(receipt`NOT ADDED: ${name} is still not a reader of ${namePart(nameOf(row))}`);
    return isReader(before, role)
      ? receipt`${name} was already a reader of ${namePart(nameOf(row))}${restricted(now)}`
      : receipt`Added reader ${name} to ${namePart(nameOf(row))}${restricted(now)}`;
  },
  undo: (row, { role }, { before }) => (isReader(before, role) === false ? [removing(row, role)] : []),
  command: (row, values) => adding(row, values.role),
});

/** The readers of an archive, of which one is removed. */
const readerPicks = (row: ArchiveRow | undefined): Source<Pick> => ({
  key: `readers of ${row?.id ?? ''} to remove`,
  of: ['roles'],
  whole: true,
  *plan(): Plan<Result<Rows<Pick>>> {
    const read = yield* readersOf(row?.id ?? '');
    return read.ok ? { ...read, value: { rows: read.value.map(({ id, name }) => ({ id, label: name })) } } : read;
  },
});

/** `d` on a reader: removes the role under the cursor of the readers, or one chosen among them. */
export const removeReaderAction = action({
  id: 'archives.remove-reader',
  key: 'd',
  onLine: (context) => selectedDetailRow(context)?.name,
  title: 'remove reader',
  preposition: 'from',
  line: { asks: 'pick', noun: 'role', among: rolePicks },
  help: 'Remove a role from the readers; in the detail, the selected one. Without readers, everyone may rehydrate',
  brief: 'Remove roles from the readers; without readers, everyone may rehydrate',
  uses: [removeReader, addReader, listReaders],
  bulk: false,
  pick: ([row]: readonly ArchiveRow[]): Picker<RoleValues> => ({
    title: row ? `Remove reader from ${nameOf(row)}` : '',
    first: [],
    things: true,
    load: () => readerPicks(row),
    values: (pick) => ({ role: pick.id, name: pick.label }),
  }),
  values(_: readonly ArchiveRow[], context): RoleValues | undefined {
    const reader = selectedDetailRow(context);
    return reader && { role: reader.id, name: reader.name };
  },
  send: (row, values) => changing(row.id, values.role, removing(row, values.role), false),
  done(row, { role, name }, { before, now }) {
    if (isReader(now, role))
      return ignored(receipt`NOT REMOVED: ${name} is still a reader of ${namePart(nameOf(row))}`);
    return isReader(before, role) === false
      ? receipt`${name} was not a reader of ${namePart(nameOf(row))}${restricted(now)}`
      : receipt`Removed reader ${name} from ${namePart(nameOf(row))}${restricted(now)}`;
  },
  undo: (row, { role }, { before }) => (isReader(before, role) ? [adding(row, role)] : []),
  command: (row, values) => removing(row, values.role),
});
