import type { FieldDiagnostic } from '../../describe/field.ts';
import { paint } from '../../lib/paint.ts';
import { joinPainted, type Painted, plain } from '../../lib/painted.ts';
import type { EditorView } from '../../scene/form-controls.ts';
import type { Theme } from '../../scene/theme.ts';
import { type Editor, moved, replaced } from '../keyboard/editor.ts';
import { fieldEditor, fieldNames, fieldTexts, focused, type OpenForm, type Written } from '../state/form-layer.ts';

const inWords = /^[\p{L}\p{N}_.:/*-]+$/u;

/** Whether typed text may be part of a word to complete. */
export const mayComplete = (typed: string): boolean => inWords.test(typed);

/**
 * Whether the text before the cursor opens a group, a window, a search or a mention: completions are offered before the
 * first letter.
 */
export const isOpening = ({ text, cursor }: Editor): boolean =>
  /(?:[({:]|\(["']|(?:^|\s)@)$/.test(text.slice(0, cursor));

function withWritten(form: OpenForm, name: string, change: Partial<Written>): OpenForm {
  const before = form.written[name];
  return before ? { ...form, written: { ...form.written, [name]: { ...before, ...change } } } : form;
}

/** Offers completions at the cursor: while typing only for a begun word, when `asked` for anywhere. */
export function offered(form: OpenForm, name: string, isRequested: boolean): OpenForm {
  const { text, cursor } = fieldEditor(form, name);
  const completion = form.written[name]?.language?.complete(text, cursor, fieldTexts(form), !isRequested);
  if (!completion) return closed(form);
  const word = text.slice(completion.start, completion.end);
  const isNews = completion.items.some((item) => item.text !== word) && (isRequested || completion.start < cursor);
  return withWritten(form, name, { offers: isNews ? { completion, cursor: 0 } : undefined });
}

/** The completions offered at a field, if any. */
export const queryOffers = (form: OpenForm, name: string | undefined): Written['offers'] =>
  name === undefined ? undefined : form.written[name]?.offers;

/** Selects another completion; wraps at the ends. */
export function stepOffer(form: OpenForm, name: string, by: number): OpenForm {
  const offers = queryOffers(form, name);
  if (!offers) return form;
  const { length } = offers.completion.items;
  return withWritten(form, name, { offers: { ...offers, cursor: (offers.cursor + by + length) % length } });
}

/** The editor with the selected completion inserted, as one undo step. */
export function withOffer(form: OpenForm, name: string): Editor {
  const before = fieldEditor(form, name);
  const offers = queryOffers(form, name);
  const item = offers?.completion.items[offers.cursor];
  if (!offers || !item) return before;
  const { start, end } = offers.completion;
  const after = replaced(before, start, end, item.text);
  return moved(after, start + (item.cursor ?? item.text.length));
}

/** Closes the completions. */
export function closed(form: OpenForm): OpenForm {
  if (!Object.values(form.written).some((field) => field.offers)) return form;
  const written = Object.entries(form.written).map(([name, field]) => [name, { ...field, offers: undefined }]);
  return { ...form, written: Object.fromEntries(written) };
}

/** Whether a language of the form is still loading. */
export const isWaiting = (form: OpenForm): boolean =>
  fieldNames(form).some((name) => {
    const written = form.written[name];
    return form.fields[name]?.language !== undefined && !written?.language && written?.trouble === undefined;
  });

/** The first diagnostic of a query for which the service is sure to refuse it. */
const wrongIn = (form: OpenForm, name: string): FieldDiagnostic | undefined =>
  form.written[name]?.diagnostics.find((one) => one.verdict === 'wrong');

/** Whether this diagnostic stopped a save of the text that is there now. */
function hasStoppedSave(form: OpenForm, name: string, { message }: FieldDiagnostic): boolean {
  const { refused } = form.written[name] ?? {};
  return refused?.message === message && refused.text === fieldEditor(form, name).text;
}

/**
 * The form with the cursor at the first error of a query, which the service is sure to refuse; undefined where there is none, or
 * where this error stopped a save of the same text before: then the service decides.
 */
export function refusedAt(form: OpenForm): OpenForm | undefined {
  const names = fieldNames(form);
  for (const [place, name] of names.entries()) {
    const wrong = wrongIn(form, name);
    if (!wrong || hasStoppedSave(form, name, wrong)) continue;
    const editor = moved(fieldEditor(form, name), wrong.start);
    const other = names.indexOf(wrong.field ?? '');
    const refused = { text: editor.text, message: wrong.message };
    const next = { ...form, lines: { ...form.lines, [name]: editor }, focus: other < 0 ? place : other };
    return withWritten(next, name, { refused });
  }
  return undefined;
}

/** The diagnostic that stopped the save of this form, while a second save would send it. */
export function saveStoppedBy(form: OpenForm): Written['refused'] {
  const name = fieldNames(form).findLast((one) => {
    const wrong = wrongIn(form, one);
    return wrong !== undefined && hasStoppedSave(form, one, wrong);
  });
  return form.written[name ?? '']?.refused;
}

/** The most severe diagnostic that other fields' texts have about a field, and whether it stopped a save. */
export function diagnosticAbout(
  form: OpenForm,
  field: string,
): { readonly diagnostic: FieldDiagnostic; readonly isHeld: boolean } | undefined {
  const found = fieldNames(form).flatMap((name) => {
    const diagnostic = form.written[name]?.diagnostics.find((one) => one.field === field);
    return diagnostic ? [{ diagnostic, isHeld: hasStoppedSave(form, name, diagnostic) }] : [];
  });
  return found.find(({ diagnostic }) => diagnostic.verdict === 'wrong') ?? found[0];
}

/** The diagnostic nearest to the cursor, with its number among all in text order, counted from 1. */
export function nearest(
  diagnostics: readonly FieldDiagnostic[],
  cursor: number,
): { readonly diagnostic: FieldDiagnostic; readonly place: number; readonly count: number } | undefined {
  const away = ({ start, end }: FieldDiagnostic) => Math.max(0, start - cursor, cursor - end);
  const ordered = diagnostics.toSorted((one, other) => one.start - other.start);
  const [first, ...others] = diagnostics;
  if (!first) return undefined;
  const diagnostic = others.reduce((best, diagnostic) => (away(diagnostic) < away(best) ? diagnostic : best), first);
  return { diagnostic, place: ordered.indexOf(diagnostic) + 1, count: diagnostics.length };
}

/** The editor with the cursor at the next diagnostic; wraps at the end. */
export function atNextDiagnostic(form: OpenForm, name: string): Editor {
  const editor = fieldEditor(form, name);
  const places = (form.written[name]?.diagnostics ?? []).map(({ start }) => start).sort((one, other) => one - other);
  const next = places.find((place) => place > editor.cursor) ?? places[0];
  return next === undefined ? editor : moved(editor, next);
}

/**
 * Whether a diagnostic is about the end of the text while a person writes there: the next letter may resolve it. Closing
 * quotes and brackets that a completion inserted may follow the cursor.
 */
export function isUnfinished(diagnostic: FieldDiagnostic, { text, cursor }: Editor): boolean {
  return /^["')}\]]*$/.test(text.slice(cursor)) && diagnostic.end >= text.trimEnd().length;
}

type Said = EditorView['remarks'][number];

/** A query field as it is drawn: text, diagnostics and completions. */
export function queryView(layer: OpenForm, name: string, width: number, theme: Theme): EditorView {
  const isFocused = focused(layer)?.name === name;
  const editor = fieldEditor(layer, name);
  const about: Written = layer.written[name] ?? { diagnostics: [] };
  const isHeld = about.diagnostics.some((one) => hasStoppedSave(layer, name, one));
  const toneOf = (diagnostic: FieldDiagnostic): 'bad' | 'warn' | 'info' => {
    if (isFocused && !isHeld && isUnfinished(diagnostic, editor)) return 'info';
    return diagnostic.verdict === 'wrong' ? 'bad' : 'warn';
  };
  // A diagnostic about another field is shown there, unless this field has the focus.
  const own = about.diagnostics.filter((one) => one.field === undefined || !fieldNames(layer).includes(one.field));
  const near = isFocused ? nearest(about.diagnostics, editor.cursor) : nearest(own.slice(0, 1), 0);
  // The diagnostic shown in words comes first: where marks overlap, the first is drawn.
  const ordered = near ? [near.diagnostic, ...about.diagnostics.filter((one) => one !== near.diagnostic)] : [];
  const { offers } = about;
  return {
    text: editor.text,
    isProse: layer.fields[name]?.isProse,
    cursor: editor.cursor,
    width,
    // Text that is still being written is not underlined.
    marks: ordered
      .map((diagnostic) => ({ start: diagnostic.start, end: diagnostic.end, tone: toneOf(diagnostic) }))
      .filter(({ tone }) => tone !== 'info'),
    remarks: [
      ...(near ? said(near.diagnostic, toneOf(near.diagnostic), placeOf(near), theme) : []),
      ...(isHeld && isFocused ? [{ text: plain`Ctrl-S again: save anyway`, tone: 'info' as const }] : []),
      ...(about.trouble === undefined
        ? []
        : [{ text: plain`Not checked: ${paint(about.trouble)}`, tone: 'warn' as const }]),
    ],
    offers: offers && {
      items: offers.completion.items.map((one) => ({ label: paint(one.text), hint: paint(one.hint ?? '') })),
      cursor: offers.cursor,
    },
  };
}

/** What other fields' texts say about a field: an error; a doubt while the next letter may resolve it. */
export function diagnosticRemark(
  layer: OpenForm,
  name: string,
): { readonly error?: Painted; readonly doubt?: Painted } {
  const diagnostic = diagnosticAbout(layer, name);
  if (!diagnostic) return {};
  const { message, hint, verdict } = diagnostic.diagnostic;
  const text = joinPainted(
    [
      paint(message),
      ...(hint === undefined ? [] : [paint(hint)]),
      ...(diagnostic.isHeld ? [plain`Ctrl-S again: save anyway`] : []),
    ],
    plain`\n`,
  );
  const isWriting = focused(layer)?.name === name && !diagnostic.isHeld;
  return verdict === 'wrong' && !isWriting ? { error: text } : { doubt: text };
}

const placeOf = ({ place, count }: { readonly place: number; readonly count: number }): Painted =>
  count > 1 ? plain` (${place} of ${count})` : plain``;

function said(diagnostic: FieldDiagnostic, tone: Said['tone'], place: Painted, { glyphs }: Theme): Said[] {
  const sign = tone === 'bad' ? glyphs.bad : tone === 'warn' ? glyphs.warn : glyphs.info;
  const hint: Said[] = diagnostic.hint === undefined ? [] : [{ text: plain`  ${paint(diagnostic.hint)}`, tone: 'dim' }];
  return [{ text: plain`${sign} ${paint(diagnostic.message)}${place}`, tone }, ...hint];
}

/** Diagnostics about the texts to be sent, each with its field's label where it is about that field. */
export function listWarnings(layer: OpenForm): Painted[] {
  return fieldNames(layer).flatMap((name) => {
    const label = paint(layer.fields[name]?.label ?? name);
    const said = (layer.written[name]?.diagnostics ?? []).slice(0, 2);
    return said.map(({ field, message }) =>
      field === undefined ? plain`${label}: ${paint(message)}` : paint(message),
    );
  });
}
