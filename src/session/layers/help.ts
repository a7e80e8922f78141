import { paint } from '../../lib/paint.ts';
import { type Painted, plain } from '../../lib/painted.ts';
import { capitalized, cells, fit } from '../../lib/text.ts';
import { asLines, type Line, type Spans, wholeText } from '../../scene/scene.ts';
import { choosable, fitSpans, flow, type Room, type Speech, typing, windowAt } from '../../scene/span.ts';
import type { Glyphs } from '../../scene/theme.ts';
import { keyLabel } from '../keyboard/keyboard.ts';
import { matcher } from '../rows/visible-list.ts';
import { chooses, type LayerKind, placeIn, rowSends, stepKeys, typedLine } from '../stack/kind.ts';
import type { Message } from '../state/message.ts';
import { type Binding, bindingSentence, leave, type Moment, on } from '../state/moment.ts';
import type { LayerOf } from '../state/state.ts';
import { pop, swap } from '../state/state-changes.ts';
import { belowLines, ranOnList } from './menu.ts';

/** A line of the help: one binding, or several that belong together. */
interface HelpEntry {
  /** What Enter runs first. */
  readonly bindings: readonly Binding[];
  readonly group: Binding['group'];
  /** `j k`, `0–9`. */
  readonly keys: string;
  readonly sentence: string;
  /** Why none of them works now. */
  readonly reason?: string | undefined;
}

const groupOrder: readonly Binding['group'][] = ['here', 'write', 'find', 'choose', 'copy', 'move', 'anywhere', 'back'];

/** Bindings that stand in one line, by what they do, and what that line says; of one alone its own sentence. */
const families: readonly { readonly of: readonly Message['type'][]; readonly says?: string }[] = [
  { of: ['moveCursor'], says: 'Down, up' },
  { of: ['movePage'], says: 'Half a page down, up' },
  { of: ['moveToEnd'], says: 'Top, bottom' },
  { of: ['scrollColumns'], says: 'Scroll the columns left, right' },
  { of: ['moveTab'], says: 'Previous, next tab' },
  { of: ['moveBlock'], says: 'Next, previous block' },
  { of: ['moveItem'], says: 'Next, previous item of the list' },
  { of: ['moveRow'], says: 'Move the row down, up in the order; Ctrl-S saves it' },
  { of: ['toggleMark', 'toggleRange'], says: 'Mark and move down; mark from here to where you move: v4j marks five' },
  { of: ['copyId', 'openCopyMenu'], says: 'Copy the id; copy as link, Markdown, JSON, command or curl' },
  { of: ['openScreen'] },
  { of: ['askUndo', 'askRedo'] },
  { of: ['openTimeline'], says: 'Handover and timeline of edits, changes and messages; messages alone' },
  { of: ['openPalette', 'openHelp'], says: 'Palette: every command by its name; this help' },
  { of: ['redraw', 'suspend'], says: 'Draw the screen again; go to the shell, fg comes back' },
  { of: ['askQuit', 'interrupt', 'goBack'] },
];

const familyOf = ({ run }: Binding) => families.findIndex(({ of: types }) => types.includes(run.type));

/** What only the palette runs: it has no key to press, and is found by searching. */
const isPressed = ({ keys: [key] }: Binding): boolean => key !== undefined && (key === ':' || !key.startsWith(':'));

/** The lines of the help of what lies below the layers, group by group: a search finds each binding by itself. */
export function helpEntries(query: string, world: Moment): readonly HelpEntry[] {
  const test = matcher(query);
  const place = ({ group }: Binding) => groupOrder.indexOf(group);
  const all = world.below.filter(({ group }) => group !== 'recent').toSorted((one, other) => place(one) - place(other));
  if (test)
    return all
      .filter(({ keys, title, help = '', group }) => test(`${keys.join(' ')} ${title} ${help} ${group}`.toLowerCase()))
      .map((binding) => entryOf([binding], []));
  const rare = all.filter((binding) => !isPressed(binding) && binding.run.type === 'startAction');
  const joined = Map.groupBy(all.filter(isPressed), (binding) => {
    const family = familyOf(binding);
    return family < 0 ? binding : family;
  });
  return [...joined.values()].map((bindings) => entryOf(bindings, rare));
}

function entryOf(bindings: readonly Binding[], rare: readonly Binding[]): HelpEntry {
  const [first] = bindings as readonly [Binding, ...Binding[]];
  const reasons = bindings.map(({ refused, doubt }) => refused ?? doubt);
  return {
    bindings,
    group: first.group,
    keys: keysText(bindings),
    sentence: sentenceOf(bindings, first, rare),
    reason: reasons.includes(undefined) ? undefined : reasons[0],
  };
}

/** The first key of each, two at most; of many the first and the last. One alone has all of its keys. */
function keysText(bindings: readonly Binding[]): string {
  const [one, ...others] = bindings;
  if (one && others.length === 0) return one.keys.map(keyLabel).join(' ');
  const keys = bindings.flatMap(({ keys: [key] }) => (key === undefined ? [] : [keyLabel(key)]));
  return keys.length > 4 ? `${keys[0]}–${keys.at(-1)}` : [...new Set(keys)].slice(0, 2).join(' ');
}

function sentenceOf(bindings: readonly Binding[], first: Binding, rare: readonly Binding[]): string {
  const family = families[familyOf(first)];
  if (first.run.type === 'openScreen') return `Screens: ${bindings.map(({ title }) => title).join(', ')}`;
  if (first.run.type === 'askUndo') return `${bindingSentence(first)}; redo`;
  if (first.run.type === 'openActionMenu' && rare.length > 0)
    return capitalized(`more actions: ${rare.map(({ title }) => title).join(', ')}`);
  if (family?.says !== undefined && bindings.length > 1) return family.says;
  return bindingSentence(first);
}

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
  rowKeys: (layer, world) =>
    helpEntries(layer.query.text, world).map(({ bindings: [one] }) => JSON.stringify(one?.run)),
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
