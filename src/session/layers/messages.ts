import { push } from '../change.ts';
import { leave, on } from '../keys/binding.ts';
import { withoutNotices } from '../log.ts';
import { fullText } from '../trouble.ts';
import type { LayerKind } from './kind.ts';
import type { LayerOf } from './layer.ts';
import { stepKeys } from './stepping.ts';

/** The messages of this run, the newest first; notices that wait for a person stand above them. */
export const messages: LayerKind<LayerOf<'messages'>> = {
  // The notices that wait are the first rows.
  keys: ({ cursor }, { notices }) => [
    ...stepKeys(true),
    on(['return'], 'show in full', { do: 'choose' }, 1),
    on(['d'], 'dismiss the notice', { do: 'dismiss' }, cursor < notices.length ? 2 : undefined),
    leave(['esc', 'q', '!', 'backspace']),
  ],
  takesText: () => false,
  rows: (_, world) => world.messages,
  update: {
    choose(state, layer, _, world) {
      const message = world.messages[layer.cursor];
      if (!message) return { state };
      const lines = fullText(message, world);
      return { state: push(state, { kind: 'text', title: 'Message', lines, top: 0 }) };
    },
    dismiss(state, layer, _, world) {
      const notice = world.messages[layer.cursor]?.notice;
      return { state: notice === undefined ? state : withoutNotices(state, [notice]) };
    },
  },
};
