import { call } from '../../../src/api/endpoint.ts';
import { hostCheckPlace, type Monitor, neutralHostCheck } from '../../../src/api/monitor-schema.ts';
import { createMonitor, deleteMonitor, getMonitor, validateMonitor } from '../../../src/api/monitors.ts';
import { listRoles } from '../../../src/api/roles.ts';
import type { KnownWords } from '../../../src/api/vocabulary/schema-shape.ts';
import type { Action, MadeThing } from '../../../src/describe/action.ts';
import type { Context } from '../../../src/describe/context.ts';
import type { Fields } from '../../../src/describe/field.ts';
import type { Picker } from '../../../src/describe/pick.ts';
import { namePart, type Receipt, receipt } from '../../../src/describe/receipt.ts';
import { keptPer } from '../../../src/lib/once.ts';
import { firstThree } from '../../../src/lib/text.ts';
import { arrayOrEmpty, isReadable, type MonitorRow, readState, toId, toObject, toText } from '../row.ts';
import { blamed } from './blamed-field.ts';
import { knownPicks } from './composite.ts';
import type { Definition, Stored } from './definition.ts';
import { type DefinitionValues, definitionForm, type Opened, settings } from './form.ts';
import type { MonitorKind } from './kinds.ts';
import { createdBody, creating, openDefinition, readDefinition, uncopied, unmade } from './send.ts';
import { kindBy, monitorKinds, unknownObjective } from './templates.ts';
import { otherwise } from './told-otherwise.ts';
import { knownIn } from './used-values.ts';

/** The organization's monitors as they were last read. */
const loadedMonitors = (context: Context): readonly MonitorRow[] => (context.rows?.() ?? []) as readonly MonitorRow[];

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
  if (kind.type !== 'log alert' || isScoped === undefined) return kind;
  return { ...kind, watches: isScoped ? 'logs need a key without scopes; yours has scopes' : 'logs of a search' };
}

/** The definition of a stored monitor as its form opens. */
export function opened(context: Context): Opened {
  const asStored = openDefinition(context.known as Stored, loadedMonitors(context));
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
export const everyField = (context: Context): Fields =>
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

/** `Created monitor 4312 checkout errors; No Data yet`, and what is otherwise than it was sent. */
function created(verb: string, opened: Opened, values: DefinitionValues, monitor: Monitor): Receipt {
  const sent = createdBody(opened, values);
  const isNew = monitor.overall_state === 'No Data' && monitor.overall_state_modified == null;
  const state = isNew ? '; No Data yet' : monitor.overall_state ? `; ${readState(monitor.overall_state)}` : '';
  const words = [verb, 'monitor', toId(monitor.id)].filter((word) => word != null);
  return receipt`${words.join(' ')} ${namePart(monitor.name || sent.name || '')}${state}${otherwise(sent, monitor)}`;
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

/** `n`: the kind first, then a form that is valid as it opens. */
export const newAction: Action<MonitorRow, DefinitionValues, Monitor> = {
  id: 'monitors.create',
  key: 'n',
  on: 'list',
  title: 'new',
  noun: 'monitor',
  help: 'Create a monitor; the query is checked while you type',
  brief: 'Create a monitor of a kind; its query is checked before it is sent',
  uses,
  first: () => kindPicker as Picker<unknown>,
  line: { asks: 'form', fields: everyField },
  settings,
  form: (_, context) => definitionForm(proposed(context), context),
  reviews: 'all',
  send: (_, values, context) => creating(proposed(context), values, context),
  blames: (problem, values) => ('definition' in values ? 'definition' : blamed(problem)),
  made,
  done: (_, values, answer, context) => created('Created', proposed(context), values, answer),
  undo: (_, __, answer) => unmade(answer),
  command: (_, values, context) =>
    context ? call(createMonitor, { body: createdBody(proposed(context), values) }) : '',
};

/** `c`: the form of a new one, filled from the row as it is now. */
export const cloneAction: Action<MonitorRow, DefinitionValues, Monitor> = {
  id: 'monitors.clone',
  key: 'c',
  title: 'copy',
  noun: 'monitor',
  help: 'Copy the monitor with all its options, without mutes',
  uses: [getMonitor, ...uses],
  bulk: false,
  line: { asks: 'form', fields: everyField },
  settings,
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
  reviews: 'all',
  send: (_, values, context) => creating(copied(context), values, context),
  blames: blamed,
  made,
  done: (_, values, answer, context) =>
    receipt`${created('Copied to', copied(context), values, answer)}${notCopied((context.known as Stored).attributes)}`,
  undo: (_, __, answer) => unmade(answer),
};
