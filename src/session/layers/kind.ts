import type { Pick } from '../../describe/pick.ts';
import type { Source } from '../../describe/source.ts';
import type { Binding } from '../keys/binding.ts';
import type { TopMessage } from '../message.ts';
import type { State } from '../state.ts';
import type { Next, World } from '../world.ts';
import type { Layer } from './layer.ts';

/** Text typed or pasted; without text an editing key, by its name. */
export interface Typed {
  readonly text: string;
  readonly key: string;
}

type Handler<L, M> = (state: State, layer: L, message: M, world: World) => Next;

/** What a layer makes of each message that it takes. */
export type Handlers<L> = {
  readonly [K in TopMessage['do']]?: Handler<L, Extract<TopMessage, { do: K }>>;
};

/** Everything that the session must know of one kind of layer. Pure. */
export interface LayerKind<L extends Layer> {
  /** Its keys while it is on top. */
  keys(layer: L): readonly Binding[];
  /** Whether letters that no binding has are text for it. */
  takesText(layer: L): boolean;
  /** What it does while it is on top. Without an entry `pop` closes it, `step` moves its cursor, and others mean nothing to it. */
  readonly update: Handlers<L>;
  /** Text goes into its line. */
  typed?(state: State, layer: L, typed: Typed, world: World): Next;
  /** What its cursor goes through. */
  rows?(layer: L, world: World): readonly unknown[];
  /** What is asked of the service as long as it is on top. */
  reads?(layer: L): Source<Pick>;
  /** The question whose answer sends an edit or loses a secret: the same object as long as it is asked. */
  question?(layer: L): object | undefined;
}
