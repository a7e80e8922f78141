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

const [opening, comma, closing] = ['[', ',', ']'].map((mark) => Buffer.from(mark)) as [Buffer, Buffer, Buffer];

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
  const { all, known, rows } = read;
  if (known && before) {
    const others = all.filter((_, at) => known[at] === undefined);
    const { judged, repeats } = await judgeRows(others, judgeList);
    const whole = withKnownRows(known, before.attempt.result, judged.result);
    if (whole) return { judged: whole, repeats, rows };
  }
  return { ...(await judgeRows(all, judgeList)), rows: { ...rows, apart: rows.apart.fill(0) } };
}

/**
 * What rows of a long list say, from the JSON of each. A few are read at a time: what is made of them on the way is garbage before the
 * collection of young objects takes it for old.
 */
async function judgeRows(rows: readonly Buffer[], judgeList: JudgeList): Promise<Judgement> {
  const all: { values: unknown[]; repeats: boolean; status: number } = { values: [], repeats: false, status: 200 };
  const unread = createUnread();
  for (const [first, end] of partsOf(rows)) {
    const list = rows.slice(first, end).flatMap((row, at) => (at === 0 ? [row] : [comma, row]));
    const json = Buffer.concat([opening, ...list, closing]);
    const part = await judgeList(json);
    giveBack(json);
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

/** From which row to which, one pair for each part. */
function* partsOf(rows: readonly Buffer[]): Generator<readonly [number, number]> {
  let first = 0;
  let bytes = 0;
  for (const [at, { length }] of rows.entries()) {
    if (bytes > 0 && bytes + length > together) {
      yield [first, at];
      first = at;
      bytes = 0;
    }
    bytes += length;
  }
  if (first < rows.length) yield [first, rows.length];
}
