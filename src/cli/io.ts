import type { Problem } from '../api/problem.ts';
import { escapeHidden, stringifyExact } from '../lib/json.ts';
import { paintLines } from '../lib/paint.ts';
import type { Clock } from '../lib/time.ts';
import type { ResolvedSettings } from '../profiles/resolve-settings.ts';

/** What a command may touch. Passed in, so that a test runs a command without a process. */
export interface Io {
  /** Key variables are taken out of it. */
  readonly env: NodeJS.ProcessEnv;
  out(text: string): void;
  err(text: string): void;
  /** Waits until what was written is with its reader; false: nobody reads it. */
  written(): Promise<boolean>;
  /** Standard input as it comes, for what may be longer than memory. */
  pieces(): AsyncIterable<Uint8Array>;
  /** Asks a person with a masked field; absent without a terminal. */
  readonly ask?: (title: string) => Promise<string | undefined>;
  /** Asks a person a question that is answered in plain sight; absent without a terminal. */
  readonly answer?: (title: string) => Promise<string | undefined>;
  /** Asks the terminal itself what it can do, and gives its raw replies; absent without a terminal. */
  readonly askTerminal?: () => Promise<string>;
  readonly isTerminal: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr?: boolean };
  /** Of the terminal on stdout, as it is now; 80 by 24 when absent. */
  readonly size?: () => { readonly columns: number; readonly rows: number };
  /** Shows a long text in a pager and waits for its end; false where that cannot be started. Absent where nothing pages. */
  readonly page?: (
    program: readonly string[],
    text: string,
    env: Readonly<Record<string, string | undefined>>,
  ) => Promise<boolean>;
  /** The directory with the pages of the installation. */
  readonly pages?: () => string;
  readonly clock: Clock;
  readonly random: () => number;
  /** IANA zone that times are typed and shown in. */
  readonly zone: string;
  /** Why that is UTC although something else was meant, as a sentence. */
  readonly zoneTrouble?: string;
}

/** Exit codes. `partial`: what was printed is not everything, or some rows were not edited. `unknown`: an edit may have been
 * applied: check before it is repeated. 78 is what sysexits calls a configuration that cannot be used. */
export const exits = {
  done: 0,
  failed: 1,
  usage: 2,
  partial: 3,
  keys: 4,
  unknown: 5,
  unsafe: 78,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;
export type Exit = (typeof exits)[keyof typeof exits];

/** Writes a sentence for a person on stderr, as one line: the service's words neither drive the terminal nor pass for a line of ours. */
export function complain(io: Pick<Io, 'err'>, text: string): void {
  io.err(`${paintLines(text).join(' ')}\n`);
}

/** Says why a command ends so, and gives the exit code. */
export function endWith(io: Pick<Io, 'err'>, exit: Exit, text: string): Exit {
  complain(io, text);
  return exit;
}

/** Refuses an edit of a profile that only reads. */
export const refuseReadOnly = (io: Pick<Io, 'err'>): Exit =>
  endWith(io, exits.failed, 'this profile is read-only: nothing was sent');

/** Says why a command is not carried out as it was typed. */
export const usage = (io: Pick<Io, 'err'>, text: string): Exit => endWith(io, exits.usage, text);

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
  return missing.length === 0 ? exits.done : endWith(io, exits.partial, 'incomplete result (see above)');
}

/** What is said where a script gives no ID. */
export const emptyId = 'an ID is empty: is a variable of the script unset?';

/** Milliseconds after which a person wonders. */
const wonderingMs = 1000;

/**
 * The result of `opening`, which reads the keys of these settings. Says after a second which program is waited for: it may take
 * half a minute, or wait for a passphrase somewhere else.
 */
export async function sayingWhatIsAwaited<T>(
  { keyRequest }: Pick<ResolvedSettings, 'keyRequest'>,
  to: { readonly clock: Clock; readonly err: (text: string) => void },
  opening: Promise<T>,
): Promise<T> {
  const programs = Object.values(keyRequest.sources).flatMap((source) =>
    'command' in source ? source.command.slice(0, 1) : [],
  );
  if (programs.length === 0) return opening;
  const names = [...new Set(programs)].join(', ');
  const cancel = to.clock.after(wonderingMs, () =>
    complain(to, `orgdeck: waiting for ${names} to print a key, 30s at most; Ctrl-C ends`),
  );
  return opening.finally(cancel);
}
