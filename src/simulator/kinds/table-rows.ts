import { at } from '../../lib/object-paths.ts';
import { isUuid } from '../../lib/unchecked.ts';
import { type ApiResponse, type Handler, isResponse, ok, refused } from '../server/handler.ts';
import { asList, asObject, asText, sentAttributes } from '../server/wire-values.ts';
import { asInt32 } from './csv.ts';
import type { Table, Values } from './table-store.ts';
import { tableOf } from './tables.ts';

const mostKeys = 250;
const mostWritten = 200;
const mostListed = 10_000_000;
const keptSnapshots = 20;

const show = (table: Table, id: string, values: Values): unknown => ({
  id,
  type: 'row',
  attributes: {
    values: Object.fromEntries(
      table.fields.flatMap(({ name }, at) => (values[at] === undefined ? [] : [[name, values[at]]])),
    ),
  },
});

/** Finds rows by exact key. No match is a 404 with `data`, which is not an error (docs/contract/reference-tables.md#rows). */
const read: Handler = (request, world) => {
  const table = tableOf(request.params.id, world, request.now);
  if (isResponse(table)) return table;
  const wanted = request.query.getAll('row_id');
  if (wanted.length === 0) return refused(400, 'row_id is required');
  if (wanted.length > mostKeys) return refused(400, `at most ${mostKeys} row_id values are allowed`);
  const found = wanted.filter((id) => table.rows.has(id));
  const meta = {
    requested_count: wanted.length,
    found_count: found.length,
    not_found: wanted.filter((id) => !table.rows.has(id)),
  };
  const data = found.map((id) => show(table, id, table.rows.get(id) as Values));
  return { status: found.length === 0 ? 404 : 200, body: { data, meta } };
};

const list: Handler = (request, world) => {
  const id = request.params.id ?? '';
  if (!isUuid(id)) return refused(400, 'table ID must be a valid UUID format');
  const table = tableOf(id, world, request.now);
  if (isResponse(table)) return table;
  if (table.rows.size + table.unstoredRows > mostListed)
    return refused(400, `tables with more than ${mostListed} rows cannot be listed`);
  const limit = Number(request.query.get('page[limit]') ?? 100);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    return refused(400, 'page[limit] must be between 1 and 1000');
  const place = readToken(request.query.get('page[continuation_token]'), table);
  if (!place) return refused(400, 'page[continuation_token] is invalid');
  const rows = table.snapshots.get(place.snapshot) ?? [];
  const page = rows.slice(place.at, place.at + limit);
  const keyAt = table.fields.findIndex(({ name }) => name === table.key);
  const next = place.at + limit < rows.length ? tokenOf(place.snapshot, place.at + limit) : undefined;
  const path = `/api/v2/reference-tables/tables/${table.id}/rows/list?page[limit]=${limit}`;
  const follow = (token: string): string => `${path}&page[continuation_token]=${token}`;
  const self = tokenOf(place.snapshot, place.at);
  return ok({
    data: page.map((values) => show(table, String(values[keyAt]), values)),
    links: { self: follow(self), first: path, ...(next ? { next: follow(next) } : {}) },
    ...(next ? { meta: { page: { next_continuation_token: next } } } : {}),
  });
};

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

/** The table, and between 1 and 200 rows of the body; or the refusal. */
function writing(...[request, world]: Parameters<Handler>): { table: Table; rows: unknown[] } | ApiResponse {
  const table = tableOf(request.params.id, world, request.now);
  if (isResponse(table)) return table;
  const rows = asList(at(request.body, 'data'));
  if (!rows || rows.length === 0) return refused(400, 'data must hold at least one row');
  if (rows.length > mostWritten) return refused(400, `data must hold at most ${mostWritten} rows`);
  if (rows.some((row) => at(row, 'type') !== 'row' || typeof at(row, 'id') !== 'string'))
    return refused(400, "each row needs an id and the type 'row'");
  if (table.loading !== null || (table.status !== 'DONE' && table.status !== 'DONE_WITH_ERRORS'))
    return refused(412, 'the table is not in a state that accepts writes');
  return { table, rows };
}

const upsert: Handler = (request, world) => {
  const asked = writing(request, world);
  if (isResponse(asked)) return asked;
  const { table, rows } = asked;
  const made: [string, Values][] = [];
  for (const row of rows) {
    const id = asText(at(row, 'id')) ?? '';
    const values = readValues(table, id, asObject(at(row, 'attributes.values')) ?? {});
    if (typeof values === 'string') return refused(400, values);
    made.push([id, values]);
  }
  for (const [id, values] of made) table.rows.set(id, values);
  touch(table, request.caller.user.id, request.now);
  return { status: 200 };
};

/** The values of a replaced row; columns that were not sent become empty. */
function readValues(table: Table, id: string, sent: Record<string, unknown>): Values | string {
  const unknown = Object.keys(sent).find((name) => !table.fields.some((field) => field.name === name));
  if (unknown !== undefined) return `column '${unknown}' does not exist`;
  if (String(sent[table.key] ?? '') !== id || id === '')
    return `id '${id}' is not the value of the primary key '${table.key}'`;
  const values: (string | number | undefined)[] = [];
  for (const { name, type } of table.fields) {
    const value = sent[name];
    if (value === undefined || value === null) values.push(undefined);
    else if (type === 'INT32') {
      const number = asInt32(value);
      if (number === undefined) return `value of column '${name}' is not an INT32`;
      values.push(number);
    } else values.push(String(value));
  }
  return values;
}

/** Deletes rows; ignores unknown keys. */
const remove: Handler = (request, world) => {
  const asked = writing(request, world);
  if (isResponse(asked)) return asked;
  for (const row of asked.rows) asked.table.rows.delete(asText(at(row, 'id')) ?? '');
  touch(asked.table, request.caller.user.id, request.now);
  return { status: 200 };
};

function touch(table: Table, user: string, now: number): void {
  table.updater = user;
  table.updated = now;
}

const query: Handler = (request, world) => {
  const type = 'reference-tables-batch-rows-query';
  if (at(request.body, 'data.type') !== type) return refused(400, `data.type must be ${type}`);
  const sent = sentAttributes(request.body);
  const table = tableOf(asText(sent.table_id), world, request.now);
  if (isResponse(table)) return table;
  const wanted = asList(sent.row_ids)?.map(String);
  if (!wanted || wanted.length === 0) return refused(400, 'row_ids is required');
  const found = wanted.filter((id) => table.rows.has(id));
  const relationships = { rows: { data: found.map((id) => ({ id, type: 'row' })) } };
  return ok({
    data: { id: world.random.uuid(), type, relationships },
    included: found.map((id) => show(table, id, table.rows.get(id) as Values)),
  });
};

/** Handlers of table rows, by endpoint id. */
export const tableRowHandlers: Readonly<Record<string, Handler>> = {
  'tables.rows': read,
  'tables.list-rows': list,
  'tables.upsert-rows': upsert,
  'tables.delete-rows': remove,
  'tables.query-rows': query,
};
