import { flash } from '../change.ts';
import { withContext } from '../edit/pending.ts';
import { isFromBeforeSleep } from '../list/sleep.ts';
import type { Message } from '../message.ts';
import type { Layer, State } from '../state.ts';
import type { Next, World } from '../world.ts';
import { choose } from './choose.ts';
import { pickRows } from './matching.ts';

type PickLayer = Extract<Layer, { kind: 'pick' }>;

/**
 * Who I am was answered, or was not: pickers that opened before are made again, with every letter kept and the same row
 * under the cursor. A wish for me that was pressed ahead is done now, or the reason is told why it cannot be.
 */
export function knewMe(state: State, message: Extract<Message, { do: 'knewMe' }>, world: World): Next {
  if (!state.layers.some((it) => it.kind === 'pick')) return { state };
  const layers = state.layers.map((it) => (it.kind === 'pick' ? madeAgain(it, world) : it));
  const next = { ...state, layers };
  const before = state.layers.at(-1);
  const top = layers.at(-1);
  if (before?.kind !== 'pick' || !before.wished || top?.kind !== 'pick') return { state: next };
  if (!top.picker.quick?.pick) {
    const why = message.trouble ?? 'the deployment does not tell who you are';
    return { state: flash(next, `nothing was done: ${why}`, 'warn', world.context.now) };
  }
  if (isFromBeforeSleep(state, { do: 'quickPick' }, world.view)) return { state: next };
  return choose(next, top, { do: 'quickPick' }, world);
}

function madeAgain(layer: PickLayer, world: World): PickLayer {
  const { action, rows } = layer.pending;
  const context = withContext(world.context, layer.pending);
  const picker = layer.isFirst ? action.first?.(rows[0], context) : action.pick?.(rows, context);
  if (!picker) return layer;
  const next: PickLayer = { ...layer, picker, wished: false };
  const answered = world.picks(layer);
  const at = pickRows(layer, answered)[layer.cursor]?.id;
  const place = pickRows(next, answered).findIndex((it) => it.id === at);
  return { ...next, cursor: at === undefined ? 0 : Math.max(0, place) };
}

/** Anything but waiting takes the wish for me back. */
export function unwished(layer: Layer, message: Message): Layer {
  if (layer.kind !== 'pick' || !layer.wished) return layer;
  return moves.includes(message.do) ? { ...layer, wished: false } : layer;
}

const moves: readonly Message['do'][] = ['type', 'paste', 'step', 'typing'];
