import type { Cache } from '../../cache/cache.ts';
import type { Client } from '../../client/client.ts';
import type { Context } from '../../describe/context.ts';
import type { HandoverFacts } from '../../journal/handover-report.ts';
import type { Clock } from '../../lib/clock.ts';
import { capitalized } from '../../lib/text.ts';
import type { Outside } from '../outside/outside.ts';
import type { Shift } from '../state/handover.ts';
import type { Effect, Flash, ListedChange, Message } from '../state/message.ts';
import type { Moment } from '../state/moment.ts';
import type { State } from '../state/state.ts';

/** The effect of this name. */
export type EffectOf<A extends Effect['ask']> = Effect & { readonly ask: A };

/** What runs each of these effects. */
export type Doers<A extends Effect['ask']> = { readonly [K in A]: (effect: EffectOf<K>) => unknown };

/** What effects are run with. */
export interface EffectPorts {
  readonly client: Client;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly outside: Outside;
  readonly random: () => number;
  readonly state: () => State;
  readonly now: () => Moment;
  readonly context: (state: State, subRowId?: string) => Context;
  readonly send: (message: Message) => void;
  /** The changes of states that the reads have shown, the newest first. */
  readonly changes: () => readonly ListedChange[];
  /** What the handover of the shift says besides the journal. */
  readonly handover: (shift: Shift) => Promise<HandoverFacts>;
}

/** Says a sentence in the line of messages. */
export const say = ({ clock, send }: EffectPorts, text: string, tone: Flash['tone']): void =>
  send({ type: 'showFlash', flash: { text, tone, at: clock.now() } });

export const sayDone = (ports: EffectPorts, { text, ok }: { readonly text: string; readonly ok: boolean }): void =>
  say(ports, text, ok ? 'good' : 'bad');

export const sayProblem = (ports: EffectPorts, problem: string): void => say(ports, capitalized(problem), 'bad');
