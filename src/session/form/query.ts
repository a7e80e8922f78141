import type { Finding } from '../../describe/language.ts';
import { type Editor, moved, replaced } from './editor.ts';
import { editorOf, namesOf, textsOf } from './fields.ts';
import type { Form, Written } from './form-layer.ts';

const inWords = /^[\p{L}\p{N}_.:*-]+$/u;

/** Whether what was typed may be part of a word that can be completed. */
export const mayComplete = (typed: string): boolean => inWords.test(typed);

/**
 * Whether what stands before the cursor opens a group, a window or a search, or names somebody: there is a choice before
 * the first letter.
 */
export const isOpening = ({ text, cursor }: Editor): boolean =>
  /(?:[({:]|\(["']|(?:^|\s)@)$/.test(text.slice(0, cursor));

function withWritten(form: Form, name: string, change: Partial<Written>): Form {
  const before = form.written[name];
  return before ? { ...form, written: { ...form.written, [name]: { ...before, ...change } } } : form;
}

/** What may follow at the cursor is offered: while typing only where letters are completed, when `asked` for anywhere. */
export function offered(form: Form, name: string, asked: boolean): Form {
  const { text, cursor } = editorOf(form, name);
  const completion = form.written[name]?.language?.complete(text, cursor, textsOf(form));
  if (!completion) return closed(form);
  const word = text.slice(completion.start, completion.end);
  const isNews = completion.items.some((item) => item.text !== word) && (asked || completion.start < cursor);
  return withWritten(form, name, { offers: isNews ? { completion, cursor: 0 } : undefined });
}

/** Whether something is offered at a field. */
export const offersOf = (form: Form, name: string | undefined): Written['offers'] =>
  name === undefined ? undefined : form.written[name]?.offers;

/** Another one of what is offered; round at the ends. */
export function stepOffer(form: Form, name: string, by: number): Form {
  const offers = offersOf(form, name);
  if (!offers) return form;
  const { length } = offers.completion.items;
  return withWritten(form, name, { offers: { ...offers, cursor: (offers.cursor + by + length) % length } });
}

/** The text with what is chosen put in, as one step. */
export function withOffer(form: Form, name: string): Editor {
  const before = editorOf(form, name);
  const offers = offersOf(form, name);
  const item = offers?.completion.items[offers.cursor];
  if (!offers || !item) return before;
  const { start, end } = offers.completion;
  const after = replaced(before, start, end, item.text);
  return moved(after, start + (item.cursor ?? item.text.length));
}

/** Nothing is offered any more. */
export function closed(form: Form): Form {
  if (!Object.values(form.written).some((field) => field.offers)) return form;
  const written = Object.entries(form.written).map(([name, field]) => [name, { ...field, offers: undefined }]);
  return { ...form, written: Object.fromEntries(written) };
}

/** Whether a language that is asked to judge the form has neither come nor failed. */
export const isWaiting = (form: Form): boolean =>
  namesOf(form).some((name) => {
    const written = form.written[name];
    return form.fields[name]?.language !== undefined && !written?.language && written?.trouble === undefined;
  });

/**
 * The form with the cursor at what the service is sure to refuse; undefined where there is nothing of the kind, or where
 * the same text was refused before for the same reason: the service has the last word.
 */
export function refusedAt(form: Form): Form | undefined {
  const names = namesOf(form);
  for (const [place, name] of names.entries()) {
    const written = form.written[name];
    const { text } = editorOf(form, name);
    const wrong = written?.findings.find((one) => one.verdict === 'wrong');
    if (!written || !wrong || isRefused(written, text, wrong)) continue;
    const lines = { ...form.lines, [name]: moved(editorOf(form, name), wrong.start) };
    const other = wrong.field === undefined ? -1 : names.indexOf(wrong.field);
    const refused = { text, message: wrong.message };
    return withWritten({ ...form, lines, focus: other < 0 ? place : other }, name, { refused });
  }
  return undefined;
}

/** Whether the save of a text was held back for what is said of it. */
export const isRefused = ({ refused }: Written, text: string, { message }: Finding): boolean =>
  refused !== undefined && refused.text === text && refused.message === message;

/** What held the save of this form back, while a second save would send it all the same. */
export const heldBack = (form: Form): Written['refused'] =>
  namesOf(form)
    .filter((name) => {
      const written = form.written[name];
      const wrong = written?.findings.find((one) => one.verdict === 'wrong');
      return written && wrong && isRefused(written, editorOf(form, name).text, wrong);
    })
    .map((name) => form.written[name]?.refused)
    .at(-1);

/** What is said of a field by the texts of others, the gravest first, and whether a save was held back for it. */
export function saidOfField(
  form: Form,
  field: string,
): { readonly finding: Finding; readonly isHeld: boolean } | undefined {
  const said = namesOf(form).flatMap((name) => {
    const written = form.written[name];
    const found = written?.findings.find((one) => one.field === field);
    return written && found ? [{ finding: found, isHeld: isRefused(written, editorOf(form, name).text, found) }] : [];
  });
  return said.find((remark) => remark.finding.verdict === 'wrong') ?? said[0];
}

/** The finding at the cursor, or the nearest one, and its place among all in the order of the text. */
export function nearest(
  findings: readonly Finding[],
  cursor: number,
): { readonly finding: Finding; readonly place: number; readonly count: number } | undefined {
  const away = ({ start, end }: Finding) => Math.max(0, start - cursor, cursor - end);
  const ordered = findings.toSorted((one, other) => one.start - other.start);
  const [first, ...others] = findings;
  if (!first) return undefined;
  const finding = others.reduce((best, finding) => (away(finding) < away(best) ? finding : best), first);
  return { finding, place: ordered.indexOf(finding) + 1, count: findings.length };
}

/** The cursor at the next part of which something is said, round at the end. */
export function atNextFinding(form: Form, name: string): Editor {
  const editor = editorOf(form, name);
  const places = (form.written[name]?.findings ?? []).map(({ start }) => start).sort((one, other) => one - other);
  const next = places.find((place) => place > editor.cursor) ?? places[0];
  return next === undefined ? editor : moved(editor, next);
}

/**
 * Whether a finding is about the end of the text while it is being written there: the next letter may mend it. Quotes and
 * brackets that were put in together stand behind the cursor.
 */
export function isUnfinished(finding: Finding, { text, cursor }: Editor): boolean {
  return /^["')}\]]*$/.test(text.slice(cursor)) && finding.end >= text.trimEnd().length;
}
