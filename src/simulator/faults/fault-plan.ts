import { hash } from '../server/random.ts';
import type { FaultSource } from './fault.ts';
import type { FaultPlan, FaultRule } from './read-fault-plan.ts';

/**
 * Chooses faults by a plan. Whether a request fails depends on the seed, its operation and its number among the requests of
 * that operation: a run that sends them in the same order meets the same faults. The first rule that applies decides.
 */
export function plannedFaults({ seed, faults }: FaultPlan): FaultSource {
  const counts = new Map<string, number>();
  return {
    take(operation, isRead) {
      const nth = (counts.get(operation) ?? 0) + 1;
      counts.set(operation, nth);
      const at = faults.findIndex((rule, place) => isHit(rule, place, operation, nth, isRead));
      const does = faults[at];
      return does && { does, chance: hash(seed, at, operation, nth, 'size') / 2 ** 32 };
    },
  };

  function isHit(rule: FaultRule, place: number, operation: string, nth: number, isRead: boolean): boolean {
    const { of, first = 1, last = Number.POSITIVE_INFINITY, share = 1 } = rule;
    const isMeant = of === undefined || (typeof of === 'string' ? isRead === (of === 'reads') : of.includes(operation));
    if (!isMeant || nth < first || nth > last) return false;
    // A storm that began with an earlier request is not over yet.
    const long = 'requests' in rule ? (rule.requests ?? 1) : 1;
    for (let began = nth; began > nth - long && began >= first; began -= 1)
      if (hash(seed, place, operation, began) / 2 ** 32 < share) return true;
    return false;
  }
}
