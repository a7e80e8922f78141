import type { Action } from './action.ts';
import type { Context } from './context.ts';
import { namePart, receipt } from './receipt.ts';
import type { ResourceKind } from './resource.ts';
import type { Resource } from './resource-spec.ts';

type Delete<R> = Action<R, Record<string, never>, unknown>;

/** `d`: deletes after a question that requires the name typed (see `Confirm.typed`), or the count of several. */
export function deleting<R extends Resource>(spec: {
  readonly id: string;
  readonly kind: ResourceKind<R>;
  readonly help: string;
  /** What is lost, in sentences; `row` is undefined where several are to go. */
  details(row: R | undefined, rows: readonly R[], context: Context): readonly string[];
  /** Instead of the kind's noun and the name in the question: `delete groups = sre, which leads to …?` */
  question?(row: R): string;
  /** What has to be typed where that is not the name. */
  typed?(row: R): string;
  /** The receipt; `deleted` and the name when absent. */
  done?: Delete<R>['done'];
  enabled?: Delete<R>['enabled'];
  /** The way back and the operations that it needs, where there is one. */
  undo?: Delete<R>['undo'];
  readonly uses?: Delete<R>['uses'];
}): Delete<R> {
  const { kind } = spec;
  const remove = kind.remove;
  if (!remove) throw new Error(`${kind.noun}: its kind has no remove`);
  const question = spec.question ?? ((row: R) => `Delete ${kind.noun} ${kind.nameOf(row)}?`);
  return {
    id: spec.id,
    key: 'd',
    title: 'delete',
    help: spec.help,
    uses: [remove('').endpoint, ...(spec.uses ?? [])],
    removes: true,
    ...(spec.enabled && { enabled: spec.enabled }),
    confirm(rows, _, context) {
      const single = rows.length === 1 ? rows[0] : undefined;
      return {
        question: single ? question(single) : `Delete ${rows.length} ${kind.noun}s?`,
        details: spec.details(single, rows, context),
        destructive: true,
        typed: single ? (spec.typed?.(single) ?? kind.nameOf(single)) : String(rows.length),
      };
    },
    send: (row) => remove(row.id, row),
    done: spec.done ?? ((row) => receipt`Deleted ${namePart(kind.nameOf(row))}`),
    ...(spec.undo && { undo: spec.undo }),
    command: (row) => remove(row.id, row),
  };
}
