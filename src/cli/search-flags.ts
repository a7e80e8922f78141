import type { Context, ListQuery, Offers, Rows } from '../describe/context.ts';
import type { Field, Option } from '../describe/field.ts';
import type { Pick as RowPick } from '../describe/picks.ts';
import type { AnyList } from '../describe/screen.ts';
import { type ParseResult, unreadable } from '../lib/function-results.ts';
import { commaWords, flagName, plural } from '../lib/text.ts';
import { readDuration } from '../lib/typed-time.ts';
import type { OpenConnection } from './start.ts';

/** A field of a list's search as a flag: `--state OPEN`. */
interface SearchFlag {
  /** The name of the field. */
  readonly field: string;
  /** With its argument: `--state <word>`. */
  readonly flag: string;
  readonly help: string;
  /** What completion offers. */
  readonly words: readonly string[];
  /** Whether it takes several words, separated by commas. */
  readonly isSeveral: boolean;
}

/** The flags of a list's search. `search.subject` has none: it is an argument. */
export function searchFlags({ search }: AnyList, context: Context): readonly SearchFlag[] {
  if (!search) return [];
  return Object.entries(search.form(search.initial, context))
    .filter(([name]) => name !== search.subject)
    .map(([name, field]) => ({
      field: name,
      flag: `${flagName(name)} <${field.options ? (field.kind === 'many' ? 'words' : 'word') : 'text'}>`,
      help: [fieldHelp(field, name), search.initial[name] && `default ${search.initial[name]}`]
        .filter(Boolean)
        .join('; '),
      words: optionWords(field),
      isSeveral: field.kind === 'many',
    }));
}

/** The help of a field's flag: the label, unless it is the `name` of the flag, then the words and the hint. */
export function fieldHelp({ label, hint, options, kind }: Field, name = ''): string {
  const words = options && optionWords({ options }).join(', ');
  const choice = words && (kind === 'many' ? `any of ${words}, separated by commas` : `one of ${words}`);
  const advice = pickHelp[kind] ?? hint;
  const details = [choice, advice && uncapitalized(advice)].filter(Boolean).join('; ');
  return details !== '' && label.toLowerCase() === name.toLowerCase()
    ? details
    : [uncapitalized(label), details].filter(Boolean).join(': ');
}

/** The text with a small first letter, to stand inside a sentence; an acronym stays as it is. */
export const uncapitalized = (text: string): string =>
  /^[A-Z](?:[a-z ]|$)/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/** What is typed for fields that a form fills from a list: instead of their hint, which is about the form. */
const pickHelp: Partial<Record<Field['kind'], string>> = {
  pick: 'an id or name:NAME',
  checks: 'separated by commas',
};

/** What is typed for an option: the word, else the value; for the empty one its label, where that is one word. */
const wordOf = ({ word, value, label }: Option): string => word ?? (value || (/\s/.test(label) ? '' : label));

/** The words that may be typed for a field of options; none for another. */
export const optionWords = ({ options = [] }: Pick<Field, 'options'>): readonly string[] =>
  options.map(wordOf).filter(Boolean);

/**
 * Reads what a command asks of a list: a search, from the typed texts by field name, and a range. Words of options may be in
 * any case, neutral, the deployment's, or their labels.
 */
export function readSearch(
  list: AnyList,
  given: Readonly<Record<string, string | undefined>>,
  range: string | undefined,
  context: Context,
): ParseResult<ListQuery> {
  const { search, ranges } = list;
  if (range !== undefined && ranges && !ranges.options.includes(range) && readDuration(range) === undefined)
    return unreadable(`--range: "${range}" is not a range: write one of ${ranges.options.join(', ')}, or a length`);
  const initial = search?.initial ?? {};
  const form = search?.form(initial, context) ?? {};
  const texts: Record<string, string> = { ...initial };
  for (const [name, typed] of Object.entries(given)) {
    const field = form[name];
    if (typed === undefined || !field) continue;
    const text = toFieldText(field, typed);
    const read = field.read(text);
    if (!read.ok) return unreadable(`${name === search?.subject ? name : flagName(name)}: ${read.text}`);
    texts[name] = text;
  }
  return { ok: true, value: { search: texts, range: range ?? ranges?.initial ?? '' } };
}

/** What was typed, as the text that the field would have in a form: of an option, its value. */
export function toFieldText({ kind, options }: Field, typed: string): string {
  if (!options) return typed;
  const chosen = (word: string) => {
    const isTyped = (text: string) => text.toLowerCase() === word.trim().toLowerCase();
    return options.find((option) => [option.value, wordOf(option), option.label].some(isTyped))?.value ?? word;
  };
  return kind === 'many' ? commaWords(typed).map(chosen).join(',') : chosen(typed);
}

/** What a typed word may pick from. */
interface PickFrom {
  /** What one of them is called: `permission`. */
  readonly noun: string;
  /** Searches for what was typed. */
  readonly load: Offers<RowPick>;
  /** Ids that need no search. */
  readonly first?: readonly RowPick[];
  /** Whether a word that the search does not find may be an id; absent: any may. */
  readonly isId?: ((word: string) => boolean) | undefined;
}

/**
 * What a typed word picks: an id, or `name:` and the name of exactly one; an e-mail address, and what is picked from a whole
 * list, needs no `name:`. An id that a search does not find is taken as it is: the service knows more than it finds.
 */
export async function findPick(
  { client }: OpenConnection,
  context: Context,
  { noun, load, first = [], isId = () => true }: PickFrom,
  word: string,
): Promise<ParseResult<RowPick>> {
  const isNamed = word.startsWith('name:');
  const name = isNamed ? word.slice('name:'.length).trim() : word;
  const known = isNamed ? undefined : first.find(({ id }) => id === word);
  if (known) return { ok: true, value: known };
  const isEmail = name.includes('@');
  const source = load(name, isNamed || isEmail ? 'all' : undefined);
  const read = await client.run(source.plan(context));
  if (!read.ok) return unreadable(read.problem.text);
  const { rows, missing = [] } = read.value as Rows<RowPick>;
  const byId = isNamed ? undefined : rows.find(({ id }) => id === word);
  if (byId) return { ok: true, value: byId };
  if ((isNamed || isEmail) && missing.length > 0)
    return unreadable(`not every ${noun} could be compared with ${name} (${missing.join('; ')}): give an ID`);
  const matches =
    isNamed || source.whole || isEmail
      ? rows.filter(({ label, hint }) => label === name || (isEmail && hint === name))
      : [];
  const [only] = matches;
  if (only && matches.length === 1) return { ok: true, value: only };
  if (matches.length > 1) {
    const ids = matches.map(({ id }) => id).join(', ');
    return unreadable(`${plural(matches.length, noun)} have the name ${name}: give one of the ids ${ids}`);
  }
  if (isNamed || source.whole) return unreadable(`no ${noun} with the name ${name}`);
  if (!isId(word)) return unreadable(`no ${noun} with ID ${word}: give an ID, or name: and a name`);
  return { ok: true, value: { id: word, label: word } };
}
