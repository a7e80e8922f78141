import { ask, call, type Plan } from '../../../src/api/endpoint.ts';
import { hostCheckPlace, type Monitor, neutralHostCheck } from '../../../src/api/monitor-schema.ts';
import {
  createMonitor,
  deleteMonitor,
  getMonitor,
  updateMonitor,
  validateExistingMonitor,
  validateMonitor,
} from '../../../src/api/monitors.ts';
import type { Result } from '../../../src/api/problem.ts';
import { listRoles } from '../../../src/api/roles.ts';
import type { KnownWords } from '../../../src/api/vocabulary/schema-shape.ts';
import type { Action, MadeThing } from '../../../src/describe/action.ts';
import type { Context } from '../../../src/describe/context.ts';
import type { Fields } from '../../../src/describe/field.ts';
import type { Picker } from '../../../src/describe/picks.ts';
import { namePart, type Receipt, receipt } from '../../../src/describe/receipt.ts';
import { kind } from '../../../src/describe/resource.ts';
import { type EditedRow, editing } from '../../../src/describe/setting-edits.ts';
import { keptPer } from '../../../src/lib/function-results.ts';
import { firstThree } from '../../../src/lib/text.ts';
import { isSameJson } from '../../../src/lib/values.ts';
import {
  arrayOrEmpty,
  isReadable,
  keptFor,
  type MonitorRow,
  rawMonitor,
  readMonitor,
  readState,
  toId,
  toNumber,
  toObject,
  toText,
} from '../row.ts';
import { type DefinitionValues, definitionForm, type Opened, settings, tidyDefinition } from './form.ts';
import { knownPicks } from './main-settings.ts';
import {
  changedBody,
  createChecked,
  createdBody,
  explainScopedKey,
  lostPlaces,
  newBody,
  openDefinition,
  problemField,
  readDefinition,
  serviceMembers,
  storedDefinition,
  unappliedText,
  uncopied,
  undoCreate,
  unknownRoleProblem,
  validationProblem,
} from './send.ts';
import {
  type Definition,
  type DefinitionDraft,
  knownIn,
  type MonitorKind,
  type Stored,
  sentOptions,
} from './setting.ts';
import { kindBy, monitorKinds, unknownObjective } from './templates.ts';

/** The organization's monitors as they were last read, whatever list is in front. */
const loadedMonitors = (context: Context): readonly MonitorRow[] =>
  (context.loaded?.('monitors') ?? []) as readonly MonitorRow[];

/** Picks the kind of a new monitor, with what each watches. */
const kindPicker: Picker<string> = {
  title: 'Monitor type',
  first: monitorKinds.map((kind) => ({ id: kind.id, label: kind.title, hint: kind.watches })),
  things: true,
  load: () => knownPicks('kinds of monitors', () => ({ rows: [] })),
  values: (pick) => pick.id,
};

const hostCheckWords: KnownWords = { sort: 'word', known: [neutralHostCheck], place: hostCheckPlace };

/** The deployment's name of the host check. It is part of a query, which no vocabulary translates. */
const hostCheckIn = ({ vocabulary }: Context): string =>
  vocabulary?.out.word(hostCheckWords, neutralHostCheck) ?? neutralHostCheck;

/** Whether the application key in use has scopes, where its list was read: log monitors need one without. */
function keyScoped({ loaded, ends }: Context): boolean | undefined {
  const keys = (loaded?.('keys-own') ?? []).map((row) => toObject(toObject(row).attributes));
  const own = ends && keys.filter(({ last4 }) => last4 === ends.appKey);
  return own?.length === 1 ? arrayOrEmpty(own[0]?.scopes).length > 0 : undefined;
}

/** The kind with what is known of the key in use, where its query needs one without scopes. */
function watchedWith(kind: MonitorKind, isScoped: boolean | undefined): MonitorKind {
  // A formula says what it does unless the key is in its way.
  if (kind.type !== 'log alert' || isScoped === undefined || (kind.formula && !isScoped)) return kind;
  return { ...kind, watches: isScoped ? 'logs need a key without scopes; yours has scopes' : 'logs of a search' };
}

/** The definition that the form was opened with. */
const opening = (context: Context): Stored => context.known as Stored;

/** The definition of a stored monitor as its form opens. */
function opened(context: Context): Opened {
  const asStored = openDefinition(opening(context), loadedMonitors(context));
  return { ...asStored, kind: watchedWith(asStored.kind, keyScoped(context)) };
}

/** Each letter in the form of a new monitor asks for the template: what is worked out of it is kept with it. */
const keptTemplates = keptPer<readonly MonitorRow[], Opened>();

/** The template of the kind that was picked, with an SLO that is known here where it is about one. */
function proposed(context: Context): Opened {
  const kind = kindBy(String(context.picked)) ?? monitorKinds[0];
  if (!kind) throw new Error('there are no kinds of monitors');
  const rows = loadedMonitors(context);
  const hostCheck = hostCheckIn(context);
  const isScoped = keyScoped(context);
  return keptTemplates(rows, [kind, hostCheck, isScoped], () => templateOf(kind, rows, hostCheck, isScoped));
}

function templateOf(kind: MonitorKind, rows: readonly MonitorRow[], hostCheck: string, isKeyScoped?: boolean): Opened {
  const objective = kind.family === 'slo' ? knownIn(rows).objectives[0] : undefined;
  const { query, options } = kind.template({ objective: objective ?? unknownObjective, hostCheck });
  const blank = kind.whole ? { message: '', tags: [], options: {} } : {};
  const base = { type: kind.type, query, ...blank, ...(options ? { options } : {}) };
  const { watches } = watchedWith(kind, isKeyScoped);
  const isUnknown = kind.family === 'slo' && objective === undefined;
  return {
    kind: { ...kind, watches: isUnknown ? 'replace the ID with that of your SLO: none is known here' : watches },
    base,
    rows,
  };
}

/** The fields of every kind, as the template of the first that has them. */
const everyField = (context: Context): Fields =>
  Object.assign(
    {},
    ...monitorKinds.toReversed().map(({ id }) => definitionForm(proposed({ ...context, picked: id }), context)),
  );

/** The stored definition under another name, because the service refuses an exact copy (docs/contract/monitors.md#create). */
function copied(context: Context): Opened {
  const original = opened(context);
  const { id: _, ...base } = original.base;
  return { ...original, base: { ...base, name: `${toText(base.name) ?? original.kind.type} (copy)` } };
}

/** `Created monitor 4312 checkout errors; No Data yet`, and what the answer shows otherwise than it was sent. */
function created(verb: string, opened: Opened, values: DefinitionValues, monitor: Monitor): Receipt {
  const sent = createdBody(opened, values);
  const isNew = monitor.overall_state === 'No Data' && monitor.overall_state_modified == null;
  const state = isNew ? '; No Data yet' : monitor.overall_state ? `; ${readState(monitor.overall_state)}` : '';
  const words = [verb, 'monitor', toId(monitor.id)].filter((word) => word != null);
  return receipt`${words.join(' ')} ${namePart(monitor.name || sent.name || '')}${state}${unappliedText(sent, monitor)}`;
}

/** What a receipt says of the members that a copy does not have. */
function notCopied(definition: Definition): string {
  const names = uncopied(definition).map((name) => name.replaceAll('_', ' '));
  return names.length === 0 ? '' : `; not copied: ${firstThree(names)}`;
}

function made({ id, name }: Monitor): MadeThing | undefined {
  const madeId = toId(id);
  return madeId === undefined ? undefined : { id: madeId, name: name ?? '' };
}

const uses = [validateMonitor, createMonitor, deleteMonitor, listRoles];

/** What a new monitor and a copy have in common. */
const making = {
  noun: 'monitor',
  line: { asks: 'form', fields: everyField },
  settings,
  reviews: 'all',
  made,
  undo: (_: MonitorRow, __: DefinitionValues, answer: Monitor) => undoCreate(answer),
} as const;

/** `n`: the kind first, then a form that is valid as it opens. */
export const newAction: Action<MonitorRow, DefinitionValues, Monitor> = {
  ...making,
  id: 'monitors.create',
  key: 'n',
  on: 'list',
  title: 'new',
  help: 'Create a monitor; the query is checked while you type',
  brief: 'Create a monitor of a kind; its query is checked before it is sent',
  uses,
  first: () => kindPicker as Picker<unknown>,
  form: (_, context) => definitionForm(proposed(context), context),
  send: (_, values, context) => createChecked(proposed(context), values, context),
  blames: (problem, values) => ('definition' in values ? 'definition' : problemField(problem)),
  done: (_, values, answer, context) => created('Created', proposed(context), values, answer),
  command: (_, values, context) =>
    context ? call(createMonitor, { body: createdBody(proposed(context), values) }) : '',
};

/** `c`: the form of a new one, filled from the row as it is now. */
export const cloneAction: Action<MonitorRow, DefinitionValues, Monitor> = {
  ...making,
  id: 'monitors.clone',
  key: 'c',
  title: 'copy',
  help: 'Copy the monitor with all its options, without mutes',
  uses: [getMonitor, ...uses],
  bulk: false,
  enabled(row) {
    const isTest = row.type === 'synthetics alert';
    return isTest && !row.bare ? 'it belongs to a synthetic test, which creates it' : isReadable(row);
  },
  needs: (row) => ({
    key: `whole definition ${row.id}`,
    of: ['monitor'],
    plan: () => readDefinition(row.id, 'copied'),
  }),
  form: (_, context) => definitionForm(copied(context), context),
  send: (_, values, context) => createChecked(copied(context), values, context),
  blames: problemField,
  done: (_, values, answer, context) =>
    receipt`${created('Copied to', copied(context), values, answer)}${notCopied(opening(context).attributes)}`,
};

/** A monitor by its definition: its answers have no envelope. */
const definitions = kind<{ readonly id?: unknown; readonly attributes?: Definition }>({
  noun: 'monitor',
  of: ['monitor'],
  get: (id) => call(getMonitor, { monitor_id: id, query: { with_assets: true } }),
  bare: (answer) => ({ data: { id: toId(answer.id), attributes: answer } }),
  name: (row) => toText(row.attributes.name),
});

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
  *asks({ id, attributes, unread }, context, { attributes: before }) {
    // Of what the edit leaves as it is stored the service may refuse some by now.
    const isDefined = ['query', 'options'].some((name) => !isSameJson(attributes[name], before[name]));
    // A definition with unread parts would be validated without them.
    if (!isDefined || lostPlaces(unread).length > 0) return undefined;
    return yield* validationProblem(
      call(validateExistingMonitor, { monitor_id: id, body: newBody(attributes) }),
      context,
    );
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
  const strange = yield* unknownRoleProblem(isSameJson(roles, before.attributes.restricted_roles) ? [] : roles);
  if (strange) return strange;
  const work = edit.send(before, values, context);
  const sent = 'endpoint' in work ? yield* ask(work) : yield* work;
  return sent.ok ? sent : { ok: false, problem: keptFor(row, explainScopedKey(sent.problem, before.attributes.type)) };
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
  const options = { thresholds: row.thresholds };
  const listed = { message: row.message, options, restricted_roles: row.restricted, modified: row.modified };
  const before = row.raw === undefined ? listed : rawMonitor(row);
  const sent = { query: shownRow.query, tags: shownRow.tags, priority: shownRow.priority ?? null };
  const raw = { ...before, ...(shownRow.named ? { name: shownRow.name } : {}), ...sent, ...now?.attributes };
  const read = now && readMonitor({ ...raw, id: row.id }, 0);
  if (!read) return shownRow;
  const { name, named, query, tags, priority, restricted, modified, message, thresholds } = read;
  const definition = { name, named, query, tags, priority, restricted, modified, message, thresholds };
  return { ...shownRow, ...definition, ...(row.raw === undefined ? {} : { raw }) };
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
  needs: (row) => storedDefinition(row),
  form: (_, context) => definitionForm(opened(context), context),
  send: sending,
  blames: problemField,
  // Made of the definition as it was read for the form.
  command: (_, values, context) => (context?.known ? (edit.command?.(opening(context), values) ?? '') : ''),
  show: shown,
  truth: told,
  done(row, values, answer) {
    const { before, asked, now } = answer;
    const sent = changedBody(before.attributes, asked.attributes);
    return receipt`Saved ${namePart(told(row, answer, values).name)}${unappliedText(sent, now?.attributes, before.attributes)}`;
  },
  undo: (_, values, answer, context) => edit.undo?.(opening(context), values, answer, context) ?? [],
};
