import type { Column } from '../../src/describe/column.ts';
import { age, readMoment } from '../../src/lib/time.ts';
import { type FilterRow, kindOf, nameOf, numberIn, percent } from './row.ts';

const off = (row: FilterRow) => row.attributes.enabled === false;

/** When it was changed last, milliseconds since the epoch; undefined for built-in filters, whose time is 0. */
export function changedAt(row: FilterRow): number | undefined {
  const seconds = numberIn(row.attributes.modified_at);
  return seconds ? readMoment(seconds, 's') : undefined;
}

/** Columns of retention filters. */
export const columns: readonly Column<FilterRow>[] = [
  {
    id: 'order',
    title: '#',
    min: 4,
    align: 'right',
    priority: 1,
    text: (row) => String(row.place),
    tone: () => 'dim',
    sort: (row) => row.place,
  },
  {
    id: 'on',
    title: 'ON',
    min: 3,
    priority: 1,
    text: (row) => (row.attributes.enabled == null ? '?' : off(row) ? 'off' : 'on'),
    tone: (row) => (off(row) ? 'warn' : 'good'),
    sort: (row) => (off(row) ? 1 : 0),
  },
  {
    id: 'name',
    title: 'NAME',
    min: 16,
    share: 2,
    max: 48,
    priority: 1,
    text: nameOf,
    tone: (row) => (off(row) ? 'dim' : 'plain'),
    sort: (row) => nameOf(row).toLowerCase(),
  },
  {
    id: 'query',
    title: 'QUERY',
    min: 20,
    share: 3,
    priority: 3,
    text: (row) => row.attributes.filter?.query ?? '',
    tone: (row) => (off(row) ? 'dim' : 'plain'),
    sort: (row) => row.attributes.filter?.query ?? '',
  },
  {
    id: 'rate',
    title: 'SPANS',
    min: 7,
    align: 'right',
    priority: 2,
    text: (row) => percent(numberIn(row.attributes.rate)),
    tone: (row) => (off(row) ? 'dim' : 'plain'),
    sort: (row) => numberIn(row.attributes.rate) ?? Number.NaN,
    downwards: true,
  },
  {
    id: 'traces',
    title: 'TRACES',
    min: 7,
    align: 'right',
    priority: 4,
    text: (row) => percent(numberIn(row.attributes.trace_rate)),
    tone: (row) => (off(row) || !Number(row.attributes.trace_rate ?? 0) ? 'dim' : 'plain'),
    sort: (row) => numberIn(row.attributes.trace_rate) ?? Number.NaN,
    downwards: true,
  },
  {
    id: 'kind',
    title: 'KIND',
    min: 8,
    max: 32,
    priority: 5,
    text: kindOf,
    tone: () => 'info',
    sort: kindOf,
  },
  {
    id: 'changed',
    title: 'CHANGED',
    min: 8,
    align: 'right',
    priority: 6,
    text(row, context) {
      const at = changedAt(row);
      return at === undefined ? '' : age(at, context.now);
    },
    tone: () => 'dim',
    sort: (row) => changedAt(row) ?? Number.NaN,
    downwards: true,
  },
];
