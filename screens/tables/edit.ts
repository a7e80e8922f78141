import { type AttributesOf, ask, type Call, call, type Plan } from '../../src/api/endpoint.ts';
import { problemResult, type Result } from '../../src/api/problem.ts';
import { createTable, listTables, updateTable } from '../../src/api/tables.ts';
import { choiceField, shownWhen, textField, toggleField } from '../../src/describe/field.ts';
import type { One } from '../../src/describe/resource-spec.ts';
import { defineSettings, formOnly, withValues } from '../../src/describe/setting.ts';
import { editing } from '../../src/describe/setting-edits.ts';
import { deleting } from '../../src/describe/standard-actions.ts';
import { capitalized, plural } from '../../src/lib/text.ts';
import { isObject, isSameJson, type JsonObject } from '../../src/lib/values.ts';
import {
  checkPlainName,
  columnsField,
  mayChangeTable,
  type ReferenceTable,
  readColumns,
  readRowCount,
  replacesRows,
  stillLoading,
  tableKind,
  tableNamed,
  tableSourceText,
  tableStatusText,
  tagsField,
} from './kind.ts';

/** The member of `access_details` for each cloud. */
const details = {
  PROVIDER_A: 'provider_a_detail',
  PROVIDER_B: 'provider_b_detail',
  PROVIDER_C: 'provider_c_detail',
} as const;

type Cloud = keyof typeof details;
const clouds = ['PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C'] as const satisfies readonly Cloud[];

/** The cloud that holds the file of a table; undefined for other sources. */
export const findCloud = (row: ReferenceTable): Cloud | undefined =>
  clouds.find((cloud) => cloud === row.attributes.source);

/** Limits a setting to new tables and to tables in the cloud. */
const inCloud = { has: (row: ReferenceTable | undefined) => row === undefined || findCloud(row) !== undefined };

/** Makes a setting of a table. */
const tableSetting = defineSettings(tableKind);

/** A setting of one cloud. All settings of a cloud are required on create (docs/contract/reference-tables.md#create). */
const storageSetting = (cloud: Cloud, label: string, name: string) =>
  tableSetting(
    label,
    `file_metadata.access_details.${details[cloud]}.${name}`,
    (now, row) => {
      const hint = name === 'file_path' ? { placeholder: 'exports/limits.csv' } : {};
      const field = textField(capitalized(label), typeof now === 'string' ? now : '', { required: true, ...hint });
      // One of several clouds is asked.
      const flag = ['file', 'bucket'].includes(label) ? { flag: label } : {};
      return shownWhen(({ source: chosen }) => row !== undefined || chosen === cloud, { ...field, ...flag });
    },
    { has: (row) => row === undefined || findCloud(row) === cloud },
  );

/** The settings of the storage of a table. The form of a new table shows those of the chosen cloud. */
const storage = {
  tenantId: storageSetting('PROVIDER_A', 'tenant ID', 'provider_a_tenant_id'),
  clientId: storageSetting('PROVIDER_A', 'client ID', 'provider_a_client_id'),
  storageAccount: storageSetting('PROVIDER_A', 'storage account', 'provider_a_storage_account_name'),
  container: storageSetting('PROVIDER_A', 'container', 'provider_a_container_name'),
  fileInA: storageSetting('PROVIDER_A', 'file', 'file_path'),
  projectId: storageSetting('PROVIDER_B', 'project ID', 'provider_b_project_id'),
  serviceAccount: storageSetting('PROVIDER_B', 'service account', 'provider_b_service_account_email'),
  bucketInB: storageSetting('PROVIDER_B', 'bucket', 'provider_b_bucket_name'),
  fileInB: storageSetting('PROVIDER_B', 'file', 'file_path'),
  accountId: storageSetting('PROVIDER_C', 'account ID', 'provider_c_account_id'),
  bucketInC: storageSetting('PROVIDER_C', 'bucket', 'provider_c_bucket_name'),
  fileInC: storageSetting('PROVIDER_C', 'file', 'file_path'),
};

/**
 * Whether the service keeps reading the file. Answers leave the member out when it is false
 * (docs/contract/reference-tables.md#table).
 */
export const isSynced = (row: ReferenceTable): boolean => row.attributes.file_metadata?.sync_enabled === true;

/** The setting for reading the file regularly; on for a new table. */
const sync = tableSetting(
  'synchronization',
  'file_metadata.sync_enabled',
  (now, row) =>
    toggleField('Sync with the file', now ?? row === undefined, 'Imports the file again about every 5 minutes'),
  { untold: false, ...inCloud },
);

/** The access details of a table as they were read, unknown members included; empty where there are none. */
export function cloudAccess({ attributes: { source: cloud, file_metadata: file } }: ReferenceTable): JsonObject {
  const member = Object.entries(details).find(([name]) => name === cloud)?.[1];
  const access = member && file?.access_details?.[member];
  return isObject(access) ? access : {};
}

/** The access details for a request: always complete, so that it does not matter whether the service merges or replaces them. */
function accessDetails(row: ReferenceTable): JsonObject | undefined {
  const cloud = findCloud(row);
  return cloud && { [details[cloud]]: cloudAccess(row) };
}

/** The label of a member of the access details; undefined for an unknown member. */
export const cloudLabel = (name: string): string | undefined =>
  Object.values(storage).find(({ path }) => path?.endsWith(`.${name}`))?.label;

const { nameOf } = tableKind;
const description = tableSetting('description', 'description', (now) => textField('Description', now), {
  untold: '',
  omit: 'new',
});
const tags = tableSetting('tags', 'tags', tagsField, { untold: [], omit: 'new', isSet: true });

/** The settings of an existing table. */
const settings = {
  description,
  tags,
  ...storage,
  sync,
  columns: tableSetting(
    'columns',
    'schema.fields',
    (_, row) => {
      const names = row ? readColumns(row).map(({ name }) => name) : [];
      return columnsField('New columns', names, false, 'Added from the file; they cannot be removed');
    },
    { ...inCloud, isSet: true, put: (added, now) => [...(Array.isArray(now) ? now : []), ...added] },
  ),
};

type Changes = AttributesOf<typeof updateTable>;

const fieldsOf = (attributes: Pick<Changes, 'schema'> | ReferenceTable['attributes']): readonly unknown[] =>
  attributes.schema?.fields ?? [];

/** Whether a change makes the service read the file again. */
const rereadsFile = (before: ReferenceTable, after: ReferenceTable): boolean =>
  !isSameJson(accessDetails(before), accessDetails(after)) ||
  fieldsOf(after.attributes).length > fieldsOf(before.attributes).length;

/**
 * The call that changes a table; undefined where nothing remains to send. New columns are sent with the storage that they
 * are read from. Columns cannot be removed, so undo sends none (docs/contract/reference-tables.md#edit).
 */
function patch(id: string, changes: Changes, before: ReferenceTable): Call | undefined {
  const { schema, file_metadata: _, ...others } = changes;
  const after: ReferenceTable = { ...before, attributes: { ...before.attributes, ...changes } };
  const hasNewColumns = fieldsOf(changes).length > fieldsOf(before.attributes).length;
  const file = {
    ...(rereadsFile(before, after) && { access_details: accessDetails(after) }),
    ...(isSynced(after) !== isSynced(before) && { sync_enabled: isSynced(after) }),
  };
  const attributes = {
    ...others,
    ...(Object.keys(file).length > 0 && { file_metadata: file }),
    ...(hasNewColumns && { schema }),
  };
  if (Object.keys(attributes).length === 0) return undefined;
  return call(updateTable, { id, body: { data: { type: 'reference_table', attributes } } });
}

const edits = editing({
  kind: tableKind,
  settings,
  uses: [updateTable],
  enabled: mayChangeTable,
  fixed: {
    'file_metadata.upload_id': 'x: replace the rows from a local file',
    'schema.primary_keys': 'set when the table is created',
  },
  patch,
  rereads: true,
  says: (row) => (stillLoading(row) ? `; importing the file again (${tableStatusText(row)})` : ''),
});

export const { comparable } = edits;

/** `e`: description and tags, and the storage of a table in the cloud. Name, source and key cannot be changed. */
export const editAction = edits.edit({
  id: 'tables.edit',
  help: 'Edit description, tags, storage and new columns; name, source and primary key are fixed',
  confirm([row], values) {
    if (!row) return undefined;
    const after: ReferenceTable = { ...row, attributes: withValues(settings, row.attributes, values) };
    if (!rereadsFile(row, after)) return undefined;
    const columns = (values.columns ?? []).map(({ name }) => name);
    return {
      question: `Import the file of ${nameOf(row)} again?`,
      details: [
        replacesRows,
        ...(columns.length > 0 ? [`New columns cannot be removed again: ${columns.join(', ')}`] : []),
      ],
    };
  },
});

/** The settings of a new table in cloud storage. */
const creates = editing({
  kind: tableKind,
  settings: {
    name: tableSetting('name', 'table_name', (now) =>
      textField('Table', now, { required: true, check: checkPlainName('Table'), hint: 'Cannot be changed later' }),
    ),
    source: tableSetting('storage', 'source', (now, _, context) =>
      choiceField(
        'Storage',
        now ?? clouds[0],
        clouds.map((cloud) => {
          const label = tableSourceText(cloud, context);
          return { value: cloud, label, word: label };
        }),
        'Requires an integration with that cloud',
      ),
    ),
    ...storage,
    sync,
    columns: tableSetting('columns', 'schema.fields', () =>
      columnsField('Columns', [], true, 'As in the first line of the file; integers as name:INT32'),
    ),
    key: formOnly('primary key', () =>
      textField('Primary key', '', { check: checkPlainName('Primary key'), hint: 'Empty = the first column' }),
    ),
    description,
    tags,
  },
  uses: [],
  tidy(attributes, { key, columns = [] }) {
    const primary = key || (columns[0]?.name ?? '');
    return { ...attributes, schema: { ...attributes.schema, primary_keys: [primary] } };
  },
});

/** Creates the table, then looks it up by its name, since the answer is empty (docs/contract/reference-tables.md#operations). */
function* createAndFind(attributes: AttributesOf<typeof createTable>): Plan<Result<One | undefined>> {
  const { table_name: name, schema } = attributes;
  const [key = ''] = schema.primary_keys;
  if (!schema.fields.some((column) => column.name === key))
    return problemResult('invalid', `Primary key: ${key} is not one of the columns`);
  const made = yield* ask(call(createTable, { body: { data: { type: 'reference_table', attributes } } }));
  if (!made.ok) return made;
  const found = yield* tableNamed(name);
  return { ...made, value: found.ok ? { data: found.value } : undefined };
}

/** `n`: a new table from a file in cloud storage. */
export const newAction = creates.make({
  id: 'tables.create',
  noun: 'table from cloud storage',
  help: 'Create a table from a file in cloud storage',
  brief: 'Create a table from a file in cloud storage',
  uses: [createTable, listTables],
  create: createAndFind,
  says: (row) => (row.id === '' ? '' : `; importing its file (${tableStatusText(row)})`),
});

/** `d`: deletes the table and its rows for good, so the name is typed first. */
export const deleteAction = deleting({
  id: 'tables.delete',
  kind: tableKind,
  help: 'Delete the table and its rows; lookups against it stop working',
  enabled: mayChangeTable,
  details(row, rows) {
    const counts = rows.map((table) => readRowCount(table) ?? Number.NaN);
    const sum = counts.reduce((all, count) => all + count, 0);
    const [tables, their] = row ? ['the table', 'its'] : ['the tables', 'their'];
    return [
      `Deletes ${tables} with ${Number.isNaN(sum) ? `all ${their} rows` : `${their} ${plural(sum, 'row')}`}`,
      `Cannot be undone. Lookups against ${row ? 'this table' : 'these tables'} will stop working`,
    ];
  },
});
