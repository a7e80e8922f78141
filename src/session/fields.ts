import { type Field, isSecret, shownNames } from '../describe/field.ts';
import { type Editor, editor } from './editor.ts';
import { type Line, line } from './line.ts';
import type { Layer } from './state.ts';

type Form = Extract<Layer, { kind: 'form' }>;

/** The texts of a form by field name. */
export function textsOf(form: Form): Record<string, string> {
  return Object.fromEntries(Object.keys(form.fields).map((name) => [name, form.lines[name]?.text ?? '']));
}

/** Names of the fields that are there now; `focus` is a place among them. */
export function namesOf(form: Form): string[] {
  return shownNames(form.fields, textsOf(form));
}

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
  const it = form.lines[name];
  return it && 'past' in it ? it : editor(it?.text);
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
  return field.options?.find((it) => it.value === text)?.label ?? text;
}
