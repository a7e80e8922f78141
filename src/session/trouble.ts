import type { Problem } from '../api/problem.ts';
import type { State } from './state.ts';
import type { View } from './view.ts';

/** The problem of the list's or the detail's last read, if any. */
function readingTrouble(view: View): Problem | undefined {
  return view.known.problem ?? view.detail?.whole.problem;
}

/** Whether `!` has anything to show: a problem, or notes about rows that were left out. */
export function hasTrouble(state: State, view: View): boolean {
  return (
    state.problem !== undefined || readingTrouble(view) !== undefined || (view.known.value?.notes ?? []).length > 0
  );
}

/**
 * Everything known about what went wrong, as lines: the last read, what it left out, then the last edit that failed.
 */
export function troubleLines(state: State, view: View): readonly string[] {
  const reading = readingTrouble(view);
  const { notes = [], unread = [] } = view.known.value ?? {};
  const parts = [
    reading ? problemLines('reading', reading) : [],
    [...notes, ...unread.map((place) => `left out   ${place}`)],
    state.problem ? problemLines('edit', state.problem) : [],
  ];
  return parts.filter((part) => part.length > 0).flatMap((part, at) => (at === 0 ? part : ['', '', ...part]));
}

function problemLines(what: string, problem: Problem): string[] {
  return [
    problem.text,
    '',
    `what       ${what}`,
    `kind       ${problem.kind}`,
    ...(problem.operation ? [`operation  ${problem.operation}`] : []),
    ...(problem.status ? [`status     ${problem.status}`] : []),
    ...(problem.permission?.length ? [`needs      ${problem.permission.join(', ')}`] : []),
    ...problem.messages.map((words) => `said       ${words}`),
    ...(problem.fields ?? []).map((field) => `field      ${field}`),
  ];
}
