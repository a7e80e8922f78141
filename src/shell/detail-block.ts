import { condensed, type DetailLine, type LineFact, type Tab, textLine } from '../describe/column.ts';
import { firstLines, layoutLines } from '../lib/detail-page.ts';
import { oncePer } from '../lib/function-results.ts';
import { paint } from '../lib/paint.ts';
import { type Painted, plain } from '../lib/painted.ts';
import { cells } from '../lib/text.ts';
import { finder } from '../lib/text-matches.ts';
import { listLines, type TableColumn } from '../scene/list-lines.ts';
import { pageLines, tabsLine } from '../scene/page-lines.ts';
import { asLines, type Line, lineSpots, type SceneBlock, type Spans } from '../scene/scene.ts';
import type { Span } from '../scene/span.ts';
import type { Theme } from '../scene/theme.ts';
import type { DetailView } from '../session/rows/detail-view.ts';
import { insideDetail, windowTop } from '../session/rows/geometry.ts';
import type { Message } from '../session/state/message.ts';
import type { Moment } from '../session/state/moment.ts';
import { failedReadText } from '../session/state/state-changes.ts';
import type { View } from '../session/state/view.ts';
import { type BlockRoom, measuredRows, tableRow } from './list-block.ts';
import { keySteps, nextSteps, unreadText } from './list-words.ts';
import { detailSpeech } from './speech.ts';

type RowsTab = Extract<Tab, { kind: 'rows' }>;

type DetailProps = Omit<BlockRoom, 'pending'> & { readonly detail: DetailView };

/** The detail of one row: its tabs, and the one that is open as a page or as rows. */
export function detailBlock(props: DetailProps): SceneBlock<Message> {
  const { now, detail, theme, active, x, y, width, height } = props;
  const tabs = detail.tabs.map(({ id, title }) => ({ id, title: paint(title) }));
  const line = tabsLine({ tabs, tab: detail.tabAt, width: insideDetail(width), theme });
  const spans: Spans = [{ text: plain` ` }, ...line];
  const { lines, place } = detail.tab.kind === 'rows' ? rowsOf(props, detail.tab) : pageOf(props);
  return {
    ...{ x, y, width, height, active },
    title: titleOf(now.view, detail),
    speech: () => detailSpeech(now, detail),
    foot: detailFoot(now, detail, theme),
    footRight: placeOf(detail, place),
    lines: [
      {
        spans,
        role: 'title',
        spots: lineSpots(spans, (id) => {
          const to = tabs.findIndex((tab) => tab.id === id);
          return to === detail.tabAt ? undefined : { type: 'moveTab', by: to - detail.tabAt };
        }),
      },
      ...lines,
    ],
  };
}

/** The lines of a tab below the line of tabs, and how far it is scrolled. */
interface Body {
  readonly lines: readonly Line<Message>[];
  readonly place: Painted | undefined;
}

function pageOf({ detail, width, height, theme }: DetailProps): Body {
  const { page, top, found, foundAt } = detail;
  if (!page) return { lines: [], place: undefined };
  const room = Math.max(1, height - 3);
  const { height: total } = page;
  return {
    lines: asLines(pageLines({ page, top, found, foundAt, width: width - 2, height: height - 3, theme })),
    place: total > room ? plain`${top + 1}-${Math.min(total, top + room)}/${total}` : undefined,
  };
}

function rowsOf({ now, detail, width, height, theme, active }: DetailProps, tab: RowsTab): Body {
  const { wanted, subRowAt, whole: entry } = detail;
  const room = Math.max(1, height - 4);
  const top = windowTop(now.view.listState.detail?.top ?? 0, subRowAt, room, tab.rows.length);
  const rows = tab.rows.slice(top, top + room).map((row, line) =>
    tableRow(row, row.id, tab.columns, now.context, {
      cursor: top + line === subRowAt,
      marked: false,
      fresh: false,
      pending: false,
    }),
  );
  const lines = listLines<Message>({
    columns: columnsOf(tab),
    rows,
    width: width - 2,
    height: height - 3,
    theme,
    hscroll: 0,
    highlight: wanted === '' ? undefined : finder(wanted),
    loading: tab.empty === undefined && entry.problem === undefined,
    empty: paint(unreadText(detail, tab)),
    failed: tab.empty === undefined,
    next: tab.empty === undefined ? nextSteps(now, entry, theme) : plain``,
    active,
    // Nothing opens a row of a tab.
    send: (line) => (top + line === subRowAt ? undefined : { type: 'moveCursor', by: top + line - subRowAt }),
  });
  return { lines, place: tab.rows.length > 0 ? plain`${subRowAt + 1}/${tab.rows.length}` : undefined };
}

/** The name of the row, and its place in the list while it is there. */
const titleOf = (view: View, { row }: DetailView): Span[] => [
  { text: paint(view.list.nameOf(row)), bold: true },
  ...(isGone(view)
    ? []
    : [{ text: plain`  ${view.cursorAt + 1} of ${view.ids.length}`, tone: 'dim' as const, keep: true }]),
];

/** Whether the last read of the list no longer has the row of the open detail. */
const isGone = ({ gone, listState }: View): boolean => gone !== undefined && gone === listState.detail?.id;

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

/** Whether a tab says itself why its detail was not read: as the first of its page, or in place of rows. */
const isUnread = (tab: Tab): boolean => tab.kind === 'page' || tab.empty === undefined;

/** Why the detail may be old or incomplete: a problem, a row that is gone, or a read under way. */
export function detailFoot(now: Moment, { whole: details, tab }: DetailView, theme: Theme): Span[] {
  const { view, state } = now;
  if (details.problem && details.value === undefined && isUnread(tab))
    return [
      { text: plain`Details not loaded`, tone: 'warn' },
      ...(tab.kind === 'page'
        ? [{ text: plain` ${theme.glyphs.dot} ${keySteps(now, details, theme)}`, tone: 'dim' as const }]
        : []),
    ];
  const problem = details.problem?.text ?? '';
  // Not again what the message below says; without a connection each read has a cause of its own.
  const below = state.flash ?? view.read.problem;
  const kindBelow = state.flash ? state.flash.problem?.kind : view.read.problem?.kind;
  const isSaid = problem === below?.text || (kindBelow === 'unreachable' && details.problem?.kind === 'unreachable');
  if (isSaid && problem !== '')
    return [
      { text: details.value === undefined ? plain`Details not loaded` : plain`Details as last read`, tone: 'warn' },
    ];
  if (details.problem)
    return [{ text: paint(failedReadText(details.problem, details.value !== undefined)), tone: 'bad' }];
  if (isGone(view)) return [{ text: plain`No longer in the list: shown as last read`, tone: 'warn' }];
  if (details.asking && details.value === undefined) return [{ text: plain`Loading details`, tone: 'dim' }];
  return details.partial ? [{ text: plain`Loading more`, tone: 'dim' }] : [];
}

/** Columns with painted titles, as wide as the rows need. */
const columnsOf = oncePer(({ columns, rows }: RowsTab): readonly TableColumn[] =>
  columns.map((column) => {
    const title = paint(column.title);
    if (rows.length === 0) return { ...column, title };
    const texts = rows.slice(0, measuredRows).map((row) => paint(row.cells[column.id] ?? ''));
    return { ...column, title, content: Math.max(cells(title), ...texts.map(cells)) };
  }),
);

interface Said {
  readonly lines: readonly (readonly Span[])[];
  /** Whether there is more than fits. */
  readonly isCut: boolean;
}

/** The lines of the row under the cursor. */
function saidOf({ view, context }: Moment, width: number, height: number, { glyphs }: Theme): Said {
  const { row, list, room } = view;
  const all =
    row === undefined
      ? [textLine(withoutRow(view, glyphs.ellipsis), 'dim')]
      : (list.detail?.preview?.(row, context) ?? []);
  const laid = inSight(room.previewRows > 0 ? condensed(all) : all, width - 4, height);
  return { lines: laid.lines.map((line) => [{ text: plain` ` }, ...line]), isCut: laid.isCut };
}

/** What stands in place of a row. */
function withoutRow({ read }: View, ellipsis: string): string {
  return read.value === undefined ? `Loading${ellipsis}` : 'No row under the cursor';
}

/** The lines that fit. What another line in sight says again is said once. */
function inSight(lines: readonly DetailLine[], width: number, height: number) {
  const lay = (some: readonly DetailLine[]) => {
    const laid = layoutLines(some, width);
    return { lines: firstLines(laid, height), isCut: laid.length > height };
  };
  const repeated = lines.flatMap((line) => (line.kind === 'facts' ? line.facts.filter(isSaidBelow) : []));
  if (repeated.length === 0) return lay(lines);
  const without = lay(
    lines.map((line) =>
      line.kind === 'facts' ? { ...line, facts: line.facts.filter((fact) => !isSaidBelow(fact)) } : line,
    ),
  );
  const seen = without.lines.flat().map((piece) => piece.text);
  const isSeen = (word: string) => seen.some((part) => part.includes(word));
  return repeated.every((fact) => paint(fact.text).split(' ').every(isSeen)) ? without : lay(lines);
}

const isSaidBelow = (fact: LineFact): boolean => fact.isSaidBelow === true;

/** The row under the cursor: what decides about it in few lines below the list, all of it beside the list. */
export function previewBlock({ now, theme, active, ...place }: Omit<BlockRoom, 'pending'>): SceneBlock<never> {
  const { view } = now;
  const title = view.row === undefined ? plain`Preview` : paint(view.list.nameOf(view.row));
  const { lines, isCut } = saidOf(now, place.width, place.height - 2, theme);
  return {
    ...place,
    title: [{ text: title, tone: 'dim' }],
    footRight: isCut ? more(active, theme) : [],
    active: false,
    lines: asLines(lines),
  };
}

/** Enter belongs to a panel below, where there is one. */
const more = (active: boolean, { glyphs }: Theme): readonly Span[] => [
  { text: active ? plain`Enter: more` : plain`${glyphs.ellipsis}`, tone: 'dim' },
];
