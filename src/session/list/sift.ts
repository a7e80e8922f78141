import { once } from '../../lib/once.ts';
import { isNarrower } from './filter.ts';
import { createWordTexts, type WordTexts } from './word-texts.ts';

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
  /** Where the text of each row is kept, by its slot; 0 for those that have not been made. */
  readonly texts: Uint32Array;
  /**
   * What this filter leaves, as far as is known: one that is new looks at so many rows as take a few milliseconds, those whose
   * texts are known first. What its beginnings leave is remembered, so that typing on narrows and going back is free.
   */
  matches(filter: string): Matches;
  /**
   * Looks at some more rows for the filter asked for last; without one it makes texts, so that the first letter finds them. False
   * when nothing is left.
   */
  advance(): boolean;
}

/** Work in one slice, five to ten milliseconds: where all texts are known, a letter over 100,000 rows is one frame. */
const mostWork = 120_000;
/** The work of making a row's text, collecting its garbage included, where looking at a text that is known is 1. */
const workOfText = 400;
/** That of looking for what is only like a word, in a text that is known. */
const workOfLikeness = 100;
/** Matches that are listed anew after each slice. Of more, a list is made when they are twice as many, and at the end. */
const fewMatches = 500;

interface Kept {
  readonly store: WordTexts;
  readonly texts: Uint32Array;
  /** The slot of each row, by its place; asked for once, when a text is. */
  readonly slots: () => Uint32Array;
  readonly work: number;
}

/** One filter, and how far it has come. */
interface Round {
  readonly filter: string;
  readonly test: (text: number) => boolean;
  /** The work of one test. */
  readonly cost: number;
  /** Places of the rows to look at, all of them when absent. */
  readonly among: Uint32Array | undefined;
  /** They ascend. */
  readonly isInOrder: boolean;
  done: number;
  /** Places of the rows that match, the first `count`. Numbers outside the heap: a letter makes no garbage of 100,000 rows. */
  found: Uint32Array;
  count: number;
  matches: Matches | undefined;
}

/** Texts are asked for once, and kept in `store`; those that are in it already need not be made. `work` is that of a slice. */
export function createSift(
  ids: readonly string[],
  textOf: (id: string) => string,
  {
    store = createWordTexts(),
    texts = new Uint32Array(ids.length),
    slots = () => Uint32Array.from(ids.keys()),
    work = mostWork,
  }: Partial<Kept> = {},
): Sift {
  const slotsByPlace = once(slots);
  const madeAt = (place: number): number => {
    const text = store.keep(textOf(ids[place] as string));
    texts[slotsByPlace()[place] as number] = text;
    return text;
  };
  const read = { next: 0 };
  const whole: Matches = { ids, places: placesIn(ids), isPartial: false };
  let rounds: readonly Round[] = [];

  const sizeOf = ({ among }: Round) => among?.length ?? ids.length;

  /** Looks at rows until this much work is done. */
  const look = (round: Round, most: number) => {
    const size = sizeOf(round);
    const slots = slotsByPlace();
    let left = most;
    while (round.done < size && left > 0) {
      const place = round.among ? (round.among[round.done] as number) : round.done;
      const text = texts[slots[place] as number] as number;
      left -= text === 0 ? workOfText : round.cost;
      if (round.test(text === 0 ? madeAt(place) : text)) {
        round.found[round.count] = place;
        round.count += 1;
      }
      round.done += 1;
    }
    if (round.done === size) round.found = inOrder(round);
    const listed = round.matches?.ids.length ?? 0;
    if (round.done === size || round.count < fewMatches || round.count >= 2 * listed) round.matches = undefined;
  };

  const begin = (filter: string, test: Round['test']): Round => {
    const wider = rounds.findLast((round) => isNarrower(filter, round.filter));
    const size = wider ? wider.count + sizeOf(wider) - wider.done : ids.length;
    const among = wider ? left(wider, size) : knownFirst();
    return {
      filter,
      test,
      cost: /(^|\s)~\S/.test(filter) ? workOfLikeness : 1,
      among,
      isInOrder: wider ? wider.done === sizeOf(wider) || wider.isInOrder : among === undefined,
      done: 0,
      found: new Uint32Array(size),
      count: 0,
      matches: undefined,
    };
  };

  /** What a wider filter leaves to look at: the rows that it has found, and those that it has not come to. */
  const left = ({ found, count, among, done }: Round, size: number): Uint32Array => {
    const places = new Uint32Array(size);
    places.set(found.subarray(0, count));
    if (among) places.set(among.subarray(done), count);
    else for (let at = count; at < size; at += 1) places[at] = done + at - count;
    return places;
  };

  /** All places, of rows with a known text first: what a poll leaves as it was is shown at once. Undefined where that is their order. */
  const knownFirst = (): Uint32Array | undefined => {
    const slots = slotsByPlace();
    const isKnown = (place: number) => texts[slots[place] as number] !== 0;
    let known = 0;
    for (let place = 0; place < ids.length; place += 1) known += Number(isKnown(place));
    if (known === 0 || known === ids.length) return undefined;
    const places = new Uint32Array(ids.length);
    let [at, behind] = [0, known];
    for (let place = 0; place < ids.length; place += 1)
      if (isKnown(place)) places[at++] = place;
      else places[behind++] = place;
    return places;
  };

  return {
    texts,
    matches(filter) {
      rounds = rounds.filter((round) => filter.startsWith(round.filter));
      const last = rounds.at(-1);
      const test = last?.filter === filter ? last.test : store.tester(filter);
      if (!test) return whole;
      const round = last?.filter === filter ? last : begin(filter, test);
      if (round !== last) {
        rounds = [...rounds, round];
        look(round, work);
      }
      const isPartial = round.done < sizeOf(round);
      round.matches ??=
        round.count === ids.length ? whole : matched(ids, isPartial ? inOrder(round) : round.found, isPartial);
      return round.matches;
    },
    advance() {
      const round = rounds.at(-1);
      if (round) {
        if (round.done < sizeOf(round)) look(round, work);
        return round.done < sizeOf(round);
      }
      for (let left = work; left > 0 && read.next < ids.length; read.next += 1) {
        if (texts[slotsByPlace()[read.next] as number] !== 0) continue;
        left -= workOfText;
        madeAt(read.next);
      }
      return read.next < ids.length;
    },
  };
}

/** The places that it has found, ascending. */
function inOrder({ found, count, isInOrder }: Round): Uint32Array {
  const places = found.slice(0, count);
  return isInOrder ? places : places.sort();
}

function matched(ids: readonly string[], found: Uint32Array, isPartial: boolean): Matches {
  const listed = Array<string>(found.length);
  for (let at = 0; at < found.length; at += 1) listed[at] = ids[found[at] as number] as string;
  return { ids: listed, places: placesIn(listed), isPartial };
}

/** The next row asked for is seldom farther away. */
const nearby = 50;

/**
 * Looks for an id around the last one that was found, then everywhere: the cursor asks for one row, and moves by few. A table of
 * 100,000 places would be made for each page that is read and each letter that is typed.
 */
function placesIn(ids: readonly string[]): Places {
  const last: { at: number; missing?: string } = { at: 0 };
  const get = (id: string): number | undefined => {
    if (id === last.missing) return undefined;
    const from = Math.max(0, last.at - nearby);
    const near = ids.slice(from, last.at + nearby).indexOf(id);
    const at = near < 0 ? ids.indexOf(id) : from + near;
    if (at >= 0) last.at = at;
    else last.missing = id;
    return at < 0 ? undefined : at;
  };
  return { get, has: (id) => get(id) !== undefined };
}
