import type { Tone } from '../../describe/column.ts';
import { layoutText } from '../../lib/detail-page.ts';
import { copiedExactly, copiedLines, paint, paintLines } from '../../lib/paint.ts';
import { type Painted, plain, repeated } from '../../lib/painted.ts';
import { continued, graphemes, wrap } from '../../lib/text.ts';
import { asLines, type Line, type Spans } from '../../scene/scene.ts';
import { lined } from '../../scene/span.ts';
import { geometry } from '../rows/geometry.ts';
import { type LayerKind, stepKeys } from '../stack/kind.ts';
import { leave, on } from '../state/moment.ts';
import type { LayerOf } from '../state/state.ts';
import { pop, swap } from '../state/state-changes.ts';

/** Lines to read and copy, without border or margin over the whole width, so that the terminal's own selection copies them clean. */
export const textLayer: LayerKind<LayerOf<'text'>> = {
  keys: ({ title, lines }) => [
    ...stepKeys(true),
    on(['y'], 'copy', { type: 'copyText', what: continued(title), text: copiedLines(lines) }, 1),
    leave(['esc', 'q', 'return', 'backspace']),
  ],
  place: 'body',
  isBare: true,
  lines({ title, lines, top }, { state: { size } }, { width, height }) {
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
        // Scrolled by the rows of the terminal, whatever the width in which it is heard.
        remarks: [
          {
            about: 'line',
            text: (top > 0 && layoutText(lines.map(paint), size.columns)[top]) || plain``,
            token: `${top}`,
          },
        ],
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

/** A secret that is shown once: masked until revealed; leaving it without a copy takes a second key press. */
export const secret: LayerKind<LayerOf<'secret'>> = {
  keys: (layer) => [
    on(['y'], layer.shown ? 'copy' : 'copy (hidden)', { type: 'copySecret' }, 1),
    on(['r'], layer.shown ? 'hide' : 'reveal', { type: 'toggleSecret' }, 2),
    {
      ...leave(['esc', 'q'], layer.copied || layer.leaving ? 'leave' : 'close (never shown again)'),
      deliberate: layer.leaving && !layer.copied,
    },
  ],
  place: 'body',
  lines({ secret, shown, copied, leaving }, _, { width, theme }) {
    const length = Math.min(40, graphemes(secret.value).length);
    const value = shown ? paint(secret.value) : repeated(theme.glyphs.mask, length);
    const wrapped = (text: Painted, tone?: Tone) =>
      wrap(text, Math.max(10, width - 4)).map((line): Spans => [{ text: plain`  ` }, { text: line, tone }]);
    const lines: Spans[] = [
      [],
      ...wrapped(value, 'strong'),
      [],
      ...secret.notes.flatMap((note) => wrapped(paint(note))),
      [],
      [{ text: copied ? plain`  Copied` : plain`  Shown only once`, tone: copied ? 'good' : 'warn' }],
      ...(leaving && !copied
        ? [[{ text: plain`  Not copied yet: Esc again closes for good`, tone: 'bad' as const }]]
        : []),
    ];
    const how = plain`Shown once and never again. y copies it, r reads it out, Esc leaves`;
    const warning = plain`Warning: not copied. Esc again leaves, and it is gone`;
    return {
      title: [{ text: paint(secret.title), bold: true }],
      lines: asLines(lines),
      speech: () => ({
        title: lined([paint(secret.title), ...secret.notes.map(paint)]),
        remarks: [
          { about: 'state', text: copied ? plain`Copied` : how },
          { about: 'value', text: shown ? plain`It is: ${paint(secret.value)}` : plain`` },
          { about: 'leaving', text: leaving && !copied ? warning : plain`` },
        ],
      }),
    };
  },
  takesText: () => false,
  question: (layer) => (layer.leaving && !layer.copied ? layer.secret : undefined),
  update: {
    closeLayer: (state, layer) => ({
      state: layer.copied || layer.leaving ? pop(state) : swap(state, { ...layer, leaving: true }),
    }),
    toggleSecret: (state, layer) => ({ state: swap(state, { ...layer, shown: !layer.shown }) }),
    copySecret: (state, layer) => ({
      state: swap(state, { ...layer, copied: true }),
      effects: [{ ask: 'copy', what: layer.secret.title, text: copiedExactly(layer.secret.value) }],
    }),
  },
};
