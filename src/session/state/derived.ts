import { fieldLine, fieldTexts } from './fields.ts';
import type { OpenForm } from './form-layer.ts';

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
