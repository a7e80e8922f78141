import type { Pick } from '../../describe/action.ts';
import { took } from '../form/form.ts';
import { matcher } from '../list/filter.ts';
import type { Layer, State } from '../state.ts';
import type { World } from '../world.ts';

type Take = Extract<Layer, { kind: 'take' }>;

/**
 * What the list of a field shows: what is taken, then what the service offers for what is typed. Where the service
 * brings everything at once, what was taken when the list was opened comes first, and nothing moves while it is open.
 */
export function takeRows(layer: Take, answered: readonly Pick[]): readonly Pick[] {
  const test = matcher(layer.query.text);
  const fits = (it: Pick) => !test || test(`${it.label} ${it.hint ?? ''} ${it.id}`.toLowerCase());
  const taken = layer.several ? layer.taken.filter(fits) : [];
  const isWhole = layer.picks(layer.asked).whole === true;
  const inPlace = new Set(isWhole ? answered.map((it) => it.id) : []);
  const before = new Set(isWhole ? layer.opened : []);
  const first = [...taken.filter((it) => !inPlace.has(it.id)), ...answered.filter((it) => before.has(it.id))];
  const ids = new Set(first.map((it) => it.id));
  const offered = answered.filter((it) => !ids.has(it.id) && (layer.asked === layer.query.text || fits(it)));
  const typed = layer.query.text.trim();
  const own =
    layer.free && typed !== '' && ![...first, ...offered].some((it) => it.id === typed)
      ? [{ id: typed, label: typed, hint: 'as typed' }]
      : [];
  return [...first, ...offered, ...own];
}

/** Takes or leaves the row under the cursor. */
export function toggled(layer: Take, world: World): Take {
  const pick = takeRows(layer, world.picks(layer))[layer.cursor];
  if (!pick || !layer.several) return layer;
  const isTaken = layer.taken.some((it) => it.id === pick.id);
  const taken = isTaken
    ? layer.taken.filter((it) => it.id !== pick.id)
    : [...layer.taken, { id: pick.id, label: pick.label }];
  const rows = takeRows({ ...layer, taken }, world.picks(layer));
  const place = rows.findIndex((it) => it.id === pick.id);
  // What is left goes back among the offered, unless it stands in its place: the cursor stays where it is.
  const stays = isTaken && place !== layer.cursor;
  return { ...layer, taken, cursor: Math.max(0, stays ? Math.min(layer.cursor, rows.length - 1) : place) };
}

/** Return: of several, all that are taken; of one, the row under the cursor. The form below has it. */
export function taken(state: State, layer: Take, world: World): State {
  const form = state.layers.at(-2);
  if (form?.kind !== 'form') return state;
  const pick = takeRows(layer, world.picks(layer))[layer.cursor];
  const all = layer.several ? layer.taken : pick ? [{ id: pick.id, label: pick.label }] : [];
  if (!layer.several && all.length === 0) return state;
  return { ...state, layers: [...state.layers.slice(0, -2), took(form, layer.name, all)] };
}
