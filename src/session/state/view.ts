import type { CacheEntry } from '../../cache/cache.ts';
import type { AnyAction } from '../../describe/action.ts';
import type { Section } from '../../describe/column.ts';
import type { Context, Rows } from '../../describe/context.ts';
import type { BlockNow } from '../../describe/derived.ts';
import { unreadSection } from '../../describe/receipt.ts';
import type { AnyList, Screen } from '../../describe/screen.ts';
import { keptPer } from '../../lib/function-results.ts';
import { countListed, createCounter, type ListCounts, type Listed } from '../rows/counts.ts';
import type { Derived } from '../rows/derived-rows.ts';
import { createTabs, type DetailView, type LastSubRow, openDetail } from '../rows/detail-view.ts';
import { type Geometry, geometry, type PreviewWish, windowTop } from '../rows/geometry.ts';
import {
  type Acting,
  actingOn,
  createColumnsReader,
  type ListState,
  previewWish,
  type Row,
  seenWhole,
} from '../rows/list-state.ts';
import { createVisibleLists, type VisibleList } from '../rows/visible-list.ts';
import { front, type State } from './state.ts';

export interface View extends VisibleList {
  readonly screen: Screen;
  /** The list in front, with the columns of its rows. */
  readonly list: AnyList;
  readonly listState: ListState;
  readonly read: CacheEntry<Rows<Row>>;
  readonly key: string;
  /** What waits to be gone on with, said above the list, and the action that does it. */
  readonly offer: { readonly text: string; readonly by: AnyAction } | undefined;
  /** The layout of this list on the terminal, and what it wants of its preview. */
  readonly room: Geometry;
  readonly preview: PreviewWish;
  readonly cursorAt: number;
  readonly top: number;
  readonly cursor: string | undefined;
  readonly row: Row | undefined;
  readonly marked: readonly Row[];
  /** The rows that an action applies to: the open detail's row, else the marked rows, else the row under the cursor. */
  readonly targets: readonly Row[];
  /** The targets as actions take them: of a derived list, the rows of other lists. */
  readonly acting: Acting;
  /** The blocks of a board; none where the list is a table. */
  readonly blocks: readonly BlockNow[];
  readonly detail: DetailView | undefined;
  /** All rows as last read, counted; also those that a filter hides and those that wait. */
  readonly counts: ListCounts;
  /** What the filter leaves, counted; undefined without one. */
  readonly listed: Listed | undefined;
}

/** The reads that a view is made from; passed in, so that making it stays pure. */
export interface Reads {
  rows(list: AnyList, own: ListState): Derived;
  whole(list: AnyList, row: Row): CacheEntry<unknown>;
}

type Contexts = (subRowId?: string) => Context;

/** What a list wants of its preview: one that has no rows, or cannot be read, needs none. */
function wishFor(list: AnyList, own: ListState, entry: CacheEntry<unknown>, rows: number): PreviewWish {
  const { value, partial, problem } = entry;
  if (value === undefined) return problem ? { lines: 0 } : previewWish(list, own);
  return rows === 0 ? { lines: 0 } : { ...previewWish(list, own), rows: partial ? undefined : rows };
}

/** What the first action of the list that offers something has to offer. */
function offerOf(list: AnyList, context: Context): View['offer'] {
  for (const by of list.actions) {
    const text = by.offers?.(context);
    if (text !== undefined) return { text, by };
  }
  return undefined;
}

/** Makes views of states. What they are made of is kept as long as it is alike. */
export function createViewer(counter = createCounter()) {
  const inColumns = createColumnsReader();
  const visible = createVisibleLists();
  const marked = keptPer<AnyList, readonly Row[]>();
  const counted = keptPer<AnyList, Listed>();
  const tabs = createTabs();
  const lastSubRow: LastSubRow = {};

  const detailOf = (
    list: AnyList,
    { detail: open }: ListState,
    rows: VisibleList['rows'],
    room: Geometry,
    reads: Reads,
    contextOf: Contexts,
    edition: object,
    troubleOf: (whole: CacheEntry<unknown>) => Section | undefined,
  ): DetailView | undefined => {
    const row = open && rows.get(open.id);
    if (!open || !list.detail || row === undefined) {
      lastSubRow.at = undefined;
      return undefined;
    }
    const content = reads.whole(list, row);
    const all = tabs(list.detail, row, content.value, contextOf(open.subRowId), edition, troubleOf(content));
    return openDetail(room, all, open, row, content, lastSubRow);
  };

  return function view(
    state: State,
    screens: readonly Screen[],
    reads: Reads,
    contextOf: Contexts,
    edition: object = {},
  ): View {
    const { screen, list: described } = front(state, screens);
    const listState = state.lists[described.id] as ListState;
    const { key, known: entry, rows, removed, blocks = [] } = reads.rows(described, listState);
    const list = inColumns(described, rows);
    const context = contextOf();
    const seen = visible({ list, listState, key, rows, removed, context, loose: entry.partial });
    const place = listState.cursor === undefined ? undefined : seen.places.get(listState.cursor);
    const index = Math.max(0, Math.min(place ?? listState.cursorAt, seen.ids.length - 1));
    const cursor = seen.ids[index];
    const row = cursor === undefined ? undefined : seen.rows.get(cursor);
    // Kept, for the marked rows may be many.
    const { marks } = listState;
    const markedRows = marked(list, [marks, seen], () =>
      marks.size === 0 ? [] : seen.ids.filter((id) => marks.has(id)).map((id) => seen.rows.get(id)),
    );
    const counts = counter(described, rows, seenWhole(listState), context);
    const offer = offerOf(list, context);
    const preview = { ...wishFor(list, listState, entry, rows.length), above: offer ? 1 : 0 };
    const room = geometry(state.size, preview);
    const detail = detailOf(list, listState, seen.rows, room, reads, contextOf, edition, (whole) =>
      unreadSection(whole, entry, state, context),
    );
    const chosen = row === undefined ? [] : [row];
    const targets = detail ? [detail.row] : markedRows.length > 0 ? markedRows : chosen;
    return {
      ...seen,
      screen,
      list,
      listState,
      read: entry,
      key,
      offer,
      cursorAt: index,
      room,
      preview,
      top: windowTop(listState.top, index, room.listRows, seen.ids.length),
      cursor,
      row,
      marked: markedRows,
      targets,
      acting: actingOn(list, targets, detail?.subRowId, screens),
      blocks,
      detail,
      counts,
      listed:
        listState.filter === ''
          ? undefined
          : counted(list, [counts, seen], () => countListed(list, counts, seen.ids, seen.rows, context)),
    };
  };
}
