import { getDowntime, getDowntimeV1 } from '../../src/api/downtimes.ts';
import { call } from '../../src/api/endpoint.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import { problemResult, type Result } from '../../src/api/problem.ts';
import { readDuration } from '../../src/lib/duration.ts';
import { nextWindows, type Recurrence } from '../../src/lib/recurrence.ts';
import { spans } from '../../src/lib/time-text.ts';
import { type Mute, muteSource } from './mutes.ts';
import { arrayOrEmpty, toObject, toText } from './row.ts';
import { rulesCall } from './silence.ts';

/** The rules of a downtime before and after its windows were made longer; how long one lasts now. */
export interface Lengthened {
  readonly before: readonly Recurrence[];
  readonly after: readonly Recurrence[];
  readonly zone: string;
  readonly length: number;
}

/**
 * Makes every window of a rule so much longer, of several rules that of the window which runs or comes next: one window has no end of its
 * own (docs/contract/monitors.md#downtimes-of-v2). Whatever else the downtime says stays.
 */
export function* lengthening(mute: Mute, by: number, now: number): Plan<Result<Lengthened>> {
  const { id = '', repeats } = mute;
  const got = yield* ask(call(getDowntime, { downtime_id: id }));
  if (!got.ok) return got;
  const { schedule } = toObject(toObject(toObject(got.value).data).attributes);
  const before = arrayOrEmpty(toObject(schedule).recurrences) as readonly Recurrence[];
  const zone = toText(toObject(schedule).timezone) ?? repeats?.zone ?? 'UTC';
  const [window] = nextWindows(before, zone, now, 1) ?? [];
  const rule = before.find((one) => nextWindows([one], zone, now, 1)?.[0]?.start === window?.start);
  const length = (readDuration(rule?.duration ?? '') ?? 0) + by;
  if (!window || !rule)
    return problemResult('conflict', `the windows of ${muteSource(mute)} are not known here: edit it in Mutes`);
  if (length < minute) return problemResult('invalid', 'a window lasts a minute or longer');
  const after = before.map((one) => (one === rule ? { ...one, duration: `${Math.round(length / minute)}m` } : one));
  const sent = yield* ask<unknown>(rulesCall(id, zone, after));
  return sent.ok ? { ...sent, value: { before, after, zone, length } } : sent;
}

const minute = 60_000;

/** The id by which the second version knows a downtime of the first; undefined where it is not told. */
export function* secondIdOf(id: string): Plan<string | undefined> {
  const got = yield* ask(call(getDowntimeV1, { downtime_id: id }));
  return got.ok ? toText(toObject(got.value).uuid) : undefined;
}

/** What the receipt of a rule says. */
export const lengthWords = ({ length }: Lengthened): string => `every window of its rule lasts ${spans(length)} now`;
