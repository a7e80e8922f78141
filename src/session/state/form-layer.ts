import {
  type Field,
  type FieldDiagnostic,
  type FieldLanguage,
  type Fields,
  isSecret,
  shownNames,
} from '../../describe/field.ts';
import { formParts, textCells } from '../../lib/form-text.ts';
import { keptPer } from '../../lib/function-results.ts';
import type { ChangedPart, Completion } from '../../lib/text-matches.ts';
import { type EditedLine, type Editor, editedLine, editor } from '../keyboard/editor.ts';
import type { FilePath } from '../outside/outside.ts';
import type { SavedDraft } from '../outside/saved-session.ts';
import type { Pending } from '../send/pending-edit.ts';

/** What a form's values are for. */
export type FormFor =
  | { readonly kind: 'action'; readonly pending: Pending }
  | { readonly kind: 'search'; readonly list: string }
  | { readonly kind: 'view' }
  /** A new profile, or the one of this name. */
  | { readonly kind: 'profile'; readonly name?: string }
  | { readonly kind: 'keys'; readonly name: string };

/** One value that an edit would change. */
export interface ValueDifference {
  readonly label: string;
  /** One side and the other, or, of `several` values or lines, what is removed, what is added and what stays beside it. */
  readonly parts: readonly ChangedPart[];
  readonly several?: boolean;
}

/** The state of a query field besides its text. */
export interface Written {
  /** Undefined until it has been loaded. */
  readonly language?: FieldLanguage;
  /** Why it could not be loaded: the field works without checks. */
  readonly trouble?: string;
  /** Diagnostics about the present text, the most severe first. */
  readonly diagnostics: readonly FieldDiagnostic[];
  /** What the text means, a sentence a line. */
  readonly says?: readonly string[];
  /** The texts of the form that the diagnostics are about. */
  readonly about?: Readonly<Record<string, string>>;
  /** Completions offered, and which one is selected. */
  readonly offers?: { readonly completion: Completion; readonly cursor: number } | undefined;
  /** The diagnostic that stopped a save: saving the same text again sends it. */
  readonly refused?: { readonly text: string; readonly message: string };
}

/** A form on the screen: its fields, their texts, and what is known about them. */
export interface OpenForm {
  readonly kind: 'form';
  readonly title: string;
  readonly fields: Fields;
  readonly lines: Readonly<Record<string, EditedLine | Editor>>;
  /** Derived fields that a person wrote into; they no longer follow. */
  readonly own: readonly string[];
  /** State of the query fields, by name. */
  readonly written: Readonly<Record<string, Written>>;
  readonly focus: number;
  readonly errors: Readonly<Record<string, string>>;
  readonly touched: boolean;
  readonly busy: boolean;
  /** Waits for the languages of its fields, to be saved then. */
  readonly isChecking?: boolean;
  readonly problem?: string | undefined;
  readonly leaving: boolean;
  /** The changes to review before they are sent. */
  readonly review?: readonly ValueDifference[] | undefined;
  /** The request of the review, as lines of text; undefined where it is not known before it is sent. */
  readonly request?: readonly string[] | undefined;
  /** Lines scrolled in the review. */
  readonly reviewTop?: number;
  /** Labels of picked ids, by field. */
  readonly labels: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Content of files as they were read, by field. */
  readonly files: Readonly<Record<string, { readonly path: string; readonly content: string }>>;
  /** What is known of the paths in its fields. */
  readonly paths?: Readonly<Record<string, FilePath>>;
  /** Of a search: which earlier one is shown, 1 the newest. */
  readonly recalled?: number;
  readonly for: FormFor;
  /** What was typed into it before, offered until a person goes on with it or starts anew. */
  readonly draft?: SavedDraft;
}

interface Texts {
  readonly texts: Readonly<Record<string, string>>;
  readonly names: readonly string[];
}

/** Values derived from a form's lines, kept: they are read many times between two keys. */
const made = keptPer<OpenForm['lines'], Texts>();

const textual = ({ fields, lines }: OpenForm): Texts =>
  made(lines, [fields], () => {
    const texts = Object.fromEntries(Object.keys(fields).map((name) => [name, lines[name]?.text ?? '']));
    return { texts, names: shownNames(fields, texts) };
  });

/** The texts of a form by field name. */
export const fieldTexts = (form: OpenForm): Readonly<Record<string, string>> => textual(form).texts;

/** Names of the fields that are visible now; `focus` is an index into them. */
export const fieldNames = (form: OpenForm): readonly string[] => textual(form).names;

/** The field in focus. */
export function focused(form: OpenForm): { readonly name: string; readonly field: Field } | undefined {
  const name = fieldNames(form)[form.focus] ?? '';
  const field = form.fields[name];
  return field && { name, field };
}

/** Whether a field takes typed text. */
export const isTyped = (field: Field | undefined): boolean =>
  field?.kind === 'text' || field?.kind === 'file' || field?.kind === 'query';

/** Whether a field shows further fields, or hides them. */
export const isFurther = (field: Field): boolean => field.kind === 'toggle' && field.aside === true;

/** How many more fields there are while this one is `yes`. */
export function furtherFields(form: OpenForm, name: string): number {
  const texts = fieldTexts(form);
  const count = (text: string) =>
    texts[name] === text ? fieldNames(form).length : shownNames(form.fields, { ...texts, [name]: text }).length;
  return count('yes') - count('no');
}

/** A field's text as an unedited line. */
export function fieldLine(field: Field, text: string): EditedLine | Editor {
  if (field.kind === 'query') return editor(text);
  return field.kind === 'text' || field.kind === 'file' ? editedLine(text) : { text, cursor: 0 };
}

/** The editor of a query field. */
export function fieldEditor(form: OpenForm, name: string): Editor {
  const line = form.lines[name];
  return line && 'past' in line ? line : editor(line?.text);
}

/** A field's value as it is shown: names for ids, dots for a secret. */
export function fieldHelpText(form: OpenForm, name: string, text: string): string {
  const field = form.fields[name];
  if (!field) return text;
  if (isSecret(field, fieldTexts(form))) return text === '' ? '' : '••••';
  if (field.kind === 'pick' || field.kind === 'checks') {
    return text
      .split(',')
      .filter(Boolean)
      .map((id) => form.labels[name]?.[id] ?? id)
      .join(', ');
  }
  return field.options?.find((option) => option.value === text)?.label ?? text;
}

/** Cells of the parts of a form: its own, with its borders, and those of the pane beside it. */
export const formLayout = (form: Pick<OpenForm, 'for'>, columns: number) =>
  formParts(columns, form.for.kind === 'action');

/** Cells of a row of a text on several lines. The labels are those that are drawn, with the mark of what is required. */
export function textWidth(form: OpenForm, columns: number): number {
  const labels = fieldNames(form).map((name) => {
    const { label = name, required = false } = form.fields[name] ?? {};
    return required ? `${label} *` : label;
  });
  return textCells(labels, formLayout(form, columns).form - 2);
}

/**
 * Updates what depends on a form's texts: derived fields first, then the diagnostics of the languages. `emptied` is a
 * field that a person has just cleared: it stays empty, since another text may follow.
 */
export const settled = (form: OpenForm, emptied?: string): OpenForm => judged(followed(form, emptied));

function followed(form: OpenForm, emptied: string | undefined): OpenForm {
  const lines = { ...form.lines };
  const errors = { ...form.errors };
  const texts: Record<string, string> = { ...fieldTexts(form) };
  for (const [name, field] of Object.entries(form.fields)) {
    if (!field.follows || name === emptied || form.own.includes(name)) continue;
    const text = field.follows(texts);
    if (text === texts[name]) continue;
    texts[name] = text;
    lines[name] = fieldLine(field, text);
    delete errors[name];
  }
  return { ...form, lines, errors };
}

/** The form with what its languages say of its texts; asked again only when a text has changed. */
export function judged(form: OpenForm): OpenForm {
  const texts = fieldTexts(form);
  const written = { ...form.written };
  for (const [name, field] of Object.entries(written)) {
    if (!field.language || (field.about && isSame(field.about, texts))) continue;
    const text = texts[name] ?? '';
    const diagnostics = field.language.check(text, texts);
    written[name] = { ...field, about: texts, diagnostics, says: field.language.says?.(text, texts) ?? [] };
  }
  return { ...form, written };
}

const isSame = (one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean =>
  Object.keys(other).every((name) => one[name] === other[name]);
