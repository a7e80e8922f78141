import type { Tone } from '../describe/column.ts';
import type { BlockColumn } from '../describe/derived.ts';
import { paint } from '../lib/paint.ts';
import { joinPainted, type Painted, plain, spaces } from '../lib/painted.ts';
import { cells, fit, wrap } from '../lib/text.ts';
import type { TableRow } from './list-lines.ts';
import { asLines, type SceneBlock } from './scene.ts';
import { fitSpans, type Span, spanCells, underCursor, windowAt, withinLines } from './span.ts';
import type { Theme } from './theme.ts';

/** A line of a block: cells by column, or one text over the whole width. */
export interface BlockLine extends Pick<TableRow, 'id' | 'cursor' | 'fresh' | 'pending'> {
  readonly cells: Readonly<Record<string, Span>> | Span;
  readonly marked?: boolean;
  /** Its row is not there any more: it is not counted. */
  readonly gone?: boolean;
}

/** Least cells of the flex column where its content needs them: before it gets narrower, another one leaves. */
const leastFlex = 20;
/** The share of a block that the flex column gets before another column may be cut. */
const flexShare = 0.55;
const gap = 1;
/** Columns of a higher priority are shown where the flex column has all that it wants. */
const lastNeeded = 5;
/** Cells for the cursor and the mark of what is new. */
const markCells = 2;

type Cells = Pick<BlockLine, 'cells'>;

const cellsIn = (widths: ReadonlyMap<string, number>, id: string): number => widths.get(id) ?? 0;

/** Cells that the texts of each column need, with its head where it has some, and those that it wants of them. */
function columnNeeds(shapes: readonly BlockColumn[], lines: readonly Cells[], heads: readonly Cells[]) {
  const content = new Map<string, number>();
  for (const { cells: each } of lines)
    if (!isSpan(each))
      for (const { id } of shapes) content.set(id, Math.max(cellsIn(content, id), cells(each[id]?.text ?? '')));
  for (const { cells: head } of heads)
    for (const [id, wide] of content)
      if (!isSpan(head) && wide > 0) content.set(id, Math.max(wide, cells(head[id]?.text ?? '')));
  const wants = new Map(shapes.map(({ id, max = 24 }) => [id, Math.min(max, cellsIn(content, id))]));
  return { content, wants };
}

/**
 * Which columns are shown in `width` cells, and how wide. A column without a text on any line takes no room. What only helps
 * leaves before the flex column is cut; what decides stays longer.
 */
export function blockWidths(
  shapes: readonly BlockColumn[],
  lines: readonly Cells[],
  width: number,
  heads: readonly Cells[] = [],
): ReadonlyMap<string, number> {
  const { content, wants } = columnNeeds(shapes, lines, heads);
  const cellsOf = ({ id, flex }: BlockColumn) => (flex ? 0 : cellsIn(wants, id));
  let shown = shapes.filter((shape) => shape.flex || cellsOf(shape) > 0);
  const flexRoom = () => width - shown.reduce((sum, shape) => sum + cellsOf(shape) + gap, -gap);
  const flexColumn = shapes.find(({ flex }) => flex);
  const needs = flexColumn ? cellsIn(content, flexColumn.id) : Number.POSITIVE_INFINITY;
  const wanted = Math.min(needs, flexColumn?.least ?? Math.max(leastFlex, Math.floor(width * flexShare)));
  const leave = (least: number, above: number) => {
    for (;;) {
      const worst = Math.max(above, ...shown.filter(({ flex }) => !flex).map(({ priority }) => priority));
      if (worst <= above || flexRoom() >= least) return;
      const leaving = shown.findLast(({ priority, flex }) => priority === worst && !flex);
      shown = shown.filter((shape) => shape !== leaving);
    }
  };
  leave(wanted, lastNeeded);
  // Then what may be cut is cut.
  for (const { id, least, flex } of shown) {
    const over = Math.max(0, wanted - flexRoom());
    const has = cellsIn(wants, id);
    if (!flex && least !== undefined) wants.set(id, Math.max(Math.min(least, has), has - over));
  }
  leave(Math.min(leastFlex, needs), 1);
  return new Map(
    shown.map((shape) => [shape.id, shape.flex ? Math.max(1, Math.min(flexRoom(), needs)) : cellsOf(shape)]),
  );
}

/** The spans of one line, exactly `width` cells. */
export function blockSpans(
  line: BlockLine,
  shapes: readonly BlockColumn[],
  widths: ReadonlyMap<string, number>,
  width: number,
  theme: Theme,
): readonly Span[] {
  const { glyphs } = theme;
  const mark = line.marked ? glyphs.mark : line.pending ? glyphs.pending : line.fresh ? glyphs.fresh : plain` `;
  const marks = line.cursor ? plain`${glyphs.cursor}${mark}` : plain`${mark} `;
  const body = isSpan(line.cells) ? [line.cells] : cellSpans(line.cells, shapes, widths, glyphs.ellipsis);
  const first: Span = { text: marks, tone: line.fresh ? 'info' : 'plain' };
  const all = fitSpans([first, ...body], width, glyphs.ellipsis);
  if (!line.cursor) return all;
  // The profile before the state does not say how the row is.
  const names = isSpan(line.cells) || line.cells.profile === undefined ? 1 : 2;
  const before: Span = { text: joinPainted(all.slice(0, names).map(({ text }) => text)) };
  return underCursor([before, ...all.slice(names)], theme, line.pending);
}

function cellSpans(
  line: Readonly<Record<string, Span>>,
  shapes: readonly BlockColumn[],
  widths: ReadonlyMap<string, number>,
  ellipsis: Painted,
): Span[] {
  const shown = shapes.filter(({ id }) => widths.has(id));
  const isEmpty = ({ id }: BlockColumn) => cells(line[id]?.text ?? '') === 0;
  const spans: Span[] = [];
  let taken = 0;
  for (let index = 0; index < shown.length; ) {
    const { id, align, flex } = shown[index] as BlockColumn;
    let room = cellsIn(widths, id) - taken;
    let next = index + 1;
    // What the line is about runs on where nothing stands behind it.
    for (let behind = shown[next]; flex && behind && isEmpty(behind); behind = shown[next]) {
      room += gap + cellsIn(widths, behind.id);
      next += 1;
    }
    const cell = line[id];
    taken = flex ? yielded(cells(cell?.text ?? '') - room, shown[next], line, widths) : 0;
    room += taken;
    if (index > 0) spans.push({ text: spaces(gap) });
    spans.push({ text: fit(cell?.text ?? plain``, room, align, ellipsis), tone: cell?.tone as Tone | undefined });
    index = next;
  }
  return spans;
}

/** Cells that the column behind leaves of what the flex column lacks: as many as its own text can do without. */
function yielded(
  lacks: number,
  behind: BlockColumn | undefined,
  line: Readonly<Record<string, Span>>,
  widths: ReadonlyMap<string, number>,
): number {
  if (!behind?.yields || line[behind.id]?.tone !== 'dim') return 0;
  return Math.max(0, Math.min(lacks, cellsIn(widths, behind.id) - leastYielding));
}

/** Cells that are left of a text that yields: the beginning of a name. */
const leastYielding = 8;

/** Width for the cells of a line. */
const lineWidth = (width: number): number => Math.max(1, width - markCells);

/** Whether a line is one text over the whole width. */
const isSpan = (cells: BlockLine['cells']): cells is Span => typeof cells.text === 'string';

/** Heights of the blocks of a column: first what each must have, then, from the first on, what each has to show. */
export function blockHeights(needs: readonly { least: number; wants: number }[], height: number): readonly number[] {
  const blocks = needs.map((need) => ({ ...need, height: 0 }));
  let left = height;
  const grow = (most: (need: { least: number; wants: number }) => number) => {
    for (let isGrowing = true; isGrowing; ) {
      isGrowing = false;
      for (const block of blocks) {
        if (left <= 0 || block.height >= most(block)) continue;
        block.height += 1;
        left -= 1;
        isGrowing = true;
      }
    }
  };
  grow(({ least, wants }) => Math.min(least, Math.max(1, wants)));
  grow(({ wants }) => wants);
  // What nobody needs is shared.
  grow(() => height);
  return blocks.map((block) => block.height);
}

interface BoardBlockProps<Message>
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
    ? wrap(empty, inside - 3).map((text): Span[] => [{ text: spaces(2) }, { text, tone: 'dim' }])
    : [];
  const shownRows = countThere(shown);
  const isCut = shownRows > 0 && shown.length < lines.length;
  const range = isCut
    ? [{ text: plain`${top + 1}-${top + shownRows}/${countThere(lines)}`, tone: 'dim' as const }]
    : [];
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

const countThere = (lines: readonly BlockLine[]): number => lines.filter(({ gone }) => !gone).length;

/** Tones of what needs a person, the most urgent last. */
const urgency: readonly (Tone | undefined)[] = ['info', 'warn', 'bad'];

/**
 * A title in `room` cells: pieces behind the name leave whole, those that need nobody first, of equals from the right. Those
 * that need a person get short before they leave.
 */
export function wholePieces([name, ...pieces]: readonly HeadSpan[], room: number): readonly Span[] {
  if (name === undefined) return [];
  let shownPieces = pieces;
  const rank = ({ tone }: Span) => urgency.indexOf(tone);
  while (shownPieces.length > 0 && spanCells([name, ...shownPieces]) > room) {
    const least = Math.min(...shownPieces.map(rank));
    const leaving = shownPieces.findLastIndex((piece) => rank(piece) === least);
    shownPieces =
      least >= 0 && shownPieces.some(({ short }) => short !== undefined)
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
    const top = windowAt(cursor, Math.max(1, most), lines.length);
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
  if (isSpan(line.cells)) return line;
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
  // What does not fit runs into the end of the last line, where it is cut with a mark.
  return withinLines(wrap(trouble, width - 3), most).map((text) => [{ text: spaces(2) }, { text, tone: 'bad' }]);
}
