import { commaWords } from '../lib/text.ts';
import { readEpoch } from '../lib/time.ts';
import { isObject } from '../lib/values.ts';
import type { Call } from './endpoint.ts';

/** Whether a mute took effect, from the monitor that was read back (docs/contract/monitors.md#mute). */

/** Scopes that a monitor shows as silenced, with the end of each; a monitor that is not muted has none. */
function silencedOf(read: unknown): Readonly<Record<string, unknown>> {
  const { options, mutes } = (read ?? {}) as {
    readonly options?: { readonly silenced?: unknown } | null;
    /** A listed row keeps what is silenced as its mutes. */
    readonly mutes?: readonly { readonly by: string; readonly scope: string; readonly end: number | null }[];
  };
  if (options?.silenced || !Array.isArray(mutes)) return (options?.silenced ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    mutes.flatMap(({ by, scope, end }) => (by === 'mute' ? [[scope, end === null ? null : end / 1000]] : [])),
  );
}

/** A scope with its parts in one order: services differ in how they write it back. */
const ordered = (scope: string): string => commaWords(scope).toSorted().join(',');

/** Whether two ends of a mute are the same; a service may round. */
function isSameEnd(one: unknown, other: unknown): boolean {
  const [first, second] = [readEpoch(one, 's'), readEpoch(other, 's')];
  return first === second || (first !== undefined && second !== undefined && Math.abs(first - second) < 60_000);
}

/** Whether the monitor that was read back shows the mute that was sent. */
export function isMuted(sent: Call, read: unknown): boolean {
  const { scope, end } = (sent.body ?? {}) as { scope?: string | null; end?: unknown };
  const key = ordered(scope ?? '*');
  const there = Object.entries(silencedOf(read)).find(([other]) => ordered(other) === key);
  return there !== undefined && isSameEnd(there[1], end);
}

/** Whether the monitor that was read back is not muted in that scope, or until the same end as before. */
export function isNotMuted(sent: Call, read: unknown, before: unknown): boolean {
  const key = ordered(((sent.body ?? {}) as { scope?: string | null }).scope ?? '*');
  const endIn = (monitor: unknown) => Object.entries(silencedOf(monitor)).find(([scope]) => ordered(scope) === key);
  const [now, then] = [endIn(read), endIn(before)];
  return now === undefined ? 'options' in Object(read) : then !== undefined && isSameEnd(now[1], then[1]);
}

/** Whether the monitor that was read back no longer shows the mute that was to end; a read of no monitor shows nothing. */
export function isUnmuted(sent: Call, read: unknown): boolean {
  if ((read as { id?: unknown } | null)?.id == null) return false;
  const keys = Object.keys(silencedOf(read)).map(ordered);
  if (sent.query.all_scopes === true) return keys.length === 0;
  return !keys.includes(ordered(String(sent.query.scope ?? '*')));
}

/**
 * Members of a sent monitor that a read monitor does not show: `name`, `options.timeout_h`. Equivalent spellings count
 * as applied: numbers as text, sets in another order, defaults left out or added, `query alert` for `metric alert`
 * (docs/contract/monitors.md#edit, #monitor, #oddities).
 */
export function unappliedMembers(sent: unknown, read: unknown): string[] {
  const [ours, theirs] = [objectOf(sent), objectOf(read)];
  const members = Object.keys(ours).filter((name) => name !== 'options' && !isTaken(name, ours[name], theirs[name]));
  if (ours.options === undefined) return members;
  const [wanted, now] = [objectOf(ours.options), objectOf(theirs.options)];
  // Options are replaced as a whole: what was not sent and is still there was not taken away.
  const names = new Set([...Object.keys(wanted), ...removable.filter((name) => name in now)]);
  names.delete('silenced');
  const options = [...names].filter((name) => !isTaken(name, wanted[name], now[name]));
  return [...members, ...options.map((name) => `options.${name}`)];
}

/** Options that no service adds on its own. */
const removable = [
  'enable_logs_sample',
  'enable_samples',
  'escalation_message',
  'evaluation_delay',
  'group_retention_duration',
  'min_failure_duration',
  'new_group_delay',
  'no_data_timeframe',
  'notify_by',
  'on_missing_data',
  'renotify_interval',
  'renotify_occurrences',
  'renotify_statuses',
  'scheduling_options',
  'threshold_windows',
  'thresholds',
  'timeout_h',
  'variables',
];

/** Lists whose order means nothing. */
const sets = ['tags', 'notify_by', 'renotify_statuses', 'restricted_roles'];

function isTaken(name: string, sent: unknown, read: unknown): boolean {
  if (name === 'type') return kind(sent) === kind(read);
  if (name === 'thresholds' && isNothing(sent)) return true;
  if (sets.includes(name) && Array.isArray(sent) && Array.isArray(read))
    return isSame([...sent].map(String).toSorted(), [...read].map(String).toSorted());
  if (typeof sent === 'string' && typeof read === 'string') return sent.trim() === read.trim();
  return isSame(sent, read);
}

const kind = (type: unknown): unknown => (type === 'metric alert' ? 'query alert' : type);

/** Whether a value says nothing, so that a service may leave it out of a response or add it. */
function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === 'default' || value === 0)
    return true;
  return typeof value === 'object' && Object.values(value).every(isNothing);
}

function isSame(sent: unknown, read: unknown): boolean {
  if (isNothing(sent) && isNothing(read)) return true;
  if (Array.isArray(sent) || Array.isArray(read))
    return (
      Array.isArray(sent) &&
      Array.isArray(read) &&
      sent.length === read.length &&
      sent.every((element, index) => isSame(element, read[index]))
    );
  if (isObject(sent) && isObject(read))
    return [...new Set([...Object.keys(sent), ...Object.keys(read)])].every((name) => isSame(sent[name], read[name]));
  if (isObject(sent) || isObject(read)) return false;
  return String(sent) === String(read) || (isNumber(sent) && isNumber(read) && Number(sent) === Number(read));
}

const isNumber = (value: unknown): boolean =>
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));

const objectOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});
