import type { Clock } from '../lib/time.ts';

/** What a command may touch. Passed in, so that a test runs a command without a process. */
export interface Io {
  /** Key variables are taken out of it. */
  readonly env: NodeJS.ProcessEnv;
  out(text: string): void;
  err(text: string): void;
  /** Waits until what was written is with its reader; false: nobody reads it. */
  written(): Promise<boolean>;
  /** Everything on standard input, for `--body -`; over `limit` bytes is refused. */
  stdin(limit: number): Promise<string | undefined>;
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
