import type { Problem } from '../../src/api/problem.ts';
import { readAnyMoment } from '../../src/lib/moment.ts';
import { plural } from '../../src/lib/text.ts';
import { type Mute, silencedScope } from './mutes.ts';

/** One group of a monitor: what is red, since when. */
export interface Group {
  /** The scope that mutes it: `host:web-1`, `host:web-1,env:prod`, or `*` for a monitor without groups. */
  readonly name: string;
  readonly state: string;
  /** Milliseconds since the epoch of its last change that is known. */
  readonly since?: number;
  readonly value?: string;
}

/** A monitor as the list shows it, built from the list, from one read, or from search. */
export interface MonitorRow {
  /** Exact text: ids may be beyond 2^53. */
  readonly id: string;
  /** Never empty: `(no name) #4211` where the service gives none. */
  readonly name: string;
  readonly named: boolean;
  /** `Alert`, `Warn`, `No Data`, `OK`, `Unknown`, or any word that the service uses. */
  readonly state: string;
  /** Milliseconds since the epoch. */
  readonly stateSince?: number;
  readonly type: string;
  readonly query: string;
  readonly tags: readonly string[];
  readonly priority?: number;
  /** Keys of `options.silenced` and matching downtimes; those in the past are left out when they are read. */
  readonly mutes: readonly Mute[];
  /** What search says about muting, which is all that it says. */
  readonly mutedUntil?: number;
  readonly groups: readonly Group[];
  readonly modified?: number;
  readonly creator?: string;
  /** Role ids; empty = anyone with the permission may edit and mute. */
  readonly restricted: readonly string[];
  /** True when search described it: mutes, groups and options are not known until it is read. */
  readonly partial: boolean;
  /** True when nothing at all but its id is known: the deployment has no operation that reads it. */
  readonly bare?: boolean;
  readonly raw: unknown;
}

type Loose = Readonly<Record<string, unknown>>;

/** The object that a value is, or an empty one. */
export const objectOf = (it: unknown): Loose =>
  typeof it === 'object' && it !== null && !Array.isArray(it) ? (it as Loose) : {};

/** The list that a value is, or an empty one. */
export const listOf = (it: unknown): readonly unknown[] => (Array.isArray(it) ? it : []);

/** Text that is there and not empty. */
export const textOf = (it: unknown): string | undefined => (typeof it === 'string' && it !== '' ? it : undefined);

/** A number, also from text (`"5"`, contract/monitors.md 9) or a bigint. */
export function numberOf(it: unknown): number | undefined {
  if (typeof it === 'number') return Number.isFinite(it) ? it : undefined;
  if (typeof it === 'bigint') return Number(it);
  if (typeof it === 'string' && /^-?\d+(\.\d+)?$/.test(it.trim())) return Number(it);
  return undefined;
}

/** An id as exact text. */
export function idOf(it: unknown): string | undefined {
  if (typeof it === 'bigint') return String(it);
  if (typeof it === 'number') return Number.isInteger(it) ? String(it) : undefined;
  return textOf(it)?.trim() || undefined;
}

/** Milliseconds since the epoch, from ISO text or from an epoch in any unit; 0 = never (contract/monitors.md 9). */
export const momentOf = readAnyMoment;

/** The end of a mute: null for none. One that is there but cannot be read counts as none, so that no mute is hidden. */
export function endOf(it: unknown): number | null {
  return numberOf(it) === 0 ? 0 : (momentOf(it) ?? null);
}

/** Who made it, by the best name there is. `id` may itself be an object (contract/monitors.md 9). */
export function personOf(it: unknown): string | undefined {
  const person = objectOf(it);
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

/** A state word in the spelling of the list, whatever letters it came in; unknown words stay as they are. */
export function stateOf(it: unknown): string {
  const word = textOf(it) ?? 'Unknown';
  const known = ['Alert', 'Warn', 'No Data', 'OK', 'Ignored', 'Skipped', 'Unknown'];
  return known.find((one) => one.toLowerCase() === word.toLowerCase()) ?? word;
}

const reds: readonly string[] = ['Alert', 'Warn', 'No Data'];

/** Whether it would notify someone. */
export const isRed = (state: string): boolean => reds.includes(state);

/** How bad a state is: Alert 4, Warn 3, No Data 2, an unknown word 1, the calm ones 0 (contract/monitors.md 4). */
export function severity(state: string): number {
  const at = reds.indexOf(state);
  if (at >= 0) return 4 - at;
  return ['OK', 'Ignored', 'Skipped'].includes(state) ? 0 : 1;
}

function groupsOf(state: unknown): Group[] {
  const groups = new Map<string, Group>();
  for (const [key, value] of Object.entries(objectOf(objectOf(state).groups))) {
    const it = objectOf(value);
    const told = scopeOf(textOf(it.name)) ?? scopeOf(key) ?? '(no name)';
    // Two that call themselves the same are told apart by their keys, which cannot be the same.
    const name = groups.has(told) ? key : told;
    const status = stateOf(it.status);
    const since = isRed(status)
      ? momentOf(status === 'No Data' ? it.last_nodata_ts : it.last_triggered_ts)
      : momentOf(it.last_resolved_ts);
    const value_ = numberOf(objectOf(it.triggering_value).value);
    groups.set(name, {
      name,
      state: status,
      ...(since === undefined ? {} : { since }),
      ...(value_ === undefined ? {} : { value: String(value_) }),
    });
  }
  return [...groups.values()];
}

/** A group's name as a scope: `total` is the one group of a monitor without groups; undefined when it is blank. */
function scopeOf(name: string | undefined): string | undefined {
  const text = name?.trim();
  return text === 'total' ? '*' : text || undefined;
}

/** A downtime of the list's `matching_downtimes`; one without a readable scope counts for the whole monitor. */
function matchingOf(value: unknown, monitor: string, keys: ReadonlySet<string>): Mute | undefined {
  const it = objectOf(value);
  const id = idOf(it.id);
  if (id === undefined || it.active === false) return undefined;
  const scope = silencedScope(it.scope);
  // Its own only when it says so, or, where nothing is said, when the monitor shows the same scope as silenced.
  const own = 'monitor_id' in it ? idOf(it.monitor_id) === monitor : keys.has(scope);
  const start = momentOf(it.start);
  return {
    monitor,
    by: /^\d+$/.test(id) ? 'v1' : 'v2',
    id,
    scope,
    end: endOf(it.end),
    ...(start === undefined ? {} : { start }),
    wide: !own,
  };
}

/** Mutes and downtimes that a monitor object shows. Those that have ended are left out. */
export function mutesIn(value: unknown, monitor: string, now: number): Mute[] {
  const it = objectOf(value);
  const silenced = objectOf(objectOf(it.options).silenced);
  const mutes: Mute[] = Object.entries(silenced).map(([scope, end]) => ({
    monitor,
    by: 'mute',
    scope: silencedScope(scope),
    end: endOf(end),
    wide: false,
  }));
  const keys = new Set(mutes.map((mute) => mute.scope));
  for (const downtime of listOf(it.matching_downtimes)) {
    const mute = matchingOf(downtime, monitor, keys);
    if (mute) mutes.push(mute);
  }
  return mutes.filter((mute) => mute.end === null || mute.end > now);
}

/** A row from an object of list, get, mute or unmute; undefined when it is no object or has no id. */
export function readMonitor(value: unknown, now: number): MonitorRow | undefined {
  const it = objectOf(value);
  const id = idOf(it.id);
  if (id === undefined) return undefined;
  return {
    ...common(it, id),
    state: stateOf(it.overall_state),
    mutes: mutesIn(it, id, now),
    groups: groupsOf(it.state),
    modified: momentOf(it.modified),
    partial: false,
    raw: value,
  };
}

/** A row from an object of search: `status` for the state, no options, no groups (contract/monitors.md 2.7). */
export function readFound(value: unknown, now: number): MonitorRow | undefined {
  const it = objectOf(value);
  const id = idOf(it.id);
  if (id === undefined) return undefined;
  const mutedUntil = momentOf(it.muted_until_ts);
  return {
    ...common(it, id),
    state: stateOf(it.status ?? it.overall_state),
    mutes: [],
    ...(mutedUntil !== undefined && mutedUntil > now ? { mutedUntil } : {}),
    groups: [],
    partial: true,
    raw: value,
  };
}

/** A row of a monitor that cannot be read, named by its id. */
export function bareMonitor(id: string): MonitorRow {
  const none = { groups: [], mutes: [], tags: [], restricted: [] };
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

/** A refusal for the sake of the roles that a monitor is kept for says so: its permission alone does not explain it. */
export function keptFor(row: MonitorRow, problem: Problem): Problem {
  if (problem.kind !== 'forbidden' || row.restricted.length === 0) return problem;
  const words = problem.messages.at(-1) ?? problem.text;
  return { ...problem, text: `only ${plural(row.restricted.length, 'role')} may change ${row.name}: ${words}` };
}

function common(it: Loose, id: string) {
  const name = textOf(it.name)?.trim();
  return {
    id,
    name: name || `(no name) #${id}`,
    named: Boolean(name),
    stateSince: momentOf(it.overall_state_modified) ?? momentOf(it.last_triggered_ts),
    type: textOf(it.type) ?? textOf(it.classification) ?? 'unknown',
    query: textOf(it.query) ?? '',
    tags: listOf(it.tags).flatMap((tag) => textOf(tag) ?? []),
    priority: numberOf(it.priority),
    creator: personOf(it.creator),
    restricted: listOf(it.restricted_roles).flatMap((role) => idOf(role) ?? []),
  };
}
