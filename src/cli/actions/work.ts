import type { PreviewedRequest } from '../../client/preview-edit.ts';
import type { Context } from '../../describe/context.ts';
import { usage } from '../command-messages.ts';
import type { WordFault } from '../find-rows.ts';
import type { Exit, Io } from '../io.ts';
import type { OpenConnection } from '../start.ts';
import type { FlagTexts } from './flags.ts';
import type { Destination } from './order-values.ts';
import type { ActionCommand, CommandShape } from './shape.ts';

/** What a command of an action was given. */
export interface Given {
  /** What its rows are parts of. */
  readonly whole?: string | undefined;
  readonly rows: readonly string[];
  /** What stands behind the row. */
  readonly behind: readonly string[];
  /** The pick of a flag. */
  readonly pick?: string | undefined;
  readonly kind?: string | undefined;
  readonly to: Destination;
  readonly typed: FlagTexts;
  readonly isJson: boolean;
  /** A query that the service is sure to refuse is sent. */
  readonly isSure: boolean;
  /** A row that is not found is none to delete. */
  readonly ifExists: boolean;
  /** The rows that are found are edited although others are not. */
  readonly keepGoing: boolean;
  /** A secret of the answer is printed, or kept in this new file. */
  readonly isRevealed: boolean;
  readonly secretFile?: string | undefined;
}

/** An organization at work for one command. */
export interface Work {
  readonly io: Io;
  readonly connection: OpenConnection;
  readonly context: Context;
  readonly verb: ActionCommand;
  readonly shape: CommandShape;
  readonly given: Given;
  /** The requests of a dry run whose receipts are JSON, as they come. */
  readonly requests?: readonly PreviewedRequest[] | undefined;
}

/** Ends a command before anything was sent. */
export interface Stopped {
  readonly ok: false;
  readonly exit: Exit;
}

/** The command was used wrongly: one sentence on stderr. */
export function misused(io: Pick<Io, 'err'>, text: string): Stopped {
  return { ok: false, exit: usage(io, text) };
}

/** The rows that a line names, and all of the list where it was read. */
export interface FoundAll {
  readonly ok: true;
  readonly rows: readonly unknown[];
  readonly all: readonly unknown[];
  readonly faults: readonly WordFault[];
}
