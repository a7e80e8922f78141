import { createPacker, type Packed } from '../../src/lib/packed.ts';
import type { Sliced } from '../../src/lib/slices.ts';
import { distinct } from './mutes.ts';
import { coveredBy, type MonitorRow, objectOf, readMonitor, redNamesOf, textOf } from './row.ts';

/** What is kept of a page of the list: a row of each monitor, or what is known of the name of one that cannot be read. */
export type ListPage = readonly (MonitorRow | string)[];

/** Groups read between two pauses, where a monitor counts as so many besides its own: a few milliseconds. */
const sliceGroups = 1500;
const perMonitor = 20;

/** Monitors of a list that is not packed at once, and groups of each, at most: 3 MB. */
const fewMonitors = 400;
const fewGroups = 20;

/**
 * The rows of a page, with the service's JSON packed and each text of which many rows have the same one kept once; undefined where
 * the answer is no list. The same answer gives equal rows at any time: mutes that have ended are still in them.
 */
export const readPage = (answer: unknown): Sliced<ListPage | undefined> => readRows(answer, 0);

/** The same of a first page, whose rows are drawn at once: where it is all of a small list, it is packed when a poll brings another. */
export const readFirstPage = (answer: unknown): Sliced<ListPage | undefined> => readRows(answer, fewMonitors);

function* readRows(answer: unknown, mostLoose: number): Sliced<ListPage | undefined> {
  if (!Array.isArray(answer)) return undefined;
  const packer = createPacker();
  const shared = createShared();
  const page: (MonitorRow | string)[] = [];
  let groups = 0;
  for (const monitor of answer) {
    const row = readMonitor(monitor, 0);
    const isLoose = answer.length <= mostLoose && (row?.groups.all ?? 0) <= fewGroups;
    page.push(row ? shared(row, packer[isLoose ? 'leave' : 'pack'](monitor)) : (textOf(objectOf(monitor).name) ?? ''));
    groups += perMonitor + (row?.groups.all ?? 0);
    if (groups < sliceGroups) continue;
    groups = 0;
    yield;
  }
  packer.close();
  return page;
}

/** The row without the mutes that have ended. */
export function current(row: MonitorRow, now: number): MonitorRow {
  const isOver = row.mutes.some(({ end }) => end !== null && end <= now);
  return isOver ? { ...row, mutes: row.mutes.filter(({ end }) => end === null || end > now) } : row;
}

/** Whether what is muted of it depends on its groups. */
const isScoped = ({ mutes }: MonitorRow): boolean => mutes.some(({ scope }) => scope !== '*');

function coveredNow(row: MonitorRow) {
  const scopes = distinct(row.mutes).map(({ scope }) => scope);
  return { scopes, count: coveredBy(scopes, row) };
}

/** Makes rows with the equal parts of earlier rows. */
function createShared(): (row: MonitorRow, raw: Packed) => MonitorRow {
  const kept = new Map<string, unknown>();
  const once = <T>(name: string, value: T): T => {
    const known = kept.get(name);
    if (known !== undefined) return known as T;
    kept.set(name, value);
    return value;
  };
  const text = (value: string): string => once(value, value);
  const list = <T>(name: string, values: readonly T[]) => once(`${name} ${JSON.stringify(values)}`, values);
  return (row, raw) => {
    const { creator, groups } = row;
    // Every member by name: the engine keeps those that a spread adds apart from the row, in a third more memory.
    return {
      id: row.id,
      name: row.name,
      named: row.named,
      state: text(row.state),
      stateSince: row.stateSince,
      type: text(row.type),
      query: row.query,
      tags: list('tags', row.tags.map(text)),
      priority: row.priority,
      mutes: row.mutes.length === 0 ? list('mutes', row.mutes) : row.mutes,
      modified: row.modified,
      restricted: list('roles', row.restricted),
      creator: creator === undefined ? undefined : text(creator),
      partial: false,
      raw,
      groups: isScoped(row)
        ? { ...groups, redNames: redNamesOf(row), covered: coveredNow(row) }
        : once(`groups ${groups.all} ${groups.red} ${groups.states.join()}`, groups),
    };
  };
}
