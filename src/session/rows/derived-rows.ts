import type { Cache, CacheEntry } from '../../cache/cache.ts';
import type { Context, ListQuery, LoggedEdit, Rows, SeenStates } from '../../describe/context.ts';
import { type BlockNow, type Board, type FedRead, feedsFor, type Material, type Told } from '../../describe/derived.ts';
import type { AnyList } from '../../describe/screen.ts';
import { keptPer } from '../../lib/function-results.ts';
import { present } from '../../lib/values.ts';
import { isPart } from './counts.ts';
import type { Row } from './list-state.ts';

/** Cells from which blocks that are halves stand beside each other. */
export const standBeside = (columns: number, board?: Pick<Board, 'isNarrow'>): boolean =>
  columns >= (board?.isNarrow ? 180 : 100);

/** Whether the terminal is so wide that blocks stand aside, in a column of their own. */
export const hasAside = (columns: number): boolean => columns >= 180;

/** Ages are made anew this often, in milliseconds, when something asks for them. */
const fineness = 5_000;

/** Rows of a list, as the session sees them. */
export interface Derived {
  readonly key: string;
  readonly known: CacheEntry<Rows<Row>>;
  readonly rows: readonly Row[];
  /** Ids of rows that our edits deleted. */
  readonly removed: ReadonlySet<string>;
  /** The blocks of a board, as its rows were made. */
  readonly blocks?: readonly BlockNow[];
}

/** Makes derived rows of what the cache holds: the same rows while nothing that they are made of has changed. */
export type DerivedRows = (
  list: AnyList,
  derived: NonNullable<AnyList['derived']>,
  asked: ListQuery,
  context: Context,
  /** Of the terminal: lines of blocks without room are no rows. */
  columns: number,
) => Derived;

interface Made {
  readonly entry: CacheEntry<Rows<Row>>;
  readonly blocks?: readonly BlockNow[];
  /** All rows, and those without the lines of blocks that stand aside. */
  readonly wide: readonly Row[];
  readonly narrow: readonly Row[];
}

const nothingGone: ReadonlySet<string> = new Set();

export function createDerivedRows(with_: {
  readonly cache: Cache;
  readonly listById: (id: string) => AnyList | undefined;
  readonly seen: (listId: string) => SeenStates;
  readonly edits: () => readonly LoggedEdit[];
}): DerivedRows {
  const { cache, listById } = with_;
  const derivations = keptPer<AnyList, Made>();

  const read = ({ feed, source: { key } }: FedRead): { told: Told; known: CacheEntry<Rows<Row>> } => {
    const entry = cache.known<Rows<Row>>(key);
    const list = feed.of === undefined ? undefined : listById(feed.of);
    const read = entry.value?.rows;
    const rows = read && list ? cache.overlays.over(key, [list.id], read, list.idOf) : read;
    return {
      told: {
        notes: entry.value?.notes ?? [],
        ...present({ rows, isPartial: isPart(entry) || undefined, at: entry.at, problem: entry.problem }),
      },
      known: entry,
    };
  };

  return (list, derived, query, context, columns) => {
    const each = feedsFor(derived, context, query).map((fed) => ({ ...fed, ...read(fed) }));
    const seen = each.flatMap(({ feed }) => (feed.of === undefined ? [] : [with_.seen(feed.of).changes]));
    const edits = with_.edits();
    const { me, lastLook, unfinished, recent } = context;
    const moment = Math.floor(context.now / fineness);
    const read_ = each.flatMap(({ told, known: entry }) => [
      told.rows,
      told.problem,
      entry.at,
      entry.asking,
      entry.partial,
      entry.nextAt,
    ]);
    const on = [query, ...read_, ...seen, edits, me, lastLook, unfinished?.length ?? 0, recent.length, moment];
    const { entry, wide, narrow, blocks } = derivations(list, on, () => {
      const material: Material = {
        told: Object.fromEntries(each.map(({ name, told }) => [name, told])),
        changes: seen.flat(),
        edits,
      };
      const main = each.filter(({ feed }) => !feed.spare);
      const entry = together(main, derived.notes?.(material) ?? []);
      if (!list.board) {
        const rows = derived.rows(material, query, context);
        return { entry, wide: rows, narrow: rows };
      }
      const blocks = list.board.blocks(material, context, query);
      const linesOf = (some: readonly BlockNow[]) => some.flatMap(({ lines }) => lines);
      return { entry, blocks, wide: linesOf(blocks), narrow: linesOf(blocks.filter(({ aside }) => !aside)) };
    });
    const rows = hasAside(columns) ? wide : narrow;
    return {
      key: list.id,
      known: entry.value ? { ...entry, value: { ...entry.value, rows } } : entry,
      rows,
      removed: nothingGone,
      ...present({ blocks }),
    };
  };
}

interface FeedRead extends Pick<FedRead, 'feed'> {
  readonly known: CacheEntry<Rows<Row>>;
}

const paced = (each: readonly FeedRead[]) => each.filter(({ feed }) => feed.every === undefined);

/** The problem of reads that have all failed, or of which all have that are polled at the profile's own pace. */
function problemOf(each: readonly FeedRead[]): CacheEntry<Rows<Row>>['problem'] {
  const isFailed = (some: readonly FeedRead[]) =>
    some.length > 0 && some.every(({ known }) => known.problem !== undefined);
  const failed = isFailed(paced(each)) ? paced(each) : isFailed(each) ? each : [];
  return failed[0]?.known.problem;
}

/** Several reads as one: as old as the oldest of those that are polled at the profile's own pace. */
function together(each: readonly FeedRead[], notes: readonly string[]): CacheEntry<Rows<Row>> {
  const reads = each.map(({ known }) => known);
  const ats = paced(each).flatMap(({ known }) => known.at ?? []);
  const nexts = reads.flatMap(({ nextAt }) => nextAt ?? []);
  const begun = reads.flatMap(({ askedAt }) => askedAt ?? []);
  const problem = problemOf(each);
  const waits = reads.some(({ value, problem, partial }) => partial || (value === undefined && problem === undefined));
  return {
    ...present({
      value: ats.length > 0 || problem ? { rows: [], notes } : undefined,
      at: ats.length > 0 ? Math.min(...ats) : undefined,
      problem,
      nextAt: nexts.length > 0 ? Math.min(...nexts) : undefined,
      askedAt: begun.length > 0 ? Math.min(...begun) : undefined,
      isFromSnapshot: reads.some(({ isFromSnapshot }) => isFromSnapshot) ? true : undefined,
    }),
    asking: reads.some(({ asking }) => asking),
    partial: waits,
  };
}
