import type { Tone } from '../describe/column.ts';
import { type Painted, plain, repeated, spaces, trimmed } from '../lib/painted.ts';
import { cells, cutAfterPart, fit, wrap } from '../lib/text.ts';
import { cutSpans, fitSpans, type Span, type Speech, spanCells } from './span.ts';
import type { Glyphs, Theme } from './theme.ts';

/** Pieces of one line, from left to right. */
export type Spans = readonly Span[];

/** What a line is for: `heads` are titles of columns, a `choice` is a row of a menu, a `prompt` is typed into. */
type LineRole = 'title' | 'heads' | 'row' | 'choice' | 'text' | 'field' | 'prompt' | 'problem' | 'message' | 'hint';

/** Cells of a line that do something of their own when they are chosen. */
interface ChoiceSpot<Message> {
  readonly from: number;
  readonly to: number;
  readonly send: Message;
}

/** One line of a frame. */
export interface Line<Message> {
  readonly spans: Spans;
  readonly role: LineRole;
  /** The row, choice or field under the cursor. */
  readonly isCursor?: boolean | undefined;
  /** What choosing it sends; undefined where it cannot be chosen. */
  readonly send?: Message | undefined;
  readonly spots?: readonly ChoiceSpot<Message>[] | undefined;
}

/** A titled part of a frame, as it is before it has a place. */
export interface Pane<Message> {
  readonly title: Spans;
  readonly titleRight?: Spans | undefined;
  readonly foot?: Spans | undefined;
  readonly footRight?: Spans | undefined;
  /** The lines inside the border. */
  readonly lines: readonly Line<Message>[];
  /** What is heard of it; its title and lines when absent. Made only where somebody listens. */
  readonly speech?: (() => Speech) | undefined;
  /** Cells of the title that do something when they are chosen, counted from its first one. */
  readonly titleSpots?: readonly ChoiceSpot<Message>[] | undefined;
}

/** A pane where it stands in the frame. */
export interface SceneBlock<Message> extends Pane<Message> {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Whether keys go to this block. */
  readonly active: boolean;
  /** Which lines of its border it has: `below` another one they share one; `none` has lines alone, and no title. */
  readonly border?: 'whole' | 'open' | 'below' | 'belowOpen' | 'none' | undefined;
}

/** A whole frame as a value. */
export interface Scene<Message> {
  readonly columns: number;
  readonly rows: number;
  /** Undefined where there is no room for more than one sentence. */
  readonly header?: Line<Message>;
  readonly blocks: readonly SceneBlock<Message>[];
  /** The lines between the blocks and the hints: a message, or what is typed there. */
  readonly message: readonly Line<Message>[];
  readonly hints: readonly Line<Message>[];
}

/** Lines with one role, that cannot be chosen. */
export const asLines = (lines: readonly Spans[], role: LineRole = 'text'): Line<never>[] =>
  lines.map((spans) => ({ spans, role }));

/** The cells of the spans that stand for something, with what choosing them sends. */
export function lineSpots<Message>(spans: Spans, send: (target: string) => Message | undefined): ChoiceSpot<Message>[] {
  let from = 0;
  return spans.flatMap((span) => {
    const to = from + spanCells([span]);
    const spot = { from, to };
    from = to;
    const message = span.target === undefined ? undefined : send(span.target);
    return message === undefined ? [] : [{ ...spot, send: message }];
  });
}

/** Cells of a border, and of the gap behind its corner. */
const titleFrom = 2;

/** What choosing a cell of the frame sends; undefined where nothing is. */
export function sentAt<Message>(scene: Scene<Message>, column: number, row: number): Message | undefined {
  const inLine = (line: Line<Message> | undefined, cell: number) =>
    line?.spots?.find(({ from, to }) => cell >= from && cell < to)?.send ?? line?.send;
  if (row === 0) return inLine(scene.header, column);
  const block = scene.blocks.find(
    ({ x, y, width, height }) => column >= x && column < x + width && row > y && row <= y + height,
  );
  if (!block) return undefined;
  const index = row - 1 - block.y;
  if (block.border === 'none') return inLine(block.lines[index], column - block.x);
  if (index === 0) {
    const cell = column - block.x - titleFrom;
    return block.titleSpots?.find(({ from, to }) => cell >= from && cell < to)?.send;
  }
  return inLine(block.lines[index - 1], column - block.x - 1);
}

type Framed = Omit<SceneBlock<unknown>, 'x' | 'y'>;

/** All lines of a block, those of its border among them: `height` lines of `width` cells at most. */
export function framedLines(block: Framed, { glyphs }: Theme): readonly Spans[] {
  const { title, titleRight = [], foot = [], footRight = [], lines, width, height, active, border = 'whole' } = block;
  if (border === 'none') return lines.slice(0, height).map(({ spans }) => spans);
  const hasEnd = border === 'whole' || border === 'below';
  const tone = active ? 'info' : 'dim';
  const { box } = glyphs;
  const left: Span = { text: box.vertical, tone };
  const right: Spans = width > 1 ? [{ text: box.vertical, tone }] : [];
  const room = width - 1 - right.length;
  const edge = { width, tone, ellipsis: glyphs.ellipsis } as const;
  const [topLeft, topRight] =
    border === 'below' || border === 'belowOpen' ? [glyphs.teeLeft, glyphs.teeRight] : [box.topLeft, box.topRight];
  return [
    edgeSpans({ ...edge, left: title, right: titleRight, ends: [topLeft, box.horizontal, topRight] }),
    ...Array.from({ length: Math.max(0, height - (hasEnd ? 2 : 1)) }, (_, at) => [
      left,
      ...fitSpans(lines[at]?.spans ?? [], room, glyphs.ellipsis),
      ...right,
    ]),
    ...(hasEnd
      ? [edgeSpans({ ...edge, left: foot, right: footRight, ends: [box.bottomLeft, box.horizontal, box.bottomRight] })]
      : []),
  ].slice(0, Math.max(0, height));
}

interface Edge {
  readonly left: Spans;
  readonly right: Spans;
  readonly ends: readonly [Painted, Painted, Painted];
  readonly width: number;
  readonly tone: 'info' | 'dim';
  readonly ellipsis: Glyphs['ellipsis'];
}

/** A line of a border, `┌ left ──── right ┐`; the left is cut before the right, and each has a space on both sides. */
function edgeSpans({ left, right, ends, width, tone, ellipsis }: Edge): Spans {
  const inner = Math.max(0, width - 2);
  const air = (spans: Spans): Spans => (spans.length === 0 ? [] : [{ text: plain` ` }, ...spans, { text: plain` ` }]);
  const rightKept = air(cutSpans(right, Math.max(0, inner - 2), ellipsis));
  const leftKept = air(cutSpans(left, inner - spanCells(rightKept) - 2, ellipsis));
  const rest = inner - spanCells(leftKept) - spanCells(rightKept);
  const line: Span[] = [
    { text: ends[0], tone },
    ...leftKept,
    { text: repeated(ends[1], rest), tone },
    ...rightKept,
    { text: ends[2], tone },
  ];
  return cutSpans(line, width, '');
}

/** An item of a menu as it is drawn. */
export interface MenuEntry {
  readonly label: Painted;
  readonly key?: Painted | undefined;
  readonly hint: Painted;
  /** Whether the row cannot be chosen, or will be refused; the hint says why. */
  readonly isRefused?: boolean;
}

const widest = (texts: readonly string[]): number => texts.reduce((most, text) => Math.max(most, cells(text)), 0);

/**
 * Items as rows of `width` cells: keys, labels and hints below each other. `leastLabel`: cells for the labels at least, so that the
 * hints stay where they are while the items change. `cutHints`: the hint of each row that cuts it, else nothing.
 */
export function menuRows(items: readonly MenuEntry[], width: number, ellipsis: Painted, leastLabel = 0) {
  const keyCells = widest(items.map(({ key }) => key ?? ''));
  const labelCells = Math.min(Math.max(leastLabel, widest(items.map(({ label }) => label))), Math.floor(width * 0.6));
  const hintCells = width - 2 - (keyCells > 0 ? keyCells + 2 : 0) - labelCells - 2;
  const rows = items.map(({ key = plain``, label, hint, isRefused }): Spans => {
    const keys: Span = { text: plain`${fit(key, keyCells)}  `, tone: isRefused ? 'dim' : 'strong' };
    return [
      ...(keyCells > 0 ? [keys] : []),
      { text: fit(label, labelCells, 'left', ellipsis), tone: isRefused ? 'dim' : 'plain' },
      ...(hint === '' ? [] : [{ text: plain`  ${cutAfterPart(hint, hintCells, ellipsis)}`, tone: 'dim' as const }]),
    ];
  });
  return { rows, cutHints: items.map(({ hint }) => (cells(hint) > hintCells ? hint : plain``)) };
}

/** Most lines of a text that is said in full; a longer one is a sample of something and stays cut. */
const most = 2;

/**
 * Where a frame of `width` cells says the text of the row under the cursor that the row itself cuts: in the line of its
 * border, or where some row needs more than that on lines of their own, the same number whichever row it is.
 * `cutTexts`: of each row, empty where it is not cut.
 */
export function wholeText(cutTexts: readonly Painted[], cursor: number, width: number) {
  const wrapped = cutTexts.map((text) => (text === '' ? [] : wrap(text, width - 4)));
  const isLong = wrapped.some((lines) => lines.length === most);
  const own = wrapped[cursor] ?? [];
  const said = own.length > most ? [] : own;
  return {
    foot: isLong ? plain`` : (said[0] ?? plain``),
    below: isLong ? Array.from({ length: most }, (_, at) => said[at] ?? plain``) : [],
  };
}

/** One text in the middle of a space: `needs 60x16, has 40x10`. */
export function noticeBlock({
  text,
  tone = 'plain',
  ...place
}: Pick<SceneBlock<never>, 'x' | 'y' | 'width' | 'height'> & {
  readonly text: Painted;
  readonly tone?: Tone | undefined;
}): SceneBlock<never> {
  const { width, height } = place;
  const said = wrap(text, width).map(trimmed);
  const above = Math.max(0, Math.floor((height - said.length) / 2));
  const lines: Span[][] = [
    ...Array.from({ length: above }, (): Span[] => []),
    ...said.map((sentence): Span[] => [
      { text: spaces(Math.floor((width - cells(sentence)) / 2)) },
      { text: sentence, tone },
    ]),
  ];
  return { ...place, title: [], lines: asLines(lines, 'problem'), active: false, border: 'none' };
}
