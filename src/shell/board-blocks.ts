import { type BlockNow, type BoardLine, isPiece, type Piece } from '../describe/derived.ts';
import { paint } from '../lib/paint.ts';
import { plain } from '../lib/painted.ts';
import { type BlockLine, blockHeights, boardBlock } from '../scene/board-block.ts';
import type { SceneBlock } from '../scene/scene.ts';
import type { Span } from '../scene/span.ts';
import type { Theme } from '../scene/theme.ts';
import { boardLineStart } from '../session/list/cursor.ts';
import { hasAside, standBeside } from '../session/rows/derived-rows.ts';
import type { Message } from '../session/state/message.ts';
import type { Moment } from '../session/state/moment.ts';
import { type BlockRoom, chosenRow } from './list-block.ts';
import { nextSteps } from './list-words.ts';
import { blockSpeech } from './speech.ts';

/** The blocks of a board, one band below the other: a whole block, or two halves; what stands aside has a column of its own. */
export function boardBlocks(props: BlockRoom): readonly SceneBlock<Message>[] {
  const { now, x, width } = props;
  const { columns } = now.state.size;
  const { blocks, list } = now.view;
  const main = blocks.filter(({ aside }) => !aside);
  const aside = hasAside(columns) ? blocks.filter((block) => block.aside) : [];
  const side = aside.length > 0 ? Math.floor(width * asideShare) : 0;
  const lines = linesByBlock(now, props.pending);
  return [
    ...bandBlocks({ ...props, width: width - side }, bandsOf(main, standBeside(columns, list.board)), lines, true),
    ...bandBlocks({ ...props, x: x + width - side, width: side }, bandsOf(aside, false), lines, false),
  ];
}

/** The share of the width that the column aside has. */
const asideShare = 0.3;

/** The share of its band that the first of two halves has: it has columns, the second one sentences. */
const firstShare = 0.58;

type Band = readonly BlockNow[];
type LinesByBlock = ReadonlyMap<string, readonly ChosenLine[]>;

/** Halves that follow each other stand beside each other, where there is room. */
function bandsOf(blocks: readonly BlockNow[], isWide: boolean): readonly Band[] {
  const bands: BlockNow[][] = [];
  for (const block of blocks) {
    const last = bands.at(-1);
    if (isWide && block.isHalf && last?.length === 1 && last[0]?.isHalf) last.push(block);
    else bands.push([block]);
  }
  return bands;
}

/** The blocks of a column of bands. The foot of the first column names a runbook, and what happens next with reads that failed. */
function bandBlocks(
  { now, x, y, width, height, theme, active }: BlockRoom,
  bands: readonly Band[],
  lines: LinesByBlock,
  hasFoot: boolean,
): readonly SceneBlock<Message>[] {
  const needs = bands.map((band) => {
    const each = band.map((block) => ({ least: block.least, wants: wants(block, lines.get(block.id) ?? []) }));
    return { least: Math.max(...each.map(({ least }) => least)), wants: Math.max(...each.map((one) => one.wants)) };
  });
  const heights = blockHeights(needs, height - bands.length - 1);
  let top = y;
  return bands.flatMap((band, index) => {
    const isLast = index === bands.length - 1;
    const tall = 1 + (heights[index] as number) + (isLast ? 1 : 0);
    top += tall;
    let left = x;
    return band.map((block, place) => {
      const first = band.length === 1 ? width : Math.ceil(width * firstShare);
      const wide = place === 0 ? first : width - first;
      left += wide;
      return boardBlock({
        ...{ x: left - wide, y: top - tall, width: wide, height: tall },
        title: titleOf(block),
        speech: () => blockSpeech(block, now),
        columns: block.columns,
        lines: lines.get(block.id) ?? [],
        empty: paint(block.empty),
        rest: (ids) => block.rest?.(ids).map(spanOf) ?? [],
        trouble: block.trouble === undefined ? undefined : paint(block.trouble),
        isFirst: index === 0,
        isLast,
        ...(hasFoot && isLast && place === 0 && { foot: runbookFoot(now) }),
        ...(hasFoot && isLast && place === band.length - 1 && { footRight: nextFoot(now, theme) }),
        theme,
        active,
      });
    });
  });
}

/** What happens next where blocks could not be read, or wait for long. */
function nextFoot(now: Moment, theme: Theme): readonly Span[] {
  const { blocks, read } = now.view;
  const isTroubled = blocks.some(({ trouble }) => trouble !== undefined);
  // Some of several reads are nearly always under way.
  const entry = isTroubled ? { ...read, problem: read.problem ?? {}, asking: false } : read;
  const text = nextSteps(now, entry, theme);
  return text === '' ? [] : [{ text, tone: 'dim' }];
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

const wants = ({ trouble, columns }: BlockNow, lines: readonly ChosenLine[]): number => {
  const heads = columns.some(({ title }) => title !== undefined) && lines.length > 0 ? 1 : 0;
  return Math.max(1, lines.length) + heads + (trouble === undefined ? 0 : 1);
};

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
      gone: id === view.gone,
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
