import { createTable, createUpload, getTable, isFinal, listTables, updateTable } from '../../src/api/tables.ts';
import { action, sendsNothing } from '../../src/describe/action.ts';
import { quoted } from '../../src/describe/command.ts';
import { listField, textField } from '../../src/describe/field.ts';
import { checkPlainName, tagsField } from './fields.ts';
import { mayChange, type TableRow, tableKind } from './kind.ts';

const { nameOf } = tableKind;

/** The last part of a path. */
const fileName = (path: string): string => path.split('/').at(-1) ?? path;

const fileField = (label: string) =>
  textField(label, '', {
    required: true,
    placeholder: '~/routes.csv',
    hint: 'a CSV file of this machine, 200 MB at most',
  });

/** `U`: creates a table from a local CSV file: the file is checked, sent in parts, and followed until the service has read it. */
export const uploadAction = action({
  id: 'tables.upload-file',
  key: 'U',
  on: 'list',
  main: true,
  title: 'upload a file',
  help: 'a CSV file of this machine as a new table: it is checked, sent in parts, and followed until the service has read it',
  uses: [createUpload, createTable, listTables, getTable],
  form: (_: TableRow | undefined) => ({
    file: fileField('file'),
    table: textField('table', '', {
      required: true,
      check: checkPlainName('table'),
      hint: 'it cannot be changed later',
    }),
    key: textField('primary key', '', { hint: 'the column whose value is the id of a row; the first one when empty' }),
    numbers: listField('whole numbers', [], {
      hint: 'columns that hold them, separated by commas; all others are text',
    }),
    description: textField('description', ''),
    tags: tagsField([]),
  }),
  confirm: (_, values) => ({
    question: `upload ${fileName(values.file)} as table ${values.table}?`,
    details: [
      'the file is checked before anything is sent',
      'c calls it off at any time; a table that was made stays: d deletes it',
    ],
  }),
  send: sendsNothing,
  done: () => '',
  job: (_, { file, table, key, numbers, description, tags }) => ({
    kind: 'upload',
    title: `upload ${fileName(file)} as ${table}`,
    values: {
      file,
      table,
      types: Object.fromEntries(numbers.map((name) => [name, 'INT32'])),
      ...(key === '' ? {} : { key }),
      ...(description === '' ? {} : { description }),
      ...(tags.length === 0 ? {} : { tags }),
    },
  }),
  command: (_, { file, table, key, tags }) =>
    ['orgdeck tables upload', quoted(file), '--name', quoted(table)]
      .concat(key === '' ? [] : ['--key', quoted(key)])
      .concat(tags.flatMap((tag) => ['--tag', quoted(tag)]))
      .join(' '),
});

/** `L`: replaces the rows of a table by those of a local CSV file. */
export const reloadAction = action({
  id: 'tables.reload',
  key: 'L',
  title: 'load new rows',
  help: 'a CSV file takes the place of the rows; new columns are added, those of the table must all be there',
  uses: [createUpload, updateTable, getTable],
  bulk: false,
  enabled(row: TableRow, context) {
    const { source, status } = row.attributes;
    if (source != null && source !== 'LOCAL_FILE')
      return mayChange(row, context) === true ? 'its file lies in the cloud: e says where' : mayChange(row, context);
    return isFinal(status) || 'it is still being read: wait until it is done';
  },
  form: (_: TableRow) => ({ file: fileField('file') }),
  confirm: (rows, values) => ({
    question: `replace the rows of ${rows[0] ? nameOf(rows[0]) : ''} by ${fileName(values.file)}?`,
    details: [
      'rows whose key is missing in the file are removed',
      'there is no way back: keep the file it was made of',
    ],
    destructive: true,
  }),
  send: sendsNothing,
  done: () => '',
  job: (row, { file }) => ({
    kind: 'upload',
    title: `load ${fileName(file)} into ${nameOf(row)}`,
    values: { file, table: nameOf(row), id: row.id },
  }),
});

interface Choice {
  readonly what: 'resume' | 'abandon';
}

/** `R`: resumes or abandons an upload that an earlier run has left unfinished. */
export const resumeAction = action<TableRow, Choice>({
  id: 'tables.resume',
  key: 'R',
  on: 'list',
  title: 'interrupted upload',
  help: 'go on with an upload that an earlier run has left behind, or forget it',
  uses: [createUpload, createTable, updateTable, listTables, getTable],
  ready: (context) => (context.unfinished ?? []).length > 0 || 'no upload was interrupted',
  bar: (_, context) => ({
    title: context.unfinished?.[0]?.says ?? 'no upload was interrupted',
    choices: [
      { key: 'r', title: 'resume', values: { what: 'resume' } },
      { key: 'a', title: 'abandon', values: { what: 'abandon' } },
    ],
    values: { what: 'resume' },
  }),
  send: sendsNothing,
  done: () => '',
  job(_, { what }, context) {
    const first = context.unfinished?.[0];
    return first?.[what] ?? { kind: 'abandon-upload', title: 'nothing was interrupted', values: {} };
  },
});
