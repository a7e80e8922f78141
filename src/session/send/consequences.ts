import { isDeepStrictEqual } from 'node:util';
import type { Remaining } from '../../api/problem.ts';
import type { AnySendingAction } from '../../describe/action.ts';
import type { Context } from '../../describe/context.ts';
import { outputItems } from '../../describe/output-items.ts';
import type { Consequences } from '../../journal/journal-entry.ts';
import { attempt } from '../../lib/attempt.ts';
import { isObject } from '../../lib/object-paths.ts';
import type { Row } from '../rows/list-state.ts';
import type { Pending } from './pending-edit.ts';

/** An edit of one row that has succeeded. */
interface Succeeded {
  /** None of a create. */
  readonly row: Row | undefined;
  /** The row as the edit left it, or the one that it made; undefined where nobody knows, or it is gone. */
  readonly after: Row | undefined;
  readonly answer: unknown;
  /** Whether a request that edits was sent. */
  readonly isSent: boolean;
  readonly leaves: readonly Remaining[] | undefined;
}

/** What the receipt of an edit tells programs besides its sentence, in the journal as in JSON. */
export function consequencesOf(
  action: AnySendingAction,
  { list, values }: Pending,
  edit: Succeeded,
  context: Context,
): Consequences {
  const { row, after, answer, isSent, leaves = [] } = edit;
  const itemOf = (one: Row | undefined): Readonly<Record<string, unknown>> =>
    attempt(
      () => (one === undefined ? {} : (outputItems(list, [one], context)[0] ?? {})),
      () => ({}),
    );
  const settings = Object.values(action.settings ?? {});
  return {
    changes: isSent && after !== undefined ? changesIn('', itemOf(row), itemOf(after), settings) : [],
    facts: attempt(
      () => action.facts?.(after ?? row, values, answer, context) ?? {},
      () => ({}),
    ),
    leaves,
  };
}

/** A setting of a form, as far as a change is named by it. */
interface Named {
  readonly path?: string | undefined;
  readonly label: string;
}

/** The fields that differ; of an object whose members are settings, these. */
function changesIn(path: string, from: unknown, to: unknown, settings: readonly Named[]): Consequences['changes'] {
  if (isDeepStrictEqual(from ?? null, to ?? null)) return [];
  const start = path === '' ? '' : `${path}.`;
  const isGroup = path === '' || settings.some((one) => one.path?.startsWith(start));
  if (isGroup && isObject(to)) {
    const was = isObject(from) ? from : {};
    const names = [...new Set([...Object.keys(to), ...Object.keys(was)])];
    return names.flatMap((name) => changesIn(`${start}${name}`, was[name], to[name], settings));
  }
  const label = settings.find((one) => one.path === path)?.label;
  return [{ field: path, label: label ?? null, from: from ?? null, to: to ?? null }];
}
