import type { AnySchema } from '../../src/api/endpoint.ts';
import { type Line, pair, type Tone, text } from '../../src/describe/column.ts';
import { type Field, textField } from '../../src/describe/field.ts';
import { inWords, memberName, type VocabularyContext } from '../../src/describe/vocabulary-words.ts';
import { stringifyExact } from '../../src/lib/json.ts';
import { plural } from '../../src/lib/text.ts';

/** Words of a line, separated by commas. */
export const words = (typed: string | undefined): string[] =>
  (typed ?? '')
    .split(',')
    .map((it) => it.trim())
    .filter(Boolean);

/** Tags as the service wants them, or the sentence that says how. */
export const tagsCheck = (typed: string): true | string =>
  words(typed).find((it) => !/^!?[^:\s]+:\S/.test(it)) === undefined ||
  'each filter is a key and a value: env:prod, role:web';

/** Yes, no, or not told. */
export const yesNo = (it: boolean | null | undefined): string | undefined =>
  it == null ? undefined : it ? 'yes' : 'no';

export type Loose = Readonly<Record<string, unknown>>;

/** What the service finds out by itself: never sent. */
const findings = ['errors', 'warnings'];
/** What is only ever sent: an answer that repeats it is not shown, and it is not sent again. */
const secrets = ['client_secret', 'private_key', 'private_key_id'];

/** The attributes of a row without what is only ever sent, whoever tells it. */
export function withoutSecrets<A extends object>(attributes: A): A {
  const kept = Object.entries(attributes).filter(([name]) => !secrets.includes(name));
  return Object.fromEntries(kept) as A;
}

/** What was read, as it may be sent again: nothing of the service's own, nothing that is not set. */
export const sendable = (attributes: object): Loose =>
  Object.fromEntries(Object.entries(attributes).filter(([name, it]) => it != null && !findings.includes(name)));

/** Only what is there. */
export const defined = (it: Loose): Loose =>
  Object.fromEntries(Object.entries(it).filter(([, value]) => value !== undefined));

/** Whether two values say the same; the order of members means nothing, nothing and null are one. */
export const same = (one: unknown, other: unknown): boolean => spelled(one) === spelled(other);

/** One spelling of what a person sets: for undo, which looks whether a row has changed since. */
export const spelled = (it: unknown): string => stringifyExact(inOrder(it ?? null));

function inOrder(it: unknown): unknown {
  if (Array.isArray(it)) return it.map(inOrder);
  if (typeof it !== 'object' || it === null) return it;
  const members = Object.entries(it).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, value]) => [name, inOrder(value)]));
}

/** The settings of an account in one spelling, without what the service finds out by itself. */
export const gistOf = (attributes: object): Loose => ({ settings: spelled(sendable(attributes)) });

/** A value in words; undefined when there is none. */
function shown(value: unknown): string | undefined {
  if (value == null || value === '') return undefined;
  if (typeof value === 'boolean') return yesNo(value);
  if (Array.isArray(value))
    return value.map((it) => (typeof it === 'object' ? stringifyExact(it) : String(it))).join(', ') || undefined;
  return typeof value === 'object' ? stringifyExact(value) : String(value);
}

/** Every field that the service told, those of `known` first and by their titles; unknown ones by their own names. */
export function told(
  schema: AnySchema,
  attributes: Loose,
  known: Readonly<Record<string, string>>,
  context: VocabularyContext,
): readonly Line[] {
  const others = Object.keys(attributes).filter((name) => !(name in known) && !findings.includes(name));
  const read = inWords(schema, attributes, context);
  const value = (name: string) => shown(read[memberName(name, context)]);
  return [
    ...Object.entries(known).map(([name, title]) => pair(title, value(name))),
    ...others.map((name) => pair(memberName(name, context).replaceAll('_', ' '), value(name))),
  ];
}

/** What the service made of what was asked, where it tells something else; empty when it tells nothing. */
export function otherwise(
  now: object | null | undefined,
  asked: object,
  titles: Readonly<Record<string, string>>,
): string {
  const told = (now ?? {}) as Loose;
  const names = Object.entries(asked).filter(
    ([name, value]) => name in told && !same(unordered(told[name]), unordered(value)),
  );
  return names
    .map(([name]) => `; the service says ${titles[name] ?? name}: ${shown(told[name]) ?? 'nothing'}`)
    .join('');
}

/** Lists of an account are sets: a service may tell them in another order. */
const unordered = (it: unknown): unknown =>
  Array.isArray(it) ? it.map(spelled).toSorted((one, other) => (one < other ? -1 : 1)) : it;

type Told = Readonly<{ errors?: unknown; warnings?: unknown }>;
const linesIn = (it: unknown): readonly string[] =>
  (Array.isArray(it) ? it : []).map((one) => (typeof one === 'string' ? one : stringifyExact(one)));

/** What the service finds wrong with an account, worst first. */
export const faults = ({ errors, warnings }: Told): readonly string[] => [...linesIn(errors), ...linesIn(warnings)];

/** The same as lines of a detail. */
export const faultLines = ({ errors, warnings }: Told): readonly Line[] => [
  ...linesIn(errors).map((it) => text(it, 'bad')),
  ...linesIn(warnings).map((it) => text(it, 'warn')),
];

/** How an account is, in a cell. */
export function health({ errors, warnings }: Told): { readonly text: string; readonly tone: Tone } {
  const [wrong, odd] = [linesIn(errors).length, linesIn(warnings).length];
  if (wrong > 0) return { text: plural(wrong, 'error'), tone: 'bad' };
  return odd > 0 ? { text: plural(odd, 'warning'), tone: 'warn' } : { text: 'ok', tone: 'good' };
}

/** For sorting: errors before warnings before none. */
export const gravity = ({ errors, warnings }: Told): number => linesIn(errors).length * 1000 + linesIn(warnings).length;

/** What the title bar says of accounts that are not well, and of what could not be read. */
export function notesOn(all: readonly Told[], unread: readonly string[]): readonly string[] {
  const wrong = all.filter((it) => linesIn(it.errors).length > 0).length;
  return [
    ...(wrong > 0 ? [`${plural(wrong, 'account')} with errors: Enter tells them`] : []),
    ...(unread.length > 0 ? [`not read: ${unread.slice(0, 2).join('; ')}`] : []),
  ];
}

/** The object as it was read. */
export const rawLines = (schema: AnySchema, it: unknown, context: VocabularyContext): readonly Line[] =>
  stringifyExact(inWords(schema, it, context), 2)
    .split('\n')
    .map((line) => text(line));

/** What has to be typed: the name where a keyboard has it, else `delete`. */
export const typedName = (name: string): string =>
  /^[\x21-\x7e][\x20-\x7e]{0,59}$/.test(name) && name.trim() === name ? name : 'delete';

/** For a field that is only there while the toggle `name` is on. */
export const isOn =
  (name: string) =>
  (texts: Readonly<Record<string, string>>): boolean =>
    texts[name] === 'yes';

/** Filters as one text of keys and values. */
export const filterField = (label: string, initial: string | null | undefined): Field<string> =>
  textField(label, initial, { check: tagsCheck, hint: 'key:value, separated by commas; empty brings in all' });
