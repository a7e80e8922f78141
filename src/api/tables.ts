import * as v from 'valibot';
import { operationsOf } from './endpoint.ts';
import {
  createBody,
  fields,
  flag,
  id,
  int,
  many,
  moment,
  name,
  nothing,
  offsetPages,
  one,
  placed,
  queryOf,
  removesMember,
  resource,
  resourceOperations,
  resourceRef,
  searchTerms,
  text,
} from './envelope.ts';

/** What a bulk upload gives: its id and one pre-signed URL a part, dead after 5 minutes (docs/contract/reference-tables.md#upload). */
const upload = resource('upload', { table_name: text, part_urls: v.array(text) });

const access = fields({
  provider_a_detail: fields({
    provider_a_client_id: text,
    provider_a_container_name: text,
    provider_a_storage_account_name: text,
    provider_a_tenant_id: text,
    file_path: text,
  }),
  provider_b_detail: fields({
    provider_b_bucket_name: text,
    provider_b_project_id: text,
    provider_b_service_account_email: text,
    file_path: text,
  }),
  provider_c_detail: fields({ provider_c_account_id: text, provider_c_bucket_name: text, file_path: text }),
});
const fieldType = searchTerms('STRING', 'INT32');
const schema = fields({ fields: v.array(fields({ name: text, type: fieldType })), primary_keys: v.array(text) });
/** Where the data of a table comes from. */
export const tableSource = placed('tables.source', searchTerms('LOCAL_FILE', 'PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'));

/** Processing state of a table; deployments may send other words. */
export const tableStatus = searchTerms('INITIALIZED', 'PROCESSING', 'DONE', 'DONE_WITH_ERRORS', 'ERROR');

/** A reference table. `INITIALIZED` and `PROCESSING` are not final (docs/contract/reference-tables.md#table). */
export const table = resource('reference_table', {
  table_name: text,
  description: text,
  source: tableSource,
  status: tableStatus,
  row_count: int,
  schema,
  tags: v.array(text),
  created_by: text,
  last_updated_by: text,
  updated_at: moment,
  file_metadata: fields({
    access_details: access,
    sync_enabled: flag,
    error_message: text,
    error_row_count: int,
    error_type: searchTerms(
      'TABLE_SCHEMA_ERROR',
      'FILE_FORMAT_ERROR',
      'CONFIGURATION_ERROR',
      'QUOTA_EXCEEDED',
      'CONFLICT_ERROR',
      'VALIDATION_ERROR',
      'STATE_ERROR',
      'OPERATION_ERROR',
      'SYSTEM_ERROR',
    ),
  }),
});

/** A row; its id is the value of the primary key. Its values are named by the table's columns. */
export const row = resource('row', { values: v.record(v.string(), v.unknown()) });

/** At most 20 parts, each but the last at least 5,000,000 bytes (docs/contract/reference-tables.md#upload). */
const uploadNew = createBody('upload', {
  table_name: name,
  headers: v.pipe(v.array(text), v.minLength(1), v.maxLength(200)),
  part_count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(20)),
  part_size: v.pipe(v.number(), v.integer(), v.minValue(1)),
});

const schemaSent = v.looseObject({
  fields: v.array(v.looseObject({ name, type: fieldType })),
  primary_keys: v.pipe(v.array(text), v.length(1, 'exactly one primary key')),
});
const metadata = v.looseObject({
  upload_id: v.optional(text),
  access_details: v.optional(access),
  sync_enabled: v.optional(flag),
});
const details = { description: v.optional(text), tags: v.optional(v.array(text)), file_metadata: v.optional(metadata) };

/** Most keys that one read of rows takes (docs/contract/reference-tables.md#rows); more are split by who asks. */
const maxKeys = 250;

/**
 * What a name of a table or a column must look like, so that the service keeps it as it is
 * (docs/contract/reference-tables.md#names-and-limits).
 */
export const plainName = /^[a-z][a-z0-9_]{0,55}$/;

/**
 * A name as the service keeps it: lower case, one `_` for each other character, leading non-letters dropped. Undefined
 * when nothing is left or it is longer than 56 (docs/contract/reference-tables.md#names-and-limits).
 */
export function normalName(typed: string): string | undefined {
  const normal = typed
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]/g, '_')
    .replace(/^[^a-z]+/, '');
  return normal === '' || normal.length > 56 ? undefined : normal;
}

/** Whether the state of a table is final; unknown words count as final. */
export function isFinal(status: string | null | undefined): boolean {
  return status !== 'INITIALIZED' && status !== 'PROCESSING';
}

const base = '/api/v2/reference-tables/tables';
const oneTable = `${base}/{id}` as const;
const rows = `${oneTable}/rows` as const;

const ofTables = resourceOperations({
  path: base,
  item: 'id',
  responses: { list: many(table), single: one(table) },
  of: 'reference_table',
  reading: ['reference_tables_read'],
  editing: ['reference_tables_write'],
  origin: 'addition',
  source: 'docs/contract/reference-tables.md#table',
});

/** Plan the parts first: the URLs cannot be renewed. */
export const createUpload = ofTables.endpoint({
  id: 'tables.upload',
  title: 'Start an upload of CSV data in parts',
  verb: 'create',
  of: 'upload',
  path: '/api/v2/reference-tables/uploads',
  origin: 'spec',
  body: uploadNew,
  response: one(upload),
  secrets: ['data.attributes.part_urls'],
  source: 'docs/contract/reference-tables.md#upload',
});

/** Answers 201 with an empty body: find the table by its name afterward. */
export const createTable = ofTables.endpoint({
  id: 'tables.create',
  title: 'Create a reference table',
  verb: 'create',
  path: base,
  origin: 'spec',
  body: createBody('reference_table', { table_name: name, schema: schemaSent, source: tableSource, ...details }),
  response: nothing,
  source: 'docs/contract/reference-tables.md#operations',
});

/** Page until an answer is shorter than the limit: `next_offset` is filled even at the end. */
export const listTables = ofTables.list({
  id: 'tables.list',
  title: 'List reference tables',
  query: queryOf({
    ...offsetPages,
    sort: searchTerms('updated_at', '-updated_at', 'table_name', '-table_name', 'status', '-status'),
    'filter[status]': text,
    'filter[table_name][exact]': text,
    'filter[table_name][contains]': text,
  }),
});

export const getTable = ofTables.get({ id: 'tables.get', title: 'Show one reference table', origin: 'spec' });

/** New data prunes: keys that are missing from the file are removed. The body has no id; the answer is empty. */
export const updateTable = ofTables.endpoint({
  id: 'tables.update',
  title: 'Edit a reference table, or import new data',
  verb: 'update',
  touches: ['row'],
  method: 'PATCH',
  path: oneTable,
  repeat: 'replace',
  readBack: 'tables.get',
  body: createBody('reference_table', { schema: v.optional(schemaSent), ...details }),
  response: nothing,
  source: 'docs/contract/reference-tables.md#edit',
});

export const deleteTable = ofTables.delete({
  id: 'tables.delete',
  title: 'Delete a reference table and its rows',
  touches: ['row'],
  source: 'docs/contract/reference-tables.md#edit',
});

const ofRows = operationsOf({
  of: 'row',
  reading: ['reference_tables_read'],
  editing: ['reference_tables_write'],
  origin: 'addition',
  source: 'docs/contract/reference-tables.md#rows',
});

/** At most 250 keys a call. A 404 with `data` says that none was found, which is no error. */
export const readRows = ofRows.endpoint({
  id: 'tables.rows',
  title: 'Read rows of a table by primary key',
  verb: 'search',
  path: rows,
  origin: 'spec',
  query: v.object({
    row_id: v.pipe(v.array(id), v.minLength(1), v.maxLength(maxKeys, `at most ${maxKeys} keys at once`)),
  }),
  repeated: ['row_id'],
  response: many(row),
});

/** A token stays on one snapshot. No `links.next` is the end. */
export const listRows = ofRows.endpoint({
  id: 'tables.list-rows',
  title: 'List all rows of a table',
  verb: 'list',
  path: `${rows}/list`,
  query: queryOf({ 'page[limit]': int, 'page[continuation_token]': text }),
  response: v.looseObject({ ...many(row).entries, links: v.nullish(fields({ self: text, first: text, next: text })) }),
});

/** 1 to 200 rows. 409 and 412 pass: try once more after a while. Rows become readable with a delay. */
export const upsertRows = ofRows.endpoint({
  id: 'tables.upsert-rows',
  title: 'Write rows into a table',
  verb: 'act',
  touches: ['reference_table'],
  method: 'POST',
  path: rows,
  repeat: 'replace',
  body: v.looseObject({
    data: v.pipe(
      v.array(
        v.looseObject({
          ...resourceRef('row').entries,
          attributes: v.looseObject({ values: v.record(v.string(), v.union([v.string(), v.number()])) }),
        }),
      ),
      v.minLength(1),
      v.maxLength(200),
    ),
  }),
  response: nothing,
});

/** A DELETE with a body of 1 to 200 rows; unknown keys change nothing. */
export const deleteRows = ofRows.endpoint({
  id: 'tables.delete-rows',
  title: 'Delete rows of a table',
  ...removesMember,
  touches: ['reference_table'],
  path: rows,
  body: v.looseObject({ data: v.pipe(v.array(resourceRef('row')), v.minLength(1), v.maxLength(200)) }),
  response: nothing,
});

/** A POST that only reads; the rows that were found are in `included`. */
export const queryRows = ofRows.endpoint({
  id: 'tables.query-rows',
  title: 'Read rows of a table by primary key, in one request',
  verb: 'search',
  method: 'POST',
  path: '/api/v2/reference-tables/queries/batch-rows',
  body: createBody('reference-tables-batch-rows-query', { table_id: text, row_ids: v.array(text) }),
  response: v.looseObject({
    data: v.nullish(v.looseObject({ id: v.nullish(id), relationships: v.nullish(v.looseObject({})) })),
    included: v.nullish(v.array(row)),
  }),
});

/** Every operation on reference tables. */
export const tableEndpoints = [...ofTables.all, ...ofRows.all];
