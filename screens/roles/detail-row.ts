import type { Context } from '../../src/describe/context.ts';

/** A row of a detail. Its id holds the kind, the id and the name, so that an action on it needs no second read. */
export interface DetailRow {
  readonly kind: 'user' | 'role' | 'permission' | 'default';
  readonly id: string;
  readonly name: string;
}

/** The sub-row id of a detail row. */
export const detailRowId = ({ kind, id, name }: DetailRow): string => `${kind} ${id} ${name}`;

/** The detail row under the cursor; undefined in a list or on a tab of lines. */
export function selectedDetailRow(context: Context): DetailRow | undefined {
  const [, kind, id, name] = /^(user|role|permission|default) (\S+) ([\s\S]*)$/.exec(context.subRowId ?? '') ?? [];
  return kind === undefined || id === undefined ? undefined : { kind: kind as DetailRow['kind'], id, name: name ?? id };
}
