import { choiceField, type Field, numberField, textField, toggleField } from '../../../src/describe/field.ts';
import { toNumber, toText } from '../row.ts';
import type { SettingSpec } from './setting.ts';

type More = Partial<Omit<SettingSpec, 'label' | 'field'>>;

/** A whole number that may be left out, its limits those of the option; the hint has its unit. */
export const countSetting = (label: string, hint: string, more: More = {}): SettingSpec => ({
  label,
  field: (title, value) => orNone(numberField(title, toNumber(value), { whole: true, hint })),
  ...more,
});

/** Any number that may be left out. */
export const amountSetting = (label: string, hint: string, more: More = {}): SettingSpec => ({
  label,
  field: (title, value) => orNone(numberField(title, toNumber(value), { hint })),
  ...more,
});

/** Yes or no; `usual` is the service's default. */
export const flagSetting = (label: string, hint: string, more: More & { readonly usual: boolean }): SettingSpec => ({
  label,
  field: (title, value) => toggleField(title, typeof value === 'boolean' ? value : more.usual, hint),
  ...more,
});

/** A line of text that may be left out. */
export const lineSetting = (label: string, { hint, ...more }: More & { readonly hint: string }): SettingSpec => ({
  label,
  field: (title, value) => orNone(textField(title, toText(value), { hint })),
  ...more,
});

/** A setting that is one of the words of the specification, the first where none is set; another word that was read may stay. */
export const wordSetting = (label: string, words: readonly string[], hint: string, more: More = {}): SettingSpec => ({
  label,
  field: (title, value) => choiceField(title, toText(value) ?? words[0], words, hint),
  ...more,
});

/** Makes the value of a field null when it is emptied, which removes the member. */
export function orNone<V>(field: Field<V>): Field<V | null> {
  return { ...field, read: (text) => (text.trim() === '' ? { ok: true, value: null } : field.read(text)) };
}

/** A read-only field with the reason. */
export function readOnlyField(label: string, text: string, why: string): Field<undefined> {
  return {
    ...textField(label, text, { hint: why }),
    read: (typed) =>
      typed === text ? { ok: true, value: undefined } : { ok: false, text: `${label} stays as it is: ${why}` },
  };
}
