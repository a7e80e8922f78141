import * as v from 'valibot';
import { endpoints } from '../../api/all-endpoints.ts';

const operations = new Set(endpoints.map((endpoint) => endpoint.id));
const number = (low: number, high: number, what: string) => {
  const says = `is not a ${what} from ${low} to ${high}`;
  return v.pipe(v.number(says), v.minValue(low, says), v.maxValue(high, says));
};
const whole = (low: number, high: number) => {
  const says = `is not a whole number from ${low} to ${high}`;
  return v.pipe(v.number(says), v.integer(says), v.minValue(low, says), v.maxValue(high, says));
};
const ms = whole(0, 600_000);
const range = v.pipe(
  v.tuple([ms, ms], 'is neither milliseconds nor [least, most]'),
  v.check(([low, high]) => low <= high, 'has the larger number first'),
);
const when = { when: v.optional(v.picklist(['before', 'after'], 'is neither before nor after')) };
const storm = { requests: v.optional(whole(1, 1000)) };

const who = 'is neither reads, edits nor a list of operations (orgdeck call --list has them)';
const which = {
  of: v.optional(
    v.union(
      [
        v.picklist(['reads', 'edits']),
        v.pipe(
          v.array(v.string()),
          v.check((ids) => ids.length > 0 && ids.every((id) => operations.has(id)), who),
        ),
      ],
      who,
    ),
  ),
  share: v.optional(number(0, 1, 'number')),
  first: v.optional(whole(1, 1e9)),
  last: v.optional(whole(1, 1e9)),
};

const rule = <N extends string, E extends v.ObjectEntries>(name: N, entries: E) =>
  v.strictObject({ fault: v.literal(name), ...which, ...entries });

/** The faults of a plan by name, each with the settings that it takes. */
const rules = [
  rule('drop', when),
  rule('hang', when),
  rule('delay', { ...when, ms: v.union([ms, range], 'is neither milliseconds nor [least, most]') }),
  rule('drip', { ms }),
  rule('truncate', {}),
  rule('reset-on-reuse', {}),
  rule('lie', { about: v.picklist(['length', 'type', 'encoding'], 'is neither length, type nor encoding') }),
  rule('page', { ...when, status: v.optional(whole(200, 599)) }),
  rule('empty', when),
  rule('envelope', when),
  rule('status', { ...when, status: whole(400, 599) }),
  rule('rate-limit', {
    ...storm,
    headers: v.optional(v.picklist(['right', 'none', 'lying'], 'is neither right, none nor lying')),
  }),
  rule('unauthorized', storm),
  rule('other-operator', { ...when, body: v.optional(v.unknown()) }),
  rule('redirect', { ...when, status: v.optional(whole(300, 399)), to: v.optional(v.string('is not a text')) }),
  rule('huge', { ...when, packed: v.optional(v.boolean('is neither true nor false')) }),
] as const;

/** Names of the faults. */
export const faultNames = rules.map((one) => one.entries.fault.literal);

/** When which request fails, and how; the settings are those of `docs/simulator.md`. */
export type FaultRule = v.InferOutput<(typeof rules)[number]>;

/** Faults of a run; the same seed gives the same faults to the same requests. */
export interface FaultPlan {
  readonly seed: number;
  readonly faults: readonly FaultRule[];
}

/** A plan without a seed takes another one at each run. */
type WrittenPlan = Omit<FaultPlan, 'seed'> & { readonly seed?: number };

type ReadPlan =
  | { readonly ok: true; readonly value: WrittenPlan }
  | { readonly ok: false; readonly faults: readonly string[] };

const seed = v.exactOptional(whole(0, 2 ** 32 - 1));
const file = v.strictObject(
  { seed, faults: v.array(v.variant('fault', rules, `has no fault among ${faultNames.join(', ')}`), 'is not a list') },
  'is not an object with "faults"',
);

/** Reads the JSON of a plan. Every mistake is one sentence that names its place. */
export function readFaultPlan(text: string): ReadPlan {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return { ok: false, faults: ['it is not JSON'] };
  }
  const read = v.safeParse(file, Array.isArray(given) ? undefined : given);
  if (!read.success) return { ok: false, faults: read.issues.map(sentence) };
  const late = read.output.faults.flatMap(({ first = 1, last = first }, at) =>
    last < first ? [`${placeOf(['faults', at])}: last is before first`] : [],
  );
  return late.length > 0 ? { ok: false, faults: late } : { ok: true, value: read.output };
}

function sentence(issue: v.BaseIssue<unknown>): string {
  const way = (issue.path ?? []).map(({ key }) => key as string | number);
  const member = way.at(-1);
  if (way.length === 0) return `it ${issue.message}`;
  // A strict object tells an unknown member by what it expected there, a missing one by what it found.
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return `${placeOf(way)} is not a setting of ${way.length === 1 ? 'a plan' : 'this fault'}`;
  if (issue.input === undefined && member !== 'fault') return `${placeOf(way)} is missing`;
  return member === 'fault' ? `${placeOf(way.slice(0, -1))} ${issue.message}` : `${placeOf(way)} ${issue.message}`;
}

/** `faults[0].share` as `share of fault 1`. */
function placeOf([box, at, name]: readonly (string | number)[]): string {
  if (box !== 'faults' || typeof at !== 'number') return String(box);
  return name === undefined ? `fault ${at + 1}` : `${name} of fault ${at + 1}`;
}
