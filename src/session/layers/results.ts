import { paint } from '../../lib/paint.ts';
import { plain } from '../../lib/painted.ts';
import { wrap } from '../../lib/text.ts';
import { asLines, type Spans } from '../../scene/scene.ts';
import { listTexts } from '../../scene/speech.ts';
import { askOrSend } from '../edit/begin-edit.ts';
import { canUndo } from '../send/pending-edit.ts';
import type { LayerKind } from '../stack/kind.ts';
import { rowsPane } from '../stack/row-lines.ts';
import { stepKeys } from '../stack/stepping.ts';
import { leave, on } from '../state/binding.ts';
import type { LayerOf } from '../state/layer.ts';
import type { State } from '../state/state.ts';
import { pop } from '../state/state-changes.ts';

/** The outcome of a bulk edit for each row. */
export const results: LayerKind<LayerOf<'results'>> = {
  keys: (layer, state) => [
    ...stepKeys(true),
    on(['r'], 'retry failed', { type: 'retryFailed' }, 1, {
      refused: layer.results.every((result) => result.ok) ? 'none failed' : undefined,
    }),
    on(['u'], 'undo the rest', { type: 'askUndo' }, 2, { refused: whyNotUndone(layer, state) }),
    leave(['esc', 'q', 'return', 'backspace']),
  ],
  place: 'body',
  lines({ title, results, cursor }, now, room) {
    const { width, height, theme } = room;
    const rows = results.map(
      ({ ok, name, text }): Spans => [
        { text: plain`${ok ? theme.glyphs.ok : theme.glyphs.bad} `, tone: ok ? 'good' : 'bad' },
        // A receipt has the name itself.
        ...(ok && text.includes(name) ? [] : [{ text: plain`${paint(name)}  ` }]),
        { text: paint(text), tone: ok ? 'dim' : 'bad' },
      ],
    );
    const list = { ...room, height: height - refusalLines };
    const says = () =>
      results.map(({ ok, name, text }) => listTexts([ok ? plain`done` : plain`Error`, paint(name), paint(text)]));
    const pane = rowsPane({ title: paint(title), rows, says, cursor, choose: undefined, empty: plain`` }, now, list);
    const at = results[cursor];
    const refusal = at && !at.ok ? wrap(paint(at.text), width - 4).slice(0, refusalLines - 1) : [];
    const blanks = Array.from({ length: Math.max(0, list.height - pane.lines.length) + 1 }, (): Spans => []);
    return {
      ...pane,
      lines: [
        ...pane.lines,
        ...asLines(blanks),
        ...asLines(
          refusal.map((line) => [{ text: plain`   ${line}`, tone: 'bad' }]),
          'problem',
        ),
      ],
    };
  },
  isShowing: true,
  takesText: () => false,
  rows: (layer) => layer.results,
  update: {
    retryFailed(state, layer, _, world) {
      const rows = layer.results.filter((result) => !result.ok).map((result) => result.row);
      return askOrSend(pop(state), { ...layer.pending, rows }, world);
    },
  },
};

/** Lines under the results for the whole refusal of the row under the cursor, one of them empty. */
const refusalLines = 4;

/** Why `u` does not undo the rows that it was applied to: another edit would be undone, or they are undone by now. */
function whyNotUndone({ results, pending }: LayerOf<'results'>, state: State): string | undefined {
  if (state.undoableUnderWay > 0 || state.rowsUnderWay.all > 0) return 'rows are still being sent';
  const last = state.undo.at(-1);
  const done = new Set(results.filter(({ ok }) => ok).map(({ id }) => id));
  const isIts =
    last?.forward.action.id === pending.action.id && canUndo(last) && last.steps.every(({ id }) => done.has(id));
  return isIts ? undefined : 'nothing in it to undo';
}
