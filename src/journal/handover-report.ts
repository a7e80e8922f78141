import type { Entry } from './journal-entry.ts';

/**
 * The hand-over report as plain lines, oldest first: each edit, its author and its outcome. Names are the service's text:
 * paint each line before it is drawn.
 */
export function handoverReport(entries: readonly Entry[], moment: (ms: number) => string): string[] {
  if (entries.length === 0) return ['no edits'];
  const oldestFirst = [...entries].sort((a, b) => a.at - b.at);
  const open = oldestFirst.filter((entry) => entry.outcome === undefined && !entry.forgotten);
  const doubtful = oldestFirst.filter((entry) => entry.outcome?.state === 'unknown' && !entry.forgotten);
  const lines = oldestFirst.map(
    (entry) =>
      `${moment(entry.at)}  ${entry.org}  ${entry.action}  ${entry.target.name} (${entry.target.id})  ${outcomeText(entry)}${entry.actor ? `  by ${entry.actor}` : ''}`,
  );
  const count = (n: number, what: string) => (n === 0 ? [] : [`${n} ${n === 1 ? 'edit' : 'edits'} ${what}`]);
  return [
    `${oldestFirst.length} ${oldestFirst.length === 1 ? 'edit' : 'edits'}, ${moment(oldestFirst[0]?.at ?? 0)} to ${moment(oldestFirst.at(-1)?.at ?? 0)}`,
    ...count(open.length, 'without an outcome: look before repeating'),
    ...count(doubtful.length, 'in doubt: look before repeating'),
    '',
    ...lines,
  ];
}

/** Outcome of an edit in a few words. */
export function outcomeText(entry: Entry): string {
  const { outcome } = entry;
  if (entry.undone) return 'taken back';
  if (outcome === undefined) return entry.forgotten ? 'outcome unknown, set aside' : 'NO OUTCOME: check';
  const status = outcome.status === undefined ? '' : ` ${outcome.status}`;
  const text = outcome.text ? `: ${outcome.text}` : '';
  if (outcome.state === 'refused' && entry.settled?.by === 'check') return 'not applied, as a later look showed';
  if (outcome.state === 'refused') return `refused${status}${text}`;
  if (outcome.state === 'unknown') return entry.forgotten ? 'outcome unknown, set aside' : `UNKNOWN: check${text}`;
  if (entry.settled?.by === 'check') return 'applied, as a later look showed';
  return outcome.attempts > 1 ? `applied after ${outcome.attempts} attempts` : 'applied';
}
