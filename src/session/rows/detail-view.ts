import type { CacheEntry } from '../../cache/cache.ts';
import { type Section, type Tab, type Tone, textLine } from '../../describe/column.ts';
import type { Context } from '../../describe/context.ts';
import { detailTabs, tabOfLines } from '../../describe/list-detail.ts';
import type { AnyList } from '../../describe/screen.ts';
import { type LaidPage, layoutPage, pageTop } from '../../lib/detail-page.ts';
import { attempt, keptPer } from '../../lib/function-results.ts';
import { finder, matchesOn, type Spot } from '../../lib/text-matches.ts';
import { type Geometry, insideDetail } from './geometry.ts';
import type { OpenDetail, Row } from './list-state.ts';

/** A match of the search in a detail: a line of its page with the spots to mark, or a row. */
export interface DetailMatch {
  readonly line: number;
  readonly spots: readonly Spot[];
}

export interface DetailView {
  readonly row: Row;
  /** Where a person is in it. */
  readonly open: OpenDetail;
  readonly whole: CacheEntry<unknown>;
  /** The page, then the tabs of the list. */
  readonly tabs: readonly Tab[];
  readonly tab: Tab;
  readonly tabAt: number;
  /** The open tab as it is drawn, where it is a page, and its first line in sight. */
  readonly page: LaidPage<Tone> | undefined;
  readonly top: number;
  /** Row under the cursor of a rows tab. */
  readonly subRowId: string | undefined;
  readonly subRowAt: number;
  /** The text that is searched for; empty without a search. */
  readonly wanted: string;
  readonly found: readonly DetailMatch[];
  /** Which of `found` the person is at; -1 for none. */
  readonly foundAt: number;
}

/**
 * Gives what the detail of a row says in its tabs; the same tabs while it is asked of the same row in the same edition (`Now`).
 * Its page begins with `trouble`: why the rest of it is missing.
 */
export function createTabs() {
  const tabs = keptPer<object, readonly [Tab, ...Tab[]]>();
  return (
    detail: NonNullable<AnyList['detail']>,
    row: Row,
    content: unknown,
    context: Context,
    edition: object,
    trouble?: Section,
  ) => {
    const on = [row, content, context.subRowId, context.unsavedOrder, edition, trouble && JSON.stringify(trouble)];
    return tabs(detail, on, () =>
      attempt(
        () => beginningWith(trouble, detailTabs(detail, row, content, context)),
        (fault) => [tabOfLines('fault', [textLine(`this detail cannot be shown: ${fault}`, 'bad')])],
      ),
    );
  };
}

function beginningWith(
  trouble: Section | undefined,
  [page, ...others]: ReturnType<typeof detailTabs>,
): ReturnType<typeof detailTabs> {
  const isAlone = trouble === undefined || page.kind !== 'page';
  return [isAlone ? page : { ...page, sections: [trouble, ...page.sections] }, ...others];
}

/** The row of a tab that the cursor was on when it was last drawn; none while no detail is open. */
export interface LastSubRow {
  at?: { readonly on: string; readonly id: string | undefined; readonly place: number } | undefined;
}

/**
 * The place of the row of a tab that is under the cursor: while it is not moved that of the row which it was on, or of the one that took
 * its place.
 */
function subRowPlace(open: OpenDetail, tab: Tab, last: LastSubRow): number {
  const on = [open.id, tab.id, open.subRowId].join('\n');
  const before = last.at?.on === on ? last.at : { on, id: open.subRowId, place: 0 };
  const rows = tab.kind === 'rows' ? tab.rows : [];
  const same = rows.findIndex(({ id }) => id === before.id);
  const place = same >= 0 ? same : Math.max(0, Math.min(before.place, rows.length - 1));
  last.at = rows.length === 0 ? before : { on, id: rows[place]?.id, place };
  return place;
}

/** The open detail of a row in this room; `content` is what its further read brought. */
export function openDetail(
  room: Geometry,
  tabs: readonly [Tab, ...Tab[]],
  open: OpenDetail,
  row: Row,
  content: CacheEntry<unknown>,
  lastSubRow: LastSubRow,
): DetailView {
  const tabAt = Math.min(open.tab, tabs.length - 1);
  const told = tabs[tabAt] ?? tabs[0];
  // With duplicate ids the cursor could not move past the first.
  const tab =
    told.kind === 'rows' ? { ...told, rows: [...new Map(told.rows.map((row) => [row.id, row])).values()] } : told;
  const laid =
    tab.kind === 'page'
      ? layoutPage<Tone>(tab.sections, insideDetail(room.detailWidth), room.detailRows, tab.aside)
      : undefined;
  const subRowAt = subRowPlace(open, tab, lastSubRow);
  const wanted = open.find?.text ?? '';
  const found = findMatches({ tab, page: laid }, wanted);
  return {
    row,
    open,
    whole: content,
    tabs,
    tab,
    tabAt,
    page: laid,
    top: laid ? pageTop(laid, open, room.detailRows) : open.top,
    subRowId: tab.kind === 'rows' ? tab.rows[subRowAt]?.id : undefined,
    subRowAt,
    wanted,
    found,
    foundAt: laid ? Math.min(open.find?.at ?? -1, found.length - 1) : found.findIndex(({ line }) => line === subRowAt),
  };
}

const nothing: readonly DetailMatch[] = [];

/** Every match of a text on the open tab. */
export function findMatches({ tab, page }: Pick<DetailView, 'tab' | 'page'>, text: string): readonly DetailMatch[] {
  if (text === '') return nothing;
  if (page) return matchesOn(page, text).map((spots) => ({ line: spots[0].line, spots }));
  if (tab.kind !== 'rows') return [];
  const find = finder(text);
  return tab.rows.flatMap(({ cells }, line) =>
    Object.values(cells).some((cell) => find(cell).length > 0) ? [{ line, spots: [] }] : [],
  );
}
