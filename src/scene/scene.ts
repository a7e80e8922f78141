import { type Span, spanCells } from './span.ts';
import type { Speech } from './speech.ts';

/** Pieces of one line, from left to right. */
export type Spans = readonly Span[];

/** What a line is for: `heads` are titles of columns, a `choice` is a row of a menu, a `prompt` is typed into. */
export type Role = 'title' | 'heads' | 'row' | 'choice' | 'text' | 'field' | 'prompt' | 'problem' | 'message' | 'hint';

/** Cells of a line that do something of their own when they are chosen. */
export interface Spot<Message> {
  readonly from: number;
  readonly to: number;
  readonly send: Message;
}

/** One line of a frame. */
export interface Line<Message> {
  readonly spans: Spans;
  readonly role: Role;
  /** The row, choice or field under the cursor. */
  readonly isCursor?: boolean | undefined;
  /** What choosing it sends; undefined where it cannot be chosen. */
  readonly send?: Message | undefined;
  readonly spots?: readonly Spot<Message>[] | undefined;
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
  readonly titleSpots?: readonly Spot<Message>[] | undefined;
}

/** A pane where it stands in the frame. */
export interface Block<Message> extends Pane<Message> {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The one that keys go to. */
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
  readonly blocks: readonly Block<Message>[];
  /** The lines between the blocks and the hints: a message, or what is typed there. */
  readonly message: readonly Line<Message>[];
  readonly hints: readonly Line<Message>[];
}

/** Lines with one role, that cannot be chosen. */
export const linesOf = (lines: readonly Spans[], role: Role = 'text'): Line<never>[] =>
  lines.map((spans) => ({ spans, role }));

/** The cells of the spans that stand for something, with what choosing them sends. */
export function spotsOf<Message>(spans: Spans, send: (target: string) => Message | undefined): Spot<Message>[] {
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
  const at = row - 1 - block.y;
  if (block.border === 'none') return inLine(block.lines[at], column - block.x);
  if (at === 0) {
    const cell = column - block.x - titleFrom;
    return block.titleSpots?.find(({ from, to }) => cell >= from && cell < to)?.send;
  }
  return inLine(block.lines[at - 1], column - block.x - 1);
}
