import type { Field } from '../../describe/field.ts';
import { plural } from '../../lib/text.ts';
import { type EditedLine, edited, editedLine, movedByRow, pasted, replaced, typed } from '../keyboard/editor.ts';
import type { LocalFiles } from '../outside/outside.ts';
import { typedLine } from '../stack/kind.ts';
import {
  type FormFor,
  fieldEditor,
  fieldLine,
  fieldNames,
  fieldTexts,
  focused,
  isTyped,
  type OpenForm,
  settled,
  textWidth,
} from '../state/form-layer.ts';
import type { Effect, Message, MessageOf } from '../state/message.ts';
import type { State } from '../state/state.ts';
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

/** Whether a field names a file of this machine. */
export const isPath = (field: Field | undefined): boolean => field?.kind === 'file' || field?.isPath === true;

const directoryOf = (text: string): string => text.slice(0, text.lastIndexOf('/') + 1);
const lastPart = (text: string): string => text.slice(text.lastIndexOf('/') + 1);

/** The entries that begin as the path in this field ends; hidden ones only after a dot. */
function matchesOf(form: OpenForm, name: string): readonly string[] {
  const text = form.lines[name]?.text ?? '';
  const path = form.paths?.[name];
  if (text === '' || path?.directory !== directoryOf(text)) return [];
  const part = lastPart(text);
  return path.entries.filter((entry) => entry.startsWith(part) && (part !== '' || !entry.startsWith('.')));
}

/** The path with what all matches have in common; undefined where that is no more than what is typed. */
export function completed(form: OpenForm, name: string): string | undefined {
  const text = form.lines[name]?.text ?? '';
  const [first, ...others] = matchesOf(form, name);
  if (first === undefined) return undefined;
  let common = first;
  for (const other of others) while (!other.startsWith(common)) common = common.slice(0, -1);
  return common.length > lastPart(text).length ? directoryOf(text) + common : undefined;
}

/** Says below a path what may follow, or what the file holds; undefined while nothing is known. */
export function pathHint(form: OpenForm, name: string): string | undefined {
  const text = form.lines[name]?.text ?? '';
  const header = form.paths?.[name]?.header;
  if (header?.path === text) {
    const { read } = header;
    if (!read.ok) return read.text;
    const names = read.value.join(', ');
    const hint = read.value.length === 1 && /[;\t|]/.test(names) ? ' (only commas separate columns)' : '';
    return `${plural(read.value.length, 'column')}: ${names}${hint}`;
  }
  const matches = matchesOf(form, name);
  if (matches.length === 0 || matches[0] === lastPart(text)) return undefined;
  const more = matches.length > 8 ? `  and ${matches.length - 8} more` : '';
  return `Tab completes: ${matches.slice(0, 8).join('  ')}${more}`;
}

/** Why the path in a field names no file that can be read; undefined where it does, and while nothing is known. */
export function pathFault(form: OpenForm, name: string): string | undefined {
  const text = (form.lines[name]?.text ?? '').trim();
  const path = form.paths?.[name];
  if (text === '' || !isPath(form.fields[name]) || path?.directory !== directoryOf(text)) return undefined;
  const part = lastPart(text);
  if (part === '' || path.entries.includes(`${part}/`)) return 'this is a directory, not a file';
  if (!path.entries.includes(part)) return 'no such file';
  return path.header?.path === text && !path.header.read.ok ? path.header.read.text : undefined;
}

/** The fault of a path as the error of its field: none while a file may still be typed, nor what the hint says already. */
export function pathError(form: OpenForm, name: string): string | undefined {
  const isBegun = focused(form)?.name === name && matchesOf(form, name).length > 0;
  const fault = pathFault(form, name);
  return isBegun || fault === pathHint(form, name) ? undefined : fault;
}

/** Reads directories and headers for the paths of the form on top, each once. Every result comes back as a message. */
export function createPaths(files: LocalFiles | undefined, send: (message: Message) => void): (state: State) => void {
  const pathsByForm = new WeakMap<FormFor, Map<string, string>>();
  return (state) => {
    const form = state.layers.at(-1);
    if (form?.kind !== 'form' || !files) return;
    const paths = pathsByForm.get(form.for) ?? new Map<string, string>();
    pathsByForm.set(form.for, paths);
    const isNews = (what: string, value: string): boolean => {
      const before = paths.get(what);
      paths.set(what, value);
      return before !== value;
    };
    for (const [name, field] of Object.entries(form.fields))
      if (isPath(field) && form.lines[name]?.text) readPath(form, name, files, isNews, send);
  };
}

/** Reads the directory of the path in a field, and the header of the file where another field offers its columns. */
function readPath(
  form: OpenForm,
  name: string,
  files: LocalFiles,
  isNews: (what: string, value: string) => boolean,
  send: (message: Message) => void,
): void {
  const text = form.lines[name]?.text ?? '';
  const directory = directoryOf(text);
  // What is not there is looked for again with each letter and each change of the field: it may have been made meanwhile.
  const isMissing = matchesOf(form, name).length === 0 && pathFault(form, name) === 'no such file';
  const isOther = isNews(`list ${name}`, directory);
  if ((isNews(`look ${name}`, `${form.focus} ${text}`) && isMissing) || isOther)
    void files.list(directory).then((entries) => {
      if (entries) send({ type: 'directoryRead', of: form.for, name, path: { directory, entries } });
    });
  const known = form.paths?.[name];
  const isThere = known?.directory === directory && known.entries.includes(lastPart(text));
  const isAsked = Object.values(form.fields).some(({ columnsOf }) => columnsOf === name);
  if (isAsked && isThere && isNews(`header ${name}`, text))
    void files.header(text).then((read) => send({ type: 'csvHeadRead', of: form.for, name, path: text, read }));
}

/** A directory was read. */
export const directoryRead = (form: OpenForm, { name, path }: MessageOf<'directoryRead'>): OpenForm => ({
  ...form,
  paths: { ...form.paths, [name]: { ...form.paths?.[name], ...path } },
});

/** The first line of a file was read: fields that ask for its columns offer them. */
export function csvHeadRead(form: OpenForm, message: MessageOf<'csvHeadRead'>): OpenForm {
  const { name, path, read } = message;
  const before = form.paths?.[name];
  if (!before || form.lines[name]?.text !== path) return form;
  const next = { ...form, paths: { ...form.paths, [name]: { ...before, header: { path, read } } } };
  return read.ok ? withColumns(next, name, read.value) : next;
}

function withColumns(form: OpenForm, file: string, columns: readonly string[]): OpenForm {
  const fields = { ...form.fields };
  const lines = { ...form.lines };
  const options = columns.map((column) => ({ value: column, label: column }));
  for (const [name, field] of Object.entries(form.fields)) {
    if (field.columnsOf !== file) continue;
    const typed = (lines[name]?.text ?? '').split(',').map((part) => part.trim());
    const kept = typed.filter((part) => columns.includes(part));
    const isMany = field.severalColumns === true;
    const text = isMany ? kept.join(',') : (kept[0] ?? columns[0] ?? '');
    fields[name] = { ...field, kind: isMany ? 'many' : 'choice', options, initial: isMany ? '' : (columns[0] ?? '') };
    lines[name] = fieldLine(fields[name], text);
  }
  return { ...form, fields, lines };
}

/** Applies text or an editing key to the field in focus; pasted text comes without a key. */
export function typedInto(form: OpenForm, text: string, key: string, columns: number): OpenForm {
  const index = focused(form);
  if (!index || !isTyped(index.field) || form.busy || form.review) return form;
  if (index.field.kind === 'query') return typedIntoQuery(form, index.name, text, key, textWidth(form, columns));
  const before = form.lines[index.name] ?? editedLine();
  const after = typedLine(before, { text, key });
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

/** The effect that opens the person's editor: on the text in focus where it is multi-line, else on the form as JSON. */
export function editorEffect(form: OpenForm): Effect {
  const at = focused(form);
  if (at?.field.kind !== 'query')
    return { ask: 'edit', of: form.for, text: `${JSON.stringify(toldTexts(form), null, 2)}\n`, ending: '.json' };
  // Editors end a file with a line break: added here, removed on the way back.
  return { ask: 'edit', of: form.for, text: `${fieldEditor(form, at.name).text}\n`, ending: '.txt', name: at.name };
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
export function withEditorText(given: OpenForm, message: Omit<MessageOf<'editorDone'>, 'of'>): OpenForm {
  const { text, problem, name } = message;
  const form = closed(given);
  if (text === undefined) return { ...form, problem: `Not edited: ${problem}` };
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
    next = settled({ ...next, touched: true, problem: undefined });
    // Fields may have come or gone: the focus stays on its own, where that is still there.
    return { ...next, focus: Math.max(0, fieldNames(next).indexOf(focused(form)?.name ?? '')) };
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
