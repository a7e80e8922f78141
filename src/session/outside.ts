import type { Call } from '../api/endpoint.ts';
import type { JobRequest, Progress, Unfinished } from '../describe/job.ts';
import type { Reading } from '../lib/reading.ts';

/** A line of the journal as the screen lists it. */
export interface JournalEntry {
  readonly id: string;
  readonly at: number;
  readonly operation: string;
  readonly target: string;
  readonly outcome: 'applied' | 'refused' | 'unknown' | 'open';
  readonly text: string;
  readonly undoable: boolean;
  /** A later look showed that it was not applied, and it was neither repeated nor forgotten since. */
  readonly repeatable?: boolean;
  /** What the outcome can still be read back from. */
  readonly checkable: boolean;
}

export interface ProfileLine {
  readonly name: string;
  readonly says: string;
  readonly current: boolean;
}

/** The world outside the session: terminal, disk, other profiles. Everything that it asks for but cannot do itself. */
export interface Outside {
  /** Puts text where the person can paste it from; the sentence says where, or undefined = show it instead. */
  copy(text: string): Promise<string | undefined>;
  /** Text in the person's own editor; `ending` tells it the kind of text. Undefined when that did not end well. */
  edit(text: string, ending: string): Promise<string | undefined>;
  /** A file of this machine as text, `limit` bytes at most. */
  readFile(path: string, limit: number): Promise<Reading<string>>;
  /** Long work; `signal` stops it. The result's text says what is true at its end, `made` is the row that it made. */
  job(
    job: JobRequest,
    how: { readonly signal: AbortSignal; readonly progress: (progress: Progress) => void },
  ): Promise<{ readonly ok: boolean; readonly text: string; readonly made?: string }>;
  /** Long work of an earlier run that was never ended, as it was when it was last looked for. */
  unfinished?(): readonly Unfinished[];
  suspend(): void;
  redraw(): void;
  ring(text: string): void;
  quit(code: number): void;
  /** `trouble`: why it cannot be read; then there are no entries, whatever was edited. */
  journal(): Promise<{
    readonly entries: readonly JournalEntry[];
    readonly report: string;
    readonly trouble?: string;
  }>;
  /** Edits of a run before whose outcome nobody knows. */
  unsettled(): Promise<{ readonly entries: readonly JournalEntry[]; readonly trouble?: string }>;
  /** Acts on an edit without a known outcome, or takes an old one back; the sentence says what came of it. */
  entry(id: string, what: 'check' | 'repeat' | 'forget' | 'undo'): Promise<string>;
  remember(group: string, targetId: string, calls: readonly Call[]): void;
  profiles(): Promise<readonly ProfileLine[]>;
  /** Undefined when it was done: then this session is over. */
  switchProfile(name: string): Promise<{ readonly text: string; readonly needsKeys: boolean } | undefined>;
  /** The keys of a profile that are typed at each start; then it is switched to. */
  giveKeys(name: string, values: Readonly<Record<string, unknown>>): Promise<string | undefined>;
  testProfile(name: string): Promise<readonly string[]>;
  removeProfile(name: string): Promise<string | undefined>;
  addProfile(values: Readonly<Record<string, unknown>>): Promise<string | undefined>;
}

export interface Profile {
  readonly name: string;
  readonly environment: string;
  readonly production: boolean;
  readonly readOnly: boolean;
  readonly pollMs: number;
}
