import { createHash } from 'node:crypto';
import { knownWords } from '../../api/envelope.ts';
import { type createTable, type createUpload, normalName, tableSource, type updateTable } from '../../api/tables.ts';
import { at } from '../../lib/values.ts';
import { type CollectionList, collection, type Operations } from '../server/collection.ts';
import {
  type ApiRequest,
  type ApiResponse,
  asObject,
  type Handler,
  isResponse,
  type Orders,
  offsetPage,
  readSentBody,
  refused,
  type ServiceWorld,
  sortedBy,
} from '../server/handler.ts';
import {
  loadCloud,
  loadCsv,
  settleTable,
  storeTable,
  type Table,
  type TableField,
  type Upload,
} from './table-store.ts';

/** The minimum size of a part that is not the last, bytes (docs/contract/reference-tables.md#upload). */
const leastPart = 5_000_000;

const badName = refused(400, 'table_name is invalid');

/** Begins an upload; returns one pre-signed URL for each part. */
const beginUpload: Handler = (request, world) => {
  const {
    table_name,
    headers,
    part_count: count,
    part_size: size,
  } = readSentBody<typeof createUpload>(request).data.attributes;
  if (count > 1 && size < leastPart)
    return refused(400, `part_size must be at least ${leastPart} bytes when there is more than one part`);
  if (new Set(headers).size < headers.length) return refused(400, 'headers holds a name twice');
  if (normalName(table_name) === undefined) return badName;
  const upload: Upload = {
    id: world.random.uuid(),
    partSize: size,
    parts: Array.from({ length: count }, () => undefined),
    created: request.now,
    sha256: null,
  };
  world.org.tableStore.uploads.set(upload.id, upload);
  const part_urls = upload.parts.map((_, part) => world.partUrl(upload, part));
  const attributes = { table_name, part_urls };
  return { status: 201, body: { data: { id: upload.id, type: 'upload', attributes } } };
};

/**
 * Takes the bytes of a complete, unused upload for the table created from it; afterward only
 * sizes and hashes remain. Or returns the refusal.
 */
function takeUpload(world: ServiceWorld, id: string): { readonly upload: Upload; readonly text: string } | ApiResponse {
  const upload = world.org.tableStore.uploads.get(id);
  if (!upload) return refused(400, `upload_id ${id} does not exist`);
  if (upload.sha256 !== null) return refused(400, 'upload_id has been used before');
  const there = upload.parts.filter((part) => part !== undefined);
  if (there.length < upload.parts.length)
    return refused(400, `the upload is not complete: ${there.length} of ${upload.parts.length} parts were received`);
  const bytes = Buffer.concat(there.map((part) => part.bytes));
  upload.sha256 = createHash('sha256').update(bytes).digest('hex');
  for (const part of there) part.bytes = Buffer.alloc(0);
  return { upload, text: bytes.toString('utf8') };
}

const mostTables = 100;

const noTable = refused(404, 'table not found');

/** The table with this id, loading applied; 404 if unknown, 403 if restricted. */
export function findStoredTable(id: string | undefined, world: ServiceWorld, now: number): Table | ApiResponse {
  const table = world.org.tableStore.tables.get((id ?? '').toLowerCase());
  if (!table) return noTable;
  return table.restricted ? refused(403, 'this table is restricted') : settleTable(table, now);
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

const listing: CollectionList<Table> = {
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

type Sent = BodyOfTable['data']['attributes'];
type BodyOfTable = ReturnType<typeof readSentBody<typeof createTable>>;
/** The detail member of each cloud source. */
const details: Readonly<Record<string, string>> = {
  PROVIDER_A: 'provider_a_detail',
  PROVIDER_B: 'provider_b_detail',
  PROVIDER_C: 'provider_c_detail',
};

/** The columns and the primary key with names as the service keeps them, or the refusal. */
function columnsOf({ fields: sent, primary_keys }: Sent['schema']): Pick<Table, 'fields' | 'key'> | ApiResponse {
  const fields = sent.map(({ name, type }) => ({ name: normalName(name) ?? '', type }));
  const key = normalName(primary_keys[0] ?? '') ?? '';
  const odd = fields.find(({ type }) => type !== 'STRING' && type !== 'INT32');
  if (odd) return refused(400, `type of column '${odd.name}' is not STRING or INT32`);
  if (new Set(fields.map(({ name }) => name)).size < fields.length)
    return refused(400, 'schema.fields holds a name twice');
  return fields.some(({ name }) => name === key)
    ? { fields, key }
    : refused(400, `primary key '${primary_keys[0]}' is not in fields`);
}

/** A new table without its data, or the refusal. */
function newTable(request: ApiRequest, { org, random }: ServiceWorld): Table | ApiResponse {
  const {
    source,
    table_name,
    schema,
    description = '',
    tags = null,
  } = readSentBody<typeof createTable>(request).data.attributes;
  const name = normalName(table_name);
  const columns = columnsOf(schema);
  const { tables } = org.tableStore;
  if (name === undefined) return badName;
  if (!knownWords(tableSource).includes(source)) return refused(400, `source ${source} is unknown`);
  if (isResponse(columns)) return columns;
  if ([...tables.values()].some((table) => table.name === name)) return refused(400, `table '${name}' already exists`);
  if (tables.size >= mostTables) return refused(400, `the limit of ${mostTables} tables is reached`);
  const user = request.caller.user.id;
  const made = { id: random.uuid(), creator: user, updater: user, updated: request.now, status: 'INITIALIZED' };
  return storeTable({ ...made, name, source, ...columns, description, tags });
}

/** Starts loading from `file_metadata`, or returns the refusal. */
function beginLoading(
  table: Table,
  { upload_id, access_details, sync_enabled = table.sync }: NonNullable<Sent['file_metadata']>,
  { now }: ApiRequest,
  world: ServiceWorld,
): Pick<Table, 'loading' | 'access' | 'sync'> | ApiResponse {
  const name = details[table.source];
  if (name === undefined) {
    if (upload_id === undefined) return refused(400, `upload_id is required for tables with '${table.source}' source`);
    const taken = takeUpload(world, upload_id);
    return isResponse(taken) ? taken : { loading: loadCsv(taken.text, table, now), access: null, sync: false };
  }
  const sent = asObject(at(access_details, name));
  if (!sent && !table.access) return refused(400, `${name} is required for tables with '${table.source}' source`);
  if (!sent) return { loading: table.loading, access: table.access, sync: sync_enabled };
  const access = { [name]: { ...asObject(table.access?.[name]), ...sent } };
  return { loading: loadCloud(table, now), access, sync: sync_enabled };
}

/** The columns after an update, or the refusal. */
function fieldsIn(schema: Sent['schema'] | undefined, before: Table): readonly TableField[] | ApiResponse {
  if (schema === undefined) return before.fields;
  const columns = columnsOf(schema);
  if (isResponse(columns)) return columns;
  const isKept = before.fields.every((old) =>
    columns.fields.some(({ name, type }) => name === old.name && type === old.type),
  );
  if (columns.key !== before.key) return refused(400, 'the primary key cannot be changed');
  return isKept ? columns.fields : refused(400, 'fields can be added, not renamed, retyped or removed');
}

type Settings = Pick<Table, 'fields' | 'description' | 'tags'> & Partial<Table>;

/** The new settings of a table, with its loading started; or the refusal. */
function changesIn(request: ApiRequest, world: ServiceWorld, before: Table): Settings | ApiResponse {
  const sent = readSentBody<typeof updateTable>(request).data.attributes;
  const { file_metadata: metadata, description = before.description, tags = before.tags } = sent;
  if (!details[before.source] && before.source !== 'LOCAL_FILE')
    return refused(400, `tables with '${before.source}' source cannot be changed`);
  const fields = fieldsIn(sent.schema, before);
  if (isResponse(fields)) return fields;
  if (fields.length > before.fields.length && !metadata?.upload_id && !metadata?.access_details)
    return refused(
      400,
      'schema updates require either upload_id (for local files) or access_details (for cloud files)',
    );
  const loading = metadata ? beginLoading({ ...before, fields }, metadata, request, world) : {};
  if (isResponse(loading)) return loading;
  return { ...loading, fields, description, tags };
}

const tables = collection<Table, Settings | Table>({
  rows: ({ org }) => org.tableStore.tables,
  find: ({ params, now }, world) => findStoredTable(params.id, world, now),
  missing: () => noTable,
  show,
  list: listing,
  read: (request, world, before) => (before ? changesIn(request, world, before) : newTable(request, world)),
  make: (values, request, world) => {
    const table = values as Table;
    const metadata = readSentBody<typeof createTable>(request).data.attributes.file_metadata ?? {};
    const loading = beginLoading(table, metadata, request, world);
    if (isResponse(loading)) return loading;
    world.org.tableStore.tables.set(table.id, Object.assign(table, loading));
    return { status: 201 };
  },
  change: (table, changes, { caller, now }) => {
    settleTable(Object.assign(table, changes, { updater: caller.user.id, updated: now }), now);
    return { status: 200 };
  },
  remove: ({ id }, _, { org }) => {
    org.tableStore.tables.delete(id);
    return { status: 200 };
  },
});

/** A handler for an operation on the table of the path. */
export const onTable = tables.on;

/** Operations of reference tables and uploads, without rows. */
export const tableOperations: Operations = {
  '/api/v2/reference-tables/tables': tables,
  'tables.upload': beginUpload,
};
