import { paint } from '../../lib/paint.ts';
import { type Painted, plain } from '../../lib/painted.ts';
import { capitalized, cells, fit } from '../../lib/text.ts';
import { wholeText } from '../../scene/menu-rows.ts';
import { asLines, type Line, type Spans } from '../../scene/scene.ts';
import { choosable, fitSpans, flow, windowAt } from '../../scene/span.ts';
import type { Speech } from '../../scene/speech.ts';
import type { Glyphs } from '../../scene/theme.ts';
import { typing } from '../../scene/typing.ts';
import type { LayerKind, Room } from '../stack/kind.ts';
import { chooses, placeIn, rowSends } from '../stack/row-lines.ts';
import { stepKeys, typedLine } from '../stack/stepping.ts';
import { leave, on } from '../state/binding.ts';
import type { LayerOf } from '../state/layer.ts';
import type { Message } from '../state/message.ts';
import type { Moment } from '../state/moment.ts';
import { pop, swap } from '../state/state-changes.ts';
import { type HelpEntry, helpEntries } from './help-entries.ts';
import { belowLines, ranOnList } from './menu.ts';

/** Every key with what it does, searched by words; Return does it. */
export const help: LayerKind<LayerOf<'help'>> = {
  keys: (layer) => [
    on(['return'], 'run', { type: 'choose' }, 1),
    ...(layer.searching ? [] : [on(['/'], 'search', { type: 'startTyping' }, 2)]),
    ...stepKeys(!layer.searching),
    leave(layer.searching ? ['esc'] : ['esc', 'q', '?', 'backspace']),
  ],
  place: 'body',
  lines(layer, now, room) {
    const entries = helpEntries(layer.query.text, now);
    const { lines, foot, isCut } = helpLines(layer, entries, now, room);
    return {
      title: [
        { text: plain`Help`, bold: true },
        { text: plain` ${room.theme.glyphs.dot} ${paint(now.view.screen.title)}`, tone: 'dim' },
      ],
      foot: foot === '' ? [] : [{ text: foot, tone: 'dim' }],
      footRight: isCut ? placeIn(entries.length, layer.cursor, 0) : [],
      lines,
      speech: () => helpSpeech(layer, entries, now),
    };
  },
  isShowing: true,
  takesText: (layer) => layer.searching,
  rows: (layer, world) => helpEntries(layer.query.text, world),
  typed: (state, layer, typed) => ({
    state: swap(state, { ...layer, query: typedLine(layer.query, typed), cursor: 0 }),
  }),
  update: {
    startTyping: (state, layer) => ({ state: swap(state, { ...layer, searching: true, cursor: 0 }) }),
    closeLayer: (state, layer) => ({
      state: layer.searching
        ? swap(state, { ...layer, searching: false, query: { text: '', cursor: 0 }, cursor: 0 })
        : pop(state),
    }),
    choose(state, layer, _, world) {
      const { bindings = [] } = helpEntries(layer.query.text, world)[layer.cursor] ?? {};
      const found = bindings.find(({ refused }) => refused === undefined) ?? bindings[0];
      return ranOnList(state, found && { ...found, label: found.title, key: found.keys[0] }, world);
    },
  },
};

function helpSpeech(
  { query, cursor, searching }: LayerOf<'help'>,
  entries: readonly HelpEntry[],
  { view }: Moment,
): Speech {
  const { title } = view.screen;
  return {
    title: plain`Help, ${paint(title)}. Up and Down move, Enter runs the line, / searches, Esc goes back`,
    rows: {
      texts: entries.map(({ keys, sentence, reason }) => {
        const why = reason === undefined ? plain`` : plain` (not now: ${paint(reason)})`;
        return plain`${paint(keys.replaceAll(' ', ' or '))}: ${paint(sentence)}${why}`;
      }),
      at: cursor,
      most: Number.POSITIVE_INFINITY,
      narrowedBy: query.text,
    },
    prompt: searching ? plain`Search: ${paint(query.text)}` : undefined,
  };
}

/** A line of the help, and the place of its entry. */
interface HelpLine {
  readonly spans: Spans;
  readonly place?: number;
}

/** Entries that are too many for one column stand in two from so many cells on. */
const twoColumns = 140;

/** The search, the entries by group in one column or two, and the signs of lists. */
function helpLines(
  { cursor, query, searching }: LayerOf<'help'>,
  entries: readonly HelpEntry[],
  now: Moment,
  room: Room,
) {
  const { width, height, theme } = room;
  const search: Spans = searching
    ? [{ text: plain` /` }, ...typing(query, Math.max(1, width - 2), theme)]
    : [{ text: query.text === '' ? plain` / search` : plain` /${paint(query.text)}`, tone: 'dim' }];
  const signs = flow(legend(theme.glyphs), width - 1, 3, theme.glyphs.ellipsis).map(
    (line): Spans => [{ text: plain` ` }, ...line],
  );
  const isHalved = entries.length > height - 1 - signs.length && width >= twoColumns;
  const columnWidth = isHalved ? Math.floor(width / 2) : width;
  const { lines, cutTexts } = entryLines(entries, cursor, { ...room, width: columnWidth });
  const { foot, below } = wholeText(cutTexts, cursor, width + 2);
  const high = Math.max(0, height - 1 - signs.length - below.length);
  const inSight = isHalved ? 2 * high : high;
  const top = windowAt(cursor, inSight, lines.length);
  const left = lines.slice(top, top + high);
  const right = isHalved ? lines.slice(top + high, top + 2 * high) : [];
  const sends = ({ place }: HelpLine) =>
    place === undefined ? undefined : rowSends(place, cursor, chooses(entries[cursor]?.bindings[0]), now);
  const shown = left.map((line, at): Line<Message> => {
    const beside = right[at];
    const isCursor = line.place === cursor || beside?.place === cursor;
    if (!beside) return { spans: line.spans, role: 'row', isCursor, send: sends(line) };
    const send = sends(beside);
    return {
      spans: [...fitSpans(line.spans, columnWidth), ...beside.spans],
      role: 'row',
      isCursor,
      send: sends(line),
      spots: send && [{ from: columnWidth, to: width, send }],
    };
  });
  const blanks = Array.from({ length: Math.max(0, high - shown.length) }, (): Spans => []);
  const lead: Line<Message> = { spans: search, role: searching ? 'prompt' : 'text' };
  return {
    lines: [lead, ...shown, ...asLines(blanks), ...belowLines(below), ...asLines(signs)],
    foot,
    isCut: lines.length > inSight,
  };
}

/** The signs of lists, header and title. */
const legend = ({ mark, fresh, pending, live, stale, paused, offline, up }: Glyphs): readonly Spans[] =>
  (
    [
      [mark, plain`marked`],
      [fresh, plain`new since you last looked`],
      [pending, plain`being sent`],
      [plain`[gone]`, plain`no longer listed`],
      [plain`?`, plain`unknown`],
      [live, plain`live`],
      [stale, plain`loading or stale`],
      [paused, plain`paused`],
      [offline, plain`failed to load`],
      [plain`8 new ${up}`, plain`out of sight: g goes there`],
    ] as const
  ).map(([sign, meaning]) => [
    { text: sign, tone: 'info' },
    { text: plain` ${meaning}`, tone: 'dim' },
  ]);

/** Cells of the names of groups. */
const groupCells = 9;

/** A line for each entry: its group at the first of it, its keys, what it does and why it cannot now; and what of that is cut. */
function entryLines(entries: readonly HelpEntry[], cursor: number, { width, theme }: Room) {
  const { ellipsis } = theme.glyphs;
  const widest = entries.reduce((most, { keys }) => Math.max(most, cells(paint(keys))), 0);
  const keyCells = Math.min(Math.floor(width / 4), widest);
  const room = Math.max(8, width - 2 - groupCells - keyCells - 2);
  const cutTexts: Painted[] = [];
  const lines = entries.map(({ group, keys, sentence, reason }, place): HelpLine => {
    const isFirst = group !== entries[place - 1]?.group;
    const text = reason === undefined ? paint(sentence) : plain`${paint(sentence)}  (${paint(reason)})`;
    cutTexts.push(cells(text) > room ? text : plain``);
    const tone = reason === undefined ? 'plain' : 'dim';
    const spans: Spans = [
      { text: fit(isFirst ? paint(capitalized(group)) : plain``, groupCells), tone: 'label' },
      { text: plain`${fit(paint(keys), keyCells, 'left', ellipsis)}  `, tone: reason === undefined ? 'info' : 'dim' },
      { text: fit(text, room, 'left', ellipsis), tone },
    ];
    return { spans: choosable(spans, width, place === cursor, theme), place };
  });
  const none: HelpLine = { spans: [{ text: plain`  No match`, tone: 'dim' }] };
  return { lines: lines.length > 0 ? lines : [none], cutTexts };
}
