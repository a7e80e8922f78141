import type { Sliced } from '../../src/lib/slices.ts';
import { type MonitorRow, readMonitor, toListedRow, toObject, toText } from './row.ts';

/** What is kept of a page of the list: a row of each monitor, or what is known of the name of one that cannot be read. */
export type ListPage = readonly (MonitorRow | string)[];

/** Groups read between two pauses, where a monitor counts as so many besides its own: a few milliseconds. */
const sliceGroups = 1500;
const perMonitor = 20;

/**
 * Reads a page of the list; undefined where the answer is no list. The same answer gives equal rows at any time: mutes that have ended are still
 * in them. `isWhole`: rows keep the service's JSON and all groups.
 */
export function* readPage(answer: unknown, isWhole: boolean): Sliced<ListPage | undefined> {
  if (!Array.isArray(answer)) return undefined;
  const page: (MonitorRow | string)[] = [];
  let groups = 0;
  for (const monitor of answer) {
    const row = readMonitor(monitor, 0);
    page.push(row ? (isWhole ? row : toListedRow(row)) : (toText(toObject(monitor).name) ?? ''));
    groups += perMonitor + (row?.groups.all ?? 0);
    if (groups < sliceGroups) continue;
    groups = 0;
    yield;
  }
  return page;
}

/** The row without the mutes that have ended. */
export function current(row: MonitorRow, now: number): MonitorRow {
  const isOver = row.mutes.some(({ end }) => end !== null && end <= now);
  return isOver ? { ...row, mutes: row.mutes.filter(({ end }) => end === null || end > now) } : row;
}
