import type { Effect, Message } from '../message.ts';
import { settled } from './derived.ts';
import { replaced } from './editor.ts';
import { editorOf, focused, lineOf, textsOf } from './fields.ts';
import type { Form } from './form-layer.ts';
import { closed } from './query.ts';

/** What is handed to the person's editor: the text in focus where it has several lines, else the whole form as JSON. */
export function handed(form: Form): Effect {
  const at = focused(form);
  if (at?.field.kind !== 'query')
    return { ask: 'edit', text: `${JSON.stringify(toldTexts(form), null, 2)}\n`, ending: '.json' };
  // Editors end the last line of a file: the line break is given along and taken away again.
  return { ask: 'edit', text: `${editorOf(form, at.name).text}\n`, ending: '.txt', name: at.name };
}

/** The texts by field; of options the words that a person writes for them. */
function toldTexts(form: Form): Readonly<Record<string, string>> {
  const told = Object.entries(textsOf(form)).map(([name, text]) => {
    const option = form.fields[name]?.options?.find((option) => option.value === text);
    return [name, option?.word ?? text];
  });
  return Object.fromEntries(told);
}

/** What came back from the editor; where it cannot be taken, every letter of the form is kept. */
export function handedBack(given: Form, { text, name }: Extract<Message, { do: 'edited' }>): Form {
  const form = closed(given);
  if (text === undefined) return { ...form, problem: 'the editor did not end well; nothing was changed' };
  if (name === undefined) return fromRaw(form, text);
  const before = editorOf(form, name);
  const after = replaced(before, 0, before.text.length, text.replace(/\r?\n$/, ''));
  if (after.text === before.text) return { ...form, problem: undefined };
  return settled({ ...form, ...written(form, name), lines: { ...form.lines, [name]: after }, touched: true });
}

/** The form as JSON is taken when it is an object of texts. */
function fromRaw(form: Form, text: string): Form {
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
      const before = editorOf(form, name);
      const isQuery = field.kind === 'query';
      const line = isQuery ? replaced(before, 0, before.text.length, after) : lineOf(field, after);
      next = { ...next, ...written(next, name), lines: { ...next.lines, [name]: line } };
    }
    return settled({ ...next, touched: true, problem: undefined });
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unreadable';
    return { ...form, problem: `the text is not JSON (${why}); nothing was changed` };
  }
}

/** A field that a person wrote into no longer follows others, and what was said against it is over. */
function written(form: Form, name: string): Pick<Form, 'own' | 'errors' | 'problem'> {
  const { [name]: _, ...errors } = form.errors;
  const isFollowing = form.fields[name]?.follows !== undefined && !form.own.includes(name);
  return { own: isFollowing ? [...form.own, name] : form.own, errors, problem: undefined };
}
