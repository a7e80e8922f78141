import { paint } from '../../lib/paint.ts';
import { plain, spaces } from '../../lib/painted.ts';
import { cells, fit, wrap } from '../../lib/text.ts';
import { asLines, type Line, type Spans } from '../../scene/scene.ts';
import { choosable, fitSpans, flow, type Span, windowAt } from '../../scene/span.ts';
import type { Speech } from '../../scene/speech.ts';
import type { Glyphs } from '../../scene/theme.ts';
import { typing } from '../../scene/typing.ts';
import { keyLabel } from '../keyboard/names.ts';
import { matcher } from '../rows/filter.ts';
import type { LayerKind, Room } from '../stack/kind.ts';
import { chooses, placeIn, rowSends } from '../stack/row-lines.ts';
import { stepKeys, typedLine } from '../stack/stepping.ts';
import { type Binding, bindingSentence, leave, on } from '../state/binding.ts';
import type { LayerOf } from '../state/layer.ts';
import type { Message } from '../state/message.ts';
import type { Moment } from '../state/moment.ts';
import { pop, swap } from '../state/state-changes.ts';
import { ran } from './menu.ts';

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
    const bindings = matchingHelp(layer.query.text, now);
    const { lines, isCut } = helpLines(layer, bindings, now, room);
    return {
      title: [
        { text: plain`Help`, bold: true },
        { text: plain` ${room.theme.glyphs.dot} ${paint(now.view.screen.title)}`, tone: 'dim' },
      ],
      footRight: isCut ? placeIn(bindings.length, layer.cursor, 0) : [],
      lines,
      speech: () => helpSpeech(layer, bindings, now),
    };
  },
  isShowing: true,
  takesText: (layer) => layer.searching,
  rows: (layer, world) => matchingHelp(layer.query.text, world),
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
      const found = matchingHelp(layer.query.text, world)[layer.cursor];
      return ran(state, found && { ...found, label: found.title, key: found.keys[0] }, world);
    },
  },
};

function helpSpeech(
  { query, cursor, searching }: LayerOf<'help'>,
  bindings: readonly Binding[],
  { view }: Moment,
): Speech {
  const { title } = view.screen;
  return {
    title: plain`Help, ${paint(title)}. Up and Down move, Enter runs the line, / searches, Esc goes back`,
    rows: {
      texts: bindings.map(({ keys, title, help = title, refused }) => {
        const reason = refused === undefined ? plain`` : plain` (not now: ${paint(refused)})`;
        return plain`${paint(keys.map(keyLabel).join(' or '))}: ${paint(help)}${reason}`;
      }),
      at: cursor,
      most: Number.POSITIVE_INFINITY,
      narrowedBy: query.text,
    },
    prompt: searching ? plain`Search: ${paint(query.text)}` : undefined,
  };
}

const groupOrder: readonly Binding['group'][] = ['here', 'write', 'find', 'choose', 'copy', 'move', 'anywhere', 'back'];

/** Bindings of what lies below the layers, those that the query matches, group by group. */
export function matchingHelp(query: string, world: Moment): readonly Binding[] {
  const test = matcher(query);
  const place = ({ group }: Binding) => groupOrder.indexOf(group);
  return world.below
    .filter(({ group }) => group !== 'recent')
    .toSorted((one, other) => place(one) - place(other))
    .filter(
      ({ keys, title, help = '', group }) => !test || test(`${keys.join(' ')} ${title} ${help} ${group}`.toLowerCase()),
    );
}

/** A line of the help, and the place of its binding; undefined for the head of a group. */
interface HelpLine {
  readonly spans: Spans;
  readonly place?: number;
}

/** Bindings that are too many for one column stand in two from so many cells on. */
const twoColumns = 140;

/** The search, the bindings by group in one column or two, and the signs of lists. */
function helpLines(
  { cursor, query, searching }: LayerOf<'help'>,
  bindings: readonly Binding[],
  now: Moment,
  room: Room,
): { readonly lines: readonly Line<Message>[]; readonly isCut: boolean } {
  const { width, height, theme } = room;
  const search: Spans = searching
    ? [{ text: plain` /` }, ...typing(query, Math.max(1, width - 2), theme)]
    : [{ text: query.text === '' ? plain` / search` : plain` /${paint(query.text)}`, tone: 'dim' }];
  const below = flow(legend(theme.glyphs), width - 1, 3, theme.glyphs.ellipsis).map(
    (line): Spans => [{ text: plain` ` }, ...line],
  );
  const high = Math.max(0, height - 1 - below.length);
  const whole = bindingLines(bindings, cursor, room);
  const isHalved = whole.length > high && width >= twoColumns;
  const columnWidth = isHalved ? Math.floor(width / 2) : width;
  const lines = isHalved ? bindingLines(bindings, cursor, { ...room, width: columnWidth }) : whole;
  const inSight = isHalved ? 2 * high - 1 : high;
  const first = lines.findIndex(({ place }) => place === cursor);
  const last = lines.findLastIndex(({ place }) => place === cursor);
  // The head of the first group is seen with its first bindings.
  const top = last < inSight - 1 ? 0 : windowAt(first, inSight, lines.length, last);
  // The head of a group stands over its bindings, and no column begins with a gap.
  const until = lines.findLastIndex(({ place }, at) => place !== undefined && at < top + high) + 1;
  const from = isHalved ? lines.findIndex(({ spans }, at) => spans.length > 0 && at >= until) : -1;
  const left = lines.slice(top, Math.max(until, top + Math.min(1, high)));
  const right = from < 0 ? [] : lines.slice(from, from + high);
  const sends = ({ place }: HelpLine) =>
    place === undefined ? undefined : rowSends(place, cursor, chooses(bindings[cursor]), now);
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
  return {
    lines: [{ spans: search, role: searching ? 'prompt' : 'text' }, ...shown, ...asLines([...blanks, ...below])],
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

/** What each binding does and why it cannot now, whole: on as many lines as that needs, beside its keys. */
function bindingLines(bindings: readonly Binding[], cursor: number, { width, theme }: Room): readonly HelpLine[] {
  const keysOf = ({ keys }: Binding) => paint(keys.map(keyLabel).join(' '));
  const keyCells = Math.min(
    Math.floor(width / 3),
    bindings.reduce((most, binding) => Math.max(most, cells(keysOf(binding))), 0),
  );
  const { ellipsis } = theme.glyphs;
  const lines = bindings.flatMap((binding, place): HelpLine[] => {
    const { group, refused, doubt } = binding;
    const isFirst = group !== bindings[place - 1]?.group;
    const head: Span = { text: paint(` ${group.slice(0, 1).toUpperCase()}${group.slice(1)}`), tone: 'strong' };
    const reason = refused ?? doubt;
    const lead = plain`${fit(keysOf(binding), keyCells, 'left', ellipsis)}  `;
    const title = paint(bindingSentence(binding));
    const sentence = reason === undefined ? title : plain`${title}  (${paint(reason)})`;
    const tone = reason === undefined ? 'plain' : 'dim';
    const rows = wrap(sentence, Math.max(8, width - 2 - cells(lead))).map((text, index): HelpLine => {
      const line: Spans = [
        index === 0 ? { text: lead, tone: reason === undefined ? 'info' : 'dim' } : { text: spaces(cells(lead)) },
        { text, tone },
      ];
      return { spans: choosable(line, width, place === cursor && index === 0, theme), place };
    });
    return [...(isFirst && place > 0 ? [{ spans: [] }] : []), ...(isFirst ? [{ spans: [head] }] : []), ...rows];
  });
  return lines.length > 0 ? lines : [{ spans: [{ text: plain`  No match`, tone: 'dim' }] }];
}
