import { pop } from '../change.ts';
import { question } from '../edit/begin.ts';
import { withRows } from '../edit/parts.ts';
import { leave, on } from '../keys/binding.ts';
import type { LayerKind } from './kind.ts';
import type { LayerOf } from './layer.ts';
import { stepKeys } from './stepping.ts';

/** The outcome of a bulk edit for each row. */
export const results: LayerKind<LayerOf<'results'>> = {
  keys: (layer) => [
    ...stepKeys(true),
    on(['r'], 'retry failed', { do: 'retry' }, 1, {
      refused: layer.results.every((result) => result.ok) ? 'none failed' : undefined,
    }),
    leave(['esc', 'q', 'return', 'backspace']),
  ],
  takesText: () => false,
  rows: (layer) => layer.results,
  update: {
    retry(state, layer, _, world) {
      const rows = layer.results.filter((result) => !result.ok).map((result) => result.row);
      return question(pop(state), withRows(layer.pending, rows), world);
    },
  },
};
