import type { BlockColumn } from '../describe/board.ts';
import type { Tone } from '../describe/column.ts';
import { paint } from '../lib/paint.ts';
import type { Painted } from '../lib/painted.ts';
import { joinPainted, plain, spaces } from '../lib/painted.ts';
import { wrap } from '../lib/text.ts';
import { type BlockLine, blockSpans, blockWidths, isSpan, lineWidth } from './board-rows.ts';
import { asLines, type SceneBlock } from './scene.ts';
import { fitSpans, type Span, spanCells, windowAt } from './span.ts';
import type { Theme } from './theme.ts';

export interface BoardBlockProps<Message>
  extends Pick<SceneBlock<Message>, 'x' | 'y' | 'width' | 'speech' | 'foot' | 'footRight'> {
  readonly title: readonly HeadSpan[];
  readonly columns: readonly BlockColumn[];
  readonly lines: readonly (BlockLine & { readonly send?: Message | undefined })[];
  /** Said where there are no lines. */
  readonly empty: Painted;
  readonly trouble?: Painted | undefined;
  /** What lines that have no room are. */
  rest?(ids: readonly string[]): readonly Span[];
  /** Lines of the block with its top border, and with its bottom border where it is the last of its column. */
  readonly height: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly theme: Theme;
  /** Keys go to the board. */
  readonly active: boolean;
}

/** A piece of a head, with what takes its place where there is less room. */
interface HeadSpan extends Span {
  readonly short?: Painted;
}

/** A block of a board. Blocks of one column share the border between them. */
export function boardBlock<Message>(props: BoardBlockProps<Message>): SceneBlock<Message> {
  const { x, y, title, empty, trouble, width, height, isFirst, isLast, theme, active } = props;
  const look = active ? theme : { ...theme, selected: { bold: true } };
  const inside = width - 2;
  const { causes, at: index, top, shown, heads, rest, lines } = blockWindow(props);
  const columns = heads.length > 0 ? props.columns : props.columns.filter((column) => !column.isHeaded);
  const widths = blockWidths(columns, lines, lineWidth(inside), heads);
  const isEmpty = lines.length === 0 && trouble === undefined;
  const nothing = isEmpty
    ? wrap(empty, Math.max(1, inside - 3)).map((text): Span[] => [{ text: spaces(2) }, { text, tone: 'dim' }])
    : [];
  const isCut = shown.length > 0 && shown.length < lines.length;
  const range = isCut ? [{ text: plain`${top + 1}-${top + shown.length}/${lines.length}`, tone: 'dim' as const }] : [];
  return {
    ...{ x, y, width, height, speech: props.speech },
    title: wholePieces(title, width - 6 - (range.length > 0 ? spanCells(range) + 2 : 0)),
    titleRight: range,
    foot: props.foot,
    footRight: props.footRight,
    lines: [
      ...asLines(causes, 'problem'),
      ...asLines(nothing),
      ...asLines(heads.map((line) => blockSpans(line, columns, widths, inside, look))),
      ...shown.map((line) => ({
        spans: blockSpans(line, columns, widths, inside, look),
        role: 'row' as const,
        isCursor: line.cursor,
        send: line.send,
      })),
      ...asLines(rest.map((span) => fitSpans([{ text: spaces(2) }, span], inside, theme.glyphs.ellipsis))),
    ],
    active: active && index >= 0,
    border: isFirst ? (isLast ? 'whole' : 'open') : isLast ? 'below' : 'belowOpen',
  };
}

const urgency: readonly (Tone | undefined)[] = ['bad', 'warn', 'info'];

/**
 * A title in `room` cells: pieces behind the name leave whole, those that need nobody first, of equals from the right. Those
 * that need a person get short before they leave.
 */
export function wholePieces([name, ...pieces]: readonly HeadSpan[], room: number): readonly Span[] {
  if (name === undefined) return [];
  let shownPieces = pieces;
  const rank = ({ tone }: Span) => urgency.indexOf(tone) + 1 || urgency.length + 1;
  while (shownPieces.length > 0 && spanCells([name, ...shownPieces]) > room) {
    const worst = Math.max(...shownPieces.map(rank));
    const leaving = shownPieces.findLastIndex((piece) => rank(piece) === worst);
    shownPieces =
      worst <= urgency.length && shownPieces.some(({ short }) => short !== undefined)
        ? shownPieces.map(({ short, ...piece }) => (short === undefined ? piece : { ...piece, text: short }))
        : shownPieces.toSpliced(leaving, 1);
  }
  return [name, ...shownPieces];
}

/** The lines of a block that are drawn: below what is said of its trouble, from the place `top` on; `at` is the cursor. */
function blockWindow<Message>(props: BoardBlockProps<Message>) {
  const { columns, trouble, width, height, isLast } = props;
  const room = Math.max(0, height - (isLast ? 2 : 1));
  const count = props.lines.length;
  const causes = troubleLines(trouble, count === 0 ? room : room < 8 ? 1 : 2, width - 2);
  const hasHeads = count > 0 && (room >= leastWithHeads || causes.length + count < room);
  const lines = hasHeads ? props.lines : props.lines.map((line) => withUnits(line, columns));
  const heads = hasHeads ? headLines(columns) : [];
  const left = room - causes.length - heads.length;
  const cursor = lines.findIndex((line) => line.cursor);
  const shownFrom = (most: number) => {
    const top = windowAt(Math.max(0, cursor), Math.max(1, most), lines.length);
    const end = top + Math.max(0, most);
    const hidden = lines.slice(end).map(({ id }) => id);
    const rest = hidden.length > 0 && left >= leastWithRest ? (props.rest?.(hidden) ?? []) : [];
    return { causes, at: cursor, top, heads, lines, shown: lines.slice(top, end), rest };
  };
  const all = shownFrom(left);
  if (all.rest.length === 0) return all;
  const cut = shownFrom(left - all.rest.length);
  return { ...cut, rest: cut.rest.slice(0, all.rest.length) };
}

/** A line whose numbers say what they count. */
function withUnits<Line extends BlockLine>(line: Line, columns: readonly BlockColumn[]): Line {
  const units = columns.filter(({ unit }) => unit !== undefined);
  if (units.length === 0 || isSpan(line.cells)) return line;
  const counted = { ...line.cells };
  for (const { id, unit = '' } of units) {
    const cell = counted[id];
    if (cell && cell.text !== '') counted[id] = { ...cell, text: plain`${cell.text} ${paint(unit)}` };
  }
  return { ...line, cells: counted };
}

/** Lines of a block from which its last ones say what has no room. */
const leastWithRest = 8;

/** Lines of a block from which one of them has the heads of its columns, also where its lines have no room for all. */
const leastWithHeads = 6;

/** The heads of the columns, where they have some. */
function headLines(columns: readonly BlockColumn[]): readonly BlockLine[] {
  const titled = columns.flatMap(({ id, title }) => (title === undefined ? [] : [[id, title] as const]));
  if (titled.length === 0) return [];
  const cells = Object.fromEntries(
    titled.map(([id, title]): [string, Span] => [id, { text: paint(title), tone: 'label' }]),
  );
  return [{ id: 'heads', cells, cursor: false, fresh: false, pending: false }];
}

/** Why the block may be wrong: whole where nothing else is there, else on a line or two. */
function troubleLines(trouble: Painted | undefined, most: number, width: number): Span[][] {
  if (trouble === undefined || most <= 0) return [];
  const lines = wrap(trouble, Math.max(1, width - 3));
  // What does not fit runs into the end of the last line, where it is cut with a mark.
  const kept = lines.length <= most ? lines : [...lines.slice(0, most - 1), joinPainted(lines.slice(most - 1))];
  return kept.map((text) => [{ text: spaces(2) }, { text, tone: 'bad' }]);
}
