import { giveBack } from '../lib/give-back.ts';
import { nextTurn, runInSlices } from '../lib/run-in-slices.ts';
import { createUnread } from './read-response.ts';
import type { Attempt } from './response-result.ts';
import { type KnownRows, rowsToRead, withKnownRows } from './unchanged-rows.ts';

/** What an answer says, and whether it repeats a key. */
export interface Judgement {
  readonly judged: Attempt;
  readonly repeats: boolean;
}

/** Bytes of rows that are read together, unless one alone has more: two milliseconds. */
const together = 48 * 1024;

const [opening, comma, closing] = Buffer.from('[,]') as unknown as readonly [number, number, number];

type JudgeList = (json: Buffer) => Promise<Judgement>;

/**
 * What a long list says, and what is remembered of its rows; those that are known from the last answer are not read. Undefined where it is no
 * list. `judgeList` tells what a list says as which some rows are given to it.
 */
export async function judgeLongList(
  json: Buffer,
  before: { readonly attempt: Attempt; readonly rows?: KnownRows | undefined } | undefined,
  judgeList: JudgeList,
): Promise<(Judgement & { readonly rows: KnownRows }) | undefined> {
  const read = await runInSlices(rowsToRead(json, before?.rows));
  if (!read) return undefined;
  const { places, known, rows } = read;
  if (known && before) {
    const others = places.filter((_, at) => known[at >> 1] === undefined);
    const { judged, repeats } = await judgeRows(json, others, judgeList);
    const whole = withKnownRows(known, before.attempt.result, judged.result);
    if (whole) return { judged: whole, repeats, rows };
  }
  return { ...(await judgeRows(json, places, judgeList)), rows: { ...rows, apart: rows.apart.fill(0) } };
}

/**
 * What rows of a long list say, which lie at these places, a pair for each. A few are read at a time: what is made of them on the way is
 * garbage before the collection of young objects takes it for old.
 */
async function judgeRows(json: Buffer, places: readonly number[], judgeList: JudgeList): Promise<Judgement> {
  const all: { values: unknown[]; repeats: boolean; status: number } = { values: [], repeats: false, status: 200 };
  const unread = createUnread();
  for (const [first, end] of partsOf(places)) {
    const list = listOf(json, places.slice(2 * first, 2 * end));
    const part = await judgeList(list);
    giveBack(list);
    all.repeats ||= part.repeats;
    const { result } = part.judged;
    if (!result.ok || !Array.isArray(result.value)) return part;
    for (const value of result.value) all.values.push(value);
    unread.add(...result.unread.map((place) => place.replace(/^\[(\d+)\]/, (_, at) => `[${first + Number(at)}]`)));
    all.status = result.status;
    await nextTurn();
  }
  const { values, status, repeats } = all;
  return {
    judged: { seen: { kind: 'final' }, result: { ok: true, value: values, status, unread: unread.named() } },
    repeats,
  };
}

/** The bytes of these rows as a list of their own. */
function listOf(json: Buffer, places: readonly number[]): Buffer {
  const list = Buffer.allocUnsafeSlow(bytesOf(places) + places.length / 2 + 1);
  let end = 0;
  for (let at = 0; at < places.length; at += 2) {
    list[end] = at === 0 ? opening : comma;
    end += 1 + json.copy(list, end + 1, places[at], places[at + 1]);
  }
  list[end] = closing;
  return list;
}

const bytesOf = (places: readonly number[]): number =>
  places.reduce((sum, place, at) => sum + (at % 2 === 0 ? -place : place), 0);

/** From which row to which, one pair for each part. */
function* partsOf(places: readonly number[]): Generator<readonly [number, number]> {
  const count = places.length / 2;
  let first = 0;
  let bytes = 0;
  for (let at = 0; at < count; at += 1) {
    const length = (places[2 * at + 1] as number) - (places[2 * at] as number);
    if (bytes > 0 && bytes + length > together) {
      yield [first, at];
      first = at;
      bytes = 0;
    }
    bytes += length;
  }
  if (first < count) yield [first, count];
}
