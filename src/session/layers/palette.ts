import uFuzzy from '@leeoniya/ufuzzy';
import type { AnyAction } from '../../describe/action.ts';
import { once } from '../../lib/function-results.ts';
import { paint } from '../../lib/paint.ts';
import { type Painted, plain } from '../../lib/painted.ts';
import { isThemeName, themeNames } from '../../lib/setting-values.ts';
import { cells, cutAfterPart, fit } from '../../lib/text.ts';
import { present } from '../../lib/values.ts';
import { asLines, type Line, type Spans, wholeText } from '../../scene/scene.ts';
import { typing } from '../../scene/span.ts';
import { keyLabel } from '../keyboard/keyboard.ts';
import type { ProfileLine } from '../outside/outside.ts';
import { matcher, nearestFirst } from '../rows/visible-list.ts';
import { chooses, type LayerKind, placeIn, rowLines, stepKeys, typedLine } from '../stack/kind.ts';
import type { Message } from '../state/message.ts';
import { type Binding, isOffInKiosk, leave, type Moment, offInKiosk, on } from '../state/moment.ts';
import type { LayerOf, MenuItem } from '../state/state.ts';
import { pop, swap } from '../state/state-changes.ts';
import { belowLines, itemWords, ranOnList } from './menu.ts';

/** What the words behind a command mean: what would be done, or why nothing is. */
type Meaning = { readonly run: Message; readonly says: string } | { readonly refused: string };

type Profiles = readonly ProfileLine[] | undefined;

type Command = (words: string, world: Moment, profiles: Profiles) => Meaning;

const isTag = /^[^:\s]+:\S+$/;

/** Commands that are no keys. */
const commands: Readonly<Record<string, Command>> = {
  theme(words) {
    const isSaved = words.endsWith('!');
    const name = isSaved ? words.slice(0, -1).trim() : words;
    if (!isThemeName(name)) return { refused: `themes: ${themeNames.join(', ')}; add ! to save it` };
    const says = isSaved ? 'now, and saved in the profile' : `until the program ends; ${name}! saves it in the profile`;
    return { run: { type: 'setTheme', name, isSaved }, says };
  },
  poll(words) {
    const seconds = Number(words);
    if (!Number.isInteger(seconds) || seconds < 10 || seconds > 300) return { refused: 'poll every 10 to 300 seconds' };
    return { run: { type: 'setPollInterval', seconds }, says: `poll every ${seconds}s until the program ends` };
  },
  profile(words, _, profiles) {
    if (profiles && !profiles.some(({ name }) => name === words))
      return { refused: `profiles: ${profiles.map(({ name }) => name).join(', ')}` };
    return { run: { type: 'useProfile', name: words }, says: `switch to the profile ${words}` };
  },
  range(words, { view: { list } }) {
    const options = list.ranges?.options ?? [];
    if (options.length === 0) return { refused: `${list.title} have no time range` };
    const found = options.find((option) => option.toLowerCase() === words.toLowerCase());
    if (found === undefined) return { refused: `the ranges are ${options.join(', ')}` };
    return { run: { type: 'setTimeRange', range: found }, says: `show ${found}` };
  },
  service: (words) => subjectOf(`service:${words}`),
  team: (words) => subjectOf(`team:${words}`),
  tag: (words) => (isTag.test(words) ? subjectOf(words) : { refused: 'write a tag as key:value, such as env:prod' }),
  view(words, { below }) {
    const views = below.flatMap(({ run }) => (run.type === 'openView' ? [run] : []));
    const found = views.find(({ name }) => name.toLowerCase() === words.toLowerCase());
    if (found) return { run: found, says: 'open the view' };
    const names = views.map(({ name }) => name).join(', ');
    return { refused: names === '' ? 'no view is saved yet: b saves the first one' : `the views are ${names}` };
  },
};

const subjectOf = (subject: string): Meaning => ({
  run: { type: 'openSubject', subjects: [subject] },
  says: 'its alerts, issues, mutes and edits on one page',
});

/** What the palette can do beside the keys, for the list of all commands. */
const wordCommands: readonly MenuItem[] = themeNames.map((name) => ({
  ...{ id: `theme ${name}`, label: `theme ${name}`, hint: 'until the program ends; add ! to save it in the profile' },
  run: { type: 'setTheme', name, isSaved: false },
}));

/** Names that are offered at most. */
const mostNames = 50;

/** Behind `service `, `team ` and `tag ` those of the rows that were read; what begins with what is typed stands first. */
function subjectItems(query: string, world: Moment): readonly MenuItem[] {
  const [, word = '', words] = /^(service|team|tag)\s+(.*)$/i.exec(query.trimStart()) ?? [];
  if (words === undefined) return [];
  const command = word.toLowerCase();
  const prefix = command === 'tag' ? '' : `${command}:`;
  const part = words.trim().toLowerCase();
  const places = world.subjects().flatMap((subject) => {
    const name = subject.slice(prefix.length);
    const place = name.toLowerCase().indexOf(part);
    const isKind = prefix === '' ? isTag.test(subject) : subject.startsWith(prefix);
    return isKind && place >= 0 && name.toLowerCase() !== part ? [{ subject, name, place: Math.min(place, 1) }] : [];
  });
  return places
    .toSorted((one, other) => one.place - other.place || (one.name < other.name ? -1 : 1))
    .slice(0, mostNames)
    .map(({ subject, name }) => ({
      ...{ id: `${command} ${name}`, label: `${command} ${name}` },
      run: { type: 'openSubject', subjects: [subject] },
    }));
}

/** Each profile by name; nothing until they have been read. */
const profileItems = (profiles: Profiles = [], { context }: Moment): readonly MenuItem[] =>
  profiles
    .filter(({ name }) => name !== '')
    .map(({ name, says, current }) => ({
      id: `profile ${name}`,
      label: `profile ${name}`,
      hint: current ? `in use · ${says}` : says,
      run: { type: 'useProfile', name },
      ...present({ refused: context.profile.isKiosk ? offInKiosk : undefined }),
    }));

/** The item of a command with words behind it (`mute 2h`, `theme mono`, `7`); undefined where nothing takes them. */
function typedCommand(query: string, world: Moment, profiles?: Profiles): MenuItem | undefined {
  const text = query.trim();
  const screen = world.screens.find(({ key }) => key === text);
  if (screen)
    return { id: text, label: text, hint: `Screen ${screen.title}`, run: { type: 'openScreen', id: screen.id } };
  const found = commandOf(text, world);
  if (!found) return undefined;
  const meaning = found.means(text.slice(found.name.length).trim(), world, profiles);
  const known = { id: text, label: text, key: found.key };
  if ('refused' in meaning) return { ...known, refused: meaning.refused, run: { type: 'closeLayer' } };
  const refused = isOffInKiosk(world.context.profile, meaning.run) ? offInKiosk : undefined;
  return { ...known, hint: meaning.says, run: meaning.run, ...present({ refused }) };
}

interface Found {
  readonly name: string;
  readonly key?: string | undefined;
  readonly means: Command;
}

/** The command that the text begins with, the longest name first. */
function commandOf(text: string, world: Moment): Found | undefined {
  const ownCommands = Object.entries(commands).map(([name, means]): Found => ({ name, means }));
  const actions = world.below.flatMap((binding): Found[] => {
    const { title, keys, run } = binding;
    if (run.type !== 'startAction') return [];
    return [{ name: title.toLowerCase(), key: keys[0], means: (words) => meaningOf(binding, run.id, words, world) }];
  });
  // The whole name of an action is that action, whatever shorter one it begins with: `delete by force`.
  if (actions.some(({ name }) => name === text.toLowerCase())) return undefined;
  const isBegun = ({ name }: Found) => text.toLowerCase().startsWith(`${name} `);
  return [...ownCommands, ...actions].filter(isBegun).toSorted((one, other) => other.name.length - one.name.length)[0];
}

/** What words mean for an action: the answer to its first question. */
function meaningOf({ refused, title }: Binding, id: string, words: string, { view, context }: Moment): Meaning {
  const { list, rows } = view.acting;
  const action = list.actions.find((one) => one.id === id);
  if (refused !== undefined || !action) return { refused: refused ?? 'no row selected' };
  if (action.bar && !action.needs) return barMeaning(action, id, words, rows, context);
  const asks = action.first ?? action.pick ?? action.bar ?? action.form;
  if (!asks) return { refused: `${title} takes no words` };
  const how = action.first || action.pick ? 'search for' : 'begin with';
  return { run: { type: 'startAction', id, typed: words }, says: `${title}: ${how} "${words}"` };
}

/** Words as the text that ends a bar (`t` of the mute bar), read in the same way. */
function barMeaning(
  action: AnyAction,
  id: string,
  words: string,
  rows: Moment['view']['acting']['rows'],
  context: Moment['context'],
): Meaning {
  const bar = action.bar?.(rows, context);
  const input = bar?.inputs?.find(({ ends }) => ends);
  if (!bar || !input) return { refused: `${action.title} takes no words` };
  const verdict = input.field.read(words);
  if (!verdict.ok) return { refused: verdict.text };
  const values = { ...bar.values, [input.name]: verdict.value };
  const says = [input.field.means?.(words, context.now), bar.foresees?.(values)?.text].filter(Boolean).join(' · ');
  return { run: { type: 'startAction', id, values }, says };
}

/** All commands, found by name. */
export const palette: LayerKind<LayerOf<'palette'>> = {
  keys: () => [on(['return'], 'run', { type: 'choose' }, 1), ...stepKeys(false), leave(['esc'])],
  place: 'body',
  lines(layer, now, room) {
    const { query, cursor } = layer;
    const { width, height, theme } = room;
    const items = matchingPalette(layer, now);
    const { rows, cutHints } = paletteRows(items, width, theme.glyphs.ellipsis, paletteItems(layer, now));
    const { foot, below } = wholeText(cutHints, cursor, width + 2);
    const list = { ...room, height: Math.max(0, height - 1 - below.length) };
    const prompt: Line<never> = {
      spans: [{ text: plain` :`, tone: 'strong' }, ...typing(query, Math.max(1, width - 2), theme)],
      role: 'prompt',
    };
    const shown =
      rows.length > 0
        ? rowLines({ rows, cursor, choose: chooses(items[cursor]) }, now, list)
        : asLines([[{ text: plain`  No match`, tone: 'dim' }]]);
    const blanks = asLines(Array.from({ length: Math.max(0, list.height - shown.length) }, () => []));
    return {
      title: [{ text: plain`Palette`, bold: true }],
      foot: foot === '' ? [] : [{ text: foot, tone: 'dim' }],
      footRight: placeIn(rows.length, cursor, list.height),
      lines: [prompt, ...shown, ...blanks, ...belowLines(below)],
      speech: () => ({
        title: plain`Palette. Type the name of a command, Enter runs it, Esc goes back`,
        rows: { texts: items.map(itemWords), at: cursor, most: 0 },
        prompt: plain`Command: ${paint(query.text)}`,
      }),
    };
  },
  takesText: () => true,
  rowKeys: (layer, world) =>
    matchingPalette(layer, world).map(({ id, run }) => JSON.stringify([id, { ...run, values: undefined }])),
  typed: (state, layer, typed) => ({
    state:
      layer.query.text === '' && typed.text === '' && typed.key === 'backspace'
        ? pop(state)
        : swap(state, { ...layer, query: typedLine(layer.query, typed), cursor: 0 }),
  }),
  update: {
    choose: (state, layer, _, world) => ranOnList(state, matchingPalette(layer, world)[layer.cursor], world),
  },
};

/** Not what only a key does: moving, marking and sorting, and further keys that quit. */
const isCommand = ({ group, title, run, refused }: Binding): boolean =>
  group !== 'move' &&
  group !== 'choose' &&
  run.type !== 'openSortMenu' &&
  group !== 'here' &&
  (group !== 'back' || (refused === undefined && title !== 'quit')) &&
  run.type !== 'openPalette' &&
  run.type !== 'interrupt';

/** Letters of every language; the words of a query in any order. */
const fuzzy = once(
  () =>
    new uFuzzy({
      unicode: true,
      interSplit: "[^\\p{L}\\d']+",
      intraSplit: '\\p{Ll}\\p{Lu}',
      intraBound: '\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}',
      intraChars: "[\\p{L}\\d']",
      intraContr: "'\\p{L}{1,2}\\b",
    }),
);

/** All that the palette can find. */
function paletteItems({ profiles }: LayerOf<'palette'>, world: Moment): readonly MenuItem[] {
  const keyed: MenuItem[] = world.below.filter(isCommand).map(({ title, help, keys, refused, doubt, run }) => ({
    id: title,
    label: title,
    hint: help,
    key: keys[0],
    refused,
    doubt,
    run,
  }));
  return [...keyed, ...wordCommands, ...profileItems(profiles, world)];
}

/** The palette's items that match: a command with words behind it first, then by rank, those that match in their help last. */
export function matchingPalette(layer: LayerOf<'palette'>, world: Moment): readonly MenuItem[] {
  const { profiles } = layer;
  const query = layer.query.text;
  const items = paletteItems(layer, world);
  const typed = query.trim();
  if (typed === '') return items;
  if (typed === 'q' || typed === 'q!' || typed === 'quit') return items.filter((item) => item.run.type === 'askQuit');
  const command = typedCommand(typed, world, profiles);
  const subjects = subjectItems(query, world);
  if (subjects.length > 0) return [...subjects, ...(command ? [command] : [])];
  const [found, info, order] = fuzzy().search(
    items.map(({ label }) => label),
    typed,
    1,
  );
  const places = order && info ? order.flatMap((at) => info.idx[at] ?? []) : (found ?? []);
  const named = nearestFirst(
    places.flatMap((at) => items[at] ?? []),
    typed,
  );
  const test = matcher(query) ?? (() => true);
  const others = items.filter(
    (item) => !named.includes(item) && test(`${item.label} ${item.hint ?? ''}`.toLowerCase()),
  );
  // Words that mean nothing may be the beginning of a name: `theme li`.
  const [first, last] = command?.refused === undefined ? [command, undefined] : [undefined, command];
  return [first, ...[...named, ...others].filter(({ label }) => label !== command?.label), last].filter(
    (item) => item !== undefined,
  );
}

/** Labels up to so many cells, or up to two fifths of the width, have their hints below each other. */
const widestLabel = 24;
/** Cells of a row in a wide terminal, where no hint needs more: its keys would stand too far from its label. */
const usualRow = 140;

type Item = Omit<MenuItem, 'run' | 'id'>;

const paintedItem = ({ label, hint, key, refused, doubt }: Item) => ({
  label: paint(label),
  hint: paint(refused ?? doubt ?? hint ?? ''),
  keys: key ? paint(keyLabel(key)) : plain``,
  tone: (refused ?? doubt) === undefined ? undefined : ('dim' as const),
});

/**
 * Items as rows: label and hint from the left, the keys in a column at the right; and the hint of each row that cuts it. `all`:
 * those that may be among the items at another time, so that hints and keys stay where they are while the items change.
 */
export function paletteRows(items: readonly Item[], width: number, ellipsis: Painted, all: readonly Item[] = []) {
  const entries = items.map(paintedItem);
  const measured = [...entries, ...all.map(paintedItem)];
  const most = (texts: readonly string[]) => texts.reduce((wide, text) => Math.max(wide, cells(text)), 0);
  const keyCells = most(measured.map(({ keys }) => keys));
  const longest = most(measured.map(({ hint }) => hint));
  const labels = measured.map(({ label }) => label);
  const labelCells = most(labels.filter((label) => cells(label) <= Math.max(widestLabel, width * 0.4)));
  const rowCells = Math.min(width, Math.max(usualRow, labelCells + longest + keyCells + 6));
  const room = Math.max(0, rowCells - 2 - (keyCells > 0 ? keyCells + 2 : 0));
  // A label over that is cut where its hint needs the cells; no further than the labels below each other.
  const cellsOf = ({ label, hint }: (typeof entries)[number]) => {
    const left = hint === '' ? room : Math.max(room - cells(hint) - 2, Math.floor(room * 0.4), labelCells);
    return Math.min(Math.max(labelCells, cells(label)), left, room);
  };
  const rows = entries.map((entry): Spans => {
    const label = fit(entry.label, cellsOf(entry), 'left', ellipsis);
    const rest = Math.max(0, room - cells(label));
    const hint = entry.hint === '' ? plain`` : plain`  ${cutAfterPart(entry.hint, rest - 2, ellipsis)}`;
    return [
      { text: label, tone: entry.tone ?? 'plain' },
      { text: fit(hint, rest), tone: 'dim' },
      { text: keyCells > 0 ? plain`  ${fit(entry.keys, keyCells)}` : plain``, tone: entry.tone ?? 'info' },
    ];
  });
  return { rows, cutHints: entries.map((one) => (cells(one.hint) > room - cellsOf(one) - 2 ? one.hint : plain``)) };
}
