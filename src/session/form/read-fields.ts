import type { Field } from '../../describe/field.ts';
import { fieldNames } from '../state/fields.ts';
import type { OpenForm } from '../state/form-layer.ts';

/** The values of the fields that are there, and what is said of those that reject their text. */
export function readFields(form: OpenForm): Readings {
  const known = read.get(form);
  if (known) return known;
  const values: Record<string, unknown> = {};
  const errors: Record<string, string> = {};
  for (const name of fieldNames(form)) {
    const verdict = (form.fields[name] as Field).read(contentOf(form, name));
    if (verdict.ok) values[name] = verdict.value;
    else errors[name] = verdict.text;
  }
  const readings = { values, errors };
  read.set(form, readings);
  return readings;
}

interface Readings {
  readonly values: Readonly<Record<string, unknown>>;
  readonly errors: Readonly<Record<string, string>>;
}

/** What is told beside a form and the request both ask for them. */
const read = new WeakMap<OpenForm, Readings>();

/** What a field reads: its text, or the content of its file. */
const contentOf = (form: OpenForm, name: string): string =>
  form.fields[name]?.kind === 'file' ? (form.files[name]?.content ?? '') : (form.lines[name]?.text ?? '');
