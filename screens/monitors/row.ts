import type { Problem } from '../../src/api/problem.ts';
import { areAlike } from '../../src/lib/alike.ts';
import { readAnyMoment } from '../../src/lib/moment.ts';
import { Packed, plainRow, unpacked } from '../../src/lib/packed.ts';
import { plural } from '../../src/lib/text.ts';
import { covers, type Mute, silencedScope } from './mutes.ts';

/** One group of a monitor: what is red, since when. */
export interface Group {
  /** The scope that mutes it: `host:web-1`, `host:web-1,env:prod`, or `*` for a monitor without groups. */
  readonly name: string;
  readonly state: string;
  /** Milliseconds since the epoch of its last change that is known. */
  readonly since?: number;
  readonly value?: string;
}

/** How many groups a monitor has. The groups themselves are in `raw`: a monitor may have 500, and a list 10,000 monitors. */
interface GroupCounts {
  readonly all: number;
  /** Those that notify. */
  readonly red: number;
  /** The states that occur. */
  readonly states: readonly string[];
  /** Names of those that notify, where a mute of a scope decides which of them do: every count of a list asks that. */
  readonly redNames?: readonly string[];
  /** How many of them these scopes of its mutes cover, each alone and all together: a column, a filter and Home ask that of every row. */
  readonly covered?: { readonly scopes: readonly string[]; readonly each: readonly number[]; readonly count: number };
}

/** A monitor as the list shows it, built from the list, from one read, or from search. */
export interface MonitorRow {
  /** Exact text: ids may be beyond 2^53. */
  readonly id: string;
  /** Never empty: `(no name) #4211` where the service tells none. */
  readonly name: string;
  readonly named: boolean;
  /** `Alert`, `Warn`, `No Data`, `OK`, `Unknown`, or any word that the service uses. */
  readonly state: string;
  /** Milliseconds since the epoch. */
  readonly stateSince?: number | undefined;
  readonly type: string;
  readonly query: string;
  readonly tags: readonly string[];
  readonly priority?: number | undefined;
  /** Keys of `options.silenced` and matching downtimes; those in the past are left out when they are read. */
  readonly mutes: readonly Mute[];
  /** The only information on mutes in a search result. */
  readonly mutedUntil?: number | undefined;
  /** `groupsOf` gives them. */
  readonly groups: GroupCounts;
  readonly modified?: number | undefined;
  readonly creator?: string | undefined;
  /** Role ids; empty = anyone with the permission may edit and mute. */
  readonly restricted: readonly string[];
  /** True for a search result: mutes, groups and options are unknown until the monitor is read. */
  readonly partial: boolean;
  /** True when only the id is known, because the deployment does not offer the read. */
  readonly bare?: boolean | undefined;
  /** The service's JSON; packed in the rows of the list, so read it by `rawOf`. */
  readonly raw: unknown;
}

type Loose = Readonly<Record<string, unknown>>;

/** The value if it is an object, else an empty object. */
export const objectOf = (value: unknown): Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {};

/** The value if it is an array, else an empty array. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The value if it is text and not empty. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** A number, also from text (`"5"`, docs/contract/monitors.md#oddities) or a bigint. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim())) return Number(value);
  return undefined;
}

/** An id as exact text. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : undefined;
  return textOf(value)?.trim() || undefined;
}

/** Milliseconds since the epoch, from ISO text or from an epoch in any unit; 0 = never (docs/contract/monitors.md#oddities). */
export const momentOf = readAnyMoment;

/** The end of a mute in epoch milliseconds; null = forever. An end that cannot be read counts as none, so that the mute is still shown. */
export function endOf(value: unknown): number | null {
  return numberOf(value) === 0 ? 0 : (momentOf(value) ?? null);
}

/** A person's name, else e-mail, handle or id. `id` may itself be an object (docs/contract/monitors.md#oddities). */
export function personOf(value: unknown): string | undefined {
  const person = objectOf(value);
  const inner = objectOf(person.id);
  const id = idOf(person.id) ?? idOf(inner.id);
  return (
    textOf(person.name) ??
    textOf(inner.name) ??
    textOf(person.email) ??
    textOf(person.handle) ??
    textOf(inner.handle) ??
    (id === undefined ? undefined : `user ${id}`)
  );
}

const known = ['Alert', 'Warn', 'No Data', 'OK', 'Ignored', 'Skipped', 'Unknown'];

/** A state in the spelling of the list, whatever its case; an unknown state stays as it is. */
export function stateOf(value: unknown): string {
  const word = textOf(value) ?? 'Unknown';
  return known.includes(word) ? word : (known.find((one) => one.toLowerCase() === word.toLowerCase()) ?? word);
}

const reds: readonly string[] = ['Alert', 'Warn', 'No Data'];

/** Whether a monitor in this state notifies. */
export const isRed = (state: string): boolean => reds.includes(state);

/** Alert 4, Warn 3, No Data 2, unknown 1, OK, Ignored and Skipped 0 (docs/contract/monitors.md#states). */
export function severity(state: string): number {
  const at = reds.indexOf(state);
  if (at >= 0) return 4 - at;
  return ['OK', 'Ignored', 'Skipped'].includes(state) ? 0 : 1;
}

/** The monitor as the service told it. */
export const rawOf = (row: Pick<MonitorRow, 'raw'>): Loose => objectOf(unpacked(row.raw));

/** Groups of a row that the file of last rows keeps: 300 monitors of 500 would be 30 MB. */
const fewGroups = 20;

/** The row for that file: of more groups it keeps how many there are, until they are read. */
export function withoutManyGroups(row: MonitorRow): MonitorRow {
  if (row.groups.all <= fewGroups) return row;
  if (row.raw instanceof Packed) return { ...plainRow(row), raw: row.raw.without('state') };
  const { state: _, ...raw } = rawOf(row);
  return { ...plainRow(row), raw };
}

/** The groups of a row. It reads all of them anew: not for something that is asked of every row. */
export const groupsOf = (row: Pick<MonitorRow, 'raw' | 'partial'>): readonly Group[] =>
  row.partial ? [] : groupsIn(rawOf(row));

function groupsIn({ state }: Loose): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const [key, value] of Object.entries(objectOf(objectOf(state).groups))) {
    const group = objectOf(value);
    const told = scopeOf(textOf(group.name)) ?? scopeOf(key) ?? '(no name)';
    // Groups of the same name are named by their key, which is unique.
    const name = groups.has(told) ? key : told;
    const status = stateOf(group.status);
    const since = isRed(status)
      ? momentOf(status === 'No Data' ? group.last_nodata_ts : group.last_triggered_ts)
      : momentOf(group.last_resolved_ts);
    const value_ = numberOf(objectOf(group.triggering_value).value);
    groups.set(name, {
      name,
      state: status,
      ...(since === undefined ? {} : { since }),
      ...(value_ === undefined ? {} : { value: String(value_) }),
    });
  }
  return [...groups.values()];
}

const noGroups: GroupCounts = { all: 0, red: 0, states: [] };

/** How many groups of a row the scopes cover; unpacks them where these are neither one scope of its mutes nor all. */
export function coveredBy(scopes: readonly string[], row: Pick<MonitorRow, 'raw' | 'partial' | 'groups'>): number {
  const { all, covered } = row.groups;
  if (scopes.includes('*')) return all;
  if (covered && areAlike(covered.scopes, scopes)) return covered.count;
  const one = scopes.length === 1 ? covered?.each[covered.scopes.indexOf(scopes[0] as string)] : undefined;
  if (one !== undefined) return one;
  return groupsOf(row).filter(({ name }) => scopes.some((scope) => covers(scope, name))).length;
}

/** The names of the groups of a row that notify. */
export const redNamesOf = (row: Pick<MonitorRow, 'raw' | 'partial' | 'groups'>): readonly string[] =>
  row.groups.redNames ??
  (row.groups.red > 0 ? groupsOf(row).flatMap(({ name, state }) => (isRed(state) ? [name] : [])) : []);

function countsOf(monitor: Loose): GroupCounts {
  const groups = Object.entries(objectOf(objectOf(monitor.state).groups));
  if (groups.length === 0) return noGroups;
  // Only where names are not the keys may two groups be one.
  const isPlain = groups.every(([key, group]) => objectOf(group).name === key);
  const states = (isPlain ? groups : groupsIn(monitor)).map((group) =>
    Array.isArray(group) ? stateOf(objectOf(group[1]).status) : (group as Group).state,
  );
  return { all: states.length, red: states.filter(isRed).length, states: [...new Set(states)] };
}

/** A group's name as a scope: `total` is the one group of a monitor without groups; undefined when it is blank. */
function scopeOf(name: string | undefined): string | undefined {
  const text = name?.trim();
  return text === 'total' ? '*' : text || undefined;
}

/** A downtime of the list's `matching_downtimes`; one without a readable scope counts for the whole monitor. */
function matchingOf(value: unknown, monitor: string, keys: ReadonlySet<string>): Mute | undefined {
  const downtime = objectOf(value);
  const id = idOf(downtime.id);
  if (id === undefined || downtime.active === false) return undefined;
  const scope = silencedScope(downtime.scope);
  // A downtime without `monitor_id` is of this monitor where `silenced` has the same scope.
  const own = 'monitor_id' in downtime ? idOf(downtime.monitor_id) === monitor : keys.has(scope);
  const start = momentOf(downtime.start);
  return {
    monitor,
    by: /^\d+$/.test(id) ? 'v1' : 'v2',
    id,
    scope,
    end: endOf(downtime.end),
    ...(start === undefined ? {} : { start }),
    wide: !own,
  };
}

/** Mutes and downtimes that a monitor object shows. Those that have ended are left out. */
export function mutesIn(value: unknown, monitor: string, now: number): Mute[] {
  const { options, matching_downtimes } = objectOf(value);
  const mutes: Mute[] = Object.entries(objectOf(objectOf(options).silenced)).map(([scope, end]) => ({
    monitor,
    by: 'mute',
    scope: silencedScope(scope),
    end: endOf(end),
    wide: false,
  }));
  const keys = new Set(mutes.map((mute) => mute.scope));
  for (const downtime of listOf(matching_downtimes)) {
    const mute = matchingOf(downtime, monitor, keys);
    if (mute) mutes.push(mute);
  }
  return mutes.filter((mute) => mute.end === null || mute.end > now);
}

/** A row from an object of list, get, mute or unmute; undefined when it is no object or has no id. */
export function readMonitor(value: unknown, now: number): MonitorRow | undefined {
  const monitor = objectOf(value);
  const id = idOf(monitor.id);
  if (id === undefined) return undefined;
  return {
    ...common(monitor, id),
    state: stateOf(monitor.overall_state),
    mutes: mutesIn(monitor, id, now),
    groups: countsOf(monitor),
    modified: momentOf(monitor.modified),
    partial: false,
    raw: value,
  };
}

/** A row from an object of search: `status` for the state, no options, no groups (docs/contract/monitors.md#search). */
export function readFound(value: unknown, now: number): MonitorRow | undefined {
  const monitor = objectOf(value);
  const id = idOf(monitor.id);
  if (id === undefined) return undefined;
  const mutedUntil = momentOf(monitor.muted_until_ts);
  return {
    ...common(monitor, id),
    state: stateOf(monitor.status ?? monitor.overall_state),
    mutes: [],
    ...(mutedUntil !== undefined && mutedUntil > now ? { mutedUntil } : {}),
    groups: noGroups,
    partial: true,
    raw: value,
  };
}

/** A row of a monitor that cannot be read, named by its id. */
export function bareMonitor(id: string): MonitorRow {
  const none = { groups: noGroups, mutes: [], tags: [], restricted: [] };
  return {
    id,
    name: `monitor ${id}`,
    named: false,
    state: 'Unknown',
    type: 'unknown',
    query: '',
    ...none,
    partial: true,
    bare: true,
    raw: { id },
  };
}

/** A 403 that says how many roles may change the monitor, where it is restricted to roles. */
export function keptFor(row: MonitorRow, problem: Problem): Problem {
  if (problem.kind !== 'forbidden' || row.restricted.length === 0) return problem;
  const words = problem.messages.at(-1) ?? problem.text;
  return { ...problem, text: `only ${plural(row.restricted.length, 'role')} may change this monitor: ${words}` };
}

function common(monitor: Loose, id: string) {
  const name = textOf(monitor.name)?.trim();
  return {
    id,
    name: name || `(no name) #${id}`,
    named: Boolean(name),
    stateSince: momentOf(monitor.overall_state_modified) ?? momentOf(monitor.last_triggered_ts),
    type: textOf(monitor.type) ?? textOf(monitor.classification) ?? 'unknown',
    query: textOf(monitor.query) ?? '',
    tags: listOf(monitor.tags).flatMap((tag) => textOf(tag) ?? []),
    priority: numberOf(monitor.priority),
    creator: personOf(monitor.creator),
    restricted: listOf(monitor.restricted_roles).flatMap((role) => idOf(role) ?? []),
  };
}
