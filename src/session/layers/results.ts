import { pop } from '../change.ts';
import { question } from '../edit/begin.ts';
import { canUndo } from '../edit/pending.ts';
import { leave, on } from '../keys/binding.ts';
import type { State } from '../state.ts';
import type { LayerKind } from './kind.ts';
import type { LayerOf } from './layer.ts';
import { stepKeys } from './stepping.ts';

/** The outcome of a bulk edit for each row. */
export const results: LayerKind<LayerOf<'results'>> = {
  keys: (layer, state) => [
    ...stepKeys(true),
    on(['r'], 'retry failed', { do: 'retry' }, 1, {
      refused: layer.results.every((result) => result.ok) ? 'none failed' : undefined,
    }),
    on(['u'], 'undo the rest', { do: 'undo' }, 2, { refused: whyNotUndone(layer, state) }),
    leave(['esc', 'q', 'return', 'backspace']),
  ],
  takesText: () => false,
  rows: (layer) => layer.results,
  update: {
    retry(state, layer, _, world) {
      const rows = layer.results.filter((result) => !result.ok).map((result) => result.row);
      return question(pop(state), { ...layer.pending, rows }, world);
    },
  },
};

/** Why `u` does not undo the rows that it was applied to: another edit would be undone, or they are undone by now. */
function whyNotUndone({ results, pending }: LayerOf<'results'>, state: State): string | undefined {
  if (state.undoableUnderWay > 0 || state.rowsUnderWay.all > 0) return 'rows are still being sent';
  const last = state.undo.at(-1);
  const done = new Set(results.filter(({ ok }) => ok).map(({ id }) => id));
  const isIts =
    last?.forward.action.id === pending.action.id && canUndo(last) && last.steps.every(({ id }) => done.has(id));
  return isIts ? undefined : 'nothing of it to undo';
}
