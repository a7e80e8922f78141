import type { Org } from '../../src/simulator/server/store.ts';

const minute = 60_000;
const day = 1440 * minute;
/** Before and after each moment in which no error occurs. */
const margin = 30 * minute;

/**
 * No error occurs now, nor where a window of a day begins or is halved: for half an hour such windows, which move on with the time, count
 * the same.
 */
export function restIssues(org: Org, now: number): void {
  const pauses = [now - day, now - day / 2, now];
  for (const { stream } of org.issues.values()) {
    let { active } = stream;
    for (const at of pauses)
      active = active
        .flatMap(({ from, to }) => [
          { from, to: Math.min(to ?? Infinity, at - margin) },
          { from: Math.max(from, at + margin), to },
        ])
        .filter(({ from, to }) => to === null || from < to);
    stream.active.splice(0, Infinity, ...active);
  }
}
