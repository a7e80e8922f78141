import {
  type Answer,
  asList,
  asObject,
  asText,
  at,
  type Handler,
  isAnswer,
  isUuid,
  ok,
  refused,
} from '../server/answer.ts';
import { asInt32 } from './csv.ts';
import type { Table, Values } from './table-store.ts';
import { tableOf } from './tables.ts';

const mostKeys = 250;
const mostWritten = 200;
const mostListed = 10_000_000;
const keptSnapshots = 20;

const show = (it: Table, id: string, values: Values): unknown => ({
  id,
  type: 'row',
  attributes: {
    values: Object.fromEntries(
      it.fields.flatMap(({ name }, at) => (values[at] === undefined ? [] : [[name, values[at]]])),
    ),
  },
});

/** By exact text. Nothing found is 404 with `data`, which is no error (contract/reference-tables.md, 6). */
const read: Handler = (ask, world) => {
  const it = tableOf(ask.params.id, world, ask.now);
  if (isAnswer(it)) return it;
  const wanted = ask.query.getAll('row_id');
  if (wanted.length === 0) return refused(400, 'row_id is required');
  if (wanted.length > mostKeys) return refused(400, `at most ${mostKeys} row_id values are allowed`);
  const found = wanted.filter((id) => it.rows.has(id));
  const meta = {
    requested_count: wanted.length,
    found_count: found.length,
    not_found: wanted.filter((id) => !it.rows.has(id)),
  };
  const data = found.map((id) => show(it, id, it.rows.get(id) as Values));
  return { status: found.length === 0 ? 404 : 200, body: { data, meta } };
};

const list: Handler = (ask, world) => {
  const id = ask.params.id ?? '';
  if (!isUuid(id)) return refused(400, 'table ID must be a valid UUID format');
  const it = tableOf(id, world, ask.now);
  if (isAnswer(it)) return it;
  if (it.rows.size + it.unheld > mostListed)
    return refused(400, `tables with more than ${mostListed} rows cannot be listed`);
  const limit = Number(ask.query.get('page[limit]') ?? 100);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    return refused(400, 'page[limit] must be between 1 and 1000');
  const place = readToken(ask.query.get('page[continuation_token]'), it);
  if (!place) return refused(400, 'page[continuation_token] is invalid');
  const rows = it.snapshots.get(place.snapshot) ?? [];
  const page = rows.slice(place.at, place.at + limit);
  const keyAt = it.fields.findIndex(({ name }) => name === it.key);
  const next = place.at + limit < rows.length ? tokenOf(place.snapshot, place.at + limit) : undefined;
  const path = `/api/v2/reference-tables/tables/${it.id}/rows/list?page[limit]=${limit}`;
  const follow = (token: string): string => `${path}&page[continuation_token]=${token}`;
  const self = tokenOf(place.snapshot, place.at);
  return ok({
    data: page.map((values) => show(it, String(values[keyAt]), values)),
    links: { self: follow(self), first: path, ...(next ? { next: follow(next) } : {}) },
    ...(next ? { meta: { page: { next_continuation_token: next } } } : {}),
  });
};

const tokenOf = (snapshot: string, place: number): string => Buffer.from(`${snapshot}.${place}`).toString('base64url');

/** Where a list goes on; without a token it begins on the rows of now. */
function readToken(token: string | null, it: Table): { snapshot: string; at: number } | undefined {
  if (token !== null && token !== '') {
    const [snapshot = '', place = ''] = Buffer.from(token, 'base64url').toString().split('.');
    return it.snapshots.has(snapshot) && /^\d+$/.test(place) ? { snapshot, at: Number(place) } : undefined;
  }
  const snapshot = String(Number([...it.snapshots.keys()].at(-1) ?? 0) + 1);
  it.snapshots.set(snapshot, [...it.rows.values()]);
  const [oldest] = it.snapshots.keys();
  if (it.snapshots.size > keptSnapshots && oldest !== undefined) it.snapshots.delete(oldest);
  return { snapshot, at: 0 };
}

/** The table, and between 1 and 200 rows of the body; or the refusal. */
function writing(...[ask, world]: Parameters<Handler>): { it: Table; rows: unknown[] } | Answer {
  const it = tableOf(ask.params.id, world, ask.now);
  if (isAnswer(it)) return it;
  const rows = asList(at(ask.body, 'data'));
  if (!rows || rows.length === 0) return refused(400, 'data must hold at least one row');
  if (rows.length > mostWritten) return refused(400, `data must hold at most ${mostWritten} rows`);
  if (rows.some((row) => at(row, 'type') !== 'row' || typeof at(row, 'id') !== 'string'))
    return refused(400, "each row needs an id and the type 'row'");
  if (it.loading !== null || (it.status !== 'DONE' && it.status !== 'DONE_WITH_ERRORS'))
    return refused(412, 'the table is not in a state that accepts writes');
  return { it, rows };
}

const upsert: Handler = (ask, world) => {
  const asked = writing(ask, world);
  if (isAnswer(asked)) return asked;
  const { it, rows } = asked;
  const made: [string, Values][] = [];
  for (const row of rows) {
    const id = asText(at(row, 'id')) ?? '';
    const values = readValues(it, id, asObject(at(row, 'attributes', 'values')) ?? {});
    if (typeof values === 'string') return refused(400, values);
    made.push([id, values]);
  }
  for (const [id, values] of made) it.rows.set(id, values);
  touch(it, ask.caller.user.id, ask.now);
  return { status: 200 };
};

/** The whole row is replaced: columns that were not sent are empty. */
function readValues(it: Table, id: string, sent: Record<string, unknown>): Values | string {
  const unknown = Object.keys(sent).find((name) => !it.fields.some((field) => field.name === name));
  if (unknown !== undefined) return `column '${unknown}' does not exist`;
  if (String(sent[it.key] ?? '') !== id || id === '')
    return `id '${id}' is not the value of the primary key '${it.key}'`;
  const values: (string | number | undefined)[] = [];
  for (const { name, type } of it.fields) {
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

/** Unknown keys change nothing and are no error. */
const remove: Handler = (ask, world) => {
  const asked = writing(ask, world);
  if (isAnswer(asked)) return asked;
  for (const row of asked.rows) asked.it.rows.delete(asText(at(row, 'id')) ?? '');
  touch(asked.it, ask.caller.user.id, ask.now);
  return { status: 200 };
};

function touch(it: Table, user: string, now: number): void {
  it.updater = user;
  it.updated = now;
}

const query: Handler = (ask, world) => {
  const type = 'reference-tables-batch-rows-query';
  if (at(ask.body, 'data', 'type') !== type) return refused(400, `data.type must be ${type}`);
  const sent = asObject(at(ask.body, 'data', 'attributes')) ?? {};
  const it = tableOf(asText(sent.table_id), world, ask.now);
  if (isAnswer(it)) return it;
  const wanted = asList(sent.row_ids)?.map(String);
  if (!wanted || wanted.length === 0) return refused(400, 'row_ids is required');
  const found = wanted.filter((id) => it.rows.has(id));
  const relationships = { rows: { data: found.map((id) => ({ id, type: 'row' })) } };
  return ok({
    data: { id: world.random.uuid(), type, relationships },
    included: found.map((id) => show(it, id, it.rows.get(id) as Values)),
  });
};

/** Rows of reference tables, by the id of the endpoint. */
export const tableRowHandlers: Readonly<Record<string, Handler>> = {
  'tables.rows': read,
  'tables.list-rows': list,
  'tables.upsert-rows': upsert,
  'tables.delete-rows': remove,
  'tables.query-rows': query,
};
