import type { Clock } from '../../lib/clock.ts';
import { plural } from '../../lib/text.ts';
import type { Key } from '../keyboard/keyboard.ts';
import { keyLabel } from '../keyboard/names.ts';
import { layerKindOf } from '../layers/index.ts';
import type { State } from '../state/state.ts';
import { ignoredWord } from '../state/state-changes.ts';

/** Dropped keys that are named; of more their number is told. */
const mostNamed = 20;

/** A digit that comes less than this many milliseconds after one that chose belongs to it. */
export const pauseMs = 300;
/** A key that comes less than this many milliseconds after a refusal was drawn, or after the key before it, was meant for what did not open. */
export const refusedMs = 500;

/**
 * Drops what is left of a burst of keys, so that a key acts only on what its person meant:
 * after a refused key (`m4`: the bar did not open) until a pause of `refusedMs` since that is on the terminal, and after a layer has closed over keys
 * that act, or `g` has brought other rows, until the frame of that is on the terminal; a digit right after one that chose in a bar. Esc, arrows and Ctrl keys always count.
 */
export interface Burst {
  /** After a change of state: a closed layer begins the drop, an opened one ends it. */
  follow(before: State, state: State): void;
  /** The list shows other rows than its person has seen. */
  reordered(): void;
  /** A key was refused with this sentence. */
  refused(text: string): void;
  /** A digit chose in a bar: digits that follow it without a pause were meant for it (`m45m`). */
  chose(digit: string): void;
  /** What to say instead of acting on this key; undefined where it counts. */
  drop(key: Key): string | undefined;
  /** What must be on the terminal before keys count, by identity. */
  undrawn(): object | undefined;
  /** The terminal has taken the frame that shows it. */
  shown(undrawn: object): void;
  /** Whether the next key would be dropped. */
  isOn(): boolean;
}

export function createBurst(clock: Clock): Burst {
  const held = {
    undrawn: undefined as object | undefined,
    refused: undefined as string | undefined,
    dropped: [] as readonly string[],
    more: 0,
    at: 0,
    digit: '',
    digitAt: Number.NEGATIVE_INFINITY,
  };
  /** A moment that is ahead is one from before the clock was set back. */
  const isWithin = (ms: number, at: number) => clock.now() >= at && clock.now() - at < ms;
  const isRefused = () => held.refused !== undefined && isWithin(refusedMs, held.at);
  const isOn = () => held.undrawn !== undefined || isRefused();
  const begin = (why: { readonly undrawn?: object; readonly refused?: string }) =>
    Object.assign(held, { refused: undefined, dropped: [], more: 0 }, why);
  return {
    follow(before, state) {
      const top = state.layers.at(-1);
      const takesText = top !== undefined && layerKindOf(top).takesText(top);
      if (state.layers.length < before.layers.length && !takesText) begin({ undrawn: {} });
      else if (top !== undefined && top.kind !== before.layers.at(-1)?.kind)
        Object.assign(held, { undrawn: undefined, refused: undefined, digitAt: Number.NEGATIVE_INFINITY });
    },
    reordered() {
      begin({ undrawn: {} });
    },
    refused(text) {
      begin({ undrawn: {}, refused: text });
    },
    chose(digit) {
      Object.assign(held, { digit, digitAt: clock.now() });
    },
    drop(key) {
      if (!isOn() && isDigit(key.name) && isWithin(pauseMs, held.digitAt)) {
        held.digitAt = clock.now();
        return `${ignoredWord}${key.name}: typed right after ${held.digit}`;
      }
      if (!isOn() || !acts(key)) return undefined;
      held.at = clock.now();
      if (held.dropped.length < mostNamed) held.dropped = [...held.dropped, keyLabel(key.name)];
      else held.more += 1;
      const dropped = held.dropped.join('') + (held.more > 0 ? ` and ${plural(held.more, 'more key')}` : '');
      return held.refused === undefined
        ? `${ignoredWord}${dropped}: typed before the screen was drawn`
        : `${held.refused} · ignored: ${dropped}`;
    },
    undrawn: () => held.undrawn,
    shown(undrawn) {
      if (undrawn === held.undrawn) Object.assign(held, { undrawn: undefined, at: clock.now() });
    },
    isOn,
  };
}

/** Whether the key is one of 0 to 9. */
export const isDigit = (name: string): boolean => /^\d$/.test(name);

const acts = ({ name, text }: Key): boolean =>
  text !== undefined || name === 'return' || name === 'backspace' || name === 'tab';
