import { createTable, createUpload, getTable, isFinal, listTables, updateTable } from '../../src/api/tables.ts';
import { type JobAction, jobAction, quoteWord } from '../../src/describe/action.ts';
import { following, listField, textField, toggleField } from '../../src/describe/field.ts';
import { checkPlainName, mayChangeTable, type ReferenceTable, replacesRows, tableKind, tagsField } from './kind.ts';

const { nameOf } = tableKind;

/** The last part of a path. */
const fileName = (path: string): string => path.split('/').at(-1) ?? path;

/** A name for the table of a CSV file: `vat_rates_2026` of `~/VAT rates-2026.csv`; empty while the path is another one. */
export function toTableName(path: string): string {
  const stem = /^(.+)\.csv$/i.exec(fileName(path.trim()))?.[1] ?? '';
  return stem
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 56);
}

const fileField = (label: string) =>
  textField(label, '', {
    required: true,
    isPath: true,
    placeholder: '~/routes.csv',
    hint: 'A local CSV file, up to 200 MB',
  });

/** `n`: creates a table from a local CSV file: the file is checked, sent in parts, and followed until the service has read it. */
export const uploadAction = jobAction({
  id: 'tables.upload-file',
  key: 'n',
  on: 'list',
  main: true,
  title: 'upload file',
  help: 'Create a table from a local CSV file: checks it, uploads it in parts, and follows the import',
  uses: [createUpload, createTable, listTables, getTable],
  form: (_: ReferenceTable | undefined) => ({
    file: fileField('File'),
    table: following(
      ({ file = '' }) => toTableName(file),
      textField('Table', '', { required: true, check: checkPlainName('Table'), hint: 'Cannot be changed later' }),
    ),
    key: {
      ...textField('Primary key', '', { hint: 'Column with the key of each row; empty = the first column' }),
      columnsOf: 'file',
    },
    numbers: {
      ...listField('Integer columns', [], {
        hint: 'Comma-separated; all other columns are text',
      }),
      columnsOf: 'file',
      severalColumns: true,
    },
    description: textField('Description', ''),
    tags: tagsField([]),
  }),
  confirm: (_, values) => ({
    question: `Upload ${fileName(values.file)} as table ${values.table}?`,
    details: [
      'The file is checked before anything is sent',
      'While it runs, c cancels it. A table that it has created stays: d deletes it',
    ],
  }),
  job: (_, { file, table, key, numbers, description, tags }) => ({
    kind: 'upload',
    title: `Upload ${fileName(file)} as ${table}`,
    after: `${table} is selected in the list`,
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
    ['orgdeck tables upload', quoteWord(file), '--name', quoteWord(table)]
      .concat(key === '' ? [] : ['--key', quoteWord(key)])
      .concat(tags.flatMap((tag) => ['--tag', quoteWord(tag)]))
      .join(' '),
});

/** Replaces the rows of a table by those of a local CSV file. */
export const reloadAction = jobAction({
  id: 'tables.reload',
  title: 'replace rows',
  preposition: 'of',
  help: 'Replace all rows from a local CSV file; it must have every column of the table, new ones are added',
  uses: [createUpload, updateTable, getTable],
  bulk: false,
  enabled(row: ReferenceTable, context) {
    const { source, status } = row.attributes;
    const may = mayChangeTable(row, context);
    if (may !== true) return may;
    if (source != null && source !== 'LOCAL_FILE') return 'its file is in cloud storage: edit it with e';
    return isFinal(status) || 'still importing: wait until it is done';
  },
  line: { asks: 'form', fields: () => ({ file: fileField('File') }) },
  form: (_: ReferenceTable) => ({ file: fileField('File') }),
  confirm: (rows, values) => ({
    question: `Replace the rows of ${rows[0] ? nameOf(rows[0]) : ''} with ${fileName(values.file)}?`,
    details: [replacesRows, 'Cannot be undone: keep the file that it was created from'],
    destructive: true,
  }),
  job: (row, { file }) => ({
    kind: 'upload',
    title: `Load ${fileName(file)} into ${nameOf(row)}`,
    values: { file, table: nameOf(row), id: row.id },
  }),
});

interface Choice {
  readonly what: 'resume' | 'abandon';
}

/** Goes on with an upload that an earlier run has left unfinished, starts it again, or forgets it. */
export const resumeAction: JobAction<ReferenceTable, Choice> = {
  id: 'tables.resume',
  on: 'list',
  title: 'interrupted upload',
  help: 'Continue an interrupted upload if all its parts arrived, else start it again; or discard it',
  uses: [createUpload, createTable, updateTable, listTables, getTable],
  ready: (context) => (context.unfinished ?? []).length > 0 || 'no upload was interrupted',
  offers: ({ unfinished }) => unfinished?.[0] && `Interrupted upload of ${unfinished[0].says}`,
  line: {
    asks: 'flags',
    fields: () => ({ abandon: toggleField('Abandon', false, 'Discard it instead') }),
    values: (read: { abandon: boolean }) => ({ ok: true, value: { what: read.abandon ? 'abandon' : 'resume' } }),
  },
  bar: (_, context) => ({
    title: context.unfinished?.[0]?.says ?? 'No interrupted upload',
    choices: [
      { key: 'r', title: context.unfinished?.[0]?.goesOn ? 'go on' : 'start again', values: { what: 'resume' } },
      { key: 'a', title: 'abandon', values: { what: 'abandon' } },
    ],
    values: { what: 'resume' },
  }),
  job(_, { what }, context) {
    const first = context.unfinished?.[0];
    return first?.[what] ?? { kind: 'abandon-upload', title: 'No interrupted upload', values: {} };
  },
};
