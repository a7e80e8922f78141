import type { Entry } from './journal-entry.ts';

/** What the requests that undo an edit of the journal are grouped by, so that a report knows which one they undo. */
export const undoGroup = (id: string): string => `undo-${id}`;

/** Splits off edits that were undone, and the edits that undid them; `shift` is in the order of time. */
export function foldUndone(shift: readonly Entry[]): { kept: readonly Entry[]; undone: readonly Entry[] } {
  const undone = new Set(shift.filter((entry) => entry.undone));
  const undoing = shift.filter((entry) => entry.action === 'undo' && entry.outcome?.state === 'applied');
  // One undo may take several requests, and so may the edit that it undoes.
  const undos = [...Map.groupBy(undoing, (entry) => `${entry.group ?? entry.id} ${rowOf(entry)}`).values()];
  for (const [undo] of undos) {
    if (!undo || shift.some(({ id, undone }) => undone && undo.group === undoGroup(id))) continue;
    const last = shift.findLast(
      (other) =>
        other.at <= undo.at &&
        other.action !== 'undo' &&
        other.outcome?.state === 'applied' &&
        !undone.has(other) &&
        rowOf(other) === rowOf(undo),
    );
    const isSameEdit = (other: Entry) =>
      other === last || (last?.group !== undefined && other.group === last.group && rowOf(other) === rowOf(last));
    for (const entry of shift.filter(isSameEdit)) undone.add(entry);
  }
  const folded = new Set([...undone, ...undoing]);
  return { kept: shift.filter((entry) => !folded.has(entry)), undone: [...undone] };
}

const rowOf = ({ target: { id, name } }: Entry): string => `${id} ${name}`;
