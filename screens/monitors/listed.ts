import { inOwnPages } from '../../src/lib/own-pages.ts';
import { createPacker, type Packed, type PackedList, PackedRow } from '../../src/lib/packed.ts';
import { PackedTexts } from './packed-texts.ts';
import type { MonitorRow } from './row.ts';

/** Members of which many rows have the same value. */
const facts = ['state', 'type', 'tags', 'priority', 'mutes', 'groups', 'restricted', 'creator', 'named'] as const;
type Fact = (typeof facts)[number];

/** Moments of a row. */
const moments = ['stateSince', 'modified'] as const;

/** The members of some hundred rows, outside the heap: 100,000 rows as objects take 60 MB, and each collection traces them. */
interface Page {
  /** What facts are, each once. */
  readonly values: readonly unknown[];
  /** Of each row the number of each fact. */
  readonly facts: Uint16Array;
  /** Of each row; NaN where it has none. */
  readonly moments: Float64Array;
  /** The names, one behind the other, with the place behind each. */
  readonly names: Buffer;
  readonly ends: Uint32Array;
  /** `utf8` unless a text has half of a surrogate pair. */
  readonly encoding: 'utf8' | 'utf16le';
  readonly queries: PackedTexts;
  readonly raws: PackedList;
}

/** Where the page of a row is; it is made when one of its rows is looked at, or when it is full. */
interface Place {
  page(): Page;
}

/** Monitors whose members lie together, at most. */
const listedTogether = 1000;

/** A row of the list whose members are read where they lie. It serves as other rows do, but a spread does not copy it. */
class ListedMonitor extends PackedRow implements MonitorRow {
  readonly id: string;
  #place: Place;
  #at: number;

  constructor(id: string, place: Place, at: number) {
    super();
    this.id = id;
    this.#place = place;
    this.#at = at;
  }

  get #page(): Page {
    return this.#place.page();
  }

  #fact<F extends Fact>(name: F): MonitorRow[F] {
    const { values, facts: numbers } = this.#page;
    return values[numbers[this.#at * facts.length + facts.indexOf(name)] as number] as MonitorRow[F];
  }

  #moment(name: (typeof moments)[number]): number | undefined {
    const moment = this.#page.moments[this.#at * moments.length + moments.indexOf(name)] as number;
    return Number.isNaN(moment) ? undefined : moment;
  }

  get name(): string {
    const { names, ends, encoding } = this.#page;
    return names.toString(encoding, this.#at === 0 ? 0 : ends[this.#at - 1], ends[this.#at]);
  }

  get state() {
    return this.#fact('state');
  }

  get type() {
    return this.#fact('type');
  }

  get tags() {
    return this.#fact('tags');
  }

  get priority() {
    return this.#fact('priority');
  }

  get mutes() {
    return this.#fact('mutes');
  }

  get groups() {
    return this.#fact('groups');
  }

  get restricted() {
    return this.#fact('restricted');
  }

  get creator() {
    return this.#fact('creator');
  }

  get named() {
    return this.#fact('named');
  }

  get stateSince() {
    return this.#moment('stateSince');
  }

  get modified() {
    return this.#moment('modified');
  }

  get partial() {
    return false;
  }

  get query(): string {
    return this.#page.queries.at(this.#at);
  }

  get raw(): Packed {
    return this.#page.raws.at(this.#at);
  }

  isSame(other: PackedRow): boolean {
    if (!(other instanceof ListedMonitor)) return false;
    if (this.#place === other.#place && this.#at === other.#at) return true;
    return this.id === other.id && this.raw.isSame(other.raw);
  }

  moveTo(same: PackedRow): void {
    if (!(same instanceof ListedMonitor)) return;
    this.#place = same.#place;
    this.#at = same.#at;
  }

  plain(): MonitorRow {
    const { id, name, named, state, stateSince, type, query, tags, priority } = this;
    const { mutes, groups, modified, creator, restricted, partial, raw } = this;
    const first = { id, name, named, state, stateSince, type, query, tags, priority };
    return { ...first, mutes, groups, modified, creator, restricted, partial, raw };
  }
}

/** Makes rows whose members lie together, until one of them is looked at or they are as many as may. */
export function createListed(): {
  add(row: MonitorRow, raw: unknown): MonitorRow;
  isFull(): boolean;
} {
  const place: Place = { page: close };
  const raws = createPacker();
  const numbers = new Map<unknown, number>();
  const numberOf = (value: unknown) => {
    const known = numbers.get(value) ?? numbers.size;
    numbers.set(value, known);
    return known;
  };
  const [told, times, names, queries]: [number[], number[], string[], string[]] = [[], [], [], []];
  const made: { page?: Page } = {};
  return {
    add(row, raw) {
      for (const fact of facts) told.push(numberOf(row[fact]));
      for (const moment of moments) times.push(row[moment] ?? Number.NaN);
      raws.pack(raw);
      queries.push(row.query);
      const listed = new ListedMonitor(row.id, place, names.push(row.name) - 1);
      if (names.length === listedTogether) close();
      return listed;
    },
    isFull: () => made.page !== undefined,
  };

  function close(): Page {
    const all = names.join('');
    const encoding = all.isWellFormed() ? 'utf8' : 'utf16le';
    let end = 0;
    const ends = Uint32Array.from(names, (text) => {
      end += Buffer.byteLength(text, encoding);
      return end;
    });
    const page: Page = {
      values: [...numbers.keys()],
      facts: Uint16Array.from(told),
      moments: Float64Array.from(times),
      names: inOwnPages(Buffer.from(all, encoding)),
      ends,
      encoding,
      queries: new PackedTexts(queries),
      raws: raws.close(),
    };
    made.page = page;
    place.page = () => page;
    for (const list of [told, times, names, queries]) list.length = 0;
    numbers.clear();
    return page;
  }
}
