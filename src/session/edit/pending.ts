import type { Call } from '../../api/endpoint.ts';
import type { AnyAction } from '../../describe/action.ts';
import type { Context } from '../../describe/context.ts';
import type { AnyList } from '../../describe/screen.ts';
import { present } from '../../lib/present.ts';
import type { Row } from '../list/list-state.ts';

/** An edit on its way to being sent: which action, on which rows, with which values. */
export interface Pending {
  readonly action: AnyAction;
  readonly list: AnyList;
  readonly rows: readonly Row[];
  readonly subRowId?: string | undefined;
  readonly values?: unknown;
  /** What was picked first, where the action asks for that. */
  readonly picked?: unknown;
  /** How that is called, for the title. */
  readonly pickedAs?: string;
  /** What the action's `needs` read. */
  readonly known?: unknown;
}

/** One row's share of a bulk edit. */
export interface RowResult {
  readonly id: string;
  readonly name: string;
  readonly row: Row;
  readonly ok: boolean;
  readonly text: string;
}

/** What can be taken back by one `u`. */
export interface Undoable {
  readonly text: string;
  readonly list: string;
  readonly steps: readonly {
    readonly calls: readonly Call[];
    readonly id: string;
    readonly name: string;
    readonly before: Row;
    readonly after: Row;
    /** Id of the row that it has made, which is gone when it is undone. */
    readonly made?: string;
  }[];
}

/** The context for what is done to an action's rows: with what was picked for it and read for it. */
export function withContext(context: Context, { subRowId, known, picked }: Pending): Context {
  const { subRowId: _, ...others } = context;
  return { ...others, ...present({ subRowId }), known, picked };
}

/** What a form calls the thing that it makes; undefined where nobody has typed a name. */
export function typedName(values: unknown): string | undefined {
  const { name } = (values ?? {}) as { readonly name?: unknown };
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined;
}
