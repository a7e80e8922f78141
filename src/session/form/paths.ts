import type { Field } from '../../describe/field.ts';
import { plural } from '../../lib/text.ts';
import type { LocalFiles } from '../outside/path.ts';
import { fieldLine, focused } from '../state/fields.ts';
import type { FormFor, OpenForm } from '../state/form-layer.ts';
import type { Message } from '../state/message.ts';
import type { State } from '../state/state.ts';

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
    return read.ok ? `${plural(read.value.length, 'column')}: ${read.value.join(', ')}` : read.text;
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

/** The state with a change to the form of this request; unchanged where it is closed. */
function changed(state: State, of: FormFor, change: (form: OpenForm) => OpenForm): State {
  const layers = state.layers.map((layer) => (layer.kind === 'form' && layer.for === of ? change(layer) : layer));
  return { ...state, layers };
}

/** A directory was read. */
export const pathListed = (state: State, { of, name, path }: Extract<Message, { type: 'directoryRead' }>): State =>
  changed(state, of, (form) => ({ ...form, paths: { ...form.paths, [name]: { ...form.paths?.[name], ...path } } }));

/** The first line of a file was read: fields that ask for its columns offer them. */
export const headerRead = (state: State, { of, name, path, read }: Extract<Message, { type: 'csvHeadRead' }>): State =>
  changed(state, of, (form) => {
    const before = form.paths?.[name];
    if (!before || form.lines[name]?.text !== path) return form;
    const next = { ...form, paths: { ...form.paths, [name]: { ...before, header: { path, read } } } };
    return read.ok ? withColumns(next, name, read.value) : next;
  });

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
