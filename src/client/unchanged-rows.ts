import { hash } from 'node:crypto';
import type { Result } from '../api/problem.ts';
import { placesOfRows } from '../lib/json-rows.ts';
import type { Sliced } from '../lib/slices.ts';
import type { Attempt } from './response-result.ts';

/** So many rows may be others than in the answer that was last read as a whole; beyond it the whole is read again. */
const mostOthers = 1 / 4;
/** Bytes of rows hashed between two pauses: a millisecond. */
const sliceBytes = 512 * 1024;

const digestBytes = 16;

/** What is remembered of the rows of a long answer, to know them again. */
export interface KnownRows {
  /** Of each row, one behind the other. */
  readonly digests: Buffer;
  /** Of each row 1 where it was read apart, because it had changed since the whole was read. */
  readonly apart: Uint8Array;
}

/** The rows of a long list, and which of them are known. */
export interface RowsToRead {
  /** Where the JSON of each begins and ends in the answer, one pair after the other. */
  readonly places: readonly number[];
  readonly rows: KnownRows;
  /** Of each row its place in the last answer, or undefined where it has to be read; absent: all have to be. */
  readonly known?: readonly (number | undefined)[];
}

/**
 * What has to be read of a long answer, of which the last one is known; undefined where it is no list. Rows that were read apart are read again
 * together with those that have changed: what is kept of an answer is in two pieces at most, however often rows change.
 */
export function* rowsToRead(json: Buffer, before: KnownRows | undefined): Sliced<RowsToRead | undefined> {
  const places = yield* placesOfRows(json);
  if (!places) return undefined;
  const count = places.length / 2;
  const find = before && finder(before);
  const digests = Buffer.alloc(count * digestBytes);
  const apart = new Uint8Array(count);
  const known: (number | undefined)[] = [];
  let bytes = 0;
  for (let at = 0; at < count; at++) {
    const row = json.subarray(places[2 * at], places[2 * at + 1]);
    bytes += row.length;
    if (bytes > sliceBytes) {
      bytes = 0;
      yield;
    }
    digests.set(hash('sha1', row, 'buffer').subarray(0, digestBytes), at * digestBytes);
    const place = find?.(digests.subarray(at * digestBytes, (at + 1) * digestBytes), at);
    known.push(place);
    if (place === undefined) apart[at] = 1;
  }
  const others = known.filter((place) => place === undefined).length;
  if (!before || others > count * mostOthers) return { places, rows: { digests, apart: apart.fill(0) } };
  return { places, rows: { digests, apart }, known };
}

/** Finds a row that was not read apart by its digest, first at the place where it is now. */
function finder({ digests, apart }: KnownRows): (digest: Buffer, at: number) => number | undefined {
  const made: { places?: Map<string, number> } = {};
  const placesOfAll = () => {
    const places = new Map<string, number>();
    for (const [at, isApart] of apart.entries())
      if (isApart === 0) places.set(digests.toString('latin1', at * digestBytes, (at + 1) * digestBytes), at);
    made.places = places;
    return places;
  };
  return (digest, at) => {
    const from = at * digestBytes;
    if (apart[at] === 0 && digests.compare(digest, 0, digestBytes, from, from + digestBytes) === 0) return at;
    return (made.places ?? placesOfAll()).get(digest.toString('latin1'));
  };
}

/** What was made of an answer: of its known rows what was made of them before, beside those that were read; undefined where a row is missing. */
export function withKnownRows(
  known: NonNullable<RowsToRead['known']>,
  before: Result<unknown>,
  read: Result<unknown>,
): Attempt | undefined {
  const [last, others] = [wholeList(before), wholeList(read)];
  if (!last || !others || !read.ok) return undefined;
  let next = 0;
  const rows = known.map((place) => (place === undefined ? others[next++] : last[place]));
  return next === others.length ? { seen: { kind: 'final' }, result: { ...read, value: rows } } : undefined;
}

/** The list that a result is, where no part of it was left out. */
const wholeList = (result: Result<unknown>): readonly unknown[] | undefined =>
  result.ok && result.unread.length === 0 && Array.isArray(result.value) ? result.value : undefined;
