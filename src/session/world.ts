import type { Pick } from '../describe/action.ts';
import type { Context } from '../describe/context.ts';
import type { Screen } from '../describe/screen.ts';
import type { Binding } from './keys/binding.ts';
import type { Effect } from './message.ts';
import type { Layer, State } from './state.ts';
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
  picks(layer: Extract<Layer, { kind: 'pick' | 'take' }>): readonly Pick[];
  /** Why it has not answered; undefined while it has, or is being asked. */
  pickTrouble(layer: Extract<Layer, { kind: 'pick' | 'take' }>): string | undefined;
}

export interface Next {
  readonly state: State;
  readonly effects?: readonly Effect[];
}
