import type { Confirm } from '../../describe/action.ts';
import { flash, pop, swap } from '../change.ts';
import { line } from '../form/line.ts';
import { leave, on } from '../keys/binding.ts';
import type { Message } from '../message.ts';
import type { World } from '../world.ts';
import type { LayerKind } from './kind.ts';
import type { LayerOf } from './layer.ts';
import { typedLine } from './stepping.ts';

/**
 * The layer of a question. A text to type that is longer than 24 characters, or that a keyboard may not have, is
 * replaced by a code of this moment.
 */
export const confirmLayer = (confirm: Confirm, yes: Message, { code }: Pick<World, 'code'>): LayerOf<'confirm'> => ({
  kind: 'confirm',
  confirm: typeable(confirm, code),
  typed: line(),
  yes,
});

/** The question with a text that a keyboard has. */
export const typeable = (confirm: Confirm, code: () => string): Confirm =>
  confirm.typed === undefined || isTypeable(confirm.typed) ? confirm : { ...confirm, typed: code() };

const isTypeable = (text: string): boolean =>
  /^[\x20-\x7e]{1,24}$/.test(text) && text.trim() === text && !text.includes('  ');

const letters = 'abcdefghjkmnpqrstuvwxyz';

/** Four random letters, without those that look like digits. `random` gives numbers from 0 to under 1. */
export const randomCode = (random: () => number): string =>
  Array.from({ length: 4 }, () => letters[Math.floor(random() * letters.length)]).join('');

/** A question whose default is No, but where it names what Enter does. Where a text must be typed, only that text confirms. */
export const confirm: LayerKind<LayerOf<'confirm'>> = {
  keys({ confirm: { typed, enter } }) {
    const yes = (key: string, title: string) => on([key], title, { do: 'yes' }, 1, { deliberate: true });
    if (typed !== undefined) return [yes('return', 'confirm'), leave(['esc'], 'cancel')];
    if (enter !== undefined) return [yes('return', 'yes'), leave(['esc', 'q', 'n', 'N', 'backspace'], 'no')];
    return [yes('y', 'yes'), leave(['esc', 'q', 'n', 'N', 'return', 'backspace', 'space'], 'no')];
  },
  takesText: (layer) => layer.confirm.typed !== undefined,
  question: (layer) => layer.confirm,
  typed: (state, layer, typed) => ({ state: swap(state, { ...layer, typed: typedLine(layer.typed, typed) }) }),
  update: {
    yes(state, layer, _, world) {
      const wanted = layer.confirm.typed;
      if (wanted !== undefined && layer.typed.text.trim() !== wanted.trim())
        return { state: flash(state, `Type ${wanted} to confirm, or Esc`, 'warn', world.context.now) };
      return { state: pop(state), effects: [{ ask: 'later', ms: 0, message: layer.yes }] };
    },
  },
};
