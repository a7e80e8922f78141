import { type Field, isSecret, shownNames } from '../../describe/field.ts';
import { type Editor, editor } from './editor.ts';
import type { Form } from './form-layer.ts';
import { type Line, line } from './line.ts';

interface Texts {
  readonly of: Form['fields'];
  readonly texts: Readonly<Record<string, string>>;
  readonly names: readonly string[];
}

/** What was made of the lines of a form: they are asked for many times between two keys. */
const made = new WeakMap<Form['lines'], Texts>();

function textual({ fields, lines }: Form): Texts {
  const known = made.get(lines);
  if (known?.of === fields) return known;
  const texts = Object.fromEntries(Object.keys(fields).map((name) => [name, lines[name]?.text ?? '']));
  const fresh = { of: fields, texts, names: shownNames(fields, texts) };
  made.set(lines, fresh);
  return fresh;
}

/** The texts of a form by field name. */
export const textsOf = (form: Form): Readonly<Record<string, string>> => textual(form).texts;

/** Names of the fields that are there now; `focus` is a place among them. */
export const namesOf = (form: Form): readonly string[] => textual(form).names;

/** The field that the keys go to. */
export function focused(form: Form): { readonly name: string; readonly field: Field } | undefined {
  const name = namesOf(form)[form.focus];
  const field = name === undefined ? undefined : form.fields[name];
  return name === undefined || field === undefined ? undefined : { name, field };
}

/** Whether letters go into the field in focus as they are. */
export const isTyped = (field: Field | undefined): boolean =>
  field?.kind === 'text' || field?.kind === 'file' || field?.kind === 'query';

/** A text as it stands in its field before a key has changed it. */
export function lineOf(field: Field, text: string): Line | Editor {
  if (field.kind === 'query') return editor(text);
  return field.kind === 'text' || field.kind === 'file' ? line(text) : { text, cursor: 0 };
}

/** The text of a field in a language, with the way back. */
export function editorOf(form: Form, name: string): Editor {
  const line = form.lines[name];
  return line && 'past' in line ? line : editor(line?.text);
}

/** How the value of a field is called: ids by their names, a secret by dots. */
export function saysOf(form: Form, name: string, text: string): string {
  const field = form.fields[name];
  if (!field) return text;
  if (isSecret(field, textsOf(form))) return text === '' ? '' : '••••';
  if (field.kind === 'pick' || field.kind === 'checks') {
    return text
      .split(',')
      .filter(Boolean)
      .map((id) => form.labels[name]?.[id] ?? id)
      .join(', ');
  }
  return field.options?.find((option) => option.value === text)?.label ?? text;
}
