import type { Call } from '../../api/endpoint.ts';
import type { Problem } from '../../api/problem.ts';
import type { AnyAction, MadeThing } from '../../describe/action.ts';
import type { Context } from '../../describe/context.ts';
import type { Uncreated } from '../../describe/failure.ts';
import type { Receipt } from '../../describe/receipt.ts';
import type { AnyList } from '../../describe/screen.ts';
import type { Entry } from '../../journal/journal-entry.ts';
import { present } from '../../lib/present-members.ts';
import { continued } from '../../lib/text.ts';
import type { Row } from '../rows/list-state.ts';

/** An edit that is not sent yet: its action, rows and values. */
export interface Pending {
  readonly action: AnyAction;
  readonly list: AnyList;
  readonly rows: readonly Row[];
  readonly subRowId?: string | undefined;
  readonly values?: unknown;
  /** What the first question begins with. */
  readonly typed?: string;
  /** The value of the action's first pick. */
  readonly picked?: unknown;
  /** The label of that pick, for the title. */
  readonly pickedAs?: string;
  /** The result of the action's `needs`. */
  readonly known?: unknown;
  /** What the journal knows the edit by that was undone, and that this one makes again. */
  readonly redoes?: string;
  /** How many of the selected rows it cannot be done to, and why: `1 left out: already OPEN`. */
  readonly leftOut?: string;
}

/** The outcome of an edit for one row. */
export interface RowResult {
  readonly id: string;
  readonly name: string;
  readonly row: Row;
  readonly ok: boolean;
  readonly text: string;
  /** A person stopped the edit before this row was sent. */
  readonly isUnsent?: true;
  /** Of an edit that succeeded: the text in its parts. */
  readonly receipt?: Receipt;
  /** Of an edit that has made something. */
  readonly made?: MadeThing;
  /** Of an edit that failed. */
  readonly problem?: Problem;
}

/** What this run knows of an edit that was applied, besides the journal. Without steps it has no way back. */
export interface Undoable {
  readonly text: string;
  /** What the journal knows its requests by. */
  readonly group: string;
  readonly list: string;
  /** The edit itself, with the rows that it was applied to: the way forward again after an undo. */
  readonly forward: Pending;
  readonly steps: readonly {
    readonly calls: readonly Call[];
    readonly id: string;
    readonly name: string;
    readonly before: Row;
    readonly after: Row;
    /** Id of the row that the edit created, which the undo removes. */
    readonly made?: string;
  }[];
}

/** An edit to undo: its rows as the journal has them, what is said of it, and what this run knows besides. */
export interface Undoing {
  readonly entries: readonly Entry[];
  readonly text: string;
  readonly edit?: Undoable;
  /** Whether its rows are in the list in front, which shows a person what has changed since. */
  readonly isInFront?: boolean;
}

/** Whether an edit has a way back. */
export const canUndo = (edit: Undoable | undefined): boolean => edit !== undefined && edit.steps.length > 0;

/** Why `u` undoes nothing while an edit of this run has no outcome yet. */
export const lastIsSent = 'the last edit is still being sent: u undoes it when it has been applied';

/** What was done, without what else was true then. */
export const firstClause = ({ text }: Pick<Undoable, 'text'>): string => continued(text.split('; ')[0] ?? '');

/** Rows of one edit that are shown by its answers alone: of more, all rows are read again. */
export const mostTold = 100;

/** Whether an edit of rows is about more than they are: what it changes elsewhere, its answers do not tell. */
export const isWider = ({ action, values }: Pick<Pending, 'action' | 'values'>): boolean =>
  'nameOfSubject' in action && action.nameOfSubject?.(values) !== undefined;

/** The context of an action, with its first pick and the result of its read. */
export function withContext(context: Context, { subRowId, known, picked }: Pending): Context {
  const { subRowId: _, ...others } = context;
  return { ...others, ...present({ subRowId }), known, picked };
}

/** What the sentence about its failure calls it: its title, or the thing that it would have created. */
export function namedBy({ action, values }: Pending): string | Uncreated {
  const noun = action.title === 'new' ? action.noun : /^new (.+)$/.exec(action.title)?.[1];
  return noun === undefined ? action.title : { noun, name: typedName(values) };
}

/** The name in a form's values; undefined where none was typed. */
export function typedName(values: unknown): string | undefined {
  const { name } = (values ?? {}) as { readonly name?: unknown };
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined;
}
