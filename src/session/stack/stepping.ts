import { plain } from '../../lib/painted.ts';
import type { Line as SceneLine } from '../../scene/scene.ts';
import type { Theme } from '../../scene/theme.ts';
import { typing } from '../../scene/typing.ts';
import { type EditedLine, edit, insert } from '../keyboard/line.ts';
import { type Binding, leave, on } from '../state/binding.ts';
import type { Layer } from '../state/layer.ts';
import type { Next } from '../state/moment.ts';
import type { State } from '../state/state.ts';
import { swap } from '../state/state-changes.ts';
import type { TypedText } from './kind.ts';

/** Bindings that move a cursor through rows, or lines; `letters`: with letter keys, where no text is typed. `hint`: the place of one line and one page down in the footer. */
export const stepKeys = (letters: boolean, hint?: number): Binding[] => {
  const step = (keys: string[], title: string, by: number) =>
    on(keys, title, { type: 'moveInLayer', by }, by > 0 && by < 1e9 ? hint : undefined, { group: 'move' });
  return [
    step(letters ? ['j', 'down'] : ['down', 'ctrl+n'], 'down', 1),
    step(letters ? ['k', 'up'] : ['up', 'ctrl+p'], 'up', -1),
    step(letters ? ['ctrl+d', 'pagedown'] : ['pagedown'], 'page down', 10),
    step(letters ? ['ctrl+u', 'pageup'] : ['pageup'], 'page up', -10),
    ...(letters ? [step(['g', 'home'], 'top', -1e9), step(['G', 'end'], 'bottom', 1e9)] : []),
  ];
};

/** What a pick list takes besides its text: `/` before the first letter as in lists, and Backspace leaves only then. */
export const textKeys = ({ typing, query }: { readonly typing: boolean; readonly query: EditedLine }): Binding[] =>
  typing || query.text !== ''
    ? [leave(['esc'])]
    : [on(['/'], 'filter', { type: 'startTyping' }), leave(['esc', 'backspace'])];

/** Moves the cursor of the layer on top by rows, within their bounds. */
export const stepped = (state: State, layer: Extract<Layer, { cursor: number }>, by: number, rows: number): Next => ({
  state: swap(state, { ...layer, cursor: Math.max(0, Math.min(rows - 1, layer.cursor + by)) }),
});

/** The line after text or an editing key. */
export const typedLine = (line: EditedLine, { text, key }: TypedText): EditedLine =>
  text !== '' ? insert(line, text) : (edit(line, key) ?? line);

/** The line after `/` in which a text is typed, in place of the message. */
export const promptLine = (line: EditedLine, width: number, theme: Theme): SceneLine<never> => ({
  spans: [{ text: plain` /`, tone: 'info' }, ...typing(line, Math.max(10, width - 3), theme)],
  role: 'prompt',
});
