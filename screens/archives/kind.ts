import { deleteArchive, getArchive, getOrder, listArchives } from '../../src/api/archives.ts';
import { call } from '../../src/api/endpoint.ts';
import { ask } from '../../src/api/plan.ts';
import { problemResult } from '../../src/api/problem.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';

/** Log archives. Their order is a resource of its own, which not everybody who may list archives may read. */
export const archiveKind = kind({
  noun: 'archive',
  of: ['archives', 'archive_order'],
  list: () => call(listArchives),
  get: (id) => call(getArchive, { archive_id: id }),
  remove: (id) => call(deleteArchive, { archive_id: id }),
  name: (row) => row.attributes.name,
  *order() {
    const answer = yield* ask(call(getOrder));
    if (!answer.ok) return answer;
    const ids = answer.value?.data?.attributes?.archive_ids;
    return ids == null
      ? problemResult('unreadable', 'the response has no order of archives')
      : { ...answer, value: ids };
  },
});

export type ArchiveRow = RowOf<typeof archiveKind>;
