import { type ParseResult, unreadable } from '../lib/function-results.ts';
import { commaWords } from '../lib/text.ts';
import type { Completion, TextDiagnostic } from '../lib/text-matches.ts';
import type { Offers } from './context.ts';
import type { Pick as Choice } from './picks.ts';

export interface Option {
  readonly value: string;
  readonly label: string;
  /** What a person writes for it where a form is edited as text; the value when absent. */
  readonly word?: string;
  /** A single key that chooses it where the options are shown as a bar. */
  readonly key?: string;
  readonly hint?: string | undefined;
}

/**
 * One line of a form. What is typed is text until `read` makes a value of it, so nothing that a person
 * typed is ever lost to a conversion.
 */
export interface Field<V = unknown> {
  readonly kind: 'text' | 'choice' | 'toggle' | 'many' | 'pick' | 'checks' | 'file' | 'query';
  readonly label: string;
  /** The flag of the field on a command line, where that is not its name: two settings of a table may share one. */
  readonly flag?: string;
  /** The text that the field opens with. */
  readonly initial: string;
  readonly hint?: string | undefined;
  /** In place of an empty text: an example; of `checks`, what none of them means. */
  readonly placeholder?: string | undefined;
  /** Empty text is refused: the form marks it. */
  readonly required?: boolean | undefined;
  /** Cells of the longest text that is expected; the whole width when absent. */
  readonly cells?: number;
  /** A number: zeros in front of its digits are dropped while it is typed. */
  readonly isNumber?: boolean;
  /** Drawn as dots, kept out of the journal and of every log; may depend on the texts of the form's other fields. */
  readonly secret?: boolean | ((texts: Readonly<Record<string, string>>) => boolean) | undefined;
  readonly options?: readonly Option[];
  /** For `pick` and `checks`: what the service offers for what is typed. The text holds ids, separated by commas. */
  readonly picks?: Offers<Choice>;
  /** For `checks`: words that are not offered may be typed too. */
  readonly free?: boolean | undefined;
  /** What the ids of the initial text are called. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Left out, neither drawn nor read, while this is false of the other texts. */
  readonly shown?: (texts: Readonly<Record<string, string>>) => boolean;
  /** About the form alone, such as whether it shows more: no difference that is sent. */
  readonly aside?: boolean;
  /** For `query`: the language in which it is written, loaded when the form opens. */
  readonly language?: () => Promise<FieldLanguage>;
  /** For `query`: sentences for people, in which a word such as `not` is no operator. */
  readonly isProse?: boolean | undefined;
  /** The text that the field has while nothing was typed into it, from the texts of the form's other fields. */
  readonly follows?: (texts: Readonly<Record<string, string>>) => string;
  /** For `file`: bytes at most; the value is made of what the file holds, the text is its path. */
  readonly limit?: number;
  /** The text is the path of a file of this machine: Tab completes it. So it is with `file`. */
  readonly isPath?: boolean | undefined;
  /** Name of the field that names a CSV file: once its first line is read, one of its columns is chosen here. */
  readonly columnsOf?: string;
  /** Several of those columns are chosen. */
  readonly severalColumns?: boolean;
  /** What the text means so far, shown while it is typed; undefined while it means nothing. `now`: epoch milliseconds. */
  readonly means?: (text: string, now: number) => string | undefined;
  read(text: string): ParseResult<V>;
}

// biome-ignore lint/suspicious/noExplicitAny: a form holds fields of different value types
export type Fields = Readonly<Record<string, Field<any>>>;

/** The values of a form, by field name, typed from its fields. */
export type ValuesOf<F extends Fields> = { [N in keyof F]: F[N] extends Field<infer V> ? V : never };

/** What a field may be given besides what makes its kind. */
type Limits = Partial<Pick<Field, 'hint' | 'placeholder' | 'required'>>;

interface TextLimits extends Limits, Partial<Pick<Field, 'secret' | 'isPath'>> {
  readonly longest?: number;
  /** A further check: true, or the sentence to show. */
  readonly check?: (text: string) => true | string;
}

/** The field, with an empty text refused where it is required. */
const filled = <V>(field: Field<V>): Field<V> => ({
  ...field,
  read: (text) => (field.required && text.trim() === '' ? unreadable(`${field.label} is required`) : field.read(text)),
});

/** Free text on one line. */
export function textField(
  label: string,
  initial: string | null | undefined,
  { longest, check, ...limits }: TextLimits = {},
): Field<string> {
  return filled({
    kind: 'text',
    label,
    initial: initial ?? '',
    ...limits,
    read(typed) {
      const text = typed.trim();
      if (longest !== undefined && text.length > longest) return unreadable(`${label}: at most ${longest} characters`);
      const verdict = check?.(text) ?? true;
      return verdict === true ? { ok: true, value: text } : unreadable(verdict);
    },
  });
}

interface NumberLimits extends Omit<Limits, 'placeholder'> {
  readonly min?: number;
  readonly max?: number;
  readonly whole?: boolean;
}

/** A number within limits; empty text reads as undefined unless `required`. */
export function numberField(
  label: string,
  initial: number | bigint | null | undefined,
  { min, max, hint, required, ...limits }: NumberLimits = {},
): Field<number | undefined> {
  const range =
    min !== undefined && max !== undefined
      ? `${min} to ${max}`
      : min !== undefined
        ? `at least ${min}`
        : max !== undefined
          ? `at most ${max}`
          : 'a number';
  const number = limits.whole ? 'a whole number' : 'a number';
  const within = range === 'a number' ? '' : `, ${range}`;
  return filled({
    kind: 'text',
    label,
    initial: initial == null ? '' : String(initial),
    hint: hint ?? range,
    required,
    cells: 14,
    isNumber: true,
    read(typed) {
      const text = typed.trim();
      if (text === '') return { ok: true, value: undefined };
      const value = Number(text);
      if (!Number.isFinite(value)) return unreadable(`${label} must be ${number}${within}`);
      if ((min !== undefined && value < min) || (max !== undefined && value > max))
        return unreadable(`${label} must be ${range}`);
      if (!limits.whole || Number.isSafeInteger(value)) return { ok: true, value };
      const most = Number.isInteger(value) ? ` up to ${Number.MAX_SAFE_INTEGER}` : '';
      return unreadable(`${label} must be a whole number${most}`);
    },
  });
}

const asOption = (option: string | Option): Option =>
  typeof option === 'string' ? { value: option, label: option } : option;

/** A field whose value is one of several words. */
export function choiceField<const W extends string>(
  label: string,
  initial: W | (string & {}) | null | undefined,
  options: readonly (W | (Option & { readonly value: W }))[],
  hint?: string,
): Field<W> {
  const all = options.map(asOption);
  return {
    kind: 'choice',
    label,
    initial: initial ?? all[0]?.value ?? '',
    hint,
    options: all,
    read: (text) =>
      all.some((option) => option.value === text)
        ? { ok: true, value: text as W }
        : unreadable(`${label} must be one of ${all.map((option) => option.label).join(', ')}`),
  };
}

/** Yes or no. */
export function toggleField(label: string, initial: boolean | null | undefined, hint?: string): Field<boolean> {
  const words = choiceField(label, initial ? 'yes' : 'no', ['yes', 'no'], hint);
  return { ...readAs(words, (word) => ({ ok: true, value: word === 'yes' })), kind: 'toggle' };
}

/** Several words from a known list, kept as text joined by commas; empty means all or none, as the hint says. */
export function manyField<const W extends string>(
  label: string,
  initial: readonly string[],
  options: readonly (W | Option)[],
  hint?: string,
): Field<W[]> {
  const all = options.map(asOption);
  return {
    kind: 'many',
    label,
    initial: initial.join(','),
    hint,
    options: all,
    read(text) {
      const chosen = commaWords(text);
      const stranger = chosen.find((word) => !all.some((known) => known.value === word));
      return stranger === undefined
        ? { ok: true, value: chosen as W[] }
        : unreadable(`${stranger} is not one of ${all.map((option) => option.label).join(', ')}`);
    },
  };
}

/** Several words of a person's own on one line, separated by commas; `check` looks at each new one and says what to write instead. */
export function listField(
  label: string,
  initial: readonly string[] | null | undefined,
  { check, ...limits }: Pick<TextLimits, 'hint' | 'check'> = {},
): Field<string[]> {
  return {
    ...textField(label, (initial ?? []).join(', '), limits),
    read(text) {
      const words = commaWords(text);
      const added = words.filter((word) => !initial?.includes(word));
      const wrong = added.map((word) => check?.(word) ?? true).find((verdict) => verdict !== true);
      return wrong === undefined ? { ok: true, value: words } : unreadable(wrong);
    },
  };
}

/** One thing out of a list that the service searches: a role, a team. The value is its id; empty text reads as undefined unless `required`. */
export function pickField(
  label: string,
  initial: Choice | undefined,
  picks: Offers<Choice>,
  { hint = 'Enter opens the list', required }: Omit<Limits, 'placeholder'> = {},
): Field<string | undefined> {
  return filled({
    kind: 'pick',
    label,
    initial: initial?.id ?? '',
    labels: initial ? { [initial.id]: initial.label } : {},
    hint,
    required,
    picks,
    read: (text) => ({ ok: true, value: text === '' ? undefined : text }),
  });
}

/** Several things out of a list that the service searches; `free` lets other words in. The value is the ids in the order taken. */
export function checksField(
  label: string,
  initial: readonly Choice[],
  picks: Offers<Choice>,
  { hint = 'Enter opens the list, Space toggles', ...limits }: Limits & Partial<Pick<Field, 'free'>> = {},
): Field<string[]> {
  return filled({
    kind: 'checks',
    label,
    initial: initial.map((pick) => pick.id).join(','),
    labels: Object.fromEntries(initial.map((pick) => [pick.id, pick.label])),
    hint,
    ...limits,
    picks,
    read: (text) => ({ ok: true, value: commaWords(text) }),
  });
}

/** A field whose value is made of what another one reads, and of the text. */
export function readAs<V, W>(field: Field<V>, make: (value: V, text: string) => ParseResult<W>): Field<W> {
  return {
    ...field,
    read(text) {
      const read = field.read(text);
      return read.ok ? make(read.value, text) : read;
    },
  };
}

/** Gives a field the value `value` when its text is empty. */
export const whenEmpty = <V, E>(value: E, field: Field<V>): Field<NonNullable<V> | E> =>
  readAs(field, (read, text) => ({
    ok: true,
    value: text.trim() === '' ? value : (read ?? value),
  }));

/** A file of this machine, by path; the value is what `read` makes of its content. */
export function fileField<V>(
  label: string,
  read: (content: string) => ParseResult<V>,
  { limit, hint = 'Path of the file', required }: Omit<Limits, 'placeholder'> & { readonly limit: number },
): Field<V> {
  return {
    kind: 'file',
    label,
    initial: '',
    limit,
    hint,
    placeholder: '~/…',
    required,
    read: (content) => (content === '' && required ? unreadable(`${label} is required`) : read(content)),
  };
}

/** Text on several lines in a language that is checked while it is typed. Its spaces and line breaks are kept. */
export function queryField(
  label: string,
  initial: string | null | undefined,
  language: () => Promise<FieldLanguage>,
  limits: Omit<Limits, 'placeholder'> & Partial<Pick<Field, 'isProse'>> = {},
): Field<string> {
  return filled({
    kind: 'query',
    label,
    initial: initial ?? '',
    language,
    ...limits,
    read: (text) => ({ ok: true, value: text }),
  });
}

/** Makes the text of a field from those of the others until a person writes into it. */
export function following<V>(text: (texts: Readonly<Record<string, string>>) => string, field: Field<V>): Field<V> {
  return { ...field, follows: text };
}

/** Shows a field only while `shown` is true of the form's other texts. */
export function shownWhen<V>(shown: (texts: Readonly<Record<string, string>>) => boolean, field: Field<V>): Field<V> {
  return { ...field, shown };
}

/** Names of the fields that are there, in order. */
export function shownNames(fields: Fields, texts: Readonly<Record<string, string>>): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.shown?.(texts) ?? true);
}

/** Whether a field is to be drawn as dots, given the texts of its form. */
export function isSecret(
  field: { readonly secret?: Field['secret'] | undefined },
  texts: Readonly<Record<string, string>>,
): boolean {
  return typeof field.secret === 'function' ? field.secret(texts) : field.secret === true;
}

/** Something that is said of a part of a text in a field. */
export interface FieldDiagnostic extends TextDiagnostic {
  /** The field that it is about, where that is another one of the form: this text may be right as it is. */
  readonly field?: string | undefined;
}

/**
 * A language that a field is written in. All functions take the texts of the form's other fields, are pure, never throw,
 * and must take well under 10 ms for 2,000 characters: they are called for every key.
 */
export interface FieldLanguage {
  /** Diagnostics of the text, most severe first; empty when it is fine. */
  check(text: string, texts: Readonly<Record<string, string>>): readonly FieldDiagnostic[];
  /** What may follow at `at`, a place in UTF-16 units; undefined when nothing is known. `begun`: only for a word that has begun. */
  complete(text: string, at: number, texts: Readonly<Record<string, string>>, begun?: boolean): Completion | undefined;
  /** What the text means, a sentence a line, for the pane beside the form; empty where that is not known. */
  says?(text: string, texts: Readonly<Record<string, string>>): readonly string[];
}
