import { createMapping, deleteMapping, getMapping, listMappings, updateMapping } from '../../src/api/authn-mappings.ts';
import { type AttributesOf, call } from '../../src/api/endpoint.ts';
import { ask, type Plan } from '../../src/api/plan.ts';
import { type Result, refusal } from '../../src/api/problem.ts';
import type { Action } from '../../src/describe/action.ts';
import { deleting, typedName } from '../../src/describe/delete-action.ts';
import { choiceField, pickField, shownWhen, textField } from '../../src/describe/field.ts';
import { pageSize } from '../../src/describe/read-pages.ts';
import { kind, type RowOf } from '../../src/describe/resource.ts';
import { rolePicks, teamPicks } from '../../src/describe/resource-picks.ts';
import { formOnly, settingsOf, type Values } from '../../src/describe/setting.ts';
import type { Made } from '../../src/describe/setting-creates.ts';
import { type Edited, editing } from '../../src/describe/setting-edits.ts';
import { idIn, word } from '../../src/lib/unchecked.ts';

/** What a mapping may lead to, with the type that it has among what is included. */
const types = { role: 'roles', team: 'team' } as const;
type Leads = keyof typeof types;

/** Mappings of what the identity provider sends to a role or a team (spec: AuthN mapping), one kind of target at a time. */
export const mappingKind = kind({
  noun: 'mapping',
  of: ['authn_mappings', 'roles', 'team'],
  page: (number, { search: { kind: resource_type, text: filter } }) =>
    call(listMappings, {
      query: { resource_type, ...(filter ? { filter } : {}), 'page[size]': pageSize, 'page[number]': number },
    }),
  get: (id) => call(getMapping, { authn_mapping_id: id }),
  remove: (id) => call(deleteMapping, { authn_mapping_id: id }),
  extra({ attributes, relationships }, included) {
    const role = idIn(relationships?.role);
    const team = role === undefined ? idIn(relationships?.team) : undefined;
    const [type, id] = role === undefined ? [types.team, team] : [types.role, role];
    return {
      attributes: { ...attributes, role, team },
      /** What was told of the role or team. */
      about: included.find((one) => one.type === type && idIn(one) === id),
    };
  },
  name: ({ attributes }) => `${attributes.attribute_key ?? ''} = ${attributes.attribute_value ?? ''}`,
});

export type MappingRow = RowOf<typeof mappingKind>;

const { nameOf } = mappingKind;

/** What a mapping leads to. */
interface Target {
  readonly kind: Leads;
  readonly id: string;
  /** Undefined where the answer names only its id. */
  readonly name: string | undefined;
  /** Its attributes, where they are known. */
  readonly about: Readonly<Record<string, unknown>>;
}

/** Undefined where the answer tells none that is known here. */
export function targetOf({ attributes, about }: MappingRow): Target | undefined {
  const kind = attributes.role === undefined ? 'team' : 'role';
  const id = attributes[kind];
  if (id === undefined) return undefined;
  const told: Target['about'] =
    (about?.type === types[kind] && idIn(about) === id ? about.attributes : undefined) ?? {};
  return { kind, id, name: word(told.name) || word(told.handle) || undefined, about: told };
}

/** `role Operators`, `team Core`; by its id where the name is not known. */
function targetSays(row: MappingRow): string {
  const target = targetOf(row);
  return target ? `${target.kind} ${target.name ?? target.id}` : 'nothing that is known here';
}

/** The role or team as its field opens; nothing where the mapping leads to the other kind. */
function pickOf(row: MappingRow | undefined, kind: Leads) {
  const target = row && targetOf(row);
  return target?.kind === kind ? { id: target.id, label: target.name ?? target.id } : undefined;
}

const setting = settingsOf(mappingKind);

/** What a person can set; of role and team there is the one that `kind` says. */
const settings = {
  key: setting('attribute key', 'attribute_key', (now) =>
    textField('attribute key', now, {
      required: true,
      hint: 'what the identity provider calls it, for example groups',
    }),
  ),
  value: setting('attribute value', 'attribute_value', (now) =>
    textField('attribute value', now, { required: true, hint: 'exactly as it is sent' }),
  ),
  kind: formOnly('kind of target', (row: MappingRow | undefined) =>
    choiceField('leads to', (row && targetOf(row)?.kind) ?? 'role', ['role', 'team'] as const),
  ),
  role: setting('role', 'role', (_, row) =>
    shownWhen(
      (texts) => texts.kind !== 'team',
      pickField('role', pickOf(row, 'role'), rolePicks, {
        required: true,
        hint: 'Enter picks: who has the value gets it',
      }),
    ),
  ),
  team: setting('team', 'team', (_, row) =>
    shownWhen(
      (texts) => texts.kind === 'team',
      pickField('team', pickOf(row, 'team'), teamPicks, {
        required: true,
        hint: 'Enter picks: who has the value joins it',
      }),
    ),
  ),
};

/** What a mapping leads to, as it is sent: the id of one of the two. */
interface Sent {
  readonly role?: string | null | undefined;
  readonly team?: string | null | undefined;
}

function relation({ role, team }: Sent) {
  if (role != null) return { relationships: { role: { data: { id: role, type: types.role } } } };
  return team == null ? {} : { relationships: { team: { data: { id: team, type: types.team } } } };
}

const createCall = ({ role, team, ...attributes }: AttributesOf<typeof createMapping> & Sent) =>
  call(createMapping, {
    body: { data: { type: 'authn_mappings', attributes, ...relation({ role, team }) } },
  });

/** The call that makes an equal one; none where not all of it was told. */
function againCalls({ attributes: { attribute_key, attribute_value, role, team } }: MappingRow) {
  const isTold = attribute_key && attribute_value && (role ?? team) !== undefined;
  return isTold ? [createCall({ attribute_key, attribute_value, role, team })] : [];
}

const edits = editing({
  kind: mappingKind,
  settings,
  uses: [updateMapping],
  own: ['created_at', 'modified_at'],
  tidy: (attributes, { kind }) =>
    kind === undefined ? attributes : { ...attributes, [kind === 'team' ? 'role' : 'team']: undefined },
  // What is left out stays (contract/authn-mappings.md 3).
  patch: (id, { role, team, ...attributes }: AttributesOf<typeof updateMapping> & Sent) =>
    call(updateMapping, {
      authn_mapping_id: id,
      body: { data: { id, type: 'authn_mappings', attributes, ...relation({ role, team }) } },
    }),
});

export const { comparable } = edits;

/** What an answer says is true now. */
const says = ({ asked, now }: Made<MappingRow>): string =>
  now ? `${nameOf(now)} leads to ${targetSays(now)}` : `${nameOf(asked)}; the service did not say what it leads to`;

/** `n`: a mapping to a role or to a team. */
export const createAction = edits.make({
  id: 'mappings.create',
  help: 'whoever signs in with this attribute gets a role, or joins a team',
  main: true,
  uses: [createMapping],
  create: createCall,
  done: (_, __, answer) => `created: ${says(answer)}`,
});

type Edit = Action<MappingRow, Values<typeof settings>, Edited<MappingRow>>;

/** Whether an edit would turn a mapping to a role into one to a team, or the other way. */
function turns(row: MappingRow, { kind }: Values<typeof settings>): boolean {
  const now = targetOf(row)?.kind;
  return now !== undefined && kind !== undefined && kind !== now;
}

/**
 * Nothing is known of deployments that turn one kind into the other, so another mapping is made in its place: first
 * the new one, so that nobody is without in between (contract/authn-mappings.md 3).
 */
function* replacing(before: MappingRow, asked: MappingRow): Plan<Result<Edited<MappingRow>>> {
  const [make] = againCalls(asked);
  const made = make && (yield* ask(make));
  if (!made?.ok) return made ?? refusal('invalid', 'nothing that is known here stands in its place');
  const gone = yield* ask(call(deleteMapping, { authn_mapping_id: before.id }));
  if (gone.ok || gone.problem.kind === 'notFound') {
    const now = mappingKind.row(made.value.data, { place: before.place, included: made.value.included });
    return { ...made, value: { before, asked, now } };
  }
  const text = `a mapping to a ${targetOf(asked)?.kind} was made, but the old one is still there: ${gone.problem.text}`;
  return { ok: false, problem: { ...gone.problem, text } };
}

const saved: Edit = edits.edit({
  id: 'mappings.edit',
  help: 'another key, value, role or team; the difference is shown first',
  confirm([row], values) {
    if (!row || !turns(row, values)) return undefined;
    return {
      question: `put a mapping to a ${values.kind} in the place of ${nameOf(row)}? y = yes`,
      details: [
        `one that leads to a ${targetOf(row)?.kind} cannot be turned into one to a ${values.kind}`,
        'the new one is made first, then this one is deleted; the id is another then',
      ],
    };
  },
  // The row that stands in its place is read with the list.
  truth: (row, { asked, now = asked }) => ({ ...row, ...now, id: row.id, place: row.place }),
  done: (row, values, answer) => `${turns(row, values) ? 'replaced' : 'saved'}: ${says(answer)}`,
});

/** `e`: only what differs is sent; another kind of target is another mapping. */
export const editAction: Edit = {
  ...saved,
  uses: [...saved.uses, createMapping, deleteMapping],
  send: (row, values, context) =>
    turns(row, values) ? replacing(row, saved.show?.(row, values, context) ?? row) : saved.send(row, values, context),
  undo(before, values, answer, context) {
    if (!turns(before, values)) return saved.undo?.(before, values, answer, context) ?? [];
    const [make] = againCalls(before);
    return make && answer.now ? [make, call(deleteMapping, { authn_mapping_id: answer.now.id })] : [];
  },
};

/** `d`: the value is typed. */
export const deleteAction = deleting({
  id: 'mappings.delete',
  kind: mappingKind,
  help: 'who signs in with the attribute no longer gets what it leads to; the value is typed first',
  uses: [createMapping],
  question: (row) => `delete ${nameOf(row)}, which leads to ${targetSays(row)}?`,
  details: () => [
    'at their next sign-in people lose what they have through it alone',
    'undo makes an equal one, with another id',
  ],
  typed: (row) => typedName(row.attributes.attribute_value, row.id),
  done: (row) => `deleted ${nameOf(row)}, which led to ${targetSays(row)}`,
  undo: againCalls,
});
