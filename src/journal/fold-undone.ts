import type { Entry } from './journal-entry.ts';

/** What the requests that undo an edit of the journal are grouped by, so that a report knows which one they undo. */
export const undoGroup = (id: string): string => `undo-${id}`;

interface Folded {
  readonly kept: readonly Entry[];
  readonly undone: readonly Entry[];
  /** Of an edit that undid another one: that one. */
  undid(entry: Entry): Entry | undefined;
}

/** Splits off edits that were undone, and the edits that undid them; `shift` is in the order of time. */
export function foldUndone(shift: readonly Entry[]): Folded {
  const undid = new Map<Entry, Entry>();
  const undone = new Set(shift.filter((entry) => entry.undone));
  const undoing = shift.filter((entry) => entry.action === 'undo' && entry.outcome?.state === 'applied');
  // One undo may take several requests, and so may the edit that it undoes.
  const undos = [...Map.groupBy(undoing, (entry) => `${entry.group ?? entry.id} ${rowOf(entry)}`).values()];
  for (const requests of undos) {
    const [undo] = requests;
    if (!undo) continue;
    const named = shift.find(({ id }) => undo.group === undoGroup(id));
    const isBefore = (entry: Entry) =>
      entry.at <= undo.at &&
      entry.action !== 'undo' &&
      entry.outcome?.state === 'applied' &&
      !undone.has(entry) &&
      rowOf(entry) === rowOf(undo);
    const last = named ?? shift.findLast(isBefore);
    if (last) for (const request of requests) undid.set(request, last);
    // What is created again by several requests is not there before the last.
    if (named && !named.undone && requests.length < named.undo.length) continue;
    const isSameEdit = (other: Entry) =>
      other === last || (last?.group !== undefined && other.group === last.group && rowOf(other) === rowOf(last));
    for (const entry of shift.filter(isSameEdit)) undone.add(entry);
  }
  const folded = new Set([...undone, ...undoing]);
  return {
    kept: shift.filter((entry) => !folded.has(entry)),
    undone: [...undone],
    undid: (entry) => undid.get(entry),
  };
}

const rowOf = ({ target: { id, name } }: Entry): string => `${id} ${name}`;
