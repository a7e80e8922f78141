import type { Tone } from './column.ts';
import type { Context } from './context.ts';
import type { Material, RowPlace, Subject } from './derived.ts';
import type { NamedLink } from './named-link.ts';
import type { ListQuery } from './source.ts';

/** A piece of a line, plain: the shell paints it. */
export interface Piece {
  readonly text: string;
  readonly tone?: Tone;
  /** What a sentence says in its place; the text when absent. */
  readonly says?: string;
  /** What stands in the head of a block where there is no room for the text. */
  readonly short?: string;
}

/** A column of a block, as wide as what stands in it. */
export interface BlockColumn {
  readonly id: string;
  /** Its head, where the block has room for a line of heads. */
  readonly title?: string;
  /** Its cells mean nothing without the head: it is shown with it alone. */
  readonly isHeaded?: true;
  /** What stands behind its texts where there are no heads: a number alone would not say what it counts. */
  readonly unit?: string;
  /** What stands before it has the cells that it needs first, on lines where its own text is dim. */
  readonly yields?: true;
  /** Takes the cells that are left; one a block. */
  readonly flex?: boolean;
  readonly align?: 'left' | 'right';
  /** 1 is never dropped; the highest number leaves first. */
  readonly priority: number;
  /** Most cells; 24 when absent. */
  readonly max?: number;
  /** To how many cells the column may be cut before another one leaves; 20 of what takes the cells that are left. */
  readonly least?: number;
}

/** One line of a block: cells by column, or one text over the whole width. */
export interface BoardLine {
  /** Unique in the board, the same while it is about the same thing. */
  readonly id: string;
  readonly block: string;
  /** What a sentence calls it. */
  readonly name: string;
  readonly cells: Readonly<Record<string, Piece>> | Piece;
  /** When what it says began, epoch milliseconds: after the last look it is marked as new. */
  readonly since?: number | undefined;
  readonly place: RowPlace;
  readonly subject?: Subject | undefined;
  /** Of a line without a subject: the service that it is about. */
  readonly service?: string;
  /** `*` leaves it out: nothing of it is to be done, as it is muted. */
  readonly isQuiet?: boolean | undefined;
}

/** A piece as a sentence says it. */
export const pieceText = ({ text, says = text }: Piece): string => says.trim();

/** Whether a line is one text over the whole width. */
export const isPiece = (cells: BoardLine['cells']): cells is Piece => typeof cells.text === 'string';

/** A block as it is now. */
export interface BlockNow {
  readonly id: string;
  readonly title: string;
  /** Counts behind the title. */
  readonly head: readonly Piece[];
  readonly columns: readonly BlockColumn[];
  readonly lines: readonly BoardLine[];
  /** How many lines it would have if it showed all; null where it is unknown. Absent: its lines are all. */
  readonly total?: number | null;
  /** One sentence where there are no lines. */
  readonly empty: string;
  /** One sentence: why what is shown may be old or missing. */
  readonly trouble?: string | undefined;
  /** Lines that it gets before others get more. */
  readonly least: number;
  /** What the lines of these ids are, in a line or two, where the block has no room for them. */
  rest?(ids: readonly string[]): readonly Piece[];
  /** Where it says what to do about what its lines are about: named at the foot of the board. */
  readonly runbooks?: readonly NamedLink[];
  /** Stands beside the next one of this kind, where the terminal is wide enough. */
  readonly isHalf?: true;
  /** Shown on wide terminals only, in a column of its own. */
  readonly aside?: boolean;
}

/** A screen of blocks. Its rows are the lines of all blocks, in order. */
export interface Board {
  blocks(material: Material, context: Context, asked: ListQuery): readonly BlockNow[];
  /** Its blocks are of one subject: below each other but on very wide terminals. */
  readonly isNarrow?: true;
}
