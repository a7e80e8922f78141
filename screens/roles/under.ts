import type { Context } from '../../src/describe/context.ts';

/** What the cursor of a detail is on: a row's id there says what it is and how it is called. */
export interface Under {
  readonly kind: 'user' | 'role' | 'permission' | 'default';
  readonly id: string;
  readonly name: string;
}

/** The id of a detail's row. */
export const underId = ({ kind, id, name }: Under): string => `${kind} ${id} ${name}`;

/** What the cursor of the detail is on; undefined in a list or on lines. */
export function underOf(context: Context): Under | undefined {
  const [, kind, id, name] = /^(user|role|permission|default) (\S+) ([\s\S]*)$/.exec(context.subRowId ?? '') ?? [];
  return kind === undefined || id === undefined ? undefined : { kind: kind as Under['kind'], id, name: name ?? id };
}
