import { type AttributesOf, type Call, call } from '../../src/api/endpoint.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import { problemResult, type Result } from '../../src/api/problem.ts';
import { createTable, listTables, updateTable } from '../../src/api/tables.ts';
import { deleting } from '../../src/describe/delete-action.ts';
import { textField } from '../../src/describe/field.ts';
import type { One } from '../../src/describe/resource-spec.ts';
import { formOnly, withValues } from '../../src/describe/setting.ts';
import { editing } from '../../src/describe/setting-edits.ts';
import { isSameJson } from '../../src/lib/merge.ts';
import { plural } from '../../src/lib/text.ts';
import { accessDetails, inCloud, isSynced, storage, storageChoice, sync, tableSetting } from './cloud-storage.ts';
import { checkPlainName, columnsField, tagsField } from './fields.ts';
import {
  mayChangeTable,
  type ReferenceTable,
  readColumns,
  readRowCount,
  replacesRows,
  stillLoading,
  tableKind,
  tableStatusText,
} from './kind.ts';
import { tableNamed } from './load.ts';

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
    source: storageChoice,
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
