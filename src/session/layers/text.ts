import { copiedLines } from '../../lib/copied-text.ts';
import { layoutText } from '../../lib/detail-lines.ts';
import { paint, paintLines } from '../../lib/paint.ts';
import { plain } from '../../lib/painted.ts';
import { continued } from '../../lib/text.ts';
import { asLines, type Line } from '../../scene/scene.ts';
import { lined } from '../../scene/speech.ts';
import { geometry } from '../rows/geometry.ts';
import type { LayerKind } from '../stack/kind.ts';
import { stepKeys } from '../stack/stepping.ts';
import { leave, on } from '../state/binding.ts';
import type { LayerOf } from '../state/layer.ts';
import { swap } from '../state/state-changes.ts';

/** Lines to read and copy, without border or margin over the whole width, so that the terminal's own selection copies them clean. */
export const textLayer: LayerKind<LayerOf<'text'>> = {
  keys: ({ title, lines }) => [
    ...stepKeys(true),
    on(['y'], 'copy', { type: 'copyText', what: continued(title), text: copiedLines(lines) }, 1),
    leave(['esc', 'q', 'return', 'backspace']),
  ],
  place: 'body',
  isBare: true,
  lines({ title, lines, top }, _, { width, height }) {
    const room = Math.max(0, height - 1);
    const laid = layoutText(lines.map(paint), width);
    const from = Math.max(0, Math.min(top, laid.length - room));
    const shown = laid.slice(from, from + room);
    const place = laid.length > room ? plain` ${from + 1}-${from + shown.length}/${laid.length}` : plain``;
    const head: Line<never> = {
      spans: [
        { text: paint(title), tone: 'strong' },
        { text: place, tone: 'dim' },
      ],
      role: 'title',
    };
    return {
      title: [],
      lines: [head, ...asLines(shown.map((text) => [{ text }]))],
      speech: () => ({
        title: lined([plain`${paint(title)}:`, ...lines.flatMap((line) => paintLines(line))]),
        remarks: [{ about: 'line', text: top === 0 ? plain`` : paint(lines[top]), token: `${top}` }],
      }),
    };
  },
  isShowing: true,
  takesText: () => false,
  update: {
    moveInLayer(state, layer, { by }) {
      const { size } = state;
      // The title and a message of two lines.
      const room = geometry(size, { lines: 0 }).bodyRows - 2;
      const last = Math.max(0, layoutText(layer.lines.map(paint), size.columns).length - room);
      return { state: swap(state, { ...layer, top: Math.max(0, Math.min(last, layer.top + by)) }) };
    },
  },
};
