import { type Column, columnName, type DetailLine, type Section, sortedWords } from '../describe/column.ts';
import type { Context } from '../describe/context.ts';
import { type BlockNow, type BoardLine, isPiece, pieceText } from '../describe/derived.ts';
import { formatRowCount } from '../describe/screen.ts';
import { paint, paintLines } from '../lib/paint.ts';
import { joinPainted, type Painted, plain } from '../lib/painted.ts';
import { plural } from '../lib/text.ts';
import { lined, listTexts, type Remark, type Speech } from '../scene/span.ts';
import { asideText, isPart } from '../session/rows/counts.ts';
import type { DetailView } from '../session/rows/detail-view.ts';
import { countShown } from '../session/rows/visible-list.ts';
import type { Moment } from '../session/state/moment.ts';
import { askedText, noRowsText, unreadText } from './list-words.ts';

/** The cells of a row as a sentence: the words of its columns, else each text behind its column's title. Empty cells are left out. */
export function rowSentence<R>(columns: readonly Column<R>[], row: R, context: Context): Painted {
  return listTexts(columns.map((column, at) => cellWords(column, row, context, at === 0)));
}

function cellWords<R>(column: Column<R>, row: R, context: Context, isFirst: boolean): Painted {
  const own = column.says?.(row, context);
  if (own !== undefined) return paint(own);
  const text = paint(column.text(row, context).trim());
  if (text === '' || text === '–') return plain``;
  const title = paint(column.title.toLowerCase());
  return isFirst || column.flex || title === '' ? text : plain`${title} ${text}`;
}

/** A section of a detail, its title first. */
export const sectionText = ({ title, lines }: Section): Painted =>
  lined([...(title === '' ? [] : [plain`${paint(title)}:`]), ...lines.flatMap(lineTexts)]);

/** What a section tells, whatever its values are: a poll that only changes them says nothing. */
const sectionShape = ({ lines }: Section): string =>
  lines.map((line) => (line.kind === 'pair' ? line.label : line.kind)).join('\n');

function lineTexts(line: DetailLine): readonly Painted[] {
  switch (line.kind) {
    case 'gap':
      return [];
    case 'head':
      return [plain`${paint(line.text)}:`];
    case 'text':
      return paintLines(line.text);
    case 'pair':
      return [plain`${paint(line.label)}: ${line.value === '–' ? plain`none` : paint(line.value)}`];
    case 'facts':
      return [
        listTexts(
          line.facts.map(({ label, text }) =>
            label === undefined ? paint(text) : plain`${paint(label)} ${paint(text)}`,
          ),
        ),
      ];
  }
}

/** Counts that change by themselves are said at most so often. */
export const countsMs = 60_000;

/** The list in front: what is asked of it, its counts, what is new, and the row under the cursor. */
export const listSpeech = (now: Moment): Speech => ({
  title: titleWords(now),
  remarks: [countsRemark(now), ...newRows(now), rowRemark(now)],
});

/** A block of a board: its title with its counts, or what it says where it is empty; and the line under the cursor. */
export function blockSpeech(block: BlockNow, now: Moment): Speech {
  const head = block.head.map((piece) => paint(pieceText(piece).replace(/^· /, '')));
  const body = block.lines.length > 0 ? paint(plural(block.lines.length, 'line')) : paint(block.empty);
  const trouble = block.trouble === undefined ? plain`` : paint(block.trouble);
  const { view } = now;
  return {
    remarks: [
      {
        about: `block ${block.id}`,
        text: plain`${paint(block.title)}: ${listTexts([...head, body, trouble])}`,
        token: block.trouble ?? '',
        everyMs: countsMs,
      },
      ...((view.row as BoardLine | undefined)?.block === block.id ? [rowRemark(now)] : []),
    ],
  };
}

/** The title: what is asked, filtered and sorted, and the other tabs. */
function titleWords({ view }: Moment): Painted {
  const { list, listState, screen } = view;
  const sort = listState.sort ?? list.sorted;
  const column = list.columns.find(({ id }) => id === sort?.by);
  const searchText = askedText(view);
  const others = screen.lists.filter((other) => other.id !== list.id);
  return listTexts([
    paint(list.title),
    listState.filter === '' ? plain`` : plain`filter ${paint(listState.filter)}`,
    searchText === '' ? plain`` : paint(searchText),
    column
      ? plain`sorted by ${paint(columnName(column))}, ${paint(sortedWords(column, sort?.down ?? false))}`
      : plain``,
    listState.moving ? plain`unsaved order: Ctrl-S saves, q discards` : plain``,
    others.length > 0 ? plain`other tabs: ${listTexts(others.map(({ title }) => paint(title)))}` : plain``,
  ]);
}

/** Rows, rows by state, what is new, what waits; said again at once where the person asked for other rows. */
function countsRemark({ view }: Moment): Remark {
  const { total, listState, counts, waiting, read: entry, list } = view;
  const shown = countShown(view);
  const { states: counted } = view.listed ?? counts;
  const states = counted.map((state) => paint(`${state.label} ${state.count}${asideText(state)}`));
  const text = listTexts([
    total === 0
      ? paint(noRowsText(view))
      : shown === total
        ? paint(formatRowCount(list, total))
        : plain`${shown} of ${paint(formatRowCount(list, total))}`,
    ...states,
    isPart(entry) ? plain`more is being read` : plain``,
    counts.fresh.size > 0 ? plain`${counts.fresh.size} new since you last looked` : plain``,
    waiting > 0 ? plain`${waiting} not shown yet: Ctrl-R shows them` : plain``,
    listState.marks.size > 0 ? plain`${listState.marks.size} marked` : plain``,
    ...(entry.value?.notes ?? []).map(paint),
  ]);
  const token = [listState.filter, JSON.stringify(listState.asked), listState.marks.size].join('\n');
  return { about: 'counts', text, token, everyMs: countsMs };
}

/** The columns of a row's sentence: those that a narrow screen keeps; the detail says the rest. */
const toSay = <R>(columns: readonly Column<R>[]): readonly Column<R>[] =>
  columns.filter(({ priority }) => priority <= 3);

/** One remark for each row that is new, or that came to need a person, since the last look. */
function newRows({ view, context }: Moment): readonly Remark[] {
  return [...view.counts.fresh].flatMap((id): Remark[] => {
    const row = view.rows.get(id);
    if (row === undefined) return [];
    const text = plain`New: ${rowSentence(toSay(view.list.columns), row, context)}`;
    return [{ about: `new ${id}`, text, token: view.counts.labels.get(id) ?? '', news: true }];
  });
}

/** The row under the cursor; said again when another one is there, or its state or marks have changed. */
function rowRemark({ view, context, state }: Moment): Remark {
  const { row, cursor = '', cursorAt: cursorIndex, ids, listState, list, counts } = view;
  if (row === undefined) return { about: 'row', text: plain`` };
  const marks = listTexts([
    listState.marks.has(cursor) ? plain`marked` : plain``,
    listState.rowRange?.from === cursor ? plain`range begins here` : plain``,
    listState.watched?.has(cursor) ? plain`watched` : plain``,
    view.gone === cursor ? plain`no longer listed` : plain``,
  ]);
  const words = list.board
    ? boardSentence(row as BoardLine, view.blocks)
    : rowSentence(toSay(list.columns), row, context);
  const said = listTexts([marks, words]);
  const text = view.gone === cursor ? said : plain`Row ${cursorIndex + 1} of ${ids.length}: ${said}`;
  const token = [
    cursor,
    counts.labels.get(cursor) ?? '',
    marks,
    listState.filter,
    listState.sort?.by,
    listState.sort?.down,
    listState.moving && cursorIndex,
  ];
  return { about: 'row', text, token: token.join('\n'), orients: state.layers.length === 0 };
}

function boardSentence({ block: id, cells }: BoardLine, blocks: Moment['view']['blocks']): Painted {
  const block = blocks.find((one) => one.id === id);
  const pieces = isPiece(cells) ? [cells] : (block?.columns ?? []).flatMap(({ id }) => cells[id] ?? []);
  return listTexts([block ? paint(block.title) : plain``, ...pieces.map((piece) => paint(pieceText(piece)))]);
}

/** The detail of a row: its name and tabs, then the open tab section by section, or its rows. */
export function detailSpeech({ view, context }: Moment, detail: DetailView): Speech {
  const { tab, tabs, tabAt, page, top, row, subRowAt, wanted, found, foundAt } = detail;
  const subRow = tab.kind === 'rows' ? tab.rows[subRowAt] : undefined;
  const lineAt = (at: number): Painted => joinPainted((page?.columns[0]?.lines[at] ?? []).map(({ text }) => text));
  const line = found[foundAt]?.line ?? top;
  const remarks: readonly Remark[] = [
    {
      about: 'title',
      text: plain`${paint(view.list.nameOf(row))}, ${paint(tab.title)}${tabs.length > 1 ? plain`, tab ${tabAt + 1} of ${tabs.length}: ${listTexts(tabs.map(({ title }) => paint(title)))}` : plain``}`,
      token: `${tabs.length}`,
    },
    ...(tab.kind === 'page'
      ? [...tab.sections, ...(tab.aside ?? [])]
          .filter(({ lines }) => lines.length > 0)
          .map((section) => ({
            about: `section ${section.id}`,
            text: sectionText(section),
            token: sectionShape(section),
          }))
      : [
          {
            about: 'rows',
            text: paint(tab.rows.length === 0 ? unreadText(detail, tab) || 'loading' : plural(tab.rows.length, 'row')),
            token: '',
          },
        ]),
    ...(wanted === ''
      ? []
      : [
          {
            about: 'found',
            text: found.length === 0 ? plain`no match` : plain`match ${foundAt + 1} of ${found.length}`,
          },
        ]),
    tab.kind === 'page'
      ? { about: 'line', text: line > 0 ? lineAt(line) : plain``, token: `${line}`, orients: true }
      : {
          about: 'row',
          text: subRow
            ? plain`Row ${subRowAt + 1} of ${tab.rows.length}: ${rowSentence(tab.columns, subRow, context)}`
            : plain``,
          token: detail.subRowId ?? '',
          orients: true,
        },
  ];
  return { remarks: [...remarks, ...troubleRemarks(detail)] };
}

/** Why what was heard is old or incomplete; a page that was not read begins with the reason. */
function troubleRemarks({ whole: { problem, value }, tab }: DetailView): readonly Remark[] {
  const isSaid = value === undefined && tab.kind === 'page';
  return problem && !isSaid ? [{ about: 'trouble', text: plain`Error: ${paint(problem.text)}` }] : [];
}
