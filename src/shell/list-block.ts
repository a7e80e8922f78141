import type { Column, Tone } from '../describe/column.ts';
import type { Context } from '../describe/context.ts';
import { formatRowCount, shownColumns } from '../describe/screen.ts';
import { paint } from '../lib/paint.ts';
import { joinPainted, type Painted, plain } from '../lib/painted.ts';
import { cells, isSimple } from '../lib/text.ts';
import { listLines, type TableColumn, type TableRow } from '../scene/list-lines.ts';
import { lineSpots, type SceneBlock } from '../scene/scene.ts';
import type { Span } from '../scene/span.ts';
import type { Theme } from '../scene/theme.ts';
import { isPart } from '../session/rows/counts.ts';
import { windowTop } from '../session/rows/geometry.ts';
import type { Order, Row } from '../session/rows/list-state.ts';
import { countShown, highlighter } from '../session/rows/visible-list.ts';
import type { Message } from '../session/state/message.ts';
import type { Moment } from '../session/state/moment.ts';
import { failedReadText } from '../session/state/state-changes.ts';
import type { View } from '../session/state/view.ts';
import { joinSteps, listTitle, nextSteps, noRowsText } from './list-words.ts';
import { listSpeech } from './speech.ts';

/** Rows of a list, from its top, that decide how wide its columns are. */
export const measuredRows = 300;

interface Measured {
  readonly columns: readonly Column<unknown>[];
  readonly rows: View['rows'];
  readonly widths: readonly number[];
}

const ofOrders = new WeakMap<Order, Measured>();
const ofRows = new WeakMap<
  object,
  { readonly columns: readonly Column<unknown>[]; readonly widths: readonly (number | string)[] }
>();

/**
 * Cells of the widest text of each column over the first 300 rows of the list as loaded, in its order, filtered or not:
 * scrolling, filtering and moving the cursor change no width. While the order is kept, which polls do not change, a
 * column only gets wider; sorting, `g` and Ctrl-R measure again. A row is measured once for each version of it.
 */
export function contentWidths(view: View, context: Context): readonly number[] {
  const { list, order, rows } = view;
  const columns = shownColumns(list);
  const known = ofOrders.get(order);
  if (known?.rows === rows && known.columns === columns) return known.widths;
  const widths = columns.map(({ widest = '' }, at) =>
    known?.columns === columns ? (known.widths[at] as number) : cells(paint(widest)),
  );
  const widen = (at: number, wide: number) => {
    widths[at] = Math.max(widths[at] ?? 0, wide);
  };
  const unmeasured: [at: number, text: string][] = [];
  for (const id of order.ids.slice(0, measuredRows)) {
    const row = rows.get(id);
    if (row === undefined) continue;
    rowWidths(row, columns, context).forEach((wide, at) => {
      if (typeof wide === 'number') widen(at, wide);
      else unmeasured.push([at, wide]);
    });
  }
  for (const [at, text] of unmeasured) if (mostCells(text) > (widths[at] ?? 0)) widen(at, cells(paint(text)));
  ofOrders.set(order, { columns, rows, widths });
  return widths;
}

/** The columns of the list with their painted titles, as wide as their content. */
export function tableColumns(view: View, context: Context): readonly TableColumn[] {
  const { list, listState } = view;
  const shown = shownColumns(list);
  const widths = contentWidths(view, context);
  const { by, down } = listState.sort ?? list.sorted ?? {};
  return shown.map((column, index) => {
    const title = paint(column.title);
    const isSorted = column.id === by;
    return {
      ...column,
      title,
      ...(column.short && { shortTitle: paint(column.short.title) }),
      content: Math.max(widths[index] ?? 0, cells(title) + (isSorted ? 1 : 0)),
      ...(isSorted ? { sorted: down ? ('down' as const) : ('up' as const) } : {}),
    };
  });
}

/** Cells that a text takes at most once it is painted. Letters of two cells begin at U+0E33, which is drawn as two; half of a pair takes one. */
export const mostCells = (text: string): number =>
  text.length + (text.match(/[\u0e00-\ud7ff\ue000-\uffff]/g) ?? []).length;

/**
 * Cells of each text of a row; a text that is not simple stays a text, because the first one measured takes 50 ms and few are wide
 * enough to matter.
 */
function rowWidths(row: Row, columns: readonly Column<unknown>[], context: Context): readonly (number | string)[] {
  const known = ofRows.get(row as object);
  if (known?.columns === columns) return known.widths;
  const widths = columns.map((column) => {
    const text = column.text(row, context);
    return isSimple(text) ? cells(paint(text)) : text;
  });
  ofRows.set(row as object, { columns, widths });
  return widths;
}

/**
 * `▲ 1 ALERT P1 · `, `▼ 9 ALERT P2 · `: rows that need a person and are not among those from `top` to `end`, above them or not
 * in their place yet, and below them; with what matters most of them. What is muted, and what a filter leaves out, is not told.
 */
export function edgeSpans({ view }: Moment, { glyphs }: Theme, top: number, end: number): readonly Span[] {
  const { listState, counts, places } = view;
  // Without a place: not in it yet, and above; left out by the filter, and neither above nor below.
  const unplaced = listState.filter === '' ? -1 : Number.NaN;
  const side = (arrow: Painted, isThere: (place: number) => boolean): Span[] => {
    let count = 0;
    const labels = new Set<string>();
    let highest = '';
    for (const [id, { label, rank }] of counts.unmuted) {
      if (!isThere(places.get(id) ?? unplaced)) continue;
      count += 1;
      labels.add(label);
      if (rank !== '' && (highest === '' || rank < highest)) highest = rank;
    }
    const words = [`${count}${isPart(view.read) ? '+' : ''}`, [...labels].join('/'), highest].filter(Boolean).join(' ');
    return count === 0
      ? []
      : [
          { text: plain`${arrow} ${paint(words)}`, tone: 'bad' },
          { text: plain` ${glyphs.dot} `, tone: 'dim' },
        ];
  };
  return [...side(glyphs.up, (place) => place < top), ...side(glyphs.down, (place) => place >= end)];
}

/** The list in front: its title, the rows in sight, and below them marks and notes. */
export function listBlock({ now, theme, active, pending, ...place }: BlockRoom): SceneBlock<Message> {
  const { width, height } = place;
  const { view, context } = now;
  const { list, listState, read: entry, ids, rows, cursorAt: cursorIndex } = view;
  const drawnColumns = shownColumns(list);
  const columns = tableColumns(view, context);
  const inside = Math.max(1, height - 3);
  const top = windowTop(listState.top, cursorIndex, inside, ids.length);
  const shown = ids.slice(top, top + inside);
  const shownRows = countShown({ ...view, ids: shown });
  const drawn = shown.map((id, line) =>
    tableRow(rows.get(id), id, drawnColumns, context, {
      cursor: top + line === cursorIndex,
      marked: listState.marks.has(id),
      fresh: view.counts.fresh.has(id),
      watched: view.listState.watched?.has(id) ?? false,
      pending: pending.has(id),
      gone: id === view.gone,
    }),
  );
  const notes = entry.value?.notes ?? [];
  // Actions apply to visible marks; the others are counted separately.
  const hidden = listState.marks.size - view.marked.length;
  const marks =
    listState.marks.size > 0
      ? plain`${view.marked.length} marked${hidden > 0 ? plain`, ${hidden} marked but not shown` : plain``}`
      : plain``;
  const range = listState.rowRange
    ? plain`range${listState.rowRange.count === '' ? plain`` : paint(` ${listState.rowRange.count}`)}`
    : plain``;
  const foot = joinSteps([range, marks, ...notes.map(paint)], theme);
  const lines = listLines({
    columns,
    rows: drawn,
    width: width - 2,
    height: height - 2,
    theme,
    hscroll: listState.hscroll,
    highlight: highlighter(listState.filter),
    loading: entry.value === undefined && entry.problem === undefined,
    empty: emptyText(view, now.state.layers.at(-1)?.kind === 'filter' ? 'Esc' : 'q'),
    failed: hasFailed(view),
    next: drawn.length === 0 && (entry.value === undefined || hasFailed(view)) ? nextSteps(now, entry, theme) : plain``,
    active,
    send: (line) => chosenRow(top + line, cursorIndex),
  });
  const title = listTitle(now, theme, width - 4, shown);
  const front = view.screen.lists.findIndex(({ id }) => id === list.id);
  return {
    ...place,
    title,
    speech: () => listSpeech(now),
    titleSpots: lineSpots(title, (id) => {
      const to = view.screen.lists.findIndex((one) => one.id === id);
      return to === front ? undefined : { type: 'moveTab', by: to - front };
    }),
    foot: foot === '' ? [] : [{ text: foot, tone: notes.length > 0 ? 'warn' : 'plain' }],
    footRight: [
      ...edgeSpans(now, theme, top, top + shown.length),
      ...(shownRows === 0
        ? []
        : [
            {
              text: plain`${top + 1}-${top + shownRows}/${countShown(view)}${isPart(entry) ? plain`+` : plain``}`,
              tone: 'dim' as const,
            },
          ]),
    ],
    active,
    lines,
  };
}

/** Choosing the row under the cursor opens it; choosing another one moves the cursor there. */
export const chosenRow = (row: number, cursor: number): Message =>
  row === cursor ? { type: 'openCurrent' } : { type: 'moveCursor', by: row - cursor };

/** Whether a problem stands in place of the rows. */
const hasFailed = ({ read, total }: View): boolean => read.problem !== undefined && total === 0;

/** The text in place of rows where there are none. `clear`: the key that clears the filter; while it is typed, q is a letter. */
function emptyText(view: View, clear: 'q' | 'Esc'): Painted {
  if (view.read.problem && hasFailed(view)) return paint(failedReadText(view.read.problem, false));
  if (view.listState.filter !== '' && view.total > 0)
    return plain`No match for "${paint(view.listState.filter)}" in ${paint(formatRowCount(view.list, view.total))}: ${paint(clear)} clears the filter`;
  return paint(noRowsText(view));
}

/** A row as it is drawn in a list. */
export function tableRow<R>(
  row: R,
  id: string,
  columns: readonly Column<R>[],
  context: Context,
  marks: Omit<TableRow, 'id' | 'cells' | 'tones'> & { readonly gone?: boolean; readonly watched?: boolean },
): TableRow {
  const { gone: isGone = false, watched: isWatched = false, ...shown } = marks;
  // In words: no theme draws the row under the cursor dim.
  const signs = [...(isGone ? [plain`[gone] `] : []), ...(isWatched ? [plain`[w] `] : [])];
  const widest =
    signs.length === 0 ? undefined : columns.reduce((best, column) => (column.min > best.min ? column : best));
  const cells = columns.map((column) => {
    const cell = paint(column.text(row, context));
    return column === widest ? joinPainted([...signs, cell]) : cell;
  });
  const tones = columns.map((column): Tone => (isGone ? 'dim' : (column.tone?.(row, context) ?? 'plain')));
  const shorts = columns.map(({ short }) => short && paint(short.text(row, context)));
  return { id, cells, tones, shorts, ...shown };
}

/** What a block of the body is made from, and the place that it must fill. */
export interface BlockRoom extends Pick<SceneBlock<Message>, 'x' | 'y' | 'width' | 'height'> {
  readonly now: Moment;
  readonly theme: Theme;
  /** Keys go to it, and not to a panel below it. */
  readonly active: boolean;
  /** Ids of rows with an unconfirmed edit. */
  readonly pending: ReadonlySet<string>;
}
