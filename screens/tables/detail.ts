import type { AnySchema } from '../../src/api/endpoint.ts';
import { anything } from '../../src/api/envelope.ts';
import { table as tableSchema } from '../../src/api/tables.ts';
import { gap, head, type Line, pair, type SubRow, subColumn, type Tab, text } from '../../src/describe/column.ts';
import type { Context } from '../../src/describe/context.ts';
import { inWords, memberName } from '../../src/describe/naming.ts';
import { known, nameless } from '../../src/describe/people.ts';
import type { Detail } from '../../src/describe/screen.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import { count, plural } from '../../src/lib/text.ts';
import { absolute } from '../../src/lib/time.ts';
import { accessOf, cloudOf, clouds } from './access.ts';
import { changedAt } from './columns.ts';
import { wholeRow, wholeTable } from './load.ts';
import {
  type CellsRow,
  cellNames,
  cellOf,
  columnsOf,
  countOf,
  keyOf,
  mayChange,
  nameOf,
  refusedOf,
  sourceOf,
  statusOf,
  statusTone,
  type TableRow,
} from './row.ts';
import { isSynced } from './write.ts';

const raw = (schema: AnySchema, it: unknown, context: Context): Tab => ({
  kind: 'lines',
  id: 'raw',
  title: 'raw',
  lines: stringifyExact(inWords(schema, it, context), 2)
    .split('\n')
    .map((line) => text(line)),
});

/** What Enter shows of a table: its state, its columns, and what was read. */
export const tableDetail: Detail<TableRow> = {
  load: wholeTable,
  inside: { get: (whole: TableRow) => whole, set: (_, row) => row },
  tabs(row, whole: TableRow | undefined, context) {
    const it = whole ?? row;
    const columns = columnsOf(it);
    return [
      { kind: 'lines', id: 'table', title: 'table', lines: overview(it, context) },
      {
        kind: 'rows',
        id: 'columns',
        title: `columns ${columns.length}`,
        empty: 'the service tells no columns',
        columns: [
          subColumn({ id: 'name', title: 'COLUMN', min: 20, share: 2, priority: 1 }),
          subColumn({ id: 'type', title: 'TYPE', min: 10, priority: 1 }),
          subColumn({ id: 'key', title: 'KEY', min: 12, priority: 2 }),
        ],
        rows: columns.map(
          ({ name, type }): SubRow => ({
            id: name,
            cells: { name, type, key: name === keyOf(it) ? 'primary key' : '' },
            tones: { type: 'dim', key: 'info' },
          }),
        ),
      },
      raw(tableSchema, { id: it.id, attributes: it.attributes }, context),
    ];
  },
  preview: (row) => [head(nameOf(row)), ...meaning(row), gap, text(row.attributes.description ?? '')],
};

/** Its state in words, with what went wrong. */
function meaning(row: TableRow): readonly Line[] {
  const rows = countOf(row);
  const refused = refusedOf(row);
  const { error_message: message, error_type: type } = row.attributes.file_metadata ?? {};
  const why = [type, message].filter(Boolean).join(': ');
  return [
    pair('state', statusOf(row), statusTone(row)),
    pair('rows', rows === undefined ? undefined : count(rows)),
    ...(refused > 0 ? [text(`${plural(refused, 'row')} of the file could not be read`, 'warn')] : []),
    ...(why === '' ? [] : [text(why, 'bad')]),
  ];
}

function overview(row: TableRow, context: Context): readonly Line[] {
  const { attributes } = row;
  const at = changedAt(row);
  const may = mayChange(row, context);
  return [
    ...meaning(row),
    gap,
    text(attributes.description || 'no description', attributes.description ? 'plain' : 'dim'),
    gap,
    pair('primary key', keyOf(row)),
    pair('columns', columnsOf(row).length || undefined),
    pair('from', sourceOf(row, context)),
    ...storage(row, context),
    pair('tags', (attributes.tags ?? []).join(' ')),
    pair('may change', may === true ? 'yes' : `no: ${may}`),
    pair('made by', who(attributes.created_by, context)),
    pair('changed', at === undefined ? undefined : absolute(at, context.zone)),
    pair('changed by', who(attributes.last_updated_by, context)),
    pair('id', row.id),
    ...row.unread.slice(0, 3).map((it) => text(`could not be read: ${it}`, 'warn')),
  ];
}

/** Where its file lies, for a table in cloud storage; what is not known here under the service's name. */
function storage(row: TableRow, context: Context): readonly Line[] {
  const cloud = cloudOf(row);
  if (cloud === undefined) return [];
  const labels = new Map(clouds[cloud].fields);
  const told = Object.entries(accessOf(row)).filter(([, value]) => value != null && typeof value !== 'object');
  return [
    ...told.map(([name, value]) =>
      pair(labels.get(name) ?? memberName(name, context).replaceAll('_', ' '), String(value)),
    ),
    pair('kept in step', isSynced(row) ? 'yes, every 5 minutes or so' : 'no'),
  ];
}

/** A person by name where known here; built by the service where nobody is named. */
function who(id: string | null | undefined, context: Context): string {
  return id ? (known(id, context)?.name ?? nameless(id)) : '';
}

/** What Enter shows of a row. */
export const rowDetail: Detail<CellsRow> = {
  load: wholeRow,
  inside: { get: (whole: CellsRow) => whole, set: (_, row) => row },
  tabs(row, whole: CellsRow | undefined, context) {
    const it = whole ?? row;
    return [
      {
        kind: 'lines',
        id: 'row',
        title: 'row',
        lines: [head(it.id), gap, ...cells(it), gap, pair('table', nameOf(it.table))],
      },
      raw(anything, { id: it.id, values: it.values }, context),
    ];
  },
  preview: (row) => [head(row.id), ...cells(row)],
};

const cells = (row: CellsRow): readonly Line[] => {
  const types = new Map(columnsOf(row.table).map((it) => [it.name, it.type]));
  return cellNames(row).map((name) => pair(name, cellOf(row, name), types.has(name) ? undefined : 'warn'));
};
