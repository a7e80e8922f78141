import type { Pick } from '../../describe/pick.ts';
import { flash, swap } from '../change.ts';
import { pickedFirst, question } from '../edit/begin.ts';
import { withContext } from '../edit/pending.ts';
import { on } from '../keys/binding.ts';
import { matcher } from '../list/filter.ts';
import { tooOldToEdit } from '../list/sleep.ts';
import type { Message } from '../message.ts';
import type { State } from '../state.ts';
import type { Next, World } from '../world.ts';
import type { LayerKind } from './kind.ts';
import type { LayerOf } from './layer.ts';
import { stepKeys, stepped, textKeys, typedLine } from './stepping.ts';

type PickLayer = LayerOf<'pick'>;

/** A picker of one value, searched by the service. */
export const pick: LayerKind<PickLayer> = {
  keys(layer) {
    return [on(['return'], 'select', { do: 'choose' }, 1), ...textKeys(layer), ...stepKeys(false)];
  },
  takesText: () => true,
  rows: (layer, world) => pickRows(layer, world.picks(layer)),
  reads: ({ picker, asked }) => picker.load(asked),
  typed(state, layer, typed) {
    const query = typedLine(layer.query, typed);
    const next = { ...withoutWait(layer), query };
    if (query.text === layer.query.text) return { state: swap(state, next) };
    return {
      state: swap(state, { ...next, typing: true, cursor: 0 }),
      effects: [{ ask: 'later', ms: askAfterMs, message: { do: 'asked', typed: query.text } }],
    };
  },
  update: {
    step: (state, layer, { by }, world) =>
      stepped(state, withoutWait(layer), by, pickRows(layer, world.picks(layer)).length),
    typing: (state, layer) => ({ state: swap(state, { ...withoutWait(layer), typing: true }) }),
    asked: (state, layer, { typed }) =>
      layer.query.text === typed ? { state: swap(state, { ...layer, asked: typed, cursor: 0 }) } : { state },
    choose: (state, layer, _, world) => took(state, layer, pickRows(layer, world.picks(layer))[layer.cursor], world),
  },
};

/** Milliseconds from the last letter to the search. */
export const askAfterMs = 250;

/** Handles a pick: as the action's values, or as its first pick. */
function took(state: State, layer: PickLayer, picked: Pick | undefined, world: World): Next {
  if (!picked) return { state };
  if (picked === unknownMe) return { state: swap(state, { ...layer, waitsForMe: true }) };
  const { picker, pending } = layer;
  const recent = picker.things
    ? state.recent
    : [picked, ...state.recent.filter((one) => one.id !== picked.id)].slice(0, 8);
  const values = picker.values(picked);
  const next = { ...state, recent };
  if (layer.isFirst) return pickedFirst(next, { ...pending, pickedAs: picked.label }, values, world);
  return question(next, { ...pending, values }, world);
}

/** The rows of a picker: its fixed ones that match, then those of the service. Of kinds, those that match by their name first. */
export function pickRows(layer: PickLayer, answered: readonly Pick[]): readonly Pick[] {
  const test = matcher(layer.query.text);
  const fits = ({ label, hint = '' }: Pick) => !test || test(`${label} ${hint}`.toLowerCase());
  const { first: fixed, asksMe } = layer.picker;
  const found = (asksMe ? [unknownMe, ...fixed] : fixed).filter(fits);
  const isNamed = ({ label }: Pick) => test?.(label.toLowerCase()) === true;
  const first = layer.isFirst ? found.toSorted((one, other) => Number(isNamed(other)) - Number(isNamed(one))) : found;
  const taken = new Set(first.map((one) => one.id));
  // Until the service has answered this text, its last answer is filtered here.
  const isAnswered = layer.asked === layer.query.text;
  return [...first, ...answered.filter((one) => !taken.has(one.id) && (isAnswered || fits(one)))];
}

/** The row `me`, shown until the owner of the keys has been read. */
const unknownMe: Pick = { id: '', label: 'you', hint: 'reading who you are' };

/** Any other key cancels a pick that waits. */
const withoutWait = (layer: PickLayer): PickLayer => (layer.waitsForMe ? { ...layer, waitsForMe: false } : layer);

/**
 * The read of the keys' owner has ended: open pickers are made again, with their text and the row under the cursor kept.
 * A pick of you that waits is done now, or a flash says why it cannot be.
 */
export function ownerRead(state: State, message: Extract<Message, { do: 'ownerRead' }>, world: World): Next {
  if (!state.layers.some((layer) => layer.kind === 'pick')) return { state };
  const layers = state.layers.map((layer) => (layer.kind === 'pick' ? madeAgain(layer, world) : layer));
  const next = { ...state, layers };
  const before = state.layers.at(-1);
  const top = layers.at(-1);
  if (before?.kind !== 'pick' || !before.waitsForMe || top?.kind !== 'pick') return { state: next };
  const mine = meIn(top, world);
  if (!mine) {
    const why = message.trouble ?? 'the service does not report who you are';
    return { state: flash(next, `Nothing was done: ${why}`, 'warn', world.context.now) };
  }
  if (tooOldToEdit(state, { do: 'choose' }, world.view) !== undefined) return { state: next };
  return took(next, top, mine, world);
}

function madeAgain(layer: PickLayer, world: World): PickLayer {
  const { action, rows } = layer.pending;
  const context = withContext(world.context, layer.pending);
  const picker = layer.isFirst ? action.first?.(rows[0], context) : action.pick?.(rows, context);
  if (!picker) return layer;
  const next: PickLayer = { ...layer, picker, waitsForMe: false };
  const answered = world.picks(layer);
  const before = pickRows(layer, answered)[layer.cursor];
  const now = before === unknownMe ? meIn(next, world) : before;
  return {
    ...next,
    cursor: Math.max(
      0,
      pickRows(next, answered).findIndex((one) => one.id === now?.id),
    ),
  };
}

function meIn({ picker, pending }: PickLayer, { context }: World): Pick | undefined {
  const { me } = withContext(context, pending);
  return me && picker.first.find(({ id }) => id === me.id);
}
