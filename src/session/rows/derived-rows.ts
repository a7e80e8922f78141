import type { Cache, CacheEntry } from '../../cache/cache.ts';
import type { Context, ListQuery, LoggedEdit, Rows, SeenStates } from '../../describe/context.ts';
import { type BlockNow, type Board, type FedRead, feedsFor, type Material, type Told } from '../../describe/derived.ts';
import type { AnyList } from '../../describe/screen.ts';
import { areAlike } from '../../lib/function-results.ts';
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

/** Rows of a derived list, as the session sees rows of any list. */
export interface Derived {
  readonly key: string;
  readonly known: CacheEntry<Rows<Row>>;
  readonly rows: readonly Row[];
  /** Ids of rows that our edits deleted. */
  readonly removed: ReadonlySet<string>;
}

/** Makes derived rows of what the cache holds: the same rows while nothing that they are made of has changed. */
export interface Materials {
  /** `columns`: those of the terminal; lines of blocks without room are no rows. */
  rows(list: AnyList, asked: ListQuery, context: Context, columns: number): Derived;
  /** The blocks of a board, as its rows were made. */
  blocks(list: AnyList, asked: ListQuery, context: Context): readonly BlockNow[];
}

interface Kept {
  on: readonly unknown[];
  material: Material;
  known: CacheEntry<Rows<Row>>;
  rows?: { readonly isWide: boolean; readonly rows: readonly Row[] };
  blocks?: readonly BlockNow[];
}

const nothingGone: ReadonlySet<string> = new Set();

export function createMaterials(with_: {
  readonly cache: Cache;
  readonly listById: (id: string) => AnyList | undefined;
  readonly seen: (listId: string) => SeenStates;
  readonly edits: () => readonly LoggedEdit[];
}): Materials {
  const { cache, listById } = with_;
  const keptByList = new Map<string, Kept>();

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

  const keep = (list: AnyList, query: ListQuery, context: Context): Kept | undefined => {
    const { derived } = list;
    if (!derived) return undefined;
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
    const before = keptByList.get(list.id);
    if (before && areAlike(before.on, on)) return before;
    const material: Material = {
      told: Object.fromEntries(each.map(({ name, told }) => [name, told])),
      changes: seen.flat(),
      edits,
    };
    const main = each.filter(({ feed }) => !feed.spare);
    const next = { on, material, known: together(main, derived.notes?.(material) ?? []) };
    keptByList.set(list.id, next);
    return next;
  };

  const blocksOf = (list: AnyList, now: Kept, asked: ListQuery, context: Context): readonly BlockNow[] => {
    now.blocks ??= list.board?.blocks(now.material, context, asked) ?? [];
    return now.blocks;
  };

  const rowsOf = (list: AnyList, now: Kept, search: ListQuery, context: Context, isWide: boolean): readonly Row[] => {
    if (now.rows?.isWide === isWide) return now.rows.rows;
    const rows = list.board
      ? blocksOf(list, now, search, context).flatMap((block) => (block.aside && !isWide ? [] : block.lines))
      : (list.derived?.rows(now.material, search, context) ?? []);
    now.rows = { isWide, rows };
    return rows;
  };

  return {
    rows(list, asked, context, columns) {
      const now = keep(list, asked, context);
      const rows = now ? rowsOf(list, now, asked, context, hasAside(columns)) : [];
      const known = now?.known ?? { asking: false, partial: false };
      return {
        key: list.id,
        known: known.value ? { ...known, value: { ...known.value, rows } } : known,
        rows,
        removed: nothingGone,
      };
    },
    blocks(list, asked, context) {
      const now = keep(list, asked, context);
      return now ? blocksOf(list, now, asked, context) : [];
    },
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
