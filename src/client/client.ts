import type { Call, Plan } from '../api/endpoint.ts';
import type { Result } from '../api/problem.ts';
import type { Translator } from '../api/vocabulary/translator.ts';
import type { Budget } from './rate-limits.ts';

/** Purpose of an edit, for the journal and for messages about an unknown outcome. */
export interface Purpose {
  /** Id of the action, or `call` for a bare operation. */
  readonly action: string;
  readonly target: { readonly id: string; readonly name: string };
  /** The row before, without secrets. */
  readonly before?: unknown;
  /** Edits of one key press share a group; one `u` undoes them all. */
  readonly group?: string;
  /** The group of an edit that was undone, and that this one makes again. */
  readonly redoes?: string;
  /** Called with the id of its entry, once that is written. */
  recorded?(entry: string): void;
}

/** Records edits. `intent` returns only after the line is on the disk. */
export interface Recorder {
  intent(call: Call, purpose: Purpose): Promise<Result<string>>;
  /** `result`: what the request ended with, which names what it has made. */
  outcome(entry: string, outcome: CallOutcome, result?: Result<unknown>): Promise<void>;
}

export type CallOutcome = {
  readonly state: 'applied' | 'refused' | 'unknown';
  readonly attempts: number;
  readonly status?: number;
  readonly text?: string;
  /** Id of what a create has made, where the answer tells it. */
  readonly made?: string;
};

/** The program's only network access. Never throws for failures of a network or a service. */
export interface Client {
  readonly origin: string;
  /** The deployment's vocabulary, where it has one. */
  readonly vocabulary?: Translator | undefined;
  /** Last four characters of the keys in use; empty for keys shorter than 16 characters. */
  ends(): { readonly apiKey: string; readonly appKey: string };
  send<A>(call: Call<A>, how?: { readonly signal?: AbortSignal; readonly purpose?: Purpose }): Promise<Result<A>>;
  /** Opens the connection of an edit that is likely to come, which waits for it three seconds; nothing where no edit is sent. */
  expectEdit(): void;
  /** Runs a plan to its end; `partial` is given what the plan shows on the way. */
  run<T, Shown>(
    plan: Plan<T, Shown>,
    how?: { readonly signal?: AbortSignal; readonly purpose?: Purpose; readonly partial?: (value: Shown) => void },
  ): Promise<T>;
  /** False once the deployment has answered 404 or 405 for the operation itself. */
  offered(endpointId: string): boolean;
  budgets(): readonly Budget[];
  /** Milliseconds that polls should wait for rate limits; 0 = none. With an endpoint's id: polls of that operation alone. */
  holdBack(endpointId?: string): number;
  /** How many times as long polls should wait, from 1 on, because many clients share a rate limit. */
  slowdown(which?: 'shared'): number;
  /** Number of 429 answers so far. */
  refusals(): number;
  /** True when no request is sent any more because the service refused the keys; needs a client with other keys. */
  keysRefused(): boolean;
  /** Number of edits in flight. */
  inFlight(): number;
  close(): Promise<void>;
}
