import { capitalized, plural } from '../../lib/text.ts';
import type { Clock } from '../../lib/time.ts';
import { type Key, keyLabel } from '../keyboard/keyboard.ts';
import { endingInput } from '../layers/bar.ts';
import { layerKindOf } from '../layers/index.ts';
import type { createSortGuard } from '../list/cursor.ts';
import { isTooSmall } from '../rows/geometry.ts';
import type { Flash, Message } from '../state/message.ts';
import { type Binding, type Moment, tooOldToEdit } from '../state/moment.ts';
import type { Layer, State } from '../state/state.ts';
import { ignoredWord } from '../state/state-changes.ts';
import type { QuestionReading } from './reading.ts';

/** Dropped keys that are named; of more their number is told. */
const mostNamed = 20;

/** A digit that comes less than this many milliseconds after one that chose belongs to it. */
const pauseMs = 300;
/** A key that comes less than this many milliseconds after a refusal was drawn, or after the key before it, was meant for what did not open. */
export const refusedMs = 500;

/**
 * Drops what is left of a burst of keys, so that a key acts only on what its person meant:
 * after a refused key (`m4`: the bar did not open) until a pause of `refusedMs` since that is on the terminal, and after a layer has closed over keys
 * that act, an answer has opened one, or `g` has brought other rows, until the frame of that is on the terminal; a digit right after one that chose in a bar. Esc, arrows and Ctrl keys always count.
 */
interface Burst {
  /** After a change of state: a closed layer begins the drop, and so does one that an answer has opened; one that a key has opened ends it. */
  follow(before: State, state: State): void;
  /** Does what a key means. */
  pressed(act: () => void): void;
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
    at: 0,
    digit: '',
    digitAt: Number.NEGATIVE_INFINITY,
    isPressing: false,
  };
  /** A moment that is ahead is one from before the clock was set back. */
  const isWithin = (ms: number, at: number) => clock.now() >= at && clock.now() - at < ms;
  const isRefused = () => held.refused !== undefined && isWithin(refusedMs, held.at);
  const isOn = () => held.undrawn !== undefined || isRefused();
  const begin = (why: { readonly undrawn?: object; readonly refused?: string }) =>
    Object.assign(held, { refused: undefined, dropped: [] }, why);
  return {
    follow(before, state) {
      const top = state.layers.at(-1);
      const isTyping = top !== undefined && takesText(top);
      const isOpened = top !== undefined && top.kind !== before.layers.at(-1)?.kind;
      if (isOpened) Object.assign(held, { undrawn: undefined, refused: undefined, digitAt: Number.NEGATIVE_INFINITY });
      const isClosed = state.layers.length < before.layers.length && !isTyping;
      if (isClosed || (isOpened && !held.isPressing)) begin({ undrawn: {} });
    },
    pressed(act) {
      held.isPressing = true;
      act();
      held.isPressing = false;
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
      if (!isOn() || !isActing(key)) return undefined;
      held.at = clock.now();
      held.dropped = [...held.dropped, keyLabel(key.name)];
      const more = held.dropped.length - mostNamed;
      const named = held.dropped.slice(0, mostNamed).map((label) => (label.length > 1 ? ` ${label} ` : label));
      const dropped = `${named.join('').replaceAll('  ', ' ').trim()}${more > 0 ? ` and ${plural(more, 'more key')}` : ''}`;
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
const isDigit = (name: string): boolean => /^\d$/.test(name);

const isActing = ({ name, text }: Key): boolean =>
  text !== undefined || name === 'return' || name === 'backspace' || name === 'tab';

/**
 * A digit that chooses in a bar and may as well begin a typed end (`4` is 4h, `45m` is not): the next key decides, and a
 * pause of `pauseMs` chooses. One chunk of keys and keys one by one are so read alike.
 */
function createFirstDigit(clock: Clock, choose: (digit: Key) => void) {
  const held = { digit: undefined as Key | undefined, cancel: () => {} };
  /** The digit that waits, when another key has come; it waits no longer. */
  const take = () => {
    const { digit } = held;
    held.cancel();
    held.digit = undefined;
    return digit;
  };
  return {
    /** Waits for what follows this digit. */
    hold(digit: Key) {
      held.digit = digit;
      held.cancel = clock.after(pauseMs, () => {
        take();
        choose(digit);
      });
    },
    take,
    isOn: () => held.digit !== undefined,
  };
}

/** Whether a key goes on with an end that a digit began: `45m`, `4:30`, `9am`, `1 day`. */
const goesOn = ({ text }: Key): boolean => text !== undefined && /^[\d:., adhmpsw]$/i.test(text);

/** Whether a key takes the digit back instead of choosing it. */
const takesBack = ({ name }: Key): boolean => ['esc', 'backspace', 'ctrl+c'].includes(name);

/** What a key may do without the message above the hints being left behind: it moves, marks or types. */
const keepsMessage: ReadonlySet<Message['type']> = new Set<Message['type']>([
  'moveCursor',
  'movePage',
  'moveToEnd',
  'scrollColumns',
  'addDigit',
  'toggleMark',
  'toggleRange',
  'markAll',
  'togglePreview',
  'moveInLayer',
  'typeKey',
  'moveField',
  'redraw',
  'suspend',
  'interrupt',
  'askQuit',
]);

/** Whether the bar on top may be answered by several digits. */
const endsWithDigits = ({ layers }: State): boolean => {
  const top = layers.at(-1);
  return top?.kind === 'bar' && endingInput(top) !== undefined;
};

const choosing: ReadonlySet<Message['type']> = new Set<Message['type']>(['choose', 'pressBarKey']);

const takesText = (layer: Layer): boolean => layerKindOf(layer).takesText(layer);

interface Input {
  press(key: Key): void;
  paste(text: string): void;
  /** Whether a digit waits for what follows it. */
  isHolding(): boolean;
}

/** Characters that are pasted into a line, such as a filter: it is looked at whole for each letter. The texts of a form may be longer. */
const mostPasted = 10_000;

/** Also what Esc and a letter are that came in one read. */
const isWithAlt = ({ name }: Key): boolean => /^alt\+(?:.|space)$/u.test(name);

/** Keys with Alt that edit a line, or a text of several lines. */
const editsText = /^alt\+[bdfru<>]$/;

const altText = ({ name }: Key): string =>
  `${keyLabel(name)} does nothing here; for Esc and then ${keyLabel(name.slice('alt+'.length))}, press one at a time`;

/** Without jobs their key has no binding: a refused one would be a line of each help. */
const unboundText = ({ name }: Key, isOnList: boolean): string =>
  isOnList && name === 'W' ? 'W shows running jobs; none is running' : `${keyLabel(name)} does nothing here`;

/** Keys and pasted text to messages: a key with a binding does what that says, others are text for the layer on top. */
export function createInput(with_: {
  readonly state: () => State;
  /** State and bindings of the present moment. */
  readonly now: () => Moment;
  readonly reading: Pick<QuestionReading, 'isUnread'>;
  readonly burst: Pick<Burst, 'refused' | 'chose' | 'drop'>;
  readonly sortGuard: Pick<ReturnType<typeof createSortGuard>, 'refusal'>;
  readonly sight: Pick<QuestionReading, 'isUnread'>;
  readonly send: (message: Message) => void;
  readonly say: (text: string, tone: Flash['tone']) => void;
  readonly clock: Clock;
}): Input {
  const { now, reading, burst, sortGuard, sight, send, say } = with_;

  /** An answer that came before its question could be read is dropped. */
  const typedBefore = () => say('Typed before the question was drawn: type it again', 'warn');

  /** Says which keys were dropped. A receipt stays, with that behind it. */
  const ignored = (text: string, { flash }: State) => {
    if (flash?.tone !== 'good' || flash.text.includes(ignoredWord)) return say(text, 'warn');
    const parts = [...(flash.parts ?? [flash.text]), ` · ${text}`];
    send({ type: 'showFlash', flash: { ...flash, text: `${flash.text} · ${text}`, parts } });
  };

  const clearFlash = ({ flash }: State) => {
    if (flash) send({ type: 'clearFlash', flash });
  };

  const refuse = (text: string) => {
    burst.refused(text);
    say(text, 'warn');
  };

  /** A key that means nothing here is said, and kept in no log. */
  const refuseUnknown = (text: string) => {
    burst.refused(text);
    send({ type: 'showFlash', flash: { text, tone: 'warn', at: with_.clock.now(), isPassing: true } });
  };

  const press = (key: Key, isChosen = false) => {
    const dropped = burst.drop(key);
    const { state, bindings } = now();
    if (dropped !== undefined) return ignored(dropped, state);
    const binding = bindings.find(({ keys }) => keys.includes(key.name));
    if (!binding) return type(key, state);
    const early = earlyText(key, binding);
    if (early !== undefined) return say(early, 'warn');
    if (binding.refused !== undefined) return refuseBinding(key, binding, state);
    const acts = state.layers.length === 0 && !keepsMessage.has(binding.run.type);
    const sortedNow = sortGuard.refusal(key, binding.run.type, acts);
    if (sortedNow !== undefined) return refuse(sortedNow);
    run(key, binding.run.type === 'addDigit' ? { type: 'addDigit', digit: key.name } : binding.run, isChosen);
  };

  const run = (key: Key, message: Message, isChosen: boolean) => {
    const { state } = now();
    const choosesByDigit = message.type === 'pressBarKey' && isDigit(key.name);
    if (choosesByDigit && !isChosen && endsWithDigits(state)) {
      first.hold(key);
      return send({ type: 'holdDigit', digit: key.name });
    }
    // The session itself refuses these, however they were begun.
    const tooOld = tooOldToEdit(state, message, now());
    if (tooOld !== undefined) burst.refused(tooOld);
    if (choosesByDigit) burst.chose(key.name);
    send(message);
    // What a key replaced or asked for itself is another message by now.
    if (!keepsMessage.has(message.type)) clearFlash(state);
  };

  /** Why a key that confirms, or chooses, does not count yet. */
  const earlyText = (key: Key, { deliberate, run }: Binding): string | undefined => {
    const early = (what: string) => `${keyLabel(key.name)} was pressed before the ${what} was drawn: press it again`;
    if (choosing.has(run.type) && sight.isUnread()) return early('row');
    if (!deliberate) return undefined;
    if (reading.isUnread()) return early('question');
    return key.alone ? undefined : 'Typed too early: press it again to confirm';
  };

  const refuseBinding = (key: Key, { title, refused, group }: Binding, state: State) => {
    const text = capitalized(`${title}: ${refused}`);
    if (key.text !== undefined) return refuse(text);
    // Esc or an arrow that does nothing begins no burst; Esc with nothing to close only clears the message.
    if (group !== 'back') return say(text, 'warn');
    clearFlash(state);
  };

  /** A key without a binding: text for the layer on top. */
  const type = (key: Key, { layers, size }: State) => {
    // Only a sentence is drawn: what is typed would not be seen.
    if (isTooSmall(size)) return;
    const top = layers.at(-1);
    const takes = top !== undefined && takesText(top);
    if (takes && top.kind === 'confirm' && reading.isUnread()) return typedBefore();
    if (isWithAlt(key) && !(takes && editsText.test(key.name))) return refuseUnknown(altText(key));
    if (takes) return send({ type: 'typeKey', key });
    if (key.text === undefined || top?.kind === 'wait') return;
    const why = top && layerKindOf(top).refuses?.(top);
    if (why === undefined) refuseUnknown(unboundText(key, top === undefined));
    else refuse(capitalized(why));
  };

  const isOnBar = () => with_.state().layers.at(-1)?.kind === 'bar';
  const first = createFirstDigit(with_.clock, (digit) => {
    if (isOnBar()) press(digit, true);
  });

  return {
    isHolding: first.isOn,
    press(key) {
      const digit = isOnBar() ? first.take() : undefined;
      if (digit && key.name === 'backspace') return send({ type: 'holdDigit', digit: undefined });
      if (digit && takesBack(key)) return press(key);
      if (digit && goesOn(key)) send({ type: 'typeKey', key: digit });
      else if (digit) press(digit, true);
      press(key);
    },
    paste(text) {
      const { state } = now();
      const top = state.layers.at(-1);
      if (top?.kind === 'confirm' && takesText(top) && reading.isUnread()) return typedBefore();
      if (top && top.kind !== 'form' && text.length > mostPasted)
        return say(`Pasted text of ${text.length} characters is ignored: at most ${mostPasted} fit in a line`, 'warn');
      if (top && takesText(top) && !isTooSmall(state.size)) send({ type: 'pasteText', text });
      else say('Pasted text is ignored here', 'info');
    },
  };
}
