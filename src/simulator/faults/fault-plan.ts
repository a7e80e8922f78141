import { STATUS_CODES } from 'node:http';
import { hash } from '../server/random.ts';
import { type Fault, type FaultSource, page } from './faults.ts';
import type { FaultPlan, FaultRule } from './read-fault-plan.ts';

/**
 * Chooses faults by a plan. Whether a request fails depends on the seed, its operation and its number among the requests of
 * that operation: a run that sends them in the same order meets the same faults. The first rule that applies decides.
 */
export function plannedFaults({ seed, faults }: FaultPlan): FaultSource {
  const counts = new Map<string, number>();
  return {
    take(operation, _, isRead) {
      const nth = (counts.get(operation) ?? 0) + 1;
      counts.set(operation, nth);
      const at = faults.findIndex((rule, place) => isHit(rule, place, operation, nth, isRead));
      const rule = faults[at];
      return rule && faultOf(rule, hash(seed, at, operation, nth, 'size') / 2 ** 32);
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

/** The fault of a rule; `chance` in [0, 1) chooses within its range. */
function faultOf(rule: FaultRule, chance: number): Fault {
  const after = 'when' in rule && rule.when === 'after';
  const answers = (answer: Extract<Fault, { kind: 'answers' }>['answer']): Fault => ({
    kind: 'answers',
    answer,
    after,
  });
  switch (rule.fault) {
    case 'drop':
      return { kind: 'resets', after };
    case 'hang':
      return { kind: 'hangs', after };
    case 'delay': {
      const [low, high] = typeof rule.ms === 'number' ? [rule.ms, rule.ms] : rule.ms;
      return { kind: 'delays', ms: Math.round(low + chance * (high - low)), after };
    }
    case 'drip':
      return { kind: 'drips', ms: rule.ms };
    case 'truncate':
      return { kind: 'truncates' };
    case 'reset-on-reuse':
      return { kind: 'resetsReused' };
    case 'lie':
      return { kind: 'lies', about: rule.about };
    case 'page':
      return answers(page(rule.status ?? 502, STATUS_CODES[rule.status ?? 502] ?? 'Problem'));
    case 'empty':
      return answers({ status: 200 });
    case 'envelope':
      return answers({ status: 200, body: envelopes[Math.floor(chance * envelopes.length)] });
    case 'status':
      return answers({ status: rule.status, body: { errors: [STATUS_CODES[rule.status] ?? 'Problem'] } });
    case 'rate-limit':
      return answers({ status: 429, body: { errors: ['Too Many Requests'] }, headers: rateHeaders(rule, chance) });
    case 'unauthorized':
      return answers({ status: 401, body: { errors: ['Unauthorized'] } });
    case 'other-operator':
      return { kind: 'overtakes', after, ...('body' in rule && { body: rule.body }) };
    case 'redirect':
      return answers({
        status: rule.status ?? 307,
        headers: { Location: rule.to ?? 'https://elsewhere.example.test/' },
      });
    case 'huge':
      return { kind: 'bloats', packed: rule.packed ?? false, after };
  }
}

/** JSON that no operation answers. */
const envelopes: readonly unknown[] = [null, {}, [], { result: {} }, { data: null }, { data: 7 }, 'ok'];

const lies = ['-1', 'NaN', '1e300', '0', 'soon', '99999999999999999999'];

function rateHeaders(rule: Extract<FaultRule, { fault: 'rate-limit' }>, chance: number): Record<string, string> {
  if (rule.headers === 'none') return {};
  const lie = lies[Math.floor(chance * lies.length)] ?? '';
  const reset = rule.headers === 'lying' ? lie : '2';
  return {
    'X-RateLimit-Limit': '100',
    'X-RateLimit-Period': '10',
    'X-RateLimit-Remaining': rule.headers === 'lying' ? '100' : '0',
    'X-RateLimit-Reset': reset,
    'Retry-After': reset,
  };
}
