import type { CacheEntry } from '../../cache/cache.ts';
import type { Context } from '../../describe/context.ts';
import type { Pick } from '../../describe/pick.ts';
import type { AnyList, Screen } from '../../describe/screen.ts';
import type { Rows } from '../../describe/source.ts';
import type { ScreenCounts } from '../rows/counts.ts';
import type { Row } from '../rows/list-state.ts';
import type { Binding } from './binding.ts';
import type { LayerOf } from './layer.ts';
import type { Effect, Flash, Message } from './message.ts';
import type { State } from './state.ts';
import type { View } from './view.ts';

/** `isLeast`: a list of the screen whose rows may need a person has not been read; `isPartial`: not all rows of one have. */
export interface ShownCounts extends ScreenCounts {
  readonly isLeast: boolean;
  readonly isPartial: boolean;
}

/** The state, the reads and what the keyboard can do, all of one moment and without side effects: what a step and a frame are made of. */
export interface Moment {
  readonly state: State;
  readonly view: View;
  readonly context: Context;
  readonly screens: readonly Screen[];
  /** Made when they are first read, and kept while nothing changes. */
  readonly bindings: readonly Binding[];
  /** The bindings below all layers, which help and palette list. */
  readonly below: readonly Binding[];
  /** What the log of messages shows. */
  readonly messages: readonly Flash[];
  /** Stands for what rows say: the same object until something is read, ages are due or more is known of people. */
  readonly edition: object;
  /** What has a page, of the rows as last read, each once: `service:web`, and the tags of monitors. */
  subjects(): readonly string[];
  /** A new code of four letters to type where a name is hard to type. */
  code(): string;
  /** The rows of a screen as last read, counted; undefined where none of its lists has been read. */
  counts(screen: Screen): ShownCounts | undefined;
  /** A list and its row, also where another list is in front; undefined where it is not among the rows as read last. */
  find(list: string, rowId: string): { readonly list: AnyList; readonly row: Row } | undefined;
  /** The picks that the service has returned so far. */
  picks(layer: LayerOf<'pick' | 'take'>): readonly Pick[];
  /** The read of the picks: whether it runs or has failed, and what is true of them, as that they are the first of more. */
  pickRead(layer: LayerOf<'pick' | 'take'>): CacheEntry<Rows<Pick>>;
}

export interface Next {
  readonly state: State;
  readonly effects?: readonly Effect[];
}

/** The handler of each message of a group. A message without a handler does not compile. */
export type Updates<M extends Message> = {
  readonly [K in M['type']]: (state: State, message: Extract<M, { type: K }>, moment: Moment) => Next;
};
