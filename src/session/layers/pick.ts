import type { Tone } from '../../describe/column.ts';
import type { Pick } from '../../describe/picks.ts';
import { readOutlook } from '../../describe/receipt.ts';
import { paint } from '../../lib/paint.ts';
import { type Painted, plain } from '../../lib/painted.ts';
import { cells, fit, wrap } from '../../lib/text.ts';
import { asLines, type Line, menuRows, type Spans } from '../../scene/scene.ts';
import { listTexts, type Room, type Speech, spanText, typing } from '../../scene/span.ts';
import { askOrSend, pickedFirst } from '../edit/begin-edit.ts';
import { matcher, nearestFirst } from '../rows/visible-list.ts';
import { withContext } from '../send/pending-edit.ts';
import {
  type LayerKind,
  menuLines,
  placeIn,
  rowLines,
  sameRow,
  stepKeys,
  stepped,
  type TypedText,
  textKeys,
  typedLine,
} from '../stack/kind.ts';
import type { MessageOf } from '../state/message.ts';
import { type Moment, type Next, on, tooOldToEdit } from '../state/moment.ts';
import type { LayerOf, State } from '../state/state.ts';
import { failedReadText, flash, swap } from '../state/state-changes.ts';
import { took } from './form.ts';
import { noMatch } from './menu.ts';

type PickLayer = LayerOf<'pick'>;
/** A pick list: of an action, or of a field. */
type Picking = LayerOf<'pick' | 'take'>;

/** The rows of a pick list. */
const rowsNow = (layer: Picking, world: Moment): readonly Pick[] =>
  layer.kind === 'pick' ? pickRows(layer, world.picks(layer)) : takeRows(layer, world.picks(layer));

const rowKeys = (layer: Picking, world: Moment): readonly string[] => rowsNow(layer, world).map(({ id }) => id);

/** A picker of one value, searched by the service. */
export const pick: LayerKind<PickLayer> = {
  keys(layer) {
    return [on(['return'], 'select', { type: 'choose' }, 1), ...textKeys(layer), ...stepKeys(false)];
  },
  place: 'panel',
  lines(layer, now, room) {
    const { width, height, theme } = room;
    const picks = rowsNow(layer, now);
    const cursor = Math.max(0, Math.min(layer.cursor, picks.length - 1));
    const entries = picks.map(({ label, hint }) => ({ label: paint(label), hint: paint(hint ?? '') }));
    const { rows, cutHints } = menuRows(entries, width, theme.glyphs.ellipsis, nameCells);
    const menu = { ...room, height: height - 1 };
    const notes = pickNotes(layer, now, rows.length > 0);
    const none = rows.length > 0 ? [] : noPick(layer, now, room);
    const cutHint = cutHints[cursor] ?? plain``;
    return {
      title: [{ text: paint(layer.picker.title), bold: true }],
      foot: notes.length === 0 && cutHint !== '' ? [{ text: cutHint, tone: 'dim' }] : notes,
      footRight: placeIn(rows.length, cursor, height - 1),
      lines: [
        queryLine(layer, room),
        // A click never picks: it would send an edit.
        ...(rows.length > 0 ? menuLines({ rows, cursor, choose: undefined }, now, menu) : none),
      ],
      speech: () => ({
        title: plain`${paint(layer.picker.title)}. Type to filter, Up and Down move, Enter selects, Esc goes back`,
        remarks: [
          ...(now.pickRead(layer).value?.notes ?? []).map((note, at) => ({ about: `note ${at}`, text: paint(note) })),
          { about: 'me', text: layer.waitsForMe ? plain`reading your user, then it is sent` : plain`` },
        ],
        ...pickSpeech(layer, rows.map(spanText), now),
      }),
      // What a query leaves moves nothing.
      needs: layer.typing ? mostLines : Math.min(mostLines, Math.max(3, rows.length + 1, none.length + 1)),
    };
  },
  takesText: () => true,
  rowKeys,
  nearestFirst: ({ query }) => query.text !== '',
  choice(layer, world) {
    const { cursor, query, picker, isFirst } = layer;
    const row = rowsNow(layer, world)[cursor];
    const isMe = row === unknownMe || (row !== undefined && row === meIn(layer, world));
    const isFixed = isMe || (isFirst && row !== undefined && picker.first.includes(row));
    return isFixed && query.text === '' ? undefined : row;
  },
  reads: ({ picker, asked }) => picker.load(asked),
  typed: (state, layer, typed) => typedQuery(state, withoutWait(layer), typed),
  update: {
    moveInLayer: (state, layer, { by }, world) => stepped(state, withoutWait(layer), by, rowsNow(layer, world).length),
    startTyping: (state, layer) => ({ state: swap(state, { ...withoutWait(layer), typing: true }) }),
    searchDue,
    choose: (state, layer, _, world) => tookPick(state, layer, rowsNow(layer, world)[layer.cursor], world),
  },
};

/** The most lines of a picker, inside its border. */
const mostLines = 10;
/** Cells for the names: most fit, so that what stands beside them does not jump while a person types. */
const nameCells = 20;

function queryLine({ typing: isTyping, query, waitsForMe }: PickLayer, { width, theme }: Room): Line<never> {
  if (isTyping || query.text !== '')
    return {
      spans: [{ text: plain` name: `, tone: 'dim' }, ...typing(query, width - 10, theme)],
      role: 'prompt',
    };
  const said = waitsForMe
    ? plain` reading your user, then it is sent ${theme.glyphs.dot} any other key cancels`
    : plain` type to filter`;
  return { spans: [{ text: said, tone: 'dim' }], role: 'prompt' };
}

/** The foot of a pick list: that it is searching, that more rows are missing and why, else that its rows are not all. */
function pickNotes(layer: Picking, now: Moment, hasRows: boolean): Spans {
  if (layer.asked !== layer.query.text) return [{ text: plain`searching`, tone: 'dim' }];
  const read = now.pickRead(layer);
  const { problem, value } = read;
  if (problem && hasRows) {
    const outlook = readOutlook(read, now.state, now.context);
    const next = outlook === '' ? '' : `, ${outlook.charAt(0).toLowerCase()}${outlook.slice(1)}`;
    return [{ text: plain`Others not loaded${paint(next)}: ${paint(problem.text)}`, tone: 'warn' }];
  }
  if (hasRows && value === undefined && read.asking) return [{ text: plain`Loading others`, tone: 'dim' }];
  return (value?.notes ?? []).map((note) => ({ text: paint(note), tone: 'warn' }));
}

/** What stands in place of the rows of a pick list, with what happens next. */
function noPick(layer: Picking, now: Moment, { width, theme }: Room): Line<never>[] {
  const read = now.pickRead(layer);
  const { problem, asking, value } = read;
  const isSearching = layer.asked !== layer.query.text;
  const isFailed = problem !== undefined && !isSearching;
  const isLoading = asking && value === undefined && !isFailed;
  const none = isLoading ? plain`Loading${theme.glyphs.ellipsis}` : plain`No match`;
  const main = isSearching ? plain`searching` : isFailed ? paint(failedReadText(problem, false)) : none;
  const outlook = paint(isSearching ? '' : readOutlook(read, now.state, now.context));
  const indented = (text: Painted, tone: Tone) =>
    wrap(text, width - 2).map((line) => [{ text: plain`  ${line}`, tone }]);
  return asLines(
    [...indented(main, isFailed ? 'warn' : 'dim'), ...(outlook === '' ? [] : indented(outlook, 'plain'))],
    isFailed ? 'problem' : 'text',
  );
}

/** Rows of a pick list that are read out: the others are found by typing. */
const mostRead = 5;

/** The rows of a pick list as they are heard, and its query. */
function pickSpeech(layer: Picking, texts: readonly Painted[], moment: Moment): Omit<Speech, 'title'> {
  const { asked: isRequested, query, cursor } = layer;
  const { problem, asking, value } = moment.pickRead(layer);
  const isLoading = asking && value === undefined;
  const none = problem ? plain`Error: ${paint(problem.text)}` : isLoading ? plain`loading` : plain`No match`;
  return {
    rows: {
      texts,
      at: cursor,
      most: mostRead,
      narrowedBy: query.text,
      none: isRequested === query.text ? none : plain``,
    },
    prompt: plain`Filter: ${paint(query.text)}`,
  };
}

/** Milliseconds from the last letter to the search. */
const askAfterMs = 250;

/** A letter of a query: its rows are narrowed here at once, and asked for after a pause. */
function typedQuery(state: State, layer: Picking, typed: TypedText): Next {
  const query = typedLine(layer.query, typed);
  if (query.text === layer.query.text) return { state: swap(state, { ...layer, query }) };
  return {
    state: swap(state, { ...layer, query, typing: true, cursor: 0 }),
    effects: [{ ask: 'later', ms: askAfterMs, message: { type: 'searchDue', typed: query.text } }],
  };
}

/** The pause after a letter is over: the service is asked, unless more was typed. The rows stay until it has answered. */
function searchDue(state: State, layer: Picking, { typed }: { readonly typed: string }, world: Moment): Next {
  if (layer.query.text !== typed) return { state };
  const before = rowsNow(layer, world);
  const next = { ...layer, asked: typed, before };
  const keys = before.map(({ id }) => id);
  const cursor = layer.cursor === 0 ? 0 : sameRow(rowKeys(next, world), keys, layer.cursor);
  return { state: swap(state, { ...next, cursor }) };
}

/** Handles a pick: as the action's values, or as its first pick. */
function tookPick(state: State, layer: PickLayer, picked: Pick | undefined, world: Moment): Next {
  if (!picked) {
    const { asking, problem } = world.pickRead(layer);
    const isSearching = layer.asked !== layer.query.text || asking;
    const said = 'Nothing is chosen: the search has not ended';
    if (isSearching) return { state: flash(state, said, 'warn', world.context.now) };
    return { state: problem ? state : noMatch(state, world) };
  }
  if (picked === unknownMe) return { state: swap(state, { ...layer, waitsForMe: true }) };
  const { picker, pending } = layer;
  const recent = picker.things
    ? state.recent
    : [picked, ...state.recent.filter((one) => one.id !== picked.id)].slice(0, 8);
  const values = picker.values(picked);
  const next = { ...state, recent };
  const named = { ...pending, pickedAs: picked.label };
  return layer.isFirst ? pickedFirst(next, named, values, world) : askOrSend(next, { ...named, values }, world);
}

/** The rows of a picker: its fixed ones that match, then those of the service; those nearest to the query first. */
export function pickRows(layer: PickLayer, answered: readonly Pick[]): readonly Pick[] {
  const test = matcher(layer.query.text);
  const fits = ({ label, hint = '' }: Pick) => !test || test(`${label} ${hint}`.toLowerCase());
  const { first: fixed, asksMe } = layer.picker;
  const first = (asksMe ? [unknownMe, ...fixed] : fixed).filter(fits);
  const taken = new Set(first.map((one) => one.id));
  // Until the service is asked for this text, its last answer is filtered here.
  const isAnswered = layer.asked === layer.query.text;
  const others = answered.filter((one) => one !== unknownMe && !taken.has(one.id) && (isAnswered || fits(one)));
  return nearestFirst([...first, ...others], layer.query.text);
}

/** The row `me`, shown until the owner of the keys has been read. */
const unknownMe: Pick = { id: '', label: 'you', hint: 'reading your user' };

/** Any other key cancels a pick that waits. */
const withoutWait = (layer: PickLayer): PickLayer => (layer.waitsForMe ? { ...layer, waitsForMe: false } : layer);

/**
 * The read of the keys' owner has ended: open pickers are made again, with their text and the row under the cursor kept.
 * A pick of you that waits is done now, or a flash says why it cannot be.
 */
export function ownerRead(state: State, message: MessageOf<'ownerRead'>, world: Moment): Next {
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
  if (tooOldToEdit(state, { type: 'choose' }, world) !== undefined) return { state: next };
  return tookPick(next, top, mine, world);
}

function madeAgain(layer: PickLayer, world: Moment): PickLayer {
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

function meIn({ picker, pending }: PickLayer, { context }: Moment): Pick | undefined {
  const { me } = withContext(context, pending);
  return me && picker.first.find(({ id }) => id === me.id);
}

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
    const picks = rowsNow(layer, now);
    const cursor = Math.max(0, Math.min(layer.cursor, picks.length - 1));
    const list = { ...room, height: height - 1 };
    const prompt: Spans =
      layer.typing || query.text !== ''
        ? [{ text: plain` /`, tone: 'info' }, ...typing(query, width - 6, theme)]
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
  rowKeys,
  nearestFirst: ({ query }) => query.text !== '',
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
  const pick = rowsNow(layer, world)[layer.cursor];
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
  const pick = rowsNow(layer, world)[layer.cursor];
  const all = layer.several ? layer.taken : pick ? [{ id: pick.id, label: pick.label }] : [];
  if (!layer.several && all.length === 0) return noMatch(state, world);
  return { ...state, layers: [...state.layers.slice(0, -2), took(form, layer.name, all)] };
}
