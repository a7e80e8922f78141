import type { Picker } from '../../describe/picks.ts';
import { initialQuery } from '../../describe/screen.ts';
import type { ParseResult } from '../../lib/function-results.ts';
import { isUuid } from '../../lib/values.ts';
import { type Pending, withContext } from '../../session/send/pending-edit.ts';
import { complain, failed } from '../command-messages.ts';
import { findRows } from '../find-rows.ts';
import { flagValues, formValues } from './form-values.ts';
import { orderValues } from './order-values.ts';
import { findPick } from './picks.ts';
import { commandName } from './shape.ts';
import { misused, type Stopped, type Work } from './work.ts';

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
async function withForm({ io, connection, context, given }: Work, base: Pending): Promise<Pendings | Stopped> {
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
