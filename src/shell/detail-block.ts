import { detailLines } from '../../components/Detail.tsx';
import { framed } from '../../components/Frame.tsx';
import type { LinesProps } from '../../components/Lines.tsx';
import type { Span } from '../../components/span.ts';
import { listLines, type TableColumn } from '../../components/Table.tsx';
import { type TabsProps, tabsLine } from '../../components/Tabs.tsx';
import type { Column, SubRow, Tab, Tone } from '../describe/column.ts';
import { memoised } from '../lib/bounded-cache.ts';
import type { LaidPage } from '../lib/detail-page.ts';
import { finder } from '../lib/matches.ts';
import { paint } from '../lib/paint.ts';
import { type Painted, plain } from '../lib/painted.ts';
import { cells } from '../lib/text.ts';
import type { DetailView } from '../session/list/detail-view.ts';
import { insideDetail, windowTop } from '../session/list/geometry.ts';
import type { Now } from '../session/now.ts';
import { readFailure } from '../session/trouble.ts';
import type { View } from '../session/view.ts';
import { measuredRows } from './column-widths.ts';
import type { PaneProps } from './paneprops.ts';

type RowsTab = Extract<Tab, { kind: 'rows' }>;

/** The detail of one row: its tabs, and the one that is open as a page or as rows. */
export function detailBlock(props: PaneProps & { readonly detail: DetailView }): LinesProps {
  const { tab, page } = props.detail;
  if (tab.kind === 'rows') return rowsBlock({ ...props, tab });
  const { width, height, theme } = props;
  return page ? pageBlock({ ...props, page }) : { lines: [], width, height, theme };
}

function pageBlock({
  now,
  detail,
  page,
  width,
  height,
  theme,
  active,
}: PaneProps & { readonly detail: DetailView; readonly page: LaidPage<Tone> }): LinesProps {
  const { view } = now;
  const room = Math.max(1, height - 3);
  const { top } = detail;
  const { height: total } = page;
  return framed({
    title: titleOf(view, detail),
    foot: detailFoot(now, detail),
    footRight: placeOf(detail, total > room ? plain`${top + 1}-${Math.min(total, top + room)}/${total}` : undefined),
    width,
    height,
    theme,
    active,
    lines: detailLines({
      tabs: tabsOf(detail),
      tab: detail.tabAt,
      page,
      top,
      found: detail.found,
      foundAt: detail.foundAt,
      width: width - 2,
      height: height - 2,
      theme,
    }),
  });
}

/** The same function for the same text: another one would draw every row again. */
const finderOf = memoised(8, finder);

function rowsBlock({
  now,
  detail,
  tab,
  width,
  height,
  theme,
  active,
  painter,
}: PaneProps & { readonly detail: DetailView; readonly tab: RowsTab }): LinesProps {
  const { view } = now;
  const { wanted } = detail;
  const highlight = wanted === '' ? undefined : finderOf(wanted);
  const inside = { width: width - 2, height: height - 2 };
  const room = Math.max(1, inside.height - 2);
  const top = windowTop(view.own.detail?.top ?? 0, detail.subRowAt, room, tab.rows.length);
  const rows = tab.rows.slice(top, top + room).map((row, place) =>
    painter(row, `${tab.id} ${row.id}`, tab.columns, now, {
      cursor: top + place === detail.subRowAt,
      marked: false,
      fresh: false,
      pending: false,
    }),
  );
  const tabs = tabsLine({ tabs: tabsOf(detail), tab: detail.tabAt, width: insideDetail(width), theme });
  const lines = listLines({
    columns: columnsOf(tab),
    rows,
    width: inside.width,
    height: inside.height - 1,
    theme,
    hscroll: 0,
    highlight,
    loading: false,
    empty: paint(tab.empty),
    active,
  });
  return framed({
    title: titleOf(view, detail),
    foot: detailFoot(now, detail),
    footRight: placeOf(detail, tab.rows.length > 0 ? plain`${detail.subRowAt + 1}/${tab.rows.length}` : undefined),
    width,
    height,
    theme,
    active,
    lines: [[{ text: plain` ` }, ...tabs], ...lines],
  });
}

/** The name of the row, and its place in the list. */
const titleOf = ({ list, at, ids }: View, { row }: DetailView): Span[] => [
  { text: paint(list.nameOf(row)), bold: true },
  { text: plain`  ${at + 1} of ${ids.length}`, tone: 'dim', keep: true },
];

/** At the foot: the text that is searched for, at which of its matches the person is, and how far the tab is scrolled. */
function placeOf({ wanted, found, foundAt }: DetailView, place: Painted | undefined): Span[] {
  const shown = place === undefined ? [] : [{ text: place, tone: 'dim' as const }];
  if (wanted === '') return shown;
  const at = foundAt < 0 ? plain`` : plain`${foundAt + 1} of `;
  const count = found.length === 0 ? plain`no match` : plain`${at}${found.length}`;
  const search: Span[] = [
    { text: plain`/${paint(wanted)} `, tone: 'info' },
    { text: count, tone: found.length === 0 ? 'warn' : 'dim' },
  ];
  return shown.length === 0 ? search : [...search, { text: plain`  ` }, ...shown];
}

const titles = new WeakMap<DetailView['tabs'], TabsProps['tabs']>();

/** The tabs with painted titles; the same array for the same tabs, since another one would draw the whole page again. */
function tabsOf({ tabs }: DetailView): TabsProps['tabs'] {
  const known = titles.get(tabs) ?? tabs.map(({ id, title }) => ({ id, title: paint(title) }));
  titles.set(tabs, known);
  return known;
}

/** Why the detail may be old or incomplete: a problem, a row that is gone, or a read under way. */
export function detailFoot({ view, state }: Now, { whole }: DetailView): Span[] {
  const problem = whole.problem?.text ?? '';
  // Not again what the message below says; without a connection each read has a cause of its own.
  const below = state.flash ?? view.known.problem;
  const kindBelow = state.flash ? state.flash.problem?.kind : view.known.problem?.kind;
  const isSaid = problem === below?.text || (kindBelow === 'unreachable' && whole.problem?.kind === 'unreachable');
  if (isSaid && problem !== '')
    return [{ text: whole.value === undefined ? plain`Details not read` : plain`Details as last read`, tone: 'warn' }];
  if (whole.problem) return [{ text: paint(readFailure(whole.problem, whole.value !== undefined)), tone: 'bad' }];
  if (view.gone !== undefined && view.gone === view.own.detail?.id)
    return [{ text: plain`No longer in the list: shown as last read`, tone: 'warn' }];
  if (whole.asking && whole.value === undefined) return [{ text: plain`Loading details`, tone: 'dim' }];
  return whole.partial ? [{ text: plain`Loading more`, tone: 'dim' }] : [];
}

const titled = new WeakMap<readonly SubRow[], readonly TableColumn[]>();

/** Columns with painted titles, as wide as the rows need; cached, since another array would draw every row again. */
function columnsOf({ columns, rows }: RowsTab): readonly TableColumn[] {
  const known = titled.get(rows) ?? measuredColumns(columns, rows);
  titled.set(rows, known);
  return known;
}

const measuredColumns = (columns: readonly Column<SubRow>[], rows: readonly SubRow[]): readonly TableColumn[] =>
  columns.map((column) => {
    const title = paint(column.title);
    if (rows.length === 0) return { ...column, title };
    const texts = rows.slice(0, measuredRows).map((row) => paint(row.cells[column.id] ?? ''));
    return { ...column, title, content: Math.max(cells(title), ...texts.map(cells)) };
  });
