import type { Context } from '../describe/context.ts';
import type { Pick } from '../describe/pick.ts';
import type { AnyList, Screen } from '../describe/screen.ts';
import type { Binding } from './keys/binding.ts';
import type { LayerOf } from './layers/layer.ts';
import type { Row } from './list/list-state.ts';
import type { Effect, Flash, Message } from './message.ts';
import type { State } from './state.ts';
import type { View } from './view.ts';

/** What `update` may read besides the state: values of this moment, without side effects. */
export interface World {
  readonly view: View;
  readonly context: Context;
  readonly screens: readonly Screen[];
  readonly bindings: readonly Binding[];
  /** The bindings below all layers, which help and palette list. */
  readonly below: readonly Binding[];
  /** A new code of four letters to type where a name is hard to type. */
  code(): string;
  /** What the log of messages shows. */
  readonly messages: readonly Flash[];
  /** A list and its row, also where another list is in front; undefined where it is not among the rows as read last. */
  find(list: string, rowId: string): { readonly list: AnyList; readonly row: Row } | undefined;
  /** The picks that the service has returned so far. */
  picks(layer: LayerOf<'pick' | 'take'>): readonly Pick[];
  /** Why the picks could not be read; undefined when they were, or while the read runs. */
  pickTrouble(layer: LayerOf<'pick' | 'take'>): string | undefined;
  /** What is true of the picks: that they are the first of more. */
  pickNotes(layer: LayerOf<'pick' | 'take'>): readonly string[];
}

export interface Next {
  readonly state: State;
  readonly effects?: readonly Effect[];
}

/** The handler of each message of a group. A message without a handler does not compile. */
export type Updates<M extends Message> = {
  readonly [K in M['do']]: (state: State, message: Extract<M, { do: K }>, world: World) => Next;
};
