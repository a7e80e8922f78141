import { capitalized } from '../../lib/text.ts';
import { keyLabel } from '../keyboard/names.ts';
import { matcher } from '../rows/filter.ts';
import { type Binding, bindingSentence } from '../state/binding.ts';
import type { Message } from '../state/message.ts';
import type { Moment } from '../state/moment.ts';

/** A line of the help: one binding, or several that belong together. */
export interface HelpEntry {
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
