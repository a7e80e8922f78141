import { paint } from '../../lib/paint.ts';
import { plain } from '../../lib/painted.ts';
import { linesOf } from '../../scene/scene.ts';
import { leave } from '../keys/binding.ts';
import type { LayerKind } from './kind.ts';
import type { LayerOf } from './layer.ts';

/** Waits for the read that an action needs, or for the keys of a profile that is opened; whoever leaves it gets neither. */
export const wait: LayerKind<LayerOf<'wait'>> = {
  keys: () => [leave(['esc', 'q', 'backspace'])],
  place: 'body',
  lines: ({ title, pending }) => ({
    title: [{ text: paint(title), bold: true }],
    lines: linesOf([[{ text: pending ? plain` Loading current values` : plain` Reading its keys`, tone: 'dim' }]]),
  }),
  takesText: () => false,
  update: {},
};
