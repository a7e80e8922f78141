import type { Field } from '../../describe/field.ts';
import { namesOf } from '../state/fields.ts';
import type { Form } from '../state/form-layer.ts';

/** The values of the fields that are there, and what is said of those that reject their text. */
export function readingsOf(form: Form): Readings {
  const known = read.get(form);
  if (known) return known;
  const values: Record<string, unknown> = {};
  const errors: Record<string, string> = {};
  for (const name of namesOf(form)) {
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
const read = new WeakMap<Form, Readings>();

/** What a field reads: its text, or the content of its file. */
const contentOf = (form: Form, name: string): string =>
  form.fields[name]?.kind === 'file' ? (form.files[name]?.content ?? '') : (form.lines[name]?.text ?? '');
