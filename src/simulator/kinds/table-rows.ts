import type { deleteRows, queryRows, upsertRows } from '../../api/tables.ts';
import { isUuid } from '../../lib/values.ts';
import type { Operations } from '../server/collection.ts';
import {
  type ApiRequest,
  type ApiResponse,
  type Handler,
  isResponse,
  ok,
  readSentBody,
  refused,
} from '../server/handler.ts';
import { asInt32, type Cells, type Table } from './table-store.ts';
import { findStoredTable, onTable } from './tables.ts';

const mostKeys = 250;
const mostListed = 10_000_000;
const keptSnapshots = 20;

const show = (id: string, values: Cells | undefined): unknown => ({ id, type: 'row', attributes: { values } });

/** Finds rows by exact key. No match is a 404 with `data`, which is not an error (docs/contract/reference-tables.md#rows). */
const read = onTable((table, { query }) => {
  const wanted = query.getAll('row_id');
  if (wanted.length === 0) return refused(400, 'row_id is required');
  if (wanted.length > mostKeys) return refused(400, `at most ${mostKeys} row_id values are allowed`);
  const found = wanted.filter((id) => table.rows.has(id));
  const meta = {
    requested_count: wanted.length,
    found_count: found.length,
    not_found: wanted.filter((id) => !table.rows.has(id)),
  };
  const data = found.map((id) => show(id, table.rows.get(id)));
  return { status: found.length === 0 ? 404 : 200, body: { data, meta } };
});

const list = onTable((table, request) => {
  if (table.rows.size + table.unstoredRows > mostListed)
    return refused(400, `tables with more than ${mostListed} rows cannot be listed`);
  const limit = Number(request.query.get('page[limit]') ?? 100);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    return refused(400, 'page[limit] must be between 1 and 1000');
  const place = readToken(request.query.get('page[continuation_token]'), table);
  if (!place) return refused(400, 'page[continuation_token] is invalid');
  const rows = table.snapshots.get(place.snapshot) ?? [];
  const page = rows.slice(place.at, place.at + limit);
  const next = place.at + limit < rows.length ? tokenOf(place.snapshot, place.at + limit) : undefined;
  const path = `/api/v2/reference-tables/tables/${table.id}/rows/list?page[limit]=${limit}`;
  const follow = (token: string): string => `${path}&page[continuation_token]=${token}`;
  const self = tokenOf(place.snapshot, place.at);
  return ok({
    data: page.map((values) => show(String(values[table.key]), values)),
    links: { self: follow(self), first: path, ...(next ? { next: follow(next) } : {}) },
  });
});

const tokenOf = (snapshot: string, place: number): string => Buffer.from(`${snapshot}.${place}`).toString('base64url');

/** The position in a continuation token; without a token a new snapshot of the rows. */
function readToken(token: string | null, table: Table): { snapshot: string; at: number } | undefined {
  if (token !== null && token !== '') {
    const [snapshot = '', place = ''] = Buffer.from(token, 'base64url').toString().split('.');
    return table.snapshots.has(snapshot) && /^\d+$/.test(place) ? { snapshot, at: Number(place) } : undefined;
  }
  const snapshot = String(Number([...table.snapshots.keys()].at(-1) ?? 0) + 1);
  table.snapshots.set(snapshot, [...table.rows.values()]);
  const [oldest] = table.snapshots.keys();
  if (table.snapshots.size > keptSnapshots && oldest !== undefined) table.snapshots.delete(oldest);
  return { snapshot, at: 0 };
}

/** A handler that writes into the table of the path, when that accepts writes. */
const writing = (write: (table: Table, request: ApiRequest) => ApiResponse | undefined): Handler =>
  onTable((table, request) => {
    if (table.loading !== null || !['DONE', 'DONE_WITH_ERRORS'].includes(table.status))
      return refused(412, 'the table is not in a state that accepts writes');
    const refusal = write(table, request);
    if (refusal) return refusal;
    Object.assign(table, { updater: request.caller.user.id, updated: request.now });
    return { status: 200 };
  });

const upsert = writing((table, request) => {
  const created: [string, Cells][] = [];
  for (const { id, attributes } of readSentBody<typeof upsertRows>(request).data) {
    const values = readValues(table, id, attributes.values);
    if (typeof values === 'string') return refused(400, values);
    created.push([id, values]);
  }
  for (const [id, values] of created) table.rows.set(id, values);
  return undefined;
});

/** The values of a replaced row; columns that were not sent become empty. */
function readValues(table: Table, id: string, sent: Cells): Cells | string {
  const unknown = Object.keys(sent).find((name) => !table.fields.some((field) => field.name === name));
  if (unknown !== undefined) return `column '${unknown}' does not exist`;
  if (String(sent[table.key] ?? '') !== id) return `id '${id}' is not the value of the primary key '${table.key}'`;
  const values: Record<string, string | number> = {};
  for (const { name, type } of table.fields) {
    if (sent[name] === undefined) continue;
    const value = type === 'INT32' ? asInt32(sent[name]) : sent[name];
    if (value === undefined) return `value of column '${name}' is not an INT32`;
    values[name] = value;
  }
  return values;
}

/** Deletes rows; ignores unknown keys. */
const remove = writing((table, request) => {
  for (const { id } of readSentBody<typeof deleteRows>(request).data) table.rows.delete(id);
  return undefined;
});

const query: Handler = (request, world) => {
  const { type, attributes } = readSentBody<typeof queryRows>(request).data;
  const table = findStoredTable(attributes.table_id, world, request.now);
  if (isResponse(table)) return table;
  const wanted = attributes.row_ids;
  const found = wanted.filter((id) => table.rows.has(id));
  const relationships = { rows: { data: found.map((id) => ({ id, type: 'row' })) } };
  return ok({
    data: { id: world.random.uuid(), type, relationships },
    included: found.map((id) => show(id, table.rows.get(id))),
  });
};

/** Operations of the rows of a table. */
export const tableRowOperations: Operations = {
  'tables.rows': read,
  'tables.list-rows': (request, world) =>
    isUuid(request.params.id ?? '') ? list(request, world) : refused(400, 'table ID must be a valid UUID format'),
  'tables.upsert-rows': upsert,
  'tables.delete-rows': remove,
  'tables.query-rows': query,
};
