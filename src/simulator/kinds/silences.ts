import { nextWindows } from '../../lib/recurrence.ts';
import { holds, matchesText, readTerms } from '../query/search-terms.ts';
import { type ServiceWorld, seconds } from '../server/handler.ts';
import type { Silence, StoredGroup, StoredMonitor } from '../server/monitoring.ts';
import { hash } from '../server/random.ts';
import type { Org } from '../server/store.ts';

/** The status values of v1 and v2 (docs/contract/monitors.md#downtimes-of-v1). */
type SilenceStatus = 'scheduled' | 'active' | 'ended' | 'canceled';

/** The status of a silence at `now`, derived from its start and end; one that repeats goes on to its next window first. */
export function downtimeStatus(silence: Silence, now: number): SilenceStatus {
  if (silence.canceled !== null) return 'canceled';
  if (silence.rule && silence.end !== null && silence.end <= now)
    Object.assign(silence, nextWindows(silence.rule.recurrences, silence.rule.zone, now, 1)?.[0]);
  if (silence.end !== null && silence.end <= now) return 'ended';
  return silence.start <= now ? 'active' : 'scheduled';
}

/** Adds a silence to the table that mutes, v1 and v2 downtimes share. */
export function silence(
  { org, random }: Pick<ServiceWorld, 'org' | 'random'>,
  given: Partial<Silence> & Pick<Silence, 'made' | 'creator'>,
  now: number,
): Silence {
  const id = given.id ?? org.next.downtime;
  org.next.downtime = Math.max(org.next.downtime, id) + 1;
  const scope = given.scope ?? ['*'];
  const silence: Silence = {
    id,
    uuid: random.uuid(),
    monitor: null,
    monitorTags: ['*'],
    scope,
    scopeText: scope.join(' AND '),
    start: now,
    end: null,
    canceled: null,
    message: '',
    timezone: 'UTC',
    updater: null,
    created: now,
    modified: now,
    muteFirstRecovery: false,
    notifyStates: ['alert', 'no data', 'warn'],
    notifyTypes: ['expired'],
    ...given,
  };
  org.silences.set(silence.uuid, silence);
  return silence;
}

/** The key under which a scope stands in `silenced`. */
export const scopeKey = (scope: readonly string[]): string => [...scope].sort().join(',') || '*';

/**
 * `options.silenced` of a monitor: mutes, and v1 downtimes made for this monitor by id. Values are
 * epoch seconds, null = forever; expired keys are omitted (docs/contract/monitors.md#silenced).
 */
export function activeMutes(org: Org, monitor: StoredMonitor, now: number): Record<string, number | null> {
  const found: Record<string, number | null> = {};
  org.silences.forEach((one) => {
    if (one.monitor !== monitor.id || one.made === 'v2' || downtimeStatus(one, now) !== 'active') return;
    const key = scopeKey(one.scope);
    const end = one.end === null ? null : seconds(one.end);
    const there = found[key];
    found[key] = there === undefined ? end : there === null || end === null ? null : Math.max(there, end);
  });
  return found;
}

/** A downtime that is active and silences the monitor, with the groups it silences. Mutes are not downtimes. */
export function matching(org: Org, monitor: StoredMonitor, now: number): { silence: Silence; groups: string[] }[] {
  const found: { silence: Silence; groups: string[] }[] = [];
  org.silences.forEach((one) => {
    if (one.made === 'mute' || downtimeStatus(one, now) !== 'active') return;
    const groups = matchedGroups(one, monitor);
    if (groups) found.push({ silence: one, groups });
  });
  return found;
}

/** The groups that a silence covers; undefined when it does not apply to this monitor. */
export function matchedGroups(silence: Silence, monitor: StoredMonitor): string[] | undefined {
  if (silence.monitor !== null && silence.monitor !== monitor.id) return undefined;
  const byTags = silence.monitor === null;
  if (byTags && !silence.monitorTags.every((tag) => tag === '*' || monitor.tags.includes(tag))) return undefined;
  // A group of `avg:x{env:prod} by {host}` carries `env:prod` too.
  const scoped = isInQuery(silence, monitor) ? monitor.parts().scope : [];
  const all = [...monitor.groups.values()].filter((group) => group.name !== '*');
  const covered = all.filter((group) => covers(silence, [...group.tags, ...scoped])).map((group) => group.name);
  if (!byTags || covered.length > 0 || covers(silence, scoped)) return covered;
  return undefined;
}

/** Whether the query may name a value of the silence's scope: only then it is worth parsing. */
function isInQuery(one: Silence, monitor: StoredMonitor): boolean {
  const scope = one.made === 'v2' ? one.scopeText : one.scope.join(' ');
  const values = scope.match(/[^\s()":]+(?=[\s()"]|$)/g) ?? [];
  const query = monitor.query.toLowerCase();
  return values.some((value) =>
    /^(\*|AND|OR|NOT)$/.test(value) ? false : /[*?\\]/.test(value) || hasWord(query, value.toLowerCase()),
  );
}

/** Whether the text has the word, and not as the beginning of a longer one, as `device` begins with `dev`. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!/[\w./-]/.test(text.charAt(at + word.length))) return true;
  return false;
}

/** Whether a silence's scope matches these tags. */
function covers(one: Pick<Silence, 'made' | 'scope' | 'scopeText'>, tags: readonly string[]): boolean {
  if (one.made !== 'v2')
    return one.scope.every((tag) => tag === '*' || tags.some((own) => matchesText(own, tag, false)));
  if (one.scopeText.trim() === '*') return true;
  const read = readTerms(one.scopeText);
  if (!read.ok) return false;
  return holds(read.term, (field, value, quoted) =>
    tags.some((own) => matchesText(own, field === null ? value : `${field}:${value}`, quoted)),
  );
}

/** A monitor, or one of its groups. */
export interface MonitorOrGroup {
  readonly monitor: StoredMonitor;
  readonly group?: StoredGroup;
}

/** The silences that are active now and cover the group; without a group, the monitor or any group of it. */
export function activeSilences(org: Org, { monitor, group }: MonitorOrGroup, now: number): Silence[] {
  const tags = group && [...group.tags, ...monitor.parts().scope];
  return [...org.silences.values()].filter(
    (silence) =>
      downtimeStatus(silence, now) === 'active' &&
      matchedGroups(silence, monitor) !== undefined &&
      (tags === undefined || covers(silence, tags)),
  );
}

/** Cancels a silence; idempotent. */
export function cancel(one: Silence, now: number): undefined {
  one.canceled ??= now;
}

/**
 * Shuffles the list deterministically by `salt`: the arrays of v2 responses are unordered
 * (docs/contract/monitors.md#downtimes-of-v2).
 */
export const unordered = (list: readonly string[], salt: string): string[] =>
  [...list].sort((a, b) => hash(salt, a) - hash(salt, b));
