/** What a person saw of each row: its id, and the label of its state; empty where no state counts it. */
export type SeenRows = Pick<ReadonlyMap<string, string>, 'get' | 'has'>;

/** What was seen of all rows but some. */
class SeenBut implements SeenRows {
  readonly all: SeenRows;
  readonly unseen: ReadonlySet<string>;

  constructor(all: SeenRows, unseen: ReadonlySet<string>) {
    this.all = all;
    this.unseen = unseen;
  }

  get(id: string): string | undefined {
    return this.unseen.has(id) ? undefined : this.all.get(id);
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }
}

/** What was seen, under what was seen since. */
class SeenSince implements SeenRows {
  readonly under: SeenRows | undefined;
  readonly since: ReadonlyMap<string, string>;

  constructor(under: SeenRows | undefined, since: ReadonlyMap<string, string>) {
    this.under = under;
    this.since = since;
  }

  get(id: string): string | undefined {
    return this.since.get(id) ?? this.under?.get(id);
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }
}

/** All of these rows as seen, but some; the rows are not copied: they may be 100,000. */
export const seenBut = (all: SeenRows, unseen: ReadonlySet<string>): SeenRows =>
  unseen.size === 0 ? all : new SeenBut(all, unseen);

/** What was seen, and these rows besides; what was seen is not copied. */
export function withSeen(seen: SeenRows | undefined, more: Iterable<readonly [string, string]>): SeenRows {
  if (seen instanceof SeenSince) return new SeenSince(seen.under, new Map([...seen.since, ...more]));
  return new SeenSince(seen, new Map(more));
}

/** Which of these rows were not seen, where they were looked at as they are; else undefined. */
export function unseenOf(seen: SeenRows, all: SeenRows): ReadonlySet<string> | undefined {
  if (seen === all) return new Set();
  return seen instanceof SeenBut && seen.all === all ? seen.unseen : undefined;
}

/** The rows of which anything else was seen now than before; undefined where they may be any. */
export function seenAgain(seen: SeenRows, before: SeenRows | undefined): Iterable<string> | undefined {
  if (!before || !(seen instanceof SeenSince)) return undefined;
  const isSame = seen.under === before || (before instanceof SeenSince && seen.under === before.under);
  return isSame ? seen.since.keys() : undefined;
}
