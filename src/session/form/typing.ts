import { edited, movedByRow, pasted, typed } from '../keyboard/editor.ts';
import { type EditedLine, edit, editedLine, insert } from '../keyboard/line.ts';
import { settled } from '../state/derived.ts';
import { fieldEditor, fieldNames, focused, isTyped, textWidth } from '../state/fields.ts';
import type { OpenForm } from '../state/form-layer.ts';
import { completed } from './paths.ts';
import {
  atNextDiagnostic,
  closed,
  isOpening,
  mayComplete,
  offered,
  queryOffers,
  stepOffer,
  withOffer,
} from './query.ts';

/** Applies text or an editing key to the field in focus; pasted text comes without a key. */
export function typedInto(form: OpenForm, text: string, key: string, columns: number): OpenForm {
  const index = focused(form);
  if (!index || !isTyped(index.field) || form.busy || form.review) return form;
  if (index.field.kind === 'query') return typedIntoQuery(form, index.name, text, key, textWidth(form, columns));
  const before = form.lines[index.name] ?? editedLine();
  const after = text !== '' ? insert(before, text) : (edit(before, key) ?? before);
  return withText(form, index.name, index.field.isNumber ? withoutZeros(after) : after);
}

/** A number without zeros in front of its digits: what is typed behind a `0` that stood there takes its place. */
function withoutZeros({ text, cursor }: EditedLine): EditedLine {
  const plain = text.replace(/^(-?)0+(?=\d)/, '$1');
  return { text: plain, cursor: Math.max(0, cursor - (text.length - plain.length)) };
}

function typedIntoQuery(form: OpenForm, name: string, text: string, key: string, width: number): OpenForm {
  const before = fieldEditor(form, name);
  if (text !== '' && key === '') return withText(closed(form), name, pasted(before, text));
  if (text !== '') {
    const next = withText(form, name, typed(before, text));
    if (mayComplete(text)) return offered(next, name, false);
    return isOpening(fieldEditor(next, name)) ? offered(next, name, true) : closed(next);
  }
  const next = withText(form, name, edited(before, key, width) ?? before);
  return key === 'backspace' && queryOffers(form, name) ? offered(next, name, false) : closed(next);
}

/** Moves up or down by a row of the text in focus; from its first or last row, to the field before or after. */
export function stepRow(form: OpenForm, by: 1 | -1, columns: number): OpenForm {
  const at = focused(form);
  if (at?.field.kind !== 'query' || form.busy) return form;
  const next = movedByRow(fieldEditor(form, at.name), by, textWidth(form, columns));
  return next ? withText(closed(form), at.name, next) : focus(form, by);
}

/** Offers completions, or selects another one where `by` is given. */
export function offer(form: OpenForm, by: number | undefined): OpenForm {
  const at = focused(form);
  if (at?.field.kind !== 'query' || form.busy) return form;
  return by === undefined ? offered(form, at.name, true) : stepOffer(form, at.name, by);
}

/** Inserts the selected completion; where it opens a group, offers what may be in it. */
export function tookOffer(form: OpenForm): OpenForm {
  const at = focused(form);
  if (!at || !queryOffers(form, at.name)) return form;
  const after = withOffer(form, at.name);
  const next = withText(closed(form), at.name, after);
  return isOpening(after) ? offered(next, at.name, true) : next;
}

/** Completes the path in focus as far as the files have it in common. */
export function withPath(form: OpenForm): OpenForm {
  const at = focused(form);
  const path = at && completed(form, at.name);
  return at && path !== undefined ? withText(form, at.name, editedLine(path)) : form;
}

/** Moves the cursor to the next diagnostic of the text in focus. */
export function nextDiagnostic(form: OpenForm): OpenForm {
  const at = focused(form);
  return at?.field.kind === 'query' ? withText(closed(form), at.name, atNextDiagnostic(form, at.name)) : form;
}

/** Moves the focus, and checks the field that it leaves. */
export function focus(form: OpenForm, by: number): OpenForm {
  const count = fieldNames(form).length;
  const next = { ...closed(form), focus: (form.focus + by + count) % count, leaving: false };
  return settled(checked(next, form.focus));
}

/** Changes a field's text, and updates the fields derived from it. */
export function withText(form: OpenForm, name: string, after: EditedLine): OpenForm {
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
  // A choice may show or hide fields: the focus stays on the same field.
  const place = fieldNames(next).indexOf(name);
  return place < 0 ? next : { ...next, focus: place };
}

/** The form with the error of the field at this place. */
function checked(form: OpenForm, at: number): OpenForm {
  const left = focused({ ...form, focus: at });
  if (!left || left.field.kind === 'file') return form;
  const { name, field } = left;
  const verdict = field.read(form.lines[name]?.text ?? '');
  const { [name]: _, ...errors } = form.errors;
  return { ...form, errors: verdict.ok ? errors : { ...errors, [name]: verdict.text } };
}
