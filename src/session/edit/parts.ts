import type { AnyAction } from '../../describe/action.ts';
import { type Receipt, receipt, receiptOf } from '../../describe/receipt.ts';
import { countOf } from '../../describe/screen.ts';
import { pastTense } from '../../lib/past-tense.ts';
import { present } from '../../lib/present.ts';
import { capitalized } from '../../lib/text.ts';
import type { Row } from '../list/list-state.ts';
import type { Pending, Undoable } from './pending.ts';
import type { Performed } from './perform.ts';

/** The edit of each organisation that it has rows of; itself where all are of one. */
export function pendingParts({ others = [], ...pending }: Pending): readonly [Pending, ...Pending[]] {
  return [pending, ...others.map((other) => ({ ...pending, ...other }))];
}

/** Edits of several organisations as one; undefined where there is none. */
export function joinParts([first, ...others]: readonly Pending[]): Pending | undefined {
  if (!first || others.length === 0) return first;
  return { ...first, others: others.map(({ action, list, rows }) => ({ action, list, rows })) };
}

/** Whether an action asks for something of one organisation: a person, a definition, a file. */
export const asksOfOne = (action: AnyAction): boolean =>
  [action.first, action.needs, action.pick, action.form, action.job, action.goes].some((step) => step !== undefined);

/** The rows of all organisations. */
export const allRows = (pending: Pending): readonly Row[] => pendingParts(pending).flatMap(({ rows }) => rows);

/** The edit of only these of its rows. */
export function withRows(pending: Pending, rows: readonly Row[]): Pending {
  const parts = pendingParts(pending).map((part) => ({ ...part, rows: part.rows.filter((row) => rows.includes(row)) }));
  return joinParts(parts.filter((part) => part.rows.length > 0)) ?? { ...pending, rows: [] };
}

/** `3 in acme, 2 in globex`. */
export const countsWords = (parts: readonly Pending[], says: (part: Pending) => string = () => ''): string =>
  parts.map((part) => `${part.rows.length} in ${part.list.organisation?.name ?? ''}${says(part)}`).join(', ');

/** The edit and those in other organisations, each by itself. */
export const editsOf = ({ others = [], ...edit }: Undoable): readonly [Undoable, ...Undoable[]] => [edit, ...others];

/** What is left of an edit when only these of its steps have not been undone. */
export function withSteps(edit: Undoable, steps: Undoable['steps']): Undoable {
  if (steps.length === edit.steps.length) return edit;
  const ids = new Set(steps.map(({ id }) => id));
  const { forward } = edit;
  const rows = forward.rows.filter((row) => row === undefined || ids.has(forward.list.idOf(row)));
  const what = steps.length === 1 ? (steps[0]?.name ?? '') : countOf(forward.list, steps.length);
  return { ...edit, text: `${pastTense(forward.action.title)} ${what}`, forward: { ...forward, rows }, steps };
}

/** Edits that one `u` undoes in several organisations; undefined where there is none. */
export function joinEdits([first, ...others]: readonly Undoable[]): Undoable | undefined {
  if (!first || others.length === 0) return first;
  const forwards = [first, ...others].map((edit) => edit.forward);
  const rows = forwards.flatMap((forward) => forward.rows).length;
  return {
    ...first,
    text: `${pastTense(first.forward.action.title)} ${countOf(first.forward.list, rows)}: ${countsWords(forwards)}`,
    forward: joinParts(forwards) ?? first.forward,
    others,
  };
}

/** The outcomes of one edit in several organisations, in the order of its parts. */
export function joinPerformed(pending: Pending, each: readonly Performed[]): Performed {
  const parts = pendingParts(pending);
  const results = each.flatMap((one, at) =>
    one.results.map((result) => ({ ...result, ...present({ list: parts[at]?.list }) })),
  );
  // A result that is not what was asked for is told of its own organisation.
  const warnings = each.flatMap((one, at): Receipt[] => {
    const own = one.receipt ?? (one.results.length === 1 ? one.results[0]?.receipt : undefined);
    return own?.isWarning ? [receipt`${parts[at]?.list.organisation?.name ?? ''}: ${own}; `] : [];
  });
  const done = `${capitalized(pastTense(pending.action.title))} ${countOf(pending.list, results.length)}: ${countsWords(parts)}`;
  return {
    results,
    receipt: warnings.reduceRight((last, one) => receipt`${one}${last}`, receiptOf(done)),
    ...present({
      problem: each.find((one) => one.problem)?.problem,
      undo: joinEdits(each.flatMap(({ undo }) => undo ?? [])),
    }),
  };
}
