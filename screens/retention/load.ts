import { call } from '../../src/api/endpoint.ts';
import { ask, notOffered, type Plan } from '../../src/api/plan.ts';
import { type Result, refusal } from '../../src/api/problem.ts';
import { getFilter, listFilters, type RetentionFilter } from '../../src/api/retention.ts';
import type { ListQuery, Rows, Single, Source } from '../../src/describe/screen.ts';
import { plural } from '../../src/lib/text.ts';
import { type FilterRow, filterRow } from './row.ts';

/** Every filter in execution order; one answer has them all. */
export function loadFilters(_: ListQuery): Source<FilterRow> {
  return {
    key: 'retention filters',
    of: ['apm_retention_filter'],
    *plan(): Plan<Result<Rows<FilterRow>>> {
      const answer = yield* ask(call(listFilters));
      if (!answer.ok) return answer;
      const found = inOrder(answer.value?.data ?? []);
      const rows = found.flatMap((it, at) => filterRow(it, at + 1, answer.unread) ?? []);
      const lost = found.length - rows.length;
      const notes = [
        ...(lost > 0 ? [`${plural(lost, 'filter')} without an id left out`] : []),
        ...(answer.unread.length > 0 ? [`not read: ${answer.unread.slice(0, 2).join('; ')}`] : []),
      ];
      return { ...answer, value: { rows, notes } };
    },
  };
}

/** As the service numbers them; where it does not, as it lists them. */
export function inOrder(all: readonly RetentionFilter[]): readonly RetentionFilter[] {
  const number = (it: RetentionFilter) => it.attributes?.execution_order;
  if (all.some((it) => number(it) == null)) return all;
  return all.toSorted((one, other) => Number(number(one)) - Number(number(other)));
}

/** One filter as it is now, which is what a replacement has to start from. Without the operation, as it was listed. */
export function* fresh(row: FilterRow): Plan<Result<FilterRow>> {
  const answer = yield* ask(call(getFilter, { filter_id: row.id }));
  if (!answer.ok && notOffered(answer.problem)) return { ok: true, value: row, status: 200, unread: [] };
  if (!answer.ok) return answer;
  const now = filterRow(answer.value?.data, row.place, answer.unread);
  if (now) return { ...answer, value: now };
  return refusal('unreadable', `the service answered something else than filter ${row.id}`);
}

/** The read behind a detail. */
export function wholeFilter(row: FilterRow): Single<FilterRow> {
  return { key: `retention filter ${row.id}`, of: ['apm_retention_filter'], plan: () => fresh(row) };
}
