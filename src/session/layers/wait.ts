import { paint } from '../../lib/paint.ts';
import { plain } from '../../lib/painted.ts';
import { asLines } from '../../scene/scene.ts';
import type { LayerKind } from '../stack/kind.ts';
import { leave } from '../state/binding.ts';
import type { LayerOf } from '../state/layer.ts';

/** Waits for the read that an action needs, or for the keys of a profile that is opened; whoever leaves it gets neither. */
export const wait: LayerKind<LayerOf<'wait'>> = {
  keys: () => [leave(['esc', 'q', 'backspace'])],
  place: 'body',
  lines: ({ title, pending }) => ({
    title: [{ text: paint(title), bold: true }],
    lines: asLines([[{ text: pending ? plain` Loading current values` : plain` Reading its keys`, tone: 'dim' }]]),
  }),
  takesText: () => false,
  update: {},
};
