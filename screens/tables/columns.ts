import type { Column } from '../../src/describe/column.ts';
import { count } from '../../src/lib/text.ts';
import { age, readAnyMoment } from '../../src/lib/time.ts';
import {
  type CellsRow,
  cellNames,
  cellOf,
  countOf,
  keyOf,
  nameOf,
  sourceOf,
  statusOf,
  statusTone,
  type TableRow,
} from './row.ts';

/** When it was changed last, milliseconds since the epoch. */
export const changedAt = (row: TableRow): number | undefined => readAnyMoment(row.attributes.updated_at);

/** Columns of reference tables. */
export const columns: readonly Column<TableRow>[] = [
  {
    id: 'name',
    title: 'TABLE',
    min: 18,
    share: 2,
    max: 56,
    priority: 1,
    text: nameOf,
    sort: (row) => nameOf(row).toLowerCase(),
  },
  {
    id: 'status',
    title: 'STATE',
    min: 12,
    max: 16,
    priority: 1,
    text: statusOf,
    tone: statusTone,
    sort: statusOf,
  },
  {
    id: 'rows',
    title: 'ROWS',
    min: 7,
    align: 'right',
    priority: 2,
    text(row) {
      const rows = countOf(row);
      return rows === undefined ? '' : count(rows);
    },
    sort: (row) => countOf(row) ?? Number.NaN,
    downwards: true,
  },
  {
    id: 'source',
    title: 'FROM',
    min: 10,
    max: 18,
    priority: 3,
    text: sourceOf,
    tone: () => 'info',
    sort: sourceOf,
  },
  {
    id: 'key',
    title: 'KEY',
    min: 8,
    max: 20,
    priority: 5,
    text: (row) => keyOf(row) ?? '',
    tone: () => 'dim',
    sort: (row) => keyOf(row) ?? '',
  },
  {
    id: 'description',
    title: 'DESCRIPTION',
    min: 14,
    share: 3,
    priority: 6,
    text: (row) => row.attributes.description ?? '',
    tone: () => 'dim',
    sort: (row) => row.attributes.description ?? '',
  },
  {
    id: 'tags',
    title: 'TAGS',
    min: 10,
    max: 30,
    priority: 7,
    text: (row) => (row.attributes.tags ?? []).join(' '),
    tone: () => 'quiet',
    sort: (row) => (row.attributes.tags ?? []).join(' '),
  },
  {
    id: 'changed',
    title: 'CHANGED',
    min: 8,
    align: 'right',
    priority: 4,
    text(row, context) {
      const at = changedAt(row);
      return at === undefined ? '' : age(at, context.now);
    },
    tone: () => 'dim',
    sort: (row) => changedAt(row) ?? Number.NaN,
    downwards: true,
  },
];

/** Columns of the rows of one table: its own columns differ from table to table, so they stand in one. */
export const rowColumns: readonly Column<CellsRow>[] = [
  {
    id: 'key',
    title: 'KEY',
    min: 14,
    share: 1,
    max: 56,
    priority: 1,
    text: (row) => row.id,
    sort: (row) => row.id,
  },
  {
    id: 'cells',
    title: 'CELLS',
    min: 20,
    share: 4,
    priority: 1,
    text: (row) =>
      cellNames(row)
        .filter((name) => name !== keyOf(row.table))
        .map((name) => `${name} ${cellOf(row, name) || '–'}`)
        .join(' · '),
    tone: () => 'dim',
  },
];
