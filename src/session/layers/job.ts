import { flash, pop, push, swap, withOwn } from '../change.ts';
import { leave, on } from '../keys/binding.ts';
import type { Message } from '../message.ts';
import type { State } from '../state.ts';
import type { Next, World } from '../world.ts';
import type { LayerKind } from './kind.ts';
import type { LayerOf } from './layer.ts';

/** Long work, how far it is and how it ended. Left, it goes on. */
export const job: LayerKind<LayerOf<'job'>> = {
  keys: (layer) =>
    layer.ended
      ? [leave(['esc', 'q', 'return', 'backspace'])]
      : [
          on(['c'], layer.stopping ? 'stopping' : 'cancel', { do: 'cancelJob' }, 1, { deliberate: true }),
          leave(['esc', 'q'], 'leave it running'),
        ],
  takesText: () => false,
  update: {
    pop: (state, layer) => ({ state: leaveJob(state, layer) }),
    cancelJob: (state, layer) => ({
      state: swap(state, { ...layer, stopping: true }),
      effects: [{ ask: 'cancelJob', id: layer.id }],
    }),
  },
};

/**
 * Long work has ended: its layer shows how, wherever it lies; without it the flash line does. The cursor goes to the row
 * that it has made, which has its place in the order as soon as it is read.
 */
export function jobDone(before: State, message: Extract<Message, { do: 'jobDone' }>, world: World): Next {
  const { list } = world.view;
  const isOurs = list.actions.some((action) => message.id.startsWith(`${action.id} `));
  const state =
    message.made !== undefined && isOurs
      ? withOwn(before, list, { order: { key: '', ids: [] }, cursor: message.made })
      : before;
  const at = state.layers.findIndex((layer) => layer.kind === 'job' && layer.id === message.id);
  const said = flash(state, message.text, message.ok ? 'good' : 'bad', world.context.now);
  const layer = state.layers[at];
  if (layer?.kind !== 'job') return { state: without(said, message.id) };
  if (at === state.layers.length - 1)
    return { state: swap(said, { ...layer, ended: { ok: message.ok, text: message.text } }) };
  return {
    state: {
      ...said,
      layers: state.layers.map((other, place) =>
        place === at ? { ...layer, ended: { ok: message.ok, text: message.text } } : other,
      ),
    },
  };
}

const without = (state: State, id: string): State => ({
  ...state,
  behind: (state.behind ?? []).filter((layer) => layer.id !== id),
});

/** The layer of long work is left. While it goes on it can be come back to. */
function leaveJob(state: State, layer: LayerOf<'job'>): State {
  return layer.ended ? pop(state) : { ...pop(state), behind: [...(state.behind ?? []), layer] };
}

/** Back to the long work that was left last. */
export function openJob(state: State): State {
  const layer = state.behind?.at(-1);
  return layer ? push(without(state, layer.id), layer) : state;
}

/** How far long work is, on its layer or behind. */
export function jobMoved(state: State, { id, progress }: Extract<Message, { do: 'progress' }>): State {
  const top = state.layers.at(-1);
  if (top?.kind === 'job' && top.id === id) return swap(state, { ...top, progress });
  if (!state.behind?.some((layer) => layer.id === id)) return state;
  return { ...state, behind: state.behind.map((layer) => (layer.id === id ? { ...layer, progress } : layer)) };
}
