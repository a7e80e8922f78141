import { copiedExactly } from '../../lib/copied.ts';
import { pop, swap } from '../change.ts';
import { leave, on } from '../keys/binding.ts';
import type { LayerKind } from './kind.ts';
import type { LayerOf } from './layer.ts';

/** A secret that is shown once: masked until revealed; leaving it without a copy takes a second key press. */
export const secret: LayerKind<LayerOf<'secret'>> = {
  keys: (layer) => [
    on(['y'], 'copy (hidden)', { do: 'copySecret' }, 1),
    on(['r'], layer.shown ? 'hide' : 'reveal', { do: 'reveal' }, 2),
    {
      ...leave(['esc', 'q'], layer.copied || layer.leaving ? 'leave' : 'close (never shown again)'),
      deliberate: layer.leaving && !layer.copied,
    },
  ],
  takesText: () => false,
  question: (layer) => (layer.leaving && !layer.copied ? layer.secret : undefined),
  update: {
    pop: (state, layer) => ({
      state: layer.copied || layer.leaving ? pop(state) : swap(state, { ...layer, leaving: true }),
    }),
    reveal: (state, layer) => ({ state: swap(state, { ...layer, shown: !layer.shown }) }),
    copySecret: (state, layer) => ({
      state: swap(state, { ...layer, copied: true }),
      effects: [{ ask: 'copy', what: layer.secret.title, text: copiedExactly(layer.secret.value) }],
    }),
  },
};
