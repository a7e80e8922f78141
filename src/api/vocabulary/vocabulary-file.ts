import * as v from 'valibot';
import { parsedJson } from '../../lib/json.ts';
import type { AnySchema } from '../endpoint.ts';
import { type Contract, contract } from './contract.ts';
import { neutralWords, overlappingWords, type Vocabulary } from './dictionary.ts';
import { collisions } from './translation-report.ts';
import { createTranslator, type Translator } from './translator.ts';

/** A vocabulary, or everything that is wrong with it, one sentence each. */
type ReadVocabulary =
  | { readonly ok: true; readonly value: Vocabulary }
  | { readonly ok: false; readonly faults: readonly string[] };

/** Words that no identifier needs more letters for. */
const longest = 60;

/**
 * Reads what a vocabulary file holds, as JSON gave it. Every bad entry is one sentence, which repeats no more of it
 * than fits a line. Whether its words meet others of the contract is asked apart (`collisions`).
 */
export function readVocabulary(given: unknown, over: Contract = contract): ReadVocabulary {
  const lists = listsIn(given);
  if (lists.length > 0) return { ok: false, faults: lists.map(noObject) };
  const read = v.safeParse(vocabularySchema(over), given, { abortPipeEarly: true });
  if (!read.success) return { ok: false, faults: read.issues.map((issue) => sentence(issue, over)) };
  const { $schema: _, ...value } = read.output as Vocabulary & { readonly $schema?: string };
  const faults = muddles(value.words ?? {});
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value };
}

const word = (form: RegExp, is: string) =>
  v.pipe(
    v.string('is not a text'),
    v.nonEmpty('is empty'),
    v.maxLength(longest, `is longer than ${longest} letters`),
    v.regex(form, is),
  );

const part = word(
  /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/,
  'is not an identifier: small letters, digits and single underscores, beginning with a letter',
);
const whole = word(
  /^[A-Za-z0-9]+([_.-][A-Za-z0-9]+)*$/,
  'is not an identifier: letters and digits, with single underscores, dots or dashes between them',
);
const prefix = word(
  /^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/,
  'cannot begin the name of a header: letters and digits, with single dashes between them',
);
const title = word(
  /^[\p{L}\p{N}]+([ .&'_-][\p{L}\p{N}]+)*$/u,
  'is not a name: letters and digits, with single spaces between them',
);

/** The schema of a vocabulary file. */
export function vocabularySchema({ places }: Contract) {
  const some = (names: Iterable<string>, schema: (name: string) => AnySchema) =>
    v.strictObject(Object.fromEntries([...names].map((name) => [name, v.optional(schema(name))])));
  return v.strictObject({
    $schema: v.optional(v.string('is not a text')),
    service: v.optional(prefix),
    roles: v.optional(title),
    words: v.optional(some(neutralWords, () => part)),
    labels: v.optional(some(neutralWords, () => title)),
    values: v.optional(some(places.keys(), (place) => some(places.get(place) ?? [], () => whole))),
  });
}

/** Places of lists where objects belong: valibot takes a list for an object. */
function listsIn(given: unknown): string[][] {
  if (Array.isArray(given)) return [[]];
  const { words, labels, values } = (given ?? {}) as { words?: unknown; labels?: unknown; values?: unknown };
  const inside = Object.entries(typeof values === 'object' && values !== null ? values : {});
  return [
    ...(Array.isArray(words) ? [['words']] : []),
    ...(Array.isArray(labels) ? [['labels']] : []),
    ...(Array.isArray(values)
      ? [['values']]
      : inside.filter(([, words]) => Array.isArray(words)).map(([place]) => ['values', place])),
  ];
}

const noObject = (way: readonly string[]): string =>
  way.length === 0
    ? `a vocabulary is an object with some of ${listed(sections)}`
    : `${way.map(shown).join(': ')}: must be an object: the word of the contract, then yours`;

const sections = ['service', 'roles', 'words', 'values', 'labels'] as const;

function sentence(issue: v.BaseIssue<unknown>, { places }: Contract): string {
  const way = (issue.path ?? []).map((item) => String(item.key));
  const [section = '', place = '', contractWord = ''] = way;
  if (issue.type !== 'strict_object') {
    const bad = typeof issue.input === 'string' && issue.input !== '' ? ` "${shown(issue.input)}"` : '';
    return `${way.map(shown).join(': ')}:${bad || ' it'} ${issue.message}`;
  }
  if (issue.expected !== 'never') return noObject(way);
  const unknown = `"${shown(way.at(-1) ?? '')}"`;
  if (way.length === 1) return `${unknown} is not known: a vocabulary has ${listed(sections)}`;
  if (section === 'words' || section === 'labels')
    return `${section}: ${unknown} is not a word that can be replaced: there are ${listed(neutralWords)}`;
  const all = contractWord === '' ? [...places.keys()] : (places.get(place) ?? []);
  return contractWord === ''
    ? `values: ${unknown} is not a place where deployments have words of their own: there are ${listed(all)}`
    : `values: ${place}: ${unknown} is not known there: there are ${listed(all)}`;
}

/** Deployment words that could not be told apart from each other, or from the neutral ones. */
function muddles(words: NonNullable<Vocabulary['words']>): string[] {
  const given = new Map(Object.entries(words).filter(([neutral, theirs]) => neutral !== theirs));
  const names = new Map<string, string>();
  const same: string[] = [];
  for (const [name, theirs] of given) {
    const earlierWord = names.get(theirs);
    if (earlierWord !== undefined) same.push(`words: ${earlierWord} and ${name} would both be ${theirs}`);
    names.set(theirs, earlierWord ?? name);
  }
  const neutral = new Set<string>(neutralWords);
  const shared = overlappingWords([...new Set([...neutral, ...names.keys()])])
    .filter((pair) => pair.some((word) => !neutral.has(word)))
    .map(([one, other]) =>
      one === other
        ? `words: ${one} of ${names.get(one)} ends as it begins, so its end is ambiguous`
        : `words: ${one}${owner(one)} and ${other}${owner(other)} share a piece, so they cannot be told apart beside each other`,
    );
  const taken = [...names].filter(([theirs]) => neutral.has(theirs));
  return [
    ...same,
    ...taken.map(([theirs, name]) => `words: ${name} would be ${theirs}, which is a neutral word itself`),
    ...shared,
  ];

  function owner(word: string): string {
    const name = names.get(word);
    return name === undefined || neutral.has(word) ? '' : ` of ${name}`;
  }
}

const listed = (names: readonly string[]): string => names.join(', ');

/** As much of a bad entry as a line takes, without what a terminal would act on. */
const shown = (text: string): string => text.replace(/\p{C}/gu, '?').slice(0, 80);

/** A translator that can be used, or everything that is wrong with the vocabulary, one sentence each. */
type OpenedVocabulary =
  | { readonly ok: true; readonly value: Translator }
  | { readonly ok: false; readonly faults: readonly string[] };

/** Opens the text of a vocabulary file. One with a bad entry, or whose words meet, is not used at all. */
export function openVocabulary(text: string, over: Contract = contract): OpenedVocabulary {
  const content = parsedJson(text);
  if (content === undefined) return { ok: false, faults: [notJson] };
  const read = readVocabulary(content, over);
  if (!read.ok) return read;
  const met = collisions(read.value, over);
  return met.length > 0 ? { ok: false, faults: met } : { ok: true, value: createTranslator(read.value, over) };
}

export const notJson = 'a vocabulary is JSON, and this is not';
