import type { Plan } from '../../src/api/endpoint.ts';
import { isWholeItem } from '../../src/api/paging.ts';
import { type Result, toResult } from '../../src/api/problem.ts';
import { type Context, type Rows, withMissing } from '../../src/describe/context.ts';
import { unreadSays } from '../../src/describe/resource-spec.ts';
import type { Sliced } from '../../src/lib/slices.ts';
import { firstThree, plural } from '../../src/lib/text.ts';
import { hasEnded } from './mutes.ts';
import { arrayOrEmpty, isRed, type MonitorRow, readMonitor, toListedRow, toNumber, toObject, toText } from './row.ts';

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
  const mutes = row.mutes.filter((mute) => !hasEnded(mute, now));
  return mutes.length < row.mutes.length ? { ...row, mutes } : row;
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
  const weight = (name: unknown) => ['ok', 'no data', 'warn', 'alert'].indexOf(String(name).toLowerCase());
  const words = named
    .toSorted((one, other) => weight(other.name) - weight(one.name))
    .map((entry) => `${entry.count} ${String(entry.name).toLowerCase()}`);
  const matches = total ?? (named.length > 0 ? named.reduce((sum, entry) => sum + entry.count, 0) : undefined);
  if (matches === undefined) return [];
  return [`${matches} match${words.length > 0 ? `: ${words.join(', ')}` : ''}${muted > 0 ? `; ${muted} muted` : ''}`];
}

const whole = /^\d+$/;

/** Whether an id is a whole number, which lists are ordered by. */
export const isWholeId = (id: string): boolean => whole.test(id);

/** Whether one id comes after another in a list. Of two ids without a leading zero the longer one is above. */
export function isAbove(one: string, other: string): boolean {
  if (!whole.test(one) || !whole.test(other)) return false;
  if (one.startsWith('0') || other.startsWith('0')) return BigInt(one) > BigInt(other);
  return one.length === other.length ? one > other : one.length > other.length;
}

/** The id of a page after which the next one begins. */
export function highest(page: ListPage): string | undefined {
  return page.reduce<string | undefined>(
    (top, row) => (typeof row === 'object' && isAbove(row.id, top ?? '0') ? row.id : top),
    undefined,
  );
}

/** Monitors as pages bring them. */
export type MonitorCollection = ReturnType<typeof collectMonitors>;

/** Rows by id, and the names of what could not be read. */
export function collectMonitors(now: number) {
  const rows = new Map<string, MonitorRow>();
  const addRow = (row: MonitorRow) => rows.set(row.id, current(row, now));
  const lost: string[] = [];
  const fields: string[] = [];
  let seen = 0;
  /** Those that came without an id, and those that are no objects. */
  const unreadable = (): readonly string[] => [...lost, ...fields.filter(isWholeItem)];
  return {
    add(page: ListPage, unread: readonly string[]) {
      for (const row of page) {
        if (typeof row === 'object') addRow(row);
        else lost.push(row || `number ${seen + 1}`);
        seen += 1;
      }
      fields.push(...unread);
    },
    /** Takes those of these rows that it does not have. */
    lacking(more: readonly MonitorRow[]) {
      for (const row of more) if (!rows.has(row.id)) addRow(row);
    },
    /** Puts a row in the place of one that was read with less. */
    complete(row: ListPage[number]) {
      if (typeof row === 'object' && rows.has(row.id)) addRow(row);
    },
    rows: (): readonly MonitorRow[] => [...rows.values()],
    count: () => rows.size,
    /** How many it was given, with those that could not be read. */
    seen: () => rows.size + unreadable().length,
    /** Places of fields that were left out. */
    unread: (): readonly string[] => fields,
    /** Which monitors could not be read. */
    missing() {
      const all = unreadable();
      return all.length > 0 ? [`${plural(all.length, 'monitor')} could not be read: ${firstThree(all)}`] : [];
    },
    notes: () => unreadSays(fields.filter((place) => !isWholeItem(place))),
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

/** What a minute of polls may ask for: 20 requests and 2 MB, without what other reads take; and what a row of the list and one of the search take. */
const aMinute = { calls: 18, bytes: 1_750_000 } as const;
const rowBytes = 1750;
const foundBytes = 700;
/** Rows of a page of the rest: at least so many however much alerts, and no more than a page holds. */
const pageRows = { least: 100, most: 1000 } as const;
/** Monitors that a poll reads alone at most. */
const mostAlone = 10;
/** Monitors of which the search is asked by their ids at most. */
const mostAsked = 100;

/** The end of a page of the rest that was read, and when. */
interface Turn {
  readonly to: string;
  readonly at: number;
}

/** What a poll leaves for the next one. Moments in epoch milliseconds. */
export interface PollMemory {
  readonly at: number;
  /** Requests of the minute that are left. */
  readonly calls: number;
  /** Bytes that were read beyond what the time until then allowed. */
  readonly owed: number;
  /** The last id of the page that was read last. */
  readonly after: string;
  /** Where the list was not read to its end: its last id. */
  readonly bound?: string | undefined;
  /** Pages of the round before that were not read in this one, and those of this round; oldest first. */
  readonly older: readonly Turn[];
  readonly newer: readonly Turn[];
  /** What the search told of each monitor that it found. */
  readonly told: Readonly<Record<string, string>>;
  /** Monitors that have changed, and are still to be read. */
  readonly waiting: readonly string[];
  /** Monitors that the search lacked although their rows say that they need a person. */
  readonly lacked: readonly string[];
}

/** The reads that a poll is made of. */
interface PollReads {
  /** So many monitors after an id; undefined: not as they were asked for. */
  page(after: string, size: number): Plan<Result<ListPage | undefined>>;
  /** By the search, every monitor that alerts, warns or has no data; with ids, these as far as it finds them. */
  signal(ids?: readonly string[]): Plan<Result<Rows<MonitorRow>>>;
}

/** What the first poll of a part begins with, after all was read at `at`. */
export const openMemory = (at: number, bound: string | undefined): PollMemory => ({
  ...{ at, bound, calls: mostAlone, owed: 0, after: '0', told: {}, waiting: [], lacked: [] },
  ...{ older: [{ to: '', at }], newer: [] },
});

/**
 * Reads what has changed of a long list, and one more page of it: the search tells which monitors alert, warn or have no data. Those that an edit
 * has changed (`edited`), that are no more among them, and that it tells otherwise than before are read alone; where these are too many for a poll, the
 * others follow, and have the state that the search tells. Undefined where all must be read, `unsound` where the search does not tell what the
 * list does.
 */
export function* pollPart(
  context: Context,
  before: Rows<MonitorRow>,
  edited: ReadonlySet<string>,
  reads: PollReads,
): Plan<Result<Rows<MonitorRow>> | 'unsound' | undefined> {
  const memory = before.memory as PollMemory;
  const { now } = context;
  const minutes = (now - memory.at) / 60_000;
  const bytes = aMinute.bytes * minutes;
  if (minutes < 0 || edited.size > mostAlone || before.rows.length * rowBytes <= bytes) return undefined;
  const signal = yield* reads.signal();
  if (!signal.ok) return ['unreachable', 'tooMany', 'canceled'].includes(signal.problem.kind) ? signal : 'unsound';
  const signaled = signal.value.rows;

  const rows = new Map(before.rows.map((row) => [row.id, current(row, now)]));
  const found = new Map(signaled.map((row) => [row.id, row]));
  const left = [...rows.values()].filter(({ id, state }) => isRed(state) && !found.has(id)).map(({ id }) => id);
  if (signal.value.missing) return 'unsound';
  const changed = signaled.filter((row) => isOther(row, rows.get(row.id), memory.told[row.id])).map(({ id }) => id);
  const calls =
    Math.min(aMinute.calls, memory.calls + aMinute.calls * minutes) - Math.ceil(signaled.length / pageRows.most) - 1;
  const most = Math.max(edited.size, 1, Math.min(mostAlone, Math.floor(calls)));
  const alone = new Set([...new Set([...edited, ...left, ...memory.waiting, ...changed])].slice(0, most));
  const read = yield* readAlone(alone, rows, reads, now);
  if (!read?.ok) return read;
  const lacked = left.filter((id) => alone.has(id) && isRed(rows.get(id)?.state ?? ''));
  if (lacked.some((id) => memory.lacked.includes(id))) return 'unsound';

  const isLate = (id: string) => !alone.has(id);
  const late = left.filter(isLate).slice(0, mostAsked);
  const over = late.length > 0 ? yield* reads.signal(late) : undefined;
  for (const row of over?.ok ? over.value.rows : [])
    if (late.includes(row.id)) rows.set(row.id, asTold(rows.get(row.id), row));
  for (const id of changed.filter(isLate)) rows.set(id, asTold(rows.get(id), found.get(id) as MonitorRow));
  const waiting = new Map([...late, ...memory.waiting, ...changed].filter(isLate).map((id) => [id, rows.get(id)]));

  const room = Math.floor((bytes - memory.owed - signaled.length * foundBytes) / rowBytes);
  const size = Math.max(pageRows.least, Math.min(pageRows.most, room));
  const turn = yield* nextTurn(memory, rows, { reads, now, size });
  if (!turn?.ok) return turn;
  const next: PollMemory = {
    ...memory,
    ...turn.value,
    at: now,
    calls: Math.max(0, calls - alone.size - (over ? 1 : 0)),
    owed: Math.max(0, memory.owed + signaled.length * foundBytes + size * rowBytes - bytes),
    told: Object.fromEntries(signaled.map((row) => [row.id, wordsOf(row)])),
    waiting: [...waiting].flatMap(([id, row]) => (row && rows.get(id) === row ? [id] : [])),
    lacked,
  };
  const must = signaled.length * foundBytes + (alone.size + pageRows.least) * rowBytes;
  const everyMs = Math.ceil((60_000 * must) / aMinute.bytes);
  const oldestAt = [...next.older, ...next.newer][0]?.at ?? now;
  return toResult({ ...before, rows: [...rows.values()], oldestAt, everyMs, memory: next });
}

/** Reads monitors alone, as pages of one; undefined where one cannot be. */
function* readAlone(
  ids: ReadonlySet<string>,
  rows: Map<string, MonitorRow>,
  reads: PollReads,
  now: number,
): Plan<Result<unknown> | undefined> {
  for (const id of ids) {
    if (!isWholeId(id)) return undefined;
    const read = yield* reads.page(String(BigInt(id) - 1n), 1);
    if (!read.ok) return read;
    const [row] = read.value ?? [''];
    if (typeof row === 'string') return undefined;
    if (row?.id === id) rows.set(id, current(row, now));
    else rows.delete(id);
  }
  return toResult(undefined);
}

/** What is new where it differs: `status`, `overall_state_modified` and `last_triggered_ts`. */
function wordsOf({ state, raw }: MonitorRow): string {
  const { overall_state_modified, last_triggered_ts } = toObject(raw);
  return `${state} ${overall_state_modified} ${last_triggered_ts}`;
}

/** Whether the search tells something else than before, or where it is asked for the first time, than the row says. */
function isOther(found: MonitorRow, row: MonitorRow | undefined, before: string | undefined): boolean {
  if (before !== undefined || !row || row.partial) return before !== wordsOf(found);
  const between = Math.abs((found.stateSince ?? 0) - (row.stateSince ?? 0));
  return (
    found.state !== row.state || (found.stateSince !== undefined && row.stateSince !== undefined && between >= 1000)
  );
}

/** A row until it is read: its state as the search tells it, where that is newer. Whatever else the search tells is less than the row has. */
function asTold(row: MonitorRow | undefined, found: MonitorRow): MonitorRow {
  const { state, stateSince } = found;
  if (!row) return found;
  return (stateSince ?? 0) > (row.stateSince ?? 0) ? { ...row, state, stateSince } : row;
}

/** Reads the next page of the rest into `rows`; what it should hold and does not is gone. */
function* nextTurn(
  { after, bound, older, newer }: PollMemory,
  rows: Map<string, MonitorRow>,
  { reads, now, size }: { reads: PollReads; now: number; size: number },
): Plan<Result<Pick<PollMemory, 'after' | 'older' | 'newer'>> | undefined> {
  const read = yield* reads.page(after, size);
  if (!read.ok || !read.value) return read.ok ? undefined : read;
  const isListed = (id: string) => bound === undefined || !isAbove(id, bound);
  const page = read.value.flatMap((row) => (typeof row === 'object' && isListed(row.id) ? [row] : []));
  const last = highest(page);
  const isEnd = last === undefined || page.length < read.value.length;
  if (read.value.some((row) => typeof row === 'string') || (last !== undefined && !isAbove(last, after)))
    return undefined;
  const ids = new Set(page.map(({ id }) => id));
  const isIn = (id: string) => isAbove(id, after) && (isEnd ? isListed(id) : !isAbove(id, last as string));
  for (const [id, { state }] of rows) if (isListed(id) ? isIn(id) && !ids.has(id) : !isRed(state)) rows.delete(id);
  for (const row of page) rows.set(row.id, current(row, now));
  if (isEnd) return toResult({ after: '0', older: [...newer, { to: '', at: now }], newer: [] });
  const unread = older.filter(({ to }) => to === '' || isAbove(to, last));
  return toResult({ after: last, older: unread, newer: [...newer, { to: last, at: now }] });
}
