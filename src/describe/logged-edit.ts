/** An edit of the journal, newest first in a log. */
export interface LoggedEdit {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly operation: string;
  /** What was done: `muted`. */
  readonly did: string;
  readonly target: string;
  /** Id of its row; empty for what the edit made. */
  readonly targetId?: string;
  readonly outcome: 'applied' | 'refused' | 'unknown' | 'open' | 'sending';
}
