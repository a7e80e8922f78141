import { createPacker, plainRow } from '../../src/lib/packed.ts';
import type { Sliced } from '../../src/lib/slices.ts';
import { createListed } from './listed.ts';
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

/** Makes rows whose members lie together, of monitors that may come in several answers. */
interface Rows {
  readonly shared: (row: MonitorRow) => MonitorRow;
  listed: ReturnType<typeof createListed>;
}

/**
 * Reads the pages of one walk over the list, or parts of them: rows with the service's JSON packed and each value of which many rows have the
 * same one kept once; undefined where an answer is no list. The same answer gives equal rows at any time: mutes that have ended are still in
 * them. A first page that is all of a small list, whose rows are drawn at once, is packed when a poll brings another.
 */
export function createPageReader(): (answer: unknown, isAll?: boolean) => Sliced<ListPage | undefined> {
  const rows: Rows = { shared: createShared(), listed: createListed() };
  return (answer, isAll = false) => readRows(answer, isAll ? fewMonitors : 0, rows);
}

function* readRows(answer: unknown, mostLoose: number, rows: Rows): Sliced<ListPage | undefined> {
  if (!Array.isArray(answer)) return undefined;
  const packer = createPacker();
  const page: (MonitorRow | string)[] = [];
  let groups = 0;
  for (const monitor of answer) {
    const row = readMonitor(monitor, 0);
    const isLoose = answer.length <= mostLoose && (row?.groups.all ?? 0) <= fewGroups;
    if (rows.listed.isFull()) rows.listed = createListed();
    if (!row) page.push(textOf(objectOf(monitor).name) ?? '');
    else if (isLoose) page.push({ ...rows.shared(row), raw: packer.leave(monitor) });
    else page.push(rows.listed.add(rows.shared(row), monitor));
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
  return isOver ? { ...plainRow(row), mutes: row.mutes.filter(({ end }) => end === null || end > now) } : row;
}

/** Whether what is muted of it depends on its groups. */
const isScoped = ({ mutes }: MonitorRow): boolean => mutes.some(({ scope }) => scope !== '*');

function coveredNow(row: MonitorRow) {
  const scopes = distinct(row.mutes).map(({ scope }) => scope);
  return { scopes, each: scopes.map((scope) => coveredBy([scope], row)), count: coveredBy(scopes, row) };
}

/** Values that rows may share at a time: of a list in which nearly all differ they would only take room. */
const mostShared = 20_000;

/** Makes rows with the equal parts of earlier rows. */
function createShared(): (row: MonitorRow) => MonitorRow {
  const kept = new Map<string, unknown>();
  const once = <T>(name: string, value: T): T => {
    const known = kept.get(name);
    if (known !== undefined) return known as T;
    if (kept.size >= mostShared) kept.clear();
    kept.set(name, value);
    return value;
  };
  const text = (value: string): string => once(value, value);
  const list = <T>(name: string, values: readonly T[]) => once(`${name} ${JSON.stringify(values)}`, values);
  return (row) => {
    const { creator, groups, ...others } = row;
    return {
      ...others,
      state: text(row.state),
      type: text(row.type),
      tags: list('tags', row.tags.map(text)),
      mutes: row.mutes.length === 0 ? list('mutes', row.mutes) : row.mutes,
      restricted: list('roles', row.restricted),
      creator: creator === undefined ? undefined : text(creator),
      groups: isScoped(row)
        ? { ...groups, redNames: redNamesOf(row), covered: coveredNow(row) }
        : once(`groups ${groups.all} ${groups.red} ${groups.states.join()}`, groups),
    };
  };
}
