import type { Call } from '../api/endpoint.ts';
import type { Plan } from '../api/plan.ts';
import type { Result } from '../api/problem.ts';
import type { Translator } from '../api/vocabulary/translator.ts';

/** What an edit is for, besides its request: told to the journal, and to the person when it is in doubt. */
export interface Purpose {
  /** Id of the action, or `call` for a bare operation. */
  readonly action: string;
  readonly target: { readonly id: string; readonly name: string };
  /** The row before, without secrets. */
  readonly before?: unknown;
  /** Edits made by one key press share it, so that one `u` takes them all back. */
  readonly group?: string;
}

/** Where edits are written down. `intent` returns only after the line is on the disk. */
export interface Recorder {
  intent(call: Call, purpose: Purpose): Promise<Result<string>>;
  outcome(entry: string, outcome: Outcome): Promise<void>;
}

export type Outcome = {
  readonly state: 'applied' | 'refused' | 'unknown';
  readonly attempts: number;
  readonly status?: number;
  readonly text?: string;
};

/** How much may still be asked, as the service's headers tell it. */
export interface Budget {
  readonly name: string;
  readonly limit: number;
  readonly remaining: number;
  readonly periodMs: number;
  /** When the count starts again, wall clock. */
  readonly resetAt: number;
}

/** The only network of the program. Never throws for what a network or a service can do. */
export interface Client {
  readonly origin: string;
  /** The deployment's own words, where it has any. */
  readonly vocabulary?: Translator | undefined;
  /** The last four characters of the keys that are sent; empty for a key too short to tell that much of it. */
  ends(): { readonly apiKey: string; readonly appKey: string };
  send<A>(call: Call<A>, how?: { readonly signal?: AbortSignal; readonly purpose?: Purpose }): Promise<Result<A>>;
  /** Runs a plan to its end; `partial` is given what the plan shows on the way. */
  run<T, Shown>(
    plan: Plan<T, Shown>,
    how?: { readonly signal?: AbortSignal; readonly purpose?: Purpose; readonly partial?: (value: Shown) => void },
  ): Promise<T>;
  /** False once the deployment has answered 404 or 405 for the operation itself. */
  offered(endpointId: string): boolean;
  budgets(): readonly Budget[];
  /** How long polls should hold back, in milliseconds; 0 = go on. With an endpoint's id: polls of that operation alone. */
  holdBack(endpointId?: string): number;
  /** Number of 429 answers so far. */
  refusals(): number;
  /** True when nothing leaves any more because the service did not accept the keys; a client with other keys is needed. */
  keysRefused(): boolean;
  /** Edits under way. */
  inFlight(): number;
  close(): Promise<void>;
}
