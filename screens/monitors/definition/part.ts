import { choiceField, type Field, numberField, textField, toggleField } from '../../../src/describe/field.ts';
import { numberOf, textOf } from '../row.ts';
import type { Members } from './composite.ts';
import { at, type Definition, type Path, put } from './definition.ts';
import type { Kind } from './kinds.ts';
import type { Known } from './known.ts';

type Texts = Readonly<Record<string, string>>;

/** What a field of the form may know besides its own place. */
export interface About {
  readonly kind: Kind;
  /** The words that the organisation's own monitors use; gathered when first asked for. */
  readonly known: () => Known;
  /** What the definition would be with these texts in the form. */
  readonly meant: (texts: Texts) => Definition;
  /** Of a composite that is a plain list: its query follows the members. */
  readonly members?: Members | undefined;
}

/** One field of the form, and the place of the definition that it is about. */
export interface Part {
  /** The name of the field. */
  readonly name: string;
  /** Which kinds take it. A monitor that has it shows it whatever its kind. */
  takes(kind: Kind): boolean;
  /** Behind `more options` while it is not set. */
  readonly rare?: boolean;
  /** Left out of the form while this is false of the other texts. */
  shown?(texts: Texts): boolean;
  isSet(now: Definition): boolean;
  field(now: Definition, about: About): Field<unknown>;
  /** The definition with the field's value; null is what an emptied field stands for. */
  put(value: unknown, into: Definition): Definition;
}

interface Placed extends Partial<Pick<Part, 'takes' | 'rare' | 'shown' | 'isSet' | 'put'>> {
  readonly field: (value: unknown, about: About, now: Definition) => Field<unknown>;
  /** What the service sets by itself: not worth a line while it is that. */
  readonly usual?: unknown;
}

/** A part that is one place of the definition; an emptied field takes away what stands there. */
export function placed(name: string, path: Path, it: Placed): Part {
  return {
    takes: () => true,
    isSet: (now) => {
      const value = at(now, path);
      return value !== undefined && value !== it.usual && !(Array.isArray(value) && value.length === 0);
    },
    put: (value, into) => put(into, path, value ?? undefined),
    ...it,
    name,
    field: (now, about) => it.field(at(now, path), about, now),
  };
}

/** A part that is one of the options. */
export const option = (name: string, it: Placed): Part => placed(name, ['options', name], it);

/** For `takes`: every kind of these families. */
export const inFamilies =
  (...families: readonly Kind['family'][]) =>
  (kind: Kind): boolean =>
    families.includes(kind.family);

/** The same field, whose value is null when it is emptied: what it is about goes. */
export function orNone<V>(field: Field<V>): Field<V | null> {
  return { ...field, read: (text) => (text.trim() === '' ? { ok: true, value: null } : field.read(text)) };
}

/** A number that may be left out. */
export const optionalNumber = (
  label: string,
  value: unknown,
  limits: Parameters<typeof numberField>[2] = {},
): Field<unknown> => orNone(numberField(label, numberOf(value), limits));

/** A whole number of zero or more that may be left out. */
export const optionalCount = (label: string, value: unknown, hint: string, min = 0, max?: number): Field<unknown> =>
  optionalNumber(label, value, { whole: true, min, hint, ...(max === undefined ? {} : { max }) });

/** A line of text that may be left out. */
export const optionalText = (
  label: string,
  value: unknown,
  limits: Parameters<typeof textField>[2] = {},
): Field<unknown> => orNone(textField(label, textOf(value), limits));

/** Yes or no, with what the service takes when nothing is said. */
export const toggle = (label: string, value: unknown, hint: string, otherwise = false): Field<unknown> =>
  toggleField(label, typeof value === 'boolean' ? value : otherwise, hint);

/** One of the words of the specification; a word that was read and is none of them may stay. */
export const oneOf = (
  label: string,
  value: unknown,
  words: readonly string[],
  hint: string,
  otherwise = words[0],
): Field<unknown> => choiceField(label, textOf(value) ?? otherwise, words, hint);

/** Something that is shown and stays as it is. */
export function kept(label: string, text: string, why: string): Field<undefined> {
  return {
    ...textField(label, text, { hint: why }),
    read: (typed) =>
      typed === text ? { ok: true, value: undefined } : { ok: false, text: `${label} stays as it is: ${why}` },
  };
}
