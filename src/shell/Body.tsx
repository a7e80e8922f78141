import { Box } from 'ink';
import { useMemo } from 'react';
import { Detail } from '../../components/Detail.tsx';
import { Frame } from '../../components/Frame.tsx';
import { Lines } from '../../components/Lines.tsx';
import type { Span } from '../../components/span.ts';
import { Table, type TableColumn } from '../../components/Table.tsx';
import type { Theme } from '../../components/theme.ts';
import type { Column, SubRow } from '../describe/column.ts';
import { layoutLines } from '../lib/detail-lines.ts';
import { paint } from '../lib/paint.ts';
import { joined, type Painted, plain } from '../lib/painted.ts';
import { type Geometry, windowTop } from '../session/list/geometry.ts';
import type { Session } from '../session/session.ts';
import type { DetailView, View } from '../session/view.ts';
import type { createRowPainter } from './rows.ts';

type Now = ReturnType<Session['now']>;

export interface BodyProps {
  readonly session: Session;
  readonly now: Now;
  readonly room: Geometry;
  /** Lines that the body may take; less than `room.bodyRows` while a panel stands below it. */
  readonly height: number;
  readonly theme: Theme;
  readonly painter: ReturnType<typeof createRowPainter>;
  readonly pending: ReadonlySet<string>;
}

/** The screen in front: rail, list, preview; or the detail of one row. */
export function Body({ session, now, room, height, theme, painter, pending }: BodyProps) {
  const { view } = now;
  const beside = room.previewWidth > 0 && !view.detail;
  const below = room.previewRows > 0 && !view.detail ? Math.min(room.previewRows, Math.max(0, height - 8)) : 0;
  return (
    <Box flexDirection="row" height={height} flexShrink={0}>
      {room.rail > 0 && <Rail session={session} now={now} width={room.rail} height={height} theme={theme} />}
      {view.detail ? (
        <DetailPane
          now={now}
          detail={view.detail}
          width={room.detailWidth}
          height={height}
          theme={theme}
          painter={painter}
        />
      ) : (
        <Box flexDirection="column" height={height} flexShrink={0}>
          <ListPane
            now={now}
            width={room.listWidth}
            height={height - below}
            theme={theme}
            painter={painter}
            pending={pending}
          />
          {below > 0 && <Preview now={now} width={room.listWidth} height={below} theme={theme} />}
        </Box>
      )}
      {beside && <Preview now={now} width={room.previewWidth} height={height} theme={theme} />}
    </Box>
  );
}

function Rail({
  session,
  now,
  width,
  height,
  theme,
}: {
  session: Session;
  now: Now;
  width: number;
  height: number;
  theme: Theme;
}) {
  const lines: Span[][] = session.screens.map((screen) => {
    const here = screen.id === now.state.screen;
    return [
      { text: here ? theme.glyphs.cursor : plain` `, tone: here ? 'info' : 'dim' },
      { text: plain`${screen.key === undefined ? plain` ` : paint(screen.key)} `, tone: 'dim' },
      { text: paint(screen.title.toLowerCase()), tone: here ? 'strong' : 'plain' },
    ];
  });
  return <Lines lines={[[], ...lines]} width={width} height={height} theme={theme} />;
}

/** Title bar: the list in front between the other tabs of its screen. */
function titleOf(view: View, theme: Theme): Span[] {
  const dot: Span = { text: plain` ${theme.glyphs.dot} `, tone: 'dim' };
  const spans = view.screen.lists.map((list): Span[] =>
    list === view.list ? frontTitle(view, theme) : [{ text: paint(list.title), tone: 'dim' }],
  );
  return spans.flatMap((title, at) => (at === 0 ? title : [dot, ...title]));
}

/** Of the list in front: filter, counts, what is asked, the order, what waits. */
function frontTitle(view: View, theme: Theme): Span[] {
  const { list, own, ids, total, waiting } = view;
  const sort = own.sort ?? list.sorted;
  const column = list.columns.find((column) => column.id === sort?.by);
  const asked = [list.search?.says(own.asked.search) ?? '', own.asked.range].filter((part) => part !== '').join(' ');
  return [
    { text: paint(list.title), bold: true, keep: true },
    ...(own.filter === '' ? [] : [{ text: plain` </${paint(own.filter)}>`, tone: 'info' as const, keep: true }]),
    { text: plain` [${ids.length === total ? total : plain`${ids.length}/${total}`}]`, keep: true },
    ...(own.moving
      ? [{ text: plain` new order, not saved: Ctrl-S saves, q drops`, tone: 'warn' as const, keep: true }]
      : []),
    ...(waiting > 0 ? [{ text: plain` ${waiting} new: Ctrl-R`, tone: 'warn' as const, keep: true }] : []),
    ...(asked === '' ? [] : [{ text: plain` ${paint(asked)}`, tone: 'dim' as const }]),
    ...(column
      ? [
          {
            text: plain` ${paint(column.title.toLowerCase() || column.id)}${sort?.down ? theme.glyphs.down : theme.glyphs.up}`,
            tone: 'dim' as const,
          },
        ]
      : []),
  ];
}

function ListPane({
  now,
  width,
  height,
  theme,
  painter,
  pending,
}: Omit<BodyProps, 'session' | 'room'> & { width: number }) {
  const { view, context } = now;
  const { list, own, known, ids, rows, at } = view;
  const sort = own.sort ?? list.sorted;
  // The same array while nothing of it changes: the rows of the table are drawn again when it is another.
  const columns = useMemo(
    () =>
      list.columns.map((column) => ({
        ...column,
        title: paint(column.title),
        ...(column.id === sort?.by ? { sorted: sort.down ? ('down' as const) : ('up' as const) } : {}),
      })),
    [list.columns, sort?.by, sort?.down],
  );
  const inside = Math.max(1, height - 3);
  const top = windowTop(own.top, at, inside, ids.length);
  const shown = ids.slice(top, top + inside);
  const drawn = shown.map((id, place) =>
    painter(rows.get(id), id, list.columns, context, {
      cursor: top + place === at,
      marked: own.marks.has(id),
      fresh: own.seen !== undefined && !own.seen.has(id),
      pending: pending.has(id),
      gone: id === view.gone,
    }),
  );
  const notes = known.value?.notes ?? [];
  // Verbs act on the marks that can be seen; the others are told apart.
  const hidden = own.marks.size - view.marked.length;
  const marks =
    own.marks.size > 0
      ? plain`${view.marked.length} marked${hidden > 0 ? plain`, ${hidden} marked but not shown` : plain``}`
      : plain``;
  const range = own.anchor !== undefined ? plain`range${own.count === '' ? plain`` : paint(` ${own.count}`)}` : plain``;
  const foot = joined(
    [range, marks, ...notes.map(paint)].filter((part) => part !== ''),
    plain` ${theme.glyphs.dot} `,
  );
  return (
    <Frame
      title={titleOf(view, theme)}
      foot={foot === '' ? [] : [{ text: foot, tone: notes.length > 0 ? 'warn' : 'plain' }]}
      footRight={ids.length === 0 ? [] : [{ text: plain`${top + 1}-${top + shown.length}/${ids.length}`, tone: 'dim' }]}
      width={width}
      height={height}
      theme={theme}
      active
    >
      <Table
        columns={columns}
        rows={drawn}
        width={width - 2}
        height={height - 2}
        theme={theme}
        hscroll={own.hscroll}
        loading={known.value === undefined && known.problem === undefined}
        empty={emptyText(view)}
      />
    </Frame>
  );
}

const titled = new WeakMap<readonly Column<SubRow>[], readonly TableColumn[]>();

/** Columns with painted titles: the same array for the same columns, so that no row is drawn again for it. */
function columnsOf(columns: readonly Column<SubRow>[]): readonly TableColumn[] {
  const known = titled.get(columns) ?? columns.map((column) => ({ ...column, title: paint(column.title) }));
  titled.set(columns, known);
  return known;
}

function emptyText(view: View): Painted {
  if (view.known.problem && view.total === 0) return paint(view.known.problem.text);
  if (view.own.filter !== '' && view.total > 0)
    return plain`none of ${view.total} match /${paint(view.own.filter)}; q clears the filter`;
  return paint(view.list.empty);
}

function Preview({ now, width, height, theme }: { now: Now; width: number; height: number; theme: Theme }) {
  const { view, context } = now;
  const lines = view.row === undefined ? [] : (view.list.detail?.preview?.(view.row, context) ?? []);
  const title = view.row === undefined ? plain`` : paint(view.list.nameOf(view.row));
  return (
    <Frame title={[{ text: title, tone: 'dim' }]} width={width} height={height} theme={theme} active={false}>
      <Lines
        lines={layoutLines(lines, width - 4).map((line) => [{ text: plain` ` }, ...line])}
        width={width - 2}
        height={height - 2}
        theme={theme}
      />
    </Frame>
  );
}

function DetailPane({
  now,
  detail,
  width,
  height,
  theme,
  painter,
}: {
  readonly now: Now;
  readonly detail: DetailView;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
  readonly painter: BodyProps['painter'];
}) {
  const { view, context } = now;
  const tabs = detail.tabs.map((tab) => ({
    id: tab.id,
    title: paint(tab.title),
  }));
  const trouble = detail.whole.problem ? paint(detail.whole.problem.text) : plain``;
  const foot: Span[] =
    trouble !== ''
      ? [{ text: trouble, tone: 'bad' }]
      : view.gone !== undefined && view.gone === view.own.detail?.id
        ? [{ text: plain`no longer in the list: this is how it was last read`, tone: 'warn' }]
        : detail.whole.asking && detail.whole.value === undefined
          ? [{ text: plain`reading the whole`, tone: 'dim' }]
          : detail.whole.partial
            ? [{ text: plain`reading more`, tone: 'dim' }]
            : [];
  const title: Span[] = [{ text: paint(view.list.nameOf(detail.row)), bold: true }];
  const inside = { width: width - 2, height: height - 2 };
  if (detail.tab.kind === 'lines') {
    const { lines } = detail.tab;
    const total = layoutLines(lines, inside.width).length;
    const room = Math.max(1, inside.height - 1);
    const top = Math.max(0, Math.min(view.own.detail?.top ?? 0, total - room));
    return (
      <Frame
        title={title}
        foot={foot}
        footRight={
          total > room ? [{ text: plain`${top + 1}-${Math.min(total, top + room)}/${total}`, tone: 'dim' }] : []
        }
        width={width}
        height={height}
        theme={theme}
        active
      >
        <Detail
          tabs={tabs}
          tab={detail.tabAt}
          lines={lines}
          top={top}
          width={inside.width}
          height={inside.height}
          theme={theme}
        />
      </Frame>
    );
  }
  const { tab } = detail;
  const room = Math.max(1, inside.height - 2);
  const top = windowTop(view.own.detail?.top ?? 0, detail.underAt, room, tab.rows.length);
  const rows = tab.rows.slice(top, top + room).map((row, place) =>
    painter(row, `${detail.tab.id} ${row.id}`, tab.columns, context, {
      cursor: top + place === detail.underAt,
      marked: false,
      fresh: false,
      pending: false,
    }),
  );
  return (
    <Frame
      title={title}
      foot={foot}
      footRight={tab.rows.length > 0 ? [{ text: plain`${detail.underAt + 1}/${tab.rows.length}`, tone: 'dim' }] : []}
      width={width}
      height={height}
      theme={theme}
      active
    >
      <Detail tabs={tabs} tab={detail.tabAt} lines={[]} top={0} width={inside.width} height={1} theme={theme} />
      <Table
        columns={columnsOf(tab.columns)}
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
