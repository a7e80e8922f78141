import { call } from '../../src/api/endpoint.ts';
import { createTable, deleteTable, getTable, listTables, updateTable } from '../../src/api/tables.ts';
import { action } from '../../src/describe/action.ts';
import { callCommand } from '../../src/describe/command.ts';
import type { Context } from '../../src/describe/context.ts';
import { changedOnly, type Fields, shownWhen, textField } from '../../src/describe/field.ts';
import { plural } from '../../src/lib/text.ts';
import { cloudOf, newAccess, ownAccess, syncField } from './access.ts';
import { columnsOf, countOf, mayChange, nameOf, statusOf, stillLoading, type TableRow } from './row.ts';
import { columnsField, plain, tagsField } from './schema.ts';
import {
  changed,
  changesOf,
  changing,
  createCall,
  creating,
  isSynced,
  newTable,
  patch,
  readsAgain,
  reverse,
} from './write.ts';

/** A form whose storage fields differ from table to table. */
type Values = Readonly<Record<string, unknown>>;

function editFields(row: TableRow): Fields {
  const isCloud = cloudOf(row) !== undefined;
  const inCloud = () => isCloud;
  const names = columnsOf(row).map((it) => it.name);
  return {
    description: changedOnly(textField('description', row.attributes.description)),
    tags: changedOnly(tagsField(row.attributes.tags ?? [])),
    ...ownAccess(row),
    sync: changedOnly(shownWhen(inCloud, syncField(isSynced(row)))),
    columns: changedOnly(
      shownWhen(inCloud, columnsField('new columns', names, false, 'added and read from the file; they stay for good')),
    ),
  };
}

/** What a table is now, as its last read told. */
const told = (row: TableRow, answer: unknown): TableRow => (answer as TableRow | undefined) ?? row;

/** What follows a change: a table that is being read, or nothing worth a word. */
const after = (row: TableRow): string => (stillLoading(row) ? `; the service reads it again (${statusOf(row)})` : '');

/** `e`: description and tags; of a table in cloud storage also where its file lies. Name, source and key are fixed. */
export const editAction = action<TableRow, Values>({
  id: 'tables.edit',
  key: 'e',
  main: true,
  title: 'edit',
  help: 'description, tags, storage and new columns; a name, a source and a primary key cannot be changed',
  uses: [getTable, updateTable],
  bulk: false,
  reviews: true,
  enabled: mayChange,
  form: (row) => editFields(row),
  confirm(rows, values) {
    const [row] = rows;
    if (!row) return undefined;
    const changes = changesOf(row, values);
    if (!readsAgain(changes)) return undefined;
    const columns = (changes.columns ?? []).map((it) => it.name);
    return {
      question: `have ${nameOf(row)} read again?`,
      details: [
        'rows whose key is missing in the file are removed',
        ...(columns.length > 0 ? [`new columns cannot be taken back: ${columns.join(', ')}`] : []),
      ],
    };
  },
  send: (row, values) => changing(row, changesOf(row, values)),
  show: (row, values) => changed(row, changesOf(row, values)),
  truth: (row, answer) => told(row, answer),
  done(row, _, answer) {
    const now = told(row, answer);
    return `saved ${nameOf(now)}${answer === undefined ? '; what it is now could not be read' : after(now)}`;
  },
  undo(before, values) {
    const back = reverse(before, changesOf(before, values));
    return Object.keys(back).length === 0 ? [] : [patch(before, back)];
  },
  command: (row, values) => callCommand(patch(row, changesOf(row, values))),
});

/** The form of a new table in cloud storage. */
function newFields(context: Context): Fields {
  return {
    name: textField('table', '', { required: true, check: plain('table'), hint: 'it cannot be changed later' }),
    ...newAccess(context),
    columns: columnsField('columns', [], true, 'as the first line of the file has them; whole numbers as name:INT32'),
    key: textField('primary key', '', { check: plain('primary key'), hint: 'the first column when empty' }),
    description: textField('description', ''),
    tags: tagsField([]),
  };
}

/** `n`: a table whose file lies in cloud storage. */
export const newAction = action<TableRow, Values>({
  id: 'tables.new',
  key: 'n',
  on: 'list',
  title: 'new from the cloud',
  help: 'a table from a file in cloud storage; U takes a file of this machine',
  uses: [createTable, listTables, deleteTable],
  form: (_, context) => newFields(context),
  send: (_, values) => creating(newTable(values)),
  made: (answer) => (answer as TableRow | undefined)?.id,
  done(_, values, answer) {
    const { name } = newTable(values);
    const row = answer as TableRow | undefined;
    return row
      ? `created ${nameOf(row)}; the service reads its file (${statusOf(row)})`
      : `created ${name}; the service does not list it yet`;
  },
  undo(_, __, answer) {
    const id = (answer as TableRow | undefined)?.id;
    return id === undefined ? [] : [call(deleteTable, { id })];
  },
  command: (_, values) => callCommand(createCall(newTable(values))),
});

/** What has to be typed: the name where a keyboard has it, else the id. */
function typedName(row: TableRow): string {
  const name = row.attributes.table_name ?? '';
  return /^[\x21-\x7e]{1,60}$/.test(name) ? name : row.id;
}

/** `d`: gone for good, with its rows, so the name is typed. */
export const deleteAction = action<TableRow>({
  id: 'tables.delete',
  key: 'd',
  title: 'delete',
  help: 'delete the table and its rows; what looks things up in it finds nothing any more',
  uses: [deleteTable],
  enabled: mayChange,
  confirm(rows) {
    const [row] = rows;
    const single = rows.length === 1 && row !== undefined;
    const count = single ? countOf(row) : undefined;
    return {
      question: single ? `delete table ${nameOf(row)}?` : `delete ${plural(rows.length, 'table')}?`,
      details: [
        count === undefined
          ? 'their rows go with it'
          : `${plural(count, 'row')} ${count === 1 ? 'goes' : 'go'} with it`,
        'it cannot be brought back',
      ],
      destructive: true,
      typed: single ? typedName(row) : String(rows.length),
    };
  },
  send: (row) => call(deleteTable, { id: row.id }),
  removes: true,
  done: (row) => `deleted ${nameOf(row)}`,
  command: (row) => callCommand(call(deleteTable, { id: row.id })),
});
