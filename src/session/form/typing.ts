import { queryWidth } from '../list/geometry.ts';
import { settled } from './derived.ts';
import { edited, movedByRow, pasted, typed } from './editor.ts';
import { editorOf, focused, isTyped, namesOf } from './fields.ts';
import type { Form } from './form-layer.ts';
import { edit, insert, type Line } from './line.ts';
import { atNextFinding, closed, isOpening, mayComplete, offered, offersOf, stepOffer, withOffer } from './query.ts';

/** An editing key or text, into the field in focus; pasted text comes without a key. */
export function typedInto(form: Form, text: string, key: string, columns: number): Form {
  const at = focused(form);
  const before = at && form.lines[at.name];
  if (!at || !before || !isTyped(at.field) || form.busy || form.review) return form;
  if (at.field.kind === 'query') return wroteInto(form, at.name, text, key, queryWidth(columns));
  return withText(form, at.name, text !== '' ? insert(before, text) : (edit(before, key) ?? before));
}

function wroteInto(form: Form, name: string, text: string, key: string, width: number): Form {
  const before = editorOf(form, name);
  if (text !== '' && key === '') return withText(closed(form), name, pasted(before, text));
  if (text !== '') {
    const next = withText(form, name, typed(before, text));
    if (mayComplete(text)) return offered(next, name, false);
    return isOpening(editorOf(next, name)) ? offered(next, name, true) : closed(next);
  }
  const next = withText(form, name, edited(before, key, width) ?? before);
  return key === 'backspace' && offersOf(form, name) ? offered(next, name, false) : closed(next);
}

/** Up or down by a row of the text in focus; at its first and last row to the field before or after. */
export function stepRow(form: Form, by: 1 | -1, columns: number): Form {
  const at = focused(form);
  if (at?.field.kind !== 'query' || form.busy) return form;
  const next = movedByRow(editorOf(form, at.name), by, queryWidth(columns));
  return next ? withText(closed(form), at.name, next) : focus(form, by);
}

/** What may follow is asked for, or another one of it is chosen. */
export function offer(form: Form, by: number | undefined): Form {
  const at = focused(form);
  if (at?.field.kind !== 'query' || form.busy) return form;
  return by === undefined ? offered(form, at.name, true) : stepOffer(form, at.name, by);
}

/** What is chosen of what may follow goes into the text; where that opened something, what may stand in it is offered. */
export function tookOffer(form: Form): Form {
  const at = focused(form);
  if (!at || !offersOf(form, at.name)) return form;
  const after = withOffer(form, at.name);
  const next = withText(closed(form), at.name, after);
  return isOpening(after) ? offered(next, at.name, true) : next;
}

/** The cursor at the next part of the text in focus of which something is said. */
export function nextFinding(form: Form): Form {
  const at = focused(form);
  return at?.field.kind === 'query' ? withText(closed(form), at.name, atNextFinding(form, at.name)) : form;
}

/** The focus moved; the field that is left is checked. */
export function focus(form: Form, by: number): Form {
  const count = namesOf(form).length;
  const next = { ...closed(form), focus: (form.focus + by + count) % count, leaving: false };
  return settled(checked(next, form.focus));
}

/** A field with another text: what others make of it follows. */
export function withText(form: Form, name: string, after: Line): Form {
  const before = form.lines[name];
  if (after.text === before?.text) return { ...form, lines: { ...form.lines, [name]: after }, leaving: false };
  const { [name]: _, ...errors } = form.errors;
  const others = form.own.filter((other) => other !== name);
  const isOwn = form.fields[name]?.follows !== undefined && after.text !== '';
  const next = settled(
    {
      ...form,
      lines: { ...form.lines, [name]: after },
      own: isOwn ? [...others, name] : others,
      errors,
      touched: true,
      leaving: false,
    },
    name,
  );
  // A choice may bring fields or take them away: the focus stays on the same one.
  const place = namesOf(next).indexOf(name);
  return place < 0 || place === form.focus ? next : { ...next, focus: place };
}

/** A field is checked when it is left. */
function checked(form: Form, at: number): Form {
  const name = namesOf(form)[at];
  const field = name === undefined ? undefined : form.fields[name];
  if (name === undefined || !field || field.kind === 'file') return form;
  const verdict = field.read(form.lines[name]?.text ?? '');
  const { [name]: _, ...errors } = form.errors;
  return { ...form, errors: verdict.ok ? errors : { ...errors, [name]: verdict.text } };
}
