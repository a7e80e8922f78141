import * as v from 'valibot';
import { type Problem, problemResult } from '../../src/api/problem.ts';
import { plural } from '../../src/lib/text.ts';
import { readEpoch } from '../../src/lib/time.ts';
import { present, storedCount, storedTime } from '../../src/lib/values.ts';
import { covers, hasEnded, keptMute, type Mute, silencedScope } from './mutes.ts';

const texts = v.pipe(v.array(v.string()), v.readonly());

/** One group of a monitor: what is red, since when. */
const group = v.object({
  /** The scope that mutes it: `host:web-1`, `host:web-1,env:prod`, or `*` for a monitor without groups. */
  name: v.string(),
  state: v.string(),
  /** Of its last change that is known. */
  since: v.exactOptional(storedTime),
  value: v.exactOptional(v.string()),
});
export type MonitorGroup = Readonly<v.InferOutput<typeof group>>;

/** What is known of all groups of a monitor. The groups themselves are not all in a listed row: a monitor may have 500, and a list 10,000 monitors. */
const groupCounts = v.object({
  all: storedCount,
  /** Names of those that notify, the worst first. */
  red: texts,
  /** The states that occur. */
  states: texts,
  /** Names of those that its mutes of a scope cover. */
  covered: texts,
});

const runbook = v.object({ name: v.string(), url: v.string() });

/** Schema of a monitor as the list shows and keeps it, built from the list, from one read, or from search. */
export const keptMonitor = v.object({
  /** Exact text: ids may be beyond 2^53. */
  id: v.string(),
  /** Never empty: `(no name) #4211` where the service tells none. */
  name: v.string(),
  named: v.boolean(),
  /** `Alert`, `Warn`, `No Data`, `OK`, `Unknown`, or any word that the service uses. */
  state: v.string(),
  stateSince: v.optional(storedTime),
  type: v.string(),
  query: v.string(),
  /** The critical threshold of the monitor, and others; none in a search. */
  thresholds: v.pipe(v.record(v.string(), v.unknown()), v.readonly()),
  /** What it notifies with; empty where it says nothing, or where a search does not tell. */
  message: v.string(),
  /** Its assets; undefined where an answer does not tell them, as that of the list. */
  runbooks: v.optional(v.pipe(v.array(v.pipe(runbook, v.readonly())), v.readonly())),
  tags: texts,
  /** Names of its options that are deprecated, where it has any. */
  outdated: v.exactOptional(texts),
  priority: v.optional(v.number()),
  /** Keys of `options.silenced` and matching downtimes; those in the past are left out when they are read. */
  mutes: v.pipe(v.array(keptMute), v.readonly()),
  /** The only information on mutes in a search result. */
  mutedUntil: v.optional(storedTime),
  groups: v.pipe(groupCounts, v.readonly()),
  /** The groups of the monitor, the most severe and the newest first: all of them, in a listed row the first eight. */
  worst: v.pipe(v.array(group), v.readonly()),
  modified: v.optional(storedTime),
  creator: v.optional(v.string()),
  /** Role ids; empty = anyone with the permission may edit and mute. */
  restricted: texts,
  /** True for a search result: mutes, groups and options are unknown until the monitor is read. */
  partial: v.boolean(),
  /** True when only the id is known, because the deployment does not offer the read. */
  bare: v.optional(v.boolean()),
  /** The service's JSON. A list does not keep it: details, edits and commands read the monitor whole. */
  raw: v.optional(v.unknown()),
});
export type MonitorRow = Readonly<v.InferOutput<typeof keptMonitor>>;

type Loose = Readonly<Record<string, unknown>>;

/** The value if it is an object, else an empty object. */
export const toObject = (value: unknown): Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {};

/** The value if it is an array, else an empty array. */
export const arrayOrEmpty = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The value if it is text and not empty. */
export const toText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** A number, also from text (`"5"`, docs/contract/monitors.md#oddities) or a bigint. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim())) return Number(value);
  return undefined;
}

/** An id as exact text. */
export function toId(value: unknown): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : undefined;
  return toText(value)?.trim() || undefined;
}

/** Milliseconds since the epoch, from ISO text or from epoch seconds; 0 = never (docs/contract/monitors.md#oddities). */
export const toInstant = (value: unknown): number | undefined => readEpoch(value, 's');

/** The end of a mute in epoch milliseconds; null = forever. An end that cannot be read counts as none, so that the mute is still shown. */
export function toEnd(value: unknown): number | null {
  return toNumber(value) === 0 ? 0 : (toInstant(value) ?? null);
}

/** A person's name, else e-mail, handle or id. `id` may itself be an object (docs/contract/monitors.md#oddities). */
export function creatorName(value: unknown): string | undefined {
  const person = toObject(value);
  const inner = toObject(person.id);
  const id = toId(person.id) ?? toId(inner.id);
  return (
    toText(person.name) ??
    toText(inner.name) ??
    toText(person.email) ??
    toText(person.handle) ??
    toText(inner.handle) ??
    (id === undefined ? undefined : `user ${id}`)
  );
}

const known = ['Alert', 'Warn', 'No Data', 'OK', 'Ignored', 'Skipped', 'Unknown'];

/** A state in the spelling of the list, whatever its case; an unknown state stays as it is. */
export function readState(value: unknown): string {
  const word = toText(value) ?? 'Unknown';
  return known.includes(word) ? word : (known.find((one) => one.toLowerCase() === word.toLowerCase()) ?? word);
}

const reds: readonly string[] = ['Alert', 'Warn', 'No Data'];

/** Whether a monitor in this state notifies. */
export const isRed = (state: string): boolean => reds.includes(state);

/** Names of the groups that notify; `*` where no single one is told of a monitor that does. The state may be newer than the groups. */
export const redNames = ({ state, groups: { red } }: Pick<MonitorRow, 'state' | 'groups'>): readonly string[] =>
  red.length > 0 && severity(state) > 0 ? red : isRed(state) ? ['*'] : [];

/** The state of a group, `*` for that of the monitor; undefined where a listed row does not have it. */
export const stateOf = ({ state, worst }: Pick<MonitorRow, 'state' | 'worst'>, name: string): string | undefined =>
  worst.find((group) => group.name === name)?.state ?? (name === '*' ? state : undefined);

/** Alert 4, Warn 3, No Data 2, unknown 1, OK, Ignored and Skipped 0 (docs/contract/monitors.md#states). */
export function severity(state: string): number {
  const at = reds.indexOf(state);
  if (at >= 0) return 4 - at;
  return ['OK', 'Ignored', 'Skipped'].includes(state) ? 0 : 1;
}

/** The monitor as the service told it; empty for a listed row, which does not keep it. */
export const rawMonitor = (row: Pick<MonitorRow, 'raw'>): Loose => toObject(row.raw);

/** Groups of a listed row. */
const listedGroups = 8;

/** The row as a list keeps it: without the service's JSON, and with the groups that are worst off. */
export function toListedRow({ raw: _, ...row }: MonitorRow): MonitorRow {
  return { ...row, worst: row.worst.slice(0, listedGroups) };
}

function groupsIn({ state }: Loose): readonly MonitorGroup[] {
  const groups = new Map<string, MonitorGroup>();
  for (const [key, value] of Object.entries(toObject(toObject(state).groups))) {
    const group = toObject(value);
    const told = scopeOf(toText(group.name)) ?? scopeOf(key) ?? '(no name)';
    // Groups of the same name are named by their key, which is unique.
    const name = groups.has(told) ? key : told;
    const status = readState(group.status);
    const since = isRed(status)
      ? toInstant(status === 'No Data' ? group.last_nodata_ts : group.last_triggered_ts)
      : toInstant(group.last_resolved_ts);
    const value_ = toNumber(toObject(group.triggering_value).value);
    groups.set(name, {
      name,
      state: status,
      ...(since === undefined ? {} : { since }),
      ...(value_ === undefined ? {} : { value: String(value_) }),
    });
  }
  return [...groups.values()];
}

const noGroups = { groups: { all: 0, red: [], states: [], covered: [] }, worst: [] };

/** How many groups of a row the scopes cover. Of groups that a listed row does not have those that notify, or that its mutes cover, are counted. */
export function coveredBy(scopes: readonly string[], { groups, worst }: Pick<MonitorRow, 'groups' | 'worst'>): number {
  const { all, covered, red } = groups;
  if (scopes.includes('*')) return all;
  const names = new Set([...worst.map(({ name }) => name), ...red, ...covered]);
  return [...names].filter((name) => scopes.some((scope) => covers(scope, name))).length;
}

function groupsOf(monitor: Loose, mutes: readonly Mute[]): Pick<MonitorRow, 'groups' | 'worst'> {
  const worst = groupsIn(monitor).toSorted(
    (one, other) => severity(other.state) - severity(one.state) || (other.since ?? 0) - (one.since ?? 0),
  );
  if (worst.length === 0) return noGroups;
  const red = worst.flatMap(({ name, state }) => (isRed(state) ? [name] : []));
  const states = [...new Set(worst.map(({ state }) => state))];
  const scopes = mutes.flatMap(({ scope }) => (scope === '*' ? [] : [scope]));
  const covered = worst.flatMap(({ name }) => (scopes.some((scope) => covers(scope, name)) ? [name] : []));
  return { groups: { all: worst.length, red, states, covered }, worst };
}

/** A group's name as a scope: `total` is the one group of a monitor without groups; undefined when it is blank. */
export function scopeOf(name: string | undefined): string | undefined {
  const text = name?.trim();
  return text === 'total' ? '*' : text || undefined;
}

/** A downtime as a mute; `told` has its id, scope and times. Undefined without an id. */
export function downtimeMute(by: 'v1' | 'v2', told: Loose, monitor: string, wide: boolean): Mute | undefined {
  const id = toId(told.id);
  const start = toInstant(told.start);
  if (id === undefined) return undefined;
  return { monitor, by, id, scope: silencedScope(told.scope), end: toEnd(told.end), ...present({ start }), wide };
}

/** A downtime of the list's `matching_downtimes`; one without a readable scope counts for the whole monitor. */
function matchingOf(value: unknown, monitor: string, keys: ReadonlySet<string>): Mute | undefined {
  const downtime = toObject(value);
  if (downtime.active === false) return undefined;
  // A downtime without `monitor_id` is of this monitor where `silenced` has the same scope.
  const isOwn =
    'monitor_id' in downtime ? toId(downtime.monitor_id) === monitor : keys.has(silencedScope(downtime.scope));
  return downtimeMute(/^\d+$/.test(toId(downtime.id) ?? '') ? 'v1' : 'v2', downtime, monitor, !isOwn);
}

/** Mutes and downtimes that a monitor object shows. Those that have ended are left out. */
export function mutesIn(value: unknown, monitor: string, now: number): Mute[] {
  const { options, matching_downtimes } = toObject(value);
  const mutes: Mute[] = Object.entries(toObject(toObject(options).silenced)).map(([scope, end]) => ({
    monitor,
    by: 'mute',
    scope: silencedScope(scope),
    end: toEnd(end),
    wide: false,
  }));
  const keys = new Set(mutes.map((mute) => mute.scope));
  for (const downtime of arrayOrEmpty(matching_downtimes)) {
    const mute = matchingOf(downtime, monitor, keys);
    if (mute) mutes.push(mute);
  }
  return mutes.filter((mute) => !hasEnded(mute, now));
}

/** A row from an object of list, get, mute or unmute; undefined when it is no object or has no id. */
export function readMonitor(value: unknown, now: number): MonitorRow | undefined {
  const monitor = toObject(value);
  const id = toId(monitor.id);
  if (id === undefined) return undefined;
  const mutes = mutesIn(monitor, id, now);
  return {
    ...common(monitor, id),
    state: readState(monitor.overall_state),
    mutes,
    ...groupsOf(monitor, mutes),
    modified: toInstant(monitor.modified),
    partial: false,
    raw: value,
  };
}

/** A row from an object of search: `status` for the state, no options, no groups (docs/contract/monitors.md#search). */
export function readFound(value: unknown, now: number): MonitorRow | undefined {
  const monitor = toObject(value);
  const id = toId(monitor.id);
  if (id === undefined) return undefined;
  const mutedUntil = toInstant(monitor.muted_until_ts);
  return {
    ...common(monitor, id),
    state: readState(monitor.status ?? monitor.overall_state),
    mutes: [],
    ...(mutedUntil !== undefined && mutedUntil > now ? { mutedUntil } : {}),
    ...noGroups,
    partial: true,
    raw: value,
  };
}

/** A row of a monitor that cannot be read, named by its id. */
export function bareMonitor(id: string): MonitorRow {
  const none = { ...noGroups, mutes: [], tags: [], restricted: [] };
  return {
    id,
    name: `monitor ${id}`,
    named: false,
    state: 'Unknown',
    type: 'unknown',
    query: '',
    message: '',
    thresholds: {},
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
  return { ...problem, text: `only ${plural(row.restricted.length, 'role')} may edit this monitor: ${words}` };
}

function common(monitor: Loose, id: string) {
  const name = toText(monitor.name)?.trim();
  const runbooks = runbooksIn(monitor);
  return {
    id,
    name: name || `(no name) #${id}`,
    named: Boolean(name),
    stateSince: toInstant(monitor.overall_state_modified) ?? toInstant(monitor.last_triggered_ts),
    type: toText(monitor.type) ?? toText(monitor.classification) ?? 'unknown',
    query: toText(monitor.query) ?? '',
    message: toText(monitor.message) ?? '',
    ...(runbooks && { runbooks }),
    thresholds: toObject(toObject(monitor.options).thresholds),
    ...outdatedIn(toObject(monitor.options)),
    tags: arrayOrEmpty(monitor.tags).flatMap((tag) => toText(tag) ?? []),
    priority: toNumber(monitor.priority),
    creator: creatorName(monitor.creator),
    restricted: arrayOrEmpty(monitor.restricted_roles).flatMap((role) => toId(role) ?? []),
  };
}

/** Deprecated options that a person has set (docs/contract/monitor-queries.md#options). */
function outdatedIn(options: Loose): Pick<MonitorRow, 'outdated'> {
  const isSet = (name: string) => Boolean(options[name]) && String(options[name]) !== '';
  const outdated = ['device_ids', 'synthetics_check_id', 'groupby_simple_monitor', 'locked'].filter(isSet);
  return outdated.length > 0 ? { outdated } : {};
}

/** The assets of a monitor that have an address; undefined where the answer has none of them. */
function runbooksIn({ assets }: Loose): MonitorRow['runbooks'] {
  if (!Array.isArray(assets)) return undefined;
  return assets.map(toObject).flatMap(({ name, url }) => {
    const address = toText(url)?.trim();
    return address ? [{ name: toText(name)?.trim() ?? '', url: address }] : [];
  });
}

/** True, or why the whole monitor cannot be read. */
export const isReadable = ({ bare }: MonitorRow): true | string =>
  bare !== true || 'this deployment does not allow reading it';

/** The refusal of an answer about another monitor than the one that was asked for. */
export const otherMonitor = (id: string) => problemResult('unreadable', `the response is not monitor ${id}`);
