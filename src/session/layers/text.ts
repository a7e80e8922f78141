import { copiedLines } from '../../lib/copied.ts';
import { layoutText } from '../../lib/detail-lines.ts';
import { paint } from '../../lib/paint.ts';
import { continued } from '../../lib/text.ts';
import { swap } from '../change.ts';
import { leave, on } from '../keys/binding.ts';
import { geometry } from '../list/geometry.ts';
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
    step(state, layer, { by }) {
      const { size } = state;
      // The title and a message of two lines.
      const room = geometry(size, { lines: 0 }).bodyRows - 2;
      const last = Math.max(0, layoutText(layer.lines.map(paint), size.columns).length - room);
      return { state: swap(state, { ...layer, top: Math.max(0, Math.min(last, layer.top + by)) }) };
    },
  },
};
