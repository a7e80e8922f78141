import type { Context } from '../describe/context.ts';
import type { Field, Option } from '../describe/field.ts';
import type { AnyList } from '../describe/screen.ts';
import type { ListQuery } from '../describe/source.ts';
import { readDuration } from '../lib/duration.ts';
import { type ParseResult, unreadable } from '../lib/parse-result.ts';
import { commaWords } from '../lib/text.ts';

/** A field of a list's search as a flag: `--state OPEN`. */
interface SearchFlag {
  readonly field: string;
  readonly flag: string;
  readonly says: string;
  /** What completion offers. */
  readonly words: readonly string[];
  readonly isSeveral: boolean;
}

/** The flag of a field: `--trace-rate` for `traceRate`. */
export const flagName = (field: string): string =>
  `--${field.replaceAll('_', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The flags of a list's search, without the one that is an argument. `context` is that of a help, which knows no service. */
export function searchFlags({ search }: AnyList, context: Context): readonly SearchFlag[] {
  if (!search) return [];
  return Object.entries(search.form(search.initial, context))
    .filter(([name]) => name !== search.subject)
    .map(([name, field]) => ({
      field: name,
      flag: `${flagName(name)} <${field.options ? (field.kind === 'many' ? 'words' : 'word') : 'text'}>`,
      says: [fieldHelp(field, name), defaultOf(search.initial[name])].filter(Boolean).join('; '),
      words: optionWords(field),
      isSeveral: field.kind === 'many',
    }));
}

/** What a help says of a field: its label, where that is more than the name of the flag, its words, its hint. */
export function fieldHelp({ label, hint, options, kind }: Field, name = ''): string {
  const words = options && optionWords({ options }).join(', ');
  const choice = words && (kind === 'many' ? `words of ${words}, joined by commas` : `one of ${words}`);
  const advice = pickHelp[kind] ?? hint;
  const said = [choice, advice && uncapitalized(advice)].filter(Boolean).join('; ');
  return said !== '' && label.toLowerCase() === name.toLowerCase()
    ? said
    : [uncapitalized(label), said].filter(Boolean).join(': ');
}

/** A sentence inside another; an acronym stays. */
export const uncapitalized = (text: string): string =>
  /^[A-Z](?:[a-z ]|$)/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/** What a list that a screen opens is on a command line. */
const pickHelp: Partial<Record<Field['kind'], string>> = {
  pick: 'an id, or name: and a name',
  checks: 'ids joined by commas',
};

const defaultOf = (text = ''): string => (text === '' ? '' : `default ${text}`);

/** What a person types for an option: its word, else its value. */
const wordOf = ({ word, value }: Option): string => word ?? value;

/** The words that a person may type for a field of options; none for another. */
export const optionWords = ({ options = [] }: Pick<Field, 'options'>): readonly string[] =>
  options.map(wordOf).filter(Boolean);

/**
 * What a command asks of a list: its search with what was given by field name, and its range. Words of options may be in
 * any case, neutral, the deployment's, or their labels.
 */
export function readSearch(
  list: AnyList,
  given: Readonly<Record<string, string | undefined>>,
  range: string | undefined,
  context: Context,
): ParseResult<ListQuery> {
  const { search, ranges } = list;
  if (range !== undefined && ranges && !ranges.options.includes(range) && !(readDuration(range) ?? 0))
    return unreadable(`--range: "${range}" is not a range: write one of ${ranges.options.join(', ')}, or a length`);
  const initial = search?.initial ?? {};
  const form = search?.form(initial, context) ?? {};
  const texts: Record<string, string> = { ...initial };
  for (const [name, typed] of Object.entries(given)) {
    const field = form[name];
    if (typed === undefined || !field) continue;
    const text = typedText(field, typed);
    const read = field.read(text);
    if (!read.ok) return unreadable(`${name === search?.subject ? name : flagName(name)}: ${read.text}`);
    texts[name] = text;
  }
  return { ok: true, value: { search: texts, range: range ?? ranges?.initial ?? '' } };
}

/** The text of a field from what was typed: of an option its value. */
export function typedText({ kind, options }: Field, typed: string): string {
  if (!options) return typed;
  const chosen = (word: string) => {
    const isIt = (text: string) => text.toLowerCase() === word.trim().toLowerCase();
    return options.find((option) => [option.value, wordOf(option), option.label].some(isIt))?.value ?? word;
  };
  return kind === 'many' ? commaWords(typed).map(chosen).join(',') : chosen(typed);
}
