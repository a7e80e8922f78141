import { type Field, isSecret, shownNames } from '../../describe/field.ts';
import { formParts, textCells } from '../../lib/form-widths.ts';
import { keptPer } from '../../lib/once.ts';
import { type Editor, editor } from '../keyboard/editor.ts';
import { type EditedLine, editedLine } from '../keyboard/line.ts';
import type { OpenForm } from './form-layer.ts';

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
