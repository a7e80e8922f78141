import { ask, type Call, type Endpoint, inside, type Plan } from '../api/endpoint.ts';
import type { Problem, Result } from '../api/problem.ts';
import { plural } from '../lib/text.ts';
import type { Action, RestoreWords } from './action.ts';
import { commandLine } from './command.ts';
import { type Context, whyUnavailable } from './context.ts';
import { namePart, receipt } from './receipt.ts';
import type { ResourceKind } from './resource.ts';
import type { Resource } from './resource-spec.ts';

type Delete<R> = Action<R, Record<string, never>, unknown>;

/** How what was deleted is created again, from what is read just before. */
export interface Restoring<R, D> extends RestoreWords {
  read(row: R, context: Context): Plan<Result<D>>;
  /** Why a row cannot be created again. */
  refuses?(row: R): string | undefined;
  /** The requests in order: those behind the first name it by the id that it had. None: it cannot be created again. */
  calls(definition: D): readonly Call[];
  /** The operations of both. */
  readonly uses: readonly Endpoint[];
}

/** What undo would do, for the question before a delete. */
const restoreText = ({ starts, lost }: RestoreWords): string =>
  `Undo creates it again with a new ID${starts === undefined ? '' : `, ${starts}`}${lost.length > 0 ? `; lost: ${lost.join(', ')}` : ''}`;

/** Why nothing can be created again here: one of these operations may not be sent. */
const whyNoRestore = (uses: readonly Endpoint[], context: Context): string | undefined =>
  uses.map((endpoint) => whyUnavailable(endpoint, context)).find((why) => why !== undefined);

/** What a question says of the way back. `refused`: why a row cannot be created again. */
export function backText(
  words: RestoreWords,
  uses: readonly Endpoint[],
  refused: string | undefined,
  context: Context,
): string {
  const why = refused ?? whyNoRestore(uses, context);
  return why === undefined ? restoreText(words) : `Cannot be undone: ${why}`;
}

const untilLines = (until: RestoreWords['until'], operations: readonly string[]): string[] =>
  until?.operations.some((one) => operations.includes(one)) ? [`It is ${until.says}`] : [];

/** What is said before something is created again by these requests. */
export const restoreDetails = ({ starts, lost, until }: RestoreWords, operations: readonly string[]): string[] => [
  `Creates it again with a new ID${starts === undefined ? '' : `, ${starts}`}, in ${plural(operations.length, 'request')}${operations.length > 1 ? ', each sent once' : ''}`,
  ...(lost.length > 0 ? [`Lost: ${lost.join(', ')}`] : []),
  ...untilLines(until, operations),
];

/** The same where these requests have begun: how many are left. */
export function restOfRestore(
  { until }: RestoreWords,
  operations: readonly string[],
  begun: readonly string[],
): string[] {
  const left = begun.reduce(
    (rest, one) => (rest.includes(one) ? rest.toSpliced(rest.indexOf(one), 1) : rest),
    [...operations],
  );
  const are = left.length === 1 ? 'is' : 'are';
  return [`Goes on creating it again: ${plural(left.length, 'request')} ${are} left`, ...untilLines(until, left)];
}

/**
 * Why a read of what undo needs stops a delete whose question promised an undo. A thing that is gone is left to the delete
 * itself. Undefined where nothing stops it.
 */
export function stopsDelete(
  read: Result<unknown>,
  remove: Call,
  uses: readonly Endpoint[],
  context: Context,
): { readonly ok: false; readonly problem: Problem } | undefined {
  if (read.ok || read.problem.kind === 'notFound' || whyNoRestore(uses, context) !== undefined) return undefined;
  const why = `what its undo needs could not be read: ${read.problem.text}`;
  const text = `nothing was sent: ${why}; to delete it without an undo: ${commandLine(remove, context)}`;
  return { ok: false, problem: { ...read.problem, text } };
}

/** Reads what is needed to create something again, deletes it, and answers with what was read; undefined where it cannot be read. */
function* deletedAfter<R, D>(
  row: R,
  context: Context,
  remove: Call,
  { read, uses }: Pick<Restoring<R, D>, 'read' | 'uses'>,
): Plan<Result<D | undefined>> {
  const definition = yield* inside(read(row, context));
  const stopped = stopsDelete(definition, remove, uses, context);
  if (stopped) return stopped;
  const gone = yield* ask<unknown>(remove);
  return gone.ok ? { ...gone, value: definition.ok ? definition.value : undefined } : gone;
}

/** `d`: deletes after a question that requires the name typed (see `Confirm.typed`), or the count of several. */
export function deleting<R extends Resource, D = unknown>(spec: {
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
  /** The way back, where the row alone tells it, and the operations that it needs. */
  undo?: Delete<R>['undo'];
  readonly uses?: Delete<R>['uses'];
  /** The way back, where more than the row is needed. */
  readonly restore?: Restoring<R, D>;
}): Delete<R> {
  const { kind, restore } = spec;
  const remove = kind.remove;
  if (!remove) throw new Error(`${kind.noun}: its kind has no remove`);
  const wayBack = (words: Restoring<R, D>, rows: readonly R[], context: Context) =>
    backText(words, words.uses, rows.map((row) => words.refuses?.(row)).find(Boolean), context);
  const question = spec.question ?? ((row: R) => `Delete ${kind.noun} ${kind.nameOf(row)}?`);
  return {
    id: spec.id,
    key: 'd',
    title: 'delete',
    help: spec.help,
    uses: [remove('').endpoint, ...(spec.uses ?? restore?.uses ?? [])],
    removes: true,
    ...(spec.enabled && { enabled: spec.enabled }),
    confirm(rows, _, context) {
      const single = rows.length === 1 ? rows[0] : undefined;
      return {
        question: single ? question(single) : `Delete ${rows.length} ${kind.noun}s?`,
        details: [...spec.details(single, rows, context), ...(restore ? [wayBack(restore, rows, context)] : [])],
        destructive: true,
        typed: single ? (spec.typed?.(single) ?? kind.nameOf(single)) : String(rows.length),
      };
    },
    send: (row, _, context) =>
      restore ? deletedAfter(row, context, remove(row.id, row), restore) : remove(row.id, row),
    done: spec.done ?? ((row) => receipt`Deleted ${namePart(kind.nameOf(row))}`),
    ...(spec.undo && { undo: spec.undo }),
    ...(restore && {
      restore,
      undo: (_: R, __: unknown, definition: unknown) =>
        definition === undefined ? [] : restore.calls(definition as D),
    }),
    command: (row) => remove(row.id, row),
  };
}
