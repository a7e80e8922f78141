import uFuzzy from '@leeoniya/ufuzzy';
import type { Context } from '../../describe/context.ts';
import type { BoardLine } from '../../describe/derived.ts';
import type { AnyList } from '../../describe/screen.ts';
import { keptPer, once } from '../../lib/function-results.ts';
import { finder, type Range } from '../../lib/text-matches.ts';
import type { Derived } from './derived-rows.ts';
import { type ListState, type Order, type Row, type RowsById, rowsById, sorted } from './list-state.ts';

/** Making it loads a collator, 6 ms. */
const fuzzy = once(() => new uFuzzy({ intraMode: 1 }));

/** The words of a filter: those that must occur, must not occur, and occur approximately. */
function termsOf(filter: string) {
  const terms = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '' && term !== '!' && term !== '~');
  return {
    needs: terms.filter((term) => !/^[!~]/.test(term)),
    bans: terms.filter((term) => term.startsWith('!')).map((term) => term.slice(1)),
    close: terms.filter((term) => term.startsWith('~')).map((term) => term.slice(1)),
  };
}

/** Compiles a filter: words that must all occur, `!word` that must not, `~word` that matches approximately. Case is ignored. The returned test takes lower-case text; undefined for an empty filter. */
export function matcher(filter: string): ((text: string) => boolean) | undefined {
  const { needs, bans, close } = termsOf(filter);
  if (needs.length + bans.length + close.length === 0) return undefined;
  return (text) =>
    needs.every((term) => text.includes(term)) &&
    !bans.some((term) => text.includes(term)) &&
    close.every((term) => (fuzzy().filter([text], term)?.length ?? 0) > 0);
}

/**
 * Picks with those first whose label is what was typed, then those that begin with it, that have it, and the rest, which match
 * by something else; each group in its order.
 */
export function nearestFirst<One extends { readonly label: string }>(
  picks: readonly One[],
  query: string,
): readonly One[] {
  const typed = query.trim().toLowerCase();
  if (typed === '') return picks;
  const distance = ({ label }: One): number => {
    const at = label.toLowerCase().indexOf(typed);
    return at < 0 ? 3 : at > 0 ? 2 : label.length > typed.length ? 1 : 0;
  };
  return picks.toSorted((one, other) => distance(one) - distance(other));
}

/** Where a text matches a filter, in order and without overlaps; undefined for a filter that marks nothing. */
export function highlighter(filter: string): ((text: string) => readonly Range[]) | undefined {
  const { needs, close } = termsOf(filter);
  if (needs.length + close.length === 0) return undefined;
  const finders = needs.map(finder);
  return (text) =>
    apart([...finders.flatMap((find) => find(text)), ...close.flatMap((term) => fuzzyRanges(text, term))]);
}

function fuzzyRanges(text: string, term: string): Range[] {
  const ids = fuzzy().filter([text], term) ?? [];
  const ranges = ids.length === 0 ? [] : (fuzzy().info(ids, [text], term).ranges[0] ?? []);
  return Array.from({ length: ranges.length / 2 }, (_, at) => ({
    start: ranges[at * 2] as number,
    end: ranges[at * 2 + 1] as number,
  }));
}

/** The ranges in order, those that touch as one. */
function apart(ranges: readonly Range[]): Range[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

/** The list as a person sees it: filtered and in its kept order. */
export interface VisibleList {
  readonly ids: readonly string[];
  /** Place of each id in `ids`. */
  readonly places: ReadonlyMap<string, number>;
  readonly rows: RowsById;
  readonly total: number;
  /** Number of rows that came after the order was made; they are not shown yet. */
  readonly waiting: number;
  /** Id of a row that the last read no longer has; it stays while the cursor is on it. */
  readonly gone?: string;
  /** The order of `ids` before filtering; the engine keeps it in the state. */
  readonly order: Order;
}

/** How many rows of the list are shown: one that is gone is no row of it any more. */
export const countShown = ({ ids, gone }: Pick<VisibleList, 'ids' | 'gone'>): number =>
  ids.length - (gone === undefined ? 0 : 1);

/** What the rows of a list are seen from. */
interface Look extends Pick<Derived, 'key' | 'rows' | 'removed'> {
  readonly list: AnyList;
  readonly listState: ListState;
  readonly context: Context;
  /** In no kept order, so that new rows are shown at once. */
  readonly loose: boolean;
}

type Whole = Omit<VisibleList, 'places'>;

/** Makes lists as a person sees them. What was made of a list is kept: moving the cursor costs the same for any number of rows. */
export function createVisibleLists(): (look: Look) => VisibleList {
  const wholes = keptPer<AnyList, Whole>();
  const orders = keptPer<AnyList, Pick<VisibleList, 'ids' | 'places'>>();
  const lists = keptPer<AnyList, VisibleList>();
  const texts = createRowTexts();
  const lingering = createLingering();

  const see = (look: Look): VisibleList => {
    const { list, listState, key, rows, context, loose } = look;
    const { order, moving, made, filter, sort = list.sorted } = listState;
    const on = [rows, order, moving, made, sort?.by, sort?.down, key, loose];
    const content = wholes(list, on, () => wholeOf(look, sort));
    const found = orders(list, [content.ids, content.rows, filter], () => {
      const test = matcher(filter);
      const ids = test ? content.ids.filter((id) => test(texts(list, content.rows.get(id), context))) : content.ids;
      return placed(ids.length === content.ids.length ? content.ids : ids);
    });
    return lists(list, [content, found], () => ({ ...content, ...found }));
  };

  return (look) => {
    const { list, listState, removed } = look;
    const shown = lingering(list, listState, see(look), removed);
    // An empty list has no row under the cursor, so new rows are shown at once.
    const isEmpty = shown.ids.length === 0 && shown.waiting > 0 && listState.moving === undefined;
    return isEmpty ? see({ ...look, loose: true }) : shown;
  };
}

/** The text of a row that a filter looks at, in lower case; each row is asked for it once a minute, because it tells ages. */
function createRowTexts(): (list: AnyList, row: Row, context: Context) => string {
  const textsByList = keptPer<AnyList, WeakMap<object, string>>();
  const textOf = (list: AnyList, row: Row, context: Context): string =>
    [
      ...list.columns.map((column) => column.text(row, context)),
      list.words?.(row, context) ?? '',
      // As the title counts it.
      list.states?.find((state) => state.isIn(row, context))?.label ?? '',
      list.idOf(row),
    ]
      .join(' ')
      .toLowerCase();
  return (list, row, context) => {
    const texts = textsByList(list, [Math.floor(context.now / 60_000)], () => new WeakMap());
    const text = texts.get(row as object) ?? textOf(list, row, context);
    texts.set(row as object, text);
    return text;
  };
}

/**
 * Keeps the row under the cursor in view after a poll no longer has it, or has it so that the filter no longer does,
 * until the cursor moves: otherwise the next key would act on another row. A row that we deleted leaves at once.
 */
function createLingering() {
  const last = new Map<string, { readonly id: string; readonly row: Row; readonly filter: string }>();
  const late = keptPer<AnyList, VisibleList>();
  return (list: AnyList, { cursor, filter }: ListState, seen: VisibleList, removed: ReadonlySet<string>) => {
    if (cursor === undefined) return seen;
    if (seen.places.has(cursor)) {
      last.set(list.id, { id: cursor, row: seen.rows.get(cursor), filter });
      return seen;
    }
    const before = last.get(list.id);
    const isLast = before?.id === cursor && before.filter === filter && !removed.has(cursor);
    if (!isLast || !seen.order.ids.includes(cursor)) return seen;
    return late(list, [seen, cursor], () => withLast(seen, cursor, before.row));
  };
}

/** The list with a row that it no longer has, where it was. */
function withLast(seen: VisibleList, id: string, row: Row): VisibleList {
  const before = new Set(seen.order.ids.slice(0, seen.order.ids.indexOf(id)));
  const place = seen.ids.filter((one) => before.has(one)).length;
  const isThere = seen.rows.has(id);
  return {
    ...seen,
    ...placed(seen.ids.toSpliced(place, 0, id)),
    rows: isThere ? seen.rows : new Map(seen.rows).set(id, row),
    gone: id,
  };
}

/** The rows of a list in their order, without a filter. */
function wholeOf({ list, listState, key, rows, context, loose }: Look, sort: ListState['sort']): Whole {
  const byId = rowsById(list, rows);
  const anew = () => sorted(list, [...byId.values()], sort, context);
  const resting = listState.order && listState.order.key === key && !loose ? listState.order : undefined;
  const atOnce = list.board ? [...byId.keys()] : madeRows(list, byId, listState.made);
  const made = atOnce.filter((id) => resting?.ids.includes(id) === false);
  const withMade = (kept: readonly string[]) => inBlocks(list, byId, withRows(kept, made, anew()));
  const order = resting && made.length === 0 ? resting : { key, ids: resting ? withMade(resting.ids) : anew() };
  const all = listState.moving ?? order.ids;
  const present = all.filter((id) => byId.has(id));
  const ids = present.length === all.length ? all : present;
  return { ids, rows: byId, total: byId.size, waiting: byId.size - ids.length, order };
}

/** Ids of the rows that our edits made, or that are derived of rows which they were made on. */
export function madeRows({ derived }: AnyList, rows: RowsById, made: readonly string[] = []): readonly string[] {
  const ids = new Set(made);
  if (ids.size === 0 || !derived) return made.filter((id) => rows.has(id));
  const isMade = (id = '') => ids.has(id);
  return [...rows].flatMap(([id, row]) =>
    isMade(id) || isMade(derived.twin?.(row)) || isMade(derived.place?.(row)?.row) ? [id] : [],
  );
}

/** Ids, and the place of each. */
const placed = (ids: readonly string[]) => ({ ids, places: new Map(ids.map((id, at) => [id, at])) });

/** The lines of a board block by block, as the read has the blocks; ids of any other list as they are. */
function inBlocks({ board }: AnyList, rows: RowsById, ids: readonly string[]): readonly string[] {
  const blockOf = (row: Row) => (row as BoardLine | undefined)?.block;
  const blocks = board ? [...new Set([...rows.values()].map(blockOf))] : [];
  return board
    ? ids.toSorted((one, other) => blocks.indexOf(blockOf(rows.get(one))) - blocks.indexOf(blockOf(rows.get(other))))
    : ids;
}

/** The kept order with more rows, each behind the row that it follows where all are sorted. */
function withRows(keptLine: readonly string[], more: readonly string[], all: readonly string[]): readonly string[] {
  return more.reduce((ids, id) => {
    const known = new Set(ids);
    const before = all.slice(0, all.indexOf(id)).findLast((other) => known.has(other));
    return ids.toSpliced(before === undefined ? 0 : ids.indexOf(before) + 1, 0, id);
  }, keptLine);
}
