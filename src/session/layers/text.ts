import { copiedLines } from '../../lib/copied.ts';
import { continued } from '../../lib/text.ts';
import { swap } from '../change.ts';
import { leave, on } from '../keys/binding.ts';
import type { LayerKind } from './kind.ts';
import type { LayerOf } from './layer.ts';
import { stepKeys } from './stepping.ts';

/** Lines to read and copy. */
export const text: LayerKind<LayerOf<'text'>> = {
  keys: ({ title, lines }) => [
    ...stepKeys(true),
    on(['y'], 'copy', { do: 'copy', what: continued(title), text: copiedLines(lines) }, 1),
    leave(['esc', 'q', 'return', 'backspace']),
  ],
  takesText: () => false,
  update: {
    step: (state, layer, { by }) => ({
      state: swap(state, { ...layer, top: Math.max(0, Math.min(layer.lines.length - 1, layer.top + by)) }),
    }),
  },
};
