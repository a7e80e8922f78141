import type { Field } from '../../describe/field.ts';
import { oncePer } from '../../lib/once.ts';
import { fieldNames } from '../state/fields.ts';
import type { OpenForm } from '../state/form-layer.ts';

interface Readings {
  readonly values: Readonly<Record<string, unknown>>;
  readonly errors: Readonly<Record<string, string>>;
}

/** The values of the fields that are there, and what is said of those that reject their text: a form and the pane beside it both ask. */
export const readFields = oncePer((form: OpenForm): Readings => {
  const values: Record<string, unknown> = {};
  const errors: Record<string, string> = {};
  for (const name of fieldNames(form)) {
    const verdict = (form.fields[name] as Field).read(contentOf(form, name));
    if (verdict.ok) values[name] = verdict.value;
    else errors[name] = verdict.text;
  }
  return { values, errors };
});

/** What a field reads: its text, or the content of its file. */
const contentOf = (form: OpenForm, name: string): string =>
  form.fields[name]?.kind === 'file' ? (form.files[name]?.content ?? '') : (form.lines[name]?.text ?? '');
