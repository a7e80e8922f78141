import type { Problem } from '../api/problem.ts';
import { escapeHidden, stringifyExact } from '../lib/json.ts';
import { paintLines } from '../lib/paint.ts';
import { type Exit, exits, type Io } from './io.ts';

/** Writes a sentence for a person on stderr, as one line: the service's words neither drive the terminal nor pass for a line of ours. */
export function complain(io: Pick<Io, 'err'>, text: string): void {
  io.err(`${paintLines(text).join(' ')}\n`);
}

/** Refuses an edit of a profile that only reads. */
export function refuseReadOnly(io: Pick<Io, 'err'>): Exit {
  complain(io, 'this profile is read-only: nothing was sent');
  return exits.failed;
}

/** Says why a command is not carried out as it was typed. */
export function usage(io: Pick<Io, 'err'>, text: string): Exit {
  complain(io, text);
  return exits.usage;
}

/** Writes a text of our own that has several lines, such as a help. */
export function complainLines(io: Pick<Io, 'err'>, text: string): void {
  for (const line of text.split('\n')) complain(io, line);
}

/** Tells a mistake of our own. `io.err` takes the keys out of it. */
export function crashed(io: Pick<Io, 'err'>, error: unknown): void {
  complain(
    io,
    `orgdeck stopped because of an internal error: ${error instanceof Error ? error.message : String(error)}`,
  );
}

/** Writes lines for a person on stdout. */
export function tell(io: Pick<Io, 'out'>, lines: readonly string[]): void {
  io.out(lines.map((line) => `${paintLines(line).join(' ')}\n`).join(''));
}

/** JSON that loses nothing and moves nothing: ids exact, hidden characters as escapes. */
export function safeJson(value: unknown, indent = 2): string {
  return escapeHidden(stringifyExact(value, indent));
}

/** Tells a problem and gives the exit code that says who must act. */
export function failed(io: Pick<Io, 'err'>, problem: Problem): Exit {
  // The request has been printed, which is what was asked for.
  if (problem.kind === 'dryRun') return exits.done;
  complain(io, problem.text);
  for (const said of problem.messages) if (!problem.text.includes(said)) complain(io, `  the service says: ${said}`);
  const needs = problem.permission?.filter((name) => !problem.text.includes(name)) ?? [];
  if (needs.length > 0) complain(io, `  needs: ${needs.join(', ')}`);
  if (problem.kind === 'forbidden') return exits.keys;
  if (problem.kind === 'unknown') return exits.unknown;
  return problem.kind === 'invalid' && problem.status === undefined ? exits.usage : exits.failed;
}

/** What fields of an answer were left out because they could not be read. */
export function tellUnread(io: Pick<Io, 'err'>, unread: readonly string[]): void {
  if (unread.length === 0) return;
  const rest = unread.length > 5 ? ` and ${unread.length - 5} more` : '';
  complain(io, `not understood and left out: ${unread.slice(0, 5).join('; ')}${rest}`);
}

/** The exit code of a read; where something is missing, a sentence says so, and each reason is among the notes. */
export function exitCode(io: Pick<Io, 'err'>, missing: readonly string[]): Exit {
  if (missing.length === 0) return exits.done;
  complain(io, 'incomplete result (see above)');
  return exits.partial;
}

/** What is said where a script gives no ID. */
export const emptyId = 'an ID is empty: is a variable of the script unset?';
