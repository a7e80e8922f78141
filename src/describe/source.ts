import type { Plan } from '../api/endpoint.ts';
import type { Result } from '../api/problem.ts';
import type { Context } from './context.ts';

/** The rows of a read, with notes for the title bar. */
export interface Rows<Row> {
  readonly rows: readonly Row[];
  /** Notes about the read: "100 or more in 14:00-14:01", "3 rows could not be read: …". */
  readonly notes?: readonly string[];
  /** Why rows are missing, as sentences; empty or absent: these are all. */
  readonly missing?: readonly string[];
  /** Of what is shown on the way: how many there will be, where the service tells. */
  readonly total?: number | undefined;
  /** Every place that could not be read and was left out, where a note names only the first. */
  readonly unread?: readonly string[];
  /** Where a poll has read only a part again: when the oldest rows were read, epoch milliseconds. */
  readonly oldestAt?: number;
  /** Where what a poll must read is more than the usual one may: milliseconds between polls at least. */
  readonly everyMs?: number;
  /** What the next read of the same source begins with; no other one looks at it. Plain JSON. */
  readonly memory?: unknown;
}

/** Something to read, once or again and again. */
export interface Source<Row> {
  /** The cache key: the same for the same read, whatever the time. */
  readonly key: string;
  /** Kinds (`endpoint.of`) whose edits make it stale. */
  readonly of: readonly string[];
  /** Id of the list all of whose rows it brings, in many pages: what an edit has told of them is shown until the next poll, without a read for it. */
  readonly allOf?: string;
  /** For picks: it brings all there are whatever is typed, so what is typed narrows them here. */
  readonly whole?: boolean;
  /**
   * The calls, at the moment of asking; what the last read brought where there is one, and the ids of rows that edits have told otherwise since. May
   * show partial rows on the way.
   */
  plan(context: Context, before?: Rows<Row>, edited?: ReadonlySet<string>): Plan<Result<Rows<Row>>, Rows<Row>>;
}

/** One thing to read, for a detail. */
export interface Single<T> {
  readonly key: string;
  readonly of: readonly string[];
  /** The calls, at the moment of asking. What it shows on the way is a `T`, too: tabs are made of it. */
  plan(context: Context): Plan<Result<T>, T>;
}

/** The server's query and the time range of a list. */
export interface ListQuery {
  /** Values of the search form, as text, by field name. */
  readonly search: Readonly<Record<string, string>>;
  /** A length such as `24h`; empty for lists without a range. */
  readonly range: string;
  /** So many rows of the list's own order are enough. */
  readonly limit?: number | undefined;
}

/** `missing` of a read, left out where these are all. */
export const withMissing = (missing: readonly string[]): Pick<Rows<unknown>, 'missing'> =>
  missing.length > 0 ? { missing } : {};
