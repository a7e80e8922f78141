import { normalName } from '../../api/tables.ts';
import { at } from '../../lib/object-paths.ts';
import { collection, type Listing } from '../server/collection.ts';
import { type ApiRequest, type ApiResponse, isResponse, refused, type World } from '../server/handler.ts';
import { type Orders, offsetPage, sortedBy } from '../server/paging.ts';
import { asList, asObject, asText, sentAttributes } from '../server/wire-values.ts';
import { loadCloud, loadCsv, settleTable } from './table-loading.ts';
import { details, readAccess, readSchema } from './table-schema.ts';
import { type Loading, makeTable, type Table, type TableField, type Values } from './table-store.ts';
import { takeUpload } from './uploads.ts';

const mostTables = 100;

/** A response without a body, as the contract has it. */
const emptyBody = (status: number): ApiResponse => ({ status });

const noTable: ApiResponse = {
  status: 404,
  body: { errors: [{ status: '404', title: 'Not Found', detail: 'table not found' }] },
};

const restrictedTable: ApiResponse = {
  status: 403,
  body: { errors: [{ status: '403', title: 'Forbidden', detail: 'this table is restricted' }] },
};

/** The table with this id, loading applied; 404 if unknown, 403 if restricted. */
export function tableOf(id: string | undefined, world: World, now: number): Table | ApiResponse {
  const table = world.org.tableStore.tables.get((id ?? '').toLowerCase());
  if (!table) return noTable;
  return table.restricted ? restrictedTable : settleTable(table, now);
}

/** A table in the response format. Local ones have `file_metadata` only after an error. */
function show(table: Table): unknown {
  const isCloud = table.access !== null;
  const hasErrors = table.status === 'ERROR' || table.status === 'DONE_WITH_ERRORS';
  const { type, message, rows } = table.errors;
  const problem = { error_message: message, error_row_count: rows, ...(type ? { error_type: type } : {}) };
  const cloud = { access_details: table.access, ...(table.sync ? { sync_enabled: true } : {}) };
  return {
    id: table.id,
    type: 'reference_table',
    attributes: {
      table_name: table.name,
      description: table.description,
      source: table.source,
      status: table.status,
      row_count: table.status === 'INITIALIZED' ? 0 : table.rows.size + table.unstoredRows,
      schema: { fields: table.fields, primary_keys: [table.key] },
      tags: table.tags,
      created_by: table.creator,
      last_updated_by: table.updater,
      updated_at: `${new Date(table.updated).toISOString().slice(0, 19)}Z`,
      ...(isCloud || hasErrors ? { file_metadata: { ...problem, ...(isCloud ? cloud : {}) } } : {}),
      ...table.overrides,
    },
  };
}

const sortable: Orders<Table> = {
  updated_at: ({ updated }) => updated,
  table_name: ({ name }) => name,
  status: ({ status }) => status,
};

/** Offset and limit of the query, or the refusal. */
function placeIn({ query }: ApiRequest): { readonly offset: number; readonly limit: number } | ApiResponse {
  const limit = Number(query.get('page[limit]') ?? 15);
  const offset = Number(query.get('page[offset]') ?? 0);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    return refused(400, 'page[limit] must be between 1 and 100');
  return Number.isInteger(offset) && offset >= 0
    ? { offset, limit }
    : refused(400, 'page[offset] must not be negative');
}

const listing: Listing<Table> = {
  rows: (request, { org }) => {
    const place = placeIn(request);
    return isResponse(place)
      ? place
      : [...org.tableStore.tables.values()].map((table) => settleTable(table, request.now));
  },
  matches: ({ query }) => {
    const [exact, part] = [query.get('filter[table_name][exact]'), query.get('filter[table_name][contains]')];
    const wantedStatus = query.get('filter[status]');
    return ({ name, status }) =>
      (exact === null || name === exact) &&
      (part === null || name.includes(part)) &&
      (wantedStatus === null || status === wantedStatus);
  },
  sorted: (tables, { query }) => {
    const sort = query.get('sort') ?? '-updated_at';
    const sorted = sortedBy(
      tables.sort((a, b) => (a.id < b.id ? -1 : 1)),
      sort,
      sortable,
    );
    return isResponse(sorted) ? refused(400, `sort by ${sort} is not supported`) : sorted;
  },
  page: offsetPage(15, 100),
  meta: (_, request) => {
    const { offset, limit } = placeIn(request) as { offset: number; limit: number };
    const prev_offset = offset === 0 ? null : Math.max(0, offset - limit);
    // `next_offset` is set even on the last page (docs/contract/reference-tables.md#table).
    const next = { first_offset: 0, prev_offset, next_offset: offset + limit, last_offset: null };
    return { page: { type: 'offset_limit', offset, limit, total: null, ...next } };
  },
};

/** The fields of a new table, validated except for its data. */
function newTable(request: ApiRequest, { org, random }: World): Table | ApiResponse {
  const sent = sentAttributes(request.body);
  const source = asText(sent.source) ?? '';
  const name = normalName(asText(sent.table_name) ?? '');
  const schema = readSchema(sent.schema);
  const { tables } = org.tableStore;
  if (name === undefined) return refused(400, 'table_name is invalid');
  if (source !== 'LOCAL_FILE' && !details[source]) return refused(400, `source '${source}' is not supported`);
  if (typeof schema === 'string') return refused(400, schema);
  if ([...tables.values()].some((table) => table.name === name)) return refused(400, `table '${name}' already exists`);
  if (tables.size >= mostTables) return refused(400, `the limit of ${mostTables} tables is reached`);
  const user = request.caller.user.id;
  return makeTable({
    id: random.uuid(),
    name,
    source,
    ...schema,
    description: asText(sent.description) ?? '',
    tags: tagsOf(sent.tags) ?? null,
    creator: user,
    updater: user,
    updated: request.now,
    status: 'INITIALIZED',
  });
}

/** Starts loading from `file_metadata`, or returns the refusal. */
function begin(
  table: Table,
  metadata: unknown,
  request: ApiRequest,
  world: World,
  isNew: boolean,
): Pick<Table, 'loading' | 'access' | 'sync'> | ApiResponse {
  const sent = asObject(metadata) ?? {};
  if (table.source === 'LOCAL_FILE') {
    if (sent.upload_id === undefined) return refused(400, "upload_id is required for tables with 'LOCAL_FILE' source");
    const odd = Object.keys(sent).find((name) => name !== 'upload_id');
    if (odd) return refused(400, `file_metadata.${odd} is not allowed for tables with 'LOCAL_FILE' source`);
    const taken = takeUpload(world, sent.upload_id);
    if (isResponse(taken)) return taken;
    return { loading: loadCsv(taken.text, table, request.now), access: null, sync: false };
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
  const loading: Loading = loadCloud(table, request.now);
  return { loading, access: merged, sync };
}

const tagsOf = (sent: unknown): string[] | undefined => asList(sent)?.map(String);

/** The columns after an update, or the refusal. */
function fieldsIn(sent: Readonly<Record<string, unknown>>, before: Table): readonly TableField[] | ApiResponse {
  if (sent.schema === undefined) return before.fields;
  const metadata = asObject(sent.file_metadata);
  if (metadata?.upload_id === undefined && metadata?.access_details === undefined)
    return refused(
      400,
      'schema updates require either upload_id (for local files) or access_details (for cloud files)',
    );
  const schema = readSchema(sent.schema);
  if (typeof schema === 'string') return refused(400, schema);
  const isKept = before.fields.every((old) =>
    schema.fields.some(({ name, type }) => name === old.name && type === old.type),
  );
  if (schema.key !== before.key) return refused(400, 'the primary key cannot be changed');
  return isKept ? schema.fields : refused(400, 'fields can be added, not renamed, retyped or removed');
}

type Settings = Pick<Table, 'fields' | 'description' | 'tags'> & Partial<Table>;

/** The new settings of a table, with its loading started; or the refusal. */
function changesIn(request: ApiRequest, world: World, before: Table): Settings | ApiResponse {
  const sent = sentAttributes(request.body);
  const fixed = ['source', 'table_name'].find((name) => sent[name] !== undefined);
  if (fixed) return refused(400, `${fixed} cannot be changed`);
  if (!details[before.source] && before.source !== 'LOCAL_FILE')
    return refused(400, `tables with '${before.source}' source cannot be changed`);
  const fields = fieldsIn(sent, before);
  if (isResponse(fields)) return fields;
  const metadata = asObject(sent.file_metadata);
  const loading = metadata ? begin({ ...before, fields }, metadata, request, world, false) : {};
  if (isResponse(loading)) return loading;
  // Cells are stored by column position, so a new column order reorders them until the new data replaces them.
  const moved = (values: Values): Values => fields.map(({ name }) => values[placeOf(before, name)]);
  return {
    ...loading,
    ...(metadata ? { rows: new Map([...before.rows].map(([id, values]) => [id, moved(values)])) } : {}),
    fields,
    description: typeof sent.description === 'string' ? sent.description : before.description,
    tags: tagsOf(sent.tags) ?? before.tags,
  };
}

const placeOf = (table: Table, name: string): number => table.fields.findIndex((one) => one.name === name);

const isTable = (body: unknown): boolean => at(body, 'data.type') === 'reference_table';
const noType = refused(400, 'data.type must be reference_table');

const tables = collection<Table, Settings | Table>({
  rows: ({ org }) => org.tableStore.tables,
  find: ({ params, now }, world) => tableOf(params.id, world, now),
  missing: () => noTable,
  show,
  list: listing,
  read: (request, world, before) => {
    if (!isTable(request.body)) return noType;
    return before ? changesIn(request, world, before) : newTable(request, world);
  },
  make: (values, request, world) => {
    const table = values as Table;
    const loading = begin(table, at(request.body, 'data.attributes.file_metadata'), request, world, true);
    if (isResponse(loading)) return loading;
    world.org.tableStore.tables.set(table.id, Object.assign(table, loading));
    return emptyBody(201);
  },
  change: (table, changes, { caller, now }) => {
    settleTable(Object.assign(table, changes, { updater: caller.user.id, updated: now }), now);
    return emptyBody(200);
  },
  remove: ({ id }, _, { org }) => {
    org.tableStore.tables.delete(id);
    return emptyBody(200);
  },
});

/** The collection of reference tables, by path. */
export const tableCollections = { '/api/v2/reference-tables/tables': tables };

/** Converts a response to this family's format: its own content type, errors as objects (docs/contract/reference-tables.md). */
export function inTableFormat(path: string, answer: ApiResponse): ApiResponse {
  if (!path.startsWith('/api/v2/reference-tables/') || answer.type !== undefined) return answer;
  const type = 'application/vnd.api+json';
  const errors = asList(at(answer.body, 'errors'));
  // Refusals from before the handler (keys, permissions) keep the common format.
  if (!errors || at(answer.body, 'status') !== undefined) return { ...answer, type };
  const objects = errors.map((error) =>
    typeof error === 'string' ? { title: 'Generic Error', detail: error } : error,
  );
  return { ...answer, type, body: { errors: objects } };
}
