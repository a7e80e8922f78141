import { normalName } from '../../api/tables.ts';
import {
  type Answer,
  type Ask,
  asList,
  asObject,
  asText,
  at,
  type Handler,
  isAnswer,
  ok,
  refused,
  type World,
} from '../server/answer.ts';
import { loadCloud, loadCsv, settleTable } from './table-loading.ts';
import { type Loading, makeTable, type Table, type TableField } from './table-store.ts';
import { takeUpload } from './uploads.ts';

const mostTables = 100;
const mostFields = 50;

/** What each cloud source must say about its file; all of it on create. */
const details: Readonly<Record<string, readonly [name: string, fields: readonly string[]]>> = {
  PROVIDER_A: [
    'provider_a_detail',
    [
      'provider_a_client_id',
      'provider_a_container_name',
      'provider_a_storage_account_name',
      'provider_a_tenant_id',
      'file_path',
    ],
  ],
  PROVIDER_B: [
    'provider_b_detail',
    ['provider_b_bucket_name', 'provider_b_project_id', 'provider_b_service_account_email', 'file_path'],
  ],
  PROVIDER_C: ['provider_c_detail', ['provider_c_account_id', 'provider_c_bucket_name', 'file_path']],
};

/** Empty answers that the contract has instead of a table. */
const silent = (status: number): Answer => ({ status });

const noTable: Answer = {
  status: 404,
  body: { errors: [{ status: '404', title: 'Not Found', detail: 'table not found' }] },
};

const notYours: Answer = {
  status: 403,
  body: { errors: [{ status: '403', title: 'Forbidden', detail: 'this table is restricted' }] },
};

/** The table of the path, as it is now; 404 for an unknown one, 403 for one that is restricted. */
export function tableOf(id: string | undefined, world: World, now: number): Table | Answer {
  const it = world.org.library.tables.get((id ?? '').toLowerCase());
  if (!it) return noTable;
  return it.restricted ? notYours : settleTable(it, now);
}

/** A table as answers show it. Local ones have no `file_metadata` unless something went wrong with their data. */
export function show(it: Table): unknown {
  const isCloud = it.access !== null;
  const went = it.status === 'ERROR' || it.status === 'DONE_WITH_ERRORS';
  const { type, message, rows } = it.errors;
  const problem = { error_message: message, error_row_count: rows, ...(type ? { error_type: type } : {}) };
  const cloud = { access_details: it.access, ...(it.sync ? { sync_enabled: true } : {}) };
  return {
    id: it.id,
    type: 'reference_table',
    attributes: {
      table_name: it.name,
      description: it.description,
      source: it.source,
      status: it.status,
      row_count: it.status === 'INITIALIZED' ? 0 : it.rows.size + it.unheld,
      schema: { fields: it.fields, primary_keys: [it.key] },
      tags: it.tags,
      created_by: it.creator,
      last_updated_by: it.updater,
      updated_at: `${new Date(it.updated).toISOString().slice(0, 19)}Z`,
      ...(isCloud || went ? { file_metadata: { ...problem, ...(isCloud ? cloud : {}) } } : {}),
      ...it.overrides,
    },
  };
}

const list: Handler = (ask, world) => {
  const limit = Number(ask.query.get('page[limit]') ?? 15);
  const offset = Number(ask.query.get('page[offset]') ?? 0);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    return refused(400, 'page[limit] must be between 1 and 100');
  if (!Number.isInteger(offset) || offset < 0) return refused(400, 'page[offset] must not be negative');
  const sort = ask.query.get('sort') ?? '-updated_at';
  const by = sort.replace(/^-/, '');
  if (!['updated_at', 'table_name', 'status'].includes(by)) return refused(400, `sort by ${sort} is not supported`);
  const exact = ask.query.get('filter[table_name][exact]');
  const part = ask.query.get('filter[table_name][contains]');
  const status = ask.query.get('filter[status]');
  const found = [...world.org.library.tables.values()]
    .map((it) => settleTable(it, ask.now))
    .filter(
      (it) =>
        (exact === null || it.name === exact) &&
        (part === null || it.name.includes(part)) &&
        (status === null || it.status === status),
    );
  const value = (it: Table): string | number =>
    by === 'updated_at' ? it.updated : by === 'status' ? it.status : it.name;
  const down = sort.startsWith('-') ? -1 : 1;
  found.sort((a, b) => (value(a) === value(b) ? (a.id < b.id ? -1 : 1) : value(a) < value(b) ? -down : down));
  const page = {
    type: 'offset_limit',
    offset,
    limit,
    total: null,
    first_offset: 0,
    prev_offset: offset === 0 ? null : Math.max(0, offset - limit),
    // Filled even when nothing follows (contract/reference-tables.md, 5).
    next_offset: offset + limit,
    last_offset: null,
  };
  return ok({ data: found.slice(offset, offset + limit).map(show), meta: { page } });
};

const get: Handler = (ask, world) => {
  const it = tableOf(ask.params.id, world, ask.now);
  return isAnswer(it) ? it : ok({ data: show(it) });
};

/** Columns and key as they were sent, normalised; or the sentence that says what is wrong. */
function readSchema(schema: unknown): { fields: TableField[]; key: string } | string {
  const given = asList(at(schema, 'fields')) ?? [];
  const keys = asList(at(schema, 'primary_keys')) ?? [];
  if (given.length === 0) return 'schema.fields is required';
  if (given.length > mostFields) return `schema.fields must have at most ${mostFields} items`;
  const fields = given.map((it) => ({
    name: normalName(asText(at(it, 'name')) ?? '') ?? '',
    type: asText(at(it, 'type')) ?? '',
  }));
  if (fields.some((it) => it.name === '')) return 'schema.fields holds an invalid name';
  if (new Set(fields.map((it) => it.name)).size < fields.length) return 'schema.fields holds a name twice';
  const odd = fields.find((it) => it.type !== 'STRING' && it.type !== 'INT32');
  if (odd) return `field type '${odd.type}' is not supported: use STRING or INT32`;
  if (keys.length !== 1) return 'schema.primary_keys must hold exactly one name';
  const key = normalName(asText(keys[0]) ?? '') ?? '';
  return fields.some((it) => it.name === key) ? { fields, key } : `primary key '${asText(keys[0])}' is not in fields`;
}

/** The one detail object of a source, checked; `whole` = every field of it is needed. */
function readAccess(source: string, access: unknown, whole: boolean): Record<string, unknown> | string {
  const [name, fields] = details[source] ?? ['', []];
  const sent = asObject(access);
  if (!sent) return `access_details is required for tables with '${source}' source`;
  const others = Object.keys(sent).filter((it) => it !== name);
  const one = asObject(sent[name]);
  if (others.length > 0 || !one) return `access_details must hold exactly ${name} for tables with '${source}' source`;
  const absent = fields.find((it) => !asText(one[it]));
  return whole && absent ? `access_details.${name}.${absent} is required` : { [name]: one };
}

const create: Handler = (ask, world) => {
  if (at(ask.body, 'data', 'type') !== 'reference_table') return refused(400, 'data.type must be reference_table');
  const sent = asObject(at(ask.body, 'data', 'attributes')) ?? {};
  const source = asText(sent.source) ?? '';
  const name = normalName(asText(sent.table_name) ?? '');
  const schema = readSchema(sent.schema);
  const { tables } = world.org.library;
  if (name === undefined) return refused(400, 'table_name is invalid');
  if (source !== 'LOCAL_FILE' && !details[source]) return refused(400, `source '${source}' is not supported`);
  if (typeof schema === 'string') return refused(400, schema);
  if ([...tables.values()].some((it) => it.name === name)) return refused(400, `table '${name}' already exists`);
  if (tables.size >= mostTables) return refused(400, `the limit of ${mostTables} tables is reached`);
  const user = ask.caller.user.id;
  const table = makeTable({
    id: world.random.uuid(),
    name,
    source,
    ...schema,
    description: asText(sent.description) ?? '',
    tags: tagsOf(sent.tags) ?? null,
    creator: user,
    updater: user,
    updated: ask.now,
    status: 'INITIALIZED',
  });
  const loading = begin(table, sent.file_metadata, ask, world, true);
  if (isAnswer(loading)) return loading;
  tables.set(table.id, Object.assign(table, loading));
  return silent(201);
};

/** New data for a table from what `file_metadata` says, or the refusal. */
function begin(
  table: Table,
  metadata: unknown,
  ask: Ask,
  world: World,
  isNew: boolean,
): Pick<Table, 'loading' | 'access' | 'sync'> | Answer {
  const sent = asObject(metadata) ?? {};
  if (table.source === 'LOCAL_FILE') {
    if (sent.upload_id === undefined) return refused(400, "upload_id is required for tables with 'LOCAL_FILE' source");
    const odd = Object.keys(sent).find((name) => name !== 'upload_id');
    if (odd) return refused(400, `file_metadata.${odd} is not allowed for tables with 'LOCAL_FILE' source`);
    const taken = takeUpload(world, sent.upload_id);
    if (isAnswer(taken)) return taken;
    return { loading: loadCsv(taken.text, table, ask.now), access: null, sync: false };
  }
  const odd = Object.keys(sent).find((name) => name !== 'access_details' && name !== 'sync_enabled');
  if (odd) return refused(400, `file_metadata.${odd} is not allowed for tables with '${table.source}' source`);
  if (isNew && typeof sent.sync_enabled !== 'boolean')
    return refused(400, `sync_enabled is required for tables with '${table.source}' source`);
  const sync = typeof sent.sync_enabled === 'boolean' ? sent.sync_enabled : table.sync;
  if (!isNew && sent.access_details === undefined) return { loading: table.loading, access: table.access, sync };
  const access = readAccess(table.source, sent.access_details, isNew);
  if (typeof access === 'string') return refused(400, access);
  const [name = ''] = Object.keys(access);
  const merged = { [name]: { ...asObject(table.access?.[name]), ...asObject(access[name]) } };
  const loading: Loading = loadCloud(table, ask.now);
  return { loading, access: merged, sync };
}

const tagsOf = (sent: unknown): string[] | undefined => asList(sent)?.map(String);

const update: Handler = (ask, world) => {
  const it = tableOf(ask.params.id, world, ask.now);
  if (isAnswer(it)) return it;
  if (at(ask.body, 'data', 'type') !== 'reference_table') return refused(400, 'data.type must be reference_table');
  const sent = asObject(at(ask.body, 'data', 'attributes')) ?? {};
  const fixed = ['source', 'table_name'].find((name) => sent[name] !== undefined);
  if (fixed) return refused(400, `${fixed} cannot be changed`);
  if (!details[it.source] && it.source !== 'LOCAL_FILE')
    return refused(400, `tables with '${it.source}' source cannot be changed`);
  const metadata = asObject(sent.file_metadata);
  const hasData = metadata !== undefined && (metadata.upload_id !== undefined || metadata.access_details !== undefined);
  let fields = it.fields;
  if (sent.schema !== undefined) {
    if (!hasData)
      return refused(
        400,
        'schema updates require either upload_id (for local files) or access_details (for cloud files)',
      );
    const schema = readSchema(sent.schema);
    if (typeof schema === 'string') return refused(400, schema);
    const kept = it.fields.every((old) => schema.fields.some((one) => one.name === old.name && one.type === old.type));
    if (schema.key !== it.key) return refused(400, 'the primary key cannot be changed');
    if (!kept) return refused(400, 'fields can be added, not renamed, retyped or removed');
    fields = schema.fields;
  }
  if (metadata) {
    const loading = begin({ ...it, fields }, metadata, ask, world, false);
    if (isAnswer(loading)) return loading;
    // Rows are kept by place: a new order of columns moves what is there until the new data replaces it.
    it.rows = new Map([...it.rows].map(([id, values]) => [id, fields.map((one) => values[placeOf(it, one.name)])]));
    Object.assign(it, loading, { fields });
  }
  if (typeof sent.description === 'string') it.description = sent.description;
  it.tags = tagsOf(sent.tags) ?? it.tags;
  it.updater = ask.caller.user.id;
  it.updated = ask.now;
  settleTable(it, ask.now);
  return silent(200);
};

const placeOf = (it: Table, name: string): number => it.fields.findIndex((one) => one.name === name);

const remove: Handler = (ask, world) => {
  const it = tableOf(ask.params.id, world, ask.now);
  if (isAnswer(it)) return it;
  world.org.library.tables.delete(it.id);
  return silent(200);
};

/** Reference tables, by the id of the endpoint. */
export const tableHandlers: Readonly<Record<string, Handler>> = {
  'tables.list': list,
  'tables.get': get,
  'tables.create': create,
  'tables.update': update,
  'tables.delete': remove,
};

/** Every answer of this family has its own content type, and every refusal is an object (contract/reference-tables.md). */
export function dressed(path: string, answer: Answer): Answer {
  if (!path.startsWith('/api/v2/reference-tables/') || answer.type !== undefined) return answer;
  const type = 'application/vnd.api+json';
  const errors = asList(at(answer.body, 'errors'));
  // What the front door says is the same for all.
  if (!errors || at(answer.body, 'status') !== undefined) return { ...answer, type };
  const objects = errors.map((it) => (typeof it === 'string' ? { title: 'Generic Error', detail: it } : it));
  return { ...answer, type, body: { errors: objects } };
}
