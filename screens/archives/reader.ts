import type { Context } from '../../src/describe/context.ts';

/** A role that may rehydrate from an archive. */
export interface Reader {
  readonly id: string;
  readonly name: string;
}

/** The id of a reader in the detail: it also says how the role is called. */
export const underId = ({ id, name }: Reader): string => `${id} ${name}`;

/** The reader under the cursor of the detail; undefined in the list or on lines. */
export function underOf(context: Context): Reader | undefined {
  const [, id, name] = /^(\S+) ([\s\S]+)$/.exec(context.subRowId ?? '') ?? [];
  return id === undefined || name === undefined ? undefined : { id, name };
}
