import { isRead } from '../../api/endpoint.ts';
import type { Problem } from '../../api/problem.ts';
import type { Context } from '../../describe/context.ts';
import type { Consequences } from '../../journal/journal-entry.ts';
import type { RowOutcome, Step } from '../../session/send/perform.ts';
import type { ActionCommand } from './shape.ts';

/**
 * What became of an edit of one row. `planned`: shown instead of sent. `partly`: one of its requests was applied, a later one
 * was not. `already`: it was so before, and nothing was sent. `unknown`: it may have been applied.
 */
export type OutcomeWord = 'planned' | 'done' | 'partly' | 'already' | 'failed' | 'unknown' | 'notSent';

/** The receipt of one row as a value, from which programs read what a sentence says to a person. */
export interface ReceiptValue extends Consequences {
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
  /** Of an edit that sent several requests. */
  readonly steps?: readonly Step[];
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

/** The receipt of one row, from what became of it. */
export function receiptValue({ list, action }: ActionCommand, ended: RowOutcome, context: Context): ReceiptValue {
  const { result, entry, group, step, consequences, steps = [] } = ended;
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
    ...(steps.length > 1 && { steps }),
    ...{ changes: [], facts: {}, leaves: result.problem?.leaves ?? [] },
    ...consequences,
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
  return action.undo ? 'what was there before is unknown' : 'no operation undoes it';
}
