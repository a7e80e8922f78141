import { copiedExactly } from '../../lib/copied-text.ts';
import { paint } from '../../lib/paint.ts';
import { plain, repeated } from '../../lib/painted.ts';
import { graphemes, wrap } from '../../lib/text.ts';
import { asLines, type Spans } from '../../scene/scene.ts';
import { lined } from '../../scene/speech.ts';
import type { LayerKind } from '../stack/kind.ts';
import { leave, on } from '../state/binding.ts';
import type { LayerOf } from '../state/layer.ts';
import { pop, swap } from '../state/state-changes.ts';

/** A secret that is shown once: masked until revealed; leaving it without a copy takes a second key press. */
export const secret: LayerKind<LayerOf<'secret'>> = {
  keys: (layer) => [
    on(['y'], 'copy (hidden)', { type: 'copySecret' }, 1),
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
    const lines: Spans[] = [
      [],
      [{ text: plain`  ` }, { text: value, tone: 'strong' }],
      [],
      ...secret.notes.flatMap((note) =>
        wrap(paint(note), Math.max(10, width - 4)).map((text): Spans => [{ text: plain`  ${text}` }]),
      ),
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
