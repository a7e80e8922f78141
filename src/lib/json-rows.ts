import type { Sliced } from './slices.ts';

/** Bytes looked over between two pauses: 1 ms, and 4 ms before the code is optimised. */
const look = 128 * 1024;

const [quote, backslash, comma] = [34, 92, 44];

/**
 * Where the rows of UTF-8 bytes that are one JSON list begin and end, one pair after the other; undefined where it is no list, or not closed.
 * Brackets and texts are followed, nothing else: what stands between the places may still be no JSON.
 */
export function* placesOfRows(json: Uint8Array): Sliced<readonly number[] | undefined> {
  const start = json.findIndex(isText);
  if (json[start] !== 91) return undefined;
  const places: number[] = [];
  let [from, depth, pauseAt] = [start + 1, 0, look];
  for (let at = start + 1; at < json.length; at++) {
    if (at >= pauseAt) {
      pauseAt = at + look;
      yield;
    }
    const code = json[at];
    if (code === quote) {
      at = endOfText(json, at);
      if (at < 0) return undefined;
    } else if (code === 91 || code === 123) depth += 1;
    else if ((code === 93 || code === 125) && depth > 0) depth -= 1;
    else if (code === 93) {
      const isEmpty = places.length === 0 && !json.subarray(from, at).some(isText);
      if (!isEmpty) places.push(from, at);
      return json.subarray(at + 1).some(isText) ? undefined : places;
    } else if (code === comma && depth === 0) {
      places.push(from, at);
      from = at + 1;
    }
  }
  return undefined;
}

const isText = (code: number): boolean => code > 32;

/** The place of the quote that ends a text; -1 where none does. */
function endOfText(json: Uint8Array, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const code = json[at];
    if (code === quote) return at;
    if (code === backslash) at++;
  }
  return -1;
}
