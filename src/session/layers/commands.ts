import type { AnyAction } from '../../describe/action.ts';
import { present } from '../../lib/present-members.ts';
import { isThemeName, themeNames } from '../../lib/theme-names.ts';
import type { ProfileLine } from '../outside/outside.ts';
import type { Binding } from '../state/binding.ts';
import { isOffInKiosk, offInKiosk } from '../state/kiosk.ts';
import type { MenuItem } from '../state/layer.ts';
import type { Message } from '../state/message.ts';
import type { Moment } from '../state/moment.ts';

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
export const wordCommands: readonly MenuItem[] = [
  ...themeNames.map((name) => item(`theme ${name}`, 'until the program ends; add ! to save it in the profile', name)),
];

/** Names that are offered at most. */
const mostNames = 50;

/** Behind `service `, `team ` and `tag ` those of the rows that were read; what begins with what is typed stands first. */
export function subjectItems(query: string, world: Moment): readonly MenuItem[] {
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
export const profileItems = (profiles: Profiles = [], { context }: Moment): readonly MenuItem[] =>
  profiles
    .filter(({ name }) => name !== '')
    .map(({ name, says, current }) => ({
      id: `profile ${name}`,
      label: `profile ${name}`,
      hint: current ? `in use · ${says}` : says,
      run: { type: 'useProfile', name },
      ...present({ refused: context.profile.isKiosk ? offInKiosk : undefined }),
    }));

function item(label: string, hint: string, name: (typeof themeNames)[number]): MenuItem {
  return { id: label, label, hint, run: { type: 'setTheme', name, isSaved: false } };
}

/** The item of a command with words behind it (`mute 2h`, `theme mono`, `7`); undefined where nothing takes them. */
export function typedCommand(query: string, world: Moment, profiles?: Profiles): MenuItem | undefined {
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
