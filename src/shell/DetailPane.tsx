import { Detail } from '../../components/Detail.tsx';
import { Frame } from '../../components/Frame.tsx';
import type { Span } from '../../components/span.ts';
import { Table, type TableColumn } from '../../components/Table.tsx';
import type { Column, SubRow, Tab } from '../describe/column.ts';
import { layoutLines } from '../lib/detail-lines.ts';
import { paint } from '../lib/paint.ts';
import { plain } from '../lib/painted.ts';
import { cells } from '../lib/text.ts';
import { windowTop } from '../session/list/geometry.ts';
import type { DetailView, View } from '../session/view.ts';
import { measuredRows } from './column-widths.ts';
import type { PaneProps } from './paneprops.ts';

type DetailProps<T extends Tab = Tab> = PaneProps & { readonly detail: DetailView; readonly tab: T };
type LinesTab = Extract<Tab, { kind: 'lines' }>;
type RowsTab = Extract<Tab, { kind: 'rows' }>;

/** The detail of one row: its tabs, and the one that is open as lines or as rows. */
export function DetailPane(props: PaneProps & { readonly detail: DetailView }) {
  const { tab } = props.detail;
  return tab.kind === 'lines' ? <LinesDetail {...props} tab={tab} /> : <RowsDetail {...props} tab={tab} />;
}

function LinesDetail({ now: { view }, detail, tab, width, height, theme }: DetailProps<LinesTab>) {
  const inside = { width: width - 2, height: height - 2 };
  const total = layoutLines(tab.lines, inside.width).length;
  const room = Math.max(1, inside.height - 1);
  const top = Math.max(0, Math.min(view.own.detail?.top ?? 0, total - room));
  return (
    <Frame
      title={titleOf(view, detail)}
      foot={footOf(view, detail)}
      footRight={total > room ? [{ text: plain`${top + 1}-${Math.min(total, top + room)}/${total}`, tone: 'dim' }] : []}
      width={width}
      height={height}
      theme={theme}
      active
    >
      <Detail
        tabs={tabsOf(detail)}
        tab={detail.tabAt}
        lines={tab.lines}
        top={top}
        width={inside.width}
        height={inside.height}
        theme={theme}
      />
    </Frame>
  );
}

function RowsDetail({ now: { view, context }, detail, tab, width, height, theme, painter }: DetailProps<RowsTab>) {
  const inside = { width: width - 2, height: height - 2 };
  const room = Math.max(1, inside.height - 2);
  const top = windowTop(view.own.detail?.top ?? 0, detail.subRowAt, room, tab.rows.length);
  const rows = tab.rows.slice(top, top + room).map((row, place) =>
    painter(row, `${tab.id} ${row.id}`, tab.columns, context, {
      cursor: top + place === detail.subRowAt,
      marked: false,
      fresh: false,
      pending: false,
    }),
  );
  return (
    <Frame
      title={titleOf(view, detail)}
      foot={footOf(view, detail)}
      footRight={tab.rows.length > 0 ? [{ text: plain`${detail.subRowAt + 1}/${tab.rows.length}`, tone: 'dim' }] : []}
      width={width}
      height={height}
      theme={theme}
      active
    >
      <Detail
        tabs={tabsOf(detail)}
        tab={detail.tabAt}
        lines={[]}
        top={0}
        width={inside.width}
        height={1}
        theme={theme}
      />
      <Table
        columns={columnsOf(tab)}
        rows={rows}
        width={inside.width}
        height={inside.height - 1}
        theme={theme}
        hscroll={0}
        loading={false}
        empty={paint(tab.empty)}
      />
    </Frame>
  );
}

const titleOf = (view: View, detail: DetailView): Span[] => [{ text: paint(view.list.nameOf(detail.row)), bold: true }];

const tabsOf = (detail: DetailView) => detail.tabs.map(({ id, title }) => ({ id, title: paint(title) }));

/** Why the detail may be old or incomplete: a problem, a row that is gone, or a read under way. */
function footOf(view: View, { whole }: DetailView): Span[] {
  if (whole.problem && whole.problem.text !== '') return [{ text: paint(whole.problem.text), tone: 'bad' }];
  if (view.gone !== undefined && view.gone === view.own.detail?.id)
    return [{ text: plain`no longer in the list: this is how it was last read`, tone: 'warn' }];
  if (whole.asking && whole.value === undefined) return [{ text: plain`reading the whole`, tone: 'dim' }];
  return whole.partial ? [{ text: plain`reading more`, tone: 'dim' }] : [];
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
    const texts = rows.slice(0, measuredRows).map((row) => paint(row.cells[column.id] ?? ''));
    return { ...column, title, content: Math.max(cells(title), ...texts.map(cells)) };
  });
