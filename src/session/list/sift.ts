import { isNarrower, matcher } from './filter.ts';

/** Place of each id among some. */
export type Places = Pick<ReadonlyMap<string, number>, 'get' | 'has'>;

/** What a filter leaves of rows, in their order. */
export interface Matches {
  readonly ids: readonly string[];
  readonly places: Places;
  /** Rows are left that were not looked at yet: the first matches are known, others may follow. */
  readonly isPartial: boolean;
}

/** The rows of one list in one order, and what filters leave of them. */
export interface Sift {
  /**
   * What this filter leaves, as far as is known: `atOnce` looks at all rows, otherwise a filter that is new looks at so many as
   * take a few milliseconds. What its beginnings leave is remembered, so that typing on narrows and going back is free.
   */
  matches(filter: string, atOnce: boolean): Matches;
  /**
   * Looks at some more rows for the filter asked for last; without one it makes texts, so that the first letter finds them. False
   * when nothing is left.
   */
  advance(): boolean;
}

/** Work in one slice: about ten milliseconds. */
const mostWork = 100_000;
/** The work of making a row's text, where looking at a text that is known is 1. */
const workOfText = 40;

/** One filter, and how far it has come. */
interface Round {
  readonly filter: string;
  readonly test: (text: string) => boolean;
  /** Places of the rows to look at, all of them when absent. */
  readonly among: readonly number[] | undefined;
  done: number;
  /** Places of the rows that match. */
  readonly found: number[];
  matches: Matches | undefined;
}

/** Texts are asked for once. `work` is that of a slice. */
export function createSift(ids: readonly string[], textOf: (id: string) => string, work = mostWork): Sift {
  const texts = Array<string | undefined>(ids.length).fill(undefined);
  const textAt = (place: number): string => (texts[place] ??= textOf(ids[place] as string));
  const read = { next: 0 };
  const known: { index: ReadonlyMap<string, number> | undefined } = { index: undefined };
  const index = () => (known.index ??= new Map(ids.map((id, place) => [id, place])));
  const whole: Matches = {
    ids,
    places: { get: (id) => index().get(id), has: (id) => index().has(id) },
    isPartial: false,
  };
  let rounds: readonly Round[] = [];

  const sizeOf = ({ among }: Round) => among?.length ?? ids.length;

  /** Looks at rows until this much work is done. */
  const look = (round: Round, most: number) => {
    const size = sizeOf(round);
    let left = most;
    while (round.done < size && left > 0) {
      const place = round.among ? (round.among[round.done] as number) : round.done;
      left -= texts[place] === undefined ? workOfText : 1;
      if (round.test(textAt(place))) round.found.push(place);
      round.done += 1;
    }
    round.matches = undefined;
  };

  const begin = (filter: string, test: Round['test']): Round => {
    const wider = rounds.findLast((round) => isNarrower(filter, round.filter));
    const rest = () =>
      Array.from({ length: wider ? sizeOf(wider) - wider.done : 0 }, (_, at) => {
        const next = (wider?.done ?? 0) + at;
        return wider?.among?.[next] ?? next;
      });
    const among = wider && (wider.done < sizeOf(wider) ? [...wider.found, ...rest()] : wider.found);
    return { filter, test, among, done: 0, found: [], matches: undefined };
  };

  return {
    matches(filter, atOnce) {
      rounds = rounds.filter((round) => filter.startsWith(round.filter));
      const test = matcher(filter);
      if (!test) return whole;
      const last = rounds.at(-1);
      const round = last?.filter === filter ? last : begin(filter, test);
      if (round !== last) {
        rounds = [...rounds, round];
        look(round, work);
      }
      if (atOnce && round.done < sizeOf(round)) look(round, Number.POSITIVE_INFINITY);
      round.matches ??= matched(ids, index, round.found, round.done < sizeOf(round));
      return round.matches;
    },
    advance() {
      const round = rounds.at(-1);
      if (round) {
        if (round.done < sizeOf(round)) look(round, work);
        return round.done < sizeOf(round);
      }
      for (let left = work; left > 0 && read.next < ids.length; read.next += 1) {
        left -= texts[read.next] === undefined ? workOfText : 1;
        textAt(read.next);
      }
      return read.next < ids.length;
    },
  };
}

/** `found` rises: a place in it is found by halving, so that no letter makes a table of 100,000 places. */
function matched(
  ids: readonly string[],
  index: () => ReadonlyMap<string, number>,
  found: readonly number[],
  isPartial: boolean,
): Matches {
  const get = (id: string): number | undefined => {
    const place = index().get(id);
    if (place === undefined) return undefined;
    let [low, high] = [0, found.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((found[middle] as number) < place) low = middle + 1;
      else high = middle;
    }
    return found[low] === place ? low : undefined;
  };
  return {
    ids: found.map((place) => ids[place] as string),
    places: { get, has: (id) => get(id) !== undefined },
    isPartial,
  };
}
