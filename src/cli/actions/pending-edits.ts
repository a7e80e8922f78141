import type { CommandLine } from '../../describe/action.ts';
import type { Context } from '../../describe/context.ts';
import { type Field, type Fields, isSecret } from '../../describe/field.ts';
import type { Picker } from '../../describe/picks.ts';
import { initialQuery } from '../../describe/screen.ts';
import { type ParseResult, thrownText, unreadable } from '../../lib/function-results.ts';
import { flagName } from '../../lib/text.ts';
import { isUuid } from '../../lib/values.ts';
import { refusedAt } from '../../session/form/query.ts';
import { differences, readFields } from '../../session/form/request.ts';
import { withText } from '../../session/form/typing.ts';
import { type Pending, withContext } from '../../session/send/pending-edit.ts';
import { fieldLine, fieldNames, fieldTexts, judged, type OpenForm } from '../../session/state/form-layer.ts';
import { formLayer } from '../../session/state/state-changes.ts';
import { readStandardInput, readTextFile } from '../files.ts';
import { findRows } from '../find-rows.ts';
import { complain, failed, type Io } from '../io.ts';
import { findPick, toFieldText } from '../search-flags.ts';
import type { OpenConnection } from '../start.ts';
import { commandName, type FlagTexts, misused, orderValues, type Stopped, type Work } from './shape.ts';

/** What texts are looked up with. */
interface Means {
  readonly io: Pick<Io, 'env' | 'pieces'>;
  readonly connection: OpenConnection;
  readonly context: Context;
  /** A query that the service is sure to refuse is sent anyway. */
  readonly isSure: boolean;
  /** The row alone tells the fields. */
  readonly isOpen: boolean;
}

/** The values of a form with what was typed laid over what it opens with, and whether they differ from that. */
interface FormValues {
  readonly values: Readonly<Record<string, unknown>>;
  readonly isChanged: boolean;
}

/** Bytes of a secret on standard input at most. */
const mostSecret = 64 * 1024;

/** The values of an action whose flags stand for a bar. */
export function flagValues(
  line: Extract<CommandLine<unknown>, { readonly asks: 'flags' }>,
  fields: Fields,
  typed: FlagTexts,
  context: Context,
): ParseResult<unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const read = field.read(typed[name] ?? field.initial);
    if (!read.ok) return unreadable(`${flagName(name)}: ${read.text}`);
    values[name] = read.value;
  }
  return line.values(values, context);
}

/** What is wrong with texts that need no lookup, before anything is asked of the service; undefined: nothing. */
export function faultIn(fields: Fields, typed: FlagTexts): string | undefined {
  for (const [name, text] of Object.entries(typed)) {
    const field = fields[name];
    if (!field || field.picks || field.kind === 'file' || isSecret(field, {})) continue;
    const fault = sentence(field, toFieldText(field, text));
    if (fault !== undefined) return `${flagName(name)}: ${fault}`;
  }
  return undefined;
}

const sentence = (field: Field, text: string): string | undefined => {
  const read = field.read(text);
  return read.ok ? undefined : read.text;
};

/** Reads the form of an edit as if its texts had been typed into it. A failure is a sentence that names the flag. */
async function formValues(
  pending: Pending,
  fields: Fields,
  typed: FlagTexts,
  means: Means,
): Promise<ParseResult<FormValues>> {
  const blank = formLayer('', fields, { kind: 'action', pending });
  const written = await write(blank, typed, means);
  if (!written.ok) return written;
  const form = await inLanguages(written.value);
  const { values, errors } = readFields(form);
  const [wrong] = Object.entries(errors);
  if (wrong) return unreadable(`${flagOf(form.fields, wrong[0], means)}: ${wrong[1]}`);
  const held = means.isSure ? undefined : Object.entries(refusedAt(form)?.written ?? {}).find(([, own]) => own.refused);
  if (held) return unreadable(`${flagOf(form.fields, held[0], means)}: ${held[1].refused?.message}; --anyway sends it`);
  return { ok: true, value: { values, isChanged: differences(form).length > 0 } };
}

/** The flag of a field, which may have another name than the field, or is `--set` with its label. */
const flagOf = (fields: Fields, name: string, { isOpen }: Pick<Means, 'isOpen'>): string =>
  isOpen ? `--set ${fields[name]?.label ?? name}` : flagName(fields[name]?.flag ?? name);

/** The field of a flag, which may have another name; of several with one flag the one that is asked. A column may be called by its label. */
function namedIn(form: OpenForm, word: string): string {
  const { fields } = form;
  if (word in fields) return word;
  const names = Object.keys(fields).filter((name) => [fields[name]?.flag, fields[name]?.label].includes(word));
  const asked = fieldNames(form);
  return names.find((name) => asked.includes(name)) ?? names[0] ?? word;
}

async function write(blank: OpenForm, typed: FlagTexts, means: Means): Promise<ParseResult<OpenForm>> {
  let form = blank;
  const names: string[] = [];
  for (const [word, given] of Object.entries(typed)) {
    const name = namedIn(form, word);
    names.push(name);
    const field = form.fields[name];
    if (!field) return unreadable(`${flagOf({}, name, means)} does not apply here; there are ${askedIn(form, means)}`);
    const text = await textFor(field, given, form, means);
    if (!text.ok) return unreadable(`${flagOf(form.fields, name, means)}: ${text.text}`);
    if (field.kind === 'file') {
      const content = await readTextFile(text.value, field.limit ?? 0);
      if (!content.ok) return unreadable(`${flagOf(form.fields, name, means)}: ${content.text}`);
      form = { ...form, files: { ...form.files, [name]: { path: text.value, content: content.value } } };
    }
    form = withText(form, name, fieldLine(field, text.value));
  }
  const isHidden = (one: OpenForm) => names.find((name) => !fieldNames(one).includes(name));
  // Settings that are seldom needed stand behind a toggle.
  if (isHidden(form) !== undefined)
    for (const [name, field] of Object.entries(form.fields))
      if (field.aside) form = withText(form, name, fieldLine(field, 'yes'));
  const hidden = isHidden(form);
  if (hidden === undefined) return { ok: true, value: form };
  return unreadable(
    `${flagOf(form.fields, hidden, means)} does not apply with these values; there are ${askedIn(form, means)}`,
  );
}

const askedIn = (form: OpenForm, means: Means): string =>
  fieldNames(form)
    .filter((name) => !form.fields[name]?.aside)
    .map((name) => flagOf(form.fields, name, means))
    .join(', ');

/** The text of a field from what was typed: words of options, names for ids, a secret from where it lies. */
async function textFor(
  field: Field,
  given: string,
  form: OpenForm,
  { io, connection, context }: Means,
): Promise<ParseResult<string>> {
  if (isSecret(field, fieldTexts(form))) return secretFrom(given, io);
  const { picks } = field;
  if (picks) {
    const ids: string[] = [];
    for (const part of field.kind === 'checks' ? given.split(',') : [given]) {
      if (part.trim() === '') continue;
      const isLookedUp = part.trim().startsWith('name:') || !field.free;
      const found = isLookedUp
        ? await findPick(connection, context, { noun: field.label.toLowerCase(), load: picks }, part.trim())
        : { ok: true as const, value: { id: part.trim() } };
      if (!found.ok) return found;
      ids.push(found.value.id);
    }
    return { ok: true, value: ids.join(',') };
  }
  return { ok: true, value: toFieldText(field, given) };
}

/** A secret out of an environment variable, or from standard input; never from the command line itself. */
async function secretFrom(given: string, io: Means['io']): Promise<ParseResult<string>> {
  if (given === '-') {
    const text = await readStandardInput(io, mostSecret);
    return text.ok ? { ok: true, value: text.value.trim() } : text;
  }
  const variable = /^env:(\w+)$/.exec(given)?.[1];
  if (variable === undefined)
    return unreadable(
      'every process of this machine can read a command line: give env:VARIABLE, or - for standard input',
    );
  const value = io.env[variable];
  return value ? { ok: true, value } : unreadable(`the environment variable ${variable} is not set`);
}

/** The form with the languages of its query fields, and what they find. */
async function inLanguages(form: OpenForm): Promise<OpenForm> {
  const written = { ...form.written };
  for (const [name, field] of Object.entries(form.fields)) {
    const before = written[name];
    if (!field.language || !before) continue;
    written[name] = await field.language().then(
      (language) => ({ ...before, language }),
      (error: unknown) => ({ ...before, trouble: thrownText(error) }),
    );
  }
  return judged({ ...form, written });
}

/** The edits that a line asks for, in order: one for all of its rows, or one for each thing behind its row. */
export interface Pendings {
  readonly ok: true;
  readonly pending: readonly Pending[];
  /** Rows that are already what was asked for. */
  readonly unchanged: readonly unknown[];
}

/** Makes the edits with their values: from flags, picks, rows of the detail, an order, or a form. */
export async function pendingEdits(work: Work, rows: readonly unknown[]): Promise<Pendings | Stopped> {
  const { io, verb, shape, given } = work;
  const { action, list } = verb;
  const { line } = action;
  const base: Pending = { action, list, rows, ...(given.kind !== undefined && { picked: given.kind }) };
  if (shape.isOrder) return orderEdit(work, base);
  if (line?.asks === 'flags') {
    const values = flagValues(line, shape.fields, given.typed, work.context);
    const says = values.ok && work.connection.settings.dryRun ? line.says?.(values.value, work.context) : undefined;
    if (says !== undefined) complain(io, says);
    return values.ok ? edits([{ ...base, values: values.value }]) : misused(io, values.text);
  }
  if (line?.asks === 'pick') return pickedEdits(work, base);
  const all = line?.asks === 'subRow' ? given.behind.map((subRowId) => ({ ...base, subRowId })) : [base];
  const pending: Pending[] = [];
  const unchanged: unknown[] = [];
  for (const one of all) {
    const whole = await withForm(work, one);
    if (!whole.ok) return whole;
    pending.push(...whole.pending);
    unchanged.push(...whole.unchanged);
  }
  return { ok: true, pending, unchanged };
}

const edits = (pending: readonly Pending[]): Pendings => ({ ok: true, pending, unchanged: [] });

/** Reads what an action needs, and its values from its form where it has one. */
async function withForm({ io, connection, context, shape, given }: Work, base: Pending): Promise<Pendings | Stopped> {
  const { action, rows } = base;
  const here = withContext(context, base);
  const needed = action.needs ? await connection.client.run(action.needs(rows[0], here).plan(here)) : undefined;
  if (needed && !needed.ok) return { ok: false, exit: failed(io, needed.problem) };
  const pending = { ...base, ...(needed && { known: needed.value }) };
  const fullContext = withContext(context, pending);
  if (!action.form) return edits([{ ...pending, values: action.values?.(rows, fullContext) ?? {} }]);
  if (action.reviews === true && Object.keys(given.typed).length === 0)
    return misused(
      io,
      `nothing to edit was given: orgdeck ${commandName({ action, list: base.list })} --help shows the flags`,
    );
  const read = await formValues(pending, action.form(rows[0], fullContext, pending.known), given.typed, {
    io,
    connection,
    context: fullContext,
    isSure: given.isSure,
    isOpen: shape.isOpen,
  });
  if (!read.ok) return misused(io, read.text);
  if (action.reviews === true && !read.value.isChanged) return { ok: true, pending: [], unchanged: rows };
  return edits([{ ...pending, values: read.value.values }]);
}

/** What ids look like, of things whose service names no wrong one (docs/contract/users.md, docs/contract/roles.md). */
const idForms: Readonly<Record<string, (word: string) => boolean>> = { user: isUuid, role: isUuid };

/** An edit for each pick, in the order in which they stand on the line. */
async function pickedEdits({ io, connection, context, verb, given }: Work, base: Pending): Promise<Pendings | Stopped> {
  const { action } = verb;
  const { line } = action;
  const picker: Picker<unknown> | undefined = action.pick?.(base.rows, context);
  if (!picker || line?.asks !== 'pick') return misused(io, `${action.id} has nothing to pick from`);
  const words = line.flag === undefined ? given.behind : [given.pick ?? ''];
  const pending: Pending[] = [];
  for (const word of words) {
    const isMe = line.noun === 'user' && word === 'me';
    if (isMe && !context.me) return misused(io, "your user is unknown: give an ID, or set the profile's handle");
    const load = line.among ?? picker.load;
    const from = { noun: line.noun, load, first: picker.first, isId: idForms[line.noun] };
    const found = await findPick(connection, context, from, isMe ? (context.me?.id ?? '') : word);
    if (!found.ok) return misused(io, found.text);
    pending.push({ ...base, values: picker.values(found.value), pickedAs: found.value.label });
  }
  return edits(pending);
}

/** The order of the list with the named rows where they are wanted. */
async function orderEdit({ io, connection, context, verb, given }: Work, base: Pending): Promise<Pendings | Stopped> {
  const { list } = verb;
  const asked = initialQuery(list);
  const read = await connection.client.run(list.load(asked, context).plan(context));
  if (!read.ok) return { ok: false, exit: failed(io, read.problem) };
  const { rows: all } = read.value;
  const find = (words: readonly string[]) => findRows(io, connection, context, { list, words, asked });
  const moved = await find(given.rows);
  if (!moved.ok) return moved;
  const { before, after } = given.to;
  const beside = before ?? after;
  const anchor = beside === undefined ? undefined : await find([beside]);
  if (anchor && !anchor.ok) return anchor;
  const ordered = { list, all, moved: moved.rows, ...(anchor && { anchor: anchor.rows[0] }) };
  const values: ParseResult<unknown> = orderValues(ordered, given.to);
  return values.ok ? edits([{ ...base, rows: [undefined], values: values.value }]) : misused(io, values.text);
}
