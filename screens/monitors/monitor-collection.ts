import { isWholeItem } from '../../src/describe/read-pages.ts';
import { type Rows, withMissing } from '../../src/describe/source.ts';
import { firstThree, plural } from '../../src/lib/text.ts';
import { current, type ListPage } from './list-page.ts';
import type { MonitorRow } from './row.ts';

/** Monitors as pages bring them. */
export interface MonitorCollection {
  add(page: ListPage, unread: readonly string[]): void;
  /** Takes those of these rows that it does not have. */
  lacking(rows: readonly MonitorRow[]): void;
  /** Puts a row in the place of one that was read with less. */
  complete(row: ListPage[number]): void;
  rows(): readonly MonitorRow[];
  count(): number;
  /** How many it was given, with those that could not be read. */
  seen(): number;
  notes(): readonly string[];
  /** Which monitors could not be read. */
  missing(): readonly string[];
  /** Places of fields that were left out. */
  unread(): readonly string[];
}

/** Rows by id, and the names of what could not be read. */
export function collectMonitors(now: number): MonitorCollection {
  const rows = new Map<string, MonitorRow>();
  const addRow = (row: MonitorRow) => rows.set(row.id, current(row, now));
  const lost: string[] = [];
  const fields: string[] = [];
  let seen = 0;
  const unreadFields = () =>
    fields.length > 0 ? [`${plural(fields.length, 'field')} could not be read: ${firstThree(fields)}`] : [];
  return {
    add(page, unread) {
      for (const row of page) {
        if (typeof row === 'object') addRow(row);
        else lost.push(row || `number ${seen + 1}`);
        seen += 1;
      }
      fields.push(...unread);
    },
    lacking(more) {
      for (const row of more) if (!rows.has(row.id)) addRow(row);
    },
    complete(row) {
      if (typeof row === 'object' && rows.has(row.id)) addRow(row);
    },
    rows: () => [...rows.values()],
    count: () => rows.size,
    seen: () => rows.size + lost.length,
    unread: () => fields,
    missing: () => [
      ...(lost.length > 0 ? [`${plural(lost.length, 'monitor')} could not be read: ${firstThree(lost)}`] : []),
      ...(fields.some(isWholeItem) ? unreadFields() : []),
    ],
    notes: () => (fields.some(isWholeItem) ? [] : unreadFields()),
  };
}

/** The group states only limit which groups are told, so the monitors are chosen here. */
export function rowsOf(
  collected: MonitorCollection,
  groups: string,
  notes: readonly string[] = [],
  ends: readonly string[] = [],
): Rows<MonitorRow> {
  const wanted = (state: string) => state.toLowerCase() === groups;
  const all = collected.rows();
  const rows = groups === 'all' ? all : all.filter((row) => wanted(row.state) || row.groups.states.some(wanted));
  const unread = collected.unread();
  const missing = [...ends, ...collected.missing()];
  return {
    rows,
    notes: [...notes, ...missing, ...collected.notes()],
    ...withMissing(missing),
    ...(unread.length > 0 ? { unread } : {}),
  };
}
