import type { Clock } from '../../lib/clock.ts';
import { capitalized } from '../../lib/text.ts';
import type { Key } from '../keyboard/keyboard.ts';
import { keyLabel } from '../keyboard/names.ts';
import { endingInput } from '../layers/bar.ts';
import { layerKindOf } from '../layers/index.ts';
import { tooOldToEdit } from '../list/sleep-detector.ts';
import { isTooSmall } from '../rows/geometry.ts';
import type { Binding } from '../state/binding.ts';
import type { Layer } from '../state/layer.ts';
import type { Flash, Message } from '../state/message.ts';
import type { State } from '../state/state.ts';
import { ignoredWord } from '../state/state-changes.ts';
import type { View } from '../state/view.ts';
import { type Burst, isDigit } from './burst.ts';
import { createFirstDigit, goesOn, takesBack } from './first-digit.ts';
import type { QuestionReading } from './question.ts';
import type { SortGuard } from './sort-guard.ts';

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

const takesText = (layer: Layer): boolean => layerKindOf(layer).takesText(layer);

export interface Input {
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

/** Keys and pasted text to messages: a key with a binding does what that says, others are text for the layer on top. */
export function createInput(with_: {
  readonly state: () => State;
  /** State and bindings of the present moment. */
  readonly now: () => { readonly state: State; readonly view: View; readonly bindings: readonly Binding[] };
  readonly reading: Pick<QuestionReading, 'isUnread'>;
  readonly burst: Pick<Burst, 'refused' | 'chose' | 'drop'>;
  readonly sortGuard: Pick<SortGuard, 'refusal'>;
  readonly send: (message: Message) => void;
  readonly say: (text: string, tone: Flash['tone']) => void;
  readonly clock: Clock;
}): Input {
  const { now, reading, burst, sortGuard, send, say } = with_;

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
    const { state, view } = now();
    const choosesByDigit = message.type === 'pressBarKey' && isDigit(key.name);
    if (choosesByDigit && !isChosen && endsWithDigits(state)) {
      first.hold(key);
      return send({ type: 'holdDigit', digit: key.name });
    }
    // The session itself refuses these, however they were begun.
    const tooOld = tooOldToEdit(state, message, view);
    if (tooOld !== undefined) burst.refused(tooOld);
    if (choosesByDigit) burst.chose(key.name);
    send(message);
    // What a key replaced or asked for itself is another message by now.
    if (!keepsMessage.has(message.type)) clearFlash(state);
  };

  /** Why a key that confirms does not count yet. */
  const earlyText = (key: Key, { deliberate }: Binding): string | undefined => {
    if (!deliberate) return undefined;
    if (reading.isUnread()) return `${keyLabel(key.name)} was pressed before the question was drawn: press it again`;
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
    if (why === undefined) refuseUnknown(`${keyLabel(key.name)} does nothing here`);
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
