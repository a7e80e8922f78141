import { inside, type Plan } from '../api/endpoint.ts';
import { type Problem, type Result, toResult } from '../api/problem.ts';
import type { Tone } from './column.ts';
import {
  type Context,
  type ListQuery,
  type LoggedEdit,
  type Rows,
  type SeenChange,
  type Source,
  withMissing,
} from './context.ts';

/** A read that rows of another kind are made of. */
// biome-ignore lint/suspicious/noExplicitAny: one derivation reads rows of several domains
export interface Feed<Row = any> {
  /** Undefined where what the list is asked for needs no such read. */
  source(context: Context, asked: ListQuery): Source<Row> | undefined;
  /** Id of the list that shows the same rows: its unconfirmed edits are laid over them. */
  readonly of?: string;
  /** Least seconds between two polls. */
  readonly every?: number;
  /** Read last, one after the other, and only while most of every rate limit is left. */
  readonly spare?: boolean;
  /** Numbers whose course over an hour is kept, by name; `context.trend(name)` is the course. */
  samples?(rows: readonly Row[], context: Context): Readonly<Record<string, number>>;
}

/** What a feed has brought so far. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export interface Told<Row = any> {
  /** Undefined until the first read has ended. */
  readonly rows?: readonly Row[];
  /** These are not all: the read has not ended. */
  readonly isPartial?: boolean;
  readonly notes: readonly string[];
  /** Why rows are missing. */
  readonly missing?: readonly string[];
  /** When the rows were read, epoch milliseconds. */
  readonly at?: number;
  /** Why the last read failed. */
  readonly problem?: Problem;
}

/** All that derived rows are made of. */
export interface Material {
  readonly told: Readonly<Record<string, Told>>;
  /** What the reads have shown of the states of the lists whose rows these are. */
  readonly changes: readonly SeenChange[];
  /** Absent where the journal is not read, as by a command. */
  readonly edits?: readonly LoggedEdit[];
}

/** A row of a list, to be opened. */
export interface RowPlace {
  /** Id of the list; without one it is the journal. */
  readonly list?: string;
  /** The id of the row whose detail is opened. */
  readonly row?: string;
  /** Text of the filter. */
  readonly filter?: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly range?: string;
}

/** The row of another list that a derived row stands for: the actions of that list act on it. */
export interface Subject {
  /** Id of the list. */
  readonly list: string;
  readonly row: unknown;
  readonly subRowId?: string;
}

/** Rows made of what other lists read. Nothing is asked twice: a feed has the key of the list whose rows it shows. */
export interface Derivation<Row> {
  readonly feeds: Readonly<Record<string, Feed>>;
  rows(material: Material, asked: ListQuery, context: Context): readonly Row[];
  /** What is said of the reading. */
  notes?(material: Material): readonly string[];
  subject?(row: Row): Subject | undefined;
  /** Ids of the subject's actions that are offered; all when absent. */
  readonly offers?: readonly string[];
  /** Where Enter leads. */
  place?(row: Row): RowPlace | undefined;
  /** Another id that the service knows it by, which an edit of ours may have been told. */
  twin?(row: Row): string | undefined;
}

/** A feed with what it reads now. */
export interface FedRead {
  readonly name: string;
  readonly feed: Feed;
  readonly source: Source<unknown>;
}

/** The feeds of a list for what it is asked for, in their order. */
export const feedsFor = (
  { feeds }: Pick<Derivation<never>, 'feeds'>,
  context: Context,
  asked: ListQuery,
): readonly FedRead[] =>
  Object.entries(feeds).flatMap(([name, feed]) => {
    const source = feed.source(context, asked);
    return source ? [{ name, feed, source }] : [];
  });

/** The read of a derived list by itself, one feed after the other: for commands and laws. A session reads the feeds. */
export function readAll<Row>(
  id: string,
  derivation: Derivation<Row>,
  search: ListQuery,
  context: Context,
): Source<Row> {
  const feeds = feedsFor(derivation, context, search);
  return {
    key: id,
    of: [...new Set(feeds.flatMap(({ source }) => source.of))],
    *plan(now): Plan<Result<Rows<Row>>, Rows<Row>> {
      const answers: Record<string, Told> = {};
      for (const { name, source } of feeds) answers[name] = toldBy(yield* inside(source.plan(now)));
      const problems = Object.values(answers).flatMap(({ problem }) => problem ?? []);
      const [problem] = problems;
      if (problem && problems.length === feeds.length) return { ok: false, problem };
      const material = { told: answers, changes: [] };
      const missing = [
        ...problems.map(({ text }) => text),
        ...Object.values(answers).flatMap((feed) => feed.missing ?? []),
      ];
      const rows = derivation.rows(material, search, now);
      const notes = derivation.notes?.(material) ?? missing;
      return toResult({ rows, notes, ...withMissing(missing) });
    },
  };
}

const toldBy = (result: Result<Rows<unknown>>): Told =>
  result.ok
    ? { rows: result.value.rows, notes: result.value.notes ?? [], missing: result.value.missing ?? [] }
    : { problem: result.problem, notes: [] };

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

/** An address with what it is called; nameless where only the address is known. */
export interface NamedLink {
  readonly name: string;
  readonly url: string;
}
