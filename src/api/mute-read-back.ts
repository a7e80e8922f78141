import { commaWords } from '../lib/text.ts';
import { readEpoch } from '../lib/time-text.ts';
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
