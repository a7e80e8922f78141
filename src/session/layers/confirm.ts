import { flash, pop, swap } from '../change.ts';
import { leave, on } from '../keys/binding.ts';
import type { LayerKind } from './kind.ts';
import type { LayerOf } from './layer.ts';
import { typedLine } from './stepping.ts';

/** A question whose default is No. Where a text must be typed, only that text confirms. */
export const confirm: LayerKind<LayerOf<'confirm'>> = {
  keys: (layer) =>
    layer.confirm.typed !== undefined
      ? [on(['return'], 'go on', { do: 'yes' }, 1, { deliberate: true }), leave(['esc'], 'no')]
      : [
          on(['y'], 'yes', { do: 'yes' }, 1, { deliberate: true }),
          leave(['esc', 'q', 'n', 'N', 'return', 'backspace', 'space'], 'no'),
        ],
  takesText: (layer) => layer.confirm.typed !== undefined,
  question: (layer) => layer.confirm,
  typed: (state, layer, typed) => ({ state: swap(state, { ...layer, typed: typedLine(layer.typed, typed) }) }),
  update: {
    yes(state, layer, _, world) {
      const wanted = layer.confirm.typed;
      if (wanted !== undefined && layer.typed.text.trim() !== wanted.trim())
        return { state: flash(state, `type ${wanted} to go on, or Esc`, 'warn', world.context.now) };
      return { state: pop(state), effects: [{ ask: 'later', ms: 0, message: layer.yes }] };
    },
  },
};
