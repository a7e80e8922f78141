import { replaced } from '../keyboard/editor.ts';
import { settled } from '../state/derived.ts';
import { fieldEditor, fieldLine, fieldTexts, focused } from '../state/fields.ts';
import type { OpenForm } from '../state/form-layer.ts';
import type { Effect, Message } from '../state/message.ts';
import { closed } from './query.ts';

/** The effect that opens the person's editor: on the text in focus where it is multi-line, else on the form as JSON. */
export function editorEffect(form: OpenForm): Effect {
  const at = focused(form);
  if (at?.field.kind !== 'query')
    return { ask: 'edit', text: `${JSON.stringify(toldTexts(form), null, 2)}\n`, ending: '.json' };
  // Editors end a file with a line break: added here, removed on the way back.
  return { ask: 'edit', text: `${fieldEditor(form, at.name).text}\n`, ending: '.txt', name: at.name };
}

/** The texts by field; for an option the word that a person writes for it. */
function toldTexts(form: OpenForm): Readonly<Record<string, string>> {
  const told = Object.entries(fieldTexts(form)).map(([name, text]) => {
    const option = form.fields[name]?.options?.find((option) => option.value === text);
    return [name, option?.word ?? text];
  });
  return Object.fromEntries(told);
}

/** The form with the text from the editor; unchanged, with a problem, where that cannot be used. */
export function withEditorText(given: OpenForm, { text, name }: Extract<Message, { type: 'editorDone' }>): OpenForm {
  const form = closed(given);
  if (text === undefined) return { ...form, problem: 'The editor failed; nothing was changed' };
  if (name === undefined) return fromRaw(form, text);
  const before = fieldEditor(form, name);
  const after = replaced(before, 0, before.text.length, text.replace(/\r?\n$/, ''));
  if (after.text === before.text) return { ...form, problem: undefined };
  return settled({ ...form, ...written(form, name), lines: { ...form.lines, [name]: after }, touched: true });
}

/** Reads the form from JSON: an object whose members are texts. */
function fromRaw(form: OpenForm, text: string): OpenForm {
  try {
    const values = JSON.parse(text) as unknown;
    if (typeof values !== 'object' || values === null || Array.isArray(values))
      return { ...form, problem: 'the text is not a JSON object; nothing was changed' };
    let next = form;
    for (const [name, value] of Object.entries(values)) {
      const field = form.fields[name];
      if (!field) return { ...form, problem: `${name} is not a field of this form; nothing was changed` };
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      const after = field.options?.find((option) => option.word === text)?.value ?? text;
      if (after === form.lines[name]?.text) continue;
      const before = fieldEditor(form, name);
      const isQuery = field.kind === 'query';
      const line = isQuery ? replaced(before, 0, before.text.length, after) : fieldLine(field, after);
      next = { ...next, ...written(next, name), lines: { ...next.lines, [name]: line } };
    }
    return settled({ ...next, touched: true, problem: undefined });
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unreadable';
    return { ...form, problem: `the text is not JSON (${why}); nothing was changed` };
  }
}

/** A field that a person wrote is no longer derived, and its error is cleared. */
function written(form: OpenForm, name: string): Pick<OpenForm, 'own' | 'errors' | 'problem'> {
  const { [name]: _, ...errors } = form.errors;
  const isFollowing = form.fields[name]?.follows !== undefined && !form.own.includes(name);
  return { own: isFollowing ? [...form.own, name] : form.own, errors, problem: undefined };
}
