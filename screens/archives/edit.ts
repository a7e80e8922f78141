import {
  addReader,
  createArchive,
  deleteArchive,
  getArchive,
  getOrder,
  listReaders,
  removeReader,
  replaceArchive,
  setOrder,
} from '../../src/api/archives.ts';
import { type AnswerOf, type Call, call } from '../../src/api/endpoint.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import { type Result, refusal } from '../../src/api/problem.ts';
import { listRoles } from '../../src/api/roles.ts';
import { action } from '../../src/describe/action.ts';
import { callCommand } from '../../src/describe/command.ts';
import { type NewOrder, orderQuestion, rebased } from '../../src/describe/order.ts';
import { rolePicks } from '../../src/describe/picks.ts';
import { plural } from '../../src/lib/text.ts';
import { orderNow, readersOf } from './load.ts';
import { type Reader, underOf } from './reader.ts';
import { type ArchiveRow, archiveRow, nameOf, targetOf } from './row.ts';
import { changing, createCall, editFields, newFields, replaceCall, restoreCall, withValues } from './write.ts';

type Answer = AnswerOf<typeof replaceArchive>;

/** The row that an answer tells; the place in the order is only told by the order. */
function told(row: ArchiveRow, answer: unknown): ArchiveRow {
  return archiveRow((answer as Answer | undefined)?.data, row.place) ?? row;
}

/** `e`: the whole configuration, as one replacement. */
export const editAction = action({
  id: 'archives.edit',
  key: 'e',
  main: true,
  title: 'edit',
  help: 'query, destination, encryption, tags, rehydration, as one replacement; the difference is shown before it is sent',
  uses: [getArchive, replaceArchive],
  bulk: false,
  reviews: true,
  form: (row: ArchiveRow) => editFields(row),
  send: (row, values) => changing(row, values),
  show: (row, values) => withValues(row, values),
  truth: (row, answer) => told(row, answer),
  done: (row, _, answer) =>
    `saved ${nameOf(told(row, answer))}; it is ${told(row, answer).attributes.state ?? 'UNKNOWN'} until the next write`,
  undo(before) {
    const back = restoreCall(before);
    return back ? [back] : [];
  },
  confirm: (rows) =>
    rows[0] && restoreCall(rows[0]) === undefined
      ? { question: 'save it? The service told no destination before, so this cannot be taken back.' }
      : undefined,
  command: (row, values) => callCommand(replaceCall(row.id, values, row.attributes)),
});

/** `n`: a new archive, last in the order. */
export const newAction = action({
  id: 'archives.create',
  key: 'n',
  on: 'list',
  title: 'new',
  help: 'a new archive, last in the order; its destination needs an integration of that provider',
  uses: [createArchive, deleteArchive],
  form: (_row: ArchiveRow) => newFields(),
  send: (_, values) => createCall(values),
  done(_, values, answer) {
    const it = archiveRow((answer as Answer | undefined)?.data, 0);
    return `created ${it ? nameOf(it) : values.name}, last in the order; a log goes to the first archive that matches`;
  },
  undo(_, __, answer) {
    const id = (answer as Answer | undefined)?.data?.id;
    return id == null ? [] : [call(deleteArchive, { archive_id: String(id) })];
  },
  command: (_, values) => callCommand(createCall(values)),
});

/** `d`: gone for good, with its readers and its place, so the name is typed. */
export const deleteAction = action<ArchiveRow>({
  id: 'archives.delete',
  key: 'd',
  title: 'delete',
  help: 'delete the archive; what it has written stays where it is',
  uses: [deleteArchive],
  confirm(rows) {
    const [row] = rows;
    const single = rows.length === 1 && row !== undefined;
    return {
      question: single ? `delete archive ${nameOf(row)}?` : `delete ${rows.length} archives?`,
      details: [
        ...(single
          ? [`it writes to ${targetOf(row) || 'a destination that is not told'}; what it has written stays there`]
          : []),
        'logs that only it took are no longer archived, and its readers are forgotten',
        'it cannot be brought back: a new one comes last in the order',
      ],
      destructive: true,
      typed: single ? typedName(row) : String(rows.length),
    };
  },
  send: (row) => call(deleteArchive, { archive_id: row.id }),
  removes: true,
  done: (row) => `deleted ${nameOf(row)}`,
  command: (row) => callCommand(call(deleteArchive, { archive_id: row.id })),
});

/** What has to be typed: the name where a keyboard has it, else the id. */
function typedName(row: ArchiveRow): string {
  const name = row.attributes.name ?? '';
  return name.trim() === name && /^[\x20-\x7e]{1,60}$/.test(name) ? name : row.id;
}

interface RoleValues {
  readonly role: string;
  readonly name: string;
}

const readerBody = (role: string) => ({ data: { type: 'roles' as const, id: role } });
const adding = (row: ArchiveRow, role: string) => call(addReader, { archive_id: row.id, body: readerBody(role) });
const removing = (row: ArchiveRow, role: string) => call(removeReader, { archive_id: row.id, body: readerBody(role) });

/** Neither write tells who may read now (204): the readers do. Undefined where they may not be read. */
function* readersAfter(write: Call, archive: string): Plan<Result<readonly Reader[] | undefined>> {
  const sent = yield* ask(write);
  if (!sent.ok) return sent;
  const now = yield* readersOf(archive);
  return { ok: true, value: now.ok ? now.value : undefined, status: sent.status, unread: [] };
}

/** Whom the readers restrict, after an edit. */
function restricted(answer: unknown): string {
  const readers = answer as readonly Reader[] | undefined;
  if (readers === undefined) return '';
  return readers.length === 0 ? '; nobody is restricted now' : `; ${plural(readers.length, 'reader')}`;
}

const isReader = (answer: unknown, role: string): boolean | undefined =>
  (answer as readonly Reader[] | undefined)?.some((it) => it.id === role);

/** `+`: one more role that may rehydrate from it. */
export const addReaderAction = action<ArchiveRow, RoleValues>({
  id: 'archives.add-reader',
  key: '+',
  title: 'add a reader',
  help: 'a role that may rehydrate from the archive; with none named, nobody is restricted',
  uses: [addReader, removeReader, listReaders, listRoles],
  pick: (rows) => ({
    title:
      rows.length === 1 && rows[0]
        ? `who may read ${nameOf(rows[0])}`
        : `who may read ${plural(rows.length, 'archive')}`,
    first: [],
    things: true,
    load: rolePicks,
    values: (pick) => ({ role: pick.id, name: pick.label }),
  }),
  send: (row, values) => readersAfter(adding(row, values.role), row.id),
  done: (row, { role, name }, answer) =>
    isReader(answer, role) === false
      ? `asked to let ${name} read ${nameOf(row)}, but it is not among the readers`
      : `${name} may now read ${nameOf(row)}${restricted(answer)}`,
  undo: (row, values) => [removing(row, values.role)],
  command: (row, values) => callCommand(adding(row, values.role)),
});

/** `-`: the role under the cursor of the readers no longer may. */
export const removeReaderAction = action<ArchiveRow, RoleValues>({
  id: 'archives.remove-reader',
  key: '-',
  title: 'remove the reader',
  help: 'in the readers of the detail: the role under the cursor may no longer rehydrate from it; the last one restricts nobody',
  uses: [removeReader, addReader, listReaders],
  bulk: false,
  enabled: (_, context) => underOf(context) !== undefined || 'open the archive and go to the role in its readers',
  values(_, context) {
    const reader = underOf(context);
    return reader && { role: reader.id, name: reader.name };
  },
  send: (row, values) => readersAfter(removing(row, values.role), row.id),
  done: (row, { role, name }, answer) =>
    isReader(answer, role)
      ? `asked to put ${name} out of ${nameOf(row)}, but it is still among the readers`
      : `${name} may no longer read ${nameOf(row)}${restricted(answer)}`,
  undo: (row, values) => [adding(row, values.role)],
  command: (row, values) => callCommand(removing(row, values.role)),
});

/** What was sent, and the order that was there before. */
interface Ordered {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const orderCall = (ids: readonly string[]) =>
  call(setOrder, { body: { data: { type: 'archive_order', attributes: { archive_ids: [...ids] } } } });

/** Reads the order as it is, carries the moves over to it, and names every archive; a list that has grown meanwhile is read once more. */
function* ordering(values: NewOrder): Plan<Result<Ordered>> {
  for (let attempt = 0; ; attempt += 1) {
    const now = yield* orderNow();
    if (!now.ok) return now;
    const next = rebased(values, now.value);
    if (next.kind === 'overtaken') {
      return refusal(
        'conflict',
        'not sent: somebody else has moved archives meanwhile; q drops your order, Ctrl-R shows theirs',
      );
    }
    if (next.kind === 'same') return { ...now, value: { before: now.value, after: now.value } };
    const sent = yield* ask(orderCall(next.ids));
    if (sent.ok) return { ...sent, value: { before: now.value, after: next.ids } };
    // 422: an archive was made between the read and this (contract/logs-archives.md 3).
    if (attempt > 0 || sent.problem.status !== 422) return sent;
  }
}

/** Ctrl-S after J and K: the whole order as one edit. */
export const orderAction = action<ArchiveRow, NewOrder>({
  id: 'archives.set-order',
  key: 'ctrl+s',
  on: 'list',
  title: 'save the order',
  help: 'send the order that J and K have made, every archive in it, as one edit',
  uses: [getOrder, setOrder],
  confirm: (_, values) => orderQuestion(values, ['a log goes to the first archive whose query matches']),
  send: (_, values) => ordering(values),
  done(_, __, answer) {
    const { before, after } = answer as Ordered;
    return after.every((id, at) => id === before[at])
      ? 'the order was like this already'
      : `order saved, ${plural(after.length, 'archive')}`;
  },
  undo(_, __, answer) {
    const { before, after } = answer as Ordered;
    return after.every((id, at) => id === before[at]) ? [] : [orderCall(before)];
  },
  command: (_, values) => callCommand(orderCall(values.after ?? [])),
});
