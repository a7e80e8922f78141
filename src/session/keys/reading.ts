import { areAlike } from '../../lib/function-results.ts';
import type { Clock } from '../../lib/time.ts';
import { layerKindOf } from '../layers/index.ts';
import { isTooSmall } from '../rows/geometry.ts';
import { sameRow } from '../stack/kind.ts';
import type { Moment } from '../state/moment.ts';
import type { Layer, State } from '../state/state.ts';

/** Milliseconds that a question must be on the terminal before an answer counts (docs/design/reliability.md#questions). */
export const readingMs = 300;

/**
 * The question on top whose answer sends an edit or loses a secret, as an object whose identity is stable while it is
 * asked: a confirmation, a form's review, a stopped save, a secret that is not copied yet. Undefined when nothing is
 * asked, or when the terminal is too small to show it.
 */
export function questionOn(state: State): object | undefined {
  if (isTooSmall(state.size)) return undefined;
  const top = state.layers.at(-1);
  return top && layerKindOf(top).question?.(top);
}

/** Tracks whether a person can have read the question on top. */
export interface QuestionReading {
  /** After a change of state: a new question on top is unread. */
  follow(state: State): void;
  /** The terminal has taken the frame with this question. */
  shown(question: object): void;
  /** True while a question is asked that a person cannot have read yet. */
  isUnread(): boolean;
  close(): void;
}

/** Measures on the injected clock how long the question on top has been on the terminal. */
export function createReading(clock: Clock): QuestionReading {
  const held = { question: undefined as object | undefined, isShown: false, isRead: false, cancel: () => {} };
  const after = (ms: number, then: () => void) => {
    held.cancel = clock.after(ms, then);
  };
  return {
    follow(state) {
      const question = questionOn(state);
      if (question === held.question) return;
      held.cancel();
      Object.assign(held, { question, isShown: false, isRead: false });
    },
    shown(question) {
      if (held.isShown || question !== held.question) return;
      held.isShown = true;
      // The second timer fires one turn later: keys that waited while the loop was blocked come in between, as unread.
      after(readingMs, () =>
        after(0, () => {
          held.isRead = true;
        }),
      );
    },
    isUnread: () => held.question !== undefined && !held.isRead,
    close: () => held.cancel(),
  };
}

/** Tracks whether a person can have seen what a key would choose: an answer may have brought another row under the cursor. */
export function createSight(clock: Clock, choice: () => object | undefined) {
  const held = { shown: undefined as object | undefined, shownAt: 0, pressed: undefined as object | undefined };
  const undrawn = () => {
    const one = choice();
    return one === held.shown ? undefined : one;
  };
  return {
    undrawn,
    /** The terminal has taken the frame that shows it. */
    shown(one: object) {
      if (one === undrawn()) Object.assign(held, { shown: one, shownAt: clock.now() });
    },
    /** A key was pressed: what it has brought needs no time to be read. */
    pressed() {
      held.pressed = choice();
    },
    isUnread() {
      const one = choice();
      const isSudden = one !== held.pressed && Math.abs(clock.now() - held.shownAt) < readingMs;
      return one !== undefined && (one !== held.shown || isSudden);
    },
  };
}

/** Keeps the cursors of layers on their rows, whether a step or a read has brought others. */
export function createCursors(now: () => Moment, change: (state: State) => void) {
  /** The rows as they were. `unseen`: stands for the row that took the place of the one under the cursor. */
  const rows = new WeakMap<Layer, { readonly keys: readonly string[]; readonly unseen?: object | undefined }>();
  const placed = (layer: Layer, moment: Moment): Layer => {
    const { rowKeys, nearestFirst } = layerKindOf(layer);
    if (!rowKeys || !('cursor' in layer)) return layer;
    const keys = rowKeys(layer, moment);
    const before = rows.get(layer);
    const row = before?.keys[layer.cursor];
    const isFirst = layer.cursor === 0 && nearestFirst?.(layer);
    const cursor = before && !isFirst ? sameRow(keys, before.keys, layer.cursor) : layer.cursor;
    const same = cursor === layer.cursor ? layer : { ...layer, cursor };
    rows.set(same, { keys, unseen: row !== undefined && row !== keys[cursor] ? {} : before?.unseen });
    return same;
  };
  return {
    keep() {
      const moment = now();
      const { state } = moment;
      const layers = state.layers.map((layer) => placed(layer, moment));
      if (!areAlike(layers, state.layers)) change({ ...state, layers });
    },
    /** What a person must have seen before a key chooses. */
    choice() {
      const moment = now();
      const top = moment.state.layers.at(-1);
      return top && (layerKindOf(top).choice?.(top, moment) ?? rows.get(top)?.unseen);
    },
  };
}
