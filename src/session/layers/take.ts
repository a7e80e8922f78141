import type { Pick } from '../../describe/pick.ts';
import { paint } from '../../lib/paint.ts';
import { plain } from '../../lib/painted.ts';
import { cells, fit } from '../../lib/text.ts';
import type { Spans } from '../../scene/scene.ts';
import { listTexts, type Speech } from '../../scene/speech.ts';
import { typing } from '../../scene/typing.ts';
import { matcher, nearestFirst } from '../rows/filter.ts';
import type { LayerKind } from '../stack/kind.ts';
import { placeIn, rowLines } from '../stack/row-lines.ts';
import { stepKeys, textKeys } from '../stack/stepping.ts';
import { on } from '../state/binding.ts';
import type { LayerOf } from '../state/layer.ts';
import type { Moment } from '../state/moment.ts';
import type { State } from '../state/state.ts';
import { swap } from '../state/state-changes.ts';
import { took } from './form-steps.ts';
import { noPick, pickNotes, pickSpeech, searchDue, typedQuery } from './pick.ts';

type Take = LayerOf<'take'>;

/** The pick list of one form field: takes one value, or several. */
export const take: LayerKind<Take> = {
  keys(layer) {
    return [
      on(['return'], layer.several ? 'confirm' : 'select', { type: 'choose' }, 1),
      ...(layer.several ? [on(['space'], 'toggle', { type: 'toggleChoice' }, 2)] : []),
      ...textKeys(layer),
      ...stepKeys(false),
    ];
  },
  place: 'body',
  lines(layer, now, room) {
    const { several, taken, title, query } = layer;
    const { width, height, theme } = room;
    const picks = takeRows(layer, now.picks(layer));
    const cursor = Math.max(0, Math.min(layer.cursor, picks.length - 1));
    const list = { ...room, height: height - 1 };
    const prompt: Spans =
      layer.typing || query.text !== ''
        ? [{ text: plain` /`, tone: 'info' }, ...typing(query, Math.max(10, width - 6), theme)]
        : [{ text: plain` type to filter`, tone: 'dim' }];
    const rows = pickSpans(layer, picks, width);
    return {
      title: [
        { text: paint(title), bold: true },
        { text: several ? plain` ${taken.length} selected` : plain``, tone: 'dim' },
      ],
      foot: pickNotes(layer, now, rows.length > 0),
      footRight: placeIn(rows.length, cursor, list.height),
      speech: () => takeSpeech(layer, picks, now),
      lines: [
        { spans: prompt, role: 'prompt' },
        ...(rows.length > 0
          ? rowLines({ rows, cursor, choose: { type: several ? 'toggleChoice' : 'choose' } }, now, list)
          : noPick(layer, now, room)),
      ],
    };
  },
  takesText: () => true,
  rows: (layer, world) => takeRows(layer, world.picks(layer)),
  reads: (layer) => layer.picks(layer.asked),
  typed: typedQuery,
  update: {
    startTyping: (state, layer) => ({ state: swap(state, { ...layer, typing: true }) }),
    searchDue,
    toggleChoice: (state, layer, _, world) => ({ state: swap(state, toggled(layer, world)) }),
    choose: (state, layer, _, world) => ({ state: taken(state, layer, world) }),
  },
};

function takeSpeech(layer: Take, picks: readonly Pick[], now: Moment): Speech {
  const ids = new Set(layer.taken.map(({ id }) => id));
  const how = layer.several ? plain`Space selects or clears, Enter confirms` : plain`Enter selects`;
  const texts = picks.map(({ id, label, hint = '' }) =>
    listTexts([ids.has(id) ? plain`selected` : plain``, paint(label), paint(hint)]),
  );
  return {
    title: plain`${paint(layer.title)}. Type to filter, Up and Down move, ${how}, Esc goes back`,
    ...pickSpeech(layer, texts, now),
  };
}

/** The rows of a pick list as they are drawn: taken ones have a cross. */
function pickSpans({ several, taken }: Take, picks: readonly Pick[], width: number): readonly Spans[] {
  const ids = new Set(taken.map(({ id }) => id));
  // Hints stand below each other where no label is so long that they would be far from theirs.
  const wide = picks.map(({ label }) => cells(paint(label))).filter((one) => one <= (width + 2) / 2);
  const labelCells = Math.max(...wide, 0);
  return picks.map(({ id, label, hint }) => [
    { text: several ? plain`[${ids.has(id) ? plain`x` : plain` `}] ` : plain`` },
    { text: hint && cells(paint(label)) < labelCells ? fit(paint(label), labelCells) : paint(label) },
    { text: hint ? plain`  ${paint(hint)}` : plain``, tone: 'dim' },
  ]);
}

/**
 * The rows of a pick list: those taken, then the service's answer to the query. Where the service returns everything at
 * once, the rows that were taken when the list was opened come first, and no row moves while it is open but by what is typed:
 * those nearest to it come first.
 */
export function takeRows(layer: Take, answered: readonly Pick[]): readonly Pick[] {
  const test = matcher(layer.query.text);
  const fits = ({ id, label, hint = '' }: Pick) => !test || test(`${label} ${hint} ${id}`.toLowerCase());
  const taken = layer.several ? layer.taken.filter(fits) : [];
  const isWhole = layer.picks(layer.asked).whole === true;
  const inPlace = new Set(isWhole ? answered.map((one) => one.id) : []);
  const before = new Set(isWhole ? layer.opened : []);
  const first = [...taken.filter((one) => !inPlace.has(one.id)), ...answered.filter((one) => before.has(one.id))];
  const ids = new Set(first.map((one) => one.id));
  const offered = answered.filter((one) => !ids.has(one.id) && (layer.asked === layer.query.text || fits(one)));
  const typed = layer.query.text.trim();
  const own =
    layer.free && typed !== '' && ![...first, ...offered].some((one) => one.id === typed)
      ? [{ id: typed, label: typed, hint: 'as typed' }]
      : [];
  return [...nearestFirst([...first, ...offered], layer.query.text), ...own];
}

/** Toggles the row under the cursor. */
function toggled(layer: Take, world: Moment): Take {
  const pick = takeRows(layer, world.picks(layer))[layer.cursor];
  if (!pick || !layer.several) return layer;
  const isTaken = layer.taken.some((one) => one.id === pick.id);
  const taken = isTaken
    ? layer.taken.filter((one) => one.id !== pick.id)
    : [...layer.taken, { id: pick.id, label: pick.label }];
  const rows = takeRows({ ...layer, taken }, world.picks(layer));
  const place = rows.findIndex((one) => one.id === pick.id);
  // A row that is no longer taken may move among the offered: the cursor stays at its place.
  const stays = isTaken && place !== layer.cursor;
  return { ...layer, taken, cursor: Math.max(0, stays ? Math.min(layer.cursor, rows.length - 1) : place) };
}

/** Handles Return: writes the taken rows, or the row under the cursor where only one is taken, into the form below. */
function taken(state: State, layer: Take, world: Moment): State {
  const form = state.layers.at(-2);
  if (form?.kind !== 'form') return state;
  const pick = takeRows(layer, world.picks(layer))[layer.cursor];
  const all = layer.several ? layer.taken : pick ? [{ id: pick.id, label: pick.label }] : [];
  if (!layer.several && all.length === 0) return state;
  return { ...state, layers: [...state.layers.slice(0, -2), took(form, layer.name, all)] };
}
