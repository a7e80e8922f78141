import type { Context } from '../describe/context.ts';
import type { Pick } from '../describe/pick.ts';
import type { Screen } from '../describe/screen.ts';
import type { Binding } from './keys/binding.ts';
import type { LayerOf } from './layers/layer.ts';
import type { Effect, Message } from './message.ts';
import type { State } from './state.ts';
import type { View } from './view.ts';

/** What `update` may look at besides the state: values of this moment, nothing that acts. */
export interface World {
  readonly view: View;
  readonly context: Context;
  readonly screens: readonly Screen[];
  readonly bindings: readonly Binding[];
  /** The bindings without any layer: what help and palette list. */
  readonly below: readonly Binding[];
  /** What the service has answered to a picker so far. */
  picks(layer: LayerOf<'pick' | 'take'>): readonly Pick[];
  /** Why it has not answered; undefined while it has, or is being asked. */
  pickTrouble(layer: LayerOf<'pick' | 'take'>): string | undefined;
}

export interface Next {
  readonly state: State;
  readonly effects?: readonly Effect[];
}

/** What becomes of each message of a group. A message without an entry does not compile. */
export type Updates<M extends Message> = {
  readonly [K in M['do']]: (state: State, message: Extract<M, { do: K }>, world: World) => Next;
};
