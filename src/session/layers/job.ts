import { flash, pop, push, swap, withOwn } from '../change.ts';
import type { Message } from '../message.ts';
import type { JobLayer, State } from '../state.ts';
import type { Next, World } from '../world.ts';

/**
 * Long work has ended: its layer shows how, wherever it lies; without it the flash line does. The cursor goes to the row
 * that it has made, which has its place in the order as soon as it is read.
 */
export function jobDone(before: State, message: Extract<Message, { do: 'jobDone' }>, world: World): Next {
  const { list } = world.view;
  const isOurs = list.actions.some((it) => message.id.startsWith(`${it.id} `));
  const state =
    message.made !== undefined && isOurs
      ? withOwn(before, list, { order: { key: '', ids: [] }, cursor: message.made })
      : before;
  const at = state.layers.findIndex((it) => it.kind === 'job' && it.id === message.id);
  const said = flash(state, message.text, message.ok ? 'good' : 'bad', world.context.now);
  const layer = state.layers[at];
  if (layer?.kind !== 'job') return { state: without(said, message.id) };
  if (at === state.layers.length - 1)
    return { state: swap(said, { ...layer, ended: { ok: message.ok, text: message.text } }) };
  return {
    state: {
      ...said,
      layers: state.layers.map((it, place) =>
        place === at ? { ...layer, ended: { ok: message.ok, text: message.text } } : it,
      ),
    },
  };
}

const without = (state: State, id: string): State => ({
  ...state,
  behind: (state.behind ?? []).filter((it) => it.id !== id),
});

/** The layer of long work is left. While it goes on it can be come back to. */
export function leaveJob(state: State, layer: JobLayer): State {
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
  if (!state.behind?.some((it) => it.id === id)) return state;
  return { ...state, behind: state.behind.map((it) => (it.id === id ? { ...it, progress } : it)) };
}
