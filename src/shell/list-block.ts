import type { Column, Tone } from '../describe/column.ts';
import type { Context } from '../describe/context.ts';
import { formatRowCount, shownColumns } from '../describe/screen.ts';
import { paint } from '../lib/paint.ts';
import { joinPainted, type Painted, plain } from '../lib/painted.ts';
import { listLines, type TableRow } from '../scene/list-lines.ts';
import { asLines, lineSpots, type SceneBlock } from '../scene/scene.ts';
import { isPart } from '../session/rows/counts.ts';
import { windowTop } from '../session/rows/geometry.ts';
import { highlighter } from '../session/rows/visible-list.ts';
import type { Message } from '../session/state/message.ts';
import { failedReadText } from '../session/state/state-changes.ts';
import type { View } from '../session/state/view.ts';
import type { BlockRoom } from './block-props.ts';
import { tableColumns } from './column-widths.ts';
import { edgeSpans } from './list-edge.ts';
import { listSpeech } from './list-speech.ts';
import { listTitle } from './list-title.ts';
import { nextSteps, noRowsText } from './next-steps.ts';

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
  const range =
    listState.anchor !== undefined
      ? plain`range${listState.count === '' ? plain`` : paint(` ${listState.count}`)}`
      : plain``;
  const foot = joinPainted(
    [range, marks, ...notes.map(paint)].filter((part) => part !== ''),
    plain` ${theme.glyphs.dot} `,
  );
  const {
    heads,
    rows: drawnRows,
    said: note,
  } = listLines({
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
      ...(ids.length === 0
        ? []
        : [
            {
              text: plain`${top + 1}-${top + shown.length}/${ids.length}${isPart(entry) ? plain`+` : plain``}`,
              tone: 'dim' as const,
            },
          ]),
    ],
    active,
    lines: [
      { spans: heads, role: 'heads' },
      ...drawnRows.map((spans, line) => ({
        spans,
        role: 'row' as const,
        isCursor: top + line === cursorIndex,
        send: chosenRow(top + line, cursorIndex),
      })),
      ...asLines(note),
    ],
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
  const { gone = false, watched = false, ...shown } = marks;
  return { id, ...rowSaid(row, columns, context, gone, watched), ...shown };
}

function rowSaid<R>(row: R, columns: readonly Column<R>[], context: Context, isGone: boolean, isWatched: boolean) {
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
  return { cells, tones, shorts };
}
