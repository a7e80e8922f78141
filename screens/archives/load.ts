import { getArchive, getOrder, listArchives, listReaders } from '../../src/api/archives.ts';
import { call } from '../../src/api/endpoint.ts';
import { ask, notOffered, type Plan } from '../../src/api/plan.ts';
import { type Result, refusal } from '../../src/api/problem.ts';
import type { ListQuery, Rows, Single, Source } from '../../src/describe/screen.ts';
import { plural } from '../../src/lib/text.ts';
import type { Reader } from './reader.ts';
import { type ArchiveRow, archiveRow } from './row.ts';

/** Every archive in the order in which they are tried; who may not read the order sees the list's own. */
export function loadArchives(_: ListQuery): Source<ArchiveRow> {
  return {
    key: 'archives',
    of: ['archives', 'archive_order'],
    *plan(): Plan<Result<Rows<ArchiveRow>>> {
      const answer = yield* ask(call(listArchives));
      if (!answer.ok) return answer;
      const order = yield* orderNow();
      const found = (answer.value?.data ?? []).flatMap((it, at) => archiveRow(it, at + 1, answer.unread) ?? []);
      const lost = (answer.value?.data ?? []).length - found.length;
      const notes = [
        ...(order.ok ? [] : [`the order may not be read (${order.problem.text}): shown as listed`]),
        ...(lost > 0 ? [`${plural(lost, 'archive')} without an id left out`] : []),
        ...(answer.unread.length > 0 ? [`not read: ${answer.unread.slice(0, 2).join('; ')}`] : []),
      ];
      return {
        ...answer,
        value: { rows: order.ok ? placed(found, order.value) : found, notes, unread: answer.unread },
      };
    },
  };
}

/** The ids of the order as it is now. */
export function* orderNow(): Plan<Result<readonly string[]>> {
  const answer = yield* ask(call(getOrder));
  if (!answer.ok) return answer;
  const ids = answer.value?.data?.attributes?.archive_ids;
  return ids == null ? refusal('unreadable', 'the service answered no order of archives') : { ...answer, value: ids };
}

/** Rows by the order; those that it does not name come last, as the service appends new ones. */
export function placed(rows: readonly ArchiveRow[], order: readonly string[]): readonly ArchiveRow[] {
  const places = new Map(order.map((id, at) => [id, at + 1]));
  const last = order.length + 1;
  return rows
    .map((row) => ({ row, at: places.get(row.id) ?? last }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ row }, at) => ({ ...row, place: at + 1 }));
}

/** One archive as it is now, which is what a replacement has to start from. */
export function* fresh(row: ArchiveRow): Plan<Result<ArchiveRow>> {
  const answer = yield* ask(call(getArchive, { archive_id: row.id }));
  if (!answer.ok && notOffered(answer.problem)) return { ok: true, value: row, status: 200, unread: [] };
  if (!answer.ok) return answer;
  const now = archiveRow(answer.value?.data, row.place, answer.unread);
  return now
    ? { ...answer, value: now }
    : refusal('unreadable', `the service answered something else than archive ${row.id}`);
}

/** The whole of an archive: what it is now, and its readers or why they cannot be told. */
export interface Whole {
  readonly row: ArchiveRow;
  readonly readers: readonly Reader[];
  readonly notes: readonly string[];
}

/** The read behind a detail. Readers that may not be read are a note and no failure. */
export function wholeArchive(row: ArchiveRow): Single<Whole> {
  return {
    key: `archive ${row.id}`,
    of: ['archives', 'roles'],
    *plan(): Plan<Result<Whole>> {
      const now = yield* fresh(row);
      if (!now.ok) return now;
      const readers = yield* readersOf(row.id);
      return {
        ...now,
        value: {
          row: now.value,
          readers: readers.ok ? readers.value : [],
          notes: readers.ok ? [] : [`its readers could not be read: ${readers.problem.text}`],
        },
      };
    },
  };
}

/** The roles that may rehydrate from it; an empty list restricts nobody. */
export function* readersOf(id: string): Plan<Result<readonly Reader[]>> {
  const answer = yield* ask(call(listReaders, { archive_id: id }));
  if (!answer.ok) return answer;
  const readers = (answer.value?.data ?? []).flatMap((it): Reader[] => {
    if (it.id == null) return [];
    const id = String(it.id);
    return [{ id, name: it.attributes?.name?.trim() ? it.attributes.name : `role ${id.slice(0, 8)}` }];
  });
  return { ...answer, value: readers };
}
