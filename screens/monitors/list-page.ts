import type { Sliced } from '../../src/lib/slices.ts';
import { arrayOrEmpty, type MonitorRow, readMonitor, toListedRow, toNumber, toObject, toText } from './row.ts';

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

/** What the counts of a search say: `214 match: 12 alert, 3 warn; 9 muted`. */
export function countsSay(counts: unknown, total: number | undefined): string[] {
  const entries = (name: string) =>
    arrayOrEmpty(toObject(counts)[name]).map((entry) => {
      const one = toObject(entry);
      return { name: one.name, count: toNumber(one.count) ?? 0 };
    });
  const named = entries('status').filter((entry) => entry.count > 0 && typeof entry.name === 'string');
  const muted = entries('muted').find((entry) => entry.name === true || entry.name === 'true')?.count ?? 0;
  const order = (name: unknown) => ['alert', 'warn', 'no data', 'ok'].indexOf(String(name).toLowerCase()) + 1 || 9;
  const words = named
    .toSorted((one, other) => order(one.name) - order(other.name))
    .map((entry) => `${entry.count} ${String(entry.name).toLowerCase()}`);
  const matches = total ?? (named.length > 0 ? named.reduce((sum, entry) => sum + entry.count, 0) : undefined);
  if (matches === undefined) return [];
  return [`${matches} match${words.length > 0 ? `: ${words.join(', ')}` : ''}${muted > 0 ? `; ${muted} muted` : ''}`];
}
