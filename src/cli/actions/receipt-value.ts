import { isDeepStrictEqual } from 'node:util';
import { isRead } from '../../api/endpoint.ts';
import type { Problem } from '../../api/problem.ts';
import type { AnyAction } from '../../describe/action.ts';
import type { Context } from '../../describe/context.ts';
import { outputItems } from '../../describe/output-items.ts';
import { attempt } from '../../lib/attempt.ts';
import type { RowOutcome } from '../../session/send/perform.ts';
import type { ActionCommand } from './shape.ts';

/**
 * What became of an edit of one row. `planned`: shown instead of sent. `partly`: one of its requests was applied, a later one
 * was not. `already`: it was so before, and nothing was sent. `unknown`: it may have been applied.
 */
export type OutcomeWord = 'planned' | 'done' | 'partly' | 'already' | 'failed' | 'unknown' | 'notSent';

/** A field of a row (docs/json.md) that an edit changed. */
interface Change {
  readonly field: string;
  /** Null where there was none, or nobody knows. */
  readonly from: unknown;
  readonly to: unknown;
}

/** The receipt of one row as a value, from which programs read what a sentence says to a person. */
export interface ReceiptValue {
  /** Id of its last request in the journal; null where nothing was sent. */
  readonly entry: string | null;
  /** What the journal knows all rows of the edit by; null where nothing was sent. */
  readonly group: string | null;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly action: string;
  /** What was edited; of a create and a copy, what was made. */
  readonly target: { readonly kind: string; readonly id: string | null; readonly name: string };
  readonly outcome: OutcomeWord;
  readonly changes: readonly Change[];
  readonly facts: Readonly<Record<string, unknown>>;
  /** What the edit was to end and still stands, each in a few words. */
  readonly leaves: readonly string[];
  readonly undo:
    | { readonly kind: 'undo' }
    /** What was deleted is created again, by so many requests; `lost` is what it has no more. */
    | { readonly kind: 'recreate'; readonly lost: readonly string[]; readonly steps: number }
    | { readonly kind: 'none'; readonly why: string };
  /** Of an undo: the id of the edit in the journal that it undid. */
  readonly undoes?: string;
  /** The sentence. */
  readonly text: string;
  /** It tells something else than was asked for. */
  readonly isWarning: boolean;
  readonly problem: Problem | null;
}

function wordOf({ action }: ActionCommand, { result, isSent, isApplied }: RowOutcome): OutcomeWord {
  const { ok, isUnsent, problem } = result;
  if (result.receipt?.isIgnored) return 'failed';
  if (ok) return isSent || action.uses.every(isRead) ? 'done' : 'already';
  if (isUnsent) return 'notSent';
  if (problem?.kind === 'dryRun') return 'planned';
  if (problem?.kind === 'unknown') return 'unknown';
  return isApplied ? 'partly' : 'failed';
}

/** What became of an edit of one row, with the values that were asked for. */
export interface Ended extends RowOutcome {
  readonly values?: unknown;
}

function factsOf({ facts }: AnyAction, { answer, after, result, values }: Ended, context: Context) {
  return attempt(
    () => (answer === undefined ? undefined : facts?.(after ?? result.row, values, answer, context)) ?? {},
    () => ({}),
  );
}

/** The receipt of one row, from what became of it. */
export function receiptValue({ list, action }: ActionCommand, ended: Ended, context: Context): ReceiptValue {
  const { result, entry, group, step } = ended;
  const word = wordOf({ list, action }, ended);
  const { made: thing } = result;
  return {
    entry: entry ?? null,
    group: (entry === undefined ? undefined : group) ?? null,
    at: context.now,
    action: action.id,
    target: {
      kind: (thing && action.makesKind) ?? list.id,
      id: (thing?.id ?? result.id) || null,
      name: thing?.name || result.name,
    },
    outcome: word,
    changes: word === 'done' ? changesOf({ list, action }, ended, context) : [],
    facts: result.ok ? factsOf(action, ended, context) : {},
    leaves: result.receipt?.leaves ?? result.problem?.leaves ?? [],
    undo: !step
      ? { kind: 'none', why: whyNone({ list, action }, word) }
      : action.restore
        ? { kind: 'recreate', lost: action.restore.lost, steps: step.calls.length }
        : { kind: 'undo' },
    text: result.text,
    isWarning: result.receipt?.isWarning === true,
    problem: result.problem ?? null,
  };
}

function whyNone({ action }: ActionCommand, word: OutcomeWord): string {
  if (word !== 'done' && word !== 'partly') return 'nothing was changed';
  return action.undo ? 'what was there before is not known' : 'no operation takes it back';
}

/** The fields that differ, as the list's JSON has them. */
function changesOf({ list }: ActionCommand, { result, after }: RowOutcome, context: Context): readonly Change[] {
  if (after === undefined) return [];
  const itemOf = (row: unknown): Readonly<Record<string, unknown>> =>
    attempt(
      () => outputItems(list, [row], context)[0] ?? {},
      () => ({}),
    );
  const was = result.row === undefined ? {} : itemOf(result.row);
  return Object.entries(itemOf(after)).flatMap(([field, to]) => {
    const from = was[field] ?? null;
    return isDeepStrictEqual(from, to) ? [] : [{ field, from, to }];
  });
}
