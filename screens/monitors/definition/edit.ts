import { call } from '../../../src/api/endpoint.ts';
import { getMonitor, updateMonitor, validateExistingMonitor } from '../../../src/api/monitors.ts';
import { ask, type Plan } from '../../../src/api/plan.ts';
import type { Result } from '../../../src/api/problem.ts';
import { listRoles } from '../../../src/api/roles.ts';
import type { Action } from '../../../src/describe/action.ts';
import type { Context } from '../../../src/describe/context.ts';
import { namePart, receipt } from '../../../src/describe/receipt.ts';
import { kind } from '../../../src/describe/resource.ts';
import { type EditedRow, editing } from '../../../src/describe/setting-edits.ts';
import { isSameJson } from '../../../src/lib/merge.ts';
import {
  arrayOrEmpty,
  isReadable,
  keptFor,
  type MonitorRow,
  rawMonitor,
  readMonitor,
  toId,
  toNumber,
  toObject,
  toText,
} from '../row.ts';
import { blamed } from './blamed-field.ts';
import { type Definition, type Stored, sentOptions } from './definition.ts';
import { type DefinitionValues, definitionForm, settings, tidyDefinition } from './form.ts';
import { everyField, opened } from './make.ts';
import { changedBody, lostIn, newBody, serviceMembers, stored, toldClearly, unknownRoles, validated } from './send.ts';
import type { DefinitionDraft } from './setting.ts';
import { otherwise } from './told-otherwise.ts';

/** A monitor by its definition: its answers have no envelope. */
const definitions = kind<{ readonly id?: unknown; readonly attributes?: Definition }>({
  noun: 'monitor',
  of: ['monitor'],
  get: (id) => call(getMonitor, { monitor_id: id, query: { with_assets: true } }),
  bare: (answer) => ({ data: { id: toId(answer.id), attributes: answer } }),
  name: (row) => toText(row.attributes.name),
});

/** The definition that the form was opened with. */
const opening = (context: Context): Stored => context.known as Stored;

/** Members that are no settings, each with its reason. */
const fixed = {
  ...Object.fromEntries(serviceMembers.map((name) => [name, 'set by the service'])),
  type: 'the type of a monitor cannot be changed (docs/contract/monitors.md#edit)',
  'options.aggregation': 'unknown: passed through (docs/contract/monitors.md#monitor)',
  'options.notify_no_data': 'set by on_missing_data',
  'options.on_missing_data': 'set by the choice for no data',
};

const edits = editing<DefinitionDraft, typeof settings, Definition>({
  kind: definitions,
  settings,
  uses: [validateExistingMonitor, updateMonitor],
  own: serviceMembers,
  // The service replaces options as a whole, so unknown ones are sent too.
  patch: (id, changes) =>
    call(updateMonitor, {
      monitor_id: id,
      body: 'options' in changes ? { ...changes, options: sentOptions(changes) } : changes,
    }),
  tidy: (attributes, values, before) => tidyDefinition(attributes, values, before ?? attributes),
  *asks({ id, attributes, unread }, context) {
    // A definition with unread parts would be validated without them.
    if (lostIn(unread).length > 0) return undefined;
    return yield* validated(call(validateExistingMonitor, { monitor_id: id, body: newBody(attributes) }), context);
  },
});

const edit = edits.edit({ id: 'monitors.edit', help: '' });

function* sending(
  row: MonitorRow,
  values: DefinitionValues,
  context: Context,
): Plan<Result<EditedRow<DefinitionDraft>>> {
  const before = opening(context);
  const { restricted_roles: roles } = { ...toObject(values.definition), ...values };
  const strange = yield* unknownRoles(isSameJson(roles, before.attributes.restricted_roles) ? [] : roles);
  if (strange) return strange;
  const work = edit.send(before, values, context);
  const sent = 'endpoint' in work ? yield* ask(work) : yield* work;
  return sent.ok ? sent : { ok: false, problem: keptFor(row, toldClearly(sent.problem, before.attributes.type)) };
}

/** The row in the list until the service answers. */
function shown(row: MonitorRow, { name, query, tags, priority }: DefinitionValues): MonitorRow {
  return {
    ...row,
    ...(toText(name) === undefined ? {} : { name: String(name), named: true }),
    ...(toText(query) === undefined ? {} : { query: String(query) }),
    ...(tags === undefined ? {} : { tags: arrayOrEmpty(tags).map(String) }),
    ...(priority === undefined ? {} : { priority: toNumber(priority) }),
  };
}

/**
 * The row with what an answer tells of its definition, and what was sent where it tells nothing. Its state and its mutes
 * are told by reading alone.
 */
function told(row: MonitorRow, { now }: EditedRow<DefinitionDraft>, values: DefinitionValues): MonitorRow {
  const shownRow = shown(row, values);
  const { name, query, tags, priority = null } = shownRow;
  const { message, thresholds, restricted: restricted_roles, modified: changed } = row;
  const listed = { message, options: { thresholds }, restricted_roles, modified: changed };
  const before = row.raw === undefined ? listed : rawMonitor(row);
  const raw = { ...before, ...(shownRow.named ? { name } : {}), query, tags, priority, ...now?.attributes };
  const read = now && readMonitor({ ...raw, id: row.id }, 0);
  if (!read) return shownRow;
  const { named, restricted, modified } = read;
  return {
    ...shownRow,
    name: read.name,
    named,
    query: read.query,
    tags: read.tags,
    priority: read.priority,
    restricted,
    modified,
    message: read.message,
    thresholds: read.thresholds,
    ...(row.raw === undefined ? {} : { raw }),
  };
}

/** `e`: all settings but mutes. The diff is shown first; only changed members are sent. */
export const editAction: Action<MonitorRow, DefinitionValues, EditedRow<DefinitionDraft>> = {
  id: 'monitors.edit',
  key: 'e',
  title: 'edit',
  noun: 'monitor',
  help: 'Edit query, message, thresholds and options; shows the differences before saving',
  uses: [getMonitor, validateExistingMonitor, updateMonitor, listRoles],
  bulk: false,
  reviews: true,
  line: { asks: 'form', fields: everyField },
  settings,
  fixed,
  enabled: isReadable,
  needs: (row) => stored(row),
  form: (_, context) => definitionForm(opened(context), context),
  send: sending,
  blames: blamed,
  // Made of the definition as it was read for the form.
  command: (_, values, context) => (context?.known ? (edit.command?.(opening(context), values) ?? '') : ''),
  show: shown,
  truth: told,
  done(row, values, answer) {
    const { before, asked, now } = answer;
    const sent = changedBody(before.attributes, asked.attributes);
    return receipt`Saved ${namePart(told(row, answer, values).name)}${otherwise(sent, now?.attributes, before.attributes)}`;
  },
  undo: (_, values, answer, context) => edit.undo?.(opening(context), values, answer, context) ?? [],
};
