import type { Pick } from '../../describe/pick.ts';
import type { Source } from '../../describe/source.ts';
import type { Line, Pane } from '../../scene/scene.ts';
import type { Theme } from '../../scene/theme.ts';
import type { Binding } from '../state/binding.ts';
import type { Layer } from '../state/layer.ts';
import type { Message, TopMessage } from '../state/message.ts';
import type { Moment, Next } from '../state/moment.ts';
import type { State } from '../state/state.ts';

/** Typed or pasted text; where it is empty, an editing key by its name. */
export interface TypedText {
  readonly text: string;
  readonly key: string;
}

type Handler<L, M> = (state: State, layer: L, message: M, world: Moment) => Next;

/** The handlers of a layer, one for each message that it takes. */
type Handlers<L> = {
  readonly [K in TopMessage['type']]?: Handler<L, Extract<TopMessage, { type: K }>>;
};

/** The room inside the border of a layer. */
export interface Room {
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

/** What is drawn of a layer. */
export interface LayerPane extends Pane<Message> {
  /** Lines that a panel needs inside its border, where not as many as it has. */
  readonly needs?: number;
  /** Cells with its border where another pane stands beside it. */
  readonly width?: number;
  readonly beside?: Pane<Message>;
  /** Whether the lines of the pane stand in place of the hints, too. */
  readonly hasHints?: boolean;
}

/** Over the body, in a panel below the list, or in place of the message. */
export type SketchPlace = 'body' | 'panel' | 'foot';

/** The keys, behavior and lines of one kind of layer. Pure. */
export interface LayerKind<L extends Layer> {
  /** The keys of the layer while it is on top. */
  keys(layer: L, state: State): readonly Binding[];
  readonly place: SketchPlace | ((layer: L) => SketchPlace);
  /** Whether the layer has no border: its room is all of its place. */
  readonly isBare?: true;
  lines(layer: L, now: Moment, room: Room): LayerPane;
  /** The line that is typed into, in place of the message; undefined where there is none. */
  prompt?(layer: L, now: Moment, room: Room): Line<Message> | undefined;
  /** Whether it asks for nothing: the keys of everywhere lead away from it. */
  readonly isShowing?: true;
  /** Whether keys without a binding are text for this layer. */
  takesText(layer: L): boolean;
  /** Why keys without a binding do nothing now, where that is worth more than the name of the key. */
  refuses?(layer: L): string | undefined;
  /** Handlers of messages. Without one, `pop` closes the layer, `step` moves its cursor, and others do nothing. */
  readonly update: Handlers<L>;
  /** Handles text for its line. */
  typed?(state: State, layer: L, typed: TypedText, world: Moment): Next;
  /** The rows that its cursor moves through. */
  rows?(layer: L, world: Moment): readonly unknown[];
  /** What is read while the layer is on top. */
  reads?(layer: L): Source<Pick>;
  /** The question whose answer sends an edit or loses a secret; the same object as long as it is asked. */
  question?(layer: L): object | undefined;
}
