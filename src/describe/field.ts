import type { ParseResult } from '../lib/parse-result.ts';
import { commaWords } from '../lib/text.ts';
import type { FieldLanguage } from './language.ts';
import type { Pick } from './pick.ts';
import type { Source } from './source.ts';

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
  /** For `pick` and `checks`: what the service offers for what is typed. The text holds ids, joined by commas. */
  readonly picks?: (typed: string) => Source<Pick>;
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

interface TextLimits {
  readonly hint?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly required?: boolean;
  readonly secret?: Field['secret'] | undefined;
  readonly longest?: number;
  readonly isPath?: boolean;
  /** A further check: true, or the sentence to show. */
  readonly check?: (text: string) => true | string;
}

/** Free text on one line. */
export function textField(label: string, initial: string | null | undefined, limits: TextLimits = {}): Field<string> {
  return {
    kind: 'text',
    label,
    initial: initial ?? '',
    hint: limits.hint,
    placeholder: limits.placeholder,
    secret: limits.secret,
    required: limits.required,
    isPath: limits.isPath,
    read(typed) {
      const text = typed.trim();
      if (limits.required && text === '') return { ok: false, text: `${label} is required` };
      if (limits.longest !== undefined && text.length > limits.longest)
        return { ok: false, text: `${label}: at most ${limits.longest} characters` };
      const verdict = limits.check?.(text) ?? true;
      return verdict === true ? { ok: true, value: text } : { ok: false, text: verdict };
    },
  };
}

interface NumberLimits {
  readonly min?: number;
  readonly max?: number;
  readonly whole?: boolean;
  readonly hint?: string | undefined;
}

/** A number within limits; empty text reads as undefined unless `required`. */
export function numberField(
  label: string,
  initial: number | bigint | null | undefined,
  limits: NumberLimits & { readonly required?: boolean } = {},
): Field<number | undefined> {
  const range =
    limits.min !== undefined && limits.max !== undefined
      ? `${limits.min} to ${limits.max}`
      : limits.min !== undefined
        ? `at least ${limits.min}`
        : limits.max !== undefined
          ? `at most ${limits.max}`
          : 'a number';
  const number = limits.whole ? 'a whole number' : 'a number';
  const within = range === 'a number' ? '' : `, ${range}`;
  return {
    kind: 'text',
    label,
    initial: initial == null ? '' : String(initial),
    hint: limits.hint ?? range,
    required: limits.required,
    cells: 14,
    isNumber: true,
    read(typed) {
      const text = typed.trim();
      if (text === '')
        return limits.required ? { ok: false, text: `${label} is required` } : { ok: true, value: undefined };
      const value = Number(text);
      const outside =
        (limits.min !== undefined && value < limits.min) || (limits.max !== undefined && value > limits.max);
      if (!Number.isFinite(value)) return { ok: false, text: `${label} must be ${number}${within}` };
      if (outside) return { ok: false, text: `${label} must be ${range}` };
      if (limits.whole && !Number.isInteger(value)) return { ok: false, text: `${label} must be a whole number` };
      return { ok: true, value };
    },
  };
}

/** A field whose value is one of several words. */
export function choiceField<const W extends string>(
  label: string,
  initial: W | (string & {}) | null | undefined,
  options: readonly (W | (Option & { readonly value: W }))[],
  hint?: string,
): Field<W> {
  const all: readonly Option[] = options.map((option) =>
    typeof option === 'string' ? { value: option, label: option } : option,
  );
  return {
    kind: 'choice',
    label,
    initial: initial ?? all[0]?.value ?? '',
    hint,
    options: all,
    read: (text) =>
      all.some((option) => option.value === text)
        ? { ok: true, value: text as W }
        : { ok: false, text: `${label} must be one of ${all.map((option) => option.label).join(', ')}` },
  };
}

/** Yes or no. */
export function toggleField(label: string, initial: boolean | null | undefined, hint?: string): Field<boolean> {
  return {
    kind: 'toggle',
    label,
    initial: initial ? 'yes' : 'no',
    hint,
    options: [
      { value: 'yes', label: 'yes' },
      { value: 'no', label: 'no' },
    ],
    read: (text) => ({ ok: true, value: text === 'yes' }),
  };
}

/** Several words from a known list, kept as text joined by commas; empty means all or none, as the hint says. */
export function manyField<const W extends string>(
  label: string,
  initial: readonly string[],
  options: readonly (W | Option)[],
  hint?: string,
): Field<W[]> {
  const all: readonly Option[] = options.map((option) =>
    typeof option === 'string' ? { value: option, label: option } : option,
  );
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
        : { ok: false, text: `${label}: ${stranger} is not one of ${all.map((option) => option.label).join(', ')}` };
    },
  };
}

/** Several words of a person's own on one line, separated by commas; `check` looks at each and says what to write instead. */
export function listField(
  label: string,
  initial: readonly string[] | null | undefined,
  limits: { readonly hint?: string | undefined; readonly check?: (word: string) => true | string } = {},
): Field<string[]> {
  return {
    ...textField(label, (initial ?? []).join(', '), limits.hint === undefined ? {} : { hint: limits.hint }),
    read(text) {
      const words = commaWords(text);
      const wrong = words.map((word) => limits.check?.(word) ?? true).find((verdict) => verdict !== true);
      return wrong === undefined ? { ok: true, value: words } : { ok: false, text: wrong };
    },
  };
}

/** One thing out of a list that the service searches: a role, a team. The value is its id; empty text reads as undefined unless `required`. */
export function pickField(
  label: string,
  initial: Pick | undefined,
  picks: (typed: string) => Source<Pick>,
  limits: { readonly required?: boolean; readonly hint?: string } = {},
): Field<string | undefined> {
  return {
    kind: 'pick',
    label,
    initial: initial?.id ?? '',
    labels: initial ? { [initial.id]: initial.label } : {},
    hint: limits.hint ?? 'Enter opens the list',
    required: limits.required,
    picks,
    read: (text) =>
      text === '' && limits.required
        ? { ok: false, text: `${label} is required` }
        : { ok: true, value: text === '' ? undefined : text },
  };
}

/** Several things out of a list that the service searches; `free` lets other words in. The value is the ids in the order taken. */
export function checksField(
  label: string,
  initial: readonly Pick[],
  picks: (typed: string) => Source<Pick>,
  limits: {
    readonly free?: boolean | undefined;
    readonly hint?: string | undefined;
    /** What none of them means, where that is not nothing. */
    readonly placeholder?: string;
    readonly required?: boolean;
  } = {},
): Field<string[]> {
  return {
    kind: 'checks',
    label,
    initial: initial.map((pick) => pick.id).join(','),
    labels: Object.fromEntries(initial.map((pick) => [pick.id, pick.label])),
    hint: limits.hint ?? 'Enter opens the list, Space toggles',
    placeholder: limits.placeholder,
    picks,
    free: limits.free,
    required: limits.required,
    read(text) {
      const ids = commaWords(text);
      return ids.length === 0 && limits.required
        ? { ok: false, text: `${label} is required` }
        : { ok: true, value: ids };
    },
  };
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
  readAs({ ...field, required: false }, (read, text) => ({
    ok: true,
    value: text.trim() === '' ? value : (read ?? value),
  }));

/** A file of this machine, by path; the value is what `read` makes of its content. */
export function fileField<V>(
  label: string,
  read: (content: string) => ParseResult<V>,
  limits: {
    readonly limit: number;
    readonly hint?: string | undefined;
    readonly required?: boolean;
    readonly secret?: boolean;
  },
): Field<V> {
  return {
    kind: 'file',
    label,
    initial: '',
    limit: limits.limit,
    hint: limits.hint ?? 'Path of the file',
    placeholder: '~/…',
    required: limits.required,
    read: (content) =>
      content === '' && limits.required ? { ok: false, text: `${label} is required` } : read(content),
  };
}

/** Text on several lines in a language that is checked while it is typed. Its spaces and line breaks are kept. */
export function queryField(
  label: string,
  initial: string | null | undefined,
  language: () => Promise<FieldLanguage>,
  limits: { readonly hint?: string | undefined; readonly required?: boolean; readonly isProse?: boolean } = {},
): Field<string> {
  return {
    kind: 'query',
    label,
    initial: initial ?? '',
    language,
    isProse: limits.isProse,
    hint: limits.hint,
    required: limits.required,
    read: (text) =>
      limits.required && text.trim() === '' ? { ok: false, text: `${label} is required` } : { ok: true, value: text },
  };
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
