import { leave } from '../keys/binding.ts';
import type { LayerKind } from './kind.ts';
import type { LayerOf } from './layer.ts';

/** Waits for the read that an action needs, or for the keys of a profile that is opened; whoever leaves it gets neither. */
export const wait: LayerKind<LayerOf<'wait'>> = {
  keys: () => [leave(['esc', 'q', 'backspace'])],
  takesText: () => false,
  update: {},
};
