import type { Context } from '../../describe/context.ts';
import type { Pending } from '../state.ts';

/** The context for what is done to an action's rows: with what was picked for it and read for it. */
export const withContext = (context: Context, { subRowId, known, picked }: Pending): Context => ({
  ...context,
  subRowId,
  known,
  picked,
});

/** What a form calls the thing that it makes; undefined where nobody has typed a name. */
export function typedName(values: unknown): string | undefined {
  const { name } = (values ?? {}) as { readonly name?: unknown };
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined;
}
