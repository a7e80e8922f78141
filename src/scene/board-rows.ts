import type { BlockColumn } from '../describe/board.ts';
import type { Tone } from '../describe/column.ts';
import { joinPainted, type Painted, plain, spaces } from '../lib/painted.ts';
import { cells, fit } from '../lib/text.ts';
import { fitSpans, type Span, underCursor } from './span.ts';
import type { Theme } from './theme.ts';

/** A line of a block: cells by column, or one text over the whole width. */
export interface BlockLine {
  readonly id: string;
  readonly cells: Readonly<Record<string, Span>> | Span;
  readonly cursor: boolean;
  readonly fresh: boolean;
  readonly marked?: boolean;
  readonly pending: boolean;
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

/** Cells that the texts of each column need, with its head where it has some, and those that it wants of them. */
function columnNeeds(shapes: readonly BlockColumn[], lines: readonly Cells[], heads: readonly Cells[]) {
  const content = new Map<string, number>();
  for (const { cells: each } of lines)
    if (!isSpan(each))
      for (const { id } of shapes) content.set(id, Math.max(content.get(id) ?? 0, cells(each[id]?.text ?? '')));
  for (const { cells: head } of heads)
    for (const [id, wide] of content)
      if (!isSpan(head) && wide > 0) content.set(id, Math.max(wide, cells(head[id]?.text ?? '')));
  const wants = new Map(shapes.map(({ id, max = 24 }) => [id, Math.min(max, content.get(id) ?? 0)]));
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
  const cellsOf = ({ id, flex }: BlockColumn) => (flex ? 0 : (wants.get(id) ?? 0));
  let shown = shapes.filter((shape) => shape.flex || cellsOf(shape) > 0);
  const flexRoom = () => width - shown.reduce((sum, shape) => sum + cellsOf(shape) + gap, -gap);
  const flexColumn = shapes.find(({ flex }) => flex);
  const needs = flexColumn ? (content.get(flexColumn.id) ?? 0) : Number.POSITIVE_INFINITY;
  const wanted = Math.min(needs, flexColumn?.least ?? Math.max(leastFlex, Math.floor(width * flexShare)));
  const leave = (least: number, above: number) => {
    for (;;) {
      const worst = Math.max(above, ...shown.map(({ priority, flex }) => (flex ? 0 : priority)));
      if (worst <= above || flexRoom() >= least) return;
      const leaving = shown.findLast(({ priority, flex }) => priority === worst && !flex);
      shown = shown.filter((shape) => shape !== leaving);
    }
  };
  leave(wanted, lastNeeded);
  // Then what may be cut is cut.
  for (const { id, least, flex } of shown) {
    const over = wanted - flexRoom();
    const has = wants.get(id) ?? 0;
    if (!flex && least !== undefined && over > 0) wants.set(id, Math.max(Math.min(least, has), has - over));
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
    let room = (widths.get(id) ?? 0) - taken;
    let next = index + 1;
    // What the line is about runs on where nothing stands behind it.
    for (let behind = shown[next]; flex && behind && isEmpty(behind); behind = shown[next]) {
      room += gap + (widths.get(behind.id) ?? 0);
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
  return Math.max(0, Math.min(lacks, (widths.get(behind.id) ?? 0) - leastYielding));
}

/** Cells that are left of a text that yields: the beginning of a name. */
const leastYielding = 8;

/** Width for the cells of a line. */
export const lineWidth = (width: number): number => Math.max(1, width - markCells);

/** Whether a line is one text over the whole width. */
export const isSpan = (cells: BlockLine['cells']): cells is Span => typeof cells.text === 'string';

/** Heights of the blocks of a column: first what each must have, then, from the first on, what each has to show. */
export function blockHeights(needs: readonly { least: number; wants: number }[], height: number): readonly number[] {
  const heights = needs.map(() => 0);
  let left = height;
  const grow = (most: (need: { least: number; wants: number }) => number) => {
    for (let isGrowing = true; isGrowing && left > 0; ) {
      isGrowing = false;
      for (const [at, need] of needs.entries()) {
        if (left <= 0 || (heights[at] ?? 0) >= most(need)) continue;
        heights[at] = (heights[at] ?? 0) + 1;
        left -= 1;
        isGrowing = true;
      }
    }
  };
  grow(({ least, wants }) => Math.min(least, Math.max(1, wants)));
  grow(({ wants }) => wants);
  // What nobody needs is shared.
  grow(() => height);
  return heights;
}
