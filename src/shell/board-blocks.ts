import { type BlockNow, type BoardLine, isPiece, type Piece } from '../describe/board.ts';
import { paint } from '../lib/paint.ts';
import { plain } from '../lib/painted.ts';
import { boardBlock } from '../scene/board-block.ts';
import { type BlockLine, blockHeights } from '../scene/board-rows.ts';
import type { SceneBlock } from '../scene/scene.ts';
import type { Span } from '../scene/span.ts';
import { boardLineStart } from '../session/list/cursor.ts';
import { boardColumns } from '../session/rows/board-columns.ts';
import type { Message } from '../session/state/message.ts';
import type { Moment } from '../session/state/moment.ts';
import type { BlockRoom } from './block-props.ts';
import { chosenRow } from './list-block.ts';
import { blockSpeech } from './list-speech.ts';

/** The blocks of a board by column: one below the other, in two columns, or in three. */
export function boardBlocks({
  now,
  x,
  y,
  width,
  height,
  theme,
  active,
  pending,
}: BlockRoom): readonly SceneBlock<Message>[] {
  const lines = linesByBlock(now, pending);
  const columns = placed(now.view.blocks, boardColumns(now.state.size.columns, now.view.list.board));
  const needsOf = (block: BlockNow) => ({ least: block.least, wants: wants(block, lines.get(block.id) ?? []) });
  const room = (blocks: readonly unknown[]) => Math.max(0, height - blocks.length - 1);
  // Blocks beside each other are equally high where that is enough for each of them.
  const rows =
    columns[0]?.map((_, at) =>
      columns.flatMap((blocks) => (blocks[at] && !blocks[at].aside ? needsOf(blocks[at]) : [])),
    ) ?? [];
  const common = rows.map((row) => ({
    least: Math.max(...row.map(({ least }) => least)),
    wants: Math.max(...row.map(({ wants }) => wants)),
  }));
  const isEnough = common.reduce((sum, { wants }) => sum + wants, 0) <= room(rows);
  const widths = columnWidths(columns.length, width);
  let left = 0;
  return columns.flatMap((blocks, column) => {
    const width = widths[column] ?? 0;
    left += width;
    const isCommon = isEnough && blocks.length === common.length;
    const heights = blockHeights(isCommon ? common : blocks.map(needsOf), room(blocks));
    let top = 0;
    return blocks.map((block, index) => {
      const isLast = index === blocks.length - 1;
      const tall = 1 + (heights[index] ?? 0) + (isLast ? 1 : 0);
      top += tall;
      return boardBlock({
        x: x + left - width,
        y: y + top - tall,
        width: width,
        height: tall,
        title: titleOf(block),
        speech: () => blockSpeech(block, now),
        columns: block.columns,
        lines: lines.get(block.id) ?? [],
        empty: paint(block.empty),
        trouble: block.trouble === undefined ? undefined : paint(block.trouble),
        isFirst: index === 0,
        isLast,
        ...(isLast && column === 0 && { foot: runbookFoot(now) }),
        theme,
        active,
      });
    });
  });
}

/** `Runbook https://runbooks.example.test/checkout-api (o)`. */
function runbookFoot({ view, bindings }: Moment): readonly Span[] {
  const [first, ...others] = view.blocks.flatMap(({ runbooks = [] }) => runbooks);
  if (first === undefined) return [];
  const key = bindings.find(({ run }) => run.type === 'showLink')?.keys[0];
  const more = others.length > 0 ? plain` and ${others.length} more` : plain``;
  return [
    { text: plain`Runbook ${paint([first.name, first.url].filter(Boolean).join(' '))}` },
    { text: plain`${more}${key === undefined ? plain`` : plain` (${paint(key)})`}`, tone: 'dim', keep: true },
  ];
}

const wants = ({ trouble }: BlockNow, lines: readonly ChosenLine[]): number =>
  Math.max(1, lines.length) + (trouble === undefined ? 0 : 1);

/** The columns of blocks, in the order of reading: from left to right, then down. */
function placed(blocks: readonly BlockNow[], count: number): readonly (readonly BlockNow[])[] {
  const main = blocks.filter(({ aside }) => !aside);
  const aside = blocks.filter((block) => block.aside);
  if (count === 1) return [main];
  const halves = [main.filter((_, at) => at % 2 === 0), main.filter((_, at) => at % 2 === 1)];
  const all = count === 2 ? halves : [...halves, aside];
  return all.filter((some) => some.length > 0);
}

function columnWidths(count: number, width: number): readonly number[] {
  if (count < 3) return count < 2 ? [width] : [Math.ceil(width / 2), Math.floor(width / 2)];
  const side = Math.floor(width * 0.3);
  return [Math.ceil((width - side) / 2), Math.floor((width - side) / 2), side];
}

function titleOf({ title, head }: BlockNow): Parameters<typeof boardBlock>[0]['title'] {
  return [
    { text: paint(title), bold: true },
    ...head.map((piece) => ({
      ...spanOf(piece),
      text: plain` ${paint(piece.text)}`,
      ...(piece.short === undefined ? {} : { short: plain` ${paint(piece.short)}` }),
    })),
  ];
}

const spanOf = ({ text, tone }: Piece): Span => ({ text: paint(text), tone });

type ChosenLine = BlockLine & { readonly send: Message };

/** The lines of each block as they are drawn; the line under the cursor stays where its row is gone. */
function linesByBlock(
  { view, context }: Moment,
  pending: ReadonlySet<string>,
): ReadonlyMap<string, readonly ChosenLine[]> {
  const lines = new Map<string, ChosenLine[]>();
  const { lastLook = 0 } = context;
  for (const id of view.ids) {
    const line = view.rows.get(id) as BoardLine;
    const isSeen = view.listState.seen?.get(id) === boardLineStart(line);
    const boardLines = lines.get(line.block) ?? [];
    boardLines.push({
      id,
      send: chosenRow(view.places.get(id) ?? view.cursorAt, view.cursorAt),
      cells:
        id === view.gone ? { text: plain`${paint(line.name)} · no longer here`, tone: 'dim' } : painted(line.cells),
      cursor: id === view.cursor,
      marked: view.listState.marks.has(id),
      fresh: line.since !== undefined && line.since > lastLook && !isSeen,
      pending: pending.has(subjectId(line)),
    });
    lines.set(line.block, boardLines);
  }
  return lines;
}

/** Id of the row that a line is about. */
const subjectId = ({ subject }: BoardLine): string => String((subject?.row as { id?: unknown } | undefined)?.id);

function painted(cells: BoardLine['cells']): BlockLine['cells'] {
  if (isPiece(cells)) return spanOf(cells);
  return Object.fromEntries(Object.entries(cells).map(([id, piece]) => [id, spanOf(piece)]));
}
